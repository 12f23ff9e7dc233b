/* Stands in for libnccl.so.2 between processes of one host, whose GPUs are in host memory (tests/ranks/linked_gpus.c): a message is a file of a folder that
   the name names.  It begins only when its communicator is asked for its state, and takes two questions at least.

   FAKE_NCCL says what happens to which rank, from its move of which number on, "RANK WHAT [MOVE]": "1 init" (joining fails; the others wait), "1 waits" (it never joins, nor do the others), "1 async 2" (a
   move fails), "1 hangs 2" (what that rank sends never arrives), "0 old" (a version before 2.18).  FAKE_NCCL_LOG: a file that gets a line for each communicator, group and end.  */

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUCCESS = 0, SYSTEM_ERROR = 2, REMOTE_ERROR = 6, IN_PROGRESS = 7, MOST = 1000 };

typedef struct { char folder[128]; } name;
typedef struct {                /* ncclConfig_t of 2.18 */
  size_t size;
  unsigned magic, version;
  int blocking, cga_cluster_size, min_ctas, max_ctas;
  const char *net_name;
  int split_share;
} config;
typedef struct { bool sends; void *memory; size_t bytes; int rank, number; } message;
typedef struct ncclComm {
  name at;
  int rank, size, groups, asked;
  int sent[64], received[64];           /* messages to and from each rank so far */
  message of[MOST];                     /* of the group under way */
  int count;
  int error;
  bool joins, ends;
} ncclComm;

static int depth, version;
static ncclComm *grouped;

static bool
meets (const ncclComm *c, const char *what)
{
  const char *said = getenv ("FAKE_NCCL");
  char wanted[20] = "";
  int rank, from = 0;
  return said && sscanf (said, "%d %19s %d", &rank, wanted, &from) >= 2 && rank == c->rank && strcmp (wanted, what) == 0 && c->groups >= from;
}

static void
note (const ncclComm *c, const char *what, long n)
{
  const char *file = getenv ("FAKE_NCCL_LOG");
  FILE *f = file ? fopen (file, "a") : NULL;
  if (f)
    {
      fprintf (f, "rank %d of %d %s %ld\n", c->rank, c->size, what, n);
      fclose (f);
    }
}

static void
path_of (const ncclComm *c, const char *kind, int from, int to, int number, char path[300])
{
  snprintf (path, 300, "%s/%s-%d-%d-%d", c->at.folder, kind, from, to, number);
}

/* Written elsewhere first, so that who sees it sees all of it.  */
static void
put (const ncclComm *c, const char *kind, int from, int to, int number, const void *data, size_t bytes)
{
  char path[300], whole[300];
  path_of (c, "part", from, to, number, path);
  path_of (c, kind, from, to, number, whole);
  const int f = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (size_t at = 0; at < bytes; )
    {
      const ssize_t some = write (f, (const char *) data + at, bytes - at);
      if (some <= 0)
        abort ();
      at += (size_t) some;
    }
  close (f);
  rename (path, whole);
}

static bool
take (ncclComm *c, const message *m)
{
  char path[300];
  struct stat s;
  path_of (c, "message", m->rank, c->rank, m->number, path);
  const int f = open (path, O_RDONLY);
  if (f < 0)
    return false;
  if (fstat (f, &s) != 0 || (size_t) s.st_size != m->bytes)
    c->error = REMOTE_ERROR;
  for (size_t at = 0; at < m->bytes && ! c->error; )
    at += (size_t) read (f, (char *) m->memory + at, m->bytes - at);
  close (f);
  unlink (path);
  return true;
}

int
ncclGetVersion (int *v)
{
  const char *said = getenv ("FAKE_NCCL");
  *v = version = said && strstr (said, "old") ? 21700 : 22703;
  return SUCCESS;
}

const char *
ncclGetErrorString (int result)
{
  return result == SYSTEM_ERROR ? "unhandled system error" : "remote process exited or there was a network error";
}

int
ncclGetUniqueId (name *n)
{
  memset (n, 0, sizeof *n);
  const char *in = getenv ("TMPDIR");
  snprintf (n->folder, sizeof n->folder, "%s/nccl-XXXXXX", in ? in : "/tmp");
  return mkdtemp (n->folder) ? SUCCESS : SYSTEM_ERROR;
}

int
ncclCommInitRankConfig (ncclComm **made, int size, name n, int rank, config *with)
{
  const char *blocking = getenv ("NCCL_COMM_BLOCKING");
  if (blocking && strcmp (blocking, "1") == 0)
    return SYSTEM_ERROR;        /* what blocks is never given up */
  const bool unsaid = with->cga_cluster_size == INT_MIN && with->min_ctas == INT_MIN && with->max_ctas == INT_MIN && ! with->net_name
                      && with->split_share == INT_MIN;
  if (with->magic != 0xcafebeef || with->size != sizeof *with || with->version != 21800 || with->blocking != 0 || ! unsaid || size > 64)
    return SYSTEM_ERROR;
  ncclComm *c = *made = calloc (1, sizeof *c);
  *c = (ncclComm) { .at = n, .rank = rank, .size = size, .joins = true };
  note (c, "joins", 0);
  if (meets (c, "init"))
    c->error = SYSTEM_ERROR;
  else if (! meets (c, "waits"))
    put (c, "joined", rank, 0, 0, "", 1);
  return IN_PROGRESS;
}

/* Whether files of that kind are there of all.  */
static bool
all_have (const ncclComm *c, const char *kind)
{
  char path[300];
  for (int k = 0; k < c->size; k++)
    {
      path_of (c, kind, k, 0, 0, path);
      if (access (path, F_OK) != 0)
        return false;
    }
  return true;
}

static void
go_on (ncclComm *c)
{
  int left = 0;
  for (int i = 0; i < c->count && ! c->error; i++)
    if (c->of[i].sends)
      {
        if (! meets (c, "hangs"))
          put (c, "message", c->rank, c->of[i].rank, c->of[i].number, c->of[i].memory, c->of[i].bytes);
      }
    else if (! take (c, &c->of[i]))
      c->of[left++] = c->of[i];
  c->count = left;
}

int
ncclCommGetAsyncError (ncclComm *c, int *result)
{
  if (c->joins)
    c->joins = ! all_have (c, "joined");
  else if (c->asked++ > 0)
    go_on (c);
  *result = c->error ? c->error : c->joins || c->count > 0 || (c->ends && ! all_have (c, "ended")) ? IN_PROGRESS : SUCCESS;
  return SUCCESS;
}

int ncclGroupStart (void) { depth++; return SUCCESS; }

static int
add (bool sends, void *memory, size_t bytes, int type, int rank, ncclComm *c)
{
  if (type != 1 || depth == 0 || c->joins || rank < 0 || rank >= c->size || rank == c->rank || c->count == MOST)
    return SYSTEM_ERROR;
  grouped = c;
  c->of[c->count++] = (message) { sends, memory, bytes, rank, sends ? c->sent[rank]++ : c->received[rank]++ };
  return SUCCESS;
}

int ncclSend (const void *p, size_t bytes, int type, int to, ncclComm *c, void *stream) { (void) stream; return add (true, (void *) p, bytes, type, to, c); }
int ncclRecv (void *p, size_t bytes, int type, int from, ncclComm *c, void *stream) { (void) stream; return add (false, p, bytes, type, from, c); }

int
ncclGroupEnd (void)
{
  ncclComm *c = grouped;
  if (--depth > 0 || ! c)
    return SUCCESS;
  grouped = NULL;
  c->asked = 0;
  c->groups++;
  if (meets (c, "async"))
    c->error = REMOTE_ERROR;
  note (c, "moves", c->count);
  return IN_PROGRESS;
}

int
ncclCommFinalize (ncclComm *c)
{
  put (c, "ended", c->rank, 0, 0, "", 1);
  c->ends = true;
  return IN_PROGRESS;
}

static int
end (ncclComm *c, const char *how)
{
  note (c, how, 0);
  free (c);
  return SUCCESS;
}

int ncclCommDestroy (ncclComm *c) { return end (c, "is destroyed"); }
int ncclCommAbort (ncclComm *c) { return end (c, "is aborted"); }
