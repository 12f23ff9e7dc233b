/* What tests of src/stream share: files, a source like the function of a user, random problems and their reduction from a stream.  */

#ifndef GPR_STREAM_PROBLEMS_H
#define GPR_STREAM_PROBLEMS_H

#include <unistd.h>

#include "test.h"
#include "../../src/core/system.h"
#include "../../src/cpu/cpu.h"
#include "../../src/stream/stream.h"

static inline void write_file (const char *name, const void *p, size_t bytes)
{
  FILE *f = fopen (name, "wb");
  expect (f && fwrite (p, 1, bytes, f) == bytes && fclose (f) == 0, "%s cannot be written", name);
}

static inline void fails (gpr_status status, gpr_status wanted, const char *text)
{
  expect (status == wanted && strstr (gpr_message (), text), "%s: %s, not %s: %s", gpr_status_name (status), gpr_message (), gpr_status_name (wanted), text);
}

static inline void fill (void *x, enum gpr_elem elem, int64_t count, int mood)
{
  random_fill (x, elem == GPR_c128 || elem == GPR_c64 ? 'c' : elem <= GPR_f32 ? 'f' : 'i', gpr_elem_bytes[elem], count, mood);
}

/* ---- a source like the function of a user ------------------------------------------- */

typedef struct {
  gpr_source source;            /* first */
  const char *x;                /* all elements */
  gpr_brought run;
  int64_t longest;              /* of runs */
  int64_t fails_at;             /* an element that cannot be had; -1: none */
  int64_t taken;                /* elements brought so far */
  bool changed;
} bringing;

static inline gpr_status bring (gpr_source *s, int64_t first)
{
  bringing *b = (bringing *) s;
  const int64_t most = s->count - first < b->longest ? s->count - first : b->longest, count = 1 + random_below (most);
  if (b->fails_at >= first && b->fails_at < first + count)
    return gpr_fail (GPR_CANNOT_READ, "element %lld", (long long) b->fails_at);
  b->taken += count;
  b->run = (gpr_brought) { .data = b->x + first * gpr_elem_bytes[s->elem], .first = first, .count = count };
  return GPR_OK;
}

static inline gpr_status read_bringing (gpr_source *s, int64_t first, int64_t count, void *to)
{
  return gpr_read_brought (s, &((bringing *) s)->run, bring, first, count, to);
}

static inline gpr_status check_bringing (gpr_source *s)
{
  return ((bringing *) s)->changed ? gpr_fail (GPR_CANNOT_READ, "it has changed") : GPR_OK;
}

static inline bringing bringing_of (const void *x, enum gpr_elem elem, int64_t count)
{
  return (bringing) { { .elem = elem, .count = count, .read = read_bringing, .check = check_bringing, .fingerprint = 7 }, x, { .count = 0 },
                      1 + random_below (count < 5000 ? count : 5000), -1, 0, false };
}

/* ---- problems ------------------------------------------------------------------------- */

typedef struct { gpr_reduction r; int64_t count; char *x, *value; int64_t *index; } problem;

static inline problem random_problem (enum gpr_instance instance)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  problem p = { .r = { .instance = instance, .inner = 1, .outer = 1 } };
  switch (random_below (4))
    {
    case 0: p.r.length = 1 + random_below (100000); break;
    case 1: p.r.inner = 1 + random_below (60); p.r.length = 1 + random_below (3000); break;
    case 2: p.r.length = 1 + random_below (300); p.r.outer = 1 + random_below (500); break;
    default: p.r.inner = 1 + random_below (20); p.r.length = 1 + random_below (2000); p.r.outer = 1 + random_below (6);
    }
  p.count = p.r.inner * p.r.length * p.r.outer;
  p.r.divisor = random_below (3) ? 0 : (double) p.r.length;
  p.x = malloc ((size_t) (p.count * f->elem_bytes));
  p.value = malloc ((size_t) (p.r.inner * p.r.outer * f->value_bytes));
  p.index = f->has_index ? malloc ((size_t) (p.r.inner * p.r.outer) * sizeof *p.index) : NULL;
  fill (p.x, f->elem, p.count, (int) random_below (MOODS));
  p.r.x = p.x;
  p.r.value = p.value;
  p.r.index = p.index;
  expect (gpr_cpu_backend.reduce (&p.r) == GPR_OK, "%s", gpr_message ());
  return p;
}

static inline void free_problem (problem *p)
{
  free (p->x);
  free (p->value);
  free (p->index);
}

/* Two results; of NaN the fix-up decides which.  */
static inline bool same_result (enum gpr_instance instance, const char *a, const char *b)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  const bool floats = f->elem <= GPR_f32 || f->elem >= GPR_c128;
  bool doubles = floats && f->value_bytes % 8 == 0, singles = floats && f->value_bytes % 4 == 0;
  if (memcmp (a, b, (size_t) f->value_bytes) == 0)
    return true;
  for (int i = 0; i < f->value_bytes && doubles; i += 8)
    {
      double x, y;
      memcpy (&x, a + i, sizeof x);
      memcpy (&y, b + i, sizeof y);
      doubles = memcmp (a + i, b + i, sizeof x) == 0 || (x != x && y != y);
    }
  for (int i = 0; i < f->value_bytes && singles; i += 4)
    {
      float x, y;
      memcpy (&x, a + i, sizeof x);
      memcpy (&y, b + i, sizeof y);
      singles = memcmp (a + i, b + i, sizeof x) == 0 || (x != x && y != y);
    }
  return doubles || singles;
}

static inline bool same_results (const problem *p, const gpr_reduction *r)
{
  const int bytes = gpr_instances[r->instance].value_bytes;
  for (int64_t i = 0; i < r->inner * r->outer; i++)
    if (! same_result (r->instance, (const char *) r->value + i * bytes, p->value + i * bytes) || (r->index && r->index[i] != p->index[i]))
      return false;
  return r->needs_fixup == p->r.needs_fixup;
}

/* The same of a stream; what it returns.  */
static inline gpr_status reduce_stream (const problem *p, gpr_stream *s, const char *what)
{
  const gpr_instance_info *f = &gpr_instances[p->r.instance];
  const int64_t outputs = p->r.inner * p->r.outer;
  gpr_reduction r = p->r;
  r.x = s;
  r.value = malloc ((size_t) (outputs * f->value_bytes));
  r.index = p->index ? malloc ((size_t) outputs * sizeof *r.index) : NULL;
  memset (r.value, 0x55, (size_t) (outputs * f->value_bytes));
  const gpr_status status = gpr_stream_backend.reduce (&r);
  expect (status != GPR_OK || same_results (p, &r),
          "%s of %lld x %lld x %lld, %s, %d threads, %zu bytes: other bits", f->name, (long long) r.inner, (long long) r.length, (long long) r.outer, what,
          gpr_config.threads, gpr_config.memory_limit);
  for (int k = 0; k < GPR_STREAM_BLOCKS; k++)
    expect (! s->blocks[k], "%s leaves memory", what);
  free (r.value);
  free (r.index);
  return status;
}

#endif
