#include "fold_group.cuh"

GPR_ENGINE_GROUP (place, GPR_FOLDS_PLACE)
