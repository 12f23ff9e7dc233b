/* Ranks that are threads (src/ranks/threads.h): what they send arrives, what they reduce has the bits of one array, and none waits for one that has
   failed or has never come.  */

#include <pthread.h>
#include "test.h"
#include "../../src/core/system.h"
#include "../../src/cpu/cpu.h"
#include "../../src/ranks/ranks.h"
#include "../../src/ranks/threads.h"

enum { MOST = 7 };

typedef struct rank {
  int k, size;
  gpr_hub *hub;
  gpr_status (*work) (struct rank *r);
  void *of;
  gpr_status status;
  char message[400];
  pthread_t thread;
} rank;

static void *begin (void *of)
{
  rank *r = of;
  gpr_hub_enter (r->hub, r->k);
  r->status = r->work (r);
  snprintf (r->message, sizeof r->message, "%s", r->status != GPR_OK ? gpr_message () : "");
  if (r->status != GPR_OK)
    gpr_world_leave (r->status);
  gpr_hub_exit ();
  return NULL;
}

/* All of them but those from came on, who never come.  */
static void run (rank *r, int size, int came, gpr_status (*work) (rank *r), void *of)
{
  gpr_hub *hub;
  expect (gpr_hub_open (size, &hub) == GPR_OK, "%s", gpr_message ());
  for (int k = 0; k < size; k++)
    {
      r[k] = (rank) { .k = k, .size = size, .hub = hub, .work = work, .of = of };
      if (k < came)
        pthread_create (&r[k].thread, NULL, begin, &r[k]);
    }
  if (came < size)
    gpr_hub_stop (hub);
  for (int k = 0; k < came; k++)
    pthread_join (r[k].thread, NULL);
  gpr_hub_close (hub);
}

/* ---- messages --------------------------------------------------------------------------- */

enum { MESSAGES = 200 };

/* To each, numbers with two tags in turn, of growing sizes; both tags are taken from the last sender on.  */
static gpr_status exchange (rank *r)
{
  static _Thread_local int64_t all[MOST][2][MESSAGES][3];
  gpr_post p = { .count = 0 };
  gpr_status status = GPR_OK;
  bool leaks;
  for (int to = 0; to < r->size; to++)
    for (int i = 0; i < MESSAGES && status == GPR_OK; i++)
      {
        const int64_t said[3] = { r->k, to, i };
        status = gpr_post_send (&p, to, GPR_POST_ROWS + i % 2, said, (1 + i % 3) * sizeof *said);
      }
  for (int from = r->size - 1; from >= 0; from--)
    for (int i = 0; i < MESSAGES && status == GPR_OK; i++)
      status = gpr_post_receive (&p, from, GPR_POST_ROWS + i % 2, all[from][i % 2][i], (1 + i % 3) * sizeof (int64_t));
  status = gpr_post_wait (&p, status, &leaks);
  for (int from = 0; from < r->size && status == GPR_OK; from++)
    for (int i = 0; i < MESSAGES; i++)
      if (all[from][i % 2][i][0] != from || (i % 3 > 0 && all[from][i % 2][i][1] != r->k) || (i % 3 > 1 && all[from][i % 2][i][2] != i))
        return gpr_fail (GPR_BAD_INPUT, "message %d of %d is another", i, from);
  return status;
}

/* ---- reductions ------------------------------------------------------------------------- */

typedef struct { gpr_reduction r; int64_t starts[MOST + 1]; char *value[MOST]; int64_t *index[MOST]; bool needs_fixup[MOST]; } divided;

static gpr_status reduce (rank *r)
{
  divided *d = r->of;
  gpr_reduction own = d->r;
  const gpr_piece piece = { .data = (const char *) own.x + d->starts[r->k] * own.inner * gpr_instances[own.instance].elem_bytes, .starts = d->starts };
  own.x = &piece;
  own.value = d->value[r->k];
  own.index = own.index ? d->index[r->k] : NULL;
  const gpr_status status = gpr_ranks_reduce (&own);
  d->needs_fixup[r->k] = own.needs_fixup;
  return status;
}

static void check_reduction (void)
{
  static const enum gpr_instance instances[] = { GPR_sum_f64, GPR_sum_f32, GPR_max_f64, GPR_prod_f64, GPR_sum_c128 };
  const int size = 1 + (int) random_below (MOST);
  rank r[MOST];
  divided d = { .r = { .instance = instances[random_below (5)], .inner = 1 + random_below (4), .outer = 1,
                       .length = 1 + random_below (random_below (2) ? 30 : 90000) } };
  const gpr_instance_info *f = &gpr_instances[d.r.instance];
  const int64_t numbers = d.r.inner * d.r.length, results = d.r.inner * f->value_bytes;
  void *x = malloc (numbers * f->elem_bytes);
  char *want = calloc (1, results);
  const bool complex = f->elem == GPR_c128, single = f->elem == GPR_f32;
  random_fill (x, complex ? 'c' : 'f', complex ? 16 : single ? 4 : 8, numbers, (int) random_below (2));
  d.r.x = x;
  d.r.value = want;
  gpr_status status = gpr_cpu_reduce (&d.r);
  expect (status == GPR_OK, "%s", gpr_message ());
  for (int k = 0; k <= size; k++)
    {
      const int64_t before = k > 0 ? d.starts[k - 1] : 0, left = d.r.length - before;
      d.starts[k] = k == size ? d.r.length : k == 0 ? 0 : before + random_below (1 + 2 * left / (size - k + 1)) % (left + 1);
    }
  for (int k = 0; k < size; k++)
    d.value[k] = calloc (1, results);
  run (r, size, size, reduce, &d);
  for (int k = 0; k < size; k++)
    {
      expect (r[k].status == GPR_OK && memcmp (d.value[k], want, results) == 0 && d.needs_fixup[k] == d.r.needs_fixup, "rank %d of %d, %s of %lld x %lld: %s", k, size,
              f->name, (long long) d.r.inner, (long long) d.r.length, r[k].message);
      free (d.value[k]);
    }
  free (want);
  free (x);
}

/* ---- failures --------------------------------------------------------------------------- */

static gpr_status one_fails (rank *r)
{
  double x = 1;
  gpr_status status = GPR_OK;
  for (int round = 0; round < 1000 && status == GPR_OK; round++)
    status = r->k == *(int *) r->of && round == 20 ? gpr_fail (GPR_DEVICE_LOST, "it burns") : gpr_world_combine (&x, 1, sizeof x, gpr_add_doubles);
  return status;
}

static volatile int pressed;

static gpr_status wait_for_ctrl_c (rank *r)
{
  double x;
  if (r->k == 0)
    pressed = 1;
  return gpr_world_receive ((r->k + 1) % r->size, GPR_POST_ROWS, &x, sizeof x);
}

int main (void)
{
  rank r[MOST];

  rule ("messages_of_all_to_all_arrive_in_their_order");
  for (int size = 2; size <= MOST; size++)
    {
      run (r, size, size, exchange, NULL);
      for (int k = 0; k < size; k++)
        expect (r[k].status == GPR_OK, "rank %d of %d: %s", k, size, r[k].message);
    }

  rule ("reductions_of_threads_have_the_bits_of_one_array");
  for (int i = 0; i < test_cases (40); i++)
    check_reduction ();

  rule ("one_that_fails_ends_the_others_with_its_message");
  for (int size = 2; size <= MOST; size++)
    {
      int who = (int) random_below (size);
      const double start = gpr_now_ms ();
      run (r, size, size, one_fails, &who);
      expect (gpr_now_ms () < start + 10000, "%g ms", gpr_now_ms () - start);
      for (int k = 0; k < size; k++)
        expect (r[k].status == (k == who ? GPR_DEVICE_LOST : GPR_COMM_FAILED) && strstr (r[k].message, "it burns"), "rank %d of %d: %s", k, size, r[k].message);
    }

  rule ("one_that_never_comes_is_not_waited_for");
  run (r, 3, 2, one_fails, &(int) { 2 });
  expect (r[0].status == GPR_COMM_FAILED && r[1].status == GPR_COMM_FAILED, "%s", r[0].message);

  rule ("ctrl_c_ends_all");
  gpr_interrupt_flag = &pressed;
  run (r, 3, 3, wait_for_ctrl_c, NULL);
  for (int k = 0; k < 3; k++)
    expect (r[k].status == GPR_INTERRUPTED || r[k].status == GPR_COMM_FAILED, "rank %d: %s", k, r[k].message);
  pressed = 0;

  rule ("the_process_is_no_rank_of_theirs");
  {
    gpr_world w;
    expect (gpr_world_check (&w) == GPR_BAD_INPUT, "joined");
  }
  return verdict ();
}
