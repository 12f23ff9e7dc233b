#include "fold_group.cuh"

GPR_ENGINE_GROUP (sumsq, GPR_FOLDS_SUMSQ)
