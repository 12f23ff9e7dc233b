#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sizes.h"
#include "source.h"
#include "../../kernels/common/turn.h"

#define NAME(name) [GPR_MAP_##name] = #name,
static const char *const op_names[GPR_MAP_OP_COUNT] = { GPR_MAP_UNARY (NAME) GPR_MAP_BINARY (NAME) };
#define ELEM(name) [GPR_##name] = #name,
static const char *const elem_names[GPR_ELEM_COUNT] = { GPR_MAP_ELEMS (ELEM) };
static const char *const lie_names[] = { "GPR_MAP_VECTORS", "GPR_MAP_SCALAR", "GPR_MAP_STRIDED", "GPR_MAP_BY_COLUMN", "GPR_MAP_RESULT", "GPR_MAP_KEPT", "GPR_MAP_OF_COLUMN", "GPR_MAP_OF_COLUMNS", "GPR_MAP_ALONG_COLUMN", "GPR_MAP_ALONG_COLUMNS" };

int
gpr_source_length (int op)
{
  if (gpr_map_is_short (op))
    return 0;
  switch (op)
    {
    case GPR_MAP_exp: case GPR_MAP_expm1: case GPR_MAP_log: case GPR_MAP_log2: case GPR_MAP_log10: case GPR_MAP_log1p: case GPR_MAP_hypot:
    case GPR_MAP_bitand: case GPR_MAP_bitor: case GPR_MAP_bitxor:
      return 1;
    default:
      return 2;
    }
}

/* Elements of a thread.  The memory wants eight vectors on their way, of all leaves together, or half of them from twice the threads; a function is compiled for each
   of them, though, which takes long, and leaves the memory time.  */
static int
choose_each (const gpr_map_args *a, int leaves, int vectors_wanted)
{
  int vectors = 0, length = 0;
  for (int l = 0; l < leaves; l++)
    vectors += a->lies[l] != GPR_MAP_SCALAR;
  for (int k = 0; k < a->steps; k++)
    length += gpr_source_length (a->step[k].op);
  const int most = length == 0 ? 8 : length == 1 ? 4 : 2, fit = vectors_wanted / (vectors <= 1 ? 1 : vectors == 2 ? 2 : 4);
  return (a->fours ? 4 : 2) * (most < fit ? most : fit);
}

/* What all rows of a column have in common.  */
static bool
is_of_columns (int lie)
{
  return lie == GPR_MAP_OF_COLUMN || lie == GPR_MAP_OF_COLUMNS;
}

static bool
is_by_strides (int lie)
{
  return lie == GPR_MAP_STRIDED || is_of_columns (lie) || lie == GPR_MAP_ALONG_COLUMN || lie == GPR_MAP_ALONG_COLUMNS;
}

/* One array, read and written in words of 16 bytes: with a word each, all threads that a multiprocessor has are quickest (doc/experiments.md).  Their few registers are enough
   for exp and its like, and for a row or a column or two beside what is no array of doubles.  */
enum { MOST_BROADCAST = 2 };
static bool
is_one_stream (const gpr_map_args *a, int leaves)
{
  const int vector = a->fours ? 4 : 2;
  int arrays = 0, broadcast = 0, length = 0;
  for (int k = 0; k < a->steps; k++)
    length += gpr_source_length (a->step[k].op);
  for (int l = 0; l < leaves; l++)
    if (a->lies[l] == GPR_MAP_STRIDED && a->fours && a->rank <= 2)
      broadcast++;
    else if (a->lies[l] != GPR_MAP_SCALAR)
      {
        if (a->lies[l] != GPR_MAP_VECTORS || vector * gpr_bytes_of (a->elems[l]) != 16)
          return false;
        arrays++;
      }
  return arrays == 1 && broadcast <= MOST_BROADCAST && length <= 1 && a->z_vectors && vector * gpr_bytes_of (a->z_elem) == 16;
}

bool
gpr_source_streams (const gpr_source_key *key)
{
  return key->each == (key->fours ? 4 : 2);
}

bool
gpr_source_of_map (gpr_source_key *key, const gpr_map_args *a, int leaves, int capability)
{
  if (a->rank > GPR_COMPILED_RANK)
    return false;
  memset (key, 0, sizeof *key);
  key->capability = capability;
  key->steps = (uint8_t) a->steps;
  key->leaves = (uint8_t) leaves;
  key->each = is_one_stream (a, leaves) ? a->fours ? 4 : 2 : (uint8_t) choose_each (a, leaves, 8);
  key->fours = a->fours;
  key->placed = a->placed;
  key->z_vectors = a->z_vectors;
  key->z_elem = a->z_elem;
  bool strided = a->placed;
  for (int l = 0; l < leaves; l++)
    {
      key->elems[l] = a->elems[l];
      key->lies[l] = a->lies[l];
      strided = strided || is_by_strides (a->lies[l]);
    }
  /* What only what is strided asks for.  */
  key->rank = strided ? (uint8_t) a->rank : 1;
  key->narrow = ! strided || a->narrow;
  for (int k = 0; k < a->steps; k++)
    {
      const gpr_map_step *s = &a->step[k];
      const bool two = gpr_map_takes_two (s->op);
      if (s->op == GPR_MAP_isna || s->op == GPR_MAP_signbit)    /* they read the bits of a NaN */
        return false;
      key->step[k].op = s->op;
      key->step[k].single = s->single;
      key->step[k].turned = two && s->turned;
      if (two || s->op == GPR_MAP_load)
        key->step[k].operand = s->operand;
      if (s->op == GPR_MAP_save || ((two || s->op == GPR_MAP_load) && (s->operand == GPR_MAP_LEAF || s->operand == GPR_MAP_SLOT)))
        key->step[k].at = (int8_t) s->at;
      if (s->op == GPR_MAP_power && ! s->turned && s->operand == GPR_MAP_NUMBER && (s->number == -1 || s->number == 3))
        {
          key->step[k].operand = GPR_SOURCE_LITERAL;
          key->step[k].at = (int8_t) s->number;
        }
      if (s->op == GPR_MAP_rdivide && ! s->turned && ! s->single && s->operand == GPR_MAP_NUMBER && GPR_MAP_DIVIDES (s->number))
        key->step[k].operand = fabs (frexp (s->number, &(int) { 0 })) == 0.5 ? GPR_SOURCE_POWER_OF_2 : GPR_SOURCE_DIVISOR;
    }
  return true;
}

/* Whether steps from k on read leaf l.  */
static bool
is_read (const gpr_source_key *key, int k, int l)
{
  for (; k < key->steps; k++)
    if (key->step[k].operand == GPR_MAP_LEAF && key->step[k].at == l && (key->step[k].op == GPR_MAP_load || gpr_map_takes_two (key->step[k].op)))
      return true;
  return false;
}

/* The last stage whose elements are what z's steps begin with, where they are long to compute and nobody reads a leaf of theirs any more.  */
static void
find_keeper (gpr_source_key *key, const gpr_slices *p)
{
  key->keeper = key->keeps = -1;
  for (int k = 0; k < p->stages && (key->kept || key->held); k++)
    {
      const int from = k > 0 ? p->stage[k - 1].end : 0, steps = p->stage[k].end - from, z = p->stage[p->stages - 1].end;
      const bool single = p->stage[k].class == GPR_CLASS_single;
      int length = 0;
      bool same = p->stage[k].info && (p->stage[k].info->traits & GPR_FIXUP_MASK) != GPR_FIXUP_BY_INDEX && z + steps <= key->steps
                  && (single || p->stage[k].class == GPR_CLASS_double) && key->step[from + steps - 1].single == single;
      for (int i = 0; i < steps && same; i++)
        {
          length += gpr_source_length (key->step[from + i].op);
          same = memcmp (&key->step[from + i], &key->step[z + i], sizeof *key->step) == 0 && key->step[from + i].op != GPR_MAP_save
                 && p->m.step[from + i].number == p->m.step[z + i].number;
        }
      for (int l = 0; l < key->leaves && same && length > 0; l++)
        {
          bool others = is_read (key, z + steps, l);
          for (int i = p->stage[k].end; i < z && ! others; i++)
            others = key->step[i].operand == GPR_MAP_LEAF && key->step[i].at == l;
          if (key->lies[l] == GPR_MAP_KEPT && key->elems[l] == (single ? GPR_f32 : GPR_f64) && ! others)
            {
              key->keeper = (int8_t) k;
              key->keeps = (int8_t) l;
            }
        }
    }
}

void
gpr_source_slices (gpr_source_key *key, const gpr_slices *p, const gpr_slices_teams *teams)
{
  key->each = 0;
  key->placed = key->z_vectors = false;
  key->stages = (uint8_t) p->stages;
  key->columns_first = p->inner > 1;
  key->teams_of_warps = teams->warps;
  key->flat = teams->flat;
  key->packed = (uint8_t) teams->packed;
  key->rows = (uint8_t) teams->rows;
  key->kept = (uint8_t) teams->word;
  key->together = (uint8_t) teams->together;
  key->held = (uint8_t) teams->held;
  key->vector = (uint8_t) teams->vector;
  key->group_log2 = (uint8_t) __builtin_ctz ((unsigned) teams->group);
  key->slices_log2 = (uint8_t) teams->slices_log2;
  key->warps = (uint8_t) (teams->threads / 32);
  key->blocks = (uint8_t) teams->blocks;
  key->cluster_log2 = (uint8_t) teams->cluster_log2;
  key->chunk_log2 = (uint8_t) teams->chunk_log2;
  for (int k = 0; k < p->stages; k++)
    {
      key->stage[k].instance = (int16_t) p->stage[k].instance;
      key->stage[k].end = (uint8_t) p->stage[k].end;
      key->stage[k].elem = (uint8_t) gpr_elem_of_class (p->stage[k].class);
      key->stage[k].lanes = (uint8_t) teams->lanes[k];
      key->stage[k].leaf = (int8_t) p->stage[k].leaf;
    }
  find_keeper (key, p);
}

void
gpr_source_terms (gpr_terms_args *t, const gpr_map_args *a, int leaves)
{
  for (int l = 0; l <= GPR_MAP_LEAVES; l++)
    memcpy (t->strides[l], a->strides[l], sizeof t->strides[l]);
  memcpy (t->dims, a->dims, sizeof t->dims);
  memcpy (t->magic, a->magic, sizeof t->magic);
  memcpy (t->shift, a->shift, sizeof t->shift);
  for (int l = 0; l < leaves; l++)
    t->x[l] = a->x[l];
  for (int k = 0; k < a->steps; k++)
    {
      t->numbers[k] = a->step[k].number;
      t->inverses[k] = 1 / a->step[k].number;
    }
}

void
gpr_source_reduces (gpr_source_key *key, const gpr_reduce_kernels *kernels, const gpr_reduce_launch *l, const gpr_tree *t)
{
  key->instance = (int16_t) kernels->instance;
  key->algorithm = (uint8_t) (l->algorithm + 1);
  key->each = 0;
  key->placed = key->z_vectors = false;
  switch (l->algorithm)
    {
    case GPR_ALGORITHM_BLOCK:
      key->merge_warp = l->merge_warp;
      key->vector = ! l->merge_warp && l->own.block.vector;
      if (! l->merge_warp)
        {
          const int v = key->vector ? kernels->vector : 1;
          key->merges = gpr_lanes_left (t->lanes, t->columns, kernels->width, v) == 1 ? GPR_MERGES_RUNS
                        : gpr_halves (t->lanes, t->columns, kernels->width) && t->columns <= 32 * v ? GPR_MERGES_WARPS : GPR_MERGES_SHARED;
        }
      break;
    case GPR_ALGORITHM_THREAD:
      key->vector = l->own.thread.vector;
      key->columns = t->inner > 1;
      if (key->columns && t->lanes > 1)
        key->lanes = kernels->merge_warp ? 1 : t->lanes;
      break;
    case GPR_ALGORITHM_ROWS:
      key->lanes = t->lanes == 8 ? 8 : 64;
      key->vector = l->own.rows.vector;
      break;
    case GPR_ALGORITHM_WARPS:
      key->vector = l->own.rows.vector;
      break;
    case GPR_ALGORITHM_LANES:
      key->vector = l->own.lanes.vector;
      break;
    case GPR_ALGORITHM_COLUMNS:
      key->vector = l->own.columns.vector;
      break;
    default:
      break;
    }
}

void
gpr_source_counts (gpr_source_key *key, const gpr_map_args *a, const gpr_histogram_plan *p)
{
  key->compared = (uint8_t) (p->compared + 1);
  key->find = (uint8_t) p->args.find;
  key->store = (uint8_t) p->args.store;
  key->cuts_shared = p->args.cuts_shared;
  key->each = (uint8_t) choose_each (a, key->leaves, 4);
  key->placed = key->z_vectors = false;
}

void
gpr_source_scans (gpr_source_key *key, gpr_scan_op op, gpr_scan_kernel kernel)
{
  key->scan = (uint8_t) (op + 1);
  key->scan_kernel = (uint8_t) kernel;
  key->each = 0;
  key->placed = key->z_vectors = false;
}

typedef struct { char *text; size_t used; } writer;

static void __attribute__ ((format (printf, 2, 3)))
add (writer *w, const char *format, ...)
{
  const bool full = w->used >= GPR_SOURCE_BYTES;
  va_list list;
  va_start (list, format);
  w->used += (size_t) vsnprintf (full ? NULL : w->text + w->used, full ? 0 : GPR_SOURCE_BYTES - w->used, format, list);
  va_end (list);
}

/* Steps from to before end, and the leaves that they read.  keeps: the leaf in whose place is what the step before them leaves, or -1.  */
typedef struct { int from, end, keeps; uint8_t z_elem; bool from_memory, reads[GPR_MAP_LEAVES]; } expression;

static expression
expression_of (const gpr_source_key *key, int from, int end, uint8_t z_elem)
{
  expression e = { .from = from, .end = end, .keeps = -1, .z_elem = z_elem };
  for (int k = from; k < end; k++)
    if (key->step[k].op != GPR_MAP_save && (key->step[k].op == GPR_MAP_load || gpr_map_takes_two (key->step[k].op)) && key->step[k].operand == GPR_MAP_LEAF)
      e.reads[key->step[k].at] = true;
  return e;
}

static gpr_map_lie
lie_of (const gpr_source_key *key, const expression *e, int l)
{
  return key->lies[l] == GPR_MAP_KEPT && e->from_memory ? GPR_MAP_VECTORS : (gpr_map_lie) key->lies[l];
}

static void
add_for_leaves (writer *w, const gpr_source_key *key, const expression *e, const char *format)
{
  for (int l = 0; l < key->leaves; l++)
    if (e->reads[l])
      add (w, format, l);
}

/* Results of a slice have been read once; the other leaves are by each element, those that are kept as kept says.  */
static void
add_reads_of_slices (writer *w, const gpr_source_key *key, const expression *e, const char *kept)
{
  for (int l = 0; l < key->leaves; l++)
    if (e->reads[l])
      switch (lie_of (key, e, l))
        {
        case GPR_MAP_RESULT: add (w, "x%d = results.x%d; ", l, l); break;
        case GPR_MAP_KEPT: add (w, kept, l, l); break;
        default: add (w, "x%d.read_at (a.terms, at.i); ", l);
        }
  add (w, "}\n");
}

static void
add_for_slices (writer *w, const gpr_source_key *key, const expression *e)
{
  add (w, "    __device__ __forceinline__ void read_results (const gpr_slices_args &a, const slices_at &at) { ");
  for (int l = 0; l < key->leaves; l++)
    if (e->reads[l] && key->lies[l] == GPR_MAP_RESULT)
      add (w, "x%d.read (a, at); ", l);
  add (w, "}\n    __device__ __forceinline__ void read (const gpr_slices_args &a, const slices_at &at, const terms &results) { ");
  add_reads_of_slices (w, key, e, "x%d.read (a, at); ");
  if (key->held)
    {
      add (w, "    template <class H> __device__ __forceinline__ void take (const gpr_slices_args &a, const slices_at &at, const terms &results, const H &held, int k) { ");
      add_reads_of_slices (w, key, e, "x%d.some = held.x%d[k]; ");
    }
}

/* Whether something is read once for all rows of a column.  */
static bool
fixes (const gpr_source_key *key, const expression *e)
{
  bool any = false;
  for (int l = 0; l < key->leaves; l++)
    any = any || (e->reads[l] && is_of_columns (key->lies[l]));
  return any;
}

/* What is known for all rows of a column is found before them.  */
static void
add_for_reduction (writer *w, const gpr_source_key *key, const expression *e)
{
  add (w, "    __device__ __forceinline__ void fix (const gpr_terms_args &a, i64 i) { ");
  for (int l = 0; l < key->leaves; l++)
    if (e->reads[l] && is_of_columns (key->lies[l]))
      add (w, "x%d.read_at (a, i); ", l);
    else if (e->reads[l] && key->lies[l] == GPR_MAP_ALONG_COLUMN)
      add (w, "x%d.fix (a, i); ", l);
  add (w, "}\n    __device__ __forceinline__ void read_at (const gpr_terms_args &a, i64 i, const terms &fixed) { ");
  for (int l = 0; l < key->leaves; l++)
    if (e->reads[l])
      add (w, is_of_columns (key->lies[l]) ? "x%d = fixed.x%d; " : key->lies[l] == GPR_MAP_ALONG_COLUMN ? "x%d.read_at (a, i, fixed.x%d); " : "x%d.read_at (a, i); ", l, l);
  add (w, "}\n");
}

static const char *
type_of (bool single)
{
  return single ? "f32" : "f64";
}

/* Whether the last step leaves an integer of the result's own class.  */
static bool
is_whole (const gpr_source_key *key, const expression *e)
{
  switch (key->step[e->end - 1].op)
    {
#define IS_OF(op, elem) case GPR_MAP_to_##op: return e->z_elem == GPR_##elem;
    IS_OF (int8, i8) IS_OF (uint8, u8) IS_OF (int16, i16) IS_OF (uint16, u16) IS_OF (int32, i32) IS_OF (uint32, u32)
    default:
      return false;
    }
}

/* Each value has a name of its own: v and the number of its step.  */
static void
add_steps (writer *w, const gpr_source_key *key, const expression *e)
{
  int before = e->from - 1, saved[GPR_MAP_SLOTS] = { 0 };

  if (e->keeps >= 0)
    add (w, "      const %s v%d = x%d.at (j);\n", type_of (key->step[before].single), before, e->keeps);
  for (int k = e->from; k < e->end; k++)
    {
      const int at = key->step[k].at, op = key->step[k].op;
      const char *type = type_of (key->step[k].single);
      char operand[64], accumulator[64];

      if (op == GPR_MAP_save)
        {
          saved[at] = before;
          continue;
        }
      snprintf (accumulator, sizeof accumulator, "w.template as<%s> (v%d)", type, before);
      switch (key->step[k].operand)
        {
        case GPR_MAP_LEAF: snprintf (operand, sizeof operand, "w.template as<%s> (x%d.at (j))", type, at); break;
        case GPR_MAP_NUMBER: case GPR_SOURCE_DIVISOR: case GPR_SOURCE_POWER_OF_2: snprintf (operand, sizeof operand, "w.template as<%s> (a.numbers[%d])", type, k); break;
        case GPR_SOURCE_LITERAL: snprintf (operand, sizeof operand, "(%s) %d", type, at); break;
        case GPR_MAP_SELF: strcpy (operand, accumulator); break;
        default: snprintf (operand, sizeof operand, "w.template as<%s> (v%d)", type, saved[at]);
        }
      add (w, "      const %s v%d = ", type, k);
      if (op == GPR_MAP_load)
        add (w, "%s;\n", operand);
      else if (op == GPR_MAP_rdivide && ! key->step[k].turned && key->step[k].operand == GPR_MAP_LEAF && key->lies[at] == GPR_MAP_RESULT
               && (! key->step[k].single || key->elems[at] == GPR_f32))         /* as it is divided by: of a double the inverse is another than of the single made of it */
        add (w, "w.over_ (%s, %s, x%d.inverse);\n", accumulator, operand, at);
      else if (key->step[k].operand == GPR_SOURCE_DIVISOR)
        add (w, "w.over_ (%s, %s, a.inverses[%d]);\n", accumulator, operand, k);
      else if (key->step[k].operand == GPR_SOURCE_POWER_OF_2)
        add (w, "w.times_ (%s, a.inverses[%d]);\n", accumulator, k);
      else if (key->step[k].single == GPR_MAP_SINGLE_OF_WHOLE)          /* an integer has no -0; what is stored as one loses it anyway */
        add (w, "w.%s_of_whole_ (%s)%s;\n", op_names[op], accumulator, k + 1 == e->end && is_whole (key, e) ? "" : " + 0.0f");
      else if (! gpr_map_takes_two (op))
        add (w, "w.%s_ (%s);\n", op_names[op], accumulator);
      else
        add (w, "w.%s_ (%s, %s);\n", op_names[op], key->step[k].turned ? operand : accumulator, key->step[k].turned ? accumulator : operand);
      before = k;
    }
  add (w, "      return v%d;\n", before);
}

/* ---- reductions ----------------------------------------------------------------------- */

#define ROW(id, FAMILY, X, A, Y) [GPR_##id] = { #id, #id ", " #FAMILY ", " #X ", " #A ", " #Y },
static const struct { const char *id, *row; } rows[GPR_INSTANCE_COUNT] = { GPR_INSTANCES (ROW) };

/* Blocks of a multiprocessor that registers are left for: an expression wants more than an array, but COLUMNS lives on many threads, and so do a thread's short columns.  */
static const char *
blocks_of (const gpr_source_key *key)
{
  const int algorithm = key->algorithm - 1;
  if (algorithm == GPR_ALGORITHM_COLUMNS)
    return "3";
  if (algorithm != GPR_ALGORITHM_THREAD || key->lanes)
    return "gpr_tuned::dense_blocks";
  return key->columns ? "gpr_tuned::thread_blocks_columns" : "L::fixes ? gpr_tuned::thread_blocks_fixed : gpr_tuned::dense_blocks";
}

/* The algorithm's function, as kernels/engine/reduce/kernels.cuh calls it.  */
static void
add_reduction (writer *w, const gpr_source_key *key)
{
  const char *const threads = key->merge_warp ? "GPR_MERGE_WARP_THREADS" : "GPR_REDUCE_THREADS";
  char call[256];

  switch (key->algorithm - 1)
    {
    case GPR_ALGORITHM_BLOCK:
      strcpy (call, key->merge_warp ? "gpr_merge_warp_units<F, L> (a, *(gpr_merge_queue<F> *) &shared)"
                    : key->vector ? "gpr_block_units<F, L, F::vector> (a, shared.lanes ())" : "gpr_block_units<F, L, 1> (a, shared.lanes ())");
      break;
    case GPR_ALGORITHM_COLUMNS:
      strcpy (call, key->vector ? "gpr_columns<F, L, GPR_COLUMNS_VECTOR (sizeof (F::X))> (a, shared.lanes ())" : "gpr_columns<F, L, 1> (a, shared.lanes ())");
      break;
    case GPR_ALGORITHM_GROUP:
      strcpy (call, "gpr_group_units<F, L> (a, shared.lanes ())");
      break;
    case GPR_ALGORITHM_THREAD:
      if (key->lanes)
        snprintf (call, sizeof call, key->lanes > 1 ? "gpr_thread_lanes<F, L, %d> (a)" : "gpr_thread_wide_lanes<F, L> (a)", key->lanes);
      else
        snprintf (call, sizeof call, "gpr_thread_%s<F, L, %s> (a)", key->columns ? "columns" : "units",
                  ! key->vector ? "1" : key->columns ? "GPR_SHORT_COLUMNS (sizeof (F::X))" : "(16 / sizeof (F::X) > 8 ? 8 : 16 / sizeof (F::X))");
      break;
    case GPR_ALGORITHM_WARPS:
      strcpy (call, key->vector ? "gpr_rows<F, L, F::width, F::vector, F::width / F::row_threads / F::vector> (a, shared.lanes ())"
                    : "gpr_rows<F, L, F::width, 1, F::width / GPR_ROW_THREADS> (a, shared.lanes ())");
      break;
    case GPR_ALGORITHM_ROWS:
      strcpy (call, key->lanes == 64 ? "gpr_rows<F, L, 64, (sizeof (F::X) < 8 ? V : 1), (V > 1 && sizeof (F::X) < 8 ? 1 : 2)> (a, shared.lanes ())"
                    : "gpr_rows<F, L, 8, V, (V > 1 ? 1 : 2)> (a, shared.lanes ())");
      break;
    default:
      strcpy (call, key->vector ? "gpr_lanes<F, L, F::lanes_vector> (a, shared.lanes ())" : "gpr_lanes<F, L, 1> (a, shared.lanes ())");
    }
  add (w, "GPR_DEFINE_INSTANCE (%s)\nGPR_ENGINE_INSTANCE (%s)\n", rows[key->instance].row, rows[key->instance].row);
  add (w, "typedef reduce_apart<op_%s, %d> F;\ntypedef load_expression<expression, F::X, F::turns> L;\n", rows[key->instance].id, key->merges);
  const int algorithm = key->algorithm - 1;
  const bool lanes = algorithm == GPR_ALGORITHM_COLUMNS || algorithm == GPR_ALGORITHM_LANES || algorithm == GPR_ALGORITHM_ROWS;
  add (w, "extern \"C\" __global__ void __launch_bounds__ (%s, %s) compiled (const __grid_constant__ gpr_reduce_args a)\n{\n", threads, blocks_of (key));
  add (w, "  constexpr int V = %s;\n  __shared__ %s<F> shared;\n", key->vector ? "F::vector" : "1", lanes ? "reduce_lanes_shared" : "gpr_dense_shared");
  add (w, "  gpr_report (a.out, %s);\n}\n", call);
}

/* ---- counting ---------------------------------------------------------------------------- */

static void
add_counting (writer *w, const gpr_source_key *key)
{
  static const char *const finds[] = { [GPR_FIND_EVEN] = "EVEN", [GPR_FIND_NARROWED] = "NARROWED", [GPR_FIND_SPACED] = "SPACED" };
  static const char *const stores[] = { [GPR_HISTOGRAM_WIDE] = "WIDE", [GPR_HISTOGRAM_PACKED] = "PACKED", [GPR_HISTOGRAM_GLOBAL] = "GLOBAL" };

  add (w, "struct S { typedef %s T; static constexpr gpr_find find = GPR_FIND_%s; static constexpr gpr_histogram_store store = GPR_HISTOGRAM_%s; static constexpr bool cuts_shared = %s; };\n",
       elem_names[key->compared - 1], finds[key->find], stores[key->store], key->cuts_shared ? "true" : "false");
  add (w, "extern \"C\" __global__ void __launch_bounds__ (GPR_HISTOGRAM_THREADS, 1) compiled (const __grid_constant__ gpr_compiled_histogram_args a) "
       "{ histogram_compiled<expression, S, %d> (a); }\n", key->each);
}

/* ---- slices ----------------------------------------------------------------------------------- */

/* Elements of a slice, neighbours, that a thread takes together.  */
static int
vector_of (const gpr_source_key *key, const expression *e)
{
  int widest = gpr_bytes_of (e->z_elem);
  bool kept = false;
  if (key->held)
    return key->vector;
  for (int l = 0; l < key->leaves; l++)
    if (e->reads[l] && lie_of (key, e, l) == GPR_MAP_KEPT)
      {
        kept = true;
        widest = gpr_bytes_of (key->elems[l]) > widest ? gpr_bytes_of (key->elems[l]) : widest;
      }
  return kept && key->together > widest ? key->together / widest : 1;
}

static void
add_slices (writer *w, const gpr_source_key *key)
{
  static const char *const truth[] = { "false", "true" };

  for (int k = 0; k < key->stages; k++)
    {
      bool again = key->stage[k].instance < 0;
      for (int before = 0; before < k; before++)
        again = again || key->stage[before].instance == key->stage[k].instance;
      if (! again)
        add (w, "GPR_DEFINE_INSTANCE (%s)\nGPR_SLICES_INSTANCE (%s)\n", rows[key->stage[k].instance].row, rows[key->stage[k].instance].row);
    }
  int out = -1;
  for (int l = key->leaves - 1; l >= 0; l--)
    if (key->lies[l] == GPR_MAP_KEPT && gpr_bytes_of (key->elems[l]) == gpr_bytes_of (key->z_elem))
      out = l;
  add (w, "struct S { static constexpr bool warp = %s, columns = %s, flat = %s; static constexpr int group_log2 = %d, slices_log2 = %d, packed = %d, rows = %d, kept = %d, out = %d, cluster_log2 = %d, "
       "chunk_log2 = %d, held = %d, vector = %d;\n  struct leaves\n  {\n", truth[key->teams_of_warps], truth[key->columns_first], truth[key->flat], key->group_log2, key->slices_log2, key->packed, key->rows, key->kept, out, key->cluster_log2, key->chunk_log2, key->held,
       key->vector);
  for (int l = 0; l < key->leaves && key->held; l++)
    if (key->lies[l] == GPR_MAP_KEPT)
      add (w, "    map_vector<%s, vector> x%d[held];\n", elem_names[key->elems[l]], l);
  if (key->held && key->keeps >= 0)
    add (w, "    __device__ __forceinline__ auto &made () { return x%d; }\n", key->keeps);
  add (w, "  };\n};\n");
  add (w, "extern \"C\" {\n");
  if (key->cluster_log2)
    add (w, "__cluster_dims__ (%d, 1, 1) ", 1 << key->cluster_log2);
  add (w, "__global__ void __launch_bounds__ (%d, %d) compiled (const __grid_constant__ gpr_slices_args a)\n{\n"
       "  slices_place<S> p (a);\n  bool doubt = false;\n", 32 * key->warps, key->blocks);
  if (key->teams_of_warps)
    add (w, "  const i64 slab = blockIdx.x * %dll + threadIdx.x / 32;\n  if (slab >= a.slabs)\n    return;\n", key->warps);
  else
    add (w, "  const i64 slab = blockIdx.x >> %d;\n", key->cluster_log2);
  add (w, "  p.go_to (a, slab);\n");
  if (key->held)
    {
      for (int l = 0; l < key->leaves; l++)
        if (key->lies[l] == GPR_MAP_KEPT)
          add (w, "  slices_hold (a, %d, p, p.leaves.x%d);\n", l, l);
    }
  else if (key->kept)
    {
      for (int l = 0; l < key->leaves; l++)
        if (key->lies[l] == GPR_MAP_KEPT)
          add (w, "  slices_keep<%d> (a, %d, p);\n", (int) gpr_bytes_of (key->elems[l]), l);
      add (w, "  slices_copied ();\n  p.sync ();\n");
    }
  for (int k = 0; k < key->stages; k++)
    if (key->stage[k].instance < 0)
      add (w, "  slices_results<expression%d, %d, %d> (a, p, &doubt);\n", k, k, key->stage[k].leaf);
    else
      add (w, "  slices_reduce<expression%d, op_%s, %d, %d, %d, %d> (a, p, &doubt);\n", k, rows[key->stage[k].instance].id, k, key->stage[k].leaf, k == key->keeper ? key->keeps : -1, key->stage[k].lanes);
  if (key->steps > key->stage[key->stages - 1].end)
    add (w, "  slices_map<expression, rules> (a, p, &doubt);\n");
  add (w, "%s  if (doubt)\n    *a.doubt = 1;\n}\n}\n", key->cluster_log2 ? "  slices_boxes_are_empty ();\n" : "");
}

/* ---- cumulative functions ------------------------------------------------------------------------ */

/* Extremes are the greatest of turned elements.  */
static void
add_scan (writer *w, const gpr_source_key *key)
{
  static const char *const kernels[] = {
#define KERNEL(name) [name] = #name
    KERNEL (GPR_SCAN_WALKS), KERNEL (GPR_SCAN_STAGES), KERNEL (GPR_SCAN_OF_COLUMN), KERNEL (GPR_SCAN_OF_ROWS), KERNEL (GPR_SCAN_OF_BANDS)
  };
  const int op = key->scan - 1;
  const bool sums = op == GPR_SCAN_cumsum || op == GPR_SCAN_cumprod;
  const char *name = op == GPR_SCAN_cumsum ? "cumsum" : op == GPR_SCAN_cumprod ? "cumprod" : "values_cummax";
  const char *elem = elem_names[sums ? key->z_elem : gpr_turned_elem (key->z_elem)];

  add (w, "GPR_SCAN_DEFINE_%s (%s)\nGPR_SCAN_STRUCT (%s_%s, %s, %s)\n"
       "extern \"C\" __global__ void __launch_bounds__ (GPR_SCAN_THREADS, GPR_SCAN_BLOCKS) compiled (const __grid_constant__ gpr_scan_args a)\n"
       "{ scan_compiled<scan_expression<scan_%s_%s, expression, %s>> (a); }\n", name, elem, name, elem, sums ? name : "cummax", elem, name, elem, kernels[key->scan_kernel]);
}

/* ---- all ----------------------------------------------------------------------------------- */

/* Elements of a slice that a thread takes at once; of a tile of a cumulative function, for whose leaves there are few registers, eight with all of them.  */
static int
batch_of (const gpr_source_key *key, const expression *e)
{
  int length = 0, arrays = 0;
  for (int k = e->from; k < e->end; k++)
    length += gpr_source_length (key->step[k].op);
  for (int l = 0; l < key->leaves; l++)
    arrays += e->reads[l] && key->lies[l] != GPR_MAP_SCALAR;
  const int most = length == 0 ? 8 : length == 1 ? 4 : 2, fit = key->scan && arrays > 1 ? (arrays == 2 ? 4 : 2) : 8;
  return most < fit ? most : fit;
}

/* What the last step leaves: a truth, or a number of its own class, needs no conversion.  */
static const char *
made_by (const gpr_source_key *key, const expression *e)
{
  switch (key->step[e->end - 1].op)
    {
    case GPR_MAP_eq: case GPR_MAP_ne: case GPR_MAP_lt: case GPR_MAP_le: case GPR_MAP_gt: case GPR_MAP_ge: case GPR_MAP_and: case GPR_MAP_or: case GPR_MAP_xor:
    case GPR_MAP_not: case GPR_MAP_isnan: case GPR_MAP_isinf: case GPR_MAP_isfinite: case GPR_MAP_to_logical:
      return "GPR_MADE_TRUTH";
    default:
      return is_whole (key, e) ? "GPR_MADE_WHOLE" : "GPR_MADE_NUMBER";
    }
}

static void
add_expression (writer *w, const gpr_source_key *key, const char *name, const expression *e)
{
  static const char *const truth[] = { "false", "true" };
  int vectors = 0;

  add (w, "struct %s\n{\n  typedef %s Z;\n  typedef %s A;\n", name, elem_names[e->z_elem], type_of (key->step[e->end - 1].single));
  add (w, "  static constexpr bool fours = %s, narrow = %s, placed = %s, z_vectors = %s;\n  static constexpr int rank = %d, made = %s;\n", truth[key->fours], truth[key->narrow], truth[key->placed],
       truth[key->z_vectors], key->rank, made_by (key, e));
  add (w, "  static constexpr int bytes = 0");
  for (int l = 0; l < key->leaves; l++)
    vectors += e->reads[l] && lie_of (key, e, l) == GPR_MAP_VECTORS;
  for (int l = 0; l < key->leaves; l++)
    if (e->reads[l] && (vectors == 0 || lie_of (key, e, l) == GPR_MAP_VECTORS || (key->algorithm && is_by_strides (key->lies[l]) && ! is_of_columns (key->lies[l]))))     /* what broadcasts is small, and near after the first time; a reduction's batches have it in registers */
      add (w, " + sizeof (%s)", elem_names[key->elems[l]]);
  if (key->stages || key->scan)
    add (w, ";\n  static constexpr int batch = %d", batch_of (key, e));
  if (key->stages)
    add (w, ", vector = %d;\n  static constexpr bool registers = %s", vector_of (key, e), truth[key->held > 0]);
  if (key->algorithm)
    add (w, ";\n  static constexpr bool fixes = %s", truth[fixes (key, e)]);
  add (w, ";\n  template <int N> static constexpr int held = N * bytes < 4 ? 4 : N * bytes;\n  template <int N> struct terms\n  {\n");
  for (int l = 0; l < key->leaves; l++)
    if (e->reads[l])
      add (w, "    map_terms_of<%s, %s, %d, %s, N> x%d;\n", name, elem_names[key->elems[l]], l, lie_names[lie_of (key, e, l)], l);
  if (key->stages)
    add_for_slices (w, key, e);
  else if (key->algorithm)
    add_for_reduction (w, key, e);
  else
    {
      add (w, "    __device__ __forceinline__ void read (const gpr_terms_args &a, const map_place &p) { ");
      add_for_leaves (w, key, e, "x%d.read (a, p); ");
      add (w, "}\n    __device__ __forceinline__ void read_at (const gpr_terms_args &a, i64 i) { ");
      add_for_leaves (w, key, e, "x%d.read_at (a, i); ");
      add (w, "}\n");
    }
  add (w, "    template <class W> __device__ __forceinline__ A at (const gpr_terms_args &a, int j, W &w) const\n    {\n");
  add_steps (w, key, e);
  add (w, "    }\n  };\n};\n");
}

void
gpr_source_write (char *text, const gpr_source_key *key)
{
  writer w = { text, 0 };
  int from = 0;

  for (int k = 0; k < key->stages; k++)
    {
      const expression e = expression_of (key, from, key->stage[k].end, key->stage[k].elem);
      char name[32];
      snprintf (name, sizeof name, "expression%d", k);
      add_expression (&w, key, name, &e);
      from = key->stage[k].end;
    }
  if (from < key->steps)
    {
      expression all = expression_of (key, from, key->steps, key->z_elem);
      if (key->stages)
        {
          all.from_memory = true;
          add_expression (&w, key, "rules", &all);
          if (key->keeper >= 0)
            from += key->stage[key->keeper].end - (key->keeper > 0 ? key->stage[key->keeper - 1].end : 0);
          all = expression_of (key, from, key->steps, key->z_elem);
          if (key->keeper >= 0)
            all.reads[all.keeps = key->keeps] = true;
        }
      add_expression (&w, key, "expression", &all);
    }
  if (key->stages)
    add_slices (&w, key);
  else if (key->algorithm)
    add_reduction (&w, key);
  else if (key->compared)
    add_counting (&w, key);
  else if (key->scan)
    add_scan (&w, key);
  else
    add (&w, "extern \"C\" __global__ void __launch_bounds__ (GPR_MAP_THREADS, %d) compiled (const __grid_constant__ gpr_compiled_map_args a) "
         "{ map_compiled<expression, %d> (a); }\n", gpr_source_streams (key) ? GPR_MAP_STREAM_BLOCKS : 1, key->each);
}
