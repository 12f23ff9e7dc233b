/* Variants of the ladder on a fake GPU (fake_cuda): what is launched, in which order and
   with which arguments.  Its kernels do in a line what a variant's do.  */

#include "test.h"
#include "fake_cuda/fake_cuda.h"
#include "../../src/cuda/device.h"
#include "../../src/cuda/memory.h"
#include "../../src/cuda/problems.h"
#include "../../src/cuda/stream.h"
#include "../../kernels/engine/engine.h"
#include "../../kernels/ladder/check.h"

/* A device is opened by the engine's kernels, which are not called here.  */
const gpr_reduce_kernels *gpr_engine_sum (enum gpr_instance instance)
{
  static const gpr_reduce_kernels none;
  (void) instance;
  return &none;
}

/* ---- kernels ------------------------------------------------------------------- */

static const char map_kernel, sum_kernel, fused_kernel, second_kernel, delay_kernel;
static int launches, maps;

static size_t argument_bytes (const void *kernel)
{
  return kernel == &second_kernel ? sizeof (ladder_second_pass_args) : sizeof (ladder_reduce_args);
}

static void sum_up (const ladder_reduce_args *a, unsigned blocks, double scale, double bias)
{
  const int32_t *x = a->x;
  int32_t *partial = a->partial, *result = a->result;
  for (unsigned b = 0; b < blocks; b++)
    {
      partial[b] = 0;
      for (int64_t i = b; i < a->n; i += blocks)
        partial[b] += (int32_t) (scale * x[i] + bias);
    }
  for (unsigned b = 0; b < blocks && a->finish != LADDER_TWO_PASS && a->finish != LADDER_MULTI_LEVEL; b++)
    *result += partial[b];
}

static void run_kernel (const void *kernel, unsigned blocks, unsigned threads, const void *arguments)
{
  const ladder_reduce_args *a = arguments;
  const ladder_second_pass_args *p = arguments;
  (void) threads;
  if (kernel == &delay_kernel)
    return;
  launches++;
  if (kernel == &map_kernel)
    {
      maps++;
      for (int64_t i = 0; i < a->n; i++)
        ((int32_t *) a->x)[i] = (int32_t) (a->scale * ((int32_t *) a->x)[i] + a->bias);
    }
  else if (kernel == &second_kernel)
    {
      *(int32_t *) p->result = 0;
      for (int64_t i = 0; i < p->n; i++)
        *(int32_t *) p->result += ((const int32_t *) p->partial)[i];
    }
  else if (kernel == &fused_kernel)
    sum_up (a, blocks, a->scale, a->bias);
  else
    sum_up (a, blocks, 1, 0);
}

/* ---- a module of them ---------------------------------------------------------- */

enum { FUSED, UNFUSED, PLAIN_SUM, VARIANTS };
static ladder_variant variants[VARIANTS], map, second, slow;

static void describe (ladder_variant *v, const char *name, const void *kernel, double scale, double bias)
{
  *v = (ladder_variant) { .name = name, .aliases = "", .idea = "", .lesson = "", .wrong = "", .source = "", .per_thread = 1,
                          .grid_stride = true, .finishes = LADDER_ALL_FINISHES, .blocks = LADDER_ALL_BLOCKS, .default_block = 32,
                          .scale = scale, .bias = bias };
  for (int b = 0; b < LADDER_BLOCKS; b++)
    v->kernel[LADDER_SUM][LADDER_INT32][b] = kernel;
}

static int count (void) { return VARIANTS; }
static const ladder_variant *at (int i) { return &variants[i]; }
static const ladder_variant *second_pass (void) { return &second; }
static const ladder_variant *delay (void) { return &slow; }
static int use (int device) { return cudaSetDevice (device); }
static int resident_blocks (const ladder_variant *v, int op, int type, int block, size_t shared)
{
  (void) v, (void) op, (void) type, (void) block, (void) shared;
  return 40;
}
static int launch (const ladder_variant *v, int op, int type, int block, unsigned grid, size_t shared, void *args, void *stream,
                   int cooperative)
{
  void *list[] = { args };
  (void) cooperative;
  return cudaLaunchKernel (v->kernel[op][type][0], (dim3) { grid, 1, 1 }, (dim3) { block, 1, 1 }, list, shared, stream);
}
static const gpr_ladder_module module = { .count = count, .at = at, .second_pass = second_pass, .delay = delay, .use = use,
                                          .launch = launch, .resident_blocks = resident_blocks };

/* ---- runs ---------------------------------------------------------------------- */

static gpr_cuda_state state;

/* The variant's result; host: x lies there.  */
static int32_t run (int variant, int finish, int64_t n, const int32_t *x, bool host, bool unmapped, int repeats)
{
  int32_t value = -1;
  void *there = NULL;
  gpr_variant_run r = { .name = variants[variant].name, .op = LADDER_SUM, .type = LADDER_INT32, .finish = finish, .block = 32, .n = n,
                        .x = x, .unmapped = unmapped, .value = &value, .repeats = repeats };
  gpr_cuda_view view = gpr_cuda_bytes ((void *) x, n * sizeof *x);
  gpr_status status = GPR_OK;
  if (! host)
    {
      status = gpr_cuda_take (&state, &there, n * sizeof *x);
      if (status == GPR_OK)
        status = gpr_cuda_upload (&state, there, &view);
      gpr_cuda_finish (&state);
      r.x = there;
      r.x_resident = true;
    }
  launches = maps = 0;
  if (status == GPR_OK)
    status = gpr_cuda_variant (&state, &r, &module);
  expect (status == GPR_OK, "%s: %s", r.name, gpr_message ());
  if (! host)
    {
      int32_t *back = malloc (n * sizeof *back);
      gpr_cuda_view out = gpr_cuda_bytes (back, n * sizeof *back);
      expect (gpr_cuda_download (&state, &out, there) == GPR_OK && memcmp (back, x, n * sizeof *x) == 0, "%s changes its caller's x", r.name);
      gpr_cuda_give (there);
      free (back);
    }
  return value;
}

int main (void)
{
  static const int64_t lengths[] = { 1, 31, 32, 33, 500, 5000 };
  static int32_t x[5000];

  gpr_host = (gpr_cuda_host) { &gpr_interrupt_flag, &gpr_config, gpr_fail, &gpr_injected, NULL };
  gpr_config.threads = 1;
  fake_run_kernel = run_kernel;
  fake_argument_bytes_of = argument_bytes;
  describe (&variants[FUSED], "fused", &fused_kernel, 2, 1);
  describe (&variants[UNFUSED], "unfused", &sum_kernel, 2, 1);
  describe (&variants[PLAIN_SUM], "plain", &sum_kernel, 1, 0);
  describe (&map, "map", &map_kernel, 1, 0);
  describe (&second, "second_pass", &second_kernel, 1, 0);
  describe (&slow, "delay", &delay_kernel, 1, 0);
  variants[UNFUSED].first = &map;
  variants[UNFUSED].in_place = true;
  expect (gpr_cuda_open_device (&state, 0) == GPR_OK, "%s", gpr_message ());
  for (int i = 0; i < 5000; i++)
    x[i] = (int32_t) random_below (2001) - 1000;

  rule ("a_variant_that_maps_reduces_scale_x_plus_bias_however_it_ends_and_x_itself_unmapped");
  for (int i = 0; i < 6; i++)
    for (int finish = 0; finish < LADDER_FINISHES; finish++)
      for (int variant = 0; variant < VARIANTS; variant++)
        for (int way = 0; way < 8; way++)
          {
            const int64_t n = lengths[i];
            const bool unmapped = way & 1, host = way & 2;
            const int repeats = way & 4 ? 3 : 0;
            int32_t sum = 0;
            for (int64_t k = 0; k < n; k++)
              sum += x[k];
            const int32_t want = unmapped || variant == PLAIN_SUM ? sum : 2 * sum + (int32_t) n;
            const int32_t got = run (variant, finish, n, x, host, unmapped, repeats);
            expect (got == want, "%s, finish %d, n %d, way %d: %d, not %d", variants[variant].name, finish, (int) n, way, got, want);
          }

  rule ("the_first_launch_is_one_more_and_maps_all_elements_at_once");
  for (int finish = 0; finish < LADDER_FINISHES; finish++)
    {
      (void) run (FUSED, finish, 5000, x, true, false, 0);
      const int fused = launches;
      expect (maps == 0, "%d maps", maps);
      (void) run (UNFUSED, finish, 5000, x, true, false, 0);
      expect (launches == fused + 1 && maps == 1, "finish %d: %d launches after %d, %d maps", finish, launches, fused, maps);
    }

  rule ("nothing_is_done_with_memory_that_is_not_there");
  expect (fake.violations == 0, "%ld violations: %s", fake.violations, fake.last);
  gpr_cuda_free_ring (&state);
  gpr_cuda_close_device (&state);
  return verdict ();
}
