/* The stream of random numbers.  */

#include <time.h>

#include "generate.h"
#include "system.h"
#include "../../kernels/ops/random.h"

gpr_generator gpr_random;

uint64_t
gpr_random_shuffle (void)
{
  struct timespec now;
  timespec_get (&now, TIME_UTC);
  const gpr_words c = { { (u32) now.tv_sec, (u32) now.tv_nsec, (u32) gpr_system_pid (), 0 } };
  return gpr_philox (c, 0).w[0];
}

gpr_status
gpr_generate (const gpr_backend *b, gpr_generation *g)
{
  const int64_t each = gpr_generation_each (g);

  g->seed = gpr_random.seed;
  g->position = gpr_random.position;
  gpr_status status = g->count > 0 ? b->generate (g) : GPR_OK;
  if (status == GPR_OK && g->kind != GPR_RANGE)
    gpr_random.position += (uint64_t) ((g->count + each - 1) / each);
  return status;
}
