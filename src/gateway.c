/* The one MEX function, __gpureduce__ (COMMAND, ...): internal, called by the
   m-files in inst/.  doc/architecture.md lists what each command takes.  */

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cpu.h"
#include "mx.h"

/* liboctave's: above zero after Ctrl-C; to be looked at.  */
extern volatile int octave_interrupt_state;
extern volatile sig_atomic_t octave_signal_caught;

/* Octave drops a Ctrl-C that comes while an object is being deleted, which is a
   good part of a loop of short calls.  "free" holds it back, and the next command
   raises it, if that is soon enough to be of the same work.  */
static double held_until;

static void
hold_interrupt (void)
{
  if (octave_interrupt_state <= 0)
    return;
  octave_interrupt_state = 0;
  held_until = gpr_now_ms () + 500;
}

static void
raise_held (const gpr_call *c)
{
  bool late = gpr_now_ms () > held_until;
  held_until = 0;
  if (late)
    return;
  octave_interrupt_state = 1;
  octave_signal_caught = 1;
  gpr_mx_raise (c, gpr_fail (GPR_INTERRUPTED, "interrupted"));
}

static void
free_and_hold (gpr_call *c)
{
  gpr_mx_free (c);
  hold_interrupt ();
}

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
  { "free", free_and_hold },
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
  gpr_mx_reclaim ();

  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strcmp (name, commands[i].name) == 0)
      {
        snprintf (c.caller, sizeof c.caller, "gpu_%s", name);
        if (held_until > 0 && commands[i].run != free_and_hold)
          raise_held (&c);
        commands[i].run (&c);
        return;
      }
  if (! gpr_operator_find (name, &op))
    gpr_mx_invalid (&c, "no command \"%s\"", name);
  snprintf (c.caller, sizeof c.caller, "gpu_%s", name);
  if (held_until > 0)
    raise_held (&c);
  c.builtin = gpr_operators[op].builtin;
  gpr_mx_reduce (&c, op);
}
