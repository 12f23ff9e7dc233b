#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (moments, GPR_INSTANCES_MOMENTS)
