/* What an array would be computed by.  A copy of all that it waits for is computed, with a backend that notes what it is asked to do and does nothing:
   so what is told is what is done.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "node.h"
#include "../core/slices.h"

/* What the backend was asked: slices, of which a reduction alone has one stage and no z, and an expression no stage.  */
typedef struct {
  gpr_slices s;
  gpr_map_step step[GPR_MAP_STEPS];
  gpr_kernel kernel;
} request;

typedef struct {
  gpr_resident *of, *copy;
  gpr_explained told;
} twin;

typedef struct {
  twin *list;                   /* operands come before what reads them */
  int count, room;
  const gpr_backend *home;
  request *asked;
  int requests;
  int allocated, given, reductions, others;      /* names so far */
} graph;

static graph *now;              /* functions of a backend have no other way to know it */

/* ---- the backend ------------------------------------------------------------------------------ */

/* Names in the half of the addresses that no process has.  */
static bool
is_name (const void *p)
{
  return (uintptr_t) p > UINTPTR_MAX / 2;
}

static gpr_status
allocate (void **p, size_t bytes)
{
  (void) bytes;
  *p = (void *) (UINTPTR_MAX - 256 * (uintptr_t) ++now->allocated + 1);
  return GPR_OK;
}

static void
release (void *p)
{
  (void) p;
}

/* As the backend at home is asked: memory that is still to be allocated is aligned for all kernels, as NULL is.  */
static gpr_mapping
question (const gpr_mapping *m, gpr_kernel *kernel)
{
  gpr_mapping q = *m;
  q.z = NULL;
  for (int l = 0; l < q.leaves; l++)
    q.x[l] = is_name (q.x[l]) ? NULL : q.x[l];
  *kernel = GPR_KERNEL_BUILT;
  q.asked = kernel;
  return q;
}

static gpr_status
note (const gpr_slices *s, gpr_kernel kernel)
{
  request *grown = realloc (now->asked, (now->requests + 1) * sizeof *grown);
  if (! grown)
    return gpr_fail (GPR_OUT_OF_MEMORY, "no host memory for an explanation");
  now->asked = grown;
  request *q = &grown[now->requests++];
  *q = (request) { .s = *s, .kernel = kernel };
  memcpy (q->step, s->m.step, s->m.steps * sizeof *s->m.step);
  return GPR_OK;
}

static gpr_status
map (gpr_mapping *m)
{
  gpr_kernel kernel;
  gpr_mapping q = question (m, &kernel);
  gpr_status status = now->home->map (&q);
  m->left = false;
  return status == GPR_OK ? note (&(gpr_slices) { .m = *m }, kernel) : status;
}

static gpr_status
slices (gpr_slices *s)
{
  gpr_kernel kernel;
  gpr_slices q = *s;
  q.m = question (&s->m, &kernel);
  gpr_status status = now->home->slices (&q);
  s->done = q.done;
  return status == GPR_OK && q.done ? note (s, kernel) : status;
}

static gpr_status
reduce (gpr_reduction *r)
{
  static const gpr_map_step load = { .op = GPR_MAP_load };
  gpr_kernel kernel = GPR_KERNEL_BUILT;
  gpr_slices s = { .inner = r->inner, .length = r->length, .outer = r->outer, .stages = 1,
                   .stage[0] = { .leaf = -1, .instance = r->instance, .divisor = r->divisor, .value = r->value },
                   .m = { .leaves = 1, .x = { r->x }, .steps = 1, .step = &load } };
  gpr_status status = GPR_OK;

  r->needs_fixup = false;
  if (r->terms)
    {
      gpr_reduction q = *r;
      const gpr_mapping terms = question (r->terms, &kernel);
      q.terms = &terms;
      q.value = NULL;
      status = now->home->reduce (&q);
      r->fused = q.fused;
      if (status != GPR_OK || ! q.fused)
        return status;
      s.m = *r->terms;
      s.m.z = NULL;
    }
  s.stage[0].end = s.m.steps;
  return note (&s, kernel);
}

/* ---- the copy ------------------------------------------------------------------------------------ */

static int
find (const graph *g, const gpr_resident *r)
{
  int i = 0;
  while (i < g->count && g->list[i].of != r)
    i++;
  return i;
}

static bool
collect (graph *g, gpr_resident *r)
{
  const gpr_node *n = r->node;

  if (find (g, r) < g->count)
    return true;
  for (int k = 0; n && k < n->count; k++)
    if (n->operands[k].array && ! collect (g, n->operands[k].array))
      return false;
  if (g->count == g->room)
    {
      const int room = g->room ? 2 * g->room : 16;
      twin *grown = realloc (g->list, room * sizeof *grown);
      if (! grown)
        return false;
      g->list = grown;
      g->room = room;
    }
  g->list[g->count++] = (twin) { .of = r };
  return true;
}

/* False: no memory, and the copy is to be dropped as far as it is there.  Each array of it is held once more, to be asked for its sizes afterwards.  */
static bool
copy (graph *g, const gpr_backend *home)
{
  for (int i = 0; i < g->count; i++)
    {
      twin *t = &g->list[i];
      const gpr_resident *r = t->of;
      gpr_array a = r->array;
      gpr_node *n = r->node ? malloc (sizeof *n) : NULL;

      a.home = home;
      if ((r->node && ! n) || gpr_resident_new (&a, &t->copy) != GPR_OK)
        {
          free (n);
          return false;
        }
      t->copy->named = r->named;
      t->copy->lost = r->lost;
      t->copy->positive = r->positive;
      t->copy->repeated = r->repeated;
      if (! n)
        continue;
      *n = *r->node;
      n->result = t->copy;
      for (int k = 0; k < n->count; k++)
        if (n->operands[k].array)
          {
            gpr_resident *x = g->list[find (g, n->operands[k].array)].copy;
            n->operands[k].array = x;
            x->holders++;
          }
      if (n->op == GPR_NODE_REDUCTION)
        t->told.reduced = n->operands[0].array->array;
      gpr_node_link (n);
    }
  for (int i = 0; i < g->count; i++)
    g->list[i].copy->watched = g->list[i].copy->holders - g->list[i].of->holders;
  return true;
}

/* ---- what is told ---------------------------------------------------------------------------- */

/* The array at p, which has a name then.  NULL: there is none.  */
static const gpr_explained *
array_at (graph *g, const void *p)
{
  int i = 0;
  while (i < g->count && g->list[i].copy->array.data != p)
    i++;
  if (i == g->count)
    return NULL;
  gpr_explained *a = &g->list[i].told;
  a->array = &g->list[i].copy->array;
  if (a->name[0])
    return a;
  if (i == g->count - 1)
    strcpy (a->name, "y");
  else if (a->reduced.ndims > 0)
    snprintf (a->name, sizeof a->name, "r%d", ++g->reductions);
  else if (is_name (p))
    snprintf (a->name, sizeof a->name, "t%d", ++g->others);
  else if (g->given < 16)       /* r, t and y are taken */
    snprintf (a->name, sizeof a->name, "%c", 'a' + g->given++);
  else
    snprintf (a->name, sizeof a->name, "a%d", g->given++);
  return a;
}

static int64_t
bytes_of (const gpr_explained *a)
{
  return gpr_array_numel (a->array) * gpr_elem_bytes[gpr_array_elem (a->array)];
}

/* An array that the pass makes, by the steps from `from` on; returns where they end.  */
static int
tell_made (graph *g, const request *q, int k, int from, const gpr_explained *const *of, gpr_pass *p)
{
  const gpr_slices *s = &q->s;
  const gpr_stage *stage = k < s->stages ? &s->stage[k] : NULL;
  const int end = stage ? stage->end : s->m.steps;
  const gpr_explained *z = array_at (g, stage ? stage->value : s->m.z);
  char text[GPR_EXPLAIN_LINE];
  gpr_mapping m = s->m;

  if (! z)
    return end;
  m.step = q->step;
  p->operations += gpr_explain_steps (text, &m, from, end, of);
  if (stage && stage->instance != GPR_INSTANCE_NONE)
    {
      const gpr_node_reduction r = { stage->instance, s->inner, s->length, s->outer, stage->divisor };
      gpr_explain_reduction (text, &r, &z->reduced);
      p->reductions++;
    }
  snprintf (p->line[p->made], GPR_EXPLAIN_LINE, "%s = %.*s", z->name, GPR_EXPLAIN_LINE - 20, text);
  gpr_explain_array (p->written[p->made++], z);
  p->bytes_written += bytes_of (z);
  return end;
}

static void
tell (graph *g, const request *q, gpr_pass *p)
{
  const gpr_slices *s = &q->s;
  const gpr_explained *of[GPR_MAP_LEAVES];

  *p = (gpr_pass) { .kernel = q->kernel };
  for (int k = 0; k < s->stages; k++)   /* names in the order of the lines */
    (void) array_at (g, s->stage[k].value);
  for (int l = 0; l < s->m.leaves; l++)
    {
      bool made = false;
      of[l] = array_at (g, s->m.x[l]);
      for (int k = 0; k < s->stages; k++)
        made = made || s->stage[k].value == s->m.x[l];
      if (made || ! of[l])
        continue;
      gpr_explain_array (p->read[p->reads++], of[l]);
      p->bytes_read += bytes_of (of[l]);
    }
  for (int k = 0, from = 0; k < s->stages + (s->m.z != NULL); k++)
    from = tell_made (g, q, k, from, of, p);
}

gpr_status
gpr_explain (gpr_resident *r, gpr_explanation *e)
{
  graph g = { .home = r->array.home };
  gpr_backend notes = *g.home;
  gpr_status status = GPR_OK;

  *e = (gpr_explanation) { .passes = 0 };
  if (! r->node)
    return GPR_OK;
  notes.allocate = allocate;
  notes.release = release;
  notes.map = map;
  notes.reduce = reduce;
  notes.slices = g.home->slices ? slices : NULL;
  now = &g;
  if (! collect (&g, r) || ! copy (&g, &notes))
    status = gpr_fail (GPR_OUT_OF_MEMORY, "no host memory for an explanation");
  if (status == GPR_OK)
    status = gpr_expression_compute (g.list[g.count - 1].copy);
  if (status == GPR_OK && g.requests > 0 && ! (e->pass = malloc (g.requests * sizeof *e->pass)))
    status = gpr_fail (GPR_OUT_OF_MEMORY, "no host memory for an explanation");
  for (; status == GPR_OK && e->passes < g.requests; e->passes++)
    tell (&g, &g.asked[e->passes], &e->pass[e->passes]);
  for (int i = g.count - 1; i >= 0; i--)
    if (g.list[i].copy)
      gpr_resident_drop (g.list[i].copy);
  free (g.list);
  free (g.asked);
  return status;
}

void
gpr_explanation_free (gpr_explanation *e)
{
  free (e->pass);
}
