/* Raw files: elements as memory has them.  */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../core/mapped.h"
#include "../core/system.h"
#include "stream.h"

typedef struct {
  gpr_source source;            /* first */
  int fd;
  int64_t offset;
  struct stat was;
  char name[];
} raw_file;

static gpr_status
failed (const char *name, const char *what)
{
  return gpr_fail (GPR_CANNOT_READ, "the file %.200s %s", name, what);
}

static gpr_status
cut_off (const raw_file *f)
{
  return failed (f->name, "ends before the elements that it had: it has been cut off while it was read");
}

static gpr_status
read_raw (gpr_source *s, int64_t first, int64_t count, void *to)
{
  raw_file *f = (raw_file *) s;
  const int bytes = gpr_elem_bytes[s->elem];
  errno = 0;
  if (gpr_system_get (f->fd, to, (size_t) (count * bytes), f->offset + first * bytes))
    return GPR_OK;
  if (errno)
    return gpr_fail (GPR_CANNOT_READ, "the file %.200s cannot be read: %s", f->name, strerror (errno));
  return cut_off (f);
}

static const void *
map (gpr_source *s, int64_t first, int64_t count)
{
  const raw_file *f = (raw_file *) s;
  const int bytes = gpr_elem_bytes[s->elem];
  return f->offset % bytes ? NULL : gpr_system_map (f->fd, f->offset + first * bytes, (size_t) (count * bytes));
}

static gpr_status
unmap (gpr_source *s)
{
  return gpr_system_unmap () ? GPR_OK : cut_off ((raw_file *) s);
}

static void
ahead (gpr_source *s, int64_t first, int64_t count)
{
  const raw_file *f = (raw_file *) s;
  const int bytes = gpr_elem_bytes[s->elem];
  posix_fadvise (f->fd, f->offset + first * bytes, count * bytes, POSIX_FADV_WILLNEED);
}

static bool
same_time (const struct stat *a, const struct stat *b)
{
  return a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static gpr_status
check (gpr_source *s)
{
  const raw_file *f = (raw_file *) s;
  struct stat now;
  if (fstat (f->fd, &now) == 0 && now.st_size == f->was.st_size && same_time (&now, &f->was))
    return GPR_OK;
  return failed (f->name, "has changed while it was read");
}

static void
close_raw (gpr_source *s)
{
  raw_file *f = (raw_file *) s;
  gpr_system_close (f->fd);
  free (f);
}

/* Whether its size is what the array takes.  */
static gpr_status
check_size (const raw_file *f, bool longer)
{
  const int64_t needs = f->offset + f->source.count * gpr_elem_bytes[f->source.elem], has = f->was.st_size;
  if (has < needs)
    return gpr_fail (GPR_BAD_INPUT, "the file %.200s has %lld bytes, and class, dims and offset take %lld: is it cut off?", f->name,
                     (long long) has, (long long) needs);
  if (has > needs && ! longer)
    return gpr_fail (GPR_BAD_INPUT, "the file %.200s has %lld bytes, and class, dims and offset take only %lld: with \"longer\", true the "
                     "rest is left", f->name, (long long) has, (long long) needs);
  return GPR_OK;
}

gpr_status
gpr_raw_open (const char *name, enum gpr_elem elem, int64_t offset, int64_t count, bool longer, gpr_source **source)
{
  raw_file *f = calloc (1, sizeof *f + strlen (name) + 1);
  gpr_status status = GPR_OK;

  if (! f)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", sizeof *f);
  strcpy (f->name, name);
  f->source = (gpr_source) { .elem = elem, .count = count, .concurrent = true, .read = read_raw, .map = map, .unmap = unmap, .ahead = ahead, .check = check,
                             .close = close_raw };
  f->offset = offset;
  f->fd = open (name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);      /* a FIFO without a writer shall not hold us */
  if (f->fd < 0 || fstat (f->fd, &f->was) != 0)
    status = gpr_fail (GPR_CANNOT_READ, "the file %.200s cannot be read: %s", name, strerror (errno));
  else if (S_ISDIR (f->was.st_mode))
    status = failed (name, "is a folder");
  else if (! S_ISREG (f->was.st_mode))
    status = failed (name, "is not a regular file, which is read in parts and perhaps twice");
  else
    status = check_size (f, longer);
  if (status != GPR_OK)
    {
      close_raw (&f->source);
      return status;
    }
  f->source.changed = "the file has changed since";
  f->source.fingerprint = gpr_hash (GPR_HASH_BEGIN, &f->was.st_size, sizeof f->was.st_size);
  f->source.fingerprint = gpr_hash (f->source.fingerprint, &f->was.st_mtim, sizeof f->was.st_mtim);
  *source = &f->source;
  return GPR_OK;
}
