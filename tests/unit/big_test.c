/* Lengths, places and counts beyond 2^31 and 2^32, on a virtual input.  */

#define _GNU_SOURCE
#include "test.h"
#include "virtual.h"
#include "../../src/core/gpr.h"
#include "../../src/core/operators.h"
#include "../../src/cpu/cpu.h"

static const int64_t two31 = (int64_t) 1 << 31, two32 = (int64_t) 1 << 32;

static void check (enum gpr_instance instance, const void *x, int64_t l, int64_t n, int64_t u, void *value, int64_t *index)
{
  gpr_reduction r = { .instance = instance, .inner = l, .length = n, .outer = u, .x = x, .value = value, .index = index };
  gpr_status status = gpr_reduce (&gpr_cpu_backend, &r);
  expect (status == GPR_OK, "status %d: %s", status, gpr_message ());
}

static void reductions (int64_t n)
{
  char *piece;
  uint8_t *x = (uint8_t *) virtual_input ((size_t) n, &piece);
  double sum, want = 0;
  uint8_t most, truth;
  int64_t place, pieces = n / PIECE, last = n - 1 - random_below (n % PIECE - 1);

  if (! x)
    {
      expect (false, "no room for %lld virtual bytes", (long long) n);
      return;
    }
  check (GPR_any_u8, x, 1, n, 1, &truth, NULL);
  expect (truth == 0, "any of zeros");
  x[last] = 1;
  check (GPR_any_u8, x, 1, n, 1, &truth, NULL);
  expect (truth == 1, "any with a one at %lld", (long long) last);

  for (int64_t j = 0; j < PIECE; j++)
    want += (uint8_t) (piece[j] = (char) (j % 199));
  want *= (double) pieces;
  x[last] = 255;
  x[n - 1] = 255;
  want += last == n - 1 ? 255 : 510;
  check (GPR_sum_u8, x, 1, n, 1, &sum, NULL);
  expect (sum == want, "sum: %.17g, not %.17g", sum, want);
  check (GPR_max_u8, x, 1, n, 1, &most, NULL);
  expect (most == 255, "max: %d", most);
  check (GPR_argmax_u8, x, 1, n, 1, &most, &place);
  expect (most == 255 && place == last, "max: %d at %lld, not at %lld", most, (long long) place, (long long) last);

  /* Two columns of half the length: the pattern repeats each piece, so every
     element of column 0 but the tail's is known.  */
  {
    double sums[2], wanted[2] = { 0, 0 };
    uint8_t extremes[2];
    int64_t places[2], half = n / 2;
    for (int64_t j = 0; j < PIECE; j++)
      wanted[j & 1] += (double) pieces * (uint8_t) piece[j];
    for (int64_t j = pieces * PIECE; j < 2 * half; j++)
      wanted[j & 1] += x[j];
    check (GPR_sum_u8, x, 2, half, 1, sums, NULL);
    expect (sums[0] == wanted[0] && sums[1] == wanted[1], "two columns: %.17g %.17g, not %.17g %.17g", sums[0], sums[1],
            wanted[0], wanted[1]);
    check (GPR_argmax_u8, x, 2, half, 1, extremes, places);
    expect (extremes[last & 1] == 255 && places[last & 1] == last / 2, "max of column %d: %d at %lld, not %lld",
            (int) (last & 1), extremes[last & 1], (long long) places[last & 1], (long long) last / 2);
  }
  virtual_free ((char *) x, (size_t) n);
}

static enum gpr_instance instance_for (gpr_op op, gpr_class class, int64_t n)
{
  const gpr_question q = { .op = op, .class = class, .n = n };
  gpr_plan plan;
  return gpr_plan_make (&q, &plan) ? plan.instance : GPR_INSTANCE_NONE;
}

/* Below 2^32 elements the greatest sum, or sum of squares of 16 bits, fits in 64 bits; of more that of uint16's squares does not.  */
static void wider_accumulators (void)
{
  expect (UINT64_MAX / ((uint64_t) UINT16_MAX * UINT16_MAX) >= (uint64_t) two32 - 1, "squares of uint16");
  expect (instance_for (GPR_OP_SUMSQ, GPR_CLASS_uint16, two32 - 1) == GPR_sumsq_u16 && instance_for (GPR_OP_SUMSQ, GPR_CLASS_uint16, two32) == GPR_sumsqlong_u16, "sumsq of uint16");
  expect (instance_for (GPR_OP_RMS, GPR_CLASS_int16, two32 - 1) == GPR_sumsq_i16 && instance_for (GPR_OP_RMS, GPR_CLASS_int16, two32) == GPR_sumsqlong_i16, "rms of int16");
  expect (instance_for (GPR_OP_SUM, GPR_CLASS_int32, two32 - 1) == GPR_sum_i32 && instance_for (GPR_OP_SUM, GPR_CLASS_int32, two32) == GPR_sumlong_i32, "sum of int32");
  expect (instance_for (GPR_OP_SUMSQ, GPR_CLASS_uint8, two32) == GPR_sumsq_u8, "squares of uint8, of which 64 bits hold 2^48");
}

int main (void)
{
  rule ("sums_of_2_to_the_32_elements_take_wider_accumulators");
  wider_accumulators ();
  rule ("longer_than_2_to_the_31");
  reductions (two31 + 12346);
  rule ("longer_than_2_to_the_32");
  reductions (two32 + 4098);

  rule ("more_outputs_than_2_to_the_31");
  {
    /* any of rows of 1: as many results as elements.  */
    int64_t n = two31 + 5000, wrong = 0;
    char *piece;
    uint8_t *x = (uint8_t *) virtual_input ((size_t) n, &piece);
    uint8_t *y = mmap (NULL, (size_t) n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    long available = sysconf (_SC_AVPHYS_PAGES) / 1024 * (sysconf (_SC_PAGESIZE) / 1024);
    if (x && y != MAP_FAILED && available > 4000)
      {
        piece[7] = 3;
        x[n - 2] = 1;
        check (GPR_any_u8, x, 1, 1, n, y, NULL);
        for (int64_t j = 0; j < n; j++)
          wrong += y[j] != (x[j] != 0);
        expect (wrong == 0, "%lld of %lld wrong", (long long) wrong, (long long) n);
      }
    else
      printf ("       not tried: %ld MB free\n", available);
    munmap (y, (size_t) n);
    virtual_free ((char *) x, (size_t) n);
  }
  return verdict ();
}
