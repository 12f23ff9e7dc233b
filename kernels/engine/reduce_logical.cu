#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (truth, GPR_INSTANCES_LOGICAL)
