#include "reduce_group.cuh"

GPR_ENGINE_GROUP (moments, GPR_INSTANCES_MOMENTS)
