/* Arrays of other classes: the kernels of engine/convert.cu, compiled for the CPU and launched by src/cuda/convert.c on a fake
   runtime (tests/unit/fake_cuda), give the bits of the CPU backend, also of arrays that begin where no vector does.  */

#define KERNEL "../../kernels/engine/convert.cu"
#define HEADER "../../src/core/gpr.h"
#include "cuda.h"

#include <cmath>
#include <cstring>
#include "map_intrinsics.h"
#include "launched.h"

extern "C" {
gpr_status gpr_cpu_convert (gpr_conversion *p);
}

static int vectors;
static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  const gpr_convert_args &a = *(const gpr_convert_args *) arguments;
  vectors += a.vectors;
  run_launch (kernel, a, min (blocks, 3u), block, &launch_seed);
}

enum { MOST = 20000, REALS = GPR_c128 };
static int seen[REALS][REALS];

static void one_array ()
{
  alignas (64) static char from[MOST * 8 + 64], want[MOST * 8 + 64], got[MOST * 8 + 128];
  gpr_conversion p = {};
  p.from = (gpr_elem) random_below (REALS);
  p.to = (gpr_elem) random_below (REALS);
  p.count = 1 + random_below (random_below (2) ? MOST : 40);
  const int64_t in = random_below (3) ? 0 : gpr_elem_bytes[p.from] * random_below (4), out = random_below (3) ? 0 : gpr_elem_bytes[p.to] * random_below (4);
  const size_t bytes = (size_t) (p.count * gpr_elem_bytes[p.to]);
  random_fill (from + in, p.from == GPR_f64 || p.from == GPR_f32 ? 'f' : 'i', gpr_elem_bytes[p.from], p.count, (int) random_below (ALL_NAN + 1));
  if (random_below (2))         /* numbers that are rounded, and saturate */
    for (int64_t i = 0; i < p.count; i++)
      if (p.from == GPR_f64)
        ((double *) (from + in))[i] *= 300;
      else if (p.from == GPR_f32)
        ((float *) (from + in))[i] *= 300;
  seen[p.from][p.to]++;
  p.x = from + in;
  p.y = want;
  expect (gpr_cpu_convert (&p) == GPR_OK, "the CPU fails");
  memset (got, 0xA5, sizeof got);
  p.y = got + 64 + out;
  expect (gpr_cuda_convert (device, &p) == GPR_OK && fake.violations == 0, "the kernel fails: %s", fake.violations ? fake.last : "");
  expect (memcmp (got + 64 + out, want, bytes) == 0, "%lld elements of type %d as %d", (long long) p.count, (int) p.from, (int) p.to);
  expect ((unsigned char) got[63 + out] == 0xA5 && (unsigned char) got[64 + out + bytes] == 0xA5, "writes beyond the ends");
}

int main (int argc, char **argv)
{
  const int rounds = argc > 1 ? atoi (argv[1]) : 1000;
  int met = 0;

  if (! begin_on_device (run_kernel, sizeof (gpr_convert_args)))
    return 1;
  rule ("arrays_as_the_cpu");
  for (int round = 0; round < rounds; round++)
    one_array ();
  rule ("every_kernel_is_met");
  for (auto &kind : seen)
    for (int count : kind)
      met += count > 0;
  expect (met > REALS * REALS * 9 / 10 && vectors > rounds / 3 && vectors < rounds, "%d, %d", met, vectors);
  return verdict ();
}
