#include "reduce_group.cuh"

GPR_ENGINE_GROUP (arg, GPR_INSTANCES_ARG)
