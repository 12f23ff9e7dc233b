/* The CUDA backend's host side without a GPU: transfers, chunks and shares on a
   played one (fake_cuda), whose kernels are the CPU's loops.  */

#define _GNU_SOURCE
#include <pthread.h>
#include "test.h"
#include "fake_cuda/fake_cuda.h"
#include "../../src/cpu.h"
#include "../../src/cuda_internal.h"
#include "../../src/split.h"

static volatile int flag;
gpr_cuda_host gpr_host = { &gpr_interrupt_flag, &gpr_config, gpr_fail, &gpr_injected };

void gpr_cuda_reset_modules (int device)
{
  (void) device;
}

/* ---- kernels ------------------------------------------------------------------- */

static char parts_kernel[GPR_FOLD_COUNT], products_kernel[GPR_FOLD_COUNT], finish_kernel[GPR_FOLD_COUNT];

static int number_of (const char *kernels, const void *kernel)
{
  const char *k = kernel;
  return k >= kernels && k < kernels + GPR_FOLD_COUNT ? (int) (k - kernels) : -1;
}

/* All folds are of the first group here.  */
const gpr_fold_kernel *gpr_engine_sum (enum gpr_fold fold)
{
  static gpr_fold_kernel all[GPR_FOLD_COUNT];
  const gpr_fold_info *f = &gpr_folds[fold];
  all[fold] = (gpr_fold_kernel) { parts_kernel + fold, finish_kernel + fold,
                                  f->traits & GPR_PRODUCTS ? products_kernel + fold : NULL,
                                  gpr_tree_width (f->acc_bytes), 1, f->elem_bytes, f->acc_bytes, f->value_bytes };
  return &all[fold];
}
#define NO_GROUP(name) const gpr_fold_kernel *gpr_engine_##name (enum gpr_fold fold) { (void) fold; return NULL; }
NO_GROUP (sumsq) NO_GROUP (prod) NO_GROUP (native) NO_GROUP (extreme) NO_GROUP (place) NO_GROUP (truth)
NO_GROUP (moments) NO_GROUP (norm)

static void store (enum gpr_fold fold, const gpr_fold_out *out, int64_t at, const void *acc)
{
  const gpr_fold_info *f = &gpr_folds[fold];
  if (gpr_cpu_loops_baseline[fold].finish (acc, 1, out->divisor, (char *) out->value + at * f->value_bytes,
                                           out->index ? out->index + at : NULL))
    *out->suspect = 1;
}

static void fold_parts (enum gpr_fold fold, const gpr_fold_args *a, bool products)
{
  const gpr_fold_info *f = &gpr_folds[fold];
  const gpr_cpu_loops *loops = &gpr_cpu_loops_baseline[fold];
  const int64_t bytes = f->elem_bytes;
  char acc[256 * GPR_ACC_BYTES] __attribute__ ((aligned (64)));

  for (int64_t i = 0; i < a->units; i++)
    {
      int64_t tile = i % a->tiles, part = i / a->tiles % a->parts, outer = i / a->tiles / a->parts;
      int64_t first = (a->first_part + part) * a->rows, rows = a->n - first < a->rows ? a->n - first : a->rows;
      int64_t column = (a->first_tile + tile) * a->columns, columns = a->l - column < a->columns ? a->l - column : a->columns;
      int64_t step = a->row_stride, k = f->traits & GPR_ORDERED ? 1 : a->lanes;
      const char *x = (const char *) a->x + (outer * a->outer_stride + tile * a->columns + part * a->rows * a->row_stride) * bytes;
      char *made = NULL;
      if (products)
        {
          made = malloc ((size_t) (rows * columns * bytes));
          for (int64_t r = 0; r < rows; r++)
            gpr_cpu_products (f->elem, x + r * step * bytes, x + a->second + r * step * bytes, made + r * columns * bytes, columns);
          x = made;
          step = columns;
        }
      loops->init (acc, k * columns);
      loops->lanes (acc, x, k * step, rows / k, k * columns, first, k, columns);
      if (rows % k)
        loops->lanes (acc, x + rows / k * k * step * bytes, 0, 1, rows % k * columns, first + rows / k * k, k, columns);
      if (k > 1)
        loops->halve (acc, k, columns);
      for (int64_t c = 0; c < columns; c++)
        {
          int64_t out = outer * a->out_columns + tile * a->columns + c;
          if (a->all_parts == 1)
            store (fold, &a->out, out, acc + c * f->acc_bytes);
          else
            memcpy ((char *) a->partials + (out * a->all_parts + a->first_part + part) * f->acc_bytes,
                    acc + c * f->acc_bytes, (size_t) f->acc_bytes);
        }
      free (made);
    }
}

static void run_kernel (const void *kernel, const void *arguments)
{
  int fold = number_of (finish_kernel, kernel);
  if (number_of (parts_kernel, kernel) >= 0)
    fold_parts (number_of (parts_kernel, kernel), arguments, false);
  else if (number_of (products_kernel, kernel) >= 0)
    fold_parts (number_of (products_kernel, kernel), arguments, true);
  else
    {
      const gpr_finish_args *a = arguments;
      const size_t acc = gpr_folds[fold].acc_bytes;
      for (int64_t i = 0; i < a->outputs; i++)
        {
          char *p = (char *) a->partials + i * a->parts * acc;
          for (int64_t s = 1; s < a->parts; s *= 2)
            for (int64_t j = 0; j + s < a->parts; j += 2 * s)
              gpr_cpu_loops_baseline[fold].merge (p + j * acc, p + (j + s) * acc, 1);
          store (fold, &a->out, i, p);
        }
    }
}

static size_t argument_bytes (const void *kernel)
{
  return number_of (finish_kernel, kernel) >= 0 ? sizeof (gpr_finish_args) : sizeof (gpr_fold_args);
}

/* The device's share is all.  */
static gpr_status all_shared (gpr_reduction *r)
{
  gpr_share s;
  gpr_status status = gpr_share_open (&s, r);
  if (status == GPR_OK)
    {
      status = gpr_cuda_share (&s);
      gpr_share_close (&s, status);
    }
  return status;
}

static const gpr_backend gpu = { .name = "played", .fold = gpr_cuda_fold, .share = gpr_cuda_share };

/* ---- problems ---------------------------------------------------------------------- */

static void at_rest (const char *after)
{
  gpr_cuda_memory m;
  gpr_cuda_memory_now (&m);
  expect (fake.violations == 0 && fake.locked == 0 && m.in_use == 0,
          "after %s: %ld violations (%s), %ld ranges locked, %lld bytes in use", after, fake.violations,
          fake.last ? fake.last : "", fake.locked, (long long) m.in_use);
  fake.violations = 0;
}

static char kind_of (enum gpr_elem e)
{
  return e == GPR_c128 || e == GPR_c64 ? 'c' : e <= GPR_f32 ? 'f' : 'i';
}

/* As the CPU alone, by the GPU alone and by both.  */
static void compare (enum gpr_fold fold, int64_t l, int64_t n, int64_t u, bool products, int times)
{
  const gpr_fold_info *f = &gpr_folds[fold];
  size_t elements = (size_t) (l * n * u), bytes = (size_t) (l * u * f->value_bytes), places = (size_t) (l * u) * sizeof (int64_t);
  /* Not at a page's beginning, as Octave's arrays are.  */
  char *block = malloc (2 * elements * f->elem_bytes + 16), *x = block + 16, *want = malloc (bytes), *got = malloc (bytes);
  int64_t *want_at = malloc (places), *got_at = malloc (places);
  gpr_reduction r = { .fold = fold, .l = l, .n = n, .u = u, .x = x, .divisor = random_below (3) ? 0 : (double) n,
                      .y = products ? x + elements * f->elem_bytes : NULL };

  random_fill (x, kind_of (f->elem), f->elem_bytes, (int64_t) elements * (products ? 2 : 1), random_below (2) ? PLAIN : TIES);
  r.value = want;
  r.index = f->indexed ? want_at : NULL;
  gpr_config.threads = 2;
  gpr_status status = gpr_cpu_backend.fold (&r);
  bool suspect = r.suspect;
  r.value = got;
  r.index = f->indexed ? got_at : NULL;
  for (int i = 0; i < times; i++)
    {
      gpr_config.threads = 1 + (int) random_below (4);
      gpr_config.in_place_threads = (int) random_below (4);
      gpr_config.memory_limit = random_below (2) ? 0 : (size_t) 8 << 20;
      memset (got, 0x55, bytes);
      memset (got_at, 0x55, places);
      r.suspect = false;
      const char *how = i % 4 == 3 && gpr_splits (&r) ? "all shared" : i % 2 ? "both" : "gpu";
      if (status == GPR_OK)
        status = how[0] == 'a' ? all_shared (&r) : how[0] == 'b' ? gpr_split_fold (&gpu, &r) : gpr_cuda_fold (&r);
      expect (status == GPR_OK && memcmp (want, got, bytes) == 0 && r.suspect == suspect
              && (! f->indexed || memcmp (want_at, got_at, places) == 0),
              "%s l %lld n %lld u %lld%s %s: status %d (%s), threads %d, in place up to %d", f->name, (long long) l, (long long) n,
              (long long) u, products ? ", products" : "", how, status, status ? gpr_message () : "",
              gpr_config.threads, gpr_config.in_place_threads);
      at_rest (f->name);
    }
  gpr_config.memory_limit = 0;
  free (block);
  free (want);
  free (got);
  free (want_at);
  free (got_at);
}

/* ---- transfers ------------------------------------------------------------------------- */

/* Every byte of a view, there and back; what lies between its segments stays.  */
static gpr_status there_and_back (size_t segment, size_t stride, int64_t count, bool *equal)
{
  const size_t total = segment * count, room = stride * count + 64;
  char *from = malloc (room), *to = malloc (room), *want = malloc (room);
  gpr_cuda_view up = { from + 16, segment, stride, count }, down = { to + 16, segment, stride, count };
  gpr_cuda_state *s;
  void *device = NULL;

  for (size_t i = 0; i < room; i += 8)
    {
      uint64_t v = random_u64 ();
      memcpy (from + i, &v, room - i < 8 ? room - i : 8);
    }
  memset (to, 0x55, room);
  memset (want, 0x55, room);
  for (int64_t i = 0; i < count; i++)
    memcpy (want + 16 + i * stride, from + 16 + i * stride, segment);
  gpr_status status = gpr_cuda_enter (&s, NULL, NULL, NULL);
  if (status == GPR_OK)
    {
      status = gpr_cuda_take (&device, total);
      if (status == GPR_OK)
        status = gpr_cuda_upload (s, device, &up);
      if (status == GPR_OK)
        status = gpr_cuda_download (s, &down, device);
      gpr_cuda_leave (s);
      gpr_cuda_give (device);
    }
  *equal = memcmp (to, want, room) == 0;
  free (from);
  free (to);
  free (want);
  return status;
}

static void transfer (size_t segment, size_t stride, int64_t count)
{
  bool equal;
  gpr_status status = there_and_back (segment, stride, count, &equal);
  expect (status == GPR_OK && equal, "%lld segments of %zu bytes, stride %zu: status %d (%s), %s; threads %d, in place up to %d",
          (long long) count, segment, stride, status, status ? gpr_message () : "", equal ? "equal" : "other bytes",
          gpr_config.threads, gpr_config.in_place_threads);
  at_rest ("a transfer");
}

static void *press (void *late)
{
  struct timespec t = { 0, *(int *) late * 100000 };
  nanosleep (&t, NULL);
  flag = 1;
  return NULL;
}

int main (void)
{
  gpr_interrupt_flag = &flag;
  fake_run_kernel = run_kernel;
  fake_argument_bytes = argument_bytes;

  rule ("transfers_of_any_size_and_stride_arrive_by_any_number_of_threads");
  for (int i = 0; i < 60; i++)
    {
      size_t segment = (size_t) random_below (i % 3 ? 40000 : 4000000) + 1;
      gpr_config.threads = 1 + (int) random_below (4);
      gpr_config.in_place_threads = i % 2 ? 4 : 0;
      transfer (segment, segment + (size_t) random_below (3) * 100, 1 + random_below (i % 3 ? 60 : 2));
    }
  gpr_config.threads = 3;
  transfer ((size_t) 70 << 20, (size_t) 70 << 20, 1);
  gpr_config.in_place_threads = 0;
  transfer ((size_t) 70 << 20, (size_t) 70 << 20, 1);
  expect (fake.locks > 0, "nothing was locked in place");
  expect (fake.pinned_bytes <= (size_t) 33 << 20, "%zu bytes pinned", fake.pinned_bytes);

  rule ("memory_that_cannot_be_locked_goes_through_the_ring");
  fake_refuses_locks = true;
  gpr_config.in_place_threads = 4;
  transfer (5000000, 5000000, 1);
  expect (gpr_cuda_states[0].locks_fail, "not noticed");
  fake_refuses_locks = false;
  gpr_cuda_states[0].locks_fail = false;

  rule ("host_data_gives_the_cpus_bits_streamed_alone_or_shared");
  for (int f = 0; f < GPR_FOLD_COUNT; f++)
    {
      static const int64_t shapes[][3] = { { 1, 150000, 1 }, { 3, 20001, 2 }, { 1, 30011, 5 }, { 1, 700, 200 }, { 1500, 40, 3 } };
      const int64_t *d = shapes[random_below (5)];
      compare (f, d[0], d[1], d[2], gpr_folds[f].traits & GPR_PRODUCTS && random_below (2), 4);
    }
  compare (GPR_FOLD_sum_f64, 1, 2000000, 1, false, 8);
  compare (GPR_FOLD_max_f32, 1, 5000001, 1, false, 4);
  compare (GPR_FOLD_sum_f64, 1, 700000, 1, true, 8);
  compare (GPR_FOLD_sum_f64, 5, 100000, 3, false, 8);
  compare (GPR_FOLD_sum_f64, 1, 1000, 1500, false, 8);

  rule ("a_call_that_fails_leaves_nothing_behind_and_the_next_one_works");
  {
    const int64_t n = 400000;
    double *x = malloc (n * sizeof *x), sum = 0, want = 0;
    gpr_reduction r = { .fold = GPR_FOLD_sum_f64, .l = 1, .n = n, .u = 1, .x = x, .value = &want };
    random_fill (x, 'f', 8, n, PLAIN);
    gpr_cpu_backend.fold (&r);
    r.value = &sum;
    gpr_config.threads = 3;
    for (int way = 0; way < 6; way++)
      {
        int failed = 0;
        gpr_config.in_place_threads = way < 3 ? 0 : 4;
        for (int nth = 1; nth < 2000; nth++)
          {
            gpr_cuda_state *s = &gpr_cuda_states[0];
            s->locks_fail = false;
            if (nth % 10 == 1)
              {
                gpr_cuda_free_pieces (s);
                gpr_cuda_trim_cache ();
              }
            sum = 0;
            gpr_injected.memory = nth % 2;
            gpr_injected.until = nth;
            gpr_status status = way % 3 == 2 ? gpr_split_fold (&gpu, &r) : way % 3 ? all_shared (&r) : gpr_cuda_fold (&r);
            bool hit = gpr_injected.until == 0;
            gpr_injected.until = 0;
            failed += status != GPR_OK;
            expect (status == GPR_OK ? memcmp (&sum, &want, sizeof sum) == 0 : hit && gpr_message ()[0] != '\0',
                    "fault %d, way %d: status %d (%s), %g not %g", nth, way, status, gpr_message (), sum, want);
            at_rest ("a fault");
            if (! hit)
              break;
          }
        expect (failed > (way % 3 == 2 ? 0 : 10), "way %d: only %d failed", way, failed);
      }
    expect (gpr_cuda_fold (&r) == GPR_OK && memcmp (&sum, &want, sizeof sum) == 0, "%g not %g", sum, want);
    at_rest ("a call");

    rule ("an_interruption_is_seen_in_the_middle_and_leaves_nothing_behind");
    int stopped = 0;
    for (int i = 0; i < 40; i++)
      {
        pthread_t other;
        gpr_config.in_place_threads = i % 3 ? 0 : 4;
        pthread_create (&other, NULL, press, &i);
        gpr_status status = i % 2 ? gpr_split_fold (&gpu, &r) : gpr_cuda_fold (&r);
        pthread_join (other, NULL);
        expect (status == GPR_INTERRUPTED || (status == GPR_OK && memcmp (&sum, &want, sizeof sum) == 0), "status %d", status);
        stopped += status == GPR_INTERRUPTED;
        at_rest ("an interruption");
        flag = 0;
      }
    expect (stopped > 0, "none of 40 was stopped");
    free (x);
  }

  rule ("a_reset_gives_back_all_memory");
  expect (gpr_cuda_reset () == GPR_OK, "%s", gpr_message ());
  gpr_cuda_trim_cache ();
  expect (fake.pinned_blocks == 0, "%ld blocks pinned", fake.pinned_blocks);
  return verdict ();
}
