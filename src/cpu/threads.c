/* Which instruction set and how many threads.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "part.h"
#include "../core/system.h"

/* ---- instruction sets ------------------------------------------------------ */

typedef enum { BASELINE, AVX2, AVX512 } isa;

/* GPR_NO_BASELINE: compiled for the processor of this machine alone, which has AVX2; GPR_AVX2_FOR_PRODUCTS: and
   AVX-512, so that of AVX2 there is only what complex products need (isa_for).  */
#if defined GPR_AVX2_FOR_PRODUCTS
enum { LOWEST = AVX512 };
#elif defined GPR_NO_BASELINE
enum { LOWEST = AVX2 };
#else
enum { LOWEST = BASELINE };
#endif

#ifdef GPR_HAVE_AVX512
static bool
has_avx512 (void)
{
  return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
         && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vl");
}
#endif

bool
gpr_cpu_can_run (void)
{
#if defined GPR_AVX2_FOR_PRODUCTS
  return has_avx512 ();
#elif defined GPR_NO_BASELINE
  return __builtin_cpu_supports ("avx2");
#else
  return true;
#endif
}

static isa
best_isa (void)
{
  static int best = -1;
  if (best < 0)
    {
      const char *most = getenv ("GPUREDUCE_ISA");
      bool none = most && strcmp (most, "baseline") == 0;
      best = LOWEST;
      (void) none;
#ifdef GPR_HAVE_AVX2
      if ((isa) LOWEST < AVX2 && __builtin_cpu_supports ("avx2") && ! none)
        best = AVX2;
#endif
#ifdef GPR_HAVE_AVX512
      if (has_avx512 () && ! most)
        best = AVX512;
#endif
    }
  return best;
}

/* gcc 12 fuses complex products into vfmaddsub for AVX-512 in spite of
   -ffp-contract=off, which gives other bits.  */
static isa
isa_for (bool complex_products)
{
  return best_isa () == AVX512 && complex_products ? AVX2 : best_isa ();
}

const char *
gpr_cpu_isa (void)
{
  static const char *const names[] = { "baseline", "avx2", "avx512" };
  return names[best_isa ()];
}

static bool
is_complex (enum gpr_elem elem)
{
  return elem == GPR_c128 || elem == GPR_c64;
}

/* Returns TABLE (ISA) of the instruction set i, where that is compiled here.  */
#ifdef GPR_HAVE_AVX512
#define OF_AVX512(TABLE) case AVX512: return TABLE (avx512);
#else
#define OF_AVX512(TABLE)
#endif
#ifdef GPR_HAVE_AVX2
#define OF_AVX2(TABLE) case AVX2: return TABLE (avx2);
#else
#define OF_AVX2(TABLE)
#endif
#ifndef GPR_NO_BASELINE
#define OF_BASELINE(TABLE) case BASELINE: return TABLE (baseline);
#else
#define OF_BASELINE(TABLE)
#endif
#define RETURN_OF(i, TABLE) switch (i) { OF_AVX512 (TABLE) OF_AVX2 (TABLE) OF_BASELINE (TABLE) default: return NULL; }

const gpr_cpu_loops *
gpr_cpu_loops_of (enum gpr_instance instance)
{
#define LOOPS(ISA) gpr_cpu_loops_##ISA[instance]
  const gpr_instance_info *f = &gpr_instances[instance];
  RETURN_OF (isa_for (is_complex (f->elem) && (f->traits & GPR_FIXUP_MASK) == GPR_FIXUP_PRODUCT), LOOPS)
}

static const gpr_cpu_vector *
vectors_of (isa i)
{
#define VECTOR(ISA) &gpr_cpu_vector_##ISA
  RETURN_OF (i, VECTOR)
}

const gpr_cpu_vector *
gpr_cpu_vectors (void)
{
  return vectors_of (best_isa ());
}

const gpr_cpu_vector *
gpr_cpu_vectors_for_products (enum gpr_elem elem)
{
  return vectors_of (isa_for (is_complex (elem)));
}

const gpr_cpu_scans *
gpr_cpu_scans_of (enum gpr_elem elem)
{
#define SCANS(ISA) &gpr_cpu_scans_##ISA
  RETURN_OF (isa_for (is_complex (elem)), SCANS)
}

/* Not compiled for what products alone are made of.  */
const gpr_cpu_map_loops *
gpr_cpu_map_loops_here (void)
{
  switch (best_isa ())
    {
#ifdef GPR_HAVE_AVX512
    case AVX512: return &gpr_cpu_map_loops_avx512;
#endif
#if defined GPR_HAVE_AVX2 && ! defined GPR_AVX2_FOR_PRODUCTS
    case AVX2: return &gpr_cpu_map_loops_avx2;
#endif
#ifndef GPR_NO_BASELINE
    case BASELINE: return &gpr_cpu_map_loops_baseline;
#endif
    default: return NULL;
    }
}

/* ---- threads ----------------------------------------------------------------- */

bool
gpr_cpu_openmp (void)
{
#ifdef _OPENMP
  return true;
#else
  return false;
#endif
}

static long pool_pid;   /* the process whose OpenMP pool was started; 0: none */

void
gpr_cpu_note_pool (void)
{
  if (pool_pid == 0)
    pool_pid = gpr_system_pid ();
}

__thread int gpr_cpu_most_threads;

static int
no_more (int threads)
{
  return gpr_cpu_most_threads > 0 && gpr_cpu_most_threads < threads ? gpr_cpu_most_threads : threads;
}

/* Where other processes take the processors away, the threads of a parallel region wait for the one that has none, and spin meanwhile: a sum of 1e5 doubles by
   two threads took 6 ms beside two compilers, by one 28 us (doc/architecture.md).  Threads that sleep while they wait leave the processor to it.  It is
   seen by how long threads were ready and had no processor.  How often they lost it does not tell: an idle machine's system takes it for microseconds many times a second.  */
static bool
is_crowded (int threads)
{
  enum { LOOK_MS = 100, ALONE_MS = 500, LOOKED_AT = 16 };
  const double often = 0.2;     /* of the time, each thread */
  static _Atomic double looked, until, waited;
  const double now = gpr_now_ms ();

  if (gpr_system_threads_sleep ())
    return false;
  if (now >= looked + LOOK_MS)
    {
      const double so_far = gpr_system_waited_ms (LOOKED_AT);
      if (looked > 0 && so_far - waited > often * (threads < LOOKED_AT ? threads : LOOKED_AT) * (now - looked))
        until = now + ALONE_MS;
      waited = so_far;
      looked = now;
    }
  return now < until;
}

int
gpr_cpu_threads (void)
{
  const int threads = gpr_cpu_allowed_threads ();
  return threads > 1 && gpr_config.threads == 0 && is_crowded (threads) ? 1 : threads;
}

int
gpr_cpu_allowed_threads (void)
{
#ifdef _OPENMP
  int allowed = gpr_system_allowed_cpus ();
  int wanted = gpr_config.threads > 0 ? gpr_config.threads : omp_get_max_threads ();
  if (pool_pid != 0 && pool_pid != gpr_system_pid ())
    return 1;
  /* More than two threads a processor gain nothing, and libgomp ends the
     process when it cannot start one.  */
  int most = gpr_config.threads > 0 ? 2 * allowed : allowed;
  return no_more (wanted < most ? wanted : most);
#else
  return no_more (1);
#endif
}
