/* Reductions in stages and what reads their results, slice by slice: a thread takes some slices through all stages while they stay in its caches.  */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "part.h"
#include "../core/slices.h"

enum {
  FEWEST = 100000,              /* elements that are worth it */
  UNIT_BYTES = 1 << 20          /* of the slices that a thread takes through the stages */
};

/* A stage: a reduction, and of an extreme the one with the index, which knows the sign of a zero; or an expression of results.  */
typedef struct {
  gpr_mapping m;
  gpr_cpu_terms *terms;
  gpr_reduction r, indexed;
  gpr_cpu_job job, decides;
  bool by_index;
} stage;

typedef struct {
  const gpr_slices *s;
  stage stage[GPR_MAP_STAGES + 1];      /* the last: z's elements */
  int64_t width, units;         /* columns that are taken together; how many times */
  int64_t *index;
  atomic_bool left, doubt;
} problem;

/* Columns of a unit: whole tiles of every stage, since what a stage reads must be of this unit, or of one that has ended.  */
static int64_t
width_of (int64_t inner)
{
  return inner < 1024 ? inner : 1024;
}

bool
gpr_cpu_slices_fit (int64_t inner, int64_t length, int64_t outer)
{
  const int64_t bytes = width_of (inner) * (int64_t) sizeof (double);
  return length <= UNIT_BYTES / bytes && inner * length * outer >= FEWEST;
}

/* The stage reads one array as it lies: its elements need not be made.  */
static bool
reads_as_it_lies (const gpr_mapping *m, gpr_class class)
{
  const int l = m->step[0].at;
  return m->steps == 1 && m->step[0].operand == GPR_MAP_LEAF && m->classes[l] == class && gpr_map_is_flat (m, l);
}

static gpr_cpu_job
job_of (const gpr_reduction *r, const gpr_cpu_terms *terms, atomic_bool *left)
{
  gpr_cpu_job g = gpr_cpu_job_of (r);
  if (g.tree.tiles > 1)         /* the tree's may be of other widths; which columns make a tile changes no result */
    {
      g.tree.columns = gpr_tree_width (g.info->acc_bytes);
      g.tree.tiles = (g.tree.inner + g.tree.columns - 1) / g.tree.columns;
    }
  g.terms = terms;
  g.left = left;
  g.index = NULL;
  g.values = NULL;
  return g;
}

static bool
make_stage (problem *p, int k, int from)
{
  const gpr_slices *s = p->s;
  const bool last = k == s->stages;
  const gpr_stage *of = &s->stage[k];
  stage *t = &p->stage[k];

  t->m = s->m;
  t->m.step += from;
  t->m.steps = (last ? s->m.steps : of->end) - from;
  t->m.class = last ? s->m.class : of->class;
  t->terms = gpr_cpu_terms_make (&t->m);
  if (! t->terms || last || of->instance == GPR_INSTANCE_NONE)
    return t->terms;
  const bool there = reads_as_it_lies (&t->m, of->class);
  t->r = (gpr_reduction) { .instance = of->instance, .inner = s->inner, .length = s->length, .outer = s->outer, .divisor = of->divisor,
                           .value = of->value, .x = there ? s->m.x[t->m.step[0].at] : (void *) t->terms };
  t->job = job_of (&t->r, there ? NULL : t->terms, &p->left);
  t->indexed = t->r;
  t->indexed.instance = gpr_instance_with_index (of->instance);
  t->by_index = t->indexed.instance != GPR_INSTANCE_NONE && (t->job.info->traits & GPR_FIXUP_MASK) == GPR_FIXUP_BY_INDEX;
  if (! t->by_index)
    return true;
  if (! p->index && ! (p->index = malloc ((size_t) (s->inner * s->outer) * sizeof *p->index)))
    return false;
  t->indexed.index = p->index;
  t->decides = job_of (&t->indexed, there ? NULL : t->terms, &p->left);
  return true;
}

/* Columns from c on of one outer index; not 0: a result is in doubt.  */
static int
reduce (const gpr_cpu_job *g, int64_t outer, int64_t c, int64_t columns, char *scratch)
{
  int doubt = 0;
  if (gpr_cpu_has_short_rows (g))
    return gpr_cpu_short_rows (g, outer, 1);
  for (int64_t tile = c / g->tree.columns; tile * g->tree.columns < c + columns; tile++)
    doubt |= gpr_cpu_reduce_tile (g, outer, tile, scratch);
  return doubt;
}

static void
run_unit (problem *p, int64_t unit, char *scratch)
{
  const gpr_slices *s = p->s;
  const int64_t tiles = (s->inner + p->width - 1) / p->width, outer = unit / tiles, c = unit % tiles * p->width;
  const int64_t columns = s->inner - c < p->width ? s->inner - c : p->width, first = c + s->inner * s->length * outer;

  for (int k = 0; k < s->stages; k++)
    {
      const stage *t = &p->stage[k];
      if (s->stage[k].instance == GPR_INSTANCE_NONE)
        {
          const int bytes = gpr_elem_bytes[gpr_elem_of_class (t->m.class)];
          if (gpr_cpu_terms_take (t->terms, first, columns, (char *) s->stage[k].value + (c + s->inner * outer) * bytes))
            p->left = true;
        }
      else if (reduce (&t->job, outer, c, columns, scratch) && ! (t->by_index && ! reduce (&t->decides, outer, c, columns, scratch)))
        p->doubt = true;
    }
  const stage *z = &p->stage[s->stages];
  const int bytes = gpr_elem_bytes[gpr_elem_of_class (z->m.class)];
  const int64_t runs = columns == s->inner ? 1 : s->length, run = columns == s->inner ? columns * s->length : columns;
  for (int64_t r = 0; r < runs && s->m.z; r++)
    if (gpr_cpu_terms_take (z->terms, first + r * s->inner, run, (char *) s->m.z + (first + r * s->inner) * bytes))
      p->left = true;
}

gpr_status
gpr_cpu_slices (gpr_slices *s)
{
  problem p = { .s = s, .width = width_of (s->inner) };
  const int stages = s->stages + (s->m.z != NULL);
  size_t scratch_bytes = 1;
  char *scratch = NULL;
  int threads = 1;
  gpr_status status = GPR_OK;

  s->done = s->m.asked;
  if (s->m.asked)
    return GPR_OK;
  p.units = (s->inner + p.width - 1) / p.width * s->outer;
  for (int k = 0, from = 0; k < stages && status == GPR_OK; k++)
    {
      if (! make_stage (&p, k, from))
        status = gpr_fail (GPR_OUT_OF_MEMORY, "no host memory for an operation");
      if (status == GPR_OK && k < s->stages && s->stage[k].instance != GPR_INSTANCE_NONE)
        {
          const size_t one = gpr_cpu_tile_bytes (&p.stage[k].job), other = p.stage[k].by_index ? gpr_cpu_tile_bytes (&p.stage[k].decides) : 0;
          scratch_bytes = one > scratch_bytes ? one : scratch_bytes;
          scratch_bytes = other > scratch_bytes ? other : scratch_bytes;
        }
      from = k < s->stages ? s->stage[k].end : from;
    }
  if (status == GPR_OK && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  if (status == GPR_OK && ! (scratch = malloc (threads * scratch_bytes)))
    status = gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of scratch memory for %d threads", threads * scratch_bytes, threads);
  if (status == GPR_OK)
    {
      #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (static)
      for (int64_t unit = 0; unit < p.units; unit++)
        if (! gpr_interrupted () && ! p.doubt && ! p.left)
          run_unit (&p, unit, scratch + gpr_cpu_thread_number () * scratch_bytes);
      s->done = ! p.doubt && ! p.left;
      status = gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
    }
  for (int k = 0; k < stages; k++)
    free (p.stage[k].terms);
  free (p.index);
  free (scratch);
  return status;
}
