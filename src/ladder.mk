# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gpureduce_ladder.so: the variants of kernels/ladder; not those in
# bugs/, which only the simulator runs.  After cuda.mk.
#
# For one architecture, the first that has everything the ladder shows, and those
# after it: they compile its PTX when they first meet it.

LADDER = ../kernels/ladder
LADDER_ARCHITECTURE := $(or $(firstword $(foreach a, $(CUDA_ARCHITECTURES:sm_%=%), $(if $(filter-out compute_% 5% 6% 7%, $(a)), $(a)))), \
                            $(lastword $(patsubst sm_%,%, $(filter sm_%, $(CUDA_ARCHITECTURES)))), \
                            $(lastword $(CUDA_ARCHITECTURES:compute_%=%)))
LADDER_GENCODE = -gencode arch=compute_$(LADDER_ARCHITECTURE),code=sm_$(LADDER_ARCHITECTURE) \
  -gencode arch=compute_$(LADDER_ARCHITECTURE),code=compute_$(LADDER_ARCHITECTURE)

# The headers' folder of a cuBLAS that has what cublas.cu calls, or nothing.
CUBLAS_INC := $(shell for i in $(patsubst -I%,%, $(subst "-I,", $(CUDA_INC))); do \
  if grep -qs cublasSasum_v2_64 "$$i/cublas_api.h"; then echo "$$i"; break; fi; done)
LADDER_SOURCES := $(filter-out $(if $(CUBLAS_INC),, $(LADDER)/cublas.cu), $(wildcard $(LADDER)/*.cu))
# What most time goes into are the headers, the toolkit's and those of its libraries' templates:
# the files that include the same are compiled in one go.
LADDER_libraries := $(filter thrust.cu cub.cu cub_%, $(notdir $(LADDER_SOURCES)))
LADDER_variants := $(filter-out $(LADDER_libraries), $(notdir $(LADDER_SOURCES)))
LADDER_OBJECTS = obj/ladder_kernels/libraries.o obj/ladder_kernels/variants.o
LADDER_HEADERS = $(wildcard $(LADDER)/*.h ../kernels/common/*.h ../kernels/ops/*.h)
# -O1: of the host's part, which only launches.
LADDER_COMPILE = $(NVCC) $(filter-out -O3 $(CUDA_GENCODE), $(NVCC_FLAGS)) -O1 $(LADDER_GENCODE) -c

gpureduce_ladder.so: $(LADDER_OBJECTS) $(if $(CUBLAS_INC), obj/ladder_kernels/cublas_load.o)
	$(NVCC) -shared -cudart static $(LADDER_GENCODE) -o $@ $^ -Xlinker -Bsymbolic,--exclude-libs,ALL,-s

$(LADDER_OBJECTS): obj/ladder_kernels/%.o: $(LADDER_SOURCES) $(LADDER_HEADERS)
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(LADDER_$*) > $(@:.o=.cu)
	$(LADDER_COMPILE) -I$(LADDER) -o $@ $(@:.o=.cu)

obj/ladder_kernels/cublas_load.o: $(LADDER)/cublas_load.c ../kernels/common/library.h
	@mkdir -p $(@D)
	$(CC) $(CUDA_HOST_FLAGS) -c -o $@ $<
