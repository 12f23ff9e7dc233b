/* What every layer below the gateway shares: the last failure, settings, and
   the reductions' sizes at run time.  */

#include <stdarg.h>
#include <stdio.h>
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

static volatile int never;
volatile int *gpr_interrupt_flag = &never;

gpr_settings gpr_config = { .threads = 0, .memory_limit = 0, .cache_limit = (size_t) 256 << 20, .in_place_threads = 1 };

GPR_INSTANCES (GPR_DEFINE_INSTANCE)

#define GPR_INFO(id, FAMILY, X, A, Y) \
  { #id, GPR_##X, sizeof (id##_x), sizeof (id##_a), sizeof (id##_y), id##_indexed, GPR_TRAITS_##FAMILY },
const gpr_instance_info gpr_instances[GPR_INSTANCE_COUNT] = { GPR_INSTANCES (GPR_INFO) };
#define GPR_FITS(id, FAMILY, X, A, Y) _Static_assert (sizeof (id##_a) <= GPR_ACC_BYTES, #id);
GPR_INSTANCES (GPR_FITS)

#define GPR_BYTES(t) sizeof (t),
const int gpr_elem_bytes[GPR_ELEM_COUNT] = { GPR_ELEMS (GPR_BYTES) };
