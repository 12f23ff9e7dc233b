#include "reduce.h"

GPR_LOOPS_OF_GROUP (GPR_INSTANCES_ARG)
