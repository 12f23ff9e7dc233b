#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (logical, GPR_INSTANCES_LOGICAL)
