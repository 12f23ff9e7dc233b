/* Elementwise expressions on the CPU: all steps on a block of elements that stays in the first cache, before the next block.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "part.h"
#include "../core/map.h"

enum {
  BLOCK = 512,
  ALONE = 10000,                /* elements that one thread is quick enough with */
  LONG_ROW = 200,               /* elements that are a block, so that leaves are read where they lie */
  BUFFERS = GPR_MAP_SLOTS + 2   /* one is always neither a slot's nor the accumulator's */
};

/* n elements of double or single somewhere, or (stride 0) one that stands for all.  */
typedef struct {
  const void *at;
  int stride;
  bool single;
} value;

typedef struct {
  gpr_mapping m;                /* with adjacent dimensions joined */
  const gpr_cpu_map_loops *loops;
  gpr_cpu_map_move *const *store;
  int64_t bytes[GPR_MAP_LEAVES], z_bytes, count;
  int64_t strides[GPR_MAX_DIMS];        /* of elements that are neighbours */
  enum gpr_elem elems[GPR_MAP_LEAVES], z_elem;
} plan;

/* What a thread has of the block at hand.  */
typedef struct {
  _Alignas (64) f64 buffer[BUFFERS][BLOCK];
  _Alignas (64) f64 leaf[GPR_MAP_LEAVES][2][BLOCK];
  value read[GPR_MAP_LEAVES][2];        /* leaves as double, as single; at is NULL before they are read */
  value slot[GPR_MAP_SLOTS], acc;
  f64 number;                           /* what a step has */
  f32 single_number;
  int64_t first, apart;                 /* in z: rows begin so far from each other */
  int n, columns;                       /* elements; of a row */
} block;

/* Whether the last step leaves nothing to be rounded to z's class, which is no floating-point one.  */
static bool
is_of_its_class (const gpr_mapping *m)
{
  const gpr_map_step *s = m->steps > 0 ? &m->step[m->steps - 1] : NULL;
  const int op = s ? s->op : GPR_MAP_load;
  if (m->class == GPR_CLASS_logical)
    return op == GPR_MAP_not || op == GPR_MAP_to_logical || (op >= GPR_MAP_isnan && op <= GPR_MAP_signbit) || (op >= GPR_MAP_eq && op <= GPR_MAP_xor);
  /* Classes and steps have one order.  */
  return op >= GPR_MAP_to_int8 && op <= GPR_MAP_to_uint32 && ! s->single && op - GPR_MAP_to_int8 == (int) m->class - (int) GPR_CLASS_int8;
}

static plan
make_plan (const gpr_mapping *m)
{
  plan p = { .m = *m, .loops = gpr_cpu_map_loops_here (), .z_elem = gpr_elem_of_class (m->class) };

  p.count = gpr_map_join (&p.m);
  gpr_cpu_copy_strides (&p.m, p.strides);
  p.store = (is_of_its_class (m) ? p.loops->cast : p.loops->store)[p.z_elem];
  p.z_bytes = gpr_elem_bytes[p.z_elem];
  for (int l = 0; l < m->leaves; l++)
    {
      p.elems[l] = gpr_elem_of_class (m->classes[l]);
      p.bytes[l] = gpr_elem_bytes[p.elems[l]];
    }
  return p;
}

/* ---- operands ------------------------------------------------------------------------------ */

static bool
is_scalar (const plan *p, int l)
{
  for (int d = 0; d < p->m.rank; d++)
    if (p->m.strides[l][d] != 0)
      return false;
  return true;
}

/* n elements of a leaf from one place of z on, run by run along the first dimension.  */
static void
gather_row (const plan *p, int l, bool single, int64_t first, int n, char *to)
{
  const int64_t *strides = p->m.strides[l];
  const size_t bytes = single ? sizeof (f32) : sizeof (f64);
  gpr_cpu_map_move *load = p->loops->load[p->elems[l]][single];
  int64_t at[GPR_MAX_DIMS], rest = first, offset = 0;

  for (int d = 0; d < p->m.rank; d++)
    {
      at[d] = rest % p->m.dims[d];
      rest /= p->m.dims[d];
      offset += at[d] * strides[d];
    }
  for (int done = 0; done < n; )
    {
      const int64_t left = p->m.dims[0] - at[0], run = left < n - done ? left : n - done;
      load ((const char *) p->m.x[l] + offset * p->bytes[l], strides[0], to + done * bytes, (int) run);
      done += (int) run;
      offset += (run - 1) * strides[0];
      at[0] += run - 1;
      for (int d = 0; d < p->m.rank && done < n; d++)
        {
          offset += strides[d];
          if (++at[d] < p->m.dims[d])
            break;
          offset -= p->m.dims[d] * strides[d];
          at[d] = 0;
        }
    }
}

static void
gather (const plan *p, block *b, int l, bool single, f64 *to)
{
  const size_t bytes = b->columns * (single ? sizeof (f32) : sizeof (f64));
  for (int r = 0; r * b->columns < b->n; r++)
    gather_row (p, l, single, b->first + r * b->apart, b->columns, (char *) to + r * bytes);
}

/* A leaf: where it lies, if it can be worked with there, else as doubles or floats in a buffer.  */
static value
leaf (const plan *p, block *b, int l, bool single)
{
  value *v = &b->read[l][single];
  const bool there = p->elems[l] == (single ? GPR_f32 : GPR_f64), inside = b->n == b->columns && b->first % p->m.dims[0] + b->n <= p->m.dims[0];
  int64_t offset = 0, rest = b->first;

  if (v->at)
    return *v;
  *v = (value) { b->leaf[l][single], 1, single };
  if (! inside && ! is_scalar (p, l))
    {
      gather (p, b, l, single, b->leaf[l][single]);
      return *v;
    }
  for (int d = 0; d < p->m.rank; d++)
    {
      offset += rest % p->m.dims[d] * p->m.strides[l][d];
      rest /= p->m.dims[d];
    }
  const void *from = (const char *) p->m.x[l] + offset * p->bytes[l];
  const int64_t stride = inside ? p->m.strides[l][0] : 0;
  if (stride == 0)
    v->stride = 0;
  if (there && (stride == 0 || stride == 1))
    v->at = from;
  else
    p->loops->load[p->elems[l]][single] (from, stride, b->leaf[l][single], stride == 0 ? 1 : b->n);
  return *v;
}

/* A buffer that holds neither a slot nor, where it must not be written over, the accumulator.  */
static void *
free_buffer (block *b, bool over_acc)
{
  for (int i = 0; i < BUFFERS; i++)
    {
      const void *at = b->buffer[i];
      bool used = ! over_acc && b->acc.at == at;
      for (int k = 0; k < GPR_MAP_SLOTS; k++)
        used = used || b->slot[k].at == at;
      if (! used)
        return b->buffer[i];
    }
  return NULL;
}

static value
as_single_or_double (const plan *p, block *b, value v, bool single, void *to)
{
  if (v.single == single)
    return v;
  p->loops->load[v.single ? GPR_f32 : GPR_f64][single] (v.at, v.stride, to, v.stride == 0 ? 1 : b->n);
  return (value) { to, v.stride, single };
}

/* The accumulator in a step's precision.  */
static void
turn_acc (const plan *p, block *b, bool single)
{
  if (b->acc.single != single)
    b->acc = as_single_or_double (p, b, b->acc, single, free_buffer (b, false));
}

/* What a step takes beside the accumulator; spare: room for a slot of the other precision.  */
static value
operand (const plan *p, block *b, const gpr_map_step *s, f64 *spare)
{
  switch (s->operand)
    {
    case GPR_MAP_LEAF:
      return leaf (p, b, s->at, s->single);
    case GPR_MAP_SLOT:
      return as_single_or_double (p, b, b->slot[s->at], s->single, spare);
    default:
      b->number = s->number;
      b->single_number = gpr_f32_of_f64 (s->number);
      return (value) { s->single ? (const void *) &b->single_number : &b->number, 0, s->single };
    }
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* last: where the result goes if it is of that precision, or NULL.  Not 0: some element left the reals.  */
static int
run_step (const plan *p, block *b, const gpr_map_step *s, void *last, bool last_single)
{
  f64 spare[BLOCK];
  value x, y;

  if (s->op == GPR_MAP_load)
    {
      void *own = free_buffer (b, true);
      b->acc = operand (p, b, s, own);
      if (s->operand == GPR_MAP_NUMBER)         /* the next step's may be another one */
        b->acc.at = memcpy (own, b->acc.at, s->single ? sizeof (f32) : sizeof (f64));
      return 0;
    }
  turn_acc (p, b, s->single);
  if (s->op == GPR_MAP_save)
    {
      b->slot[s->at] = b->acc;
      return 0;
    }
  x = b->acc;
  y = gpr_map_takes_two (s->op) ? operand (p, b, s, spare) : (value) { x.at, 0, x.single };
  void *to = last && last_single == (s->single != 0) && (x.stride || y.stride) ? last : free_buffer (b, true);
  const int n = x.stride || y.stride ? b->n : 1;
  if (s->turned && gpr_map_takes_two (s->op))
    {
      value t = x;
      x = y;
      y = t;
    }
  gpr_cpu_map_step *step = s->op == GPR_MAP_power ? p->loops->power[s->single != 0] : p->loops->step[s->op][s->single != 0];
  b->acc = (value) { to, n > 1 || x.stride || y.stride, s->single != 0 };
  return step (x.at, x.stride, y.at, y.stride, to, n);
}

/* The results of some rows, apart elements from one to the next, go to z, one after the other.  */
static int
run_rows (const plan *p, block *b, int64_t first, int rows, int columns, int64_t apart, char *z)
{
  const gpr_mapping *m = &p->m;
  const bool floating = p->z_elem == GPR_f64 || p->z_elem == GPR_f32;
  static const f64 zero;
  int left = 0;

  b->first = first;
  b->apart = apart;
  b->n = rows * columns;
  b->columns = columns;
  b->acc = (value) { &zero, 0, false };
  memset (b->read, 0, sizeof b->read);
  memset (b->slot, 0, sizeof b->slot);
  for (int k = 0; k < m->steps; k++)
    left |= run_step (p, b, &m->step[k], floating && k == m->steps - 1 ? z : NULL, p->z_elem == GPR_f32);
  if (b->acc.at != z)
    p->store[b->acc.single] (b->acc.at, b->acc.stride, z, b->n);
  return left;
}

static int
run_steps (const plan *p, block *b, int64_t first, int n, char *z)
{
  return run_rows (p, b, first, 1, n, 0, z);
}

static int
run_block (const plan *p, block *b, int64_t first, int n)
{
  _Alignas (64) char placed[BLOCK * sizeof (f64)];
  const int left = run_steps (p, b, first, n, p->m.placed ? placed : (char *) p->m.z + first * p->z_bytes);
  if (p->m.placed)
    gpr_cpu_copy_some (&p->m, (int) p->z_bytes, first, n, (const char *) ((uintptr_t) placed - (uintptr_t) (first * p->z_bytes)), p->strides, p->m.z, p->m.strides[GPR_MAP_LEAVES]);
  return left;
}

/* Blocks end where runs along the first dimension do, unless these are short.  */
static int64_t
run_of (const plan *p)
{
  return p->m.dims[0] >= BLOCK / 2 ? p->m.dims[0] : p->count;
}

gpr_status
gpr_cpu_map (gpr_mapping *m)
{
  const plan p = make_plan (m);
  const int64_t run = run_of (&p), pieces = (run + BLOCK - 1) / BLOCK, runs = p.count == 0 ? 0 : p.count / run;
  int threads = 1, left = 0;

  m->left = false;
  if (m->asked || p.count == 0 || gpr_cpu_copy (&p.m))
    return GPR_OK;
  if (p.count >= ALONE && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  #pragma omp parallel num_threads (threads) if (threads > 1) reduction (| : left)
  {
    block b;
    #pragma omp for schedule (static)
    for (int64_t job = 0; job < runs * pieces; job++)
      {
        const int64_t from = job % pieces * BLOCK, n = run - from < BLOCK ? run - from : BLOCK;
        if (m->placed || ! gpr_interrupted ())          /* an array that lives is not left half written */
          left |= run_block (&p, &b, job / pieces * run + from, (int) n);
      }
  }
  m->left = left != 0;
  return ! m->placed && gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

/* ---- some elements at a time ------------------------------------------------------------------ */

struct gpr_cpu_terms { plan p; };

gpr_cpu_terms *
gpr_cpu_terms_make (const gpr_mapping *m)
{
  gpr_cpu_terms *t = malloc (sizeof *t);
  if (t)
    t->p = make_plan (m);
  return t;
}

bool
gpr_cpu_terms_take (const gpr_cpu_terms *t, int64_t first, int64_t count, char *to)
{
  const int64_t run = run_of (&t->p), end = first + count;
  int left = 0;
  block b;

  for (int64_t at = first; at < end; )
    {
      int64_t n = run - at % run;
      n = n < BLOCK ? n : BLOCK;
      n = n < end - at ? n : end - at;
      left |= run_steps (&t->p, &b, at, (int) n, to + (at - first) * t->p.z_bytes);
      at += n;
    }
  return left != 0;
}

bool
gpr_cpu_terms_take_rows (const gpr_cpu_terms *t, int64_t first, int64_t rows, int64_t columns, int64_t apart, char *to)
{
  const int64_t row_bytes = columns * t->p.z_bytes, some = columns >= LONG_ROW ? 1 : BLOCK / columns;
  int left = 0;
  block b;

  if (columns == apart)
    return gpr_cpu_terms_take (t, first, rows * columns, to);
  for (int64_t r = 0; r < rows; r += some > 1 ? some : 1)
    left |= some > 1 ? run_rows (&t->p, &b, first + r * apart, (int) (some < rows - r ? some : rows - r), (int) columns, apart, to + r * row_bytes)
            : gpr_cpu_terms_take (t, first + r * apart, columns, to + r * row_bytes);
  return left != 0;
}
