#include "fold_group.cuh"

GPR_ENGINE_GROUP (extreme, GPR_FOLDS_EXTREME)
