#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (native, GPR_INSTANCES_NATIVE)
