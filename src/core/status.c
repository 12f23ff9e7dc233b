/* What every layer shares: the last failure's message, the flag of an interrupt, settings.  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "gpr.h"

gpr_faults gpr_injected;

static _Thread_local char message[1024];

const char *
gpr_message (void)
{
  return message;
}

gpr_status
gpr_fail (gpr_status status, const char *format, ...)
{
  char text[sizeof message];    /* an argument may be the last message */
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  memcpy (message, text, sizeof message);
  return status;
}

const char *
gpr_status_name (gpr_status status)
{
  static const char *const names[] = {
    [GPR_BAD_INPUT] = "gpureduce:invalid-input", [GPR_OUT_OF_MEMORY] = "gpureduce:out-of-memory",
    [GPR_NO_DEVICE] = "gpureduce:no-device", [GPR_DEVICE_LOST] = "gpureduce:device-lost",
    [GPR_UNSUPPORTED] = "gpureduce:unsupported", [GPR_CUDA_FAILED] = "gpureduce:cuda-error", [GPR_INTERRUPTED] = "gpureduce:interrupted",
    [GPR_CANNOT_WRITE] = "gpureduce:cannot-write", [GPR_COMM_FAILED] = "gpureduce:comm-failed",
    [GPR_CANNOT_READ] = "gpureduce:cannot-read"
  };
  return names[status];
}

static volatile int never;
volatile int *gpr_interrupt_flag = &never;

gpr_settings gpr_config = { .threads = 0, .memory_limit = 0, .cache_limit = GPR_CACHE_SHARE, .comm_timeout = 60, .in_place_threads = 1 };

const char *
gpr_kernel_folder (void)
{
  static char path[4096];
  const char *set = getenv ("GPUREDUCE_KERNELS"), *cache = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  int length = 0;

  if (gpr_config.kernel_folder)
    return gpr_config.kernel_folder;
  if (set)
    length = snprintf (path, sizeof path, "%s", set);
  else if (cache && *cache == '/')
    length = snprintf (path, sizeof path, "%s/gpureduce", cache);
  else if (home && *home == '/')
    length = snprintf (path, sizeof path, "%s/.cache/gpureduce", home);
  if (length <= 0 || length >= (int) sizeof path || *path != '/')
    *path = '\0';
  return gpr_config.kernel_folder = path;
}
