# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gpureduce_cuda.so: one object a .cu, so that make -j builds them side by side.
# From configure: NVCC (with -ccbin where needed), CUDA_GENCODE,
# CUDA_ARCHITECTURES, CC, OPENMP_FLAGS; from Makefile: NVCC_COMMON.

ENGINE = ../kernels/engine
# The long ones first.
CUDA_KERNELS = fold_sum fold_place fold_native fold_prod fold_truth fold_sumsq fold_extreme count tally pair scan scatter order fold_moments fold_norm
CUDA_KERNEL_OBJECTS = $(CUDA_KERNELS:%=cuda_kernels_%.o)
CUDA_HOST_OBJECTS = cuda_backend.o cuda_device.o cuda_memory.o cuda_stream.o cuda_fold.o cuda_count.o cuda_tally.o cuda_pair.o cuda_scan.o cuda_scatter.o cuda_order.o \
  cuda_ladder.o

# The toolkit's headers, as nvcc itself finds them, quoted.
CUDA_INC ?= $(shell $(NVCC) --dryrun -c -x cu /dev/null -o /dev/null 2>&1 | sed -n 's/^\#\$$ INCLUDES=//p')

NVCC_FLAGS = $(NVCC_COMMON) -Xfatbin -compress-all $(CUDA_GENCODE)
CUDA_HOST_FLAGS = -std=gnu11 -O2 -ffp-contract=off -Wall -Wextra -fPIC -fvisibility=hidden $(OPENMP_FLAGS) $(CFLAGS) $(CUDA_INC) \
  -DGPR_CUDA_ARCHITECTURES='"$(CUDA_ARCHITECTURES)"'

gpureduce_cuda.so: $(CUDA_KERNEL_OBJECTS) $(CUDA_HOST_OBJECTS)
	$(NVCC) -shared -cudart static $(CUDA_GENCODE) -o $@ $^ $(if $(OPENMP_FLAGS),-Xcompiler $(OPENMP_FLAGS)) \
	  -Xlinker -Bsymbolic,--exclude-libs,ALL,-s

$(CUDA_KERNEL_OBJECTS): cuda_kernels_%.o: $(ENGINE)/%.cu $(wildcard $(ENGINE)/*.h $(ENGINE)/*.cuh ../kernels/*.h)
	$(NVCC) $(NVCC_FLAGS) -c -o $@ $<

$(CUDA_HOST_OBJECTS): %.o: %.c $(wildcard cuda*.h gpr.h ladder_load.h split.h variant.h $(ENGINE)/*.h ../kernels/*.h ../kernels/ladder/check.h ../kernels/ladder/variant.h)
	$(CC) $(CUDA_HOST_FLAGS) -c -o $@ $<
