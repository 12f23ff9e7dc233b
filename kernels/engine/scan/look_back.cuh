/* Tiles of long columns, and what goes before each of them.  */

#ifndef GPR_SCAN_LOOK_BACK_CUH
#define GPR_SCAN_LOOK_BACK_CUH

/* A tile: outers of columns of segments.  It lies in shared memory, as what it says of itself does
   to leave registers to the work, and all threads read it.  */
template <class F>
struct scan_tile
{
  typedef typename F::X X;
  typedef typename F::A A;
  enum { WINDOW = sizeof (A) < 16 ? 512 : 8192 / (int) sizeof (A), TURNS = (WINDOW + (int) GPR_SCAN_THREADS - 1) / (int) GPR_SCAN_THREADS,
         DEPTH = 128, COLUMNS = F::ENDS ? 64 : 1 };    /* states; of a thread; tiles; columns of all outers, at most */

  unsigned ticket;
  int outers, columns, valid;   /* valid: columns that there are */
  bool in_doubt;                /* the outer, as is known when what goes before the tile is */
  bool late;                    /* something goes before it */
  bool settled;                 /* of some columns IN_ORDER has done rows */
  bool turns;                   /* of all: of products, signs alone may count then */
  int skip;                     /* rows that it has done in all of them */
  int round;                    /* gpr_scan_args */
  int rows, segments, groups;   /* of a column */
  i64 t, from, outer, column;   /* its number, first row (in the whole column), outer and column */
  i64 base;                     /* its first element */
  __align__ (16) A totals[GPR_SCAN_THREADS];    /* [outer][segment][column]; then of those before it in its group */
  A of_groups[GPR_SCAN_THREADS / 8];            /* [outer][group][column]; then of those before it in the tile */
  A window[WINDOW];             /* [tile before][column]: totals, or of all up to it */
  A own[GPR_SCAN_COLUMNS], before[GPR_SCAN_COLUMNS];    /* the tile's total; that of all tiles before */
  int nearest[GPR_SCAN_COLUMNS], unknown[GPR_SCAN_COLUMNS];     /* of the window: tiles back */
  __align__ (16) X s[GPR_SCAN_THREADS * F::STEPS];              /* [outer][row][column] */
  int done[COLUMNS];            /* [outer][column]: rows of the tile that IN_ORDER has done, -1: the column is not settled */
  A ended[COLUMNS];             /* with what */
  short at[F::ROWS ? GPR_SCAN_THREADS * F::STEPS : 1];          /* of extremes: their rows in the segment, -1: none yet */

  /* Work number k: the tiles of all columns, then the next ones.  */
  __device__ __forceinline__ void take (const gpr_scan_args &a, unsigned k)
  {
    const unsigned bands = (unsigned) gpr_scan_bands (a.inner), packs = (unsigned) ((a.outer + a.outers - 1) / a.outers);
    const i64 most = gpr_scan_tile_rows (a.inner, F::STEPS);
    ticket = k;
    if (k >= a.works)
      return;
    in_doubt = settled = turns = false;
    skip = 0;
    round = a.round;
    columns = gpr_scan_columns (a.inner);
    column = (i64) (k % bands) * columns;
    outer = k / bands % packs * a.outers;
    t = k / bands / packs;
    late = t > 0 || a.goes_on;
    from = t * most;
    base = (outer * a.length + from) * a.inner + column;
    rows = (int) (a.length - from < most ? a.length - from : most);
    outers = (int) (a.outer - outer < a.outers ? a.outer - outer : a.outers);
    valid = (int) (a.inner - column < columns ? a.inner - column : columns);
    segments = (rows + F::STEPS - 1) / F::STEPS;
    groups = (segments + GPR_SCAN_FOLD - 1) / GPR_SCAN_FOLD;
    from += a.above;
  }
};

/* The elements of a tile whose columns lie apart or in several outers, from a thread's first to its next:
   row (of all outers) and column.  */
struct scan_cell
{
  int row, c, rows_on, columns_on, columns;
  __device__ __forceinline__ scan_cell (int columns_)
  {
    columns = columns_;
    row = threadIdx.x / columns;
    c = threadIdx.x - row * columns;
    rows_on = GPR_SCAN_THREADS / columns;
    columns_on = GPR_SCAN_THREADS - rows_on * columns;
  }
  __device__ __forceinline__ void next ()
  {
    row += rows_on;
    c += columns_on;
    if (c >= columns)
      {
        row++;
        c -= columns;
      }
  }
};

/* ---- states ---------------------------------------------------------------------- */

template <class A>
static __device__ __forceinline__ void scan_publish (unsigned long long *state, const A &a, unsigned stage)
{
  enum { WORDS = (sizeof (A) + 3) / 4 };
  unsigned word[WORDS] = {};
  memcpy (word, &a, sizeof (A));
#pragma unroll
  for (int w = 0; w < WORDS; w++)
    ((volatile unsigned long long *) state)[w] = (unsigned long long) stage << 32 | word[w];
}

/* The stage, and *a; 0 also while it is being written.  */
template <class A>
static __device__ __forceinline__ unsigned scan_look (const unsigned long long *state, A *a)
{
  enum { WORDS = (sizeof (A) + 3) / 4 };
  unsigned long long seen[WORDS];
  unsigned word[WORDS] = {};
#pragma unroll
  for (int w = 0; w < WORDS; w++)
    seen[w] = ((const volatile unsigned long long *) state)[w];
  unsigned stage = (unsigned) (seen[0] >> 32);
#pragma unroll
  for (int w = 0; w < WORDS; w++)
    {
      word[w] = (unsigned) seen[w];
      if ((unsigned) (seen[w] >> 32) != stage)
        stage = 0;
    }
  memcpy (a, word, sizeof (A));
  return stage;
}

/* before: what all earlier tiles have in each column, by the nearest whose sum up to it is
   known, and the totals of those between, one after the other: the same, whichever is
   known.  states: of the first tile; next: from a tile's to the next's.  */
template <class F>
static __device__ __forceinline__ void scan_look_back (scan_tile<F> &p, const unsigned long long *states, i64 next)
{
  typedef typename F::A A;
  typedef scan_tile<F> tile;
  enum { WORDS = (sizeof (A) + 3) / 4 };
  const int tid = threadIdx.x, deep = tile::WINDOW / p.columns < tile::DEPTH ? tile::WINDOW / p.columns : (int) tile::DEPTH;
  const int tiles = (int) (p.t < deep ? p.t : deep);
  unsigned stages[tile::TURNS] = {};

  do
    {
      if (tid < p.valid)
        p.nearest[tid] = p.unknown[tid] = tiles;
      __syncthreads ();
#pragma unroll
      for (int turn = 0; turn < tile::TURNS; turn++)
        {
          const int at = tid + turn * GPR_SCAN_THREADS, back = at / p.columns, c = at - back * p.columns;
          if (back >= tiles || c >= p.valid)
            continue;
          if (stages[turn] != GPR_SCAN_UP_TO)
            {
              A seen;
              stages[turn] = scan_look (states + (p.t - 1 - back) * next + c * WORDS, &seen);
              p.window[at] = seen;
            }
          if (stages[turn] != GPR_SCAN_TOTAL)
            atomicMin (stages[turn] ? &p.nearest[c] : &p.unknown[c], back);
        }
      __syncthreads ();
    }
  while (__syncthreads_or (tid < p.valid && (p.nearest[tid] == tiles || p.nearest[tid] > p.unknown[tid])));
  if (tid >= p.valid)
    return;
  const int from = p.nearest[tid];
  A all = p.window[from * p.columns + tid];
#pragma unroll 8
  for (int k = from - 1; k >= 0; k--)
    all = F::plain (all, p.window[k * p.columns + tid]);
  if (F::strange (all))
    {
      all = p.window[from * p.columns + tid];
      GPR_SCAN_ROLLED
      for (int k = from - 1; k >= 0; k--)
        F::merge (&all, p.window[k * p.columns + tid]);
    }
  p.before[tid] = all;
}

#endif
