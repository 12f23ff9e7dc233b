/* Errors, and calls that are handed to the built-in.  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "divided.h"

/* By way of error (), since mexErrMsgIdAndTxt puts the module's name in front.  */
static void __attribute__ ((noreturn))
raise_error (const char *id, const char *text)
{
  mxArray *in[3] = { mxCreateString (id), mxCreateString ("%s"), mxCreateString (text) };
  mexCallMATLAB (0, NULL, id[0] ? 3 : 2, id[0] ? in : in + 1, "error");
  abort ();     /* error () does not return */
}

void
gpr_mx_raise (const gpr_call *c, gpr_status status)
{
  const char *what = status == GPR_OUT_OF_MEMORY ? "out of memory: " : "";
  char text[1200];
  /* What only this rank knows, the others hear.  */
  if (c->divided && status != GPR_BAD_INPUT && status != GPR_UNSUPPORTED && status != GPR_COMM_FAILED)
    gpr_world_leave (status);
  snprintf (text, sizeof text, "%s: %s%s", c->caller, what, gpr_message ());
  raise_error (gpr_status_name (status), text);
}

static void __attribute__ ((noreturn, format (printf, 3, 0)))
raise_formatted (const gpr_call *c, const char *id, const char *format, va_list args)
{
  char text[512], whole[600];
  vsnprintf (text, sizeof text, format, args);
  snprintf (whole, sizeof whole, "%s: %s", c->caller, text);
  raise_error (id, whole);
}

void
gpr_mx_invalid (const gpr_call *c, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  raise_formatted (c, "gpureduce:invalid-input", format, args);
}

void
gpr_mx_refuse (const gpr_call *c, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  raise_formatted (c, "", format, args);
}

void
gpr_mx_usage (const gpr_call *c)
{
  char text[200];
  snprintf (text, sizeof text, "Invalid call to %s.  See 'help %s'.", c->caller, c->caller);
  raise_error ("Octave:invalid-fun-call", text);
}

static void __attribute__ ((noreturn))
too_many (const gpr_call *c, const char *what)
{
  char text[200];
  snprintf (text, sizeof text, "%s: function called with too many %s", c->caller, what);
  raise_error ("Octave:invalid-fun-call", text);
}

void
gpr_mx_too_many_outputs (const gpr_call *c)
{
  too_many (c, "outputs");
}

void
gpr_mx_too_many_inputs (const gpr_call *c)
{
  too_many (c, "inputs");
}

void
gpr_mx_ask_builtin (const gpr_call *c)
{
  mxArray *in[GPR_MAX_DIMS + 2];
  gpr_choice none = { .backend = NULL, .reason = "the built-in's own class or option" };
  double start = gpr_now_ms ();
  if (! c->builtin)
    gpr_mx_invalid (c, "X must be a full, real or complex array, and the options some that this function has");
  if (c->streamed)
    {
      gpr_fail (GPR_UNSUPPORTED, "this is Octave's own to compute, of an array in memory: it does not go with a file or a function");
      gpr_mx_raise (c, GPR_UNSUPPORTED);
    }
  in[0] = mxCreateString (c->caller);
  in[1] = mxCreateString (c->builtin);
  for (int i = 0; i < c->nrhs; i++)
    in[2 + i] = (mxArray *) gpr_mx_whole (c, c->rhs[i]);
  const int outputs = c->nlhs > 0 ? c->nlhs : 1;        /* one that nobody takes is ans */
  mexCallMATLAB (outputs, c->plhs, c->nrhs + 2, in, "__gpr_builtin__");
  for (int i = 0; c->divided && i < outputs; i++)
    c->plhs[i] = gpr_mx_own_part (c, c->plhs[i]);
  gpr_note_call (c, &none, start, NULL);
}

void
gpr_mx_not_yet (const gpr_call *c, const char *what)
{
  gpr_fail (GPR_UNSUPPORTED, "%s not take \"comm\" yet", what);
  gpr_mx_raise (c, GPR_UNSUPPORTED);
}

void
gpr_mx_not_last (const gpr_call *c, const char *where)
{
  gpr_fail (GPR_UNSUPPORTED, "an array divided along dimension %d is not taken yet %s: permute it so that the divided dimension is the last",
            c->divided->dim + 1, where);
  gpr_mx_raise (c, GPR_UNSUPPORTED);
}
