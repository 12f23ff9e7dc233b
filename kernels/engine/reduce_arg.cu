#include "reduce/instances.cuh"

GPR_ENGINE_SHARING_GROUP (arg, GPR_INSTANCES_ARG, GPR_SHARED_ARG)
