/* Elementwise operations on complex arrays on the CPU.  */

#include <math.h>

#include "cpu.h"
#include "../core/complex.h"

enum { PIECE = 1 << 14, ALONE = 20000 /* elements that one thread is quick enough with */ };

/* Whether n complex numbers have an imaginary part.  */
#define PARTS(C) \
static bool has_imaginary_##C (const C *z, int64_t n) \
{ \
  int any = 0; \
  for (int64_t i = 0; i < n; i++) \
    any |= z[i].im != 0; \
  return any; \
}
PARTS (c128)
PARTS (c64)

/* n elements of a row, whose operands lie so many elements apart; x: of a number the number.  */
typedef void (*row) (const void *x, int64_t xs, const void *y, int64_t ys, void *z, int64_t n);
#define ROW(name, kind, T, X, Y, Z) \
static void name##_##kind##_##T (const void *at_x, int64_t xs, const void *at_y, int64_t ys, void *at_z, int64_t n) \
{ \
  const X *x = at_x; \
  const Y *y = at_y; \
  Z *restrict z = at_z; \
  for (int64_t i = 0; i < n; i++) \
    z[i] = gpr_complex_##name##_##kind##_##T (x[i * xs], y[i * ys]); \
}
GPR_COMPLEX_INSTANCES (ROW)

#define ENTRY(name, kind, T, X, Y, Z) [sizeof (T) == sizeof (float)][GPR_COMPLEX_##name][GPR_COMPLEX_##kind] = name##_##kind##_##T,
static const row rows[2][GPR_COMPLEX_OP_COUNT][GPR_COMPLEX_KINDS] = { GPR_COMPLEX_INSTANCES (ENTRY) };

gpr_status
gpr_cpu_complex (gpr_complex_mapping *m)
{
  const row compute = rows[m->single][m->op][m->kind];
  const int real = m->single ? sizeof (f32) : sizeof (f64);
  const int z_bytes = gpr_complex_gives_logical (m->op) ? 1 : gpr_complex_gives_complex (m->op) ? 2 * real : real;
  const int64_t run = m->dims[0], pieces = (run + PIECE - 1) / PIECE;
  const f32 singles[2] = { (f32) m->number[0], (f32) m->number[1] };
  int64_t runs = 1, strides[2];
  const char *x[2];
  int bytes[2], threads = 1, found = 0;

  for (int k = 0; k < 2; k++)
    {
      bytes[k] = gpr_complex_operand (m->kind, k) ? 2 * real : real;
      x[k] = m->x[k] ? m->x[k] : m->single ? (const void *) &singles[k] : &m->number[k];
      strides[k] = m->x[k] ? m->strides[k][0] : 0;
    }
  for (int d = 1; d < m->rank; d++)
    runs *= m->dims[d];
  if (run * runs >= ALONE && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  #pragma omp parallel for num_threads (threads) if (threads > 1) reduction (| : found)
  for (int64_t job = 0; job < runs * pieces; job++)
    {
      const int64_t from = job % pieces * PIECE, n = run - from < PIECE ? run - from : PIECE;
      int64_t at[2] = { from * strides[0], from * strides[1] }, rest = job / pieces;
      if (gpr_interrupted ())
        continue;
      for (int d = 1; d < m->rank; d++)
        {
          for (int k = 0; k < 2; k++)
            at[k] += m->x[k] ? rest % m->dims[d] * m->strides[k][d] : 0;
          rest /= m->dims[d];
        }
      char *z = (char *) m->z + (job / pieces * run + from) * z_bytes;
      compute (x[0] + at[0] * bytes[0], strides[0], x[1] + at[1] * bytes[1], strides[1], z, n);
      if (gpr_complex_gives_complex (m->op))
        found |= m->single ? has_imaginary_c64 ((const c64 *) z, n) : has_imaginary_c128 ((const c128 *) z, n);
    }
  m->is_complex = found;
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}
