/* Opens modules of ladder variants: the one that GPUREDUCE_LADDER_MODULE names or
   that is beside the module this code is in, and users' own.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"
#include "../core/system.h"
#include "../../kernels/ladder/variant.h"

#define MODULE "gpureduce_ladder.so"

typedef struct opened {
  gpr_ladder_module module;
  struct opened *next;
  char path[];
} opened;

static opened *all;

/* The loader gives objects, C wants functions.  */
static bool
find (void *handle, const char *name, void *function)
{
  void *found = gpr_system_symbol (handle, name);
  memcpy (function, &found, sizeof found);
  return found != NULL;
}

static bool
take_exports (void *handle, gpr_ladder_module *m)
{
  int (*abi) (void);
  return find (handle, "ladder_abi", &abi) && abi () == LADDER_ABI
         && find (handle, "ladder_count", &m->count) && find (handle, "ladder_at", &m->at)
         && find (handle, "ladder_second_pass", &m->second_pass) && find (handle, "ladder_read_test", &m->read_test)
         && find (handle, "ladder_delay", &m->delay) && find (handle, "ladder_use", &m->use)
         && find (handle, "ladder_reset", &m->reset)
         && find (handle, "ladder_launch", &m->launch) && find (handle, "ladder_resident_blocks", &m->resident_blocks);
}

static void
own_path (char *path, size_t bytes)
{
  char folder[4096];
  const char *elsewhere = getenv ("GPUREDUCE_LADDER_MODULE");

  if (elsewhere && *elsewhere)
    snprintf (path, bytes, "%s", elsewhere);
  else if (gpr_system_folder_of ((const void *) gpr_ladder_open, folder, sizeof folder))
    snprintf (path, bytes, "%s/" MODULE, folder);
  else
    snprintf (path, bytes, MODULE);
}

const gpr_ladder_module *
gpr_ladder_open (const char *file)
{
  char path[4200], reason[512];

  if (file)
    snprintf (path, sizeof path, "%s", file);
  else
    own_path (path, sizeof path);
  for (const opened *o = all; o; o = o->next)
    if (strcmp (o->path, path) == 0)
      return &o->module;

  opened *o = malloc (sizeof *o + strlen (path) + 1);
  if (! o)
    {
      gpr_fail (GPR_OUT_OF_MEMORY, "out of host memory");
      return NULL;
    }
  void *handle = gpr_system_open (path, reason, sizeof reason);
  if (! handle)
    gpr_fail (GPR_NO_DEVICE, "the ladder's CUDA kernels were not built or do not load: %s", reason);
  else if (! take_exports (handle, &o->module))
    gpr_fail (GPR_NO_DEVICE, file ? "%.800s is of another version of gpureduce: add the variant again"
                             : "%.800s is of another version of gpureduce: install the package again", path);
  else
    {
      strcpy (o->path, path);
      o->next = all;
      all = o;
      return &o->module;
    }
  free (o);
  return NULL;
}
