/* A part of three_gpus.c: parts of a tree on several GPUs (gpr_backend.partial_begin), of some reductions, all at once: of arrays only as accumulators in
   memory of a GPU, of expressions to the host too.  "2 declines": GPU 2 does none of an expression, though it said that it would; "2 compiles": it says that
   it does not yet.  */

#define DEFINE_PARTIAL(id, FAMILY, X, A, Y) \
  static void \
  join_##id (id##_a *all, int64_t inner, int64_t c, int64_t parts) \
  { \
    for (int64_t left = parts; left > 1; left = (left + 1) / 2) \
      for (int64_t k = 0; k < left; k += 2) \
        { \
          all[k / 2 * inner + c] = all[k * inner + c]; \
          if (k + 1 < left) \
            id##_merge (&all[k / 2 * inner + c], all[(k + 1) * inner + c]); \
        } \
  } \
  static void \
  parts_##id (const gpr_partial *p, const void *x) \
  { \
    const uintptr_t back = (uintptr_t) (p->first_row * p->tree.inner) * sizeof (id##_x); \
    gpr_reduction r = p->r; \
    gpr_tree t = p->tree; \
    const int64_t inner = t.inner, parts = p->end[p->count - 1]; \
    id##_a *all = p->partials ? p->partials : calloc ((size_t) (parts * inner), sizeof *all); \
    t.outer = 1; \
    r.x = (const void *) ((uintptr_t) x - back); \
    r.y = r.y ? (const void *) ((uintptr_t) r.y - back) : NULL; \
    for (int64_t part = p->first; part < parts; part++) \
      for (int64_t c = 0; c < inner; c++) \
        all[part * inner + c] = oracle_part_##id (&t, &r, c, part); \
    for (int64_t k = 0, first = p->first; k < p->count && ! p->partials; first = p->end[k++]) \
      { \
        for (int64_t c = 0; c < inner; c++) \
          join_##id (all + first * inner, inner, c, p->end[k] - first); \
        memcpy (p->accumulators + (size_t) k * p->apart, all + first * inner, (size_t) inner * sizeof *all); \
      } \
    if (! p->partials) \
      free (all); \
  } \
  static void \
  results_##id (gpr_partial *p) \
  { \
    id##_a *all = p->partials; \
    const int64_t inner = p->tree.inner; \
    for (int64_t c = 0, index = 0; c < inner; c++) \
      { \
        join_##id (all, inner, c, p->tree.parts); \
        p->r.needs_fixup |= id##_finish (all[c], p->r.divisor, (id##_y *) p->r.value + c, &index); \
        if (p->r.index && p->r.rows) \
          ((double *) p->r.index)[c] = (double) index + 1; \
        else if (p->r.index) \
          p->r.index[c] = index; \
      } \
  }
#define PARTIALS(F) \
  F (prod_f64, FPROD, f64, f64, f64) F (argmax_f64, ARGMAX, f64, f64, f64) F (max_f64, MAX, f64, f64, f64) \
  F (sum_f32, SUM, f32, f32, f32) F (sum_f32_f64, SUM, f32, f64, f64) \
  F (moments_f64, MOMENTS, f64, moments, f64) F (any_u8, ANY, u8, u8, u8)
PARTIALS (GPR_DEFINE_INSTANCE)
PARTIALS (GPR_DEFINE_TREE_ORACLE)
#ifndef MORE_PARTIALS           /* of tests/ranks/linked_gpus.c */
#define MORE_PARTIALS(F)
#endif
MORE_PARTIALS (GPR_DEFINE_INSTANCE)
MORE_PARTIALS (GPR_DEFINE_TREE_ORACLE)
#define SUM_TOO(F) F (sum_f64, SUM, f64, f64, f64) PARTIALS (F) MORE_PARTIALS (F)
SUM_TOO (DEFINE_PARTIAL)

typedef struct { enum gpr_instance instance; int acc_bytes; void (*parts) (const gpr_partial *p, const void *x); void (*results) (gpr_partial *p); } partial_kind;

static const partial_kind *
kind_of (enum gpr_instance instance)
{
#define KIND(id, FAMILY, X, A, Y) { GPR_##id, sizeof (id##_a), parts_##id, results_##id },
  static const partial_kind kinds[] = { SUM_TOO (KIND) };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (kinds[k].instance == instance)
      return &kinds[k];
  return NULL;
}

/* All elements of an expression.  */
static gpr_status
make_terms (const gpr_mapping *m, void **z)
{
  gpr_mapping own = *m;
  size_t bytes = 8;

  for (int l = 0; l < m->leaves; l++)
    if (device_of (m->x[l]) != current ())
      return lies_elsewhere ();
  for (int d = 0; d < m->rank; d++)
    bytes *= (size_t) m->dims[d];
  own.z = *z = malloc (bytes + 1);
  return host.cpu->map (&own);
}

static gpr_status
partial_begin (gpr_partial *p)
{
  const partial_kind *kind = kind_of (p->r.instance);
  const bool can = kind && kind->acc_bytes == p->acc_bytes && (p->partials || p->r.terms || p->asked);
  void *made = NULL;

  if (p->asked)
    {
      *p->asked = can && ! is_told (current (), "compiles");
      return GPR_OK;
    }
  if (! can || (p->r.terms && is_told (current (), "declines")))
    return host.fail (GPR_UNSUPPORTED, "the stand-in has no such parts of reduction %d", (int) p->r.instance);
  const gpr_status status = p->r.terms ? make_terms (p->r.terms, &made) : GPR_OK;
  if (status == GPR_OK)
    kind->parts (p, made ? made : p->r.x);
  free (made);
  p->running = status == GPR_OK ? p : NULL;
  return status;
}

static gpr_status
partial_end (gpr_partial *p, bool wanted)
{
  p->running = NULL;
  return wanted ? misfortune (current ()) : GPR_OK;
}

static gpr_status
partial_results (gpr_partial *p)
{
  const int device = device_of (p->partials);
  if (p->r.out_resident && (device_of (p->r.value) != device || (p->r.index && device_of (p->r.index) != device)))
    return lies_elsewhere ();
  p->r.needs_fixup = false;
  kind_of (p->r.instance)->results (p);
  return GPR_OK;
}
