#include "fold_group.cuh"

GPR_ENGINE_GROUP (native, GPR_FOLDS_NATIVE)
