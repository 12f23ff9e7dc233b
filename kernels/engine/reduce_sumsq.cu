#include "reduce_group.cuh"

GPR_ENGINE_GROUP (sumsq, GPR_INSTANCES_SUMSQ)
