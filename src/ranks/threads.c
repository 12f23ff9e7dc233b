#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../mpi/module.h"
#include "threads.h"

/* On its way, a copy: so a sender need not wait, and may fail and go.  */
typedef struct message {
  struct message *next;
  int from, tag;
  size_t bytes;
  char data[];
} message;

typedef struct { message *first, **end; } mailbox;

struct gpr_hub {
  pthread_mutex_t lock;         /* of the mailboxes */
  atomic_bool stopped;
  int size;
  mailbox of[];                 /* each rank's */
};

/* A receiver's; what is sent has gone at once.  Messages are taken by the receiver alone, so a buffer is its own to free after a cancel.  */
typedef struct transfer { struct transfer *next; int from, tag; void *p; size_t bytes; bool cancelled; } transfer;

static _Thread_local gpr_hub *hub;
static _Thread_local int own;
static _Thread_local transfer *posted;         /* in this order messages of one sender and tag are theirs */
static transfer sent;

static message *
take (int from, int tag)
{
  mailbox *box = &hub->of[own];
  pthread_mutex_lock (&hub->lock);
  message **at = &box->first, *m;
  while ((m = *at) && ! (m->from == from && m->tag == tag))
    at = &m->next;
  if (m && ! (*at = m->next))
    box->end = at;
  pthread_mutex_unlock (&hub->lock);
  return m;
}

static void *
send_to (int to, int tag, const void *p, size_t bytes)
{
  message *m = malloc (sizeof *m + bytes);
  if (! m)
    return NULL;
  *m = (message) { .from = own, .tag = tag, .bytes = bytes };
  memcpy (m->data, p, bytes);
  pthread_mutex_lock (&hub->lock);
  *hub->of[to].end = m;
  hub->of[to].end = &m->next;
  pthread_mutex_unlock (&hub->lock);
  return &sent;
}

static void *
receive (int from, int tag, void *p, size_t bytes)
{
  transfer *t = malloc (sizeof *t), **end = &posted;
  if (! t)
    return NULL;
  *t = (transfer) { NULL, from, tag, p, bytes, false };
  while (*end)
    end = &(*end)->next;
  return *end = t;
}

/* Whether none waits for such a message before it.  */
static bool
is_first (const transfer *t)
{
  const transfer *p = posted;
  while (p->from != t->from || p->tag != t->tag)
    p = p->next;
  return p == t;
}

static void
forget (transfer *t)
{
  transfer **at = &posted;
  while (*at != t)
    at = &(*at)->next;
  *at = t->next;
  free (t);
}

static int
done (void *of)
{
  transfer *t = of;
  if (t == &sent)
    return 1;
  message *m = t->cancelled || ! is_first (t) ? NULL : take (t->from, t->tag);
  const bool fits = m && m->bytes == t->bytes, stops = ! m && hub->stopped;
  if (! m && ! stops && ! t->cancelled)
    return 0;
  if (fits)
    memcpy (t->p, m->data, t->bytes);
  const int result = fits || t->cancelled ? 1 : -1;
  free (m);
  forget (t);
  return result;
}

static void
cancel (void *of)
{
  if (of != &sent)
    ((transfer *) of)->cancelled = true;
}

static bool
arrived (int tag, int *from)
{
  pthread_mutex_lock (&hub->lock);
  const message *m = hub->of[own].first;
  while (m && m->tag != tag)
    m = m->next;
  if (m)
    *from = m->from;
  pthread_mutex_unlock (&hub->lock);
  return m != NULL;
}

static bool
ended (void)
{
  return false;
}

static const char *
wrong (void)
{
  return hub->stopped ? "the others have stopped" : "no host memory for it, or it has another length";
}

gpr_status
gpr_hub_open (int size, gpr_hub **h)
{
  *h = calloc (1, sizeof **h + size * sizeof (mailbox));
  if (! *h)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%d bytes of host memory", size);
  (*h)->size = size;
  pthread_mutex_init (&(*h)->lock, NULL);
  for (int k = 0; k < size; k++)
    (*h)->of[k].end = &(*h)->of[k].first;
  return GPR_OK;
}

void
gpr_hub_enter (gpr_hub *h, int rank)
{
  static const gpr_mpi_api between = { .abi = GPR_MPI_ABI, .version = GPR_VERSION, .ended = ended, .send = send_to, .receive = receive, .done = done,
                                       .cancel = cancel, .arrived = arrived, .wrong = wrong };
  const gpr_world w = { rank, h->size, rank };
  hub = h;
  own = rank;
  gpr_world_enter (&w, &between);
}

void
gpr_hub_exit (void)
{
  gpr_world_exit ();
  while (posted)                /* what a call that failed no longer waits for */
    forget (posted);
  hub = NULL;
}

void
gpr_hub_stop (gpr_hub *h)
{
  h->stopped = true;
}

void
gpr_hub_close (gpr_hub *h)
{
  if (! h)
    return;
  for (int k = 0; k < h->size; k++)
    for (message *m = h->of[k].first, *next; m; m = next)
      {
        next = m->next;
        free (m);
      }
  pthread_mutex_destroy (&h->lock);
  free (h);
}
