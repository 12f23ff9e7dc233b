#include "fold.cuh"

GPR_ENGINE_GROUP (sumsq, GPR_FOLDS_SUMSQ)
