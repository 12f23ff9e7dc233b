#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (arg, GPR_INSTANCES_ARG)
