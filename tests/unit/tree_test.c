/* The tree of kernels/common/tree.h covers every row once, within its limits, and is
   what version 1 said it is.  */

#include "test.h"
#include "../../src/core/gpr.h"

static const int64_t sizes[] = { 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512,
  513, 1023, 1024, 1025, 2047, 2048, 2049, 4097, 30000, 65535, 65536, 65537, 1000003 };
static const int64_t huge[] = { (int64_t) 1 << 31, ((int64_t) 1 << 31) + 1, ((int64_t) 1 << 32) + 3, (int64_t) 1 << 40 };
static const int64_t bytes[] = { 1, 2, 4, 8, 16, 24, 32, 48 };
#define COUNT(a) ((int64_t) (sizeof (a) / sizeof *(a)))

static bool power_of_two (int64_t x) { return x > 0 && (x & (x - 1)) == 0; }

static void check_limits (int64_t b, int64_t l, int64_t n, int64_t u)
{
  gpr_tree t = gpr_tree_make (b, l, n, u);
  int64_t width = gpr_tree_width (b), steps = t.rows / t.lanes;
#define CASE "%s: bytes %lld, l %lld, n %lld, u %lld", __func__, (long long) b, (long long) l, (long long) n, (long long) u
  expect (t.inner == l && t.length == n && t.outer == u, CASE);
  expect (t.parts >= 1 && t.parts <= GPR_MAX_PARTS, CASE);
  expect (n == 0 || ((t.parts - 1) * t.rows < n && n <= t.parts * t.rows), CASE);
  expect (power_of_two (t.lanes) && t.rows % t.lanes == 0 && power_of_two (steps), CASE);
  expect (t.tiles * t.columns >= l && (t.tiles - 1) * t.columns < l, CASE);
  expect (t.lanes == 1 || (int64_t) t.lanes * t.columns <= width, CASE);
  expect (t.columns <= width, CASE);
  expect (b > 32 || width * b <= 8192, CASE);
  expect (n > 8 || (t.lanes == 1 && t.parts == 1), CASE);
}

/* Rows of every part and lane as the comment in tree.h has them, counted.  */
static void check_cover (int64_t l, int64_t n, int64_t u, bool ordered)
{
  gpr_tree t = gpr_tree_make (8, l, n, u);
  unsigned char *seen = calloc (1, (size_t) n + 1);
  int64_t run = t.rows / t.lanes, wrong = 0;
  for (int64_t p = 0; p < t.parts; p++)
    for (int64_t q = 0; q < t.lanes; q++)
      for (int64_t j = 0; j < run; j++)
        {
          int64_t r = p * t.rows + (ordered ? q * run + j : q + j * t.lanes);
          if (r < n)
            seen[r]++;
        }
  for (int64_t r = 0; r < n; r++)
    wrong += seen[r] != 1;
  expect (wrong == 0, "%lld rows of %lld not met once: l %lld, u %lld", (long long) wrong, (long long) n, (long long) l,
          (long long) u);
  free (seen);
}

static uint64_t fingerprint (void)
{
  uint64_t h = 14695981039346656037ull;
  for (int b = 0; b < COUNT (bytes); b++)
    for (int i = 0; i < COUNT (sizes); i++)
      for (int j = 0; j < COUNT (sizes); j++)
        for (int64_t u = 1; u < 10000; u *= 7)
          {
            gpr_tree t = gpr_tree_make (bytes[b], sizes[i], sizes[j], u);
            int64_t v[] = { t.rows, t.parts, t.lanes };   /* in which tile a column is changes no bit */
            for (int k = 0; k < COUNT (v); k++)
              h = (h ^ (uint64_t) v[k]) * 1099511628211ull;
          }
  return h;
}

int main (void)
{
  rule ("limits_of_parts_lanes_and_tiles");
  for (int b = 0; b < COUNT (bytes); b++)
    for (int i = 0; i < COUNT (sizes); i++)
      for (int64_t u = 1; u < 100000; u *= 7)
        {
          check_limits (bytes[b], sizes[i], 0, u);
          for (int j = 0; j < COUNT (sizes); j++)
            check_limits (bytes[b], sizes[i], sizes[j], u);
          for (int j = 0; j < COUNT (huge); j++)
            {
              check_limits (bytes[b], sizes[i], huge[j], u);
              check_limits (bytes[b], huge[j], sizes[i], u);
            }
        }

  rule ("every_row_in_one_lane_of_one_part");
  for (int i = 0; i < COUNT (sizes); i++)
    for (int j = 0; j < COUNT (sizes); j++)
      for (int64_t u = 1; u < 2000; u *= 37)
        {
          check_cover (sizes[i], sizes[j], u, false);
          check_cover (sizes[i], sizes[j], u, true);
        }

  rule ("up_to_8_elements_left_to_right");
  for (int64_t n = 0; n <= 8; n++)
    for (int i = 0; i < COUNT (sizes); i++)
      {
        gpr_tree t = gpr_tree_make (8, sizes[i], n, 3);
        expect (t.lanes == 1 && t.parts == 1 && t.rows >= n, "n %lld, l %lld", (long long) n, (long long) sizes[i]);
      }

  rule ("the_tree_is_that_of_its_version");
  expect (GPR_TREE_VERSION == 4 && fingerprint () == 0xcb9dc46e946aa960ull,
          "version %d, fingerprint %016llx: a changed tree needs a new version, NEWS, and its fingerprint here",
          GPR_TREE_VERSION, (unsigned long long) fingerprint ());

  rule ("settings_and_environment_do_not_change_it");
  {
    uint64_t before = fingerprint ();
    gpr_config.threads = 3;
    gpr_config.memory_limit = 1000;
    setenv ("OMP_NUM_THREADS", "5", 1);
    expect (fingerprint () == before, "fingerprint changed");
  }
  return verdict ();
}
