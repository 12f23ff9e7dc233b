/* Opens gpureduce_cuda.so: the one that GPUREDUCE_CUDA_MODULE names, or the
   one beside the module this code is in.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_module.h"
#include "../cpu/cpu.h"
#include "../core/system.h"

#define MODULE "gpureduce_cuda.so"

static const gpr_cuda_api *api;
static bool tried;
static long user;               /* the process that opened it */
static char failure[1024];

static void
open_module (void)
{
  static const gpr_cuda_host host = { &gpr_interrupt_flag, &gpr_config, gpr_fail, &gpr_injected, &gpr_cpu_backend };
  char folder[4096], path[4200] = MODULE, reason[512];
  const char *elsewhere = getenv ("GPUREDUCE_CUDA_MODULE");
  void *module;

  if (elsewhere && *elsewhere)
    snprintf (path, sizeof path, "%s", elsewhere);
  else if (gpr_system_folder_of ((const void *) gpr_cuda, folder, sizeof folder))
    snprintf (path, sizeof path, "%s/" MODULE, folder);
  (void) gpr_kernel_folder ();
  module = gpr_system_open (path, reason, sizeof reason);
  if (! module)
    {
      snprintf (failure, sizeof failure, "the CUDA backend was not built or does not load: %s", reason);
      return;
    }
  const gpr_cuda_api *(*entry) (const gpr_cuda_host *)
    = (const gpr_cuda_api *(*) (const gpr_cuda_host *)) gpr_system_symbol (module, "gpr_cuda_module");
  const gpr_cuda_api *found = entry ? entry (&host) : NULL;
  if (! found || found->abi != GPR_CUDA_ABI || strcmp (found->version, GPR_VERSION) != 0)
    {
      snprintf (failure, sizeof failure, "%.800s is of another version of gpureduce: install the package again", path);
      return;
    }
  api = found;
}

const gpr_cuda_api *
gpr_cuda (void)
{
  if (! tried)
    {
      tried = true;
      user = gpr_system_pid ();
      open_module ();
    }
  if (! api)
    {
      gpr_fail (GPR_NO_DEVICE, "%s", failure);
      return NULL;
    }
  if (user != gpr_system_pid ())
    {
      gpr_fail (GPR_NO_DEVICE, "the GPU cannot be used in a forked child process; CUDA allows it only in the process "
                "that opened it (use \"device\", \"cpu\" there, or start new Octave processes)");
      return NULL;
    }
  return api;
}

void
gpr_cuda_end (void)
{
  if (api && user == gpr_system_pid ())
    api->compile_end ();
}
