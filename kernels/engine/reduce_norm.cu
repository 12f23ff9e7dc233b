#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (norm, GPR_INSTANCES_NORM)
