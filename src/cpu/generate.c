/* Ranges and random numbers on the CPU.  */

#include "cpu.h"
#include "part.h"
#include "../core/generate.h"
#include "../../kernels/ops/convert.h"
#include "../../kernels/ops/random.h"

enum { BLOCKS = 512, ALONE = 20000 /* elements that one thread is quick enough with */ };

static void
range (const gpr_generation *g, int64_t first, int n)
{
  f64 *z = (f64 *) g->z + first;

  for (int i = 0; i < n; i++)
    z[i] = g->first + (f64) (first + i) * g->step;
  if (first == 0)               /* -0, which a sum is not */
    z[0] = g->first;
  if (first + n == g->count)
    z[n - 1] = g->last;
}

#define INTEGERS(X) \
static void \
integers_##X (const gpr_generation *g, int64_t first, int n, const u64 *words) \
{ \
  X *z = (X *) g->z + first; \
  for (int i = 0; i < n; i++) \
    z[i] = gpr_##X##_of_i64 (g->least + (i64) gpr_random_below (g->many, words[i], g->seed, g->position + (u64) (first + i) / 2, i % 2)); \
}
GPR_CONVERT_REALS (INTEGERS)

gpr_status
gpr_cpu_generate (gpr_generation *g)
{
#define ENTRY(X) [GPR_##X] = integers_##X,
  static void (*const integers[GPR_ELEM_COUNT]) (const gpr_generation *, int64_t, int, const u64 *) = { GPR_CONVERT_REALS (ENTRY) };
  const gpr_cpu_random *loops = gpr_cpu_vectors ()->random;
  const bool known = g->kind == GPR_INTEGERS ? integers[g->elem] != NULL : g->elem == GPR_f64 || (g->elem == GPR_f32 && g->kind != GPR_RANGE);
  const int each = (int) gpr_generation_each (g), piece = each * BLOCKS, bytes = gpr_elem_bytes[g->elem];
  int threads = 1;

  if (! known)
    return gpr_fail (GPR_UNSUPPORTED, "random numbers of element type %d", (int) g->elem);
  if (g->count >= ALONE && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  #pragma omp parallel for num_threads (threads) if (threads > 1)
  for (int64_t first = 0; first < g->count; first += piece)
    {
      _Alignas (64) u64 words[2 * BLOCKS];
      const int n = (int) (g->count - first < piece ? g->count - first : piece);
      if (gpr_interrupted ())
        continue;
      if (g->kind == GPR_RANGE)
        {
          range (g, first, n);
          continue;
        }
      loops->words (g->seed, g->position + (u64) (first / each), (n + 8 * each - 1) / (8 * each) * 8, words);
      if (g->kind == GPR_INTEGERS)
        integers[g->elem] (g, first, n, words);
      else
        loops->numbers[g->kind][g->elem == GPR_f32] (words, (char *) g->z + first * bytes, n);
    }
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}
