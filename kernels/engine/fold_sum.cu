#include "fold_group.cuh"

GPR_ENGINE_GROUP (sum, GPR_FOLDS_SUM)
