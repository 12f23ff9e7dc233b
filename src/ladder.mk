# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gpureduce_ladder.so: the variants of kernels/ladder, one object a file; not those in
# bugs/, which only the simulator runs.  After cuda.mk.
#
# For one architecture, the first that has everything the ladder shows, and those
# after it: they compile its PTX when they first meet it.

LADDER = ../kernels/ladder
LADDER_ARCHITECTURE := $(or $(firstword $(foreach a, $(CUDA_ARCHITECTURES:sm_%=%), $(if $(filter-out compute_% 5% 6% 7%, $(a)), $(a)))), \
                            $(lastword $(patsubst sm_%,%, $(filter sm_%, $(CUDA_ARCHITECTURES)))))
LADDER_GENCODE = -gencode arch=compute_$(LADDER_ARCHITECTURE),code=sm_$(LADDER_ARCHITECTURE) \
  -gencode arch=compute_$(LADDER_ARCHITECTURE),code=compute_$(LADDER_ARCHITECTURE)

# The headers' folder of a cuBLAS that has what cublas.cu calls, or nothing.
CUBLAS_INC := $(shell for i in $(patsubst -I%,%, $(subst "-I,", $(CUDA_INC))); do \
  if grep -qs cublasSasum_v2_64 "$$i/cublas_api.h"; then echo "$$i"; break; fi; done)
LADDER_SOURCES := $(filter-out $(if $(CUBLAS_INC),, $(LADDER)/cublas.cu), $(wildcard $(LADDER)/*.cu))
# The long ones first.
LADDER_LONG = thrust cub cub_argmax cub_histogram cub_block cascade cub_warp unrolled
LADDER_NAMES := $(notdir $(LADDER_SOURCES:.cu=))
LADDER_NAMES := $(filter $(LADDER_NAMES), $(LADDER_LONG)) $(filter-out $(LADDER_LONG), $(LADDER_NAMES))
LADDER_OBJECTS = $(LADDER_NAMES:%=obj/ladder_kernels/%.o)

gpureduce_ladder.so: $(LADDER_OBJECTS) $(if $(CUBLAS_INC), obj/ladder_kernels/cublas_load.o)
	$(NVCC) -shared -cudart static $(LADDER_GENCODE) -o $@ $^ -Xlinker -Bsymbolic,--exclude-libs,ALL,-s

$(LADDER_OBJECTS): obj/ladder_kernels/%.o: $(LADDER)/%.cu $(wildcard $(LADDER)/*.h ../kernels/common/*.h ../kernels/ops/*.h)
	@mkdir -p $(@D)
	$(NVCC) $(filter-out $(CUDA_GENCODE), $(NVCC_FLAGS)) $(LADDER_GENCODE) -c -o $@ $<

obj/ladder_kernels/cublas_load.o: $(LADDER)/cublas_load.c
	@mkdir -p $(@D)
	$(CC) $(CUDA_HOST_FLAGS) -DGPR_CUBLAS_FOLDER='"$(CUBLAS_INC:%/include=%/lib)"' -c -o $@ $<
