#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (extreme, GPR_INSTANCES_EXTREME)
