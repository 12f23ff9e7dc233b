#include "fold_group.cuh"

GPR_ENGINE_GROUP (truth, GPR_FOLDS_TRUTH)
