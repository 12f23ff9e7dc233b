/* Rows of the columns of a block, from memory to shared memory and back.  */

#ifndef GPR_SCAN_STAGES_CUH
#define GPR_SCAN_STAGES_CUH

#include "fetch.cuh"

/* The columns of a block: from `first' of all on, `lanes' beside each other in stages of so many rows.  In shared memory a column's rows
   lie beside each other where they do in memory, else a row's columns, which are 32 then.  */
struct scan_stages
{
  i64 first;
  int shift, rows;              /* rows: 1 << shift, 32 at least */
  bool apart;                   /* a column's rows lie so */
  __device__ __forceinline__ scan_stages (const gpr_scan_args &a, i64 first_)
  {
    first = first_;
    rows = GPR_SCAN_STAGE / a.lanes;
    shift = __ffs (rows) - 1;
    apart = a.inner > 1;
  }
  __device__ __forceinline__ int place (int column, int row) const { return apart ? column + 32 * row : column * (rows + 1) + row; }
};

/* Where a row of column c of the block is in memory.  */
static __device__ __forceinline__ i64 scan_element (const gpr_scan_args &a, const scan_stages &w, int c, i64 row)
{
  const i64 i = w.first + c;
  return w.apart ? (i / a.inner * a.length + row) * a.inner + i % a.inner : i * a.length + row;
}

/* A thread of those that carry: what it brings of each stage, one after the other, and takes away.  A warp's lanes carry 32 rows of a column, or
   of a row the columns, run after run.  Where these are is computed each time: the first warp, which has no use for it, would keep it in registers too.  */
template <class X>
struct scan_carrier
{
  enum { EACH = 32 / GPR_SCAN_CARRIERS };
  const char *x;                /* its element of the first run of the stage to bring next */
  char *y;                      /* and to take away */
  i64 column_bytes, row_bytes, onward, left;    /* from a column to the next, a row, a stage; rows that are not brought */
  X *s;
  int next, last;               /* where in s they are */
  int first;                    /* of the runs */

  __device__ __forceinline__ scan_carrier (const gpr_scan_args &a, const scan_stages &w, X *s_)
  {
    const i64 start = (i64) sizeof (X) * (w.apart ? scan_element (a, w, threadIdx.x % 32, 0) : scan_element (a, w, 0, threadIdx.x % 32));
    s = s_;
    next = last = 0;
    first = (threadIdx.x / 32 - 1) * EACH;
    x = (const char *) a.x + start;
    y = (char *) a.y + start;
    column_bytes = (i64) sizeof (X) * a.length;
    row_bytes = (i64) sizeof (X) * a.inner;
    onward = row_bytes * w.rows;
    left = a.length;
  }
  /* Of run i.  */
  __device__ __forceinline__ int column (const scan_stages &w, int i) const { return w.apart ? threadIdx.x % 32 : (first + i) * 32 >> w.shift; }
  __device__ __forceinline__ int row (const scan_stages &w, int i) const
  {
    return w.apart ? first + i : ((first + i) * 32 & (w.rows - 1)) + threadIdx.x % 32;
  }
  __device__ __forceinline__ int place (const scan_stages &w, int i) const { return w.place (column (w, i), row (w, i)); }
  __device__ __forceinline__ i64 at (const scan_stages &w, int i) const
  {
    return w.apart ? (first + i) * row_bytes : ((first + i) * 32 >> w.shift) * column_bytes + ((first + i) * 32 & (w.rows - 1)) * (int) sizeof (X);
  }
  static __device__ __forceinline__ int after (int stage) { return stage == (GPR_SCAN_STAGES_OF (sizeof (X)) - 1) * GPR_SCAN_PITCH ? 0 : stage + GPR_SCAN_PITCH; }
  /* The next stage, of the columns that are live, as bits.  */
  __device__ __forceinline__ void bring (const scan_stages &w, unsigned live)
  {
    const int rows = left < w.rows ? (int) left : w.rows;       /* none after the last stage */
    X *stage = s + next;
#pragma unroll
    for (int i = 0; i < EACH; i++)
      if (row (w, i) < rows && live >> column (w, i) & 1)
        scan_fetch (&stage[place (w, i)], (const X *) (x + at (w, i)));
    scan_committed ();
    left -= w.rows;
    x += onward;
    next = after (next);
  }
  /* Of a stage, the rows of each column that are done, to their places.  */
  __device__ __forceinline__ void take_away (const scan_stages &w, const int *done)
  {
    const X *stage = s + last;
    X v[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++)
      v[i] = stage[place (w, i)];
#pragma unroll
    for (int i = 0; i < EACH; i++)
      if (row (w, i) < done[column (w, i)])
        *(X *) (y + at (w, i)) = v[i];
    y += onward;
    last = after (last);
  }
};

#endif
