/* Elementwise expressions: the kernel of engine/map.cu, compiled for the CPU and launched by src/cuda/map.c on a fake runtime
   (tests/unit/fake_cuda), gives the bits of the CPU backend, and leaves the real numbers where that does.  Random steps, classes,
   shapes that broadcast, and arrays that begin where no vector does.  */

#define KERNEL "../../kernels/engine/map.cu"
#define HEADER "../unit/map_random.h"
#include "launched.h"

extern "C" {
/* Of the CPU backend.  */
gpr_status gpr_cpu_map (gpr_mapping *m);
extern const char gpr_cpu_map_loops_baseline;
const void *gpr_cpu_map_loops_here () { return &gpr_cpu_map_loops_baseline; }
}

static long fours, pairs, strided, scalars, apart;
/* A GPU's vectors begin at multiples of their size.  */
static bool begins_apart (const gpr_map_args &a, const void *p, int elem) { return (uintptr_t) p % ((a.fours ? 4 : 2) * gpr_elem_bytes[elem]) != 0; }
static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  const gpr_map_args &a = *(const gpr_map_args *) arguments;
  (a.fours ? fours : pairs)++;
  for (int l = 0; l < GPR_MAP_LEAVES && a.x[l]; l++)
    {
      strided += a.lies[l] == GPR_MAP_STRIDED;
      scalars += a.lies[l] == GPR_MAP_SCALAR;
      apart += a.lies[l] == GPR_MAP_VECTORS && begins_apart (a, a.x[l], a.elems[l]);
    }
  apart += a.z_vectors && begins_apart (a, a.z, a.z_elem);
  run_launch (kernel, a, min (blocks, 3u), block, &launch_seed);
}

enum { MOST = 5000 };

static void one_expression ()
{
  alignas (64) static char x[GPR_MAP_LEAVES][MOST * 8 + 64], want[MOST * 8], got[MOST * 8 + 64];
  gpr_map_step step[GPR_MAP_STEPS] = {};
  gpr_mapping m = {};
  bool over_leaf;

  m.step = step;
  for (int l = 0; l < GPR_MAP_LEAVES; l++)
    m.x[l] = x[l] + (random_below (4) ? 0 : 8);
  const int64_t count = random_mapping (&m, step, MOST - 2, &over_leaf);
  const size_t bytes = (size_t) (count * gpr_elem_bytes[gpr_elem_of_class (m.class_)]);

  m.z = want;
  expect (gpr_cpu_map (&m) == GPR_OK, "the CPU fails");
  const bool left = m.left;
  memset (got, 0xA5, sizeof got);
  m.z = got + (random_below (4) ? 0 : 8);
  expect (gpr_cuda_map (device, &m) == GPR_OK && fake.violations == 0, "the kernel fails: %s", fake.violations ? fake.last : "");
  expect (m.left == left, "left is %d, not %d", m.left, left);
  if (memcmp (m.z, want, bytes) != 0)
    {
      size_t i = 0;
      while (((char *) m.z)[i] == want[i])
        i++;
      expect (false, "byte %zu of %zu, class %d, %d leaves, %d steps", i, bytes, (int) m.class_, m.leaves, m.steps);
    }
  expect ((unsigned char) ((char *) m.z)[bytes] == 0xA5, "writes beyond the end");
}

int main (int argc, char **argv)
{
  static volatile int *flag = &never;
  const int rounds = argc > 1 ? atoi (argv[1]) : 400;

  gpr_host = { &flag, &settings, note, nullptr };
  fake_run_kernel = run_kernel;
  fake_argument_bytes = sizeof (gpr_map_args);
  if (gpr_cuda_enter (&device, nullptr, nullptr, nullptr) != GPR_OK)
    return 1;
  fake_late_us = 0;
  rule ("expressions_as_the_cpu");
  for (int round = 0; round < rounds; round++)
    one_expression ();
  rule ("vectors_begin_at_multiples_of_their_size");
  expect (apart == 0, "%ld do not", apart);
  rule ("every_way_to_lie_is_met");
  expect (fours > 0 && pairs > 0 && strided > 0 && scalars > 0, "%ld with fours, %ld with pairs, %ld strided leaves, %ld scalars", fours, pairs, strided, scalars);
  return verdict ();
}
