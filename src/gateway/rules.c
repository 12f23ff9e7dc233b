/* Which of the rules that differ between releases (core/rules.h) the running Octave has.  */

#include <stdio.h>

#include "fields.h"
#include "request.h"

static const struct { const char *name, *releases, *what, *expression; } rules[GPR_RULE_COUNT] = {
#define ROW(name, releases, what, expression) [GPR_RULE_##name] = { #name, releases, what, expression },
  GPR_RULES (ROW)
#undef ROW
};

/* Asked when first needed, and once: Octave does not change while it runs.  */
bool
gpr_rule_holds (gpr_rule rule)
{
  static signed char known[GPR_RULE_COUNT];     /* 1: it holds, -1: it does not */

  if (rule == GPR_RULE_NONE)
    return true;
  if (known[rule] == 0)
    {
      mxArray *out[1] = { NULL }, *in[2] = { mxCreateString (rules[rule].expression), mxCreateString ("false") };
      mexCallMATLAB (1, out, 2, in, "eval");
      known[rule] = mxIsLogicalScalarTrue (out[0]) ? 1 : -1;
    }
  return known[rule] > 0;
}

/* NAME: does it hold; without: all of them as a structure array.  */
void
gpr_mx_rules (gpr_call *c)
{
  static const char *const names[] = { "name", "releases", "what", "holds", "followed" };
  char name[64] = "";

  if (c->nrhs > 0)
    {
      int i = GPR_RULE_COUNT;
      gpr_mx_text (c->rhs[0], name, sizeof name);
      while (--i > 0 && strcmp (rules[i].name, name) != 0)
        ;
      if (i == 0)
        gpr_mx_invalid (c, "no rule \"%s\"", name);
      c->plhs[0] = mxCreateLogicalScalar (gpr_rule_holds (i));
      return;
    }
  mxArray *s = mxCreateStructMatrix (1, GPR_RULE_COUNT - 1, 5, (const char **) names);

  for (int i = 1; i < GPR_RULE_COUNT; i++)
    {
      mxSetField (s, i - 1, "name", mxCreateString (rules[i].name));
      mxSetField (s, i - 1, "releases", mxCreateString (rules[i].releases));
      mxSetField (s, i - 1, "what", mxCreateString (rules[i].what));
      mxSetField (s, i - 1, "holds", mxCreateLogicalScalar (gpr_rule_holds (i)));
      mxSetField (s, i - 1, "followed", mxCreateLogicalScalar (i < GPR_RULE_median_saturates));        /* the table's second part */
    }
  c->plhs[0] = s;
}
