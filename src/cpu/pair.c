/* max (x, y), min (x, y), conj (x) .* y and x - y on the CPU.  NaN loses; x wins ties;
   complex numbers are compared by abs alone, as the built-in does.  */

#include "cpu.h"

#define PICK_REAL(x, y, GE) ((y) != (y) ? (x) : (x) GE (y) ? (x) : (y))
#define PICK_COMPLEX(T, x, y, GE) (gpr_abs_##T (x) GE gpr_abs_##T (y) ? (x) : gpr_nan_##T (x) ? (x) : (y))

#define DEFINE_REAL(T) \
static void pair_##T (gpr_pair_op op, const T *x, int64_t xs, const T *y, int64_t ys, T *z, int64_t n) \
{ \
  if (op == GPR_PAIR_TIMES) \
    for (int64_t i = 0; i < n; i++) \
      z[i] = gpr_times_##T (x[i * xs], y[i * ys]); \
  else if (op == GPR_PAIR_MINUS) \
    for (int64_t i = 0; i < n; i++) \
      z[i] = gpr_minus_##T (x[i * xs], y[i * ys]); \
  else if (op == GPR_PAIR_MAX) \
    for (int64_t i = 0; i < n; i++) \
      z[i] = PICK_REAL (x[i * xs], y[i * ys], >=); \
  else \
    for (int64_t i = 0; i < n; i++) \
      z[i] = PICK_REAL (x[i * xs], y[i * ys], <=); \
}
#define DEFINE_COMPLEX(T) \
static void pair_##T (gpr_pair_op op, const T *x, int64_t xs, const T *y, int64_t ys, T *z, int64_t n) \
{ \
  for (int64_t i = 0; i < n; i++) \
    z[i] = op == GPR_PAIR_TIMES ? gpr_times_##T (x[i * xs], y[i * ys]) \
           : op == GPR_PAIR_MINUS ? gpr_minus_##T (x[i * xs], y[i * ys]) \
           : op == GPR_PAIR_MAX ? PICK_COMPLEX (T, x[i * xs], y[i * ys], >=) : PICK_COMPLEX (T, x[i * xs], y[i * ys], <=); \
}
DEFINE_REAL (f64) DEFINE_REAL (f32) DEFINE_REAL (i8) DEFINE_REAL (u8) DEFINE_REAL (i16) DEFINE_REAL (u16)
DEFINE_REAL (i32) DEFINE_REAL (u32) DEFINE_REAL (i64) DEFINE_REAL (u64)
DEFINE_COMPLEX (c128) DEFINE_COMPLEX (c64)

gpr_status
gpr_cpu_pair (gpr_pairing *p)
{
  int bytes = gpr_elem_bytes[p->elem];
  int64_t run = p->rank > 0 ? p->dims[0] : 1, runs = 1, xs = p->rank > 0 ? p->xs[0] : 0, ys = p->rank > 0 ? p->ys[0] : 0;
  const int64_t piece = 1 << 16;
  int threads = 1;

  for (int d = 1; d < p->rank; d++)
    runs *= p->dims[d];
  int64_t pieces = (run + piece - 1) / piece;
  if (run * runs * bytes >= 1 << 17 && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();

  #pragma omp parallel for num_threads (threads) if (threads > 1)
  for (int64_t job = 0; job < runs * pieces; job++)
    {
      int64_t row = job / pieces, from = job % pieces * piece, n = run - from < piece ? run - from : piece;
      int64_t xo = from * xs, yo = from * ys, rest = row;
      if (gpr_interrupted ())
        continue;
      for (int d = 1; d < p->rank; d++)
        {
          int64_t at = rest % p->dims[d];
          rest /= p->dims[d];
          xo += at * p->xs[d];
          yo += at * p->ys[d];
        }
      const char *x = (const char *) p->x + xo * bytes, *y = (const char *) p->y + yo * bytes;
      char *z = (char *) p->z + (row * run + from) * bytes;
      switch (p->elem)
        {
#define CASE(T) case GPR_##T: \
          pair_##T (p->op, (const T *) x, xs, (const T *) y, ys, (T *) z, n); break;
        GPR_ELEMS (CASE)
#undef CASE
        default: break;
        }
    }
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}
