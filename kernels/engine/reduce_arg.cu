#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (place, GPR_INSTANCES_ARG)
