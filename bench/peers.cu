/* The engine beside CUB, Thrust and cuBLAS on one GPU: one program, one run.

     peers path/to/gpureduce_cuda.so [--quick] [--only=reduce,dims,...] [--shapes=RxC,...] [--instances=NAME:LxNxU,...] [--short]

   --short: the groups `latency' and `short' alone, calls of some microseconds. CUPTI, which the
   other groups are timed by, makes these longer, so it stays out of the process: device_us is
   then by events around the launches of a call, and holds what lies between two of them.

   What is compared.  `ceiling' is a kernel that only reads (and, where results are
   large, writes) as many bytes, the best of several shapes for that many.
   device_us: the durations of a call's kernels together (device_time.h), the result left on the
   device.  call_us: the host's clock, from the call to the result in host memory, as a user waits
   for it: the engine's own call; CUB's and cuBLAS's on a
   stream, a copy of the result to pinned memory, and waiting for the stream; of
   dims, whose results are large, to the result on the device.  Scratch memory is
   there before, for all.  All take turns within a line, and every turn reads another
   window of a pool that is several times the L2 cache, so that nothing is read
   from the cache (but in `latency', which reads one array).  Times are medians.

   The data are random and exact: every element is a whole number times the class's
   unit, so that a sum of any length is known exactly.  Every result is checked
   before it is timed; a wrong one is told and not timed, and the run ends with an error.

   Prints CSV: lines `# name: value', then
     group,line,class,elements,bytes,who,device_us,call_us
   where bytes are those read and written; a time that was not taken is empty.  */

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <math.h>
#include <stdarg.h>
#include <stdexcept>
#include <stdio.h>
#include <string.h>
#include <string>
#include <vector>

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>

#if __has_include (<cublas_v2.h>)
#include <cublas_v2.h>
#define HAVE_CUBLAS 1
#endif

#include "device_time.h"

#define GPR_FAULT_H             /* C11's atomics; here a pointer to nothing */
typedef struct gpr_faults gpr_faults;
#include "../src/cuda/cuda.h"

/* ---- the run ----------------------------------------------------------------------- */

static bool quick, by_cupti;
static std::string only, shapes, instances;
static const gpr_cuda_api *engine_api;
static gpr_settings settings = { 0, 0, (size_t) 256 << 20 };    /* as the package's */
static char message[1024];
static cudaStream_t stream;
static cudaEvent_t events[2];
static char *pool, *second_pool, *results, *scratch, *out;     /* on the device */
static char *mail;                                              /* pinned */
static size_t pool_bytes, ring_bytes;
static char *thrust_at;         /* scratch that Thrust has not taken yet */
static size_t scratch_bytes;
static bool asking;             /* what scratch is needed */
static int wrong;
enum { RESULT_BYTES = 256, OUT_BYTES = 1 << 29 };

void
die (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fflush (stdout);
  fprintf (stderr, "peers: ");
  vfprintf (stderr, format, args);
  fprintf (stderr, "\n");
  va_end (args);
  exit (1);
}

static gpr_status
note_failure (gpr_status status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  vsnprintf (message, sizeof message, format, args);
  va_end (args);
  return status;
}

static void
need (gpr_status status)
{
  if (status != GPR_OK)
    die ("the engine: status %d: %s", (int) status, message);
}

static bool
wanted (const char *group)
{
  return only.empty () || ("," + only + ",").find ("," + std::string (group) + ",") != std::string::npos;
}

static std::vector<std::string>
split (const std::string &text, char at)
{
  std::vector<std::string> parts;
  for (size_t from = 0, to; from <= text.size () && ! text.empty (); from = to + 1)
    {
      to = std::min (text.find (at, from), text.size ());
      parts.push_back (text.substr (from, to - from));
    }
  return parts;
}

static int64_t
count_of (const std::string &text, int64_t most)
{
  char *end;
  long long n = strtoll (text.c_str (), &end, 10);
  if (*end || n < 1 || n > most)
    die ("no number from 1 to %lld: '%s'", (long long) most, text.c_str ());
  return n;
}

static double
now_us (void)
{
  return std::chrono::duration<double, std::micro> (std::chrono::steady_clock::now ().time_since_epoch ()).count ();
}

static double
median (std::vector<double> v)
{
  if (v.empty ())
    return -1;
  std::sort (v.begin (), v.end ());
  return v[v.size () / 2];
}

/* ---- lines -------------------------------------------------------------------------- */

/* One way to do a line's work.  device queues it on `stream' (or is the engine's call,
   which has one of its own); call ends with the result where its user wants it.
   right looks at what both left, of turn 0.  */
struct entry
{
  const char *who;
  std::function<void (int64_t turn)> device, call;
  std::function<bool ()> right;
};

struct line
{
  std::string group, name, type;
  int64_t elements, bytes;
};

static int64_t turns;           /* so far: the next one's window */

static double
device_us (const entry &e)
{
  float ms = 0;
  double engine_ms = 0, transfer_ms = 0;

  TRY (cudaDeviceSynchronize ());
  if (by_cupti)
    {
      span_begin ();
      e.device (turns++);
      TRY (cudaDeviceSynchronize ());
      return span_end ();
    }
  TRY (cudaEventRecord (events[0], stream));
  e.device (turns++);
  TRY (cudaEventRecord (events[1], stream));
  TRY (cudaEventSynchronize (events[1]));
  TRY (cudaEventElapsedTime (&ms, events[0], events[1]));
  engine_api->backend.times (&transfer_ms, &engine_ms);
  return 1e3 * (strcmp (e.who, "engine") == 0 ? engine_ms : ms);
}

static double
call_us (const entry &e)
{
  double start = now_us ();
  e.call (turns++);
  return now_us () - start;
}

/* Rounds of all entries, each once a round, for about `seconds'; medians.  awake: each
   follows a call that is not timed, since threads and cores sleep while others have their
   turn, which is long.  */
static std::vector<double>
rounds (const std::vector<entry> &entries, bool device, int most, double seconds, bool awake = false)
{
  std::vector<std::vector<double>> us (entries.size ());
  double start = 0;
  for (int r = -1; r < most; r++)       /* the first warms up */
    {
      if (r >= 3 && now_us () - start > seconds * 1e6)
        break;
      if (r == 0)
        start = now_us ();
      for (size_t i = 0; i < entries.size (); i++)
        if (device ? (bool) entries[i].device : (bool) entries[i].call)
          {
            if (awake && ! device)
              entries[i].call (turns++);
            double t = device ? device_us (entries[i]) : call_us (entries[i]);
            if (r >= 0 && t > 0)
              us[i].push_back (t);
          }
    }
  std::vector<double> result;
  for (auto &v : us)
    result.push_back (median (v));
  return result;
}

/* A wrong one is told and not timed, as what a library refuses; the run goes on, and
   after a wrong one ends with an error.  */
static bool
check (const line &l, const entry &e)
{
  std::string why;
  asking = true;
  try
    {
      if (e.device)
        e.device (0);
      TRY (cudaStreamSynchronize (stream));
      if (e.call)
        e.call (0);
      TRY (cudaDeviceSynchronize ());
      if (e.right && ! e.right ())
        {
          why = "WRONG";
          wrong++;
        }
    }
  catch (const std::exception &x)
    {
      why = x.what ();
    }
  asking = false;
  if (! why.empty ())
    fprintf (stderr, "peers: %s: %s %s of %lld %s: %s\n", e.who, l.group.c_str (), l.name.c_str (), (long long) l.elements,
             l.type.c_str (), why.c_str ());
  return why.empty ();
}

static void
time_line (const line &l, const std::vector<entry> &all, int most = 51, bool awake = false)
{
  const double seconds = quick ? 0.03 : most > 100 ? 2 : 0.2;
  std::vector<entry> entries;

  for (const entry &e : all)
    if (check (l, e))
      entries.push_back (e);
  std::vector<double> call = rounds (entries, false, most, seconds, awake);
  if (by_cupti && ! span_switch (true))
    die ("CUPTI cannot be switched on");
  std::vector<double> device = rounds (entries, true, std::min (most, 51), seconds);
  if (by_cupti)
    (void) span_switch (false);
  for (size_t i = 0; i < entries.size (); i++)
    {
      printf ("%s,%s,%s,%lld,%lld,%s,", l.group.c_str (), l.name.c_str (), l.type.c_str (), (long long) l.elements,
              (long long) l.bytes, entries[i].who);
      printf (device[i] > 0 ? "%.4g," : ",", device[i]);
      printf (call[i] > 0 ? "%.4g\n" : "\n", call[i]);
    }
  fflush (stdout);
}

/* The window of a turn: so many bytes of the pool.  */
static const char *
window (int64_t turn, int64_t bytes)
{
  bytes = (bytes + 255) / 256 * 256;    /* aligned, as arrays are */
  int64_t most = std::min ((int64_t) pool_bytes, std::max (2 * bytes, (int64_t) ring_bytes));
  return pool + turn % std::max ((int64_t) 1, most / bytes) * bytes;
}

/* ---- data ---------------------------------------------------------------------------- */

__host__ __device__ static inline uint64_t
mixed (uint64_t z)
{
  z += 0x9E3779B97F4A7C15ull;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return z ^ z >> 31;
}

/* Element i is number (i) * unit; no float is 0, none above 1.  */
template <class T> struct data;
template <> struct data<double>
{
  static constexpr double unit = 0x1p-53;
  __host__ __device__ static int64_t number (int64_t i) { return (int64_t) (mixed (i) >> 11 | 1); }
};
template <> struct data<float>
{
  static constexpr double unit = 0x1p-24;
  __host__ __device__ static int64_t number (int64_t i) { return (int64_t) (mixed (i) >> 40 | 1); }
};
template <> struct data<int32_t>
{
  static constexpr double unit = 1;
  __host__ __device__ static int64_t number (int64_t i) { return (int32_t) (mixed (i) >> 32); }
};
template <> struct data<uint8_t>
{
  static constexpr double unit = 1;
  __host__ __device__ static int64_t number (int64_t i) { return (uint8_t) (mixed (i) >> 56); }
};
template <class T> __host__ __device__ static inline T
element (int64_t i)
{
  return (T) (data<T>::number (i) * data<T>::unit);
}

enum spread_of { RANDOM, CONSTANT, SKEWED };
template <class T> __global__ void
fill (T *x, int64_t n, spread_of how, int64_t first)
{
  for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t) gridDim.x * blockDim.x)
    {
      uint64_t h = mixed (i);
      x[i] = how == RANDOM ? element<T> (i + first) : how == CONSTANT ? (T) 17 : (T) (uint8_t) (h & h >> 8 & h >> 16);
    }
}
template <class T> static void
fill_pool (spread_of how = RANDOM)
{
  fill<<<4096, 256, 0, stream>>> ((T *) pool, (int64_t) (pool_bytes / sizeof (T)), how, (int64_t) 0);
  TRY (cudaGetLastError ());
  TRY (cudaStreamSynchronize (stream));
}

/* What the first n elements come to, by the host.  */
struct facts
{
  __int128 sum = 0;
  int64_t most = INT64_MIN, least = INT64_MAX, most_at = -1;
  void add (const facts &f)
  {
    sum += f.sum;
    if (f.most > most)
      {
        most = f.most;
        most_at = f.most_at;
      }
    least = std::min (least, f.least);
  }
};

template <class T> static facts
facts_of (int64_t first, int64_t end)
{
  const int64_t piece = 1 << 18, pieces = (end - first + piece - 1) / piece;
  std::vector<facts> part (pieces);
  facts all;
  #pragma omp parallel for schedule (dynamic)
  for (int64_t p = 0; p < pieces; p++)
    {
      facts f;
      for (int64_t i = first + p * piece; i < std::min (end, first + (p + 1) * piece); i++)
        {
          int64_t k = data<T>::number (i);
          f.sum += k;
          f.least = std::min (f.least, k);
          if (k > f.most)
            {
              f.most = k;
              f.most_at = i;
            }
        }
      part[p] = f;
    }
  for (const facts &f : part)
    all.add (f);
  return all;
}

/* Within what any order of adding n of them may lose; a long sum is never added one
   by one, so not beyond that of 1e4.  */
static bool
near (double got, long double expected, int64_t n, double u)
{
  return fabsl (got - expected) <= std::min ((double) n, 1e4) * u * fabsl (expected);
}

/* ---- reading and writing only --------------------------------------------------------- */

/* A tile of PACKS * blockDim.x words of 16 bytes at a time.  */
template <int PACKS> __global__ void
read_only (const uint4 *x, int64_t n, uint4 *y)
{
  const int64_t tile = (int64_t) PACKS * blockDim.x;
  unsigned all = 0;
  for (int64_t at = blockIdx.x * tile; at < n; at += gridDim.x * tile)
    {
      uint4 v[PACKS];
      #pragma unroll
      for (int k = 0; k < PACKS; k++)
        {
          int64_t i = at + k * blockDim.x + threadIdx.x;
          v[k] = i < n ? x[i] : make_uint4 (0, 0, 0, 0);
        }
      #pragma unroll
      for (int k = 0; k < PACKS; k++)
        all += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
    }
  if (all == 0x9E3779B9)        /* hardly ever; the compiler cannot leave the reads out */
    y[0] = make_uint4 (all, all, all, all);
}

/* A word written for every PACKS read; n a multiple of PACKS * blockDim.x.  */
template <int PACKS> __global__ void
read_and_write (const uint4 *x, int64_t n, uint4 *y)
{
  const int64_t tile = (int64_t) PACKS * blockDim.x;
  for (int64_t at = blockIdx.x * tile; at < n; at += gridDim.x * tile)
    {
      uint4 all = make_uint4 (0, 0, 0, 0);
      #pragma unroll 8
      for (int k = 0; k < PACKS; k++)
        {
          uint4 v = x[at + k * blockDim.x + threadIdx.x];
          all.x += v.x, all.y += v.y, all.z += v.z, all.w += v.w;
        }
      y[at / PACKS + threadIdx.x] = all;
    }
}

struct ceiling_shape
{
  void (*kernel) (const uint4 *, int64_t, uint4 *);
  int packs, threads;
  bool resident;                /* as many blocks as run at once, else one a tile */
};

static void
run_ceiling (const ceiling_shape &s, int64_t turn, int64_t read)
{
  static std::map<std::pair<const void *, int>, int> blocks;
  int64_t n = read / 16, tiles = (n + s.packs * s.threads - 1) / (s.packs * s.threads);
  int &resident = blocks[{ (const void *) s.kernel, s.threads }];
  if (resident == 0)
    {
      int each = 0, multiprocessors = 0;
      TRY (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&each, s.kernel, s.threads, 0));
      TRY (cudaDeviceGetAttribute (&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
      resident = each * multiprocessors;
    }
  unsigned grid = (unsigned) (s.resident ? std::min (tiles, (int64_t) resident) : tiles);
  s.kernel<<<grid, s.threads, 0, stream>>> ((const uint4 *) window (turn, read), n, (uint4 *) out);
  TRY (cudaGetLastError ());
}

/* The best shape for so many bytes, reading `per_write' words for every one
   written (0, or no whole tiles: none); found once.  */
static entry
ceiling (int64_t read, int per_write = 0)
{
  static std::map<std::pair<int64_t, int>, ceiling_shape> best;
  if (read % (32 * 1024 * 16) != 0)     /* packs, threads, bytes, at most */
    per_write = 0;
  auto found = best.find ({ read, per_write });
  if (found == best.end ())
    {
      std::vector<ceiling_shape> shapes;
      std::vector<entry> entries;
      for (int threads : { 256, 512, 1024 })
        for (bool resident : { true, false })
          if (per_write == 4)
            shapes.push_back ({ read_and_write<4>, 4, threads, resident });
          else if (per_write == 32)
            shapes.push_back ({ read_and_write<32>, 32, threads, resident });
          else
            {
              shapes.push_back ({ read_only<2>, 2, threads, resident });
              shapes.push_back ({ read_only<4>, 4, threads, resident });
              shapes.push_back ({ read_only<8>, 8, threads, resident });
            }
      for (const ceiling_shape &s : shapes)
        entries.push_back ({ "ceiling", [=] (int64_t turn) { run_ceiling (s, turn, read); }, {}, {} });
      if (by_cupti)
        (void) span_switch (true);
      std::vector<double> us = rounds (entries, true, 9, 1);
      if (by_cupti)
        (void) span_switch (false);
      size_t least = 0;
      for (size_t i = 1; i < us.size (); i++)
        if (us[i] > 0 && (us[least] <= 0 || us[i] < us[least]))
          least = i;
      found = best.insert ({ { read, per_write }, shapes[least] }).first;
    }
  ceiling_shape s = found->second;
  return { "ceiling", [=] (int64_t turn) { run_ceiling (s, turn, read); }, {}, {} };
}

/* ---- libraries ------------------------------------------------------------------------- */

static void
try_library (cudaError_t e)
{
  if (e == cudaSuccess)
    return;
  (void) cudaGetLastError ();
  throw std::runtime_error (cudaGetErrorString (e));
}

static void
grow_scratch (size_t bytes)
{
  char *more = NULL;
  if (bytes <= scratch_bytes)
    return;
  TRY (cudaDeviceSynchronize ());
  try_library (cudaMalloc (&more, bytes));
  TRY (cudaFree (scratch));
  thrust_at = scratch = more;
  scratch_bytes = bytes;
}

/* A call of CUB; what scratch it needs is asked when the line is checked.  */
template <class F> static void
with_scratch (F f)
{
  size_t bytes = 0;
  if (asking)
    {
      try_library (f (nullptr, bytes));
      grow_scratch (bytes);
    }
  try_library (f (scratch, scratch_bytes));
}

/* Thrust's temporaries come from the scratch, at no cost.  */
struct scratch_allocator
{
  typedef char value_type;
  char *allocate (std::ptrdiff_t n)
  {
    char *p = thrust_at;
    thrust_at += (n + 255) / 256 * 256;
    if (thrust_at > scratch + scratch_bytes)
      throw std::bad_alloc ();
    return p;
  }
  void deallocate (char *, size_t) { thrust_at = scratch; }
};
static scratch_allocator allocator;
#define THRUST thrust::cuda::par (allocator).on (stream)

/* The first bytes of the results to the host.  */
static void
fetch (size_t bytes, const void *from = NULL)
{
  TRY (cudaMemcpyAsync (mail, from ? from : results, bytes, cudaMemcpyDeviceToHost, stream));
  TRY (cudaStreamSynchronize (stream));
}

#ifdef HAVE_CUBLAS
#define CUBLAS_FUNCTIONS(F) \
  F (cublasCreate_v2) F (cublasSetStream_v2) F (cublasSetPointerMode_v2) F (cublasGetVersion_v2) F (cublasDasum_v2_64) \
  F (cublasSasum_v2_64) F (cublasIdamax_v2_64) F (cublasIsamax_v2_64) F (cublasDdot_v2_64)
#define DECLARE(f) static decltype (&f) f##_at;
CUBLAS_FUNCTIONS (DECLARE)
#undef DECLARE
static cublasHandle_t cublas;   /* NULL: not to be had */

static void
try_cublas (cublasStatus_t e)
{
  if (e != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error ("cuBLAS: status " + std::to_string ((int) e));
}

static int
open_cublas (void)
{
  int version = 0;
  char name[64];
  snprintf (name, sizeof name, "libcublas.so.%d", CUBLAS_VER_MAJOR);
  void *library = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  if (! library)
    return 0;
#define FIND(f) \
  f##_at = (decltype (&f)) dlsym (library, #f); \
  if (! f##_at) \
    return 0;
  CUBLAS_FUNCTIONS (FIND)
#undef FIND
  if (cublasCreate_v2_at (&cublas) != CUBLAS_STATUS_SUCCESS)
    return 0;
  try_cublas (cublasSetStream_v2_at (cublas, stream));
  try_cublas (cublasSetPointerMode_v2_at (cublas, CUBLAS_POINTER_MODE_DEVICE));
  try_cublas (cublasGetVersion_v2_at (cublas, &version));
  return version;
}
static void asum (int64_t n, const double *x, double *y) { try_cublas (cublasDasum_v2_64_at (cublas, n, x, 1, y)); }
static void asum (int64_t n, const float *x, float *y) { try_cublas (cublasSasum_v2_64_at (cublas, n, x, 1, y)); }
static void amax (int64_t n, const double *x, int64_t *i) { try_cublas (cublasIdamax_v2_64_at (cublas, n, x, 1, i)); }
static void amax (int64_t n, const float *x, int64_t *i) { try_cublas (cublasIsamax_v2_64_at (cublas, n, x, 1, i)); }
#else
static const bool cublas = false;
static int open_cublas (void) { return 0; }
#endif

/* ---- reduce: one array to one number ------------------------------------------------------ */

enum op { SUM, MAX, MIN, ARGMAX, OPS };
static const char *const op_names[OPS] = { "sum", "max", "min", "argmax" };

template <class T> struct type_of;      /* name, CUB's sum, the engine's sum and reductions */
#define TYPE(T, text, total, engine_total, id) \
  template <> struct type_of<T> \
  { \
    typedef total sum; \
    typedef engine_total engine_sum; \
    static constexpr const char *name = text; \
    static constexpr gpr_instance instances[OPS] = { GPR_sum_##id, GPR_max_##id, GPR_min_##id, GPR_argmax_##id }; \
  }; \
  constexpr gpr_instance type_of<T>::instances[OPS];
TYPE (double, "double", double, double, f64)
TYPE (float, "single", float, float, f32)
TYPE (int32_t, "int32", int64_t, double, i32)
TYPE (uint8_t, "uint8", uint64_t, double, u8)

/* A number of class T, or its sum, as the host's facts have it.  */
template <class T> static bool
is_right (int o, double value, int64_t index, const facts &f, int64_t n, bool first_index)
{
  const double unit = data<T>::unit, u = sizeof (T) == 4 && unit < 1 ? 0x1p-24 : 0x1p-53;
  if (o == SUM)
    return unit == 1 ? value == (double) f.sum : near (value, (long double) f.sum * unit, n, u);
  if (o == ARGMAX && (first_index ? index != f.most_at : index < 0 || index >= n || data<T>::number (index) != f.most))
    return false;
  return value == (double) ((o == MIN ? f.least : f.most) * unit);
}

template <class T> static void
time_reduce (const char *group, int o, int64_t n, const facts &f, bool rotate, int most)
{
  typedef typename type_of<T>::sum total;
  typedef typename type_of<T>::engine_sum engine_total;
  const int64_t bytes = n * (int64_t) sizeof (T);
  auto at = [=] (int64_t turn) { return (const T *) window (rotate ? turn : 0, bytes); };
  const int count = (int) n;    /* CUB is faster with it than with 64 bits */
  alignas (16) static char value[16];
  static int64_t index;
  static T thrust_value;
  static total thrust_sum;
  static int64_t thrust_index;

  auto engine = [=] (int64_t turn, bool stays) {
    gpr_reduction r = {};
    r.instance = type_of<T>::instances[o];
    r.inner = r.outer = 1;
    r.length = n;
    r.x = at (turn);
    r.x_resident = true;
    r.out_resident = stays;
    r.value = stays ? (void *) results : value;
    r.index = o != ARGMAX ? NULL : stays ? (int64_t *) (results + 8) : &index;
    need (engine_api->backend.reduce (&r));
  };
  auto engine_right = [=] {
    double v = o == SUM ? (double) *(engine_total *) value : (double) *(T *) value;
    return is_right<T> (o, v, index, f, n, true);
  };
  auto cub_device = [=] (int64_t turn) {
    const T *x = at (turn);
    with_scratch ([=] (void *s, size_t &bytes) {
      switch (o)
        {
        case SUM: return cub::DeviceReduce::Sum (s, bytes, x, (total *) results, count, stream);
        case MAX: return cub::DeviceReduce::Max (s, bytes, x, (T *) results, count, stream);
        case MIN: return cub::DeviceReduce::Min (s, bytes, x, (T *) results, count, stream);
        default: return cub::DeviceReduce::ArgMax (s, bytes, x, (T *) results, (int64_t *) (results + 8), n, stream);
        }
    });
  };
  auto cub_call = [=] (int64_t turn) {
    cub_device (turn);
    fetch (o == ARGMAX ? 16 : 8);
  };
  auto cub_right = [=] {
    double v = o == SUM ? (double) *(total *) mail : (double) *(T *) mail;
    return is_right<T> (o, v, *(int64_t *) (mail + 8), f, n, false);
  };
  auto thrust_call = [=] (int64_t turn) {
    const T *x = at (turn);
    switch (o)
      {
      case SUM: thrust_sum = thrust::reduce (THRUST, x, x + n, (total) 0); break;
      case MAX: thrust_value = thrust::reduce (THRUST, x, x + n, std::numeric_limits<T>::lowest (), thrust::maximum<T> ()); break;
      case MIN: thrust_value = thrust::reduce (THRUST, x, x + n, std::numeric_limits<T>::max (), thrust::minimum<T> ()); break;
      default: thrust_index = thrust::max_element (THRUST, x, x + n) - x;
      }
  };
  auto thrust_right = [=] {
    double v = o == SUM ? (double) thrust_sum : (double) thrust_value;
    if (o == ARGMAX)
      v = (double) f.most * data<T>::unit;      /* it gives the place only */
    return is_right<T> (o, v, thrust_index, f, n, false);
  };

  std::vector<entry> entries;
  if (rotate)
    entries.push_back (ceiling (bytes));
  entries.push_back ({ "engine", [=] (int64_t turn) { engine (turn, true); }, [=] (int64_t turn) { engine (turn, false); },
                       engine_right });
  entries.push_back ({ "CUB", cub_device, cub_call, cub_right });
  entries.push_back ({ "Thrust", thrust_call, thrust_call, thrust_right });
#ifdef HAVE_CUBLAS
  /* The sum of absolute values, and the place of the largest of them: those of the
     values here, where none is below 0.  */
  if constexpr (std::is_floating_point<T>::value)
    if (cublas && (o == SUM || o == ARGMAX))
      {
        auto device = [=] (int64_t turn) {
          if (o == SUM)
            asum (n, at (turn), (T *) results);
          else
            amax (n, at (turn), (int64_t *) results);
        };
        auto call = [=] (int64_t turn) {
          device (turn);
          fetch (8);
        };
        auto right = [=] {
          double v = o == SUM ? (double) *(T *) mail : (double) f.most * data<T>::unit;
          return is_right<T> (o, v, *(int64_t *) mail - 1, f, n, false);
        };
        entries.push_back ({ "cuBLAS", device, call, right });
      }
#endif
  time_line ({ group, op_names[o], type_of<T>::name, n, bytes }, entries, most);
}

template <class T> static void
reduce_class (const char *group, int largest)
{
  const std::vector<int> all = { 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 26, 27, 28, 29, 30 };
  const std::vector<int> few = { 10, 14, 18, 20, 22, 27 };
  facts f;
  int64_t known = 0;
  for (int log2 : quick ? few : all)
    {
      int64_t n = (int64_t) 1 << log2;
      if (n * sizeof (T) > pool_bytes || log2 > largest)
        break;
      f.add (facts_of<T> (known, n));
      known = n;
      for (int o = 0; o < OPS; o++)
        time_reduce<T> (group, o, n, f, true, 51);
    }
}

/* A sum of 1024 resident doubles, of one array: what a short call costs.  */
static void
latency (void)
{
  time_reduce<double> ("latency", SUM, 1024, facts_of<double> (0, 1024), false, quick ? 201 : 2001);
}

/* ---- dims: sums and maxima of rows and columns ---------------------------------------------- */

/* Compares y with what x[c + l*(r + n*o)] come to over r; a block an output.  The
   sum is exact: numbers of 53 bits, in two halves.  */
static __global__ void
count_wrong (const double *x, int64_t l, int64_t n, int64_t u, bool sum, const double *y, unsigned long long *wrong)
{
  __shared__ unsigned long long low, high, most;
  for (int64_t out = blockIdx.x; out < l * u; out += gridDim.x)
    {
      unsigned long long my_low = 0, my_high = 0, my_most = 0;
      if (threadIdx.x == 0)
        low = high = most = 0;
      __syncthreads ();
      for (int64_t r = threadIdx.x; r < n; r += blockDim.x)
        {
          unsigned long long k = (unsigned long long) (x[out % l + l * (r + n * (out / l))] * 0x1p53);
          my_low += k & 0xFFFFFFFF;
          my_high += k >> 32;
          my_most = max (my_most, k);
        }
      atomicAdd (&low, my_low);
      atomicAdd (&high, my_high);
      atomicMax (&most, my_most);
      __syncthreads ();
      if (threadIdx.x == 0)
        {
          double expected = sum ? ((double) high * 0x1p32 + (double) low) * 0x1p-53 : (double) most * 0x1p-53;
          double bound = sum ? (fmin ((double) n, 1e4) + 3) * 0x1p-53 * expected : 0;
          if (! (fabs (y[out] - expected) <= bound))
            atomicAdd (wrong, 1ull);
        }
      __syncthreads ();
    }
}

struct times_of
{
  int64_t n;
  __host__ __device__ int64_t operator() (int64_t i) const { return i * n; }
};

static void
time_dims (const std::string &shape, int dim, int64_t l, int64_t n, int64_t u, bool sum)
{
  const int64_t elements = l * n * u, outputs = l * u, read = elements * 8, written = outputs * 8;
  auto at = [=] (int64_t turn) { return (const double *) window (turn, read); };
  auto right = [=] {
    unsigned long long *wrong = (unsigned long long *) results;
    TRY (cudaMemsetAsync (wrong, 0, 8, stream));
    count_wrong<<<(unsigned) std::min (outputs, (int64_t) 1 << 20), n < 256 ? 32 : 1024, 0, stream>>>
      (at (0), l, n, u, sum, (const double *) out, wrong);
    TRY (cudaGetLastError ());
    fetch (8);
    TRY (cudaMemsetAsync (out, 0xFF, written, stream));
    TRY (cudaStreamSynchronize (stream));
    return *(unsigned long long *) mail == 0;
  };
  auto engine = [=] (int64_t turn) {
    gpr_reduction r = {};
    r.instance = sum ? GPR_sum_f64 : GPR_max_f64;
    r.inner = l;
    r.length = n;
    r.outer = u;
    r.x = at (turn);
    r.x_resident = r.out_resident = true;
    r.value = out;
    need (engine_api->backend.reduce (&r));
  };
  std::vector<entry> entries;
  entries.push_back (ceiling (read, elements / outputs == 4 ? 4 : elements / outputs == 32 ? 32 : 0));
  entries.push_back ({ "engine", engine, engine, right });
  if (dim == 1)
    {
      auto device = [=] (int64_t turn) {
        auto begin = thrust::make_transform_iterator (thrust::counting_iterator<int64_t> (0), times_of { n });
        const double *x = at (turn);
        with_scratch ([=] (void *s, size_t &bytes) {
          return sum ? cub::DeviceSegmentedReduce::Sum (s, bytes, x, (double *) out, u, begin, begin + 1, stream)
                     : cub::DeviceSegmentedReduce::Max (s, bytes, x, (double *) out, u, begin, begin + 1, stream);
        });
      };
      auto call = [=] (int64_t turn) {
        device (turn);
        TRY (cudaStreamSynchronize (stream));
      };
      entries.push_back ({ "CUB", device, call, right });
    }
  std::string name = (sum ? "sum " : "max ") + shape + " dim " + std::to_string (dim);
  time_line ({ "dims", name.c_str (), "double", elements, read + written }, entries, 21);
}

/* RxC,RxCxP,...: along each of a shape's dimensions.  */
static void
dims (void)
{
  for (const std::string &shape : split (shapes, ','))
    {
      std::vector<int64_t> size;
      std::string name;
      int64_t elements = 1;
      for (const std::string &length : split (shape, 'x'))
        {
          size.push_back (count_of (length, (int64_t) pool_bytes / 8 / elements));
          name += (name.empty () ? "" : " x ") + length;
          elements *= size.back ();
        }
      for (size_t d = 0, l = 1; d < size.size (); l *= size[d++])
        for (bool sum : { true, false })
          if (elements / size[d] * 8 <= OUT_BYTES)
            time_dims (name, (int) d + 1, (int64_t) l, size[d], elements / size[d] / (int64_t) l, sum);
          else if (sum)
            printf ("# left out: %s dim %d: more than %d MiB of results\n", name.c_str (), (int) d + 1, OUT_BYTES >> 20);
    }
}

/* ---- reductions ------------------------------------------------------------------------------------- */

/* FOLD:LxNxU,...: any reduction of kernels/ops/instances.h, an array of l x n x u along the second, the engine
   alone; what it gives is tests/gpu/engine_check.c's business.  */
static void
single_instances (void)
{
  static const struct { const char *name, *type; int64_t bytes, value_bytes; bool has_index; } known[] = {
#define ROW(id, FAMILY, X, A, Y) { #id, #X, sizeof (X), sizeof (Y), ((GPR_TRAITS_##FAMILY) & GPR_HAS_INDEX) != 0 },
    GPR_INSTANCES (ROW)
#undef ROW
  };
  for (const std::string &text : split (instances, ','))
    {
      const std::vector<std::string> parts = split (text, ':'), size = split (parts.back (), 'x');
      int instance = 0;
      while (instance < GPR_INSTANCE_COUNT && parts[0] != known[instance].name)
        instance++;
      if (instance == GPR_INSTANCE_COUNT || parts.size () != 2 || size.size () != 3)
        die ("no FOLD:LxNxU: %s", text.c_str ());
      const auto f = known[instance];
      int64_t most = (int64_t) pool_bytes / f.bytes;
      const int64_t l = count_of (size[0], most), n = count_of (size[1], most /= l), u = count_of (size[2], most / n);
      if (l * u * f.value_bytes > OUT_BYTES / 2 || l * u * 8 > OUT_BYTES / 2)
        die ("more than %d MiB of results: %s", OUT_BYTES >> 21, text.c_str ());
      if (strcmp (f.type, "f64") == 0 || strcmp (f.type, "c128") == 0)
        fill_pool<double> ();
      else if (strcmp (f.type, "f32") == 0 || strcmp (f.type, "c64") == 0)
        fill_pool<float> ();
      else
        fill_pool<uint8_t> ();
      auto engine = [=] (int64_t turn) {
        gpr_reduction r = {};
        r.instance = (gpr_instance) instance;
        r.inner = l;
        r.length = n;
        r.outer = u;
        r.x = window (turn, l * n * u * f.bytes);
        r.x_resident = r.out_resident = true;
        r.value = out;
        r.index = f.has_index ? (int64_t *) (out + OUT_BYTES / 2) : NULL;
        need (engine_api->backend.reduce (&r));
      };
      const int64_t read = l * n * u * f.bytes;
      time_line ({ "reductions", text, f.type, l * n * u, read + l * u * f.value_bytes }, { ceiling (read), { "engine", engine, engine, {} } }, 21);
    }
}

/* ---- stats, dot ------------------------------------------------------------------------------- */

static void
deviations (int64_t n)
{
  static double variance;
  static stats stats_value;
  const int64_t bytes = n * 8;
  facts f = facts_of<double> (0, n);
  const long double mean = (long double) f.sum * 0x1p-53L / n;
  long double squares = 0;
  #pragma omp parallel for reduction (+ : squares)
  for (int64_t i = 0; i < n; i++)
    {
      long double d = element<double> (i) - mean;
      squares += d * d;
    }

  for (bool all : { false, true })
    {
      auto engine = [=] (int64_t turn) {
        gpr_reduction r = {};
        r.instance = all ? GPR_stats_f64 : GPR_moments_f64;
        r.inner = r.outer = 1;
        r.length = n;
        r.x = window (turn, bytes);
        r.x_resident = true;
        r.value = all ? (void *) &stats_value : (void *) &variance;
        need (engine_api->backend.reduce (&r));
      };
      auto right = [=] {
        double m = all ? stats_value.mean : (double) mean, q = all ? stats_value.squares : variance * (n - 1);
        bool extremes = ! all || (stats_value.most_at == (double) f.most_at + 1 && stats_value.least == f.least * 0x1p-53
                                  && near (stats_value.sum, (long double) f.sum * 0x1p-53L, n, 0x1p-53));
        return near (m, mean, n, 0x1p-53) && near (q, squares, n, 0x1p-53) && extremes;
      };
      time_line ({ "stats", all ? "stats" : "var", "double", n, bytes }, { ceiling (bytes), { "engine", engine, engine, right } });
    }
}

static void
dot (int64_t n)
{
  const int64_t bytes = n * 8;
  const int64_t shift = (int64_t) 1 << 40;      /* the second array's elements are others */
  static double value, thrust_value;
  long double expected = 0;
  auto x = [=] (int64_t turn) { return (const double *) window (turn, bytes); };
  const double *y = (const double *) second_pool;

  fill<<<4096, 256, 0, stream>>> ((double *) second_pool, n, RANDOM, shift);
  TRY (cudaGetLastError ());
  TRY (cudaStreamSynchronize (stream));
  #pragma omp parallel for reduction (+ : expected)
  for (int64_t i = 0; i < n; i++)
    expected += (long double) element<double> (i) * element<double> (i + shift);

  auto engine = [=] (int64_t turn) {
    gpr_reduction r = {};
    r.instance = GPR_sum_f64;
    r.inner = r.outer = 1;
    r.length = n;
    r.x = x (turn);
    r.y = y;
    r.x_resident = true;
    r.value = &value;
    need (engine_api->backend.reduce (&r));
  };
  auto thrust_call = [=] (int64_t turn) { thrust_value = thrust::inner_product (THRUST, x (turn), x (turn) + n, y, 0.0); };
  std::vector<entry> entries = {
    ceiling (2 * bytes),
    { "engine", engine, engine, [=] { return near (value, expected, n, 0x1p-53); } },
    { "Thrust", thrust_call, thrust_call, [=] { return near (thrust_value, expected, n, 0x1p-53); } }
  };
#ifdef HAVE_CUBLAS
  if (cublas)
    {
      auto device = [=] (int64_t turn) { try_cublas (cublasDdot_v2_64_at (cublas, n, x (turn), 1, y, 1, (double *) results)); };
      auto call = [=] (int64_t turn) {
        device (turn);
        fetch (8);
      };
      entries.push_back ({ "cuBLAS", device, call, [=] { return near (*(double *) mail, expected, n, 0x1p-53); } });
    }
#endif
  time_line ({ "dot", "dot", "double", n, 2 * bytes }, entries);
}

/* ---- histograms --------------------------------------------------------------------------------- */

/* By the definition: bin k has edges[k] <= x < edges[k+1], the last one both ends.  */
template <class T> __host__ __device__ static int64_t
bin_of (T x, const T *edges, int64_t bins)
{
  if (! (x >= edges[0] && x <= edges[bins]))
    return -1;
  int64_t low = 0, high = bins;
  while (high - low > 1)
    {
      int64_t mid = (low + high) / 2;
      if (edges[mid] <= x)
        low = mid;
      else
        high = mid;
    }
  return low;
}
template <class T> __global__ void
count_plainly (const T *x, int64_t n, const T *edges, int64_t bins, unsigned long long *counts)
{
  for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t) gridDim.x * blockDim.x)
    {
      int64_t k = bin_of (x[i], edges, bins);
      if (k >= 0)
        atomicAdd (&counts[k], 1ull);
    }
}

/* The counts of the first n elements of the pool, by a plain kernel, which is itself
   compared with the host first.  */
template <class T> static std::vector<unsigned long long>
counts_of (int64_t n, const std::vector<T> &edges)
{
  const int64_t bins = (int64_t) edges.size () - 1, few = std::min (n, (int64_t) 1 << 20);
  std::vector<T> x (few);
  std::vector<unsigned long long> counts (bins), expected (bins);
  T *d_edges;
  unsigned long long *d_counts;

  TRY (cudaMalloc (&d_edges, (bins + 1) * sizeof (T)));
  TRY (cudaMalloc (&d_counts, bins * 8));
  TRY (cudaMemcpy (d_edges, edges.data (), (bins + 1) * sizeof (T), cudaMemcpyHostToDevice));
  TRY (cudaMemcpy (x.data (), pool, few * sizeof (T), cudaMemcpyDeviceToHost));
  for (T v : x)
    if (bin_of (v, edges.data (), bins) >= 0)
      expected[bin_of (v, edges.data (), bins)]++;
  for (int64_t count : { few, n })
    {
      TRY (cudaMemset (d_counts, 0, bins * 8));
      count_plainly<<<2048, 256>>> ((const T *) pool, count, d_edges, bins, d_counts);
      TRY (cudaGetLastError ());
      TRY (cudaMemcpy (counts.data (), d_counts, bins * 8, cudaMemcpyDeviceToHost));
      if (count == few && counts != expected)
        die ("the plain histogram of %lld bins is wrong", (long long) bins);
    }
  TRY (cudaFree (d_edges));
  TRY (cudaFree (d_counts));
  return counts;
}

/* levels: what CUB is to be told, edges for HistogramRange, or even ones from
   lowest to highest.  */
template <class T, class Level> static void
time_histogram (const char *name, int64_t n, const std::vector<T> &edges, gpr_bin_rule rule, gpr_elem elem, bool even,
                Level lowest, Level highest)
{
  const int64_t bins = (int64_t) edges.size () - 1, bytes = n * (int64_t) sizeof (T);
  const std::vector<unsigned long long> expected = counts_of<T> (n, edges);
  std::vector<double> wide (edges.begin (), edges.end ());
  std::vector<double> host_counts (bins), fetched (bins);
  std::vector<unsigned> cub_counts (bins);
  double *h = host_counts.data (), *g = fetched.data ();
  unsigned *c = cub_counts.data ();
  const bool single = sizeof (T) == 4;
  const void *engine_edges = single ? (const void *) edges.data () : (const void *) wide.data ();
  auto at = [=] (int64_t turn) { return (const T *) window (turn, bytes); };
  T *levels = NULL;

  auto count = [=] (int64_t turn, bool resident) {
    gpr_counting k = {};
    k.elem = elem;
    k.inner = k.outer = 1;
    k.length = n;
    k.x = at (turn);
    k.x_resident = true;
    k.rule = rule;
    k.single_precision = single;
    k.bins = bins;
    k.edges = engine_edges;
    k.counts = resident ? (double *) out : h;
    k.out_resident = resident;
    need (engine_api->backend.count (&k));
  };
  auto engine_right = [=] {
    TRY (cudaMemcpy (g, out, bins * 8, cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < bins; i++)
      if (h[i] != (double) expected[i] || g[i] != (double) expected[i])
        return false;
    return true;
  };
  if (! even)
    {
      TRY (cudaMalloc (&levels, (bins + 1) * sizeof (T)));
      TRY (cudaMemcpy (levels, edges.data (), (bins + 1) * sizeof (T), cudaMemcpyHostToDevice));
    }
  auto device = [=] (int64_t turn) {
    const T *x = at (turn);
    with_scratch ([=] (void *s, size_t &size) {
      if (even)
        return cub::DeviceHistogram::HistogramEven (s, size, x, (unsigned *) out, (int) bins + 1, lowest, highest, (int) n, stream);
      return cub::DeviceHistogram::HistogramRange (s, size, x, (unsigned *) out, (int) bins + 1, levels, (int) n, stream);
    });
  };
  auto call = [=] (int64_t turn) {
    device (turn);
    if (bins * 4 <= (int64_t) 1 << 23)
      fetch (bins * 4, out);
  };
  /* Even bins are found by a division there: what lies within a rounding of an edge
     may go to the next one.  */
  auto right = [=] {
    long double apart = 0;
    TRY (cudaMemcpy (c, out, bins * 4, cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < bins; i++)
      apart += fabsl ((long double) c[i] - expected[i]);
    return apart <= (even && std::is_floating_point<T>::value ? 1e-3 * n : 0);
  };
  std::vector<entry> entries = {
    ceiling (bytes),
    { "engine", [=] (int64_t turn) { count (turn, true); }, [=] (int64_t turn) { count (turn, false); }, engine_right },
    { "CUB", device, call, right }
  };
  time_line ({ "histogram", name, sizeof (T) == 8 ? "double" : sizeof (T) == 4 ? "single" : "uint8", n, bytes }, entries, 21);
  if (levels)
    TRY (cudaFree (levels));
}

template <class T> static void
float_histograms (gpr_elem elem, const std::vector<int> &list)
{
  const int64_t n = ((int64_t) 1 << 30) / sizeof (T);
  char name[32];
  for (int bins : list)
    {
      std::vector<T> edges (bins + 1);
      for (int i = 0; i <= bins; i++)
        edges[i] = (T) ((double) i / bins);
      snprintf (name, sizeof name, "%d bins", bins);
      time_histogram<T, T> (name, n, edges, GPR_BIN_CLOSED, elem, true, 0, 1);
    }
  std::vector<T> edges (257);
  for (int i = 0; i <= 256; i++)
    edges[i] = (T) (i / 256.0 * i / 256.0);
  edges[256] = (T) 1.5;         /* CUB's last bin is open, the engine's closed: nothing lies there */
  time_histogram<T, T> ("257 edges", n, edges, GPR_BIN_CLOSED, elem, false, 0, 0);
}

static void
byte_histograms (void)
{
  static const char *const names[] = { "256 bins random", "256 bins constant", "256 bins skewed" };
  std::vector<uint8_t> edges (257);
  for (spread_of how : { RANDOM, CONSTANT, SKEWED })
    {
      fill_pool<uint8_t> (how);
      /* 255 of 256 closed bins of whole numbers: the last bin is 255 alone, as in histc (x, 0:255).  */
      for (int i = 0; i <= 256; i++)
        edges[i] = (uint8_t) std::min (i, 255);
      time_histogram<uint8_t, int> (names[how], (int64_t) 1 << 28, edges, GPR_BIN_EDGES, GPR_u8, true, 0, 256);
    }
}

/* ---- host arrays: 1 GiB that lies in pageable memory ------------------------------------------------- */

static void
host_arrays (int64_t n)
{
  const size_t bytes = n * 8;
  double *x = (double *) malloc (bytes);
  char *pinned = NULL;
  static double value;
  facts f = facts_of<double> (0, n);

  if (! x)
    die ("no %zu bytes of host memory", bytes);
  TRY (cudaHostAlloc ((void **) &pinned, bytes, cudaHostAllocDefault));
  #pragma omp parallel for
  for (int64_t i = 0; i < n; i++)
    x[i] = element<double> (i);
  memcpy (pinned, x, bytes);

  auto is = [=] (double v) { return near (v, (long double) f.sum * 0x1p-53L, n, 0x1p-53); };
  auto engine = [=] (int64_t) {
    gpr_reduction r = {};
    r.instance = GPR_sum_f64;
    r.inner = r.outer = 1;
    r.length = n;
    r.x = x;
    r.value = &value;
    need (engine_api->backend.reduce (&r));
  };
  auto sum_of_copy = [=] {
    with_scratch ([=] (void *s, size_t &size) {
      return cub::DeviceReduce::Sum (s, size, (const double *) second_pool, (double *) results, (int) n, stream);
    });
    fetch (8);
  };
  auto copy = [=] (int64_t) {
    TRY (cudaMemcpyAsync (second_pool, pinned, bytes, cudaMemcpyHostToDevice, stream));
    TRY (cudaStreamSynchronize (stream));
  };
  auto copy_and_sum = [=] (int64_t) {
    TRY (cudaMemcpy (second_pool, x, bytes, cudaMemcpyHostToDevice));
    sum_of_copy ();
  };
  time_line ({ "host", "sum", "double", n, (int64_t) bytes },
             { { "engine", {}, engine, [=] { return is (value); } },
               { "pinned copy", {}, copy, [=] { sum_of_copy (); return is (*(double *) mail); } },
               { "cudaMemcpy + CUB", {}, copy_and_sum, [=] { return is (*(double *) mail); } } }, quick ? 5 : 11, true);
  TRY (cudaFreeHost (pinned));
  free (x);
}

/* ---- start ------------------------------------------------------------------------------------------- */

static void
open_engine (const char *path)
{
  static volatile int no_interrupt, *flag = &no_interrupt;
  static const gpr_cuda_host host = { &flag, &settings, note_failure, NULL };
  void *module = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (! module)
    die ("%s", dlerror ());
  auto entry = (const gpr_cuda_api *(*) (const gpr_cuda_host *)) dlsym (module, "gpr_cuda_module");
  engine_api = entry ? entry (&host) : NULL;
  if (! engine_api || engine_api->abi != GPR_CUDA_ABI || strcmp (engine_api->version, GPR_VERSION) != 0)
    die ("%s is of another version: make build", path);
  gpr_cuda_probe probe;
  engine_api->probe (&probe);
  if (probe.devices == 0)
    die ("no GPU: %s", probe.reason);
  need (engine_api->select (1));
}

/* CUPTI is used where it sees a long kernel as the events do.  */
static bool
cupti_agrees (void)
{
  ceiling_shape s = { read_only<4>, 4, 512, true };
  entry e = { "ceiling", [=] (int64_t turn) { run_ceiling (s, turn, pool_bytes / 2); }, {}, {} };
  double by_events = rounds ({ e }, true, 101, 0.3)[0];
  if (! span_open ())
    return false;
  by_cupti = true;
  bool on = span_switch (true);
  double by_spans = on ? rounds ({ e }, true, 101, 0.3)[0] : -1;
  (void) span_switch (false);
  by_cupti = false;
  if (! on || fabs (by_spans / by_events - 1) > 0.1)
    fprintf (stderr, "peers: CUPTI says %.1f us where events say %.1f: not used\n", by_spans, by_events);
  return on && fabs (by_spans / by_events - 1) <= 0.1;
}

static void
prepare (bool cupti)
{
  size_t free_bytes, total;
  gpr_device d;
  int runtime = 0, version;

  TRY (cudaSetDevice (0));
  TRY (cudaFree (0));
  TRY (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking));
  TRY (cudaEventCreate (&events[0]));
  TRY (cudaEventCreate (&events[1]));
  TRY (cudaMemGetInfo (&free_bytes, &total));
  need (engine_api->describe (1, &d));
  int l2 = 0;
  TRY (cudaDeviceGetAttribute (&l2, cudaDevAttrL2CacheSize, 0));
  ring_bytes = 4 * (size_t) l2;
  for (pool_bytes = (size_t) 8 << 30; pool_bytes > free_bytes / 2; pool_bytes /= 2)
    ;
  if (pool_bytes < (size_t) 2 << 30)
    die ("%.1f GiB of GPU memory are free; this needs 6", free_bytes / 1073741824.0);
  TRY (cudaMalloc (&pool, pool_bytes));
  TRY (cudaMalloc (&second_pool, (size_t) 1 << 30));
  TRY (cudaMalloc (&out, OUT_BYTES));
  TRY (cudaMalloc (&results, RESULT_BYTES));
  TRY (cudaHostAlloc ((void **) &mail, (size_t) 1 << 23, cudaHostAllocDefault));
  grow_scratch ((size_t) 256 << 20);
  fill_pool<double> ();
  version = open_cublas ();
  by_cupti = cupti && cupti_agrees ();
  TRY (cudaRuntimeGetVersion (&runtime));
  printf ("# device: %s, %.0f GiB, %.0f MB L2\n", d.name, total / 1073741824.0, l2 / 1e6);
  printf ("# engine: gpureduce %s, built for %s\n", engine_api->version, engine_api->architectures ());
  printf ("# cuda: runtime %d.%d, driver's %d.%d\n", runtime / 1000, runtime % 1000 / 10, d.driver_version / 1000,
          d.driver_version % 1000 / 10);
  printf ("# cub: CCCL %d.%d.%d\n", CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION, CCCL_PATCH_VERSION);
  printf ("# cublas: %d\n", version);
  printf ("# device_us: %s\n", by_cupti ? "durations of the kernels together, by CUPTI" : "by events around the call");
  printf ("group,line,class,elements,bytes,who,device_us,call_us\n");
}

static void
time_groups (void)
{
  const int64_t gib = (int64_t) 1 << 27;        /* 1 GiB of doubles */
  if (wanted ("reduce"))
    reduce_class<double> ("reduce", 30);
  if (wanted ("dims"))
    dims ();
  if (wanted ("stats"))
    deviations (gib);
  if (wanted ("dot"))
    dot (gib);
  if (wanted ("host"))
    host_arrays (gib);
  if (wanted ("histogram"))
    float_histograms<double> (GPR_f64, { 256 });
  fill_pool<float> ();
  if (wanted ("reduce"))
    reduce_class<float> ("reduce", 30);
  if (wanted ("histogram"))
    float_histograms<float> (GPR_f32, quick ? std::vector<int> { 256, 32768 }
                                            : std::vector<int> { 10, 256, 4096, 32768, 65536, 1048576 });
  if (wanted ("reduce"))
    {
      fill_pool<int32_t> ();
      reduce_class<int32_t> ("reduce", 30);
      fill_pool<uint8_t> ();
      reduce_class<uint8_t> ("reduce", 30);
    }
  if (wanted ("histogram"))
    byte_histograms ();
  if (wanted ("reductions"))
    single_instances ();
}

static void
time_short_groups (void)
{
  if (wanted ("latency"))
    latency ();
  if (! wanted ("short"))
    return;
  reduce_class<double> ("short", 22);
  fill_pool<float> ();
  reduce_class<float> ("short", 22);
  fill_pool<int32_t> ();
  reduce_class<int32_t> ("short", 22);
  fill_pool<uint8_t> ();
  reduce_class<uint8_t> ("short", 22);
}

int
main (int argc, char **argv)
{
  const char *module = NULL;
  bool short_ones = false;

  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--quick") == 0)
      quick = true;
    else if (strncmp (argv[i], "--only=", 7) == 0)
      only = argv[i] + 7;
    else if (strncmp (argv[i], "--shapes=", 9) == 0)
      shapes = argv[i] + 9;
    else if (strncmp (argv[i], "--instances=", 12) == 0)
      instances = argv[i] + 12;
    else if (strcmp (argv[i], "--short") == 0)
      short_ones = true;
    else if (argv[i][0] != '-' && ! module)
      module = argv[i];
    else
      die ("unknown: %s", argv[i]);
  if (! module)
    die ("usage: peers path/to/gpureduce_cuda.so [--quick] [--only=reduce,dims,stats,dot,histogram,host,reductions,latency,short]"
         " [--shapes=RxC,RxCxP,...] [--instances=NAME:LxNxU,...] [--short]");
  open_engine (module);
  prepare (! short_ones);
  try
    {
      if (short_ones)
        time_short_groups ();
      else
        time_groups ();
    }
  catch (const std::exception &x)
    {
      die ("%s", x.what ());
    }
  if (wrong > 0)
    die ("%d results are not what they must be", wrong);
  return 0;
}
