#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (bounds, GPR_INSTANCES_BOUNDS)
