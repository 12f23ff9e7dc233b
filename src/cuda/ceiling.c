/* How fast the GPU reads its memory, which no reduction can beat: a plain reading, timed
   as the variants are.  */

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "modules.h"
#include "problems.h"
#include "stream.h"
#include "../../kernels/ladder/variant.h"

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;
  return (x > y) - (x < y);
}

/* Readings of so many bytes by grids of two shapes, a block for every tile and as
   many blocks as run at once: the better median, timed as the variants are.  */
static gpr_status
time_reading (gpr_cuda_state *s, const gpr_ladder_module *m, void *x, int64_t bytes, void *result, const cudaEvent_t *events,
              double *gbs)
{
  enum { BLOCK = 512, TILE = BLOCK * 16 * 4, ROUNDS = 15 };
  const ladder_variant *v = m->read_test ();
  ladder_reduce_args a = { .x = x, .n = bytes / TILE * TILE / 16, .result = result };
  int resident = m->resident_blocks (v, LADDER_SUM, LADDER_INT32, BLOCK, 0);
  float ms[2][ROUNDS];

  if (resident <= 0)
    return gpr_cuda_error (resident < 0 ? (cudaError_t) - resident : cudaErrorLaunchOutOfResources, "planning");
  for (int i = -2; i < 2 * ROUNDS; i++)         /* the first two warm up */
    {
      const int shape = i & 1;
      int64_t grid = bytes / TILE;
      if (shape == 0)
        grid = gpr_min64 (grid, resident);
      GPR_TRY (gpr_cuda_delay (s, m));
      GPR_CUDA_TRY (cudaEventRecord (events[0], s->work), "timing a kernel");
      GPR_CUDA_TRY ((cudaError_t) m->launch (v, LADDER_SUM, LADDER_INT32, BLOCK, (unsigned) gpr_min64 (grid, INT_MAX), 0, &a,
                                             s->work, false), "reading memory");
      GPR_CUDA_TRY (cudaEventRecord (events[1], s->work), "timing a kernel");
      GPR_TRY (gpr_cuda_wait (events[1]));
      GPR_CUDA_TRY (cudaEventElapsedTime (&ms[shape][i < 0 ? 0 : i / 2], events[0], events[1]), "timing a kernel");
    }
  for (int shape = 0; shape < 2; shape++)
    {
      qsort (ms[shape], ROUNDS, sizeof (float), compare_floats);
      *gbs = fmax (*gbs, a.n * 16 / ms[shape][ROUNDS / 2] * 1e-6);
    }
  return GPR_OK;
}

gpr_status
gpr_cuda_read_ceiling (gpr_cuda_state *s, const gpr_ladder_module *m, int64_t bytes, double *gbs)
{
  const int64_t usual = (int64_t) 1 << 30, least = 1 << 20;
  cudaEvent_t events[2] = { NULL, NULL };
  void *x = NULL, *result = NULL;

  *gbs = 0;
  bytes = gpr_max64 (bytes > 0 ? bytes : usual, least);
  GPR_TRY (gpr_cuda_use_module (s, m));
  gpr_status status = gpr_cuda_take (s, &x, bytes);
  if (status == GPR_OK)
    status = gpr_cuda_take (s, &result, 16);
  for (int i = 0; i < 2 && status == GPR_OK; i++)
    {
      cudaError_t e = cudaEventCreate (&events[i]);
      status = e == cudaSuccess ? GPR_OK : gpr_cuda_error (e, "making an event");
    }
  if (status == GPR_OK)
    {
      cudaError_t e = cudaMemsetAsync (x, 0, bytes, s->work);
      status = e == cudaSuccess ? GPR_OK : gpr_cuda_error (e, "clearing memory");
    }
  if (status == GPR_OK)
    status = time_reading (s, m, x, bytes, result, events, gbs);
  gpr_cuda_finish (s);
  for (int i = 0; i < 2; i++)
    if (events[i])
      (void) cudaEventDestroy (events[i]);
  gpr_cuda_give (x);
  gpr_cuda_give (result);
  return status;
}
