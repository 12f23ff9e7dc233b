#include "fold_group.cuh"

GPR_ENGINE_GROUP (prod, GPR_FOLDS_PROD)
