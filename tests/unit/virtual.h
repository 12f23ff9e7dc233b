/* A long input in little memory: one piece of it mapped again and again, and a
   tail of its own.  */

#ifndef GPR_VIRTUAL_H
#define GPR_VIRTUAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 1 << 22 };          /* which stays in the cache */

/* bytes of memory; every whole piece shows *piece, writable; what follows the
   last whole piece is private and zero.  NULL where the system refuses.  */
static inline char *virtual_input (size_t bytes, char **piece)
{
  int fd = memfd_create ("piece", 0);
  size_t room = (bytes / PIECE + 1) * PIECE;
  char *all = mmap (NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bool well = fd >= 0 && ftruncate (fd, PIECE) == 0 && all != MAP_FAILED;
  for (size_t at = 0; well && at + PIECE <= bytes; at += PIECE)
    well = mmap (all + at, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED;
  close (fd);
  *piece = all;
  return well ? all : NULL;
}

static inline void virtual_free (char *all, size_t bytes) { munmap (all, (bytes / PIECE + 1) * PIECE); }

#endif
