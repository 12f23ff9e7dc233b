#include "fold_group.cuh"

GPR_ENGINE_GROUP (norm, GPR_FOLDS_NORM)
