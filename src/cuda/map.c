/* Elementwise expressions of arrays on the device: what the kernel is told.  */

#include <math.h>
#include <string.h>

#include "compile.h"
#include "problems.h"
#include "stream.h"
#include "../core/map.h"
#include "../../kernels/engine/map.h"

static gpr_map_lie
lie (const gpr_map_args *a, int l)
{
  int64_t step = 1;
  bool scalar = true, same = true;

  for (int d = 0; d < a->rank; d++)
    {
      scalar = scalar && a->strides[l][d] == 0;
      same = same && a->strides[l][d] == step;
      step *= a->dims[d];
    }
  return scalar ? GPR_MAP_SCALAR : same ? GPR_MAP_VECTORS : GPR_MAP_STRIDED;
}

static bool
is_aligned (const void *p, int64_t bytes)
{
  return (uintptr_t) p % (uintptr_t) bytes == 0;
}

/* Vectors of four elements or of two, as long as 16 bytes at most.  */
static void
plan_vectors (const gpr_mapping *m, gpr_map_args *a)
{
  a->fours = a->z_elem != GPR_f64;
  for (int l = 0; l < m->leaves; l++)
    {
      a->lies[l] = lie (a, l);
      a->fours = a->fours && ! (a->lies[l] == GPR_MAP_VECTORS && a->elems[l] == GPR_f64);
    }
  const int each = a->fours ? 4 : 2;
  a->z_vectors = ! m->placed && is_aligned (m->z, each * gpr_bytes_of (a->z_elem));
  for (int l = 0; l < m->leaves; l++)
    if (a->lies[l] == GPR_MAP_VECTORS && ! is_aligned (m->x[l], each * gpr_bytes_of (a->elems[l])))
      a->lies[l] = GPR_MAP_STRIDED;
}

/* i * magic >> 32 >> shift is i / d, of d above 1 and every i of 31 bits: magic is 2^(32 + shift) / d, rounded up by less than 1, of
   which i takes less than 2^(32 + shift) / d.  */
void
gpr_cuda_plan_quotient (int64_t d, uint32_t *magic, uint32_t *shift)
{
  int log2 = 1;
  while ((int64_t) 1 << log2 < d)
    log2++;
  *shift = (uint32_t) log2 - 1;
  *magic = (uint32_t) ((((uint64_t) 1 << (31 + log2)) + (uint64_t) d - 1) / (uint64_t) d);
}

static void
plan_step (gpr_map_step *step)
{
  if (gpr_map_is_square (step))
    {
      step->op = GPR_MAP_times;
      step->operand = GPR_MAP_SELF;
    }
}

/* ---- integers of up to 16 bits ------------------------------------------------------------

   Their sums, differences, products, squares and quotients, by each other or by whole numbers, are narrowed at once.  In single precision too they are exact, or so
   large that they saturate, or a quotient on the same side of what is halfway between whole numbers: it is not nearer to that than
   1 / (2 * 65536) unless it is that.  And the kernel of singles is twice as fast, even more where it is compiled and there is nothing to round.  */

static bool
is_small_class (gpr_class c)
{
  return c == GPR_CLASS_int8 || c == GPR_CLASS_uint8 || c == GPR_CLASS_int16 || c == GPR_CLASS_uint16 || c == GPR_CLASS_logical || c == GPR_CLASS_char;
}

/* What a step leaves: of small numbers one that is to be narrowed, whole or with a fraction, or a small one; or what only doubles do.  */
typedef enum { LARGE, WHOLE, FRACTION, SMALL } size_of_step;

static size_of_step
size_of (const gpr_map_step *step)
{
  switch (step->op)
    {
    case GPR_MAP_plus: case GPR_MAP_minus: case GPR_MAP_times: case GPR_MAP_uminus: case GPR_MAP_abs:
      return WHOLE;
    case GPR_MAP_rdivide:
      return FRACTION;
    case GPR_MAP_power:
      return gpr_map_is_square (step) ? WHOLE : LARGE;
    case GPR_MAP_load: case GPR_MAP_save: case GPR_MAP_eq: case GPR_MAP_ne: case GPR_MAP_lt: case GPR_MAP_le: case GPR_MAP_gt: case GPR_MAP_ge:
    case GPR_MAP_and: case GPR_MAP_or: case GPR_MAP_xor: case GPR_MAP_not: case GPR_MAP_max: case GPR_MAP_min: case GPR_MAP_sign:
    case GPR_MAP_bitand: case GPR_MAP_bitor: case GPR_MAP_bitxor:
      return SMALL;
    default:
      return LARGE;
    }
}

static bool
narrows (const gpr_map_step *step)
{
  return step->op == GPR_MAP_to_int8 || step->op == GPR_MAP_to_uint8 || step->op == GPR_MAP_to_int16 || step->op == GPR_MAP_to_uint16;
}

/* True: single[k] says how step k is single.  */
static bool
singles_do (const gpr_mapping *m, uint8_t *single)
{
  size_of_step size = SMALL;

  for (int l = 0; l < m->leaves; l++)
    if (! is_small_class (m->classes[l]))
      return false;
  for (int k = 0; k < m->steps; k++)
    {
      const gpr_map_step *step = &m->step[k];
      single[k] = GPR_MAP_SINGLE;
      if (narrows (step))
        {
          single[k] = size == FRACTION ? GPR_MAP_SINGLE : GPR_MAP_SINGLE_OF_WHOLE;
          size = SMALL;
        }
      else if (size == SMALL)
        size = size_of (step);
      else
        return false;
      if (size == LARGE || (step->operand == GPR_MAP_NUMBER && ! (fabs (step->number) <= 65536 && step->number == floor (step->number))))
        return false;
    }
  return size == SMALL;
}

/* 1 > x is x < 1.  */
static gpr_map_quick_step
plan_quick (const gpr_map_step *step)
{
  static const uint8_t one_way[GPR_MAP_OP_COUNT] = {
#define ONE_WAY(name) [GPR_MAP_##name] = GPR_MAP_QUICK_##name,
    GPR_MAP_SHORT_BINARY (ONE_WAY) GPR_MAP_SHORT_UNARY (ONE_WAY) [GPR_MAP_sqrt] = GPR_MAP_QUICK_sqrt
  };
  static const uint8_t other_way[GPR_MAP_OP_COUNT] = {
#define OTHER_WAY(name) [GPR_MAP_##name] = GPR_MAP_QUICK_TURNED_##name,
    GPR_MAP_SHORT_TURNED (OTHER_WAY)
    [GPR_MAP_plus] = GPR_MAP_QUICK_plus, [GPR_MAP_times] = GPR_MAP_QUICK_times, [GPR_MAP_eq] = GPR_MAP_QUICK_eq, [GPR_MAP_ne] = GPR_MAP_QUICK_ne,
    [GPR_MAP_lt] = GPR_MAP_QUICK_gt, [GPR_MAP_gt] = GPR_MAP_QUICK_lt, [GPR_MAP_le] = GPR_MAP_QUICK_ge, [GPR_MAP_ge] = GPR_MAP_QUICK_le,
    [GPR_MAP_and] = GPR_MAP_QUICK_and, [GPR_MAP_or] = GPR_MAP_QUICK_or, [GPR_MAP_xor] = GPR_MAP_QUICK_xor
  };
  const bool two = gpr_map_takes_two (step->op);
  gpr_map_quick_step q = { .at = (uint8_t) step->at, .call = step->op, .turned = two && step->turned, .number = step->number };

  if (step->op == GPR_MAP_save)
    q.from = GPR_MAP_TO_SLOT;
  else if (step->op == GPR_MAP_load || two)
    q.from = step->operand == GPR_MAP_LEAF ? GPR_MAP_FROM_LEAF : step->operand == GPR_MAP_NUMBER ? GPR_MAP_FROM_NUMBER
             : step->operand == GPR_MAP_SELF ? GPR_MAP_FROM_SELF : GPR_MAP_FROM_SLOT;
  q.op = step->op == GPR_MAP_load ? GPR_MAP_QUICK_load : q.turned ? other_way[step->op] : one_way[step->op];
  if (q.op == GPR_MAP_QUICK_call && (q.from == GPR_MAP_FROM_NONE || q.from == GPR_MAP_FROM_NUMBER))
    q.from = GPR_MAP_FROM_CALL;
  return q;
}

/* Whether 31 bits count the elements and hold their offsets in every array.  */
static bool
is_narrow (const gpr_map_args *a, int leaves)
{
  bool narrow = a->count <= INT32_MAX;
  for (int l = 0; l <= GPR_MAP_LEAVES && narrow; l++)
    if (l < leaves || (l == GPR_MAP_LEAVES && a->placed))
      {
        int64_t reach = 0;
        for (int d = 0; d < a->rank; d++)
          reach += (a->dims[d] - 1) * (a->strides[l][d] < 0 ? -a->strides[l][d] : a->strides[l][d]);
        narrow = reach <= INT32_MAX;
      }
  return narrow;
}

/* What reads the bits of a NaN is none of the quick kernels', and few elements are spread over more blocks by map_k.
   *shared: bytes of a block's slots.  */
static gpr_map_kernel
choose_kernel (const gpr_map_args *a, int processors, size_t *shared)
{
  bool singles = a->fours, doubles = true, reads_nan = false;
  int slots = 0;

  for (int k = 0; k < a->steps; k++)
    {
      const gpr_map_step *step = &a->step[k];
      singles = singles && step->single;
      doubles = doubles && ! step->single;
      reads_nan = reads_nan || step->op == GPR_MAP_isna || step->op == GPR_MAP_signbit;
      if (step->op == GPR_MAP_save && step->at >= slots)
        slots = step->at + 1;
    }
  const int each = singles ? GPR_MAP_EACH_SINGLE : GPR_MAP_EACH_DOUBLE;
  *shared = 0;
  if (! (singles || doubles) || reads_nan || ! a->narrow || slots > GPR_MAP_QUICK_SLOTS
      || a->count < (int64_t) 2 * processors * GPR_MAP_THREADS * each)
    return GPR_MAP_ANY;
  *shared = (size_t) slots * each * GPR_MAP_THREADS * (singles ? sizeof (float) : sizeof (double));
  return singles ? GPR_MAP_SINGLES : GPR_MAP_DOUBLES;
}

/* New blocks suit an operation of doubles that waits for memory alone; with more of them, or a function's call, blocks that loop lose less between
   two tiles: six steps of 2e8 singles take 0.71 ms on an H100, 0.76 with new blocks (bench/results/elementwise-h100.md).  */
static bool
is_light (const gpr_map_args *a, gpr_map_kernel kernel)
{
  for (int k = 0; k < a->steps; k++)
    if (a->quick[k].from == GPR_MAP_FROM_CALL || a->quick[k].op == GPR_MAP_QUICK_call)
      return false;
  return a->steps <= 3 && kernel != GPR_MAP_SINGLES;
}

static gpr_status
begin (gpr_cuda_state *s, gpr_cuda_slot **slot)
{
  *(volatile int *) s->needs_fixup = 0;
  GPR_TRY (gpr_cuda_next_slot (s, slot));
  return gpr_cuda_begin_work (s, *slot);
}

static gpr_status
end (gpr_cuda_state *s, gpr_cuda_slot *slot, gpr_mapping *m)
{
  GPR_TRY (gpr_cuda_end_work (s, slot));
  GPR_TRY (gpr_cuda_drain (s));
  m->left = *(volatile int *) s->needs_fixup != 0;
  return GPR_OK;
}

/* Bytes of shared memory that nobody uses: with it four blocks are on a multiprocessor.  They read and wrote more a second than eight where threads have several vectors;
   that was measured while threads still wrote to local memory (doc/experiments.md), and not again.  */
enum { COMPILED_SHARED = 48 << 10 };

static gpr_status
run_compiled (gpr_cuda_state *s, gpr_mapping *m, const gpr_map_args *a, gpr_cuda_function *kernel, const gpr_source_key *key)
{
  gpr_compiled_map_args args = { .count = a->count, .z = a->z, .left = a->left };
  gpr_cuda_slot *slot;

  gpr_source_terms (&args.terms, a, m->leaves);
  GPR_TRY (begin (s, &slot));
  GPR_TRY (gpr_cuda_launch_compiled (s, kernel, gpr_cuda_element_blocks (s, gpr_over (a->count, GPR_MAP_THREADS * key->each)), GPR_MAP_THREADS,
                                     gpr_source_streams (key) ? 0 : COMPILED_SHARED, &args));
  return end (s, slot, m);
}

_Static_assert ((int) GPR_MAP_RANK == (int) GPR_MAX_DIMS, "dims and strides are copied");
void
gpr_cuda_plan_map (gpr_map_args *a, const gpr_mapping *m)
{
  gpr_mapping joined = *m;

  *a = (gpr_map_args) { .z = m->z, .z_elem = gpr_elem_of_class (m->class), .steps = m->steps };
  a->count = gpr_map_join (&joined);
  a->rank = joined.rank;
  a->placed = joined.placed;
  memcpy (a->dims, joined.dims, sizeof a->dims);
  memcpy (a->strides, joined.strides, sizeof a->strides);
  a->narrow = is_narrow (a, m->leaves);
  for (int l = 0; l < m->leaves; l++)
    {
      a->x[l] = m->x[l];
      a->elems[l] = gpr_elem_of_class (m->classes[l]);
    }
  plan_vectors (m, a);
  memcpy (a->step, m->step, m->steps * sizeof *m->step);
  uint8_t single[GPR_MAP_STEPS];
  const bool singles = singles_do (m, single);
  for (int k = 0; k < a->steps; k++)
    {
      if (singles)
        a->step[k].single = single[k];
      plan_step (&a->step[k]);
    }
  for (int d = 0; d < a->rank - 1 && a->narrow; d++)
    gpr_cuda_plan_quotient (a->dims[d], &a->magic[d], &a->shift[d]);
}

/* What a kernel of its own knows of leaves that have one element for each column.  */
static void
plan_columns (gpr_source_key *key, const gpr_map_args *a)
{
  for (int l = 0; l < key->leaves; l++)
    if (a->lies[l] == GPR_MAP_STRIDED && a->rank == 2 && a->strides[l][0] == 0 && a->dims[0] >= (a->fours ? 4 : 2))
      key->lies[l] = GPR_MAP_BY_COLUMN;
}

gpr_status
gpr_cuda_map (gpr_cuda_state *s, gpr_mapping *m)
{
  gpr_map_args a;
  gpr_cuda_slot *slot;
  size_t shared;

  m->left = false;
  gpr_cuda_plan_map (&a, m);
  if (a.count == 0)
    return GPR_OK;
  a.left = s->needs_fixup;
  for (int k = 0; k < a.steps; k++)
    a.quick[k] = plan_quick (&a.step[k]);
  const gpr_map_kernel kernel = choose_kernel (&a, s->multiprocessors, &shared);
  gpr_source_key key;
  const bool compiles = gpr_cuda_compiles (s, a.count) && gpr_source_of_map (&key, &a, m->leaves, s->capability);
  if (compiles)
    plan_columns (&key, &a);
  if (m->asked)
    {
      *m->asked = compiles ? gpr_cuda_compiled_state (s, &key, a.count) : GPR_KERNEL_BUILT;
      return GPR_OK;
    }
  gpr_cuda_function *compiled = compiles ? gpr_cuda_compiled (s, &key) : NULL;
  if (compiled)
    return run_compiled (s, m, &a, compiled, &key);
  const int tile = GPR_MAP_THREADS * (kernel == GPR_MAP_ANY ? GPR_MAP_EACH : kernel == GPR_MAP_SINGLES ? GPR_MAP_EACH_SINGLE : GPR_MAP_EACH_DOUBLE);
  GPR_TRY (begin (s, &slot));
  GPR_TRY ((is_light (&a, kernel) ? gpr_cuda_launch_elements : gpr_cuda_launch) (s, gpr_engine_map (kernel), gpr_over (a.count, tile), GPR_MAP_THREADS, shared, &a));
  return end (s, slot, m);
}
