/* Reductions in stages and what reads their results, in one kernel that is compiled at run time (kernels/engine/compiled/slices.cuh).  */

#include <string.h>

#include "compile.h"
#include "problems.h"
#include "stream.h"
#include "../core/slices.h"

enum {
  WARP_BYTES = 10 << 10,        /* of a slice that a warp takes */
  WARP_BYTES_OF_FEW = 2 << 10,  /* where there are few, which all begin at once */
  WARP_BLOCKS = 10,             /* of warps, that shared memory shall have room for */
  THREAD_ROWS = 12,             /* of a slice that a warp takes, which each of its threads has at least */
  /* Threads and registers by measurement (doc/experiments.md).  A block's threads have as many registers as its blocks leave that shared memory has room for, but at least so many.  */
  THREAD_BYTES = 256,           /* of a slab, about, for each thread of a block */
  THREAD_BYTES_OF_FEW = 32,
  THREAD_BYTES_OF_LIGHT = 128,  /* and of columns, where stages are light or several outer indices are taken */
  REGISTER_FILE = 64 << 10,     /* of a multiprocessor */
  OTHER_BYTES = 4 << 10,        /* of shared memory, about, beside the slab */
  MOST_OF_COLUMNS = 512,        /* threads of a block of these */
  MOST_TOGETHER = 6,            /* blocks of columns on a multiprocessor, for which threads are fewer */
  REGISTERS = 64,
  REGISTERS_OF_COLUMNS = 80,    /* where stages are not light */
  MOST_ROWS_OF_LANE = 64,       /* of a part of columns for which there are clusters of which a multiprocessor has one block */
  MOST_TENTHS = 13,             /* of a slice's rows that a cluster has room for: the last blocks wait, where they have fewer */
  /* Neighbours that are read and written together: a copy by rows of 64, 128 and 256 bytes has 0.59, 0.79 and 0.92 of a whole one's rate.  */
  WIDE_ROW_BYTES = 256,
  HALF_ROW_BYTES = 128,
  ROW_BYTES = 64,
  LEAST_ROW_BYTES = 32,
  SLOT_BYTES = 4,               /* of an accumulator in shared memory at least */
  MOST_LANES = 8,               /* of one part of a slice, that a thread has */
  UNIT_BYTES = 8 << 10,         /* of all columns of an outer index, where a block takes several */
  FLAT_BYTES = 48 << 10,        /* of shared memory that a block of these has */
  LEAST_FLAT = 32, MOST_FLAT = 256,     /* and slices; more where that has no two units */
  KNOWN_ROWS = 16,              /* of a slice that a thread takes, which the kernel's text knows: no element stands for those that are not there */
  HELD_GROUP = 256,             /* threads of a slice in registers, at most */
  HELD_REGISTERS = 128,         /* of a thread that has at most so many bytes of it, and no large accumulators */
  HELD_BYTES = 256,
  THREAD_SLICE = 128            /* elements of a slice that one thread takes there */
};

typedef struct {
  gpr_slices_teams teams;
  int shared;                   /* of a block */
  int64_t blocks;               /* one for each slab, or for each of its warps' */
} layout;

static int
log2_of (int64_t n)
{
  return 63 - __builtin_clzll ((unsigned long long) n);
}

/* The power of 2 from n on, between least and most, which are such.  */
static int
power_from (int64_t n, int least, int most)
{
  int p = least;
  while (p < n && p < most)
    p *= 2;
  return p;
}

/* How many blocks' shared memory a multiprocessor has.  It has 1 KiB more than a block can ask for, and the driver takes 1 KiB for each block.  */
static int64_t
blocks_by_memory (const gpr_cuda_state *s, int shared)
{
  return ((int64_t) s->shared_bytes + (1 << 10)) / (shared + (1 << 10));
}

static int
round_up (int64_t n, int to)
{
  return (int) ((n + to - 1) / to * to);
}

static int64_t
count_of (const gpr_slices *p)
{
  return p->inner * p->length * p->outer;
}

/* Elements so few that launches take longer than they: one for all of it is better, however few blocks that has.  */
static bool
are_few (const gpr_slices *p, const gpr_cuda_state *s)
{
  return ! gpr_cuda_compiles (s, count_of (p));
}

/* No stage has long steps, or accumulators of many registers.  */
static bool
is_light (const gpr_slices *p)
{
  bool light = true;
  for (int k = 0, i = 0; k < p->stages; i = p->stage[k++].end)
    if (p->stage[k].info)
      for (light = light && p->stage[k].info->acc_bytes <= 16; i < p->stage[k].end; i++)
        light = light && (gpr_source_length (p->m.step[i].op) == 0 || gpr_map_is_square (&p->m.step[i]));
  return light;
}

/* Threads of a warp for each slice, of up to so many lanes: the more slices a warp has, the more bytes are on their way.  */
static int
group_of_warp (int64_t length, int64_t slice, int lanes, int64_t shared)
{
  const int most = lanes < 32 ? lanes : 32;
  int group = lanes > MOST_LANES ? lanes / MOST_LANES : 1;
  while (group < most && (length >= 2 * group * THREAD_ROWS || 64 / group * slice > shared / WARP_BLOCKS))      /* a block has 64 threads */
    group *= 2;
  return group;
}

/* Columns of so few elements that a block takes all of several outer indices, which lie one after the other.  few_lanes: a thread has all of a slice; else strand_bytes are
   of its accumulators.  False: a block takes what is of one outer index.  */
static bool
plan_flat_columns (gpr_slices_args *args, const gpr_slices *p, int bytes, bool few_lanes, int64_t strand_bytes, const gpr_cuda_state *s, gpr_slices_teams *y)
{
  const int64_t unit = p->inner * p->length * bytes, slice = p->length * bytes + (few_lanes ? 0 : strand_bytes);
  int wide = 4 * MOST_FLAT;

  if (p->length < 2 || unit > UNIT_BYTES || (! few_lanes && p->inner * bytes >= ROW_BYTES))
    return false;
  while (wide > LEAST_FLAT && (wide * slice > FLAT_BYTES || (wide > MOST_FLAT && wide / 2 >= 2 * p->inner)))
    wide /= 2;
  while (wide > LEAST_FLAT && wide / 2 >= 2 * p->inner && gpr_over (p->outer, wide / p->inner) < 2 * s->multiprocessors)
    wide /= 2;
  const int64_t units = gpr_min64 (wide / p->inner, p->outer);
  if (units < 2 || wide * slice > FLAT_BYTES || gpr_over (p->outer, units) < s->multiprocessors)
    return false;
  args->slices = (int) (units * p->inner);
  y->slices_log2 = log2_of (wide);
  args->unit = (int) (p->inner * p->length);
  args->row = args->unit | 1;
  args->tiles = 1;
  args->slabs = gpr_over (p->outer, units);
  y->flat = true;
  y->threads = few_lanes ? wide : power_from (wide * p->length * bytes / THREAD_BYTES_OF_LIGHT, wide > 64 ? wide : 64, GPR_SLICES_MOST_THREADS);
  y->group = y->threads / wide;
  return true;
}

/* Rows of each slice for a block of a cluster, and what each has of the stages' trees: no lane and no part is two blocks'.  False: they do not divide so.  */
static bool
divide_rows (gpr_slices_args *args, const gpr_slices *p, gpr_slices_teams *y)
{
  const int log2 = y->cluster_log2, blocks = 1 << log2;
  int64_t rows = 1;
  int lanes = GPR_SLICES_MOST_THREADS;

  for (int k = 0; k < p->stages; k++)
    if (p->stage[k].info)
      {
        rows = gpr_max64 (rows, args->tree[k].rows);
        lanes = gpr_min64 (lanes, args->tree[k].lanes);
      }
  y->chunk_log2 = log2_of (lanes) - log2;
  if (p->inner > 1)
    {
      args->share = (int) gpr_min64 (gpr_over (gpr_over (p->length, blocks), rows) * rows, INT32_MAX);
      y->chunk_log2 = 0;
    }
  else if (y->chunk_log2 >= 5)
    {
      const int64_t all = (int64_t) lanes, whole = p->length / all;
      args->share = (int) ((whole << y->chunk_log2) + gpr_min64 (p->length - whole * all, 1 << y->chunk_log2));
    }
  else
    return false;
  for (int k = 0; k < p->stages; k++)
    if (p->stage[k].info)
      {
        gpr_slices_tree *t = &args->tree[k];
        args->parts[k] = t->parts;
        if (p->inner > 1)
          t->parts = (int32_t) (args->share / t->rows);
        else
          *t = (gpr_slices_tree) { t->rows >> log2, t->parts, t->lanes >> log2, t->lanes_log2 - log2 };
      }
  return (int64_t) args->share * (blocks - 1) < p->length && (p->inner == 1 || (int64_t) args->share * blocks * 10 <= p->length * MOST_TENTHS);
}

/* Whether lanes of columns' parts have many rows: there are few of them, and most threads of a block wait for those that have one.  */
static bool
has_long_lanes (const gpr_slices_args *args, const gpr_slices *p)
{
  bool is_long = false;
  for (int k = 0; k < p->stages; k++)
    is_long = is_long || (p->stage[k].info && args->tree[k].rows > args->tree[k].lanes * MOST_ROWS_OF_LANE);
  return is_long;
}

/* Registers for a thread of a block, at least.  */
static int
registers_of (const gpr_slices *p)
{
  return p->inner > 1 && ! is_light (p) ? REGISTERS_OF_COLUMNS : REGISTERS;
}

/* Elements of a slice that each of so many threads holds in registers, at most; lanes are as many as these may be (measured: doc/experiments.md).  */
static int
most_held (int group, int lanes)
{
  return group == lanes || group >= 128 ? 64 : group >= 32 ? 32 : group >= 8 ? 26 : 16;
}

/* Slices that lie in registers: each lane of a stage is one thread's.  bytes: of an element of all leaves that are read again.  False: they are too short or too long, or of
   elements that are too small to be loaded by themselves.  */
static bool
plan_held (gpr_slices_args *args, const gpr_slices *p, const gpr_map_args *a, int leaves, int bytes, const gpr_cuda_state *s, gpr_slices_teams *y)
{
  int group = 2, lanes = HELD_GROUP;
  bool any = false, fits = p->length > KNOWN_ROWS && p->length <= HELD_GROUP * most_held (HELD_GROUP, lanes) && ! are_few (p, s);

  for (int k = 0; k < p->stages; k++)
    if (p->stage[k].info)
      {
        lanes = args->tree[k].lanes < lanes ? args->tree[k].lanes : lanes;
        fits = fits && args->tree[k].parts == 1;
      }
  for (int l = 0; l < leaves; l++)
    if (a->lies[l] == GPR_MAP_VECTORS)
      {
        any = true;
        fits = fits && gpr_bytes_of (a->elems[l]) >= 4;
      }
  if (! fits || ! any)
    return false;
  const int64_t each = bytes > 8 ? bytes : 8;   /* as of doubles, at least */
  while (group < lanes && gpr_over (p->length, group) * each > most_held (group, lanes) * 8)
    group *= 2;
  const int64_t held = gpr_over (p->length, group);
  if (group > lanes || held * each > most_held (group, lanes) * 8 || p->length < 2 * group)
    return false;
  y->warps = group <= 32;
  y->threads = y->warps ? 64 : group;
  y->group = group;
  y->held = (int) held;
  args->slices = (y->warps ? 32 : y->threads) / group;
  y->slices_log2 = log2_of (args->slices);
  args->row = (int) p->length;
  args->tiles = 1;
  args->slabs = gpr_over (p->outer, args->slices);
  return true;
}

/* Threads and slices of a team, and its trees.  bytes: of an element of the leaves that are read again.  row: neighbours' that are read together, at least, where there are so
   many.  False: a cluster of so many blocks cannot have them.  */
static bool
plan_teams (gpr_slices_args *args, const gpr_slices *p, const gpr_map_args *a, int leaves, int bytes, int row, const gpr_cuda_state *s, gpr_slices_teams *y)
{
  const int64_t most = (int64_t) s->shared_bytes;
  int strands = 1, lanes = 1;
  int64_t strand_bytes = 0;
  bool one_part = true;

  for (int k = 0; k < p->stages; k++)
    if (p->stage[k].info)
      {
        const gpr_tree t = gpr_tree_make (p->stage[k].info->acc_bytes, p->inner, p->length, p->outer);
        args->tree[k] = (gpr_slices_tree) { t.rows, (int32_t) t.parts, t.lanes, log2_of (t.lanes) };
        one_part = one_part && t.parts == 1 && t.lanes <= 64;
        strands = t.lanes * t.parts > strands ? (int) (t.lanes * t.parts) : strands;
        lanes = t.lanes > lanes ? t.lanes : lanes;
        strand_bytes = gpr_max64 (strand_bytes, (int64_t) t.lanes * t.parts * p->stage[k].info->acc_bytes);
      }
  if (y->cluster_log2 > 0 && ! divide_rows (args, p, y))
    return false;
  const int64_t length = y->cluster_log2 > 0 ? args->share : p->length, slice = length * bytes;         /* of a block */
  const bool few_lanes = one_part && lanes <= MOST_LANES && p->length <= THREAD_SLICE;
  if (y->cluster_log2 > 0 && p->inner == 1)
    {
      y->threads = y->group = power_from (slice / THREAD_BYTES, 1 << y->chunk_log2 > 256 ? 1 << y->chunk_log2 : 256, GPR_SLICES_MOST_THREADS);
      args->slices = args->tiles = 1;
      args->row = (int) length;
      args->slabs = p->outer;
    }
  else if (p->inner == 1 && ! plan_held (args, p, a, leaves, bytes, s, y))
    {
      const bool few = are_few (p, s);
      y->warps = slice <= (few ? WARP_BYTES_OF_FEW : WARP_BYTES) && one_part;
      y->threads = y->warps ? 64 : power_from (slice / (few ? THREAD_BYTES_OF_FEW : THREAD_BYTES), lanes > 64 * MOST_LANES ? lanes / MOST_LANES : 64, GPR_SLICES_MOST_THREADS);
      y->group = y->warps ? group_of_warp (p->length, slice, lanes, most) : power_from (strands, 1, y->threads);
      args->slices = (y->warps ? 32 : y->threads) / y->group;
      y->slices_log2 = log2_of (args->slices);
      y->flat = y->warps && y->group < 8 && p->length > 1;
      args->unit = (int) p->length;
      args->row = (int) (y->flat ? p->length | 1 : p->length);  /* odd: threads of neighbours in a warp are at other banks */
      args->tiles = 1;
      args->slabs = gpr_over (p->outer, args->slices);
    }
  else if (p->inner > 1 && (y->cluster_log2 > 0 || ! plan_flat_columns (args, p, bytes, few_lanes, strand_bytes, s, y)))
    {
      args->slices = power_from (p->inner, 1, 256);
      while (args->slices > 1 && args->slices * bytes > gpr_max64 (row, ROW_BYTES) && (args->slices * slice > most / 4 || gpr_over (p->inner, args->slices) * p->outer < 2 * s->multiprocessors))
        args->slices /= 2;
      while (args->slices > 1 && args->slices * bytes > row && args->slices * slice > most / 16 * 9)
        args->slices /= 2;
      y->threads = power_from (args->slices * slice / (is_light (p) ? THREAD_BYTES_OF_LIGHT : THREAD_BYTES), args->slices > 128 ? args->slices : 128, MOST_OF_COLUMNS);
      /* As many blocks at a time as shared memory has room for.  */
      const int64_t together = gpr_min64 (blocks_by_memory (s, (int) gpr_min64 (args->slices * slice + OTHER_BYTES, most)), MOST_TOGETHER);
      while (y->threads > 128 && y->threads > args->slices && y->threads * together * registers_of (p) > REGISTER_FILE)
        y->threads /= 2;
      y->group = y->threads / args->slices;
      y->slices_log2 = log2_of (args->slices);
      args->row = (int) length;
      args->tiles = gpr_over (p->inner, args->slices);
      args->slabs = args->tiles * p->outer;
    }
  const bool in_thread = y->cluster_log2 > 0 ? false : p->inner == 1 ? y->warps || y->group >= 32 : y->flat && few_lanes;
  for (int k = 0; k < p->stages; k++)
    if (p->stage[k].info && in_thread && args->tree[k].parts == 1)
      y->lanes[k] = args->tree[k].lanes > y->group ? args->tree[k].lanes / y->group : 1;
  y->rows = in_thread && y->flat && y->group == 1 && p->length <= KNOWN_ROWS ? (int) p->length : 0;
  if (y->flat)
    gpr_cuda_plan_quotient (args->unit, &args->magic, &args->shift);
  args->inner = p->inner;
  args->length = p->length;
  args->outer = p->outer;
  return true;
}

/* Bytes that can be copied at a time from or to where x begins and each slab of it does.  */
static int
word_of (const gpr_slices_args *args, const gpr_slices_teams *t, const void *x, int bytes)
{
  int word = 16;
  while (word > 1 && ((uintptr_t) x % (uintptr_t) word != 0
                      || (args->inner == 1 || t->flat ? args->slices * args->length * bytes % word != 0 : args->slices * bytes % word != 0 || args->inner * bytes % word != 0)))
    word /= 2;
  return word;
}

/* Bytes of elements, one after the other, that a thread can take together, of slices that are not side by side.  */
static int
together_of (const gpr_map_args *a, int leaves, int word, int64_t length, int z_bytes)
{
  int together = word;
  for (int l = 0; l < leaves; l++)
    if (a->lies[l] == GPR_MAP_VECTORS)
      while (length * gpr_bytes_of (a->elems[l]) % together != 0)
        together /= 2;
  while (length * z_bytes % together != 0 || (uintptr_t) a->z % (uintptr_t) together != 0)
    together /= 2;
  return together;
}

/* Of slices in registers: the elements that a thread takes together, each of another lane; its vectors; and the blocks that it has registers for.  */
static void
plan_vectors (const gpr_slices *p, const gpr_slices_args *args, const gpr_map_args *a, int leaves, int bytes, gpr_slices_teams *y)
{
  int widest = gpr_bytes_of (a->z_elem), word = 16;

  for (int l = 0; l < leaves; l++)
    if (a->lies[l] == GPR_MAP_VECTORS)
      {
        const int of_leaf = gpr_bytes_of (a->elems[l]), aligned = word_of (args, y, a->x[l], of_leaf);
        widest = of_leaf > widest ? of_leaf : widest;
        word = aligned < word ? aligned : word;
      }
  int together = together_of (a, leaves, word, p->length, gpr_bytes_of (a->z_elem)) / widest;
  int64_t accumulator = 0;
  for (int k = 0; k < p->stages; k++)
    if (p->stage[k].info)
      {
        together = y->lanes[k] < together ? y->lanes[k] : together;
        accumulator = gpr_max64 (accumulator, p->stage[k].info->acc_bytes);
      }
  while (together > 1 && p->length / together < 2 * y->group)   /* the second last stands for the last */
    together /= 2;
  y->vector = together > 1 ? together : 1;
  y->blocks = y->held * bytes <= HELD_BYTES && accumulator <= 16 ? REGISTER_FILE / (y->threads * HELD_REGISTERS) : 1;
  y->held = (int) gpr_over (p->length / y->vector, y->group);
}

/* With clusters of 2^cluster_log2 blocks, and rows of so many bytes at least.  False: so slices are too long, or too few.  */
static bool
plan_way (gpr_slices_args *args, const gpr_slices *p, const gpr_map_args *a, int leaves, int bytes, int cluster_log2, int row, const gpr_cuda_state *s, layout *y)
{
  gpr_slices_teams *t = &y->teams;
  int64_t acc = 0, box = 0, kept = 0;
  int word = 16;

  *y = (layout) { .teams.cluster_log2 = cluster_log2 };
  if (! plan_teams (args, p, a, leaves, bytes, row, s, t) || (! are_few (p, s) && args->slabs << cluster_log2 < s->multiprocessors / 2))
    return false;
  if (t->held > 0)
    plan_vectors (p, args, a, leaves, bytes, t);
  const int64_t wide = 1 << t->slices_log2, rows = p->inner > 1 && t->flat ? args->slices / p->inner : args->slices;    /* that lie apart in shared memory */
  for (int k = 0; k < p->stages; k++)
    if (p->stage[k].info)
      {
        const bool by_all = p->inner > 1 && ! t->flat && t->lanes[k] == 0 && (p->stage[k].info->traits & GPR_FIXUP_MASK) == GPR_FIXUP_BY_INDEX;   /* threads: one of each warp */
        const int64_t bytes = gpr_max64 (p->stage[k].info->acc_bytes, SLOT_BYTES) * wide, blocks = (int64_t) 1 << cluster_log2;
        int64_t strands = t->lanes[k] > 0 ? gpr_min64 (args->tree[k].lanes, t->group * (t->held > 0 ? t->vector : 1)) : (int64_t) args->tree[k].parts * args->tree[k].lanes;
        box = gpr_max64 (box, (by_all ? 1 : p->inner > 1 ? strands / gpr_slices_each (&args->tree[k]) : strands) * blocks * bytes);
        if (by_all)
          strands = wide < 32 ? t->threads / 32 : t->group;
        if (cluster_log2 == 0 || p->inner > 1)
          acc = gpr_max64 (acc, strands * bytes);
      }
  const int of_block = t->warps ? t->threads / 32 : 1;
  if (t->warps)                 /* they have accumulators in registers */
    acc = 0;
  args->box_at = round_up (gpr_max64 (acc, (int64_t) sizeof (int) * wide), 16);
  args->kept_at = args->box_at + (cluster_log2 > 0 ? round_up (gpr_max64 (box, (int64_t) sizeof (int) * wide << cluster_log2), 16) + 16 : 0);   /* and what counts its bytes */
  for (int l = 0; l < leaves; l++)
    if (a->lies[l] == GPR_MAP_VECTORS && t->held == 0)
      {
        const int of_leaf = word_of (args, t, a->x[l], gpr_bytes_of (a->elems[l]));
        word = of_leaf < word ? of_leaf : word;
        args->kept[l] = (int) kept;
        kept = round_up (kept + rows * args->row * gpr_bytes_of (a->elems[l]), 16);
      }
  const int of_z = gpr_bytes_of (a->z_elem);
  t->packed = t->flat && args->row == args->unit ? (int) gpr_max64 (word_of (args, t, a->z, of_z), of_z) : 0;
  t->word = kept == 0 ? 0 : t->flat && t->packed == 0 ? 1 : word;       /* those that lie apart are copied element by element */
  t->together = p->inner == 1 && ! t->flat && kept > 0 ? together_of (a, leaves, word, p->length, gpr_bytes_of (a->z_elem)) : 1;
  for (int l = 0; l < leaves; l++)
    if (a->lies[l] == GPR_MAP_RESULT)
      {
        args->kept[l] = (int) kept;
        kept = round_up (kept + wide * gpr_bytes_of (a->elems[l]), 16);
      }
  if (of_block * (args->kept_at + kept) > (int64_t) s->shared_bytes)
    return false;
  args->team_bytes = args->kept_at + (int) kept;
  y->shared = of_block * args->team_bytes;
  if (t->held == 0)
    t->blocks = t->warps ? 1 : (int) gpr_max64 (gpr_min64 (blocks_by_memory (s, y->shared), REGISTER_FILE / (t->threads * registers_of (p))), 1);
  y->blocks = gpr_over (args->slabs, of_block) << cluster_log2;
  return y->blocks <= INT32_MAX;
}

/* What a way of planning is for.  ODD: rows that are not whole words of 16 bytes.  LIGHT: stages of few instructions, whose blocks wait for each other less.  HEAVY: long steps
   (exp), of 8 bytes and more for each element.  LONG: slices side by side that no block could hold.  */
typedef enum { ALL, ODD, LIGHT, HEAVY, LONG } purpose;

static bool
is_for (purpose of, const gpr_slices_args *args, const gpr_slices *p, int bytes, const gpr_cuda_state *s, const layout *y)
{
  const bool odd = y->teams.word < 16;
  switch (of)
    {
    case ODD:
      return odd;
    case LIGHT:
      return is_light (p);
    case HEAVY:
      return bytes >= 8 && ! is_light (p) && ! has_long_lanes (args, p);
    case LONG:
      return p->inner > 1 && ! odd && ! has_long_lanes (args, p) && gpr_min64 (p->inner * bytes, ROW_BYTES) * p->length > (int64_t) s->shared_bytes;
    default:
      return true;
    }
}

/* Leaves that lie as z does are kept in shared memory: GPR_MAP_KEPT.  False: slices that are too long, or too few.  */
static bool
plan (gpr_slices_args *args, const gpr_slices *p, gpr_map_args *a, int leaves, const gpr_cuda_state *s, layout *y)
{
  /* Blocks of a cluster, neighbours' bytes that are read together, and how many blocks a multiprocessor shall have room for, of which some compute while others read.  Wide
     rows are for slices side by side, and where there are such.  The first way that fits is taken; which is the quickest was measured (doc/experiments.md).  */
  static const struct { int cluster_log2, row, blocks; purpose of; } ways[] = {
    { 0, WIDE_ROW_BYTES, 3 }, { 1, WIDE_ROW_BYTES, 3 }, { 3, WIDE_ROW_BYTES, 3, ODD }, { 2, WIDE_ROW_BYTES, 3, LIGHT }, { 2, HALF_ROW_BYTES, 3, HEAVY }, { 1, HALF_ROW_BYTES, 3 },
    { 2, HALF_ROW_BYTES, 3 }, { 3, ROW_BYTES, 2, LONG }, { 3, HALF_ROW_BYTES, 2 }, { 3, HALF_ROW_BYTES, 1, ODD },
    { 0, ROW_BYTES, 2 }, { 1, ROW_BYTES, 2 }, { 2, ROW_BYTES, 2 }, { 1, ROW_BYTES, 1 }, { 2, ROW_BYTES, 1 }, { 3, ROW_BYTES, 1 }, { 0, LEAST_ROW_BYTES, 1 }
  };
  const bool clusters = s->capability >= 90;
  int bytes = 0;
  bool fits = false;

  for (int l = 0; l < leaves; l++)
    bytes += a->lies[l] == GPR_MAP_VECTORS ? gpr_bytes_of (a->elems[l]) : 0;
  bytes += bytes == 0;
  if (p->length > INT32_MAX / 16 / bytes || (are_few (p, s) && ! gpr_cuda_can_compile ()))
    return false;
  for (size_t i = 0; i < sizeof ways / sizeof *ways && ! fits; i++)
    {
      const int log2 = ways[i].cluster_log2, row = ways[i].row;
      const bool wide = row > ROW_BYTES;
      if ((log2 > 0 && ! clusters) || (wide && (p->inner == 1 || p->inner * bytes < row)) || ! plan_way (args, p, a, leaves, bytes, log2, row, s, y) || ! is_for (ways[i].of, args, p, bytes, s, y))
        continue;
      fits = (log2 == 0 && p->inner == 1) || y->teams.flat || blocks_by_memory (s, y->shared) >= ways[i].blocks;      /* a slice that one block holds is the quickest so */
      if (log2 > 0 && p->inner > 1 && ways[i].blocks == 1 && has_long_lanes (args, p))
        fits = false;
      if (wide && ! y->teams.flat)
        fits = fits && args->slices * bytes >= row && args->slabs << log2 >= 2 * s->multiprocessors;
    }
  for (int l = 0; l < leaves && fits; l++)
    if (a->lies[l] == GPR_MAP_VECTORS)
      a->lies[l] = GPR_MAP_KEPT;
  return fits;
}

bool
gpr_cuda_slices_fit (const gpr_cuda_state *s, int64_t inner, int64_t length, int64_t outer)
{
  static const gpr_instance_info sum = { .acc_bytes = sizeof (double) };
  const gpr_slices p = { .inner = inner, .length = length, .outer = outer, .stages = 1, .stage[0].info = &sum };
  gpr_map_args a = { .elems = { GPR_f32 }, .lies = { GPR_MAP_VECTORS } };
  gpr_slices_args args;
  layout y;
  return plan (&args, &p, &a, 1, s, &y);
}

gpr_status
gpr_cuda_slices (gpr_cuda_state *s, gpr_slices *p)
{
  gpr_slices_args args = { .z = p->m.z };
  gpr_map_args a;
  gpr_source_key key;
  gpr_cuda_slot *slot;
  layout y;

  p->done = false;
  gpr_cuda_plan_map (&a, &p->m);
  for (int k = 0; k < p->stages; k++)
    {
      if (p->stage[k].leaf >= 0)
        a.lies[p->stage[k].leaf] = GPR_MAP_RESULT;
      args.value[k] = p->stage[k].value;
      args.divisor[k] = p->stage[k].divisor;
    }
  if (! plan (&args, p, &a, p->m.leaves, s, &y) || ! gpr_source_of_map (&key, &a, p->m.leaves, s->capability))
    return GPR_OK;
  gpr_source_slices (&key, p, &y.teams);
  if (p->m.asked)
    {
      *p->m.asked = gpr_cuda_compiled_state (s, &key, count_of (p));
      p->done = *p->m.asked != GPR_KERNEL_BUILT;
      return GPR_OK;
    }
  gpr_cuda_function *kernel = gpr_cuda_compiled_for (s, &key, count_of (p));
  if (! kernel || ! gpr_cuda_compiled_shares (kernel, y.shared))
    return GPR_OK;
  gpr_source_terms (&args.terms, &a, p->m.leaves);
  args.doubt = s->needs_fixup;
  *(volatile int *) s->needs_fixup = 0;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  /* A block for each slab: the hardware begins the next where one ends, sooner than blocks do that take several.  */
  GPR_TRY (gpr_cuda_launch_compiled (s, kernel, y.blocks, y.teams.threads, y.shared, &args));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  GPR_TRY (gpr_cuda_drain (s));
  p->done = *(volatile int *) s->needs_fixup == 0;
  return GPR_OK;
}
