#include "fold.cuh"

GPR_ENGINE_GROUP (extreme, GPR_FOLDS_EXTREME)
