#include "fold.cuh"

GPR_ENGINE_GROUP (norm, GPR_FOLDS_NORM)
