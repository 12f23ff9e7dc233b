/* Goes into every module of ladder files, the package's own and users': the list,
   and where the module's __shared__ variables are.  */

#include "device.h"
#include "../ladder/registry.h"

/* Touching it gives this thread the module's thread-local memory.  */
static thread_local char anchor;

extern "C" __attribute__ ((visibility ("default"))) const void *sim_module_touch (void)
{
  *(volatile char *) &anchor = 0;
  return (const void *) &sim_module_touch;
}
