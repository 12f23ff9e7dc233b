/* A part of three_gpus.c: parts of a tree on several GPUs (gpr_backend.partial_begin), of some reductions; all at once, and only as accumulators in
   memory of a GPU.  */

#define DEFINE_PARTIAL(id, FAMILY) \
  GPR_DEFINE_INSTANCE (id, FAMILY, f64, f64, f64) \
  GPR_DEFINE_TREE_ORACLE (id, FAMILY, f64, f64, f64) \
  static void \
  parts_##id (const gpr_partial *p) \
  { \
    gpr_reduction r = p->r; \
    gpr_tree t = p->tree; \
    t.outer = 1; \
    r.x = (const void *) ((uintptr_t) r.x - (uintptr_t) (p->first_row * t.inner) * sizeof (id##_x)); \
    for (int64_t part = p->first; part < p->end[p->count - 1]; part++) \
      for (int64_t c = 0; c < t.inner; c++) \
        ((id##_a *) p->partials)[part * t.inner + c] = oracle_part_##id (&t, &r, c, part); \
  } \
  static void \
  results_##id (gpr_partial *p) \
  { \
    id##_a *all = p->partials; \
    const int64_t inner = p->tree.inner; \
    for (int64_t c = 0, index = 0; c < inner; c++) \
      { \
        for (int64_t left = p->tree.parts; left > 1; left = (left + 1) / 2) \
          for (int64_t k = 0; k < left; k += 2) \
            { \
              all[k / 2 * inner + c] = all[k * inner + c]; \
              if (k + 1 < left) \
                id##_merge (&all[k / 2 * inner + c], all[(k + 1) * inner + c]); \
            } \
        p->r.needs_fixup |= id##_finish (all[c], p->r.divisor, (id##_y *) p->r.value + c, &index); \
        if (p->r.index && p->r.rows) \
          ((double *) p->r.index)[c] = (double) index + 1; \
        else if (p->r.index) \
          p->r.index[c] = index; \
      } \
  }
DEFINE_PARTIAL (prod_f64, FPROD)
DEFINE_PARTIAL (argmax_f64, ARGMAX)

static gpr_status
partial_begin (gpr_partial *p)
{
  if (! p->partials)
    return host.fail (GPR_UNSUPPORTED, "the stand-in has parts in memory of GPUs alone");
  if (p->r.instance == GPR_prod_f64)
    parts_prod_f64 (p);
  else if (p->r.instance == GPR_argmax_f64)
    parts_argmax_f64 (p);
  else
    return host.fail (GPR_UNSUPPORTED, "the stand-in has no parts of reduction %d", (int) p->r.instance);
  p->running = p;
  return GPR_OK;
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
  (p->r.instance == GPR_prod_f64 ? results_prod_f64 : results_argmax_f64) (p);
  return GPR_OK;
}
