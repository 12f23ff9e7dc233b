#include "reduce/instances.cuh"

GPR_ENGINE_GROUP (prod, GPR_INSTANCES_PROD)
