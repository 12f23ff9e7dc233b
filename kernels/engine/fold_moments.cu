#include "fold_group.cuh"

GPR_ENGINE_GROUP (moments, GPR_FOLDS_MOMENTS)
