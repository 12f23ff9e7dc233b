/* What every unit test needs: rules by name, random numbers, random inputs.

   rule ("name") begins a rule, expect () notes what breaks it; the rule's line
   is printed when the next one begins or at verdict (), which also gives the
   program's exit status.  */

#ifndef GPR_TEST_H
#define GPR_TEST_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __SANITIZE_THREAD__
/* A signal handler of Octave's writes what this reads.  */
const char *__tsan_default_suppressions (void);
const char *__tsan_default_suppressions (void) { return "race:^gpr_interrupted$\n"; }
#endif

static const char *test_rule;
static int test_broken, test_passed, test_failed;

static inline void test_close (void)
{
  if (test_rule)
    {
      printf ("%-6s %s\n", test_broken ? "FAILED" : "passed", test_rule);
      fflush (stdout);
      if (test_broken)
        test_failed++;
      else
        test_passed++;
    }
  test_rule = NULL;
}

static inline void rule (const char *name)
{
  test_close ();
  test_rule = name;
  test_broken = 0;
}

__attribute__ ((format (printf, 2, 3)))
static inline void expect (bool holds, const char *format, ...)
{
  va_list args;
  if (holds || test_broken++ >= 5)
    return;
  va_start (args, format);
  printf ("       ");
  vprintf (format, args);
  printf ("\n");
  va_end (args);
}

static inline int verdict (void)
{
  test_close ();
  printf ("%d passed, %d failed\n", test_passed, test_failed);
  return test_failed != 0;
}

static inline double seconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* xorshift64*, Vigna 2016; TEST_SEED changes the start.  */
static inline uint64_t random_u64 (void)
{
  static uint64_t s;
  if (s == 0)
    {
      const char *seed = getenv ("TEST_SEED");
      s = 0x9E3779B97F4A7C15ull ^ (seed ? strtoull (seed, NULL, 0) : 0);
    }
  s ^= s >> 12;
  s ^= s << 25;
  s ^= s >> 27;
  return s * 0x2545F4914F6CDD1Dull;
}
static inline int64_t random_below (int64_t n) { return (int64_t) (random_u64 () >> 1) % n; }

/* TEST_CASES, or so many: random cases of each instance.  */
static inline int test_cases (int most)
{
  const char *wanted = getenv ("TEST_CASES");
  return wanted ? atoi (wanted) : most;
}
static inline double random_unit (void) { return (double) (random_u64 () >> 11) * 0x1p-53; }

/* What an input is like.  */
enum { PLAIN, SPRINKLED, TIES, EXTREME, ALL_NAN, MOODS };

static inline double random_f64 (int mood)
{
  static const uint64_t special[] = { 0x7FF8000000000000ull, 0x7FF840F440000000ull /* NA */,
    0x7FF0000000000000ull, 0xFFF0000000000000ull, 0x8000000000000000ull, 0, 1, 0x7FEFFFFFFFFFFFFFull };
  double x;
  if (mood == ALL_NAN || (mood == SPRINKLED && random_below (16) == 0))
    {
      memcpy (&x, &special[random_below (mood == ALL_NAN ? 2 : 8)], sizeof x);
      return x;
    }
  if (mood == TIES)
    return (double) (random_below (5) - 2);
  x = 2 * random_unit () - 1;
  if (mood == EXTREME)
    {
      const uint64_t bits = (uint64_t) (random_below (1400) - 700 + 1023) << 52;
      double power;             /* of two */
      memcpy (&power, &bits, sizeof power);
      x *= power;
    }
  return x;
}

static inline float random_f32 (int mood)
{
  static const uint32_t na = 0x7FC207A2u;
  float x = (float) random_f64 (mood);
  if (x != x && random_below (2))
    memcpy (&x, &na, sizeof x);
  return x;
}

static inline uint64_t random_integer (int bytes, int mood)
{
  uint64_t top = (uint64_t) 1 << (8 * bytes - 1);
  switch (mood)
    {
    case PLAIN: return random_u64 ();
    case SPRINKLED: return random_below (3) ? random_u64 () : (uint64_t) random_below (3) - 1;
    case TIES: return (uint64_t) random_below (4) - 1;
    case EXTREME: return random_below (2) ? top - (uint64_t) random_below (2) : top + (uint64_t) random_below (2);
    default: return 0;
    }
}

/* count numbers of kind 'f' (float), 'c' (complex: pairs) or 'i' (integers) of so many bytes.  */
static inline void random_fill (void *x, char kind, int bytes, int64_t count, int mood)
{
  if (kind == 'c')
    {
      kind = 'f';
      bytes /= 2;
      count *= 2;
    }
  for (int64_t i = 0; i < count; i++)
    if (kind == 'f' && bytes == 8)
      ((double *) x)[i] = random_f64 (mood);
    else if (kind == 'f')
      ((float *) x)[i] = random_f32 (mood);
    else
      {
        uint64_t v = random_integer (bytes, mood);
        memcpy ((char *) x + i * bytes, &v, (size_t) bytes);
      }
}

#endif
