/* POSIX with glibc's dladdr; other systems get their branch here.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "system.h"

long
gpr_system_pid (void)
{
  return (long) getpid ();
}

int
gpr_system_allowed_cpus (void)
{
  long online = sysconf (_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
  cpu_set_t set;
  if (sched_getaffinity (0, sizeof set, &set) == 0 && CPU_COUNT (&set) > 0)
    return CPU_COUNT (&set);
#endif
  return online > 0 ? (int) online : 1;
}

void *
gpr_system_allocate (size_t bytes)
{
  const size_t page = (size_t) 2 << 20;
  void *p;
  if (bytes < 4 * page || bytes > SIZE_MAX - page)
    return malloc (bytes ? bytes : 1);
  p = aligned_alloc (page, (bytes + page - 1) / page * page);
#ifdef MADV_HUGEPAGE
  if (p)
    (void) madvise (p, bytes, MADV_HUGEPAGE);
#endif
  return p;
}

void *
gpr_system_open (const char *path, char *reason, size_t bytes)
{
  void *module = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (! module)
    snprintf (reason, bytes, "%s", dlerror ());
  return module;
}

void *
gpr_system_symbol (void *module, const char *name)
{
  return dlsym (module, name);
}

void
gpr_system_pin (const void *function)
{
  Dl_info info;
  if (dladdr (function, &info) && info.dli_fname)
    (void) dlopen (info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

bool
gpr_system_folder_of (const void *function, char *folder, size_t bytes)
{
  Dl_info info;
  if (! dladdr (function, &info) || ! info.dli_fname || strlen (info.dli_fname) >= bytes)
    return false;
  strcpy (folder, info.dli_fname);
  char *slash = strrchr (folder, '/');
  if (! slash)
    return false;
  *slash = '\0';
  return true;
}
