/* Checkpoints: one file, written anew each time and put in place of the last when it is whole.  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../core/system.h"
#include "stream.h"

enum { MOST = 64 };             /* reductions of a call */

typedef struct { uint64_t key; int64_t bytes; void *state; } record;

struct gpr_checkpoint {
  char *path, *new_path;
  double every, written;        /* ms */
  struct { char magic[8]; uint64_t call, source, tree; } head;
  record of[MOST];
  int count, at;                /* records; the one in hand */
};

static gpr_status
no_memory (void)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "no host memory for a checkpoint");
}

static bool
get (FILE *f, void *to, size_t bytes, uint64_t *hash)
{
  if (fread (to, 1, bytes, f) != bytes)
    return false;
  *hash = gpr_hash (*hash, to, bytes);
  return true;
}

static bool
put (FILE *f, const void *from, size_t bytes, uint64_t *hash)
{
  *hash = gpr_hash (*hash, from, bytes);
  return fwrite (from, 1, bytes, f) == bytes;
}

/* The records, and the hash of all before it; false: it is damaged.  */
static bool
load (gpr_checkpoint *c, FILE *f, uint64_t hash)
{
  int64_t count, left, here;
  uint64_t sum;

  if (fseek (f, 0, SEEK_END) != 0 || (left = ftell (f)) < 0 || fseek (f, sizeof c->head, SEEK_SET) != 0)
    return false;
  if (! get (f, &count, sizeof count, &hash) || count < 0 || count > MOST)
    return false;
  for (int k = 0; k < count; k++)
    {
      record *r = &c->of[k];
      if (! get (f, &r->key, sizeof r->key, &hash) || ! get (f, &here, sizeof here, &hash) || here < 0 || here > left
          || ! (r->state = malloc (here ? (size_t) here : 1)))
        return false;
      r->bytes = here;
      c->count = k + 1;
      if (! get (f, r->state, (size_t) here, &hash))
        return false;
    }
  return fread (&sum, sizeof sum, 1, f) == 1 && sum == hash && fgetc (f) == EOF;
}

/* changed: what is so if the source is another.  */
static gpr_status
go_on_from (gpr_checkpoint *c, FILE *f, const char *changed)
{
  typeof (c->head) head;
  uint64_t hash = GPR_HASH_BEGIN;

  if (! get (f, &head, sizeof head, &hash) || memcmp (head.magic, c->head.magic, sizeof head.magic) != 0)
    return gpr_fail (GPR_BAD_INPUT, "%.200s is no checkpoint of gpureduce: it is left as it is", c->path);
  if (head.tree != c->head.tree)
    return gpr_fail (GPR_BAD_INPUT, "the checkpoint %.200s is of another version of gpureduce: remove it to begin anew", c->path);
  if (head.call != c->head.call)
    return gpr_fail (GPR_BAD_INPUT, "the checkpoint %.200s is of another call: remove it to begin anew", c->path);
  if (head.source != c->head.source)
    return gpr_fail (GPR_BAD_INPUT, "%s the checkpoint %.200s was written: remove it to begin anew", changed, c->path);
  if (! load (c, f, hash))
    return gpr_fail (GPR_BAD_INPUT, "the checkpoint %.200s is damaged: remove it to begin anew", c->path);
  return GPR_OK;
}

/* All of it, as the new file; false: errno says why not.  */
static bool
write_new (const gpr_checkpoint *c)
{
  uint64_t hash = GPR_HASH_BEGIN;
  const int64_t count = c->count;
  FILE *f = fopen (c->new_path, "wb");
  if (! f)
    return false;
  bool good = put (f, &c->head, sizeof c->head, &hash) && put (f, &count, sizeof count, &hash);

  for (int k = 0; k < c->count && good; k++)
    {
      const record *r = &c->of[k];
      good = put (f, &r->key, sizeof r->key, &hash) && put (f, &r->bytes, sizeof r->bytes, &hash)
             && put (f, r->state, (size_t) r->bytes, &hash);
    }
  good = good && fwrite (&hash, sizeof hash, 1, f) == 1 && fflush (f) == 0 && fsync (fileno (f)) == 0;
  int why = errno;
  if (fclose (f) != 0 && good)
    {
      good = false;
      why = errno;
    }
  if (! good)
    unlink (c->new_path);
  errno = why;
  return good;
}

static gpr_status
cannot_write (const gpr_checkpoint *c)
{
  return gpr_fail (GPR_CANNOT_WRITE, "the checkpoint %.200s cannot be written: %s", c->path, strerror (errno));
}

static gpr_status
save (gpr_checkpoint *c)
{
  if (! write_new (c))
    return cannot_write (c);
  if (rename (c->new_path, c->path) != 0)
    {
      const gpr_status status = cannot_write (c);
      unlink (c->new_path);
      return status;
    }
  c->written = gpr_now_ms ();
  return GPR_OK;
}

/* Whether it can be written, which else would be known hours later: one that is there is put in its own place, of another nothing is left.  */
static gpr_status
try_to_save (gpr_checkpoint *c, bool there)
{
  if (there)
    return save (c);
  if (! write_new (c))
    return cannot_write (c);
  unlink (c->new_path);
  c->written = gpr_now_ms ();
  return GPR_OK;
}

gpr_status
gpr_checkpoint_open (gpr_checkpoint **made, const char *path, double every, uint64_t call, const gpr_source *source)
{
  gpr_checkpoint *c = calloc (1, sizeof *c);
  gpr_status status = GPR_OK;

  if (! c)
    return no_memory ();
  *made = c;
  c->path = malloc (strlen (path) + 1);
  c->new_path = malloc (strlen (path) + 5);
  if (! c->path || ! c->new_path)
    return no_memory ();
  strcpy (c->path, path);
  sprintf (c->new_path, "%s.new", path);
  c->every = every * 1e3;
  memcpy (c->head.magic, "gprckpt1", sizeof c->head.magic);
  c->head.call = call;
  c->head.source = source->fingerprint;
  c->head.tree = GPR_TREE_VERSION;
  FILE *f = fopen (path, "rb");
  if (f)
    {
      status = go_on_from (c, f, source->changed);
      fclose (f);
    }
  else if (errno != ENOENT && errno != ENOTDIR)
    status = gpr_fail (GPR_CANNOT_READ, "the checkpoint %.200s cannot be read: %s", path, strerror (errno));
  return status == GPR_OK ? try_to_save (c, f != NULL) : status;
}

const void *
gpr_checkpoint_get (const gpr_checkpoint *c, uint64_t key, size_t bytes)
{
  const record *r = c->at < c->count ? &c->of[c->at] : NULL;
  return r && r->key == key && r->bytes >= (int64_t) bytes ? r->state : NULL;
}

bool
gpr_checkpoint_is_due (const gpr_checkpoint *c)
{
  return gpr_now_ms () - c->written >= c->every;
}

gpr_status
gpr_checkpoint_put (gpr_checkpoint *c, uint64_t key, void *state, size_t bytes, bool done)
{
  if (c->at >= MOST)
    {
      free (state);
      return GPR_OK;
    }
  for (int k = c->at; k < c->count; k++)
    free (c->of[k].state);
  c->of[c->at] = (record) { key, (int64_t) bytes, state };
  c->count = c->at + 1;
  gpr_status status = gpr_checkpoint_is_due (c) ? save (c) : GPR_OK;
  c->at += done;
  return status;
}

void
gpr_checkpoint_close (gpr_checkpoint *c, bool remove_file)
{
  if (! c)
    return;
  for (int k = 0; k < c->count; k++)
    free (c->of[k].state);
  if (remove_file && c->path)
    unlink (c->path);
  free (c->path);
  free (c->new_path);
  free (c);
}
