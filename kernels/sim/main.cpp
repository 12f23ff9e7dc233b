/* gpureduce_sim: runs a ladder variant on the CPU, in a process of its own.

     gpureduce_sim --list [MODULE]    what can be run, as JSON
     gpureduce_sim                    one run: request.h on file descriptor 3  */

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#ifdef __linux__
#  include <sys/prctl.h>
#endif

#include <algorithm>
#include <limits>
#include <set>
#include <math.h>

#include "../ladder/check.h"
#include "finish.h"
#include "report.h"
#include "request.h"
#include "runtime.h"

/* Those of gpr_status (src/gpr.h).  */
enum { OK, BAD_INPUT, OUT_OF_MEMORY, NO_DEVICE, DEVICE_LOST, UNSUPPORTED };

struct variants
{
  int (*count) (void);
  const ladder_variant *(*at) (int);
};

/* The package's own, or those of a user's file.  */
static bool open_module (const char *path, variants *v, std::string *why)
{
  *v = { ladder_count, ladder_at };
  if (! *path)
    return true;
  void *m = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (! m)
    {
      *why = dlerror ();
      return false;
    }
  v->count = (int (*) (void)) dlsym (m, "ladder_count");
  v->at = (const ladder_variant *(*) (int)) dlsym (m, "ladder_at");
  const void *(*touch) (void) = (const void *(*) (void)) dlsym (m, "sim_module_touch");
  if (! v->count || ! v->at || ! touch)
    {
      *why = std::string (path) + " is no module of ladder files for the simulator";
      return false;
    }
  touch ();
  return true;
}

/* ---- list ------------------------------------------------------------------------------- */

static std::string json_text (const char *s)
{
  return s ? json_string (s) : "null";
}

static std::string json_names (unsigned set, const char *const *names, int n)
{
  std::string s = "[";
  for (int i = 0; i < n; i++)
    if (set >> i & 1)
      s += std::string (s.size () > 1 ? "," : "") + "\"" + names[i] + "\"";
  return s + "]";
}

static std::string json_blocks (unsigned set)
{
  std::string s = "[";
  for (int i = 0; i < LADDER_BLOCKS; i++)
    if (set >> i & 1)
      s += (s.size () > 1 ? "," : "") + std::to_string (32 << i);
  return s + "]";
}

static void list_variant (const ladder_variant &v, bool first)
{
  unsigned ops = 0;
  std::string kernels;
  for (int op = 0; op < LADDER_OPS; op++)
    {
      unsigned types = 0;
      for (int type = 0; type < LADDER_TYPES; type++)
        for (int b = 0; b < LADDER_BLOCKS; b++)
          if (v.kernel[op][type][b])
            types |= 1u << type;
      if (types)
        kernels += std::string (kernels.empty () ? "" : ",") + "\"" + ladder_op_names[op] + "\":" + json_names (types, ladder_type_names, LADDER_TYPES);
      ops |= (unsigned) (types != 0) << op;
    }
  printf ("%s{\"name\":%s,\"file\":%s,\"family\":\"%s\",\"rank\":%d,\"aliases\":%s,\"idea\":%s,\"lesson\":%s,\"wrong\":%s,\"source\":%s,"
          "\"fault\":%s,\"per_thread\":%d,\"grid_stride\":%s,\"one_thread\":%s,\"in_place\":%s,\"finishes\":%s,\"blocks\":%s,"
          "\"default_finish\":\"%s\",\"default_block\":%d,\"shared_per_thread\":%d,\"shared_per_warp\":%d,\"shared_fixed\":%d,"
          "\"shared_per_bin\":%d,\"shared_per_warp_bin\":%d,\"packed\":%s,\"needs_major\":%d,\"ops\":%s,\"kernels\":{%s}}",
          first ? "" : ",\n", json_text (v.name).c_str (), json_text (v.file).c_str (), ladder_family_names[v.family], v.rank,
          json_text (v.aliases).c_str (), json_text (v.idea).c_str (), json_text (v.lesson).c_str (), json_text (v.wrong).c_str (),
          json_text (v.source).c_str (), json_text (v.fault).c_str (), v.per_thread, v.grid_stride ? "true" : "false",
          v.one_thread ? "true" : "false", v.in_place ? "true" : "false", json_names (v.finishes, ladder_finish_names, LADDER_FINISHES).c_str (),
          json_blocks (v.blocks).c_str (), ladder_finish_names[v.default_finish], v.default_block, v.shared_per_thread, v.shared_per_warp,
          v.shared_fixed, v.shared_per_bin, v.shared_per_warp_bin, v.packed ? "true" : "false", v.needs_major,
          json_names (ops, ladder_op_names, LADDER_OPS).c_str (), kernels.c_str ());
}

static int list (const char *path)
{
  variants v;
  std::string why;
  if (! open_module (path, &v, &why))
    {
      fprintf (stderr, "%s\n", why.c_str ());
      return 1;
    }
  char what[512];
  for (int i = 0; *path && i < v.count (); i++)         /* the package's library rows have no kernels here */
    if (! ladder_is_sound (v.at (i), what, sizeof what))
      {
        fprintf (stderr, "%s\n", what);
        return 1;
      }
  printf ("[");
  for (int i = 0; i < v.count (); i++)
    list_variant (*v.at (i), i == 0);
  printf ("]\n");
  return 0;
}

/* ---- memory --------------------------------------------------------------------------------- */

std::vector<buffer *> buffers;

/* Arrays lie far apart, so that a wrong index still tells which is meant.  */
buffer *buffer_make (const char *name, value_type type, u64 count, bool read_only, bool initialised, int fd, int64_t at)
{
  const u64 apart = (u64) 1 << 30;
  buffer *b = new buffer ();
  b->name = name;
  b->type = type;
  b->bytes = count * (u64) value_bytes (type);
  b->read_only = read_only;
  char *p = (char *) mmap (NULL, b->bytes + 2 * apart, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    return NULL;
  b->at = p + apart;
  void *q = fd >= 0 ? mmap (b->at, b->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, at)
    : mmap (b->at, b->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (q == MAP_FAILED)
    return NULL;
  if (! read_only)
    {
      b->cells = (cell *) mmap (NULL, (b->bytes / 4 + 2) * sizeof (cell), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (b->cells == MAP_FAILED)
        return NULL;
      if (initialised)
        buffer_initialise (b);
    }
  buffers.insert (buffers.begin (), b);
  return b;
}

void buffer_initialise (buffer *b)
{
  for (u64 i = 0; i <= b->bytes / 4; i++)
    b->cells[i].init = 15;
}

/* ---- one run ------------------------------------------------------------------------------------ */

struct failure { int status; std::string text; };
static failure bad (int status, const std::string &text) { return { status, text }; }
static const failure fine = { OK, "" };

struct run_state
{
  sim_request *r;
  const ladder_variant *v;
  const double *edges;
  sim_response *answer;
  std::vector<u64> counts;
  std::string result;
};

static const void *kernel_of (const ladder_variant *v, int op, int type, int block)
{
  return v->kernel[op][type][v->one_thread ? 0 : ladder_block_index (block)];
}

static bool go (const char *name, const void *kernel, const void *args, size_t bytes, u32 grid, u32 threads, u64 shared,
                bool cooperative, value_type type)
{
  alignas (16) char block[128] = "";
  memcpy (block, args, bytes);
  return launch (name, kernel, block, grid, threads, shared, cooperative, type);
}

static u32 grid_of (const ladder_variant *v, int64_t n, int block)
{
  if (v->one_thread)
    return 1;
  int64_t tile = (int64_t) block * std::max (v->per_thread, 1);
  int64_t blocks = (n + tile - 1) / tile;
  /* A GPU would run hundreds at once; a few show the loop on short inputs too.  */
  if (v->grid_stride)
    blocks = std::min<int64_t> (std::max<int64_t> ((blocks + 3) / 4, 1), 16);
  return (u32) blocks;
}

enum { SLICE_THREADS = 1 << 15 };
static const failure no_memory = { OUT_OF_MEMORY, "the simulator has no memory for this run" };

/* ---- is the result right? -------------------------------------------------------------------- */

template <class X> static X element_of (const char *data, int64_t i)
{
  X x;
  memcpy (&x, data + i * (int64_t) sizeof x, sizeof x);
  return x;
}

static void wrong (const std::string &what)
{
  if (! F.kind)
    set_fault (WRONG_RESULT, NULL, 0, what);
}

/* chain: additions one after the other, at most, on an element's way.  */
template <class X> static void check_reduction (const run_state &s, const char *data, value_type type, double chain)
{
  const int op = s.r->op;
  const int64_t n = s.r->n;
  const bool exact = std::is_integral<X>::value || op == LADDER_MAX || op == LADDER_MIN;
  X got = element_of<X> ((const char *) s.answer->value, 0), best = 0;
  uint32_t whole = op == LADDER_PROD;
  long double sum = 0, size = 0, product = 1, least = 1;
  bool any = false;

  for (int64_t i = 0; i < n; i++)
    {
      X x = element_of<X> (data, i);
      if (op == LADDER_MAX || op == LADDER_MIN)
        {
          if (x == x && (! any || (op == LADDER_MAX ? x > best : x < best)))
            best = x;
          any = any || x == x;
        }
      else if (std::is_integral<X>::value)
        whole = op == LADDER_SUM ? whole + (uint32_t) x : whole * (uint32_t) x;
      else
        {
          sum += x;
          size += fabsl ((long double) x);
          product *= x;
          least = std::min (least, fabsl (product));
        }
    }
  if (exact)
    {
      if (std::is_integral<X>::value && op != LADDER_MAX && op != LADDER_MIN)
        best = (X) whole, any = true;
      if (any && memcmp (&got, &best, sizeof got) && ! (got == best))
        wrong (std::string ("the ") + ladder_op_names[op] + " is " + json_value (type, &got) + " where " + json_value (type, &best) + " is right");
      return;
    }
  const long double eps = std::numeric_limits<X>::epsilon (), most = std::numeric_limits<X>::max (), small = std::numeric_limits<X>::min ();
  if (op == LADDER_PROD)
    {
      /* Out of range on the way: nothing is said.  */
      if (! (least > small && fabsl (product) < most) || got != got)
        return;
      sum = product;
      size = fabsl (product);
      chain = (double) n;
    }
  if (! (size < most / 2))
    return;
  X right = (X) sum;
  if (! (fabsl ((long double) got - sum) <= 2 * chain * eps * size))
    {
      std::string what = std::string ("the ") + ladder_op_names[op] + " is " + json_value (type, &got) + " where " + json_value (type, &right) + " is right";
      if (op == LADDER_SUM && sum > 0)
        {
          X lost = (X) (sum - (long double) got);
          char percent[32];
          snprintf (percent, sizeof percent, "%.3g", (double) (100 * (sum - (long double) got) / sum));
          what += std::string (": ") + json_value (type, &lost) + " was lost, " + percent + " %";
        }
      wrong (what);
    }
}

template <class X> static void check_place (const run_state &s, const char *data, value_type type)
{
  int64_t best = INT64_MAX;
  X value = 0;
  for (int64_t i = 0; i < s.r->n; i++)
    {
      X x = element_of<X> (data, i);
      if (x == x && (best == INT64_MAX || (s.r->op == LADDER_ARGMAX ? x > value : x < value)))
        {
          best = i;
          value = x;
        }
    }
  if (best == INT64_MAX || s.answer->index == best)
    return;
  std::string what = "the place is " + std::to_string (s.answer->index) + " where " + std::to_string (best) + " is right: ";
  if (s.answer->index >= 0 && s.answer->index < s.r->n && element_of<X> (data, s.answer->index) == value)
    what += "both hold " + json_value (type, &value) + ", and the first counts";
  else
    what += "x[" + std::to_string (best) + "] = " + json_value (type, &value);
  wrong (what);
}

template <class X> static void check_counts (const run_state &s, const char *data)
{
  std::vector<u64> right ((size_t) s.r->bins);
  const double *e = s.edges, *end = e + s.r->bins + 1;
  for (int64_t i = 0; i < s.r->n; i++)
    {
      double v = (double) element_of<X> (data, i);
      if (! (v >= e[0] && v <= end[-1]))
        continue;
      int64_t k = std::upper_bound (e, end, v) - e - 1;
      right[(size_t) std::min<int64_t> (k, s.r->bins - 1)]++;
    }
  for (int k = 0; k < s.r->bins; k++)
    if (right[(size_t) k] != s.counts[(size_t) k])
      {
        wrong ("bin " + std::to_string (k) + " holds " + std::to_string (s.counts[(size_t) k]) + " where " + std::to_string (right[(size_t) k]) + " is right");
        return;
      }
}

static failure run_reduction (run_state &s)
{
  static const value_type elements[] = { T_F64, T_F32, T_I32, T_U8 }, pairs[] = { T_F64_PAIR, T_F32_PAIR, T_I32_PAIR, T_U8 };
  const sim_request &r = *s.r;
  const ladder_variant *v = s.v;
  bool arg = v->family == LADDER_FAMILY_ARGMAX;
  value_type x_type = elements[r.type], type = v->packed ? T_U64 : arg ? pairs[r.type] : x_type;
  u64 each = (u64) value_bytes (type), shared;
  int threads = v->one_thread ? 1 : r.block, second_threads = std::max (threads, 32);
  u32 grid = grid_of (v, r.n, r.block);
  bool whole = r.finish == LADDER_LAST_BLOCK || r.finish == LADDER_GRID_SYNC;
  int64_t values = (int64_t) v->shared_per_thread * threads + (int64_t) v->shared_per_warp * ((threads + 31) / 32) + v->shared_fixed;
  const void *kernel = kernel_of (v, r.op, r.type, r.block);
  unsigned char identity[16] = "";

  /* The last block's second pass is by all of its threads.  */
  if (whole && values < threads)
    values = threads;
  shared = (u64) values * each;
  if (shared > SHARED_MOST)
    return bad (BAD_INPUT, std::string (v->name) + " needs " + std::to_string (shared) + " bytes of shared memory a block; a GPU has "
                + std::to_string (SHARED_MOST));
  if (! v->packed)
    identity_of (r.op, r.type, identity);

  /* All blocks of a grid sync run at once; a longer input goes slice by slice.  */
  int64_t slice = r.n, covered = (int64_t) threads * std::max (v->per_thread, 1);
  if (r.finish == LADDER_GRID_SYNC && (u64) grid * (u64) threads > SLICE_THREADS)
    {
      grid = (u32) (SLICE_THREADS / threads);
      slice = grid * covered;
    }
  u64 slices = (u64) ((r.n + slice - 1) / slice);

  buffer *x = buffer_make ("x", x_type, (u64) r.n, ! v->in_place, true, SIM_FD, r.x_at);
  buffer *partial = buffer_make ("partial", type, grid, false, false);
  buffer *result = buffer_make ("result", type, slices, false, true);
  buffer *ticket = buffer_make ("ticket", T_U32, 1, false, true);
  if (! x || ! partial || ! result || ! ticket)
    return no_memory;

  ladder_reduce_args a = { x->at, r.n, partial->at, result->at, (unsigned *) ticket->at, r.finish };
  for (u64 k = 0; k < slices; k++)
    {
      int64_t first = (int64_t) k * slice;
      a.x = x->at + first * value_bytes (x_type);
      a.n = std::min (slice, r.n - first);
      a.result = result->at + k * each;
      memcpy (a.result, identity, each);
      if (! go (v->name, kernel, &a, sizeof a, slices > 1 ? (u32) ((a.n + covered - 1) / covered) : grid, (u32) threads, shared,
                r.finish == LADDER_GRID_SYNC, type))
        return fine;
      if (arg && ! v->packed)
        {
          int64_t place;
          memcpy (&place, a.result, sizeof place);
          place += place != INT64_MAX ? first : 0;      /* in all of x */
          memcpy (a.result, &place, sizeof place);
        }
    }
  const char *at = result->at;
  if (r.finish == LADDER_MULTI_LEVEL && ! arg)
    {
      buffer *level = partial;
      while (grid > 1)
        {
          /* The partial results are the next level's elements.  */
          int64_t n = grid;
          grid = grid_of (v, n, r.block);
          buffer *next = buffer_make ("partial", type, grid, false, false);
          if (! next)
            return no_memory;
          level->name = "x";
          x->name = "x of the level before";
          a.x = level->at;
          a.n = n;
          a.partial = next->at;
          if (! go (v->name, kernel, &a, sizeof a, grid, (u32) threads, shared, false, type))
            return fine;
          x = level;
          level = next;
        }
      at = level->at;
    }
  else if (r.finish == LADDER_TWO_PASS || r.finish == LADDER_MULTI_LEVEL || slices > 1)
    {
      buffer *one = buffer_make ("result", type, 1, false, true);
      if (! one)
        return no_memory;
      struct { const void *partial; int64_t n; void *result; } p = { slices > 1 ? result->at : partial->at,
                                                                     slices > 1 ? (int64_t) slices : grid, one->at };
      at = one->at;
      if (! go ("second_pass", second_pass_kernel (r.op, r.type), &p, sizeof p, 1, (u32) second_threads, (u64) second_threads * each, false, type))
        return fine;
    }

  /* x as it came: a kernel may have written its own copy.  */
  const char *data = (const char *) mmap (NULL, (u64) r.n * (u64) value_bytes (x_type), PROT_READ, MAP_SHARED, SIM_FD, r.x_at);
  if (data == MAP_FAILED)
    return no_memory;
  s.answer->index = -1;
  if (arg)
    {
      u64 key;
      if (v->packed)
        {
          memcpy (&key, at, 8);
          s.answer->index = key ? (int64_t) ladder_key_index (key) : INT64_MAX;
        }
      else
        memcpy (&s.answer->index, at, 8);
      u64 size = (u64) value_bytes (x_type);
      if (v->packed && s.answer->index < r.n)
        memcpy (s.answer->value, data + (u64) s.answer->index * size, size);
      else if (! v->packed)
        memcpy (s.answer->value, at + 8, size);
      s.result = "[" + json_value (x_type, s.answer->value) + "," + std::to_string (s.answer->index) + "]";
      if (x_type == T_F64)
        check_place<double> (s, data, x_type);
      else if (x_type == T_F32)
        check_place<float> (s, data, x_type);
      else
        check_place<int32_t> (s, data, x_type);
    }
  else
    {
      memcpy (s.answer->value, at, each);
      s.result = json_value (x_type, s.answer->value);
      double chain = (double) r.n / ((double) launches[0].grid * threads) + launches[0].grid + 64;
      if (x_type == T_F64)
        check_reduction<double> (s, data, x_type, chain);
      else if (x_type == T_F32)
        check_reduction<float> (s, data, x_type, chain);
      else
        check_reduction<int32_t> (s, data, x_type, chain);
    }
  return fine;
}

static failure run_histogram (run_state &s)
{
  static const value_type elements[] = { T_F64, T_F32, T_I32, T_U8 };
  const sim_request &r = *s.r;
  const ladder_variant *v = s.v;
  int warps = (r.block + 31) / 32;
  u64 shared = 4 * (u64) r.bins * (u64) (v->shared_per_bin + v->shared_per_warp_bin * warps) + 4 * (u64) v->shared_fixed;
  u32 grid = grid_of (v, r.n, r.block);
  const void *kernel = kernel_of (v, r.op, r.type, r.block);

  if (shared > SHARED_MOST)
    return bad (BAD_INPUT, std::string (v->name) + " needs " + std::to_string (shared) + " bytes of shared memory a block for "
                + std::to_string (r.bins) + " bins; a GPU has " + std::to_string (SHARED_MOST));
  buffer *x = buffer_make ("x", elements[r.type], (u64) r.n, ! v->in_place, true, SIM_FD, r.x_at);
  buffer *counts = buffer_make ("counts", T_U64, (u64) r.bins, false, true);
  buffer *edges = buffer_make ("edges", T_F64, (u64) r.bins + 1, true, true);
  if (! x || ! counts || ! edges)
    return no_memory;
  memcpy (edges->at, s.edges, edges->bytes);
  double lo = s.edges[0], width = s.edges[r.bins] - lo;
  ladder_histogram_args a = { x->at, r.n, (unsigned long long *) counts->at, r.bins, (const double *) edges->at, lo,
                              width > 0 ? r.bins / width : 0 };
  if (! go (v->name, kernel, &a, sizeof a, grid, (u32) r.block, shared, false, T_U32))
    return fine;
  s.counts.assign ((const u64 *) counts->at, (const u64 *) counts->at + r.bins);
  s.result = "[";
  for (int k = 0; k < r.bins; k++)
    s.result += (k ? "," : "") + std::to_string (s.counts[k]);
  s.result += "]";
  switch (r.type)
    {
    case LADDER_DOUBLE: check_counts<double> (s, x->at); break;
    case LADDER_SINGLE: check_counts<float> (s, x->at); break;
    case LADDER_INT32: check_counts<int32_t> (s, x->at); break;
    default: check_counts<uint8_t> (s, x->at); break;
    }
  return fine;
}

static failure run (run_state &s)
{
  sim_request &r = *s.r;
  variants list;
  std::string why;

  if (! open_module (r.module, &list, &why))
    return bad (BAD_INPUT, why);
  s.v = NULL;
  for (int i = 0; i < list.count (); i++)
    if (! s.v && ladder_is_called (list.at (i), r.name))
      s.v = list.at (i);
  if (! s.v)
    {
      std::string names;
      std::set<std::string> told;               /* a library has a name in several families */
      for (int i = 0; i < list.count (); i++)
        if (told.insert (list.at (i)->name).second)
          names += std::string (i ? ", " : "") + list.at (i)->name;
      return bad (BAD_INPUT, std::string ("there is no variant ") + r.name + "; there are " + names);
    }
  const ladder_variant *v = s.v;
  if (r.finish < 0)
    r.finish = v->default_finish;
  if (r.block < 0)
    r.block = v->default_block;
  if (r.op < 0 || r.op >= LADDER_OPS || r.type < 0 || r.type >= LADDER_TYPES || r.finish < 0 || r.finish >= LADDER_FINISHES)
    return bad (BAD_INPUT, "operator, class or finish out of range");
  bool runs = false;
  for (const auto &op : v->kernel)
    for (const auto &type : op)
      for (const void *kernel : type)
        runs = runs || kernel;
  if (! runs)
    return bad (UNSUPPORTED, std::string (v->name) + (strcmp (v->name, "engine") == 0 ? ", the package's own, runs on a GPU or the CPU, not in the simulator"
                                                      : " runs on a GPU only"));
  char why_not[512];
  bool histogram = v->family == LADDER_FAMILY_HISTOGRAM;
  if (! ladder_allows (v, r.op, r.type, r.finish, r.block, why_not, sizeof why_not))
    return bad (BAD_INPUT, why_not);
  if (r.n < 1)
    return bad (BAD_INPUT, "no elements");
  if (r.n > SIM_MOST_ELEMENTS && ! r.force)
    return bad (BAD_INPUT, std::to_string (r.n) + " elements are too many for the simulator");
  if (v->packed && r.n >= (int64_t) 1 << 32)
    return bad (BAD_INPUT, std::string (v->name) + " takes fewer than 2^32 elements");

  want_report = r.report[0];
  want_frames = want_report && r.frames;
  sim_seed = r.seed ? r.seed : 1;
  for (int i = 0; i < list.count (); i++)
    for (const auto &op : list.at (i)->kernel)
      for (const auto &type : op)
        for (int b = 0; b < LADDER_BLOCKS; b++)
          if (type[b] && (b == 0 || type[b] != type[b - 1]))
            L.kernels.insert (function_symbol (module_of (type[b]), type[b]));
  if (r.seconds > 0)
    {
      struct itimerval t = {};
      t.it_value.tv_sec = (time_t) r.seconds;
      t.it_value.tv_usec = (suseconds_t) ((r.seconds - (double) t.it_value.tv_sec) * 1e6);
      t.it_value.tv_usec += ! t.it_value.tv_sec && ! t.it_value.tv_usec;
      setitimer (ITIMER_REAL, &t, NULL);
    }

  failure f = histogram ? run_histogram (s) : run_reduction (s);
  if (f.status == OK && want_report)
    {
      report_head h = { v->name, ladder_op_names[r.op], ladder_type_names[r.type], histogram ? "" : ladder_finish_names[r.finish], r.n, r.block, s.result };
      if (! write_report (r.report, h))
        f = bad (BAD_INPUT, std::string ("the report cannot be written to ") + r.report);
    }
  if (f.status == OK && F.kind)
    f = bad (BAD_INPUT, fault_message (v->name));
  return f;
}

static bool put (const void *p, size_t bytes, int64_t at)
{
  const char *c = (const char *) p;
  while (bytes > 0)
    {
      ssize_t n = pwrite (SIM_FD, c, bytes, at);
      if (n <= 0)
        return false;
      c += n;
      at += n;
      bytes -= (size_t) n;
    }
  return true;
}

static int serve (void)
{
  struct stat st;
  /* A private copy: the response is written over the request.  */
  if (fstat (SIM_FD, &st) != 0 || (size_t) st.st_size < sizeof (sim_request))
    return 2;
  sim_request r;
  if (pread (SIM_FD, &r, sizeof r, 0) != (ssize_t) sizeof r || r.magic != SIM_MAGIC)
    return 2;
  r.name[sizeof r.name - 1] = r.module[SIM_TEXT - 1] = r.report[SIM_TEXT - 1] = '\0';
  std::vector<double> edges ((size_t) r.bins + 1);
  if (r.bins > 0 && pread (SIM_FD, edges.data (), edges.size () * 8, r.edges_at) != (ssize_t) (edges.size () * 8))
    return 2;

  /* From here on a module's own code may end the process.  */
  const uint32_t begun = SIM_BEGUN;
  if (! put (&begun, sizeof begun, 0))
    return 2;
  sim_response *answer = new sim_response ();
  run_state s = { &r, NULL, edges.data (), answer, {}, "" };
  failure f = run (s);
  answer->magic = ~(uint32_t) SIM_MAGIC;
  answer->status = f.status;
  snprintf (answer->message, sizeof answer->message, "%s", f.text.c_str ());
  if (! s.counts.empty () && ! put (s.counts.data (), s.counts.size () * 8, r.counts_at))
    return 2;
  return put (answer, sizeof *answer, 0) ? 0 : 2;
}

int main (int argc, char **argv)
{
  const struct rlimit none = { 0, 0 };
  setrlimit (RLIMIT_CORE, &none);
  if (argc >= 2 && ! strcmp (argv[1], "--list"))
    return list (argc > 2 ? argv[2] : "");
  if (argc > 1)
    {
      fprintf (stderr, "usage: gpureduce_sim --list [MODULE]; runs come from gpureduce\n");
      return 2;
    }
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGKILL);
#endif
  return serve ();
}
