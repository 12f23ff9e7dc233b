/* How the tree falls to ranks (src/ranks/parts.h): rows reach the rank that owns their part, subtrees merge as the tree does, and what
   a call costs on 1,024 ranks.  And what ranks that do not call the same are told (agree.h).  No MPI.

   parts_test plan: the table of doc/architecture.md.  */

#include "test.h"
#include "../../src/ranks/agree.h"
#include "../../src/ranks/parts.h"

enum { MOST_RANKS = 70 };

/* Where the rows of each rank begin: even, random, many empty, all on one.  */
static void divide (int64_t rows, int ranks, int64_t *starts)
{
  const int how = (int) random_below (4);
  const int one = (int) random_below (ranks);
  starts[0] = 0;
  for (int k = 1; k <= ranks; k++)
    starts[k] = k == ranks ? rows : how == 0 ? rows / ranks * k : how == 1 ? random_below (rows + 1)
                : how == 2 ? random_below (3) * rows / 2 : k > one ? rows : 0;
  for (int i = 1; i < ranks; i++)               /* in order */
    for (int k = i; k > 0 && starts[k] < starts[k - 1]; k--)
      {
        int64_t other = starts[k];
        starts[k] = starts[k - 1];
        starts[k - 1] = other;
      }
}

/* ---- merging: the order of it, as a number ------------------------------------------ */

static uint64_t mixed (uint64_t a, uint64_t b)
{
  return (a * 31 + b) * 0x9E3779B97F4A7C15ull + (a >> 7);
}

static uint64_t leaf (int64_t part)
{
  return mixed (12345, (uint64_t) part);
}

static uint64_t plain_tree (int64_t parts)
{
  uint64_t *a = malloc (parts * sizeof *a), result;
  for (int64_t p = 0; p < parts; p++)
    a[p] = leaf (p);
  for (int64_t step = 1; step < parts; step *= 2)
    for (int64_t p = 0; p + step < parts; p += 2 * step)
      a[p] = mixed (a[p], a[p + step]);
  result = a[0];
  free (a);
  return result;
}

typedef struct { gpr_forest f; uint64_t value[GPR_MOST_SUBTREES]; } grove;

static void merge (void *context, int into)
{
  grove *g = context;
  g->value[into] = mixed (g->value[into], g->value[into + 1]);
}

static void add (grove *g, int64_t parts, gpr_subtree s, uint64_t value)
{
  expect (g->f.count < GPR_MOST_SUBTREES, "%d subtrees", g->f.count);
  g->value[g->f.count] = value;
  gpr_forest_add (&g->f, parts, s, merge, g);
}

/* Of rank and those below it.  */
static grove merged (const int64_t *starts, int ranks, int rank, int64_t part_rows, int64_t parts)
{
  const gpr_span own = gpr_parts_owned (gpr_span_of (starts, rank), part_rows);
  grove g = { .f = { 0 } };
  int child, end = rank + 1;
  for (int64_t p = own.first; p < own.end; p++)
    add (&g, parts, (gpr_subtree) { 0, p }, leaf (p));
  for (int step = 1; (child = gpr_child (rank, ranks, step, &end)); step *= 2)
    {
      const grove theirs = merged (starts, ranks, child, part_rows, parts);
      const gpr_forest known = gpr_forest_of (gpr_parts_owned ((gpr_span) { starts[child], starts[end] }, part_rows), parts);
      expect (known.count == theirs.f.count, "%d subtrees, foreseen %d", theirs.f.count, known.count);
      expect (gpr_parent (child) == rank, "the parent of %d is %d", child, gpr_parent (child));
      for (int k = 0; k < theirs.f.count; k++)
        {
          expect (known.of[k].height == theirs.f.of[k].height && known.of[k].at == theirs.f.of[k].at, "subtree %d", k);
          add (&g, parts, theirs.f.of[k], theirs.value[k]);
        }
    }
  return g;
}

/* ---- what is said ------------------------------------------------------------------------ */

static gpr_saying say (const char *function, int64_t rows, int64_t columns)
{
  gpr_saying s = { .arguments = 1, .outputs = 1, .pieces = 1 };
  strcpy (s.function, function);
  s.of[0].ndims = 2;
  s.of[0].dims[0] = rows;
  s.of[0].dims[1] = columns;
  return s;
}

static gpr_agreed told (const gpr_saying *all, int ranks)
{
  int64_t counts[MOST_RANKS];
  gpr_agreed a;
  gpr_compare (all, ranks, &a, counts);
  return a;
}

static void expect_told (const gpr_saying *all, const char *text)
{
  gpr_agreed a = told (all, 4);
  expect (a.failed && strcmp (a.message, text) == 0, "<%s>, not <%s>", a.message, text);
}

/* ---- what a call costs ------------------------------------------------------------------- */

typedef struct { double rows, rows_most, trees_most, messages_most, said_most, seconds; } cost;

/* Of one sum of doubles to a number on all ranks; a message takes 1 us, and 25 GB/s.  */
static cost plan (int64_t length, int ranks, bool even)
{
  const gpr_instance_info *f = &gpr_instances[GPR_sum_f64];
  const gpr_tree t = gpr_tree_make (f->acc_bytes, 1, length, 1);
  int64_t *starts = malloc ((ranks + 1) * sizeof *starts);
  cost c = { 0 };
  double up = 0, down = 0;
  for (int k = 0; k <= ranks; k++)
    starts[k] = k == ranks ? length : even || k == 0 ? length / ranks * k : length / ranks * k + random_below (length / ranks);
  for (int k = 0; k < ranks; k++)
    {
      int child, end = k + 1, children = 0, last = k + 1;
      for (int step = 1; (child = gpr_child (k, ranks, step, &end)); step *= 2)
        {
          children++;
          last = end;
        }
      const gpr_span give = gpr_rows_to_give (gpr_span_of (starts, k), t.rows);
      const double rows = (double) (give.end - give.first) * f->elem_bytes;
      const gpr_forest trees = gpr_forest_of (gpr_parts_owned ((gpr_span) { starts[k], starts[last] }, t.rows), t.parts);
      const double bytes = k ? (double) trees.count * f->acc_bytes : 0, said = k ? (double) (last - k) * sizeof (gpr_saying) : 0;
      const double messages = 2 * (k > 0) + (rows > 0) + 2 * children;  /* what it says, its subtrees; rows; the verdict, the result */
      c.rows += rows / ranks;
      c.rows_most = rows > c.rows_most ? rows : c.rows_most;
      c.trees_most = bytes > c.trees_most ? bytes : c.trees_most;
      c.said_most = said > c.said_most ? said : c.said_most;
      c.messages_most = messages > c.messages_most ? messages : c.messages_most;
    }
  /* The longest way up and down, level by level: what half of the ranks below say and merge; the verdict and the result.  */
  for (int step = 1; step < ranks; step *= 2)
    {
      up += 2e-6 + (step * (double) sizeof (gpr_saying) + c.trees_most) / 25e9;
      down += 2e-6 + (sizeof (gpr_agreed) + 8.0 * ranks + 16) / 25e9;
    }
  c.seconds = up + down + (c.rows_most > 0 ? 1e-6 + c.rows_most / 25e9 : 0);
  free (starts);
  return c;
}

static void print_plan (void)
{
  static const struct { double length; int ranks; } cases[] = { { 4e3, 4 }, { 1e9, 8 }, { 1e10, 64 }, { 1.024e6, 1024 }, { 1e12, 1024 }, { 1e13, 1024 } };
  printf ("| elements | ranks | division | rows given, mean | most | subtrees, most | messages sent, most | time at 1 us and 25 GB/s |\n|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int even = 1; even >= 0; even--)
      {
        const cost c = plan ((int64_t) cases[i].length, cases[i].ranks, even);
        printf ("| %.4g | %d | %s | %.3g B | %.3g B | %.0f B | %.0f | %.3g s |\n", cases[i].length, cases[i].ranks, even ? "even" : "random",
                c.rows, c.rows_most, c.trees_most, c.messages_most, c.seconds);
      }
}

int main (int argc, char **argv)
{
  int64_t starts[MOST_RANKS + 1];
  if (argc > 1 && strcmp (argv[1], "plan") == 0)
    {
      print_plan ();
      return 0;
    }

  rule ("each_row_reaches_the_rank_that_owns_its_part");
  for (int i = 0; i < 3000; i++)
    {
      const int ranks = 1 + (int) random_below (MOST_RANKS);
      const int64_t part_rows = (int64_t) 1 << random_below (6), rows = 1 + random_below (700);
      const int64_t parts = (rows + part_rows - 1) / part_rows;
      int owner[1000], reached[1000] = { 0 };
      divide (rows, ranks, starts);
      memset (owner, 255, sizeof owner);
      for (int k = 0; k < ranks; k++)
        {
          const gpr_span own = gpr_parts_owned (gpr_span_of (starts, k), part_rows);
          for (int64_t p = own.first; p < own.end; p++)
            {
              expect (owner[p] == -1 && p < parts, "part %lld has two owners", (long long) p);
              owner[p] = k;
            }
        }
      for (int k = 0; k < ranks; k++)
        {
          const gpr_span own = gpr_span_of (starts, k), give = gpr_rows_to_give (own, part_rows), shared = gpr_rows_shared (own, part_rows, rows);
          int64_t others = 0;
          for (int64_t r = own.end; r < rows && owner[r / part_rows] == k; r++)
            others++;
          const int64_t begins = others > 0 ? (own.end - 1) / part_rows * part_rows : own.end;
          expect (shared.first == begins && shared.end == own.end + others, "rank %d shares %lld to %lld", k, (long long) shared.first, (long long) shared.end);
          for (int64_t r = own.first; r < own.end; r++)
            {
              const bool given = r < give.end;
              const int to = given ? gpr_rank_of_row (starts, ranks, r / part_rows * part_rows) : k;
              expect (owner[r / part_rows] == to && (given ? to < k : true), "row %lld of rank %d", (long long) r, k);
              reached[r]++;
            }
        }
      for (int64_t r = 0; r < rows; r++)
        expect (reached[r] == 1, "row %lld reached %d", (long long) r, reached[r]);
    }

  rule ("subtrees_of_any_ranks_merge_as_the_tree_does");
  for (int i = 0; i < 3000; i++)
    {
      const int ranks = 1 + (int) random_below (MOST_RANKS);
      const int64_t part_rows = (int64_t) 1 << random_below (4), rows = 1 + random_below (random_below (4) ? 300 : 20000);
      const int64_t parts = (rows + part_rows - 1) / part_rows;
      divide (rows, ranks, starts);
      const grove g = merged (starts, ranks, 0, part_rows, parts);
      expect (g.f.count == 1 && g.f.of[0].at == 0 && g.value[0] == plain_tree (parts), "%lld parts on %d ranks: %d left",
              (long long) parts, ranks, g.f.count);
    }
  divide (GPR_MAX_PARTS, MOST_RANKS, starts);
  expect (merged (starts, MOST_RANKS, 0, 1, GPR_MAX_PARTS).value[0] == plain_tree (GPR_MAX_PARTS), "as many parts as can be");

  rule ("all_hear_who_differs_in_what");
  gpr_saying all[4];
#define SAY for (int k = 0; k < 4; k++) all[k] = say ("gpu_sum", 3, k)
  SAY;
  gpr_agreed a = told (all, 4);
  expect (! a.failed && a.dim == 1 && a.ndims == 2 && a.dims[0] == 3 && a.dims[1] == 6, "%s", a.message);
  all[2] = say ("gpu_max", 3, 1);
  expect_told (all, "rank 2 calls gpu_max, rank 0 gpu_sum");
  SAY;
  all[3].of[0].class = GPR_CLASS_single;
  expect_told (all, "rank 3 has an array of class single, rank 0 double");
  SAY;
  all[1].of[0].dims[0] = 4;
  expect_told (all, "rank 1 has an array of 4x1 elements, rank 0 one of 3x0: only dimension 2 may differ");
  SAY;
  all[1].options = 5;
  expect_told (all, "rank 1 gives other options than rank 0");
  SAY;
  all[3].link_least = 4096;
  expect_told (all, "GPUREDUCE_NCCL_BYTES is 4096 on rank 3, not set on rank 0");
  SAY;
  all[1].link_least = 5;
  for (int k = 0; k < 4; k++)
    all[k].link_least += 4 << 20;
  expect_told (all, "GPUREDUCE_NCCL_BYTES is 4194309 on rank 1, 4194304 on rank 0");
  SAY;
  all[2].outputs = 2;
  expect_told (all, "rank 2 wants 2 outputs, rank 0 1");
  SAY;
  all[2].calls = 7;
  expect_told (all, "this is the 7. call with \"comm\" of rank 2, and the 0. of rank 0: one has left some out");
  SAY;
  all[3].failed = GPR_BAD_INPUT;
  strcpy (all[3].message, "X is wrong");
  expect_told (all, "rank 3: X is wrong");
  for (int k = 0; k < 3; k++)
    {
      all[k].failed = GPR_BAD_INPUT;
      strcpy (all[k].message, "X is wrong");
    }
  expect_told (all, "X is wrong");

  rule ("empty_pieces_and_pieces_of_one_index_have_the_sizes_of_the_others");
  SAY;
  all[0] = say ("gpu_sum", 0, 0);
  a = told (all, 4);
  expect (! a.failed && a.dims[0] == 3 && a.dims[1] == 6, "%s", a.message);
  for (int k = 1; k < 4; k++)
    all[k].of[0].class = GPR_CLASS_single;
  a = told (all, 4);
  expect (! a.failed && a.class[0] == GPR_CLASS_single, "%s", a.message);
  all[0].of[0].dims[0] = 3;     /* which is no more [] */
  expect_told (all, "rank 1 has an array of class single, rank 0 double");
  SAY;
  all[2].of[0].ndims = 3;       /* 3x2x5 beside 3x2: pages */
  all[2].of[0].dims[2] = 5;
  all[0].of[0].dims[1] = all[1].of[0].dims[1] = all[3].of[0].dims[1] = 2;
  a = told (all, 4);
  expect (! a.failed && a.dim == 2 && a.dims[2] == 8, "%s", a.message);
  SAY;
  for (int k = 0; k < 4; k++)
    {
      all[k] = say ("gpu_sum", k, 1);
      all[k].divided = 1;
    }
  a = told (all, 4);
  expect (! a.failed && a.dim == 0 && a.dims[0] == 6 && a.dims[1] == 1, "%s", a.message);
  all[2].of[0].dims[1] = 3;
  expect_told (all, "rank 2 has an array of 2x3 elements, rank 0 one of 0x1: only dimension 1 may differ");
  all[0].of[0].dims[1] = all[1].of[0].dims[1] = all[3].of[0].dims[1] = 3;       /* and not the last */
  a = told (all, 4);
  expect (! a.failed && a.dim == 0 && a.dims[0] == 6 && a.dims[1] == 3, "%s", a.message);

  rule ("weights_that_differ_are_each_ranks_own");
  SAY;                          /* pieces of 0, 1, 2, 3 columns */
  for (int k = 0; k < 4; k++)
    all[k].weights = k;
  a = told (all, 4);
  expect (! a.failed && ! a.weights_differ, "%s", a.message);
  all[3].weighed = 5;
  a = told (all, 4);
  expect (! a.failed && a.weights_differ, "%s", a.message);
  for (int k = 0; k < 4; k++)
    all[k].weights = 1;         /* one number for all, which is not the same */
  expect_told (all, "rank 3 gives other options than rank 0");
  for (int k = 0; k < 4; k++)
    all[k].of[0].dims[1] = k % 2;
  a = told (all, 4);
  expect (! a.failed && a.weights_differ, "%s", a.message);

  rule ("a_sum_over_1024_ranks_sends_few_messages_and_at_most_a_part_of_the_rows");
  for (int i = 0; i < 20; i++)
    {
      const int64_t length = (int64_t) 1e13;
      const gpr_tree t = gpr_tree_make (gpr_instances[GPR_sum_f64].acc_bytes, 1, length, 1);
      const cost c = plan (length, 1024, i == 0);
      expect (c.rows_most < 8.0 * t.rows && c.messages_most <= 1 + 2 * 10 + 2 && c.trees_most <= 28.0 * 16, "%g %g %g", c.rows_most, c.messages_most, c.trees_most);
    }
  return verdict ();
}
