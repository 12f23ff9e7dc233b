#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mapped.h"

static struct { char *begin; size_t bytes; volatile sig_atomic_t cut_off; } mapped;
static struct sigaction before;

/* Zeros in place of the page that is not there; a fault elsewhere is somebody else's.  */
static void
on_fault (int sig, siginfo_t *info, void *context)
{
  char *at = info->si_addr;
  (void) context;
  if (mapped.begin && at >= mapped.begin && at < mapped.begin + mapped.bytes)
    {
      const size_t page = (size_t) sysconf (_SC_PAGESIZE);
      char *first = mapped.begin + (size_t) (at - mapped.begin) / page * page;
      mapped.cut_off = 1;
      if (mmap (first, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
        return;
    }
  sigaction (sig, &before, NULL);       /* it comes again */
}

const void *
gpr_system_map (int fd, int64_t at, size_t bytes)
{
  const int64_t skip = at % sysconf (_SC_PAGESIZE);
  struct sigaction ours = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
  void *p = mmap (NULL, bytes + (size_t) skip, PROT_READ, MAP_SHARED, fd, (off_t) (at - skip));

  if (p == MAP_FAILED)
    return NULL;
  mapped.begin = p;
  mapped.bytes = bytes + (size_t) skip;
  mapped.cut_off = 0;
  sigemptyset (&ours.sa_mask);
  sigaction (SIGBUS, &ours, &before);
  return mapped.begin + skip;
}

bool
gpr_system_unmap (void)
{
  sigaction (SIGBUS, &before, NULL);
  munmap (mapped.begin, mapped.bytes);
  mapped.begin = NULL;
  return ! mapped.cut_off;
}
