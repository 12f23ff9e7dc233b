#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (sum, GPR_INSTANCES_SUM)
