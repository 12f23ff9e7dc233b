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
                            $(lastword $(patsubst sm_%,%, $(filter sm_%, $(CUDA_ARCHITECTURES)))))
LADDER_GENCODE = -gencode arch=compute_$(LADDER_ARCHITECTURE),code=sm_$(LADDER_ARCHITECTURE) \
  -gencode arch=compute_$(LADDER_ARCHITECTURE),code=compute_$(LADDER_ARCHITECTURE)

# The headers' folder of a cuBLAS that has what cublas.cu calls, or nothing.
CUBLAS_INC := $(shell for i in $(patsubst -I%,%, $(subst "-I,", $(CUDA_INC))); do \
  if grep -qs cublasSasum_v2_64 "$$i/cublas_api.h"; then echo "$$i"; break; fi; done)
LADDER_SOURCES := $(filter-out $(if $(CUBLAS_INC),, $(LADDER)/cublas.cu), $(wildcard $(LADDER)/*.cu))
# The libraries' own templates take long, and lie in objects of their own.  What most time
# goes into of the other files is the toolkit's headers: they are compiled in one go.
LADDER_LIBRARIES := $(filter thrust cub cub_argmax cub_histogram cub_block cub_warp, $(notdir $(LADDER_SOURCES:.cu=)))
LADDER_VARIANTS := $(filter-out $(LADDER_LIBRARIES:%=%.cu), $(notdir $(LADDER_SOURCES)))
# The long ones first.
LADDER_OBJECTS = $(patsubst %, obj/ladder_kernels/%.o, $(filter thrust, $(LADDER_LIBRARIES)) variants $(filter-out thrust, $(LADDER_LIBRARIES)))
LADDER_HEADERS = $(wildcard $(LADDER)/*.h ../kernels/common/*.h ../kernels/ops/*.h)
LADDER_COMPILE = $(NVCC) $(filter-out $(CUDA_GENCODE), $(NVCC_FLAGS)) $(LADDER_GENCODE) -c

gpureduce_ladder.so: $(LADDER_OBJECTS) $(if $(CUBLAS_INC), obj/ladder_kernels/cublas_load.o)
	$(NVCC) -shared -cudart static $(LADDER_GENCODE) -o $@ $^ -Xlinker -Bsymbolic,--exclude-libs,ALL,-s

$(LADDER_LIBRARIES:%=obj/ladder_kernels/%.o): obj/ladder_kernels/%.o: $(LADDER)/%.cu $(LADDER_HEADERS)
	@mkdir -p $(@D)
	$(LADDER_COMPILE) -o $@ $<

obj/ladder_kernels/variants.o: $(LADDER_VARIANTS:%=$(LADDER)/%) $(LADDER_HEADERS)
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(LADDER_VARIANTS) > $(@:.o=.cu)
	$(LADDER_COMPILE) -I$(LADDER) -o $@ $(@:.o=.cu)

obj/ladder_kernels/cublas_load.o: $(LADDER)/cublas_load.c
	@mkdir -p $(@D)
	$(CC) $(CUDA_HOST_FLAGS) -DGPR_CUBLAS_FOLDER='"$(CUBLAS_INC:%/include=%/lib)"' -c -o $@ $<
