/* What medians, quantiles and the k greatest have in common: columns of a chunk, as the kernels take them.  */

#ifndef GPR_CUDA_SELECT_ARGS_H
#define GPR_CUDA_SELECT_ARGS_H

#include "stream.h"
#include "../../kernels/engine/select.h"

enum { GPR_SELECT_SHARED = 48 << 10 };  /* what a block has without asking */

static inline gpr_select_divider
gpr_select_divide (int64_t d)
{
  uint32_t log = 0;
  while ((int64_t) 1 << log < d)
    log++;
  return (gpr_select_divider) { (uint32_t) ((((uint64_t) 1 << (31 + log)) + d - 1) / d), 31 + log };
}

/* How keys are made of elements.  */
static inline void
gpr_select_keys (gpr_select_args *a, enum gpr_elem e)
{
  const bool floating = e == GPR_f64 || e == GPR_f32;
  const bool is_signed = e == GPR_i8 || e == GPR_i16 || e == GPR_i32 || e == GPR_i64;

  a->elem = e;
  a->bytes = (int) gpr_bytes_of (e);
  a->flip = floating || is_signed ? (uint64_t) 1 << (8 * a->bytes - 1) : 0;
  a->floating = floating;
  a->signs = floating ? 0xBBBB : 0x4444;
  a->infinite = e == GPR_f64 ? 0x7FF0000000000000u : e == GPR_f32 ? 0x7F800000u : ~(uint64_t) 0;
}

/* A block's columns in shared memory, at most so many: whole outers where these are small, else columns side by side.  */
static inline void
gpr_select_group (gpr_select_args *a, int64_t most)
{
  const bool dense = a->row_stride == a->inner && a->outer_stride == a->inner * a->length;

  most = gpr_max64 (1, most);
  a->slab = dense && a->inner <= most && a->inner <= 32;
  a->group = (int) (a->slab ? most / a->inner * a->inner : gpr_min64 (most, a->inner * a->outers));
  if (a->slab)
    {
      a->by_slab = gpr_select_divide (a->inner * a->length);
      a->by_inner = gpr_select_divide (a->inner);
    }
  a->by_length = gpr_select_divide (a->length);
  a->by_group = gpr_select_divide (a->group);
  a->by_pitch = gpr_select_divide (a->pitch);
}

/* Threads of a block that selects from keys of so many bytes: small blocks, of which a multiprocessor has room for more.  */
static inline int
gpr_select_threads (int64_t bytes)
{
  return bytes <= 16 << 10 ? GPR_SELECT_THREADS / 4 : bytes <= 50 << 10 ? GPR_SELECT_THREADS / 2 : GPR_SELECT_THREADS;
}

static inline gpr_status
gpr_select_launch (gpr_cuda_state *s, gpr_select_kernel which, int64_t blocks, int threads, size_t shared, const gpr_select_args *a)
{
  const void *kernel = gpr_engine_select (which, a);
  if (shared + GPR_SELECT_STATIC > GPR_SELECT_SHARED)
    GPR_CUDA_TRY (cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared), "asking for shared memory");
  return gpr_cuda_launch (s, kernel, blocks, threads, shared, a);
}

#endif
