/* Rows of the columns of a warp, from memory to shared memory and back.  */

#ifndef GPR_SCAN_STAGES_CUH
#define GPR_SCAN_STAGES_CUH

#include "fetch.cuh"

/* The columns of a warp: from `first' of all on, `lanes' beside each other in stages of so many rows.  In shared memory a column's rows
   lie beside each other where they do in memory, else a row's columns.  */
struct scan_stages
{
  i64 first;
  int lanes, shift, rows;       /* rows: 1 << shift, 32 at least */
  bool apart;                   /* a column's rows lie so */
  __device__ __forceinline__ scan_stages (const gpr_scan_args &a, i64 first_)
  {
    first = first_;
    lanes = a.lanes;
    rows = GPR_SCAN_STAGE / a.lanes;
    shift = __ffs (rows) - 1;
    apart = a.inner > 1;
  }
  __device__ __forceinline__ int place (int column) const { return apart ? column : column * (rows + 1); }
  __device__ __forceinline__ int step () const { return apart ? lanes : 1; }
};

/* Where a row of column c of the warp is in memory.  */
static __device__ __forceinline__ i64 scan_element (const gpr_scan_args &a, const scan_stages &w, int c, i64 row)
{
  const i64 i = w.first + c;
  return w.apart ? (i / a.inner * a.length + row) * a.inner + i % a.inner : i * a.length + row;
}

/* A stage of the columns that are live, as bits.  */
template <class X>
static __device__ __forceinline__ void scan_bring (const gpr_scan_args &a, const scan_stages &w, i64 stage, unsigned live, X *s)
{
  const X *x = (const X *) a.x;
  const int lane = threadIdx.x;
  const i64 from = stage * w.rows;

  if (w.apart)
    {
      if (live >> lane & 1)
        {
          const X *own = x + scan_element (a, w, lane, from);
#pragma unroll 8
          for (int r = 0; r < w.rows; r++, own += a.inner)
            if (from + r < a.length)
              scan_fetch (&s[r * w.lanes + lane], own);
        }
      return;
    }
#pragma unroll 8
  for (int e = lane; e < GPR_SCAN_STAGE; e += 32)
    {
      const int c = e >> w.shift, r = e & (w.rows - 1);
      if (live >> c & 1 && from + r < a.length)
        scan_fetch (&s[w.place (c) + r], x + scan_element (a, w, c, from + r));
    }
}

/* Of a stage, the rows up to `done' of each lane's column, to their places.  */
template <class X>
static __device__ __forceinline__ void scan_take_away (const gpr_scan_args &a, const scan_stages &w, i64 stage, i64 done, const X *s)
{
  X *y = (X *) a.y;
  const int lane = threadIdx.x;
  const i64 from = stage * w.rows;

  if (w.apart)
    {
      if (done > from)
        {
          X *own = y + scan_element (a, w, lane, from);
          for (int r = 0; r < w.rows && from + r < done; r++, own += a.inner)
            *own = s[r * w.lanes + lane];
        }
      return;
    }
#pragma unroll 4
  for (int e = lane; e < GPR_SCAN_STAGE; e += 32)       /* 32 rows of one column */
    {
      const int c = e >> w.shift, r = e & (w.rows - 1);
      if (from + r < __shfl_sync (0xFFFFFFFFu, done, c))
        y[scan_element (a, w, c, from + r)] = s[w.place (c) + r];
    }
}

#endif
