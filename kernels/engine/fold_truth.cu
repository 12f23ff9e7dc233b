#include "fold.cuh"

GPR_ENGINE_GROUP (truth, GPR_FOLDS_TRUTH)
