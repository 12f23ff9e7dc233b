/* gpureduce below the gateway: plain C, no mxArray, no Octave.

   Nothing here prints, exits or throws.  Functions return a gpr_status; on
   failure gpr_message () says why, with sizes and what to do.  */

#ifndef GPR_H
#define GPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../kernels/common/bins.h"
#include "../../kernels/common/tree.h"
#include "../../kernels/ops/instances.h"
#include "../../kernels/ops/pair.h"

#define GPR_VERSION "0.1.0"

typedef enum {
  GPR_OK = 0,
  GPR_BAD_INPUT,        /* gpureduce:invalid-input */
  GPR_OUT_OF_MEMORY,    /* gpureduce:out-of-memory */
  GPR_NO_DEVICE,        /* gpureduce:no-device */
  GPR_DEVICE_LOST,      /* gpureduce:device-lost */
  GPR_UNSUPPORTED,      /* gpureduce:unsupported; of gpuArrays: Octave does it on the host */
  GPR_CUDA_FAILED,      /* gpureduce:cuda-error */
  GPR_INTERRUPTED,      /* gpureduce:interrupted */
  GPR_CANNOT_WRITE,     /* gpureduce:cannot-write */
  GPR_COMM_FAILED,      /* gpureduce:comm-failed: a rank does not answer, or has failed */
  GPR_CANNOT_READ       /* gpureduce:cannot-read: a file, or a function that brings pieces */
} gpr_status;

/* The last failure's text, of this thread; gpr_fail sets it and returns its status.  */
const char *gpr_message (void);
const char *gpr_status_name (gpr_status status);        /* identifier of its error */
gpr_status gpr_fail (gpr_status status, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* Above zero when the user pressed Ctrl-C: long work stops at the next part or
   chunk, releases everything and returns GPR_INTERRUPTED.  The gateway points
   it to Octave's flag; tests may point it elsewhere.  */
extern volatile int *gpr_interrupt_flag;
static inline bool gpr_interrupted (void) { return *gpr_interrupt_flag > 0; }

/* ---- the table of instances at run time ------------------------------------ */

typedef struct {
  const char *name;
  enum gpr_elem elem;   /* of the input */
  int elem_bytes, acc_bytes, value_bytes;
  bool has_index;       /* GPR_HAS_INDEX */
  int traits;           /* of kernels/ops/traits.h */
} gpr_instance_info;
enum { GPR_ACC_BYTES = 96 };    /* acc_bytes at most */
extern const gpr_instance_info gpr_instances[GPR_INSTANCE_COUNT];
extern const int gpr_elem_bytes[GPR_ELEM_COUNT];

/* GPR_VALUES_OF_INDEXED: the instance that also gives the index of the value of this one, and
   the instance of the value alone; or GPR_INSTANCE_NONE.  */
enum gpr_instance gpr_instance_with_index (enum gpr_instance values);
enum gpr_instance gpr_instance_of_values (enum gpr_instance with_index);
/* That of a GPR_UNSCALED one.  */
enum gpr_instance gpr_instance_scaled (enum gpr_instance unscaled);

/* ---- one reduction ------------------------------------------------------ */

struct gpr_mapping;             /* map.h: elementwise expressions */

/* x[c + inner*(r + length*o)], reduced over r, gives value[c + inner*o].  length may be 0 (the
   identity's finish); inner and outer are at least 1.  Pointers are host memory, or memory
   of the backend that is called where resident says so.  */
typedef struct {
  enum gpr_instance instance;
  int64_t inner, length, outer;
  int64_t whole_outer;  /* this is a part of an array of so many outers, whose tree it has; 0: outer */
  int64_t whole_inner;  /* the same; 0: inner.  In host memory only */
  const void *x;
  bool x_resident;
  const struct gpr_mapping *terms;      /* its elements, without z, are reduced, if the backend has a kernel for that (fused); x is NULL; or NULL */
  bool fused;           /* out, of terms: done; else nothing is */
  const void *y;        /* lies as x does: conj (x) .* y is reduced (GPR_PRODUCTS reductions only); or NULL */
  double divisor;       /* of the result (means), as id_finish takes it; 0: none */
  void *value;          /* inner x outer values of the instance's result type */
  int64_t *index;       /* inner x outer 0-based indices, or NULL; only where the instance has one */
  bool out_resident;    /* of value and index */
  bool rows;            /* index gets doubles, rows from 1 as Octave has them; with out_resident only */
  bool apart;           /* of bounds, with out_resident only: value gets the least elements or the differences, most the greatest */
  void *most;           /* or NULL */
  bool exact;           /* a sum of floating-point numbers or products, rounded once (kernels/ops/exact.h); no divisor */
  bool needs_fixup;     /* out: some result may not be final */
} gpr_reduction;

/* The whole call: the backend's reduction, and then results that may not be final are fixed
   up from the inputs (NA, overflow inside the tree, signs of zeros): fixup.c.  */
struct gpr_backend;
gpr_status gpr_reduce (const struct gpr_backend *b, gpr_reduction *r);

/* Bounds that may not be final, by the indices of both: bounds.c.  */
gpr_status gpr_fix_up_bounds (const struct gpr_backend *b, gpr_reduction *r);
/* Settles what can be of a product's results in doubt: the CPU does (cpu/products.c).  True: others are left, open[i], or
   (interrupted) anything.  */
bool gpr_settle_products (const gpr_reduction *r, void *values, bool *open);

/* One output in the built-in's own order, of host memory, elements stride apart: plain.c.  */
void gpr_plain (enum gpr_instance instance, const void *x, int64_t stride, int64_t n, double divisor, void *value);
/* The same in pieces: take as many as there are, one after the other.  */
void gpr_plain_begin (enum gpr_instance instance, void *acc);         /* acc: GPR_ACC_BYTES, aligned to 16 */
void gpr_plain_take (enum gpr_instance instance, void *acc, const void *x, int64_t stride, int64_t n);
void gpr_plain_finish (enum gpr_instance instance, const void *acc, double divisor, void *value);

/* ---- one counting ------------------------------------------------------- */

/* As gpr_reduction: x[c + inner*(r + length*o)] is counted into
   counts[c + inner*(k + bins*o)].
   NaN counts nowhere.  Arithmetic and comparisons are in double, or in single
   where single_precision is set (edges then hold floats).  edges are sorted,
   host memory.  bin_of, where not NULL, gets the 1-based bin of each element, 0
   for none (size of x, double).  */
typedef struct {
  enum gpr_elem elem;   /* real ones only */
  int64_t inner, length, outer;
  const void *x;
  bool x_resident;
  const struct gpr_mapping *terms;      /* as in gpr_reduction, with: */
  bool fused;
  gpr_bin_rule rule;
  bool single_precision;
  int64_t bins;
  const void *edges;
  double origin, step;
  double *counts;       /* host memory, or the backend's where out_resident */
  double *bin_of;
  bool out_resident;
} gpr_counting;

/* ---- elementwise max, min, product, difference of two arrays ------------------------------- */

/* z = max (x, y) of one element type, conj (x) .* y or x - y; sizes broadcast.  dims has
   rank sizes of z; xs and ys the element strides of x and y per dimension (0
   broadcasts).  Integers saturate.  */
typedef struct {
  enum gpr_elem elem;
  gpr_pair_op op;
  int rank;
  const int64_t *dims, *xs, *ys;
  const void *x, *y;
  bool x_resident, y_resident;
  void *z;
  bool out_resident;
} gpr_pairing;

/* ---- an array of another class ---------------------------------------------------------- */

/* y[i] is x[i] as the other class has it (kernels/ops/convert.h): real elements, memory of the backend.  */
typedef struct {
  enum gpr_elem from, to;
  int64_t count;
  const void *x;
  void *y;
} gpr_conversion;

/* ---- backends: the same few entry points each ---------------------------- */

struct gpr_slices;              /* slices.h: reductions in stages and what reads their results */
struct gpr_complex_mapping;     /* complex.h: elementwise operations on complex arrays */
struct gpr_generation;          /* generate.h: ranges and random numbers */
struct gpr_scanning;            /* scan.h: cumulative sums, products, extremes */
struct gpr_scan_piece;          /* scan.h: some rows of them */
struct gpr_scattering;          /* scatter.h: accumarray */
struct gpr_ordering;            /* order.h: median, mode */
struct gpr_selection;           /* select.h: median, quantiles */
struct gpr_key_reading;         /* select.h: keys of a column that others have some rows of */
struct gpr_ranking;             /* select.h: the k greatest or least */
struct gpr_gathering;           /* lists.h: elements at listed positions */
struct gpr_finding;             /* lists.h: positions of those that are not 0 */
struct gpr_partial;             /* partial.h: subtrees of a reduction */
struct gpr_links;               /* links.h: bytes from the device of a rank to another's */
struct gpr_share;               /* share.h: some of a reduction, others do the rest */
struct gpr_linear;              /* solve.h: linear algebra */
struct gpr_fourier;             /* solve.h: Fourier transforms */

typedef struct gpr_backend {
  const char *name;     /* "cuda", "cpu" */
  bool on_device;       /* what allocate gives belongs to the device in use then */
  gpr_status (*reduce) (gpr_reduction *r);
  gpr_status (*exact) (gpr_reduction *r);         /* where r->exact is set; its results are final */
  /* Or NULL.  Not rounded: the long sum (kernels/ops/exact.h) of each output, of complex numbers of each part, settled, to host memory.  x is resident.  */
  gpr_status (*exact_totals) (const gpr_reduction *r, void *totals);
  gpr_status (*share) (struct gpr_share *s);      /* until nothing is left to take */
  /* Or NULL.  Work goes on meanwhile; where it has begun, it is to be ended, and its accumulators are there then, if they are wanted.
     GPR_OUT_OF_MEMORY of the first: perhaps there is enough for fewer parts at once.  */
  gpr_status (*partial_begin) (struct gpr_partial *p);
  gpr_status (*partial_end) (struct gpr_partial *p, bool wanted);
  gpr_status (*partial_results) (struct gpr_partial *p);  /* of all parts, which are at p->partials: those of p->r, in host memory or the device's (out_resident) */
  const struct gpr_links *links;                  /* or NULL */
  gpr_status (*count) (gpr_counting *c);
  gpr_status (*pair) (gpr_pairing *p);
  gpr_status (*map) (struct gpr_mapping *m);
  gpr_status (*slices) (struct gpr_slices *s);    /* or NULL: never done */
  bool (*slices_fit) (int64_t inner, int64_t length, int64_t outer);      /* whether reductions of such sizes shall wait for it */
  gpr_status (*complex) (struct gpr_complex_mapping *m);
  gpr_status (*convert) (gpr_conversion *p);
  gpr_status (*generate) (struct gpr_generation *g);
  gpr_status (*scan) (struct gpr_scanning *s);
  gpr_status (*scan_piece) (struct gpr_scan_piece *p);    /* or NULL */
  gpr_status (*scatter) (struct gpr_scattering *s);
  gpr_status (*order) (struct gpr_ordering *o);
  gpr_status (*select) (struct gpr_selection *s);
  gpr_status (*rank) (struct gpr_ranking *r);
  /* Or NULL, of all four.  A reading's memory: GPR_OUT_OF_MEMORY or GPR_UNSUPPORTED of the first, and another backend has to read.  */
  gpr_status (*keys_begin) (struct gpr_key_reading *k);
  /* Counts the next so many bits of the keys that begin with the prefix into table[0 … 2^digit - 1]; the least and the greatest of these keys, all
     ones and 0 where there is none.  */
  gpr_status (*keys_count) (struct gpr_key_reading *k, int digit, int64_t *table, uint64_t *least, uint64_t *greatest);
  /* These keys in any order, unless kept is NULL, and the least key above all of them, or all ones.  */
  gpr_status (*keys_keep) (struct gpr_key_reading *k, uint64_t *kept, uint64_t *above);
  void (*keys_end) (struct gpr_key_reading *k);
  gpr_status (*gather) (struct gpr_gathering *g);
  gpr_status (*find) (struct gpr_finding *f);
  gpr_status (*linear) (struct gpr_linear *p);    /* these two: NULL, or GPR_UNSUPPORTED where it is Octave's */
  gpr_status (*fourier) (struct gpr_fourier *p);
  gpr_status (*allocate) (void **p, size_t bytes);
  void (*release) (void *p);                      /* of allocate; NULL is fine */
  size_t (*room) (void);                          /* bytes that allocate can still give, about */
  gpr_status (*upload) (void *resident, const void *host, size_t bytes);
  gpr_status (*download) (void *host, const void *resident, size_t bytes);
  /* The elements of one output of a reduction of resident memory, one after the other; NULL: download does.  */
  gpr_status (*column) (const gpr_reduction *r, int64_t output, void *elements);
  /* The same of some rows, where all may be more than memory holds; or NULL.  */
  gpr_status (*rows) (const gpr_reduction *r, int64_t output, int64_t first, int64_t rows, void *elements);
  /* Milliseconds of the last reduction, count or pair on this backend.  */
  void (*times) (double *transfer_ms, double *kernel_ms);
} gpr_backend;

/* ---- settings (gpu_config) ------------------------------------------------ */

#define GPR_CACHE_SHARE ((size_t) -1)

typedef struct {
  int threads;            /* of the CPU backend; 0: OMP_NUM_THREADS or all allowed */
  size_t memory_limit;    /* bytes of device memory one call may take; 0: 512 MiB */
  size_t cache_limit;     /* idle device memory kept; default GPR_CACHE_SHARE: a quarter of a GPU's */
  bool interpret;         /* no kernel is compiled at run time */
  const char *kernel_folder;      /* where compiled kernels are kept; "": nowhere; NULL: not asked for yet (gpr_kernel_folder) */
  double comm_timeout;    /* seconds that a rank waits for the others */
  int in_place_threads;   /* so few bring host data to the GPU page-locked in place, not by a copy of theirs */
} gpr_settings;
extern gpr_settings gpr_config;
const char *gpr_kernel_folder (void);   /* the setting; first GPUREDUCE_KERNELS, else a folder of the user's folder for caches */

#endif
