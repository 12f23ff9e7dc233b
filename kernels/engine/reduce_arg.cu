#include "reduce_group.cuh"

GPR_ENGINE_GROUP (place, GPR_INSTANCES_ARG)
