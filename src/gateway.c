/* The one MEX function, __gpureduce__ (COMMAND, ...): internal, called by the
   m-files in inst/.  doc/architecture.md lists what each command takes.  */

#include <stdio.h>
#include <string.h>

#include "cpu.h"
#include "mx.h"

extern volatile int octave_interrupt_state;    /* liboctave: above zero after Ctrl-C */

typedef struct {
  const char *name;
  void (*run) (gpr_call *c);
} command;

/* Operators are commands too, by their names.  */
static const command commands[] = {
  { "reduce", gpr_mx_reduce_named },
  { "count", gpr_mx_count_bins },
  { "upload", gpr_mx_upload },
  { "gather", gpr_mx_gather },
  { "free", gpr_mx_free },
  { "describe", gpr_mx_describe },
  { "config", gpr_mx_config },
  { "device_count", gpr_mx_device_count },
  { "device", gpr_mx_device_info },
  { "select", gpr_mx_select },
  { "synchronize", gpr_mx_synchronize },
  { "reset", gpr_mx_reset },
  { "trim", gpr_mx_trim },
  { "diagnose", gpr_mx_diagnose }
};

void __attribute__ ((visibility ("default")))
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  char name[32];
  gpr_op op;
  gpr_call c = { .caller = "gpureduce", .nlhs = nlhs, .plhs = plhs, .nrhs = nrhs - 1 };

  if (nrhs < 1 || ! gpr_mx_text (prhs[0], name, sizeof name))
    gpr_mx_invalid (&c, "the first argument must be a command");
  if (c.nrhs > GPR_MAX_DIMS)
    gpr_mx_invalid (&c, "too many arguments");
  for (int i = 0; i < c.nrhs; i++)
    c.rhs[i] = prhs[i + 1];

  /* Threads and a CUDA context outlive "clear all"; so must the code they run.
     Both are dead in a child forked from here on.  */
  if (! mexIsLocked ())
    {
      mexLock ();
      gpr_cpu_note_pool ();
    }
  gpr_interrupt_flag = &octave_interrupt_state;

  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strcmp (name, commands[i].name) == 0)
      {
        snprintf (c.caller, sizeof c.caller, "gpu_%s", name);
        commands[i].run (&c);
        return;
      }
  if (! gpr_operator_find (name, &op))
    gpr_mx_invalid (&c, "no command \"%s\"", name);
  snprintf (c.caller, sizeof c.caller, "gpu_%s", name);
  c.builtin = gpr_operators[op].builtin;
  gpr_mx_reduce (&c, op);
}
