#include "reduce_group.cuh"

GPR_ENGINE_GROUP (logical, GPR_INSTANCES_LOGICAL)
