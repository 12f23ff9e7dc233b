/* Slices on the CPU (src/cpu/slices.c): a thread takes whole tiles of each stage through all of them, and no column is another thread's too.  */

#include "test.h"
#include "../../src/cpu/cpu.h"
#include "../../src/cpu/part.h"
#include "../../src/core/slices.h"

enum { MOST = 6000 };
static int reduced[MOST];

int __real_gpr_cpu_reduce_tile (const gpr_cpu_job *g, int64_t outer, int64_t tile, char *scratch);
int __wrap_gpr_cpu_reduce_tile (const gpr_cpu_job *g, int64_t outer, int64_t tile, char *scratch);
int __wrap_gpr_cpu_reduce_tile (const gpr_cpu_job *g, int64_t outer, int64_t tile, char *scratch)
{
  const int64_t first = tile * g->tree.columns;
  for (int64_t c = first; c < first + gpr_cpu_columns (g, tile); c++)
    __atomic_fetch_add (&reduced[g->tree.inner * outer + c], 1, __ATOMIC_RELAXED);
  return __real_gpr_cpu_reduce_tile (g, outer, tile, scratch);
}

/* The variances of the columns of x, or their sums.  */
static void check (enum gpr_instance instance, int64_t inner, int64_t length, int64_t outer)
{
  const gpr_map_step load = { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF };
  double *x = malloc ((size_t) (inner * length * outer) * sizeof *x), *value = malloc ((size_t) (inner * outer) * sizeof *value);
  gpr_slices s = { .inner = inner, .length = length, .outer = outer, .stages = 1,
                   .stage = { { .end = 1, .leaf = -1, .class = GPR_CLASS_double, .instance = instance, .info = &gpr_instances[instance],
                                .divisor = (double) (length - 1), .value = value } },
                   .m = { .rank = 3, .dims = { inner, length, outer }, .leaves = 1, .x = { x }, .classes = { GPR_CLASS_double },
                          .strides = { { 1, inner, inner * length } }, .steps = 1, .step = &load, .class = GPR_CLASS_double } };
  for (int64_t k = 0; k < inner * length * outer; k++)
    x[k] = random_below (1000) / 8.0;
  memset (reduced, 0, sizeof reduced);
  expect (gpr_cpu_slices (&s) == GPR_OK && s.done, "%lld x %lld x %lld: not computed", (long long) inner, (long long) length, (long long) outer);
  for (int64_t i = 0; i < inner * outer; i++)
    if (reduced[i] != 1)
      {
        expect (false, "%lld x %lld x %lld: output %lld was reduced %d times", (long long) inner, (long long) length, (long long) outer, (long long) i, reduced[i]);
        break;
      }
  free (x);
  free (value);
}

int main (void)
{
  gpr_config.threads = 3;
  rule ("each_column_is_one_units");
  for (int k = 0; k < 60; k++)
    {
      const int64_t inner = 9 + random_below (2900);
      check (k % 2 ? GPR_moments_f64 : GPR_sum_f64, inner, 20 + random_below (40), 1 + random_below (2));
    }
  check (GPR_moments_f64, 1540, 120, 1);
  return verdict ();
}
