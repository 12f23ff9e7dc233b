# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gpureduce_cuda.so: one object a .cu, so that make -j builds them side by side.
# From configure: NVCC (with -ccbin where needed), CUDA_GENCODE,
# CUDA_ARCHITECTURES, CC, OPENMP_FLAGS; from Makefile: NVCC_COMMON.

ENGINE = ../kernels/engine
# The long ones first.
CUDA_LONG = reduce_sum scan select_held select reduce_logical reduce_norm reduce_sumsq reduce_prod exact_sum reduce_extreme mode scatter_few sort \
  reduce_bounds reduce_arg histogram reduce_moments reduce_native scatter
CUDA_KERNELS := $(CUDA_LONG) $(filter-out $(CUDA_LONG), $(basename $(notdir $(wildcard $(ENGINE)/*.cu))))
CUDA_KERNEL_OBJECTS = $(CUDA_KERNELS:%=obj/engine/%.o)
CUDA_SOURCES = $(wildcard cuda/*.c)
CUDA_HOST_OBJECTS = $(CUDA_SOURCES:%.c=obj/%.o) obj/cuda/packed.o
CUDA_HEADERS = $(wildcard cuda/*.h core/*.h $(ENGINE)/*.h ../kernels/common/*.h ../kernels/ops/*.h ../kernels/ladder/check.h ../kernels/ladder/variant.h)
ENGINE_HEADERS = $(wildcard $(ENGINE)/*.h $(ENGINE)/*.cuh $(ENGINE)/*/*.cuh ../kernels/common/*.h ../kernels/ops/*.h)

# The toolkit's headers, as nvcc itself finds them, quoted.
CUDA_INC ?= $(shell $(NVCC) --dryrun -c -x cu /dev/null -o /dev/null 2>&1 | sed -n 's/^\#\$$ INCLUDES=//p')
# Where the toolkit is whose headers of cuBLAS, cuSOLVER and cuFFT these are; what they declare is found at run time.
CUDA_FOLDER := $(shell for i in $(patsubst -I%,%, $(subst "-I,", $(CUDA_INC))); do \
  if [ -f "$$i/cublas_v2.h" ]; then echo "$${i%/include}"; break; fi; done)

NVCC_FLAGS = $(NVCC_COMMON) -Xfatbin -compress-all $(CUDA_GENCODE)
CUDA_HOST_FLAGS = -std=gnu11 -O2 -ffp-contract=off -Wall -Wextra -Werror=implicit-function-declaration -fPIC -fvisibility=hidden $(OPENMP_FLAGS) $(CFLAGS) $(CUDA_INC) \
  -DGPR_CUDA_ARCHITECTURES='"$(CUDA_ARCHITECTURES)"' -DGPR_CUDA_FOLDER='"$(CUDA_FOLDER)"'

gpureduce_cuda.so: $(CUDA_KERNEL_OBJECTS) $(CUDA_HOST_OBJECTS)
	$(NVCC) -shared -cudart static $(CUDA_GENCODE) -o $@ $^ $(if $(OPENMP_FLAGS),-Xcompiler $(OPENMP_FLAGS)) \
	  -Xlinker -Bsymbolic,-z,defs,--exclude-libs,ALL,-s

# What includes a header that has changed, or of which that is not known, is compiled again.
$(CUDA_KERNEL_OBJECTS): obj/engine/%.o: $(ENGINE)/%.cu
	@mkdir -p $(@D)
	$(NVCC) $(NVCC_FLAGS) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<
-include $(CUDA_KERNEL_OBJECTS:.o=.d)
$(foreach object, $(CUDA_KERNEL_OBJECTS), $(if $(wildcard $(object:.o=.d)),, $(object))): $(ENGINE_HEADERS)

# What NVRTC compiles expressions with.
obj/cuda/packed.c: pack-kernels $(ENGINE_HEADERS)
	@mkdir -p $(@D)
	{ $(foreach name, map reduce histogram scan slices, ./pack-kernels $(name) $(ENGINE)/compiled/prelude.cuh $(ENGINE)/compiled/$(name).cuh &&) :; } > $@ || { rm -f $@; exit 1; }
obj/cuda/packed.o: obj/cuda/packed.c
	$(CC) -c -o $@ $<

$(CUDA_SOURCES:%.c=obj/%.o): obj/%.o: %.c $(CUDA_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CUDA_HOST_FLAGS) -c -o $@ $<
