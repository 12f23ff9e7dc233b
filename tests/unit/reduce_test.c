/* The CPU backend's reductions against tests/oracle/tree_oracle.h, bit for bit: every
   instance, every instruction set, several thread counts.  NaN results need only both
   be NaN, since the fix-up decides which.  */

#include "test.h"
#include "../../src/cpu/cpu.h"
#include "../oracle/tree_oracle.h"

GPR_INSTANCES (GPR_DEFINE_INSTANCE)

GPR_INSTANCES (GPR_DEFINE_TREE_ORACLE)

#define ROW(id, FAMILY, X, A, Y) \
  { oracle_##id, GPR_##X == GPR_c128 || GPR_##X == GPR_c64 ? 'c' : GPR_##X <= GPR_f32 ? 'f' : 'i', \
    _Generic ((id##_y) {0}, f64: 'f', f32: 'f', c128: 'c', c64: 'c', default: 'i') },
static const struct
{
  int (*oracle) (const gpr_reduction *r);
  char input, result;   /* 'f' float, 'c' complex, 'i' integer */
} plain[GPR_INSTANCE_COUNT] = { GPR_INSTANCES (ROW) };

static bool same (char kind, int bytes, const void *a, const void *b)
{
  if (memcmp (a, b, (size_t) bytes) == 0)
    return true;
  if (kind == 'c')
    return same ('f', bytes / 2, a, b)
           && same ('f', bytes / 2, (const char *) a + bytes / 2, (const char *) b + bytes / 2);
  if (kind == 'f' && bytes == 8)
    return *(const double *) a != *(const double *) a && *(const double *) b != *(const double *) b;
  if (kind == 'f')
    return *(const float *) a != *(const float *) a && *(const float *) b != *(const float *) b;
  return false;
}

static int64_t compared;

static void check (enum gpr_instance instance, int64_t l, int64_t n, int64_t u, int mood, const int *threads)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  int64_t outputs = l * u;
  size_t size = (size_t) (l * n * u * f->elem_bytes), value_bytes = (size_t) f->value_bytes;
  /* Of exact sizes, so that AddressSanitizer sees one element too many.  */
  char *x = malloc (size ? size : 1), *want = malloc ((size_t) outputs * value_bytes);
  char *got = malloc ((size_t) outputs * value_bytes);
  int64_t *want_index = calloc ((size_t) outputs, sizeof *want_index), *got_index = malloc ((size_t) outputs * sizeof *got_index);
  gpr_reduction r = { .instance = instance, .inner = l, .length = n, .outer = u, .x = x };
  bool needs_fixup, with_index = f->has_index && random_below (4);

  r.divisor = random_below (3) ? 0 : (double) n + 0.5;
  random_fill (x, plain[instance].input, f->elem_bytes, l * n * u, mood);
  r.value = want;
  r.index = want_index;
  needs_fixup = plain[instance].oracle (&r);
  r.value = got;
  for (; *threads; threads++)
    {
      gpr_status status;
      int64_t wrong = 0, first = -1;
      gpr_config.threads = *threads;
      memset (got, 0x55, (size_t) outputs * value_bytes);
      memset (got_index, 0x55, (size_t) outputs * sizeof *got_index);
      r.index = with_index ? got_index : NULL;
      r.needs_fixup = false;
      status = gpr_cpu_backend.reduce (&r);
      for (int64_t j = 0; j < outputs; j++)
        if (! same (plain[instance].result, f->value_bytes, want + j * f->value_bytes, got + j * f->value_bytes)
            || (with_index && want_index[j] != got_index[j]))
          {
            wrong++;
            if (first < 0)
              first = j;
          }
      expect (status == GPR_OK && wrong == 0 && r.needs_fixup == needs_fixup,
              "%s l %lld n %lld u %lld mood %d threads %d: status %d, %lld of %lld differ, first %lld, needs_fixup %d not %d",
              f->name, (long long) l, (long long) n, (long long) u, mood, *threads, status, (long long) wrong,
              (long long) outputs, (long long) first, r.needs_fixup, needs_fixup);
      compared += outputs;
    }
  free (x);
  free (want);
  free (got);
  free (want_index);
  free (got_index);
}

int main (void)
{
  static const int64_t lengths[] = { 0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 127, 128, 129, 130, 511, 513, 1000,
    2047, 2048, 2049, 4100, 8191, 20000, 65539 };
  static const int64_t counts[] = { 1, 1, 1, 2, 3, 4, 5, 7, 16, 33, 100, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 3000 };
  static const int few[] = { 1, 2, 3, 7, 0 }, two[] = { 1, 2, 0 };
  const int cases = test_cases (30);    /* of each instance */
  char name[64];
#define PICK(a) a[random_below (sizeof (a) / sizeof *(a))]

  snprintf (name, sizeof name, "every_instance_is_the_tree_%s%s", gpr_cpu_isa (), gpr_cpu_openmp () ? "" : "_without_openmp");
  rule (name);
  for (int f = 0; f < GPR_INSTANCE_COUNT; f++)
    for (int i = 0; i < cases; i++)
      {
        int64_t l = PICK (counts), n = PICK (lengths), u = PICK (counts);
        int mood = (int) random_below (MOODS);
        while (l * n * u > (i == 0 ? 300000 : 20000))
          if (l >= u && l > 1)
            l = l / 2;
          else if (u > 1)
            u = u / 2;
          else
            n = n / 2;
        check (f, l, n, u, mood, i % 4 ? two : few);
      }

  rule ("long_rows_and_many_parts");
  for (int f = 0; f < GPR_INSTANCE_COUNT; f += 7)
    check (f, 1, 1000003 + f, 1, PLAIN, few);
  printf ("%lld results compared\n", (long long) compared);
  return verdict ();
}
