/* What gpu_config ("last") tells of the last call.  */

#include <stdio.h>

#include "mx.h"
#include "../dispatch/among.h"
#include "../spread/spread.h"

gpr_last_call gpr_last;

void
gpr_note_call (const gpr_call *c, const gpr_choice *choice, double start_ms, const gpr_tree *tree)
{
  gpr_last = (gpr_last_call) { .backend = choice->backend ? choice->backend->name : "built-in", .device = choice->device,
                               .total_ms = gpr_now_ms () - start_ms,
                               .parts = tree ? tree->parts : 0, .lanes = tree ? tree->lanes : 0 };
  snprintf (gpr_last.function, sizeof gpr_last.function, "%s", c->caller);
  snprintf (gpr_last.reason, sizeof gpr_last.reason, "%s", choice->reason ? choice->reason : "");
  gpr_last.takers = (choice->backend == &gpr_spread_backend ? gpr_spread_report : gpr_among_report) (choice->backend, gpr_last.devices, gpr_last.taken);
  gpr_pace_note (&choice->paced, gpr_last.total_ms);
  if (choice->backend)
    choice->backend->times (&gpr_last.transfer_ms, &gpr_last.kernel_ms);
}
