/* Ranges and random numbers: the kernels of engine/generate.cu, compiled for the CPU and launched by src/cuda/generate.c on a fake
   runtime (tests/unit/fake_cuda), give the bits of the CPU backend.  */

#define KERNEL "../../kernels/engine/generate.cu"
#define HEADER "../../src/core/generate.h"
#include "launched.h"

extern "C" {
#include "../../src/cpu/isa/loops.h"
/* Of the CPU backend.  */
gpr_status gpr_cpu_generate (gpr_generation *g);
const gpr_cpu_vector *gpr_cpu_vectors ()
{
  static gpr_cpu_vector vectors;
  vectors.random = &gpr_cpu_random_baseline;
  return &vectors;
}
}

static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  run_launch (kernel, *(const gpr_generate_args *) arguments, min (blocks, 3u), block, &launch_seed);
}

enum { MOST = 5000, KINDS = 5 };
static int seen[KINDS][GPR_ELEM_COUNT];

static void one_array ()
{
  alignas (64) static char want[MOST * 8 + 64], got[MOST * 8 + 64];
  gpr_generation g = {};
  const int kind = (int) random_below (KINDS);

  g.kind = (gpr_generated) kind;
  g.elem = kind == GPR_RANGE ? GPR_f64 : kind == GPR_INTEGERS ? (gpr_elem) random_below (GPR_c128) : random_below (2) ? GPR_f32 : GPR_f64;
  g.count = 1 + random_below (MOST);
  g.seed = random_u64 ();
  g.position = random_u64 ();
  g.many = 1 + (uint64_t) random_below ((int64_t) 1 << (1 + random_below (53)));        /* of large ones some are drawn again */
  g.least = random_below ((int64_t) 1 << 53) - ((int64_t) 1 << 52);
  g.first = random_below (3) ? random_f64 (PLAIN) : -0.0;
  g.step = random_f64 (PLAIN);
  g.last = random_f64 (PLAIN);
  seen[kind][g.elem]++;
  const size_t bytes = (size_t) (g.count * gpr_elem_bytes[g.elem]);
  g.z = want;
  expect (gpr_cpu_generate (&g) == GPR_OK, "the CPU fails");
  memset (got, 0xA5, sizeof got);
  g.z = got;
  expect (gpr_cuda_generate (device, &g) == GPR_OK && fake.violations == 0, "the kernel fails: %s", fake.violations ? fake.last : "");
  expect (memcmp (got, want, bytes) == 0, "%lld elements of type %d, kind %d", (long long) g.count, (int) g.elem, kind);
  expect ((unsigned char) got[bytes] == 0xA5, "writes beyond the end");
}

int main (int argc, char **argv)
{
  const int rounds = argc > 1 ? atoi (argv[1]) : 400;
  int met = 0;

  if (! begin_on_device (run_kernel, sizeof (gpr_generate_args)))
    return 1;
  rule ("arrays_as_the_cpu");
  for (int round = 0; round < rounds; round++)
    one_array ();
  rule ("every_kernel_is_met");
  for (auto &kind : seen)
    for (int count : kind)
      met += count > 0;
  expect (met == 3 * 2 + 10 + 1, "%d", met);
  return verdict ();
}
