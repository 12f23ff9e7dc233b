/* A part of three_gpus.c: cumulative functions of rows behind others (gpr_backend.scan_piece), of doubles and singles, one step after the other in
   the order that kernels/ops/scan.h says.  "2 declines": GPU 2 leaves them to the host.  */

#define DEFINE_PIECES(T) \
  static int STEPS_##T (void) { return GPR_SCAN_STEPS_OF (sizeof (T)); } \
  typedef int (*step_##T) (T *a, T x, i64 row); \
\
  static const T * \
  row_##T (const gpr_scan_piece *p, const void *first, const void *tile, int64_t row) \
  { \
    const int64_t inner = p->s.inner; \
    return row < p->s.length ? (const T *) first + row * inner : (const T *) tile + (row - p->s.length) * inner; \
  } \
\
  /* A tile's rows of a column: its total; its results too, if y is to be written: behind *before, or (NULL) nothing.  */ \
  static T \
  tile_##T (const gpr_scan_piece *p, step_##T step, int64_t c, int64_t first, int64_t end, bool write, const T *before, bool *lost) \
  { \
    T z = 0, s = 0, g = 0; \
    for (int64_t r = first, k = 0; r < end; r++, k++) \
      { \
        const int64_t segment = k / STEPS_##T (), group = segment / GPR_SCAN_FOLD; \
        const bool begins = k % STEPS_##T () == 0, in_group = segment % GPR_SCAN_FOLD > 0; \
        if (begins && k > 0 && (segment - 1) % GPR_SCAN_FOLD == 0) \
          s = z; \
        else if (begins && k > 0) \
          step (&s, z, 0); \
        if (begins && ! in_group && group == 1) \
          g = s; \
        else if (begins && ! in_group && group > 1) \
          step (&g, s, 0); \
        if (begins) \
          z = row_##T (p, p->s.x, p->tile.x, r)[c]; \
        else \
          *lost |= step (&z, row_##T (p, p->s.x, p->tile.x, r)[c], 0); \
        T all = z; \
        const T *of[] = { in_group ? &s : NULL, group > 0 ? &g : NULL, before }; \
        for (int i = 0; i < (r + 1 == end && ! write ? 2 : write ? 3 : 0); i++) \
          if (of[i]) \
            { \
              T earlier = *of[i]; \
              *lost |= step (&earlier, all, 0); \
              all = earlier; \
            } \
        if (write) \
          ((T *) (uintptr_t) row_##T (p, p->s.y, p->tile.y, r))[c] = all; \
        else if (r + 1 == end) \
          return all; \
      } \
    return z; \
  } \
\
  static gpr_status \
  tiles_##T (gpr_scan_piece *p, step_##T step) \
  { \
    const int64_t inner = p->s.inner, rows = p->s.length + p->tile.rows, each = gpr_scan_tile_rows (inner, STEPS_##T ()), tiles = (rows + each - 1) / each; \
    T *before = calloc ((size_t) (tiles * inner), sizeof *before), *level = p->level; \
    bool lost = false; \
    for (int64_t i = 0; i < tiles * inner; i++) \
      before[i] = tile_##T (p, step, i % inner, i / inner * each, i / inner * each + each < rows ? i / inner * each + each : rows, false, NULL, &lost); \
    gpr_status status = misfortune (current ()); \
    p->begun = status == GPR_OK; \
    if (status == GPR_OK) \
      status = p->before (p->of, 0, inner); \
    for (int64_t i = 0; i < tiles * inner; i++) \
      { \
        const T total = before[i]; \
        before[i] = level[i % inner]; \
        if (i < inner && p->above == 0) \
          level[i] = total; \
        else \
          step (&level[i % inner], total, 0); \
      } \
    if (status == GPR_OK) \
      status = p->after (p->of, 0, inner); \
    for (int64_t i = 0; i < tiles * inner && status == GPR_OK; i++) \
      tile_##T (p, step, i % inner, i / inner * each, i / inner * each + each < rows ? i / inner * each + each : rows, true, \
                i < inner && p->above == 0 ? NULL : &before[i], &p->lost); \
    free (before); \
    return status == GPR_OK && p->meanwhile ? p->meanwhile (p->of) : status; \
  } \
\
  static gpr_status \
  in_order_##T (gpr_scan_piece *p, step_##T step) \
  { \
    const int64_t inner = p->s.inner, each = gpr_scan_passed (inner); \
    T *level = p->level; \
    gpr_status status = GPR_OK; \
    p->begun = true; \
    for (int64_t first = 0; first < inner && status == GPR_OK; first += each) \
      { \
        const int64_t end = inner - first < each ? inner : first + each; \
        status = p->before (p->of, first, end - first); \
        for (int64_t i = first; i < p->s.length * inner && status == GPR_OK; i++) \
          if (i % inner >= first && i % inner < end) \
            { \
              if (i < inner && p->above == 0) \
                level[i] = ((const T *) p->s.x)[i]; \
              else \
                step (&level[i % inner], ((const T *) p->s.x)[i], 0); \
              ((T *) p->s.y)[i] = level[i % inner]; \
            } \
        if (status == GPR_OK) \
          status = p->after (p->of, first, end - first); \
      } \
    return status; \
  } \
\
  static gpr_status \
  piece_##T (gpr_scan_piece *p) \
  { \
    const step_##T step = p->s.op == GPR_SCAN_cumsum ? cumsum_##T##_step : cumprod_##T##_step; \
    return p->in_order ? in_order_##T (p, step) : tiles_##T (p, step); \
  }
DEFINE_PIECES (f64)
DEFINE_PIECES (f32)

#define DEFINE_EXTREMES(id) \
  static gpr_status \
  piece_##id (gpr_scan_piece *p) \
  { \
    const int64_t inner = p->s.inner; \
    const id##_x *x = p->s.x, *top = p->above > 0 ? p->top : p->s.x; \
    id##_a *level = p->level; \
    gpr_status status = misfortune (current ()); \
    p->begun = status == GPR_OK; \
    if (status == GPR_OK) \
      status = p->before (p->of, 0, inner); \
    for (int64_t i = 0; i < p->s.length * inner && status == GPR_OK; i++) \
      { \
        id##_a *column = &level[i % inner]; \
        if (i < inner && p->above == 0) \
          id##_first (column, x[i], 0); \
        else \
          id##_step (column, x[i], p->above + i / inner); \
        id##_put (*column, &top[i % inner], (id##_x *) p->s.y + i); \
        if (p->s.index) \
          p->s.index[i] = (double) (id##_row (*column) + 1); \
      } \
    return status == GPR_OK ? p->after (p->of, 0, inner) : status; \
  }
DEFINE_EXTREMES (cummax_f64)
DEFINE_EXTREMES (cummin_f64)
DEFINE_EXTREMES (cummax_f32)
DEFINE_EXTREMES (cummin_f32)

static gpr_status
extremes_piece (gpr_scan_piece *p)
{
  if (p->s.elem == GPR_f64)
    return p->s.op == GPR_SCAN_cummax ? piece_cummax_f64 (p) : piece_cummin_f64 (p);
  return p->s.op == GPR_SCAN_cummax ? piece_cummax_f32 (p) : piece_cummin_f32 (p);
}

static gpr_status
scan_piece (gpr_scan_piece *p)
{
  const bool sums = p->s.op == GPR_SCAN_cumsum || p->s.op == GPR_SCAN_cumprod;

  p->begun = p->lost = false;
  if ((p->s.elem != GPR_f64 && p->s.elem != GPR_f32) || is_told (current (), "declines"))
    return host.fail (GPR_UNSUPPORTED, "the stand-in has functions of floating-point numbers");
  if (p->level_there && (device_of (p->level) != current () || (p->top && device_of (p->top) != current ())))
    return lies_elsewhere ();
  if (is_told (current (), "memory"))
    return misfortune (current ());
  if (! sums)
    return extremes_piece (p);
  return p->s.elem == GPR_f64 ? piece_f64 (p) : piece_f32 (p);
}
