/* Steps of accumarray on the CPU.  */

#include <string.h>

#include "scatter.h"

/* ---- keys ------------------------------------------------------------------------ */

/* Adds (s - 1) * stride of so many subscripts s to at; false: one is not allowed.  */
#define ADD_COLUMN(T) \
static bool add_##T (const T *restrict x, int count, int64_t size, int64_t stride, int64_t *restrict at) \
{ \
  int wrong = 0; \
  for (int i = 0; i < count; i++) \
    { \
      int64_t k = gpr_subscript_##T (x[i], size); \
      wrong |= k == 0; \
      at[i] += (k - 1) * stride; \
    } \
  return ! wrong; \
}
#define REALS(F) F (f64) F (f32) F (i8) F (u8) F (i16) F (u16) F (i32) F (u32) F (i64) F (u64)
REALS (ADD_COLUMN)

static const void *
subscripts (const gpr_scatter_column *c, int64_t from)
{
  return (const char *) c->at + from * gpr_elem_bytes[c->elem];
}

bool
gpr_scatter_keys (const gpr_scattering *p, int64_t first, int64_t count, int64_t from, int length, uint32_t *keys)
{
  const gpr_scatter_column *c = p->column;
  int64_t at[GPR_SCATTER_BATCH], stride = 1;
  bool good = true;

  if (p->columns == 1 && c->size <= INT32_MAX)
    return gpr_cpu_vectors ()->keys (c->elem, subscripts (c, from), length, c->size, keys);
  memset (at, 0, length * sizeof *at);
  for (; c < p->column + p->columns; stride *= c++->size)
    switch (c->elem)
      {
#define ADD(T) case GPR_##T: good &= add_##T (subscripts (c, from), length, c->size, stride, at); break;
      REALS (ADD)
#undef ADD
      default: return false;
      }
  for (int i = 0; i < length; i++)
    keys[i] = (uint64_t) (at[i] - first) < (uint64_t) count ? (uint32_t) (at[i] - first) : (uint32_t) count;
  return good;
}

bool
gpr_scatter_one_side (const gpr_scattering *p, int64_t from, int64_t count)
{
  int beyond = 0;
#define LOOK(T) \
  { \
    const T *v = (const T *) p->values + (p->repeated ? 0 : from); \
    if (p->repeated) \
      count = 1; \
    if (p->op == GPR_SCATTER_MAX) \
      for (int64_t i = 0; i < count; i++) \
        beyond |= ! (v[i] >= 0); \
    else \
      for (int64_t i = 0; i < count; i++) \
        beyond |= ! (v[i] <= 0); \
  }
  if (p->to == GPR_f64 && p->in == GPR_f64)
    LOOK (f64)
  else if (p->to == GPR_f32)
    LOOK (f32)
#undef LOOK
  return ! beyond;
}

/* ---- adding ------------------------------------------------------------------------- */

/* GPR_LARGER and GPR_SMALLER without branches: which values are larger nobody can foresee.  */
#define EVENLY(T, BITS, name, BEATS) \
static inline T \
name##_##T (T a, T v) \
{ \
  union { T x; BITS bits; } y = { .x = v BEATS a ? v : a }, other = { .x = v }; \
  const BITS take = -(BITS) ((a != a) & (v == v)); \
  y.bits = (y.bits & ~take) | (other.bits & take); \
  return y.x; \
}
EVENLY (f64, u64, larger, >) EVENLY (f64, u64, smaller, <) EVENLY (f32, u32, larger, >) EVENLY (f32, u32, smaller, <)
#define OF_INTEGERS(T) \
static inline T larger_##T (T a, T v) { return v > a ? v : a; } \
static inline T smaller_##T (T a, T v) { return v < a ? v : a; }
OF_INTEGERS (i8) OF_INTEGERS (u8) OF_INTEGERS (i16) OF_INTEGERS (u16)
OF_INTEGERS (i32) OF_INTEGERS (u32) OF_INTEGERS (i64) OF_INTEGERS (u64)

static bool
one_output (const uint32_t *keys, const uint16_t *list, int count)
{
  for (int j = 1; j < count; j++)
    if (keys[list ? list[j] : j] != keys[list ? list[0] : 0])
      return false;
  return count > 1;
}

/* Of the batch that begins with element from, those in the list; NULL: all of count.
   One sum after the other through memory is slow where all go to one output.  */
#define EACH(A, STEP) \
  { \
    if (one_output (keys, list, count)) \
      { \
        A *at = out + keys[list ? list[0] : 0], a = *at; \
        for (int j = 0; j < count; j++) \
          { \
            A y = (A) v[(list ? list[j] : j) * stride]; \
            a = STEP; \
          } \
        *at = a; \
      } \
    else if (list) \
      for (int j = 0; j < count; j++) \
        { \
          A *at = out + keys[list[j]], a = *at, y = (A) v[list[j] * stride]; \
          *at = STEP; \
        } \
    else \
      for (int j = 0; j < count; j++, v += stride) \
        { \
          A *at = out + keys[j], a = *at, y = (A) *v; \
          *at = STEP; \
        } \
  }
#define SCATTER(X, A, OTHERS) \
static void __attribute__ ((noinline)) \
scatter_##X##_##A (const gpr_scattering *p, A *out, int64_t from, const uint32_t *keys, const uint16_t *list, int count) \
{ \
  const int64_t stride = ! p->repeated; \
  const X *v = (const X *) p->values + from * stride; \
  switch (p->op) \
    { \
    OTHERS (A) \
    default: break; \
    } \
}
#define ADDED(A) \
    case GPR_SCATTER_SUM: case GPR_SCATTER_COUNT: EACH (A, gpr_plus_##A (a, y)) break;
#define COMPARED(A) \
    case GPR_SCATTER_MAX: EACH (A, larger_##A (a, y)) break; \
    case GPR_SCATTER_MIN: EACH (A, smaller_##A (a, y)) break;
#define REDUCED(A) \
    ADDED (A) \
    case GPR_SCATTER_PROD: EACH (A, gpr_by_##A (a, y)) break; \
    COMPARED (A)
#define WIDENED(X, A) SCATTER (X, A, REDUCED)
SCATTER (f64, f64, REDUCED) SCATTER (f32, f32, REDUCED) GPR_SCATTER_WIDENED (WIDENED)
SCATTER (i8, i8, COMPARED) SCATTER (u8, u8, COMPARED) SCATTER (i16, i16, COMPARED) SCATTER (u16, u16, COMPARED)
SCATTER (i32, i32, COMPARED) SCATTER (u32, u32, COMPARED) SCATTER (i64, i64, COMPARED) SCATTER (u64, u64, COMPARED)
SCATTER (c128, c128, ADDED) SCATTER (c64, c64, ADDED)


#define PAIRS(F) GPR_SCATTER_SAME (F) GPR_SCATTER_WIDENED (F) GPR_SCATTER_COMPLEX (F)
#define SUMS(F) F (f64, f64) F (f32, f32) GPR_SCATTER_WIDENED (F) GPR_SCATTER_COMPLEX (F)

void
gpr_scatter_add (const gpr_scattering *p, void *out, int64_t from, const uint32_t *keys, const uint16_t *list, int length)
{
  switch (p->in * GPR_ELEM_COUNT + p->to)
    {
#define CASE(X, A) case GPR_##X * GPR_ELEM_COUNT + GPR_##A: scatter_##X##_##A (p, out, from, keys, list, length); break;
    PAIRS (CASE)
#undef CASE
    default: break;
    }
}

#define PIECES(X, A) \
static void __attribute__ ((noinline)) \
pieces_##X##_##A (const gpr_scattering *p, A *out, uint16_t *ranks, int64_t piece, A *totals, int64_t from, \
                  const uint32_t *keys, const uint16_t *list, int length) \
{ \
  const int64_t stride = ! p->repeated; \
  const X *v = (const X *) p->values + from * stride; \
  for (int j = 0; j < length; j++) \
    { \
      const int at = list ? list[j] : j; \
      const uint32_t k = keys[at]; \
      out[k] = gpr_plus_##A (out[k], (A) v[at * stride]); \
      if ((++ranks[k] & (piece - 1)) == 0) \
        { \
          totals[k] = gpr_plus_##A (totals[k], out[k]); \
          out[k] = (A) { 0 }; \
        } \
    } \
}
SUMS (PIECES)

void
gpr_scatter_add_pieces (const gpr_scattering *p, void *out, uint16_t *ranks, int64_t piece, void *totals, int64_t from,
                        const uint32_t *keys, const uint16_t *list, int length)
{
  switch (p->in * GPR_ELEM_COUNT + p->to)
    {
#define CASE(X, A) \
    case GPR_##X * GPR_ELEM_COUNT + GPR_##A: pieces_##X##_##A (p, out, ranks, piece, totals, from, keys, list, length); break;
    SUMS (CASE)
#undef CASE
    default: break;
    }
}

/* ---- outputs ------------------------------------------------------------------------- */

void
gpr_scatter_fill (enum gpr_elem to, void *out, union gpr_scatter_cell c, const int64_t *counts, int64_t count)
{
  static const union gpr_scatter_cell zero;

  if (! counts && memcmp (&c, &zero, sizeof zero) == 0)
    {
      memset (out, 0, count * gpr_elem_bytes[to]);
      return;
    }
  switch (to)
    {
#define FILL(T) \
    case GPR_##T: \
      for (int64_t i = 0; i < count; i++) \
        if (! counts || counts[i] == 0) \
          ((T *) out)[i] = c.T; \
      break;
    GPR_ELEMS (FILL)
#undef FILL
    default: break;
    }
}

void
gpr_scatter_close (enum gpr_elem to, void *out, const void *totals, int64_t count)
{
  const int64_t parts = to == GPR_c128 || to == GPR_c64 ? 2 * count : count;

  if (to == GPR_f64 || to == GPR_c128)
    gpr_cpu_vectors ()->add_f64 (out, totals, parts);
  else
    gpr_cpu_vectors ()->add_f32 (out, totals, parts);
}

void
gpr_scatter_merge (const gpr_scattering *p, void *sums, const void *more, int64_t count)
{
#define EVERY(T, STEP) \
  for (int64_t i = 0; i < count; i++) \
    { \
      const T a = ((T *) sums)[i], y = ((const T *) more)[i]; \
      ((T *) sums)[i] = STEP; \
    }
  if (p->op == GPR_SCATTER_SUM || p->op == GPR_SCATTER_COUNT)
    gpr_scatter_close (p->to, sums, more, count);
  else
    switch (p->to)
      {
#define COMPARE(T) \
      case GPR_##T: \
        if (p->op == GPR_SCATTER_MAX) \
          EVERY (T, GPR_LARGER (a, y)) \
        else \
          EVERY (T, GPR_SMALLER (a, y)) \
        break;
      REALS (COMPARE)
#undef COMPARE
      default: break;
      }
#undef EVERY
}

void
gpr_scatter_from_zero (enum gpr_elem to, void *out, int64_t count)
{
#define ZERO(T) \
  for (int64_t i = 0; i < count; i++) \
    { \
      T *at = (T *) out + i; \
      *at = *at != *at || *at == 0 ? 0 : *at; \
    }
  if (to == GPR_f64)
    ZERO (double)
  else
    ZERO (float)
#undef ZERO
}

void
gpr_scatter_divide (enum gpr_elem to, void *out, const int64_t *counts, int64_t count)
{
  const bool two = to == GPR_c128 || to == GPR_c64;
#define DIVIDE(T) \
  for (int64_t i = 0; i < count; i++) \
    for (int part = 0; part < 1 + two; part++) \
      ((T *) out)[(1 + two) * i + part] /= counts[i] > 0 ? (T) counts[i] : 1;
  if (to == GPR_f64 || to == GPR_c128)
    DIVIDE (double)
  else
    DIVIDE (float)
#undef DIVIDE
}

bool
gpr_scatter_is_finite (enum gpr_elem to, const void *out, int64_t i)
{
  switch (to)
    {
    case GPR_f64: return gpr_finite_f64 (((const f64 *) out)[i]);
    case GPR_f32: return gpr_finite_f32 (((const f32 *) out)[i]);
    case GPR_c128: return gpr_finite_f64 (((const f64 *) out)[2 * i]) && gpr_finite_f64 (((const f64 *) out)[2 * i + 1]);
    case GPR_c64: return gpr_finite_f32 (((const f32 *) out)[2 * i]) && gpr_finite_f32 (((const f32 *) out)[2 * i + 1]);
    default: return true;
    }
}
