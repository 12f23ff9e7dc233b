/* Medians, quantiles, modes, and the k greatest or least, over the divided dimension.

   Short columns are dealt out (columns.h).  In long ones digits of the elements' keys are counted, the counts of all ranks added, and so
   forth with those that have the digits found, until few are left, which all ranks get (cpu/select_long.h).  Of the k greatest each
   rank's are candidates.  */

#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "../cpu/select_long.h"
#include "columns.h"

static gpr_status
no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

static gpr_status
ended (gpr_status status)
{
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}

/* ---- selection ------------------------------------------------------------------------------ */

static const u64 SIGN = (u64) 1 << 63;

/* Takes the least of all ranks' keys, and the greatest.  */
static gpr_status
take_bounds (u64 *least, u64 *greatest)
{
  int64_t both[2] = { (int64_t) (*least ^ SIGN), (int64_t) (~*greatest ^ SIGN) };
  const gpr_status status = gpr_world_combine (both, 2, sizeof *both, gpr_take_least);
  *least = (u64) both[0] ^ SIGN;
  *greatest = ~((u64) both[1] ^ SIGN);
  return status;
}

static gpr_status
add_tables (int64_t *table, int64_t digits, u64 *least, u64 *greatest)
{
  const gpr_status status = gpr_world_combine (table, digits, sizeof *table, gpr_add_integers);
  return status == GPR_OK ? take_bounds (least, greatest) : status;
}

static gpr_status
gather_keys (u64 *kept, int64_t own, int64_t inside, u64 *above)
{
  gpr_world w;
  u64 none = 0;
  gpr_status status = gpr_world_check (&w);
  int64_t *starts = calloc (w.size + 1, sizeof *starts);
  u64 *mine = malloc (own * sizeof *mine + 1);

  if (! starts || ! mine)
    status = no_memory (own * sizeof *mine);
  if (status == GPR_OK)
    status = take_bounds (above, &none);
  if (status == GPR_OK && kept)
    {
      memcpy (mine, kept, own * sizeof *mine);
      starts[w.rank + 1] = own * (int64_t) sizeof *mine;
      status = gpr_world_combine (starts, w.size + 1, sizeof *starts, gpr_add_integers);
      for (int k = 0; k < w.size; k++)
        starts[k + 1] += starts[k];
      if (status == GPR_OK && starts[w.size] != inside * (int64_t) sizeof *mine)
        status = gpr_fail (GPR_COMM_FAILED, "the ranks' counts of elements do not agree");
      if (status == GPR_OK)
        status = gpr_world_gather (mine, starts, kept);
    }
  free (starts);
  free (mine);
  return status;
}

static gpr_status
select_dealt (const gpr_selection *s)
{
  const size_t bytes = gpr_elem_bytes[s->elem], each = ! s->p ? bytes : s->elem == GPR_f32 ? sizeof (float) : sizeof (double);
  gpr_dealt d = { .inner = s->inner, .length = s->length, .outer = s->outer };
  gpr_selection own = *s;
  void *value = NULL;
  gpr_status status = gpr_deal_columns (&d, s->x, bytes);

  if (status == GPR_OK && ! (value = malloc (d.count * s->results * each + 1)))
    status = no_memory (d.count * s->results * each);
  own.inner = d.count;
  own.outer = 1;
  own.x = d.x;
  own.x_resident = false;
  own.center = s->center ? (const char *) s->center + d.first * bytes : NULL;
  own.value = value;
  if (status == GPR_OK && d.count > 0)
    status = gpr_cpu_select (&own);
  if (status == GPR_OK)
    status = gpr_collect_columns (&d, value, s->results, each, s->value);
  free (d.x);
  free (value);
  return status;
}

/* Where the piece lies, if that backend reads keys and has the memory; the others need not know.  */
static gpr_status
select_long (const gpr_selection *s, const gpr_piece *x, int64_t rows)
{
  static const gpr_select_together others = { add_tables, gather_keys };
  gpr_key_reading k = gpr_cpu_key_reading (s, rows, GPR_KEY_DIGIT);
  const gpr_backend *host = k.home;
  gpr_status status = GPR_UNSUPPORTED;

  k.x = x->data;
  if (gpr_on_device (x) && x->home->keys_begin && rows > 0)
    {
      k.home = x->home;
      status = k.home->keys_begin (&k);
    }
  if (status == GPR_UNSUPPORTED || status == GPR_OUT_OF_MEMORY)
    {
      k.home = host;
      status = gpr_piece_here (x, (size_t) (s->inner * s->outer * rows) * gpr_elem_bytes[s->elem], &k.x);
      if (status == GPR_OK)
        status = host->keys_begin (&k);
    }
  if (status != GPR_OK)
    return status;
  status = gpr_cpu_select_together (s, &k, &others);
  k.home->keys_end (&k);
  return status;
}

bool
gpr_deals_selection (const gpr_selection *s)
{
  return s->length < LONG;
}

gpr_status
gpr_ranks_select (gpr_selection *s)
{
  gpr_world w;
  gpr_status status = gpr_world_check (&w);

  if (status != GPR_OK)
    return status;
  return ended (gpr_deals_selection (s) ? select_dealt (s) : select_long (s, s->x, gpr_own_rows (s->x, &w, s->length)));
}

/* ---- modes ----------------------------------------------------------------------------------- */

gpr_status
gpr_ranks_order (gpr_ordering *o)
{
  const size_t bytes = gpr_elem_bytes[o->elem];
  gpr_dealt d = { .inner = o->inner, .length = o->length, .outer = o->outer };
  gpr_ordering own = *o;
  gpr_status status = gpr_deal_columns (&d, o->x, bytes);

  void *value = status == GPR_OK ? malloc (d.count * bytes + 1) : NULL;
  double *frequency = status == GPR_OK ? malloc (d.count * sizeof *frequency + 1) : NULL;
  if (status == GPR_OK && (! value || ! frequency))
    status = no_memory (d.count * (bytes + sizeof *frequency));
  own.inner = d.count;
  own.outer = 1;
  own.x = d.x;
  own.x_resident = false;
  own.value = value;
  own.frequency = frequency;
  if (status == GPR_OK && d.count > 0)
    status = gpr_cpu_order (&own);
  if (status == GPR_OK)
    status = gpr_collect_columns (&d, value, 1, bytes, o->value);
  if (status == GPR_OK && o->frequency)
    status = gpr_collect_columns (&d, frequency, 1, sizeof *frequency, o->frequency);
  free (d.x);
  free (value);
  free (frequency);
  return ended (status);
}

/* ---- the k greatest or least -------------------------------------------------------------------- */

/* Each rank's candidates, which follow one another as the rows do, and among equal ones are in the order of the rows.  */
typedef struct {
  int64_t count, all;           /* of each column: this rank's, of all */
  char *value, *values;
  double *row, *rows;           /* from 1, in the whole array */
} candidates;

/* Of rank i.  */
static int64_t
rows_of (const gpr_ranking *r, const gpr_piece *x, const gpr_world *w, int i)
{
  return (x->starts[i + 1] - x->starts[i]) * (r->length / x->starts[w->size]);
}

/* Where the piece lies, if that backend has the memory for it.  */
static gpr_status
rank_own (gpr_ranking *own, const gpr_piece *x)
{
  const size_t bytes = (size_t) (own->inner * own->length * own->outer) * gpr_elem_bytes[own->elem];
  gpr_status status = GPR_UNSUPPORTED;

  own->x = x->data;
  own->x_resident = gpr_on_device (x);
  own->out_resident = false;
  if (own->x_resident)
    status = x->home->rank (own);
  if (status != GPR_UNSUPPORTED && status != GPR_OUT_OF_MEMORY)
    return status;
  own->x_resident = false;
  status = gpr_piece_here (x, bytes, &own->x);
  return status == GPR_OK ? gpr_cpu_rank (own) : status;
}

static gpr_status
find_candidates (const gpr_ranking *r, const gpr_piece *x, const gpr_world *w, candidates *k)
{
  const size_t bytes = gpr_elem_bytes[r->elem];
  const int64_t columns = r->inner * r->outer;
  gpr_ranking own = *r;

  own.length = rows_of (r, x, w, w->rank);
  own.count = k->count;
  own.value = k->value = malloc (columns * k->count * bytes + 1);
  own.index = k->row = malloc (columns * k->count * sizeof *k->row + 1);
  k->values = malloc (columns * k->all * bytes + 1);
  k->rows = malloc (columns * k->all * sizeof *k->rows + 1);
  if (! k->value || ! k->row || ! k->values || ! k->rows)
    return no_memory (columns * (k->count + k->all) * (bytes + sizeof *k->row));
  gpr_status status = k->count > 0 ? rank_own (&own, x) : GPR_OK;
  for (int64_t i = 0; i < columns * k->count; i++)
    k->row[i] += (double) (x->starts[w->rank] * (r->length / x->starts[w->size]));
  return status;
}

static gpr_status
gather_candidates (const gpr_ranking *r, const gpr_piece *x, const gpr_world *w, candidates *k)
{
  const int64_t bytes[2] = { gpr_elem_bytes[r->elem], sizeof (double) };
  int64_t *starts = malloc ((w->size + 1) * sizeof *starts);
  gpr_status status = starts ? GPR_OK : no_memory (w->size * sizeof *starts);

  for (int part = 0; part < 2 && status == GPR_OK; part++)
    {
      starts[0] = 0;
      for (int i = 0; i < w->size; i++)
        starts[i + 1] = starts[i] + smaller (r->count, rows_of (r, x, w, i)) * r->inner * r->outer * bytes[part];
      status = gpr_world_gather_slabs (part ? (void *) k->row : k->value, starts, r->outer, part ? (void *) k->rows : k->values);
    }
  free (starts);
  return status;
}

gpr_status
gpr_ranks_rank (gpr_ranking *r)
{
  const gpr_piece *x = r->x;
  candidates k = { 0 };
  gpr_world w;
  gpr_status status = gpr_world_check (&w);

  if (status != GPR_OK)
    return status;
  k.count = smaller (r->count, rows_of (r, x, &w, w.rank));
  for (int i = 0; i < w.size; i++)
    k.all += smaller (r->count, rows_of (r, x, &w, i));
  gpr_ranking last = *r;
  last.length = k.all;
  last.x_resident = false;
  status = find_candidates (r, x, &w, &k);
  if (status == GPR_OK)
    status = gather_candidates (r, x, &w, &k);
  last.x = k.values;
  if (status == GPR_OK)
    status = gpr_cpu_rank (&last);
  for (int64_t i = 0; i < r->inner * r->count * r->outer && status == GPR_OK && r->index; i++)
    {
      const int64_t c = i % r->inner, o = i / (r->inner * r->count);
      r->index[i] = k.rows[c + r->inner * ((int64_t) r->index[i] - 1 + k.all * o)];
    }
  free (k.value);
  free (k.values);
  free (k.row);
  free (k.rows);
  return ended (status);
}
