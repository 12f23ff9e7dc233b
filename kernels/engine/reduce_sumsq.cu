#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (sumsq, GPR_INSTANCES_SUMSQ)
