#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

#include <algorithm>
#include <set>

#include "cause.h"
#include "check.h"
#include "fibers.h"
#include "finish.h"
#include "graded.h"
#include "launch.h"
#include "memory.h"
#include "prints.h"
#include "report.h"
#include "run.h"
#include "variants.h"

static failure bad (int status, const std::string &text) { return { status, text }; }
static const failure fine = { OK, "" };

static const void *kernel_of (const ladder_variant *v, int op, int type, int block)
{
  return v->kernel[op][type][v->one_thread ? 0 : ladder_block_index (block)];
}

static bool go (const char *name, const void *kernel, const void *args, size_t bytes, u32 grid, shape threads, u64 shared,
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

/* A reduction, step by step.  A step returns false where the run ends: by a fault, which is
   noted elsewhere, or with the failure in outcome.  */
struct reduction
{
  run_state &s;
  const sim_request &r;
  const ladder_variant *v;
  bool arg;
  value_type x_type, type;      /* of an element, of a partial result */
  u64 each, shared;             /* bytes of a partial result, of a block's shared memory */
  int threads;
  shape block;
  u32 grid;
  int64_t covered, slice;       /* elements of a block; of a launch, and so many launches: */
  u64 slices;
  const void *kernel;
  buffer *x, *partial, *result;
  ladder_reduce_args a;
  const char *at;               /* the result */
  failure outcome;

  reduction (run_state &state) : s (state), r (*state.r), v (state.v), outcome (fine) {}
  bool fail (const failure &f) { outcome = f; return false; }
  bool plan ();
  bool make_buffers ();
  bool run_first ();
  bool run_slices ();
  bool all_have_results ();
  bool run_levels ();
  bool run_second_pass ();
  bool finish ();
  bool deliver ();
};

bool reduction::plan ()
{
  static const value_type elements[] = { T_F64, T_F32, T_I32, T_U8 }, pairs[] = { T_F64_PAIR, T_F32_PAIR, T_I32_PAIR, T_U8 };
  const bool whole = r.finish == LADDER_LAST_BLOCK || r.finish == LADDER_GRID_SYNC;
  arg = v->family == LADDER_FAMILY_ARGMAX;
  x_type = elements[r.type];
  type = v->packed ? T_U64 : arg ? pairs[r.type] : x_type;
  each = (u64) value_bytes (type);
  threads = v->one_thread ? 1 : r.block;
  block = { (u32) threads, (u32) v->block_y, (u32) v->block_z };
  grid = grid_of (v, r.n, r.block);
  kernel = kernel_of (v, r.op, r.type, r.block);

  int64_t values = (int64_t) v->shared_per_thread * threads + (int64_t) v->shared_per_warp * ((threads + 31) / 32) + v->shared_fixed;
  /* The last block's second pass is by all of its threads.  */
  if (whole && values < threads)
    values = threads;
  shared = (u64) values * each;
  if (shared > SHARED_MOST)
    return fail (bad (BAD_INPUT, std::string (v->name) + " needs " + std::to_string (shared) + " bytes of shared memory a block; a GPU has "
                      + std::to_string (SHARED_MOST)));

  /* All blocks of a grid sync run at once; a longer input goes slice by slice.  */
  slice = r.n;
  covered = (int64_t) threads * std::max (v->per_thread, 1);
  if (r.finish == LADDER_GRID_SYNC && (u64) grid * (u64) threads > SLICE_THREADS)
    {
      grid = (u32) (SLICE_THREADS / threads);
      slice = grid * covered;
    }
  slices = (u64) ((r.n + slice - 1) / slice);
  return true;
}

bool reduction::make_buffers ()
{
  x = buffer_make ("x", x_type, (u64) r.n, ! v->in_place, true, SIM_FD, r.x_at);
  partial = buffer_make ("partial", type, grid, false, false);
  result = buffer_make ("result", type, slices, false, true);
  buffer *ticket = buffer_make ("ticket", T_U32, 1, false, true);
  if (! x || ! partial || ! result || ! ticket)
    return fail (no_memory);
  a = { x->at, r.n, partial->at, result->at, (unsigned *) ticket->at, r.finish, s.scale, s.bias };
  at = result->at;
  return true;
}

bool reduction::run_first ()
{
  return ! v->first || go (v->first->name, kernel_of (v->first, r.op, r.type, r.block), &a, sizeof a, grid, { (u32) threads, 1, 1 }, 0, false, type);
}

bool reduction::run_slices ()
{
  unsigned char identity[16] = "";
  if (! v->packed)
    identity_of (r.op, r.type, identity);
  for (u64 k = 0; k < slices; k++)
    {
      int64_t first = (int64_t) k * slice;
      a.x = x->at + first * value_bytes (x_type);
      a.n = std::min (slice, r.n - first);
      a.result = result->at + k * each;
      memcpy (a.result, identity, each);
      if (! go (v->name, kernel, &a, sizeof a, slices > 1 ? (u32) ((a.n + covered - 1) / covered) : grid, block, shared,
                r.finish == LADDER_GRID_SYNC, type))
        return false;
      if (arg && ! v->packed)
        {
          int64_t index;
          memcpy (&index, a.result, sizeof index);
          index += index != INT64_MAX ? first : 0;      /* in all of x */
          memcpy (a.result, &index, sizeof index);
        }
    }
  return true;
}

/* Who reads a result that a block has not left would be blamed for it.  */
bool reduction::all_have_results ()
{
  for (u64 k = 0; k < grid; k++)
    if (! partial->cells[k * each / 4].init)
      {
        set_fault (WRONG_RESULT, NULL, 0, "block (" + std::to_string (k) + ",0,0) leaves no result: it never writes partial["
                   + std::to_string (k) + "] of " + std::to_string (grid));
        return false;
      }
  return true;
}

/* The same kernel over the partial results, which are the next level's elements.  */
bool reduction::run_levels ()
{
  buffer *level = partial;
  a.scale = 1;                  /* they are mapped already */
  a.bias = 0;
  while (grid > 1)
    {
      if (! all_have_results ())
        return false;
      int64_t n = grid;
      grid = grid_of (v, n, r.block);
      buffer *next = buffer_make ("partial", type, grid, false, false);
      if (! next)
        return fail (no_memory);
      level->name = "x";
      x->name = "x of the level before";
      a.x = level->at;
      a.n = n;
      a.partial = next->at;
      if (! go (v->name, kernel, &a, sizeof a, grid, block, shared, false, type))
        return false;
      x = level;
      partial = level = next;
    }
  if (! all_have_results ())
    return false;
  at = level->at;
  return true;
}

bool reduction::run_second_pass ()
{
  if (slices == 1 && ! all_have_results ())
    return false;
  const int second_threads = std::max (threads, 32);
  buffer *one = buffer_make ("result", type, 1, false, true);
  if (! one)
    return fail (no_memory);
  struct { const void *partial; int64_t n; void *result; } p = { slices > 1 ? result->at : partial->at,
                                                                 slices > 1 ? (int64_t) slices : grid, one->at };
  at = one->at;
  return go ("second_pass", second_pass_kernel (r.op, r.type), &p, sizeof p, 1, { (u32) second_threads, 1, 1 }, (u64) second_threads * each, false, type);
}

bool reduction::finish ()
{
  if (r.finish == LADDER_MULTI_LEVEL && ! arg)
    return run_levels ();
  if (r.finish == LADDER_TWO_PASS || r.finish == LADDER_MULTI_LEVEL || slices > 1)
    return run_second_pass ();
  return true;
}

/* The answer, checked against x as it came: a kernel may have written its own copy.  */
bool reduction::deliver ()
{
  const u64 size = (u64) value_bytes (x_type);
  const char *data = (const char *) mmap (NULL, (u64) r.n * size, PROT_READ, MAP_SHARED, SIM_FD, r.x_at);
  if (data == MAP_FAILED)
    return fail (no_memory);
  s.answer->index = -1;
  if (! arg)
    {
      memcpy (s.answer->value, at, each);
      s.result = json_value (x_type, s.answer->value);
      double chain = (double) r.n / ((double) launches[0].grid * threads) + launches[0].grid + 64;
      check_result (s, data, x_type, chain);
      return true;
    }
  if (v->packed)
    {
      u64 key;
      memcpy (&key, at, 8);
      s.answer->index = key ? (int64_t) ladder_key_index (key) : INT64_MAX;
      if (s.answer->index < r.n)
        memcpy (s.answer->value, data + (u64) s.answer->index * size, size);
    }
  else
    {
      memcpy (&s.answer->index, at, 8);
      memcpy (s.answer->value, at + 8, size);
    }
  s.result = "[" + json_value (x_type, s.answer->value) + "," + std::to_string (s.answer->index) + "]";
  check_index (s, data, x_type);
  return true;
}

static failure run_reduction (run_state &s)
{
  reduction one (s);
  if (one.plan () && one.make_buffers () && one.run_first () && one.run_slices () && one.finish ())
    one.deliver ();
  return one.outcome;
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
  if (! go (v->name, kernel, &a, sizeof a, grid, { (u32) r.block, 1, 1 }, shared, false, T_U32))
    return fine;
  s.counts.assign ((const u64 *) counts->at, (const u64 *) counts->at + r.bins);
  s.result = "[";
  for (int k = 0; k < r.bins; k++)
    s.result += (k ? "," : "") + std::to_string (s.counts[k]);
  s.result += "]";
  check_histogram (s, x->at);
  return fine;
}

/* The variant that the request names.  */
static failure find_variant (run_state &s, const variants &list)
{
  s.v = NULL;
  for (int i = 0; i < list.count (); i++)
    if (! s.v && ladder_is_called (list.at (i), s.r->name))
      s.v = list.at (i);
  if (s.v)
    return fine;
  std::string names;
  std::set<std::string> told;           /* a library has a name in several families */
  for (int i = 0; i < list.count (); i++)
    if (told.insert (list.at (i)->name).second)
      names += std::string (i ? ", " : "") + list.at (i)->name;
  return bad (BAD_INPUT, std::string ("there is no variant ") + s.r->name + "; there are " + names);
}

/* Takes the variant's defaults for what the request leaves open, and refuses what it cannot do.  */
static failure validate (sim_request &r, const ladder_variant *v)
{
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
  if (! ladder_allows (v, r.op, r.type, r.finish, r.block, why_not, sizeof why_not))
    return bad (BAD_INPUT, why_not);
  if (r.n < 1)
    return bad (BAD_INPUT, "no elements");
  if (r.n > SIM_MOST_ELEMENTS && ! r.force)
    return bad (BAD_INPUT, std::to_string (r.n) + " elements are too many for the simulator");
  if (v->packed && r.n >= (int64_t) 1 << 32)
    return bad (BAD_INPUT, std::string (v->name) + " takes fewer than 2^32 elements");
  return fine;
}

static void start_timer (double seconds)
{
  struct itimerval t = {};
  t.it_value.tv_sec = (time_t) seconds;
  t.it_value.tv_usec = (suseconds_t) ((seconds - (double) t.it_value.tv_sec) * 1e6);
  t.it_value.tv_usec += ! t.it_value.tv_sec && ! t.it_value.tv_usec;
  t.it_interval.tv_sec = 1;     /* again, for code that gives nobody a turn */
  setitimer (ITIMER_REAL, &t, NULL);
}

failure run (run_state &s)
{
  sim_request &r = *s.r;
  variants list;
  std::string why;

  if (! open_module (r.module, &list, &why, r.graded))
    return bad (BAD_INPUT, why);
  failure f = find_variant (s, list);
  if (f.status == OK && r.graded && ! (s.v = graded_variant (s.v, list.kernel_of, &why)))
    f = bad (BAD_INPUT, why);
  if (f.status == OK)
    f = validate (r, s.v);
  if (f.status != OK)
    return f;
  const ladder_variant *v = s.v;
  const bool histogram = v->family == LADDER_FAMILY_HISTOGRAM;
  s.scale = r.unmapped ? 1 : v->scale;
  s.bias = r.unmapped ? 0 : v->bias;

  L.kernel_of = list.kernel_of;
  want_report = r.report[0];
  want_frames = want_report && r.frames;
  sim_seed = r.seed ? r.seed : 1;
  for (int i = 0; i < list.count (); i++)
    for (const ladder_variant *k = list.at (i); k; k = k->first)
      for (const auto &op : k->kernel)
        for (const auto &type : op)
          for (int b = 0; b < LADDER_BLOCKS; b++)
            if (type[b] && (b == 0 || type[b] != type[b - 1]))
              L.kernels.insert (function_symbol (module_of (type[b]), list.kernel_of (type[b])));
  prints_go_to (SIM_FD, r.printed_at);
  seconds_allowed = r.seconds;
  if (r.seconds > 0)
    start_timer (r.seconds);

  f = histogram ? run_histogram (s) : run_reduction (s);
  if (f.status == OK && F.kind)
    name_cause ();
  if (f.status == OK && want_report)
    {
      report_head h = { v->name, ladder_op_names[r.op], ladder_type_names[r.type], histogram ? "" : ladder_finish_names[r.finish], r.n, r.block,
                        s.scale, s.bias, s.result };
      if (! write_report (r.report, h))
        f = bad (BAD_INPUT, std::string ("the report cannot be written to ") + r.report);
    }
  if (f.status == OK && F.kind)
    f = bad (BAD_INPUT, fault_message (v->name));
  return f;
}
