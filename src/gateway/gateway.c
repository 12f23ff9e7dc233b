/* The one MEX function, __gpureduce__ (COMMAND, ...): internal, called by the
   m-files in inst/, or in their place by links to it.  doc/architecture.md lists
   what each command takes.  */

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "../dispatch/cuda_module.h"
#include "divided.h"
#include "request.h"
#include "../core/system.h"

/* ---- Ctrl-C ------------------------------------------------------------------

   Octave counts it in octave_interrupt_state and, at its next look, which is when
   octave_signal_caught is set, calls octave_signal_hook and then throws.  While it
   deletes an object it starts from 0 and catches what is thrown, so that a Ctrl-C
   there, a good part of the time of a loop of short calls, would leave the deletion
   undone and be lost.  It also forbids to quit; so the hook can tell, takes
   the count away and gives it back at the first look after the deletion.  */

extern volatile int octave_interrupt_state;
extern volatile sig_atomic_t octave_signal_caught;

static void (*next_hook) (void);
static const volatile bool *quit_allowed;
static double held_since;       /* ms; 0: nothing is held */

static void
on_signal (void)
{
  const double longest = 200;   /* ms in another's destructor: let it be interrupted */

  if (next_hook)
    next_hook ();
  if (held_since == 0 && ! *quit_allowed && octave_interrupt_state > 0)
    {
      octave_interrupt_state = 0;
      held_since = gpr_now_ms ();
    }
  if (held_since == 0)
    return;
  if (*quit_allowed || gpr_now_ms () > held_since + longest)
    {
      held_since = 0;
      octave_interrupt_state = 1;
    }
  else
    octave_signal_caught = 1;   /* look again */
}

static void
guard_interrupts (void)
{
  void (**hook) (void) = gpr_system_symbol (NULL, "octave_signal_hook");
  quit_allowed = gpr_system_symbol (NULL, "quit_allowed");
  if (hook && quit_allowed && *hook != on_signal)
    {
      next_hook = *hook;
      *hook = on_signal;
    }
  gpr_interrupt_flag = &octave_interrupt_state;
}

void
gpr_heed_interrupt (void)
{
  if (octave_interrupt_state > 0)
    octave_signal_caught = 1;
}

static void
end (void)
{
  gpr_cuda_end ();
  gpr_world_end ();
}

/* Operators are commands too, by their names.  */
static const struct { const char *name; void (*run) (gpr_call *c); } commands[] = {
  { "comm", gpr_mx_comm },
  { "reduce", gpr_mx_reduce_named },
  { "streamed", gpr_mx_streamed },
  { "streamed_end", gpr_mx_streamed_end },
  { "operators", gpr_mx_operators },
  { "rules", gpr_mx_rules },
  { "count", gpr_mx_count_bins },
  { "histc", gpr_mx_histc },
  { "hist", gpr_mx_hist },
  { "hist_counts", gpr_mx_hist_counts },
  { "histcounts", gpr_mx_histcounts },
  { "histcounts2", gpr_mx_histcounts2 },
  { "quantile", gpr_mx_quantile },
  { "prctile", gpr_mx_prctile },
  { "iqr", gpr_mx_iqr },
  { "mad", gpr_mx_mad },
  { "maxk", gpr_mx_maxk },
  { "mink", gpr_mx_mink },
  { "dot", gpr_mx_dot },
  { "summary", gpr_mx_summary },
  { "times", gpr_mx_times },
  { "minus", gpr_mx_minus },
  { "scatter", gpr_mx_scatter },
  { "piece", gpr_mx_own_piece },
  { "redivide", gpr_mx_redivide },
  { "fail", gpr_mx_fail_on_ranks },
  { "convert", gpr_mx_convert },
  { "describe", gpr_mx_describe },
  { "explain", gpr_mx_explain },
  { "config", gpr_mx_config },
  { "generator", gpr_mx_generator },
  { "device_count", gpr_mx_device_count },
  { "device", gpr_mx_device_info },
  { "select", gpr_mx_select },
  { "synchronize", gpr_mx_synchronize },
  { "reset", gpr_mx_reset },
  { "trim", gpr_mx_trim },
  { "diagnose", gpr_mx_diagnose },
  { "trace", gpr_mx_trace },
  { "grade", gpr_mx_grade },
  { "time_variant", gpr_mx_time_variant },
  { "count_variant", gpr_mx_count_variant },
  { "add_variant", gpr_mx_add_variant },
  { "read_ceiling", gpr_mx_read_ceiling },
  { "fault", gpr_mx_fault }
};

/* Those that take "comm" (divided.h).  */
typedef struct {
  void (*run) (gpr_call *c);
  int pieces;                   /* so many first arguments can be pieces of arrays */
  int weights;                  /* the index of one that may be weights of the piece; 0: none */
  bool there;                   /* gpuArrays among them are the piece's memory; else they are copied to the host */
  int arrays;                   /* so many first results become gpuArrays where X is one; others are edges, or structures */
  int along;                    /* bits, where X has no elements: results that are divided if they are as long as X along the divided dimension */
} command_of_ranks;
static const command_of_ranks of_ranks[] = {
  { gpr_mx_reduce_named, 1, 0, true, 2, 0 },
  { gpr_mx_histc, 1, 0, true, 2, 1 << 1 },
  { gpr_mx_hist, 1, 0, true, 1, 0 },
  { gpr_mx_histcounts, 1, 0, true, 1, 1 << 2 },
  { gpr_mx_histcounts2, 2, 0, false, 1, 1 << 3 | 1 << 4 },
  { gpr_mx_quantile, 1, 0, true, 1, 0 },
  { gpr_mx_prctile, 1, 0, true, 1, 0 },
  { gpr_mx_iqr, 1, 0, true, 1, GPR_ALL_STAY },
  { gpr_mx_mad, 1, 0, true, 1, GPR_ALL_STAY },
  { gpr_mx_maxk, 1, 0, true, 2, 0 },
  { gpr_mx_mink, 1, 0, true, 2, 0 },
  { gpr_mx_dot, 2, 0, true, 1, GPR_ALL_STAY },
  { gpr_mx_summary, 1, 0, true, 0, GPR_ALL_STAY },
  { gpr_mx_scatter, GPR_ROWS, 0, false, 1, 0 },
  { gpr_mx_count_bins, 1, 0, true, 1, 0 },
  { gpr_mx_own_piece, 1, 0, true, 1, 0 },
  { gpr_mx_redivide, 1, 0, false, 1, 0 },
  { gpr_mx_fail_on_ranks, GPR_FAILED, 0, false, 0, 0 }
};

static const command_of_ranks of_operators = { NULL, 1, 0, true, 2, GPR_ALL_STAY }, of_weighted = { NULL, 1, 1, true, 2, GPR_ALL_STAY };

/* run: NULL of an operator.  */
static command_of_ranks
find_of_ranks (const gpr_call *c, void (*run) (gpr_call *c), gpr_op op)
{
  char name[56];
  if (! run)
    return gpr_operators[op].arguments == GPR_ARGS_WEIGHT ? of_weighted : of_operators;
  if (run == gpr_mx_reduce_named && c->nrhs > 1 && gpr_mx_text (c->rhs[1], name, sizeof name) && gpr_operator_find (name, &op))
    return of_operators;
  for (size_t i = 0; i < sizeof of_ranks / sizeof *of_ranks; i++)
    if (of_ranks[i].run == run)
      return of_ranks[i];
  return (command_of_ranks) { .pieces = 0 };
}

/* A link gpu_NAME.mex to this file spares calls of gpu_NAME its m-code (post_install.m).  */
static bool
is_function (char *name, size_t bytes)
{
  const char *function = mexFunctionName ();
  const bool found = strncmp (function, "gpu_", 4) == 0 && strlen (function) < bytes;
  if (found)
    strcpy (name, function + 4);
  return found;
}

/* A link stays when Octave is upgraded, where pkg load no longer finds this file's folder.  */
static bool
is_built_for_this_octave (void)
{
  char text[32];
  mxArray *out[1], *in[1] = { mxCreateString ("api_version") };
  mexCallMATLAB (1, out, 1, in, "__octave_config_info__");
  return gpr_mx_text (out[0], text, sizeof text) && strcmp (text, GPR_OCTAVE_API) == 0;
}

void __attribute__ ((visibility ("default")))
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  char name[56];
  gpr_op op = GPR_OP_COUNT;
  gpr_call c = { .caller = "gpureduce", .nlhs = nlhs, .plhs = plhs };
  const bool direct = is_function (name, sizeof name);
  static bool stays;            /* asking Octave whether it is locked takes longer than a short call should */

  if (! direct && (nrhs < 1 || ! gpr_mx_text (prhs[0], name, sizeof name)))
    gpr_mx_invalid (&c, "the first argument must be a command");
  c.nrhs = direct ? nrhs : nrhs - 1;
  if (c.nrhs > GPR_MAX_DIMS)
    gpr_mx_invalid (&c, "too many arguments");
  for (int i = 0; i < c.nrhs; i++)
    c.rhs[i] = prhs[direct ? i : i + 1];
  if (direct && nrhs == 0)
    {
      snprintf (c.caller, sizeof c.caller, "gpu_%s", name);
      gpr_mx_usage (&c);
    }

  if (! gpr_cpu_can_run ())
    mexErrMsgIdAndTxt ("gpureduce:other-processor", "gpureduce was built for the processor of another machine, with instructions "
                       "which this one has not: build it here, or for all with GPUREDUCE_ISAS=all");

  if (direct && ! stays && ! is_built_for_this_octave ())
    {
      mexCallMATLAB (0, NULL, 0, NULL, "__gpureduce__");      /* inst/missing: what to do */
      return;
    }

  /* Threads and a CUDA context outlive "clear all"; so must the code they run, by whatever link it was called.
     Both are dead in a child forked from here on.  */
  if (! stays)
    {
      stays = true;
      mexLock ();
      gpr_system_pin ((const void *) on_signal);
      gpr_cpu_note_pool ();
      guard_interrupts ();
      mexAtExit (end);
    }
  gpr_heed_interrupt ();
  gpr_mx_reclaim ();
  if (gpr_mx_take_promise ())
    c.promised = plhs;

  /* "NAME:CALLER": errors and gpu_config ("last") shall name CALLER.  */
  char *caller = strchr (name, ':');
  if (caller)
    *caller++ = '\0';

  size_t i = 0;
  while (i < sizeof commands / sizeof *commands && strcmp (name, commands[i].name) != 0)
    i++;
  void (*run) (gpr_call *c) = i < sizeof commands / sizeof *commands ? commands[i].run : NULL;
  if (! run && ! gpr_operator_find (name, &op))
    gpr_mx_invalid (&c, "no command \"%s\"", name);
  snprintf (c.caller, sizeof c.caller, "%s%s", caller ? "" : "gpu_", caller ? caller : name);
  const bool comm = c.nrhs > 2 && gpr_mx_has_comm (&c) && run != gpr_mx_streamed;
  const command_of_ranks divided = comm ? find_of_ranks (&c, run, op) : (command_of_ranks) { .pieces = 0 };
  gpr_divided *d = NULL;
  if (comm)
    {
      c.promised = NULL;        /* they are looked at again */
      c.comm = d = gpr_mx_take_comm (&c, divided.pieces, divided.weights, divided.there);
    }
  if (run)
    run (&c);
  else
    {
      c.builtin = gpr_operators[op].builtin;
      gpr_run_operator (&c, op);
    }
  if (comm)
    gpr_mx_deliver_comm (&c, d, divided.arrays, divided.along);
}
