/* Expansions side by side (kernels/ops/exact.h), a lane each, and exact products.  In vectors of
   the compiler's: what it makes of them on a processor with shorter ones is the same.  */

#include "loops.h"
#include "../../../kernels/ops/exact.h"

enum { WIDTH = 8 };
typedef f64 vector __attribute__ ((vector_size (WIDTH * sizeof (f64))));
typedef i64 mask __attribute__ ((vector_size (WIDTH * sizeof (i64))));
typedef f64 anywhere __attribute__ ((vector_size (WIDTH * sizeof (f64)), aligned (sizeof (f64)), may_alias));

#define LOAD(p) ((vector) *(const anywhere *) (p))
#define STORE(p, v) (*(anywhere *) (p) = (anywhere) (v))
#define SIZE_OF(v) ((vector) ((mask) (v) & INT64_MAX))

static inline bool
any (mask m)
{
  i64 all = 0;
  for (int i = 0; i < WIDTH; i++)
    all |= m[i];
  return all != 0;
}

static int
add (f64 *restrict a, int levels, const f64 *x, int n, f64 *restrict rest)
{
  mask large = { 0 };

  for (int j = 0; j < n; j += WIDTH)
    large |= ~ (SIZE_OF (LOAD (x + j)) < GPR_EXPANDS_BELOW);
  if (any (large))
    return -1;
  for (int level = 0; level < levels; level++, a += GPR_CPU_LANES, x = rest)
    {
      mask left = { 0 };
      for (int j = 0; j < n; j += WIDTH)
        {
          const vector v = LOAD (x + j), was = LOAD (a + j), s = was + v, t = s - was, e = (was - (s - t)) + (v - t);
          STORE (a + j, s);
          STORE (rest + j, e);
          left |= e != 0;
        }
      if (! any (left))
        return 0;
    }
  return 1;
}

/* Dekker's product, of halves by Veltkamp's splitting.  */
static bool
multiply (const f64 *restrict x, const f64 *restrict y, f64 *restrict p, f64 *restrict e, int n)
{
  mask bad = { 0 };

  for (int j = 0; j < n; j += WIDTH)
    {
      const vector v = LOAD (x + j), w = LOAD (y + j), product = v * w, size = SIZE_OF (product);
      const vector cv = v * 0x8000001p0, cw = w * 0x8000001p0;
      const vector high_v = cv - (cv - v), high_w = cw - (cw - w), low_v = v - high_v, low_w = w - high_w;
      bad |= ~ ((size < GPR_EXPANDS_BELOW) & (SIZE_OF (v) < GPR_EXPANDS_BELOW) & (SIZE_OF (w) < GPR_EXPANDS_BELOW)
                & ((size >= GPR_MULTIPLIES_FROM) | (v == 0) | (w == 0)));
      STORE (p + j, product);
      STORE (e + j, ((high_v * high_w - product) + high_v * low_w + low_v * high_w) + low_v * low_w);
    }
  return ! any (bad);
}

const gpr_cpu_expansions GPR_PASTE (gpr_cpu_expansions_, GPR_ISA) = { add, multiply };
