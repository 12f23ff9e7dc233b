/* Elementwise operations on complex arrays: the kernels of engine/complex.cu, compiled for the CPU and launched by src/cuda/complex.c on a fake
   runtime (tests/unit/fake_cuda), give what the CPU backend gives: the same numbers, quotients within some units of their modulus.  */

#define KERNEL "../../kernels/engine/complex.cu"
#define HEADER "../../src/core/complex.h"
#include "launched.h"

extern "C" gpr_status gpr_cpu_complex (gpr_complex_mapping *m);         /* of the CPU backend */

static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  run_launch (kernel, *(const gpr_complex_args *) arguments, blocks, block, &launch_seed);
}

enum { MOST = 6000 };
static int seen[2][GPR_COMPLEX_OP_COUNT][GPR_COMPLEX_KINDS], imaginary[2];

/* Large: of which the built-in's powers are good to no more than 23 eps; extreme: so that the compiler's own quotients are infinite or NaN where a square is.  */
static const double exponents[] = { 2, 2, 0.5, -1, 3, 1, 0 };
static double one_number (bool special, bool large, bool extreme)
{
  static const double parts[] = { 0.0, -0.0, 1, -2.5, INFINITY, -INFINITY, NAN, 1e-15, -1e15, DBL_MAX, DBL_MIN, 5e-324, -1e300, 1e-300, FLT_MAX, 1e-40 };
  return special && random_below (2) ? parts[random_below (extreme ? 16 : large ? 9 : 7)] : (double) (random_below (41) - 20) / 4;
}

static bool same_part (double got, double want)
{
  return got != got ? want != want : got == want && std::signbit (got) == std::signbit (want);
}

static bool is_rounded (gpr_complex_op op)
{
  return op == GPR_COMPLEX_rdivide || op == GPR_COMPLEX_power || op == GPR_COMPLEX_exp || op == GPR_COMPLEX_sqrt || op == GPR_COMPLEX_log || op == GPR_COMPLEX_log2
         || op == GPR_COMPLEX_log10;
}

/* Within 8 eps of the modulus, or as infinite, or, where the modulus is beyond the range or nearly 0, as large.  */
static bool is_near (double re, double im, double want_re, double want_im, double eps, double least)
{
  if (! (std::isfinite (want_re) && std::isfinite (want_im)))
    return (! std::isfinite (re) || ! std::isfinite (im)) && (std::isinf (re) || std::isinf (im)) == (std::isinf (want_re) || std::isinf (want_im));
  return std::hypot (re - want_re, im - want_im) <= 8 * eps * std::hypot (want_re, want_im) + 8 * least;
}

template <class T> static void compare (const gpr_complex_mapping &m, const T *got, const T *want, int64_t count, int parts)
{
  for (int64_t i = 0; i < count; i++)
    {
      const T *g = got + i * parts, *w = want + i * parts;
      const bool same = same_part (g[0], w[0]) && (parts == 1 || same_part (g[1], w[1]));
      const bool near = is_rounded (m.op) && parts == 2 && is_near (g[0], g[1], w[0], w[1], std::numeric_limits<T>::epsilon (), std::numeric_limits<T>::denorm_min ());
      if (! same && ! near)
        {
          expect (false, "operation %d, kind %d, element %lld: %.17g %.17g, not %.17g %.17g", (int) m.op, (int) m.kind, (long long) i, (double) g[0],
                  parts == 2 ? (double) g[1] : 0, (double) w[0], parts == 2 ? (double) w[1] : 0);
          return;
        }
    }
}

static void one_array (gpr_complex_op op, bool special)
{
  static double room[2][2 * MOST + 8];
  alignas (16) static char want[16 * MOST + 16], got[16 * MOST + 16];
  gpr_complex_mapping m = {};
  int64_t count = 1, counts[2] = { 1, 1 };

  m.op = op;
  m.single = random_below (2);
  do
    m.kind = (gpr_complex_kind) random_below (GPR_COMPLEX_KINDS);
  while (! gpr_complex_has (op, m.kind) || (! gpr_complex_takes_two (op) && (m.kind == GPR_COMPLEX_FIRST || m.kind == GPR_COMPLEX_SECOND)));
  m.rank = 1 + (int) random_below (3);
  for (int d = 0; d < m.rank; d++)
    {
      m.dims[d] = 1 + random_below (d == 0 && random_below (4) == 0 ? 1500 : 12);
      if (count * m.dims[d] > MOST)
        m.dims[d] = 1;
      count *= m.dims[d];
      for (int k = 0; k < 2; k++)
        {
          const bool repeats = gpr_complex_takes_two (op) && random_below (4) == 0;
          m.strides[k][d] = repeats || m.dims[d] == 1 ? 0 : counts[k];
          counts[k] *= repeats ? 1 : m.dims[d];
        }
    }
  seen[m.single][op][m.kind]++;
  for (int k = 0; k < 2; k++)
    {
      const bool real = ! gpr_complex_operand (m.kind, k);
      for (int64_t i = 0; i < 2 * counts[k]; i++)
        if (m.single)
          ((float *) room[k])[i] = (float) one_number (special, op != GPR_COMPLEX_power, ! is_rounded (op));
        else
          room[k][i] = one_number (special, op != GPR_COMPLEX_power, ! is_rounded (op));
      for (int64_t i = 0; i < counts[k] && k == 1 && op == GPR_COMPLEX_power; i++)
        if (m.single)
          ((float *) room[k])[i] = (float) exponents[random_below (7)];
        else
          room[k][i] = exponents[random_below (7)];
      if (real && gpr_complex_takes_two (op) && (k == 0 || m.x[0]) && random_below (3) == 0)
        {
          m.number[k] = op == GPR_COMPLEX_power ? exponents[random_below (7)] : one_number (special, op != GPR_COMPLEX_power, ! is_rounded (op));
          memset (m.strides[k], 0, sizeof m.strides[k]);
        }
      else
        m.x[k] = room[k];
    }
  if (! gpr_complex_takes_two (op))
    m.x[1] = m.x[0];
  const int parts = gpr_complex_gives_complex (op) ? 2 : 1;
  const size_t bytes = (size_t) count * (gpr_complex_gives_logical (op) ? 1 : parts * (m.single ? 4 : 8));
  m.z = want;
  expect (gpr_cpu_complex (&m) == GPR_OK, "the CPU fails");
  const bool found = m.is_complex;
  memset (got, 0xA5, sizeof got);
  m.z = got;
  expect (gpr_cuda_complex (device, &m) == GPR_OK && fake.violations == 0, "the kernel fails: %s", fake.violations ? fake.last : "");
  if (gpr_complex_gives_logical (op))
    expect (memcmp (got, want, bytes) == 0, "operation %d, kind %d", (int) op, (int) m.kind);
  else if (m.single)
    compare (m, (float *) got, (float *) want, count, parts);
  else
    compare (m, (double *) got, (double *) want, count, parts);
  if (parts == 2 && ! is_rounded (op))
    expect (m.is_complex == found, "operation %d: complex %d, not %d", (int) op, m.is_complex, found);
  imaginary[found]++;
  expect ((unsigned char) got[bytes] == 0xA5, "writes beyond the end");
}

int main (int argc, char **argv)
{
  const int rounds = argc > 1 ? atoi (argv[1]) : 400;
  int met = 0;

  if (! begin_on_device (run_kernel, sizeof (gpr_complex_args)))
    return 1;
  device->multiprocessors = 1;  /* for loops over blocks */
  rule ("arrays_as_the_cpu");
  for (int round = 0; round < rounds; round++)
    for (int op = 0; op < GPR_COMPLEX_OP_COUNT; op++)
      one_array ((gpr_complex_op) op, round % 2);
  rule ("every_kernel_is_met");
  for (auto &precision : seen)
    for (auto &op : precision)
      for (int count : op)
        met += count > 0;
#define ONE(name, kind, T, X, Y, Z) + 1
  expect (met == 0 GPR_COMPLEX_INSTANCES (ONE) && imaginary[0] > 0 && imaginary[1] > 0, "%d", met);
  return verdict ();
}
