/* Which CPUs are near a GPU, as Linux says of its place on the bus.  */

#define _GNU_SOURCE
#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "near.h"

/* A list as "0-15,32-47".  */
static void
read_list (const char *text, cpu_set_t *set)
{
  char *end;

  CPU_ZERO (set);
  for (const char *at = text; isdigit ((unsigned char) *at); at = *end == ',' ? end + 1 : end)
    {
      const long first = strtol (at, &end, 10), last = *end == '-' ? strtol (end + 1, &end, 10) : first;
      for (long cpu = first; cpu <= last && cpu < CPU_SETSIZE; cpu++)
        CPU_SET (cpu, set);
    }
}

void
gpr_cuda_stay_near (int device, int threads)
{
  static _Thread_local int of = -1, with;       /* what this thread has asked for last: to ask again takes as long as a short call */
  char bus[32], path[128], text[1024];
  cpu_set_t near, allowed;

  if (of == device && with == threads)
    return;
  if (cudaDeviceGetPCIBusId (bus, sizeof bus, device) != cudaSuccess)
    {
      (void) cudaGetLastError ();
      return;
    }
  for (char *c = bus; *c; c++)
    *c = (char) tolower ((unsigned char) *c);
  snprintf (path, sizeof path, "/sys/bus/pci/devices/%s/local_cpulist", bus);
  FILE *f = fopen (path, "r");
  const bool read = f && fgets (text, sizeof text, f);
  if (f)
    fclose (f);
  if (! read || sched_getaffinity (0, sizeof allowed, &allowed) != 0)
    return;
  of = device;
  with = threads;
  read_list (text, &near);
  CPU_AND (&near, &near, &allowed);
  if (CPU_COUNT (&near) >= threads && CPU_COUNT (&near) < CPU_COUNT (&allowed))
    (void) sched_setaffinity (0, sizeof near, &near);
}
