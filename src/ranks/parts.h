/* How the tree of one array (kernels/common/tree.h) falls to ranks that hold its rows one after the other: functions of
   the rows alone, so every rank finds the same without asking.

   A rank owns the parts whose first rows it holds.  What it owns it merges as far as the tree allows: to the largest
   subtrees that lie wholly in its parts, at most two of a height.  Neighbouring ranks' subtrees merge further, in the
   tree's order, until one is left.  */

#ifndef GPR_RANKS_PARTS_H
#define GPR_RANKS_PARTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct { int64_t first, end; } gpr_span;

/* Rows or parts of rank k of spans that follow one another: starts has one more.  */
static inline gpr_span
gpr_span_of (const int64_t *starts, int k)
{
  return (gpr_span) { starts[k], starts[k + 1] };
}

/* The parts, of so many rows, that begin within these rows.  */
static inline gpr_span
gpr_parts_owned (gpr_span rows, int64_t part_rows)
{
  return (gpr_span) { (rows.first + part_rows - 1) / part_rows, (rows.end + part_rows - 1) / part_rows };
}

/* The rows of a part.  */
static inline gpr_span
gpr_rows_of_part (int64_t part, int64_t part_rows, int64_t length)
{
  const int64_t end = (part + 1) * part_rows;
  return (gpr_span) { part * part_rows, end < length ? end : length };
}

/* The rows of the last part that begins within these, if it ends beyond them; else none.  */
static inline gpr_span
gpr_rows_shared (gpr_span rows, int64_t part_rows, int64_t length)
{
  const gpr_span owned = gpr_parts_owned (rows, part_rows), none = { rows.end, rows.end };
  const gpr_span last = owned.end > owned.first ? gpr_rows_of_part (owned.end - 1, part_rows, length) : none;
  return last.end > rows.end ? last : none;
}

/* Those at the beginning of these rows that belong to a part which begins on a rank before; perhaps none.  */
static inline gpr_span
gpr_rows_to_give (gpr_span rows, int64_t part_rows)
{
  const int64_t begins = (rows.first + part_rows - 1) / part_rows * part_rows;
  return (gpr_span) { rows.first, begins < rows.end ? begins : rows.end };
}

/* The rank that holds this row.  */
int gpr_rank_of_row (const int64_t *starts, int ranks, int64_t row);

/* A subtree over the parts at << height … : the whole tree has at 0 and the least height for all parts.  */
typedef struct { int height; int64_t at; } gpr_subtree;

enum { GPR_MOST_SUBTREES = 2 * 15 + 2 };        /* of neighbouring parts, of 2^14 at most, and one to come */

/* Subtrees that follow one another, merged as far as they go.  */
typedef struct { int count; gpr_subtree of[GPR_MOST_SUBTREES]; } gpr_forest;

/* Puts one at the end and merges what now can be: merge (context, k) merges subtree k + 1 into subtree k.  */
void gpr_forest_add (gpr_forest *f, int64_t parts, gpr_subtree s, void (*merge) (void *context, int into), void *context);
/* What these parts of a tree make.  */
gpr_forest gpr_forest_of (gpr_span owned, int64_t parts);

#endif
