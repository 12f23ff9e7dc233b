#include "fold.cuh"

GPR_ENGINE_GROUP (moments, GPR_FOLDS_MOMENTS)
