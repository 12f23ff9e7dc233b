/* The kernel of the cumulative functions, compiled for the CPU and run one thread after
   the other, gives the bits of the CPU backend: random operators, classes, sizes and
   numbers, overflow and NaN among them.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
static struct { unsigned x; } blockIdx, threadIdx, gridDim = { 2 };

#include "../../kernels/engine/scan.cu"
extern "C" {
#include "../../src/core/scan.h"
#include "../../src/cpu/cpu.h"
}
GPR_SCANS (GPR_SCAN_DEFINE_KIND)
#define ROW(id, op, T) GPR_SCAN_KIND (id, op, T),
static const gpr_scan_kind kinds[] = { GPR_SCANS (ROW) };
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What cpu/scan.c needs of the others.  */
extern "C" {
static volatile int never;
volatile int *gpr_interrupt_flag = &never;
int gpr_cpu_threads (void) { return 2; }
void gpr_cpu_note_pool (void) {}
gpr_status gpr_fail (gpr_status status, const char *, ...) { return status; }
}

static void
launch (const void *kernel, const gpr_scan_args &a)
{
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
    for (threadIdx.x = 0; threadIdx.x < GPR_REDUCE_THREADS; threadIdx.x++)
      ((void (*) (gpr_scan_args)) kernel) (a);
}

/* As cuda/scan.c.  */
static void
scan (const gpr_scan_kind *kind, const gpr_scanning &p, int bytes)
{
  const void *kernel = gpr_engine_scan (p.op, p.elem);
  gpr_scan_args a = { .x = p.x, .inner = p.inner, .length = p.length, .outer = p.outer, .rows = gpr_scan_block (p.length) };
  a.blocks = (p.length + a.rows - 1) / a.rows;
  const size_t slab = p.inner * a.blocks * kind->acc_bytes;
  char *totals = (char *) aligned_alloc (16, (p.outer * slab + 15) / 16 * 16);
  bool *doubtful = (bool *) calloc (p.outer, 1);

  a.totals = totals;
  if (a.blocks > 1)
    {
      launch (kernel, a);
      for (int64_t o = 0; o < p.outer; o++)
        doubtful[o] = gpr_scan_totals (kind, totals + o * slab, p.inner, a.blocks);
    }
  a.y = p.y;
  a.index = p.index;
  launch (kernel, a);
  for (int64_t o = 0; o < p.outer; o++)
    if (doubtful[o])
      {
        gpr_scan_args whole = a;
        whole.x = (const char *) a.x + o * p.inner * p.length * bytes;
        whole.y = (char *) a.y + o * p.inner * p.length * bytes;
        whole.index = a.index ? a.index + o * p.inner * p.length : NULL;
        whole.outer = whole.blocks = 1;
        whole.rows = p.length;
        launch (kernel, whole);
      }
  free (totals);
  free (doubtful);
}

/* Small ones, ones whose products over- and underflow, ones near 1 with NaN.  */
static double
number (int mood)
{
  double r = rand () / (double) RAND_MAX;
  return mood == 0 ? 2 * r - 1 : mood == 1 ? exp (40 * (r - 0.5)) : rand () % 50 ? 1 + r / 1000 : NAN;
}

int
main (void)
{
  static const int bytes_of[] = { 8, 4, 1, 1, 2, 2, 4, 4, 8, 8, 16, 8 };
  long passed = 0, failed = 0;

  srand (20261121);
  for (int round = 0; round < 800; round++)
    {
      const gpr_scan_kind *kind = &kinds[round % KINDS];
      const int bytes = bytes_of[kind->elem], mood = rand () % 3;
      gpr_scanning p = { .op = kind->op, .elem = kind->elem, .inner = 1 + rand () % 4, .length = 1 + rand () % 2000, .outer = 1 + rand () % 3 };
      const int64_t count = p.inner * p.length * p.outer;
      char *x = (char *) malloc (count * bytes), *y = (char *) malloc (count * bytes), *z = (char *) malloc (count * bytes);
      double *indices = (double *) malloc (count * sizeof *indices), *others = (double *) malloc (count * sizeof *others);
      bool extreme = kind->op == GPR_SCAN_cummax || kind->op == GPR_SCAN_cummin;

      for (int64_t i = 0; i < count * bytes; i++)
        x[i] = (char) rand ();
      if (kind->elem == GPR_f64 || kind->elem == GPR_c128)
        for (int64_t i = 0; i < count * bytes / 8; i++)
          ((double *) x)[i] = number (mood);
      if (kind->elem == GPR_f32 || kind->elem == GPR_c64)
        for (int64_t i = 0; i < count * bytes / 4; i++)
          ((float *) x)[i] = (float) number (mood);
      p.x = x;
      p.y = y;
      p.index = extreme ? indices : NULL;
      bool good = gpr_cpu_scan (&p) == GPR_OK;
      p.y = z;
      p.index = extreme ? others : NULL;
      scan (kind, p, bytes);
      good = good && memcmp (y, z, count * bytes) == 0 && (! extreme || memcmp (indices, others, count * sizeof *indices) == 0);
      (good ? passed : failed)++;
      if (! good)
        printf ("FAILED: operator %d element %d l %ld n %ld u %ld mood %d\n", kind->op, kind->elem, (long) p.inner, (long) p.length, (long) p.outer, mood);
      free (x);
      free (y);
      free (z);
      free (indices);
      free (others);
    }
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed != 0;
}
