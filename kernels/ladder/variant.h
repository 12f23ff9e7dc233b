/* A variant's descriptor: plain data, for C11 and CUDA C++.  Dispatch, gpu_variants,
   tests, benchmarks and the manual's chapter are all made from it.  */

#ifndef LADDER_VARIANT_H
#define LADDER_VARIANT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LADDER_FAMILY_REDUCE, LADDER_FAMILY_ARGMAX, LADDER_FAMILY_HISTOGRAM, LADDER_FAMILIES };
enum { LADDER_SUM, LADDER_MAX, LADDER_MIN, LADDER_PROD, LADDER_ARGMAX, LADDER_ARGMIN, LADDER_HISTOGRAM, LADDER_OPS };
enum { LADDER_DOUBLE, LADDER_SINGLE, LADDER_INT32, LADDER_UINT8, LADDER_TYPES };
enum { LADDER_TWO_PASS, LADDER_MULTI_LEVEL, LADDER_ATOMIC, LADDER_LAST_BLOCK, LADDER_GRID_SYNC, LADDER_FINISHES };
#define LADDER_ALL_FINISHES ((1u << LADDER_FINISHES) - 1)
enum { LADDER_BLOCKS = 6 };     /* 32, 64, … 1024 */
#define LADDER_ALL_BLOCKS ((1u << LADDER_BLOCKS) - 1)

/* reduce_args<Op> for every Op.  */
typedef struct { void *x; int64_t n; void *partial, *result; unsigned *ticket; int finish; double scale, bias; } ladder_reduce_args;

typedef struct ladder_variant {
  const char *name;
  const char *file;             /* the source, as compiled */
  int family;
  int rank;                     /* order in the ladder: 10, 20, …; the library's rows from 900, bugs from 1000 */
  const char *aliases;          /* "K2, V2, H3": names in the sources, separated by commas */
  const char *idea;             /* a clause: "stride halves in shared memory" */
  const char *lesson;           /* the one thing it teaches */
  const char *wrong;            /* what is still wrong with it, or "" */
  const char *source;           /* the text it is from */
  const char *fault;            /* of a bug_*: what the simulator must say: its kind of fault; else NULL */

  /* Geometry.  A grid covers n elements with per_thread a thread, or, with
     grid_stride, has as many blocks as the GPU runs at once (or fewer).  */
  int per_thread;               /* 1 */
  bool grid_stride;
  bool one_thread;              /* one block of one thread */
  bool in_place;                /* writes to x */
  unsigned finishes;            /* 1 << LADDER_…: which it can end with; default all */
  unsigned blocks;              /* 1 << log2 (block / 32) */
  int default_finish, default_block;
  int default_n;                /* elements that gpu_trace takes, so many that a bug shows; 0: 64 */

  /* Dynamic shared memory: values of Op::T a thread, a warp and in all; of a
     histogram, 32-bit counters a bin and a warp's bin.  */
  int shared_per_thread, shared_per_warp, shared_fixed, shared_per_bin, shared_per_warp_bin;

  /* A plain kernel, as plain.h describes it, takes arguments of its own: this puts their
     addresses, all of them in *a, into list.  NULL: it takes reduce_args.  */
  void (*plain) (ladder_reduce_args *a, void **list);
  int64_t most;                 /* elements that its length can tell; 0: any number */
  bool whole;                   /* it takes no length: only whole tiles of block * per_thread */
  int block_y, block_z;         /* of a block's threads, so many in y and z; 1 */

  bool packed;                  /* argmax: the result is a 64-bit key (ladder_key_…) */
  int needs_major;              /* compute capability, e.g. 8; 0: any */

  /* A variant that maps before it reduces: it reduces scale * x + bias, both
     whole numbers (1 and 0), which the kernel finds in its arguments.  */
  double scale, bias;
  /* NULL, or the name and the kernels of a launch before the variant's own, over the
     same grid and with the same arguments: it leaves in x what is then reduced.  */
  const struct ladder_variant *first;

  const void *kernel[LADDER_OPS][LADDER_TYPES][LADDER_BLOCKS];  /* NULL: not that class or operator */

  /* A library's row, else NULL: it launches kernels of its own.  v is the row, args is
     ladder_reduce_args or ladder_histogram_args, the result is where a kernel
     would leave it.  With scratch NULL it only sets *scratch_bytes.  Returns a
     cudaError_t.  kernel[op][type][…] is then any address but NULL where the row
     has that class and operator.  */
  int (*host) (const struct ladder_variant *v, int op, int type, const void *args, void *scratch, size_t *scratch_bytes, void *stream);
} ladder_variant;

/* histogram_args<X> for every X.  */
typedef struct { const void *x; int64_t n; unsigned long long *counts; int bins; const double *edges; double lo, scale; } ladder_histogram_args;
/* Of the second pass: n partial results, of slices of so many elements (indices
   are within a slice; 0: they are not).  */
typedef struct { void *partial; int64_t n; void *result; int64_t slice; } ladder_second_pass_args;

/* Differs where a module and a launcher of it are not of one version.  */
#define LADDER_ABI \
  ((int) (2000000 + 10000 * sizeof (ladder_reduce_args) + 100 * sizeof (ladder_histogram_args) + sizeof (ladder_variant)))

/* What a module of variants exports: gpureduce_ladder.so for the GPU, the
   simulator, and a user's own.  */
#ifdef __cplusplus
extern "C" {
#endif
int ladder_count (void);
const ladder_variant *ladder_at (int i);        /* by rank */
#ifdef __cplusplus
}

template <int Bytes> struct ladder_word;
template <> struct ladder_word<4> { typedef unsigned type; };
template <> struct ladder_word<8> { typedef unsigned long long type; };

struct ladder_registration
{
  ladder_variant variant;
  ladder_registration *next;
  ladder_registration (const char *name, const char *file, void (*describe) (ladder_variant &));
};
#endif

/* A 64-bit key of a 32-bit value and its index below 2^32 - 1, whose largest is
   the first of the largest elements (smallest: of the smallest), a NaN only where
   there is nothing else.  0 is no element's key.  */
#ifdef __CUDACC__
#  define LADDER_FN static __host__ __device__ __forceinline__
#else
#  define LADDER_FN static inline __attribute__ ((unused))
#endif
LADDER_FN uint64_t ladder_key_of (uint32_t order, bool smallest, uint64_t i)
{
  return (uint64_t) (smallest ? ~order : order) << 32 | (uint32_t) ~i;
}
LADDER_FN uint64_t ladder_key_from_int (int32_t x, uint64_t i, bool smallest)
{
  return ladder_key_of ((uint32_t) x ^ 0x80000000u, smallest, i);
}
/* The bits of a float, negative ones inverted, grow with it; all are above 0 and
   below ~0, so NaN has 0.  */
LADDER_FN uint64_t ladder_key_from_float (float x, uint64_t i, bool smallest)
{
  union { float f; uint32_t u; } w;
  w.f = x == 0 ? 0 : x;         /* -0 equals 0 */
  if (x != x)
    return ladder_key_of (0, false, i);
  return ladder_key_of (w.u >> 31 ? ~w.u : w.u | 0x80000000u, smallest, i);
}
LADDER_FN uint64_t ladder_key_index (uint64_t key)
{
  return (uint32_t) ~key;
}

#ifdef __cplusplus
/* scale * x + bias.  Of floats in one operation, rounded once: a compiler may fuse the
   two or not, and CPU and GPU would differ.  Of int32 in 32 bits, as sums are.  */
LADDER_FN double ladder_scaled (double x, double scale, double bias) { return fma (scale, x, bias); }
LADDER_FN float ladder_scaled (float x, double scale, double bias) { return fmaf ((float) scale, x, (float) bias); }
LADDER_FN int32_t ladder_scaled (int32_t x, double scale, double bias)
{
  return (int32_t) ((uint32_t) (int32_t) scale * (uint32_t) x + (uint32_t) (int32_t) bias);
}
#endif

#endif
