/* A file is written under another name and then renamed, so that nobody reads half of one; what is damaged, or somebody else's, is not used.  */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "kernel_files.h"

enum { NAME = 4096, ABANDONED = 3600 };         /* seconds after which an unfinished file is nobody's */

typedef struct {
  char magic[8];
  uint64_t text_bytes, kernel_bytes, check;     /* of text and kernel */
} head;
static const char magic[8] = "gprkern1";

/* FNV-1a (Fowler, Noll, Vo).  */
static uint64_t
hash (uint64_t h, const void *from, size_t bytes)
{
  const unsigned char *p = from;
  for (size_t i = 0; i < bytes; i++)
    h = (h ^ p[i]) * 0x100000001b3ull;
  return h;
}
static const uint64_t hash_start = 0xcbf29ce484222325ull;

static bool
is_ours_alone (const struct stat *s)
{
  return s->st_uid == geteuid () && ! (s->st_mode & (S_IWGRP | S_IWOTH));
}

/* The folder, with those above it.  */
static bool
make_folder (const char *path)
{
  char part[NAME];
  struct stat s;

  if (strlen (path) >= sizeof part)
    return false;
  strcpy (part, path);
  for (char *at = part + 1; *at; at++)
    if (*at == '/')
      {
        *at = '\0';
        (void) mkdir (part, 0700);
        *at = '/';
      }
  (void) mkdir (part, 0700);
  return stat (path, &s) == 0 && S_ISDIR (s.st_mode) && is_ours_alone (&s);
}

static bool
name_of (char *name, const char *path, const char *text)
{
  return *path && (size_t) snprintf (name, NAME, "%s/%016" PRIx64 ".kernel", path, hash (hash_start, text, strlen (text))) < NAME;
}

static bool
get (int fd, void *to, size_t bytes)
{
  for (size_t done = 0; done < bytes; )
    {
      const ssize_t n = read (fd, (char *) to + done, bytes - done);
      if (n <= 0 && ! (n < 0 && errno == EINTR))
        return false;
      done += n > 0 ? (size_t) n : 0;
    }
  return true;
}

static bool
put (int fd, const void *from, size_t bytes)
{
  for (size_t done = 0; done < bytes; )
    {
      const ssize_t n = write (fd, (const char *) from + done, bytes - done);
      if (n <= 0 && ! (n < 0 && errno == EINTR))
        return false;
      done += n > 0 ? (size_t) n : 0;
    }
  return true;
}

static void *
read_file (int fd, const char *text, size_t *bytes)
{
  const size_t length = strlen (text);
  struct stat s;
  head h;

  if (fstat (fd, &s) != 0 || ! S_ISREG (s.st_mode) || ! is_ours_alone (&s) || ! get (fd, &h, sizeof h) || memcmp (h.magic, magic, sizeof magic) != 0
      || h.text_bytes != length || h.kernel_bytes == 0 || h.kernel_bytes > GPR_KERNEL_FILES_BYTES
      || (uint64_t) s.st_size != sizeof h + h.text_bytes + h.kernel_bytes)
    return NULL;
  char *all = malloc (length + h.kernel_bytes);
  if (! all)
    return NULL;
  if (! get (fd, all, length + h.kernel_bytes) || memcmp (all, text, length) != 0 || hash (hash_start, all, length + h.kernel_bytes) != h.check)
    {
      free (all);
      return NULL;
    }
  memmove (all, all + length, h.kernel_bytes);
  *bytes = h.kernel_bytes;
  return all;
}

void *
gpr_kernel_files_read (const char *path, const char *text, size_t *bytes)
{
  char name[NAME];
  void *kernel = NULL;

  if (! name_of (name, path, text))
    return NULL;
  int fd = open (name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0)
    return NULL;
  kernel = read_file (fd, text, bytes);
  if (kernel)
    (void) futimens (fd, NULL);         /* it was used */
  (void) close (fd);
  return kernel;
}

static bool
ends_with (const char *name, const char *end)
{
  const size_t length = strlen (name), tail = strlen (end);
  return length > tail && strcmp (name + length - tail, end) == 0;
}

typedef struct { char name[32]; int64_t bytes; struct timespec used; } file;

static int
by_use (const void *a, const void *b)
{
  const struct timespec x = ((const file *) a)->used, y = ((const file *) b)->used;
  return x.tv_sec != y.tv_sec ? (x.tv_sec > y.tv_sec) - (x.tv_sec < y.tv_sec) : (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

/* Takes away what is unfinished and old, and, longest unused first, what is above most bytes.  */
static void
keep_within (const char *path, int64_t most, int64_t *files, int64_t *bytes)
{
  file *list = NULL;
  int64_t count = 0, room = 0;
  struct dirent *e;
  DIR *d = *path ? opendir (path) : NULL;

  *files = *bytes = 0;
  if (! d)
    return;
  while ((e = readdir (d)))
    {
      struct stat s;
      const bool kernel = ends_with (e->d_name, ".kernel") && strlen (e->d_name) < sizeof list->name, unfinished = strncmp (e->d_name, "unfinished-", 11) == 0;
      if (! (kernel || unfinished) || fstatat (dirfd (d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || ! S_ISREG (s.st_mode))
        continue;
      if (unfinished)
        {
          if (most == 0 || s.st_mtim.tv_sec + ABANDONED < time (NULL))
            (void) unlinkat (dirfd (d), e->d_name, 0);
          continue;
        }
      if (count == room)
        {
          file *more = realloc (list, (size_t) (room = 2 * room + 64) * sizeof *list);
          if (! more)
            break;
          list = more;
        }
      strcpy (list[count].name, e->d_name);
      list[count].bytes = s.st_size;
      list[count++].used = s.st_mtim;
      *bytes += s.st_size;
    }
  *files = count;
  if (*bytes > most)
    {
      qsort (list, (size_t) count, sizeof *list, by_use);
      for (int64_t i = 0; i < count && *bytes > most / 4 * 3; i++)
        if (unlinkat (dirfd (d), list[i].name, 0) == 0)
          {
            *bytes -= list[i].bytes;
            --*files;
          }
    }
  free (list);
  (void) closedir (d);
}

void
gpr_kernel_files_write (const char *path, const char *text, const void *kernel, size_t bytes)
{
  char name[NAME], unfinished[NAME];
  const size_t length = strlen (text);
  int64_t files, all;
  head h = { .text_bytes = length, .kernel_bytes = bytes };

  if (! name_of (name, path, text) || ! make_folder (path) || (size_t) snprintf (unfinished, sizeof unfinished, "%s/unfinished-XXXXXX", path) >= sizeof unfinished)
    return;
  memcpy (h.magic, magic, sizeof magic);
  h.check = hash (hash (hash_start, text, length), kernel, bytes);
  int fd = mkostemp (unfinished, O_CLOEXEC);
  if (fd < 0)
    return;
  bool whole = put (fd, &h, sizeof h) && put (fd, text, length) && put (fd, kernel, bytes);
  whole = close (fd) == 0 && whole;
  if (! whole || rename (unfinished, name) != 0)
    (void) unlink (unfinished);
  keep_within (path, GPR_KERNEL_FILES_BYTES, &files, &all);
}

void
gpr_kernel_files_count (const char *path, bool remove, int64_t *files, int64_t *bytes)
{
  keep_within (path, remove ? 0 : INT64_MAX, files, bytes);
}
