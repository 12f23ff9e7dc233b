/* Ladder variants behind the backends' table: the one reduction that a call asks for is
   run by the variant, output by output; all else (fix-up) by the backend it
   stands before.  And the variants that users have added.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"
#include "../dispatch/cuda_module.h"
#include "variant.h"
#include "../../kernels/ladder/check.h"

/* ---- users' variants ------------------------------------------------------------- */

typedef struct user_variant {
  struct user_variant *next;
  char *name, *aliases, *simulated, *compiled;  /* the last two: module files; compiled "": none */
} user_variant;
static user_variant *added;

static void
forget (user_variant *v)
{
  if (! v)
    return;
  free (v->name);
  free (v->aliases);
  free (v->simulated);
  free (v->compiled);
  free (v);
}

gpr_status
gpr_variant_add (const char *name, const char *aliases, const char *simulated, const char *compiled)
{
  user_variant *v = malloc (sizeof *v), **at = &added;

  if (v)
    *v = (user_variant) { NULL, strdup (name), strdup (aliases), strdup (simulated), strdup (compiled) };
  if (! v || ! v->name || ! v->aliases || ! v->simulated || ! v->compiled)
    {
      forget (v);
      return gpr_fail (GPR_OUT_OF_MEMORY, "out of host memory");
    }
  while (*at && strcmp ((*at)->name, name) != 0)
    at = &(*at)->next;
  if (*at)
    {
      user_variant *old = *at;
      *at = old->next;
      forget (old);
    }
  v->next = added;
  added = v;
  return GPR_OK;
}

/* NULL, or the user's variant of that name or alias.  */
static const user_variant *
find_added (const char *name)
{
  const user_variant *v = added;
  while (v)
    {
      const ladder_variant known = { .name = v->name, .aliases = v->aliases };
      if (ladder_is_called (&known, name))
        break;
      v = v->next;
    }
  return v;
}

gpr_status
gpr_variant_go (gpr_variant_run *r, bool simulated)
{
  const user_variant *user = find_added (r->name);

  if (simulated)
    {
      r->module = user ? user->simulated : NULL;
      return gpr_sim_run (r);
    }
  if (user && ! user->compiled[0])
    return gpr_fail (GPR_UNSUPPORTED, "variant %s was not compiled for the GPU; add it again where nvcc works, or use \"device\", \"sim\"",
                     r->name);
  r->module = user ? user->compiled : NULL;
  const gpr_ladder_module *module = gpr_ladder_open (r->module);
  const gpr_cuda_api *cuda = gpr_cuda ();
  return module && cuda ? cuda->variant (r, module) : GPR_NO_DEVICE;
}

/* ---- the backend --------------------------------------------------------------------- */

static gpr_variant_call call;
static gpr_backend backend;

/* What the ladder calls a reduction, or false.  */
static bool
ladder_instance (enum gpr_instance instance, int *op, int *type)
{
  static const struct { short instance, op, type; } known[] = {
#define ALL_TYPES(name, OP) \
    { GPR_##name##_f64, OP, LADDER_DOUBLE }, { GPR_##name##_f32, OP, LADDER_SINGLE }, { GPR_##name##_i32, OP, LADDER_INT32 }
    ALL_TYPES (sum, LADDER_SUM), ALL_TYPES (prod, LADDER_PROD), ALL_TYPES (max, LADDER_MAX), ALL_TYPES (min, LADDER_MIN),
    ALL_TYPES (argmax, LADDER_ARGMAX), ALL_TYPES (argmin, LADDER_ARGMIN)
#undef ALL_TYPES
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].instance == (short) instance)
      {
        *op = known[i].op;
        *type = known[i].type;
        return true;
      }
  return false;
}

/* A variant adds and multiplies int32 in 32 bits, the built-in exactly.  */
static gpr_status
check_wrapped (const gpr_reduction *r)
{
  int64_t outputs = r->inner * r->outer;
  gpr_reduction exact = *r;
  double *values = exact.value = malloc (outputs * sizeof *values);
  gpr_status status = values ? call.real->reduce (&exact)
                      : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) outputs * sizeof *values);
  for (int64_t i = 0; i < outputs && status == GPR_OK; i++)
    if (values[i] != ((const double *) r->value)[i] && ! (values[i] >= INT32_MIN && values[i] <= INT32_MAX))
      status = gpr_fail (GPR_UNSUPPORTED, "the result %.17g is beyond the 32 bits in which variants add and multiply int32",
                         values[i]);
  free (values);
  return status;
}

static gpr_status
run_outputs (gpr_reduction *r, int op, int type)
{
  const int bytes = gpr_instances[r->instance].elem_bytes;
  const bool widens = type == LADDER_INT32 && (op == LADDER_SUM || op == LADDER_PROD);
  char *column = NULL;
  gpr_status status = GPR_OK;

  if (r->inner > 1 && ! (column = malloc (r->length * bytes)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) r->length * bytes);
  for (int64_t i = 0; i < r->inner * r->outer && status == GPR_OK; i++)
    {
      union { double d; float f; int32_t i; } y = { 0 };
      int64_t index = 0;
      const char *x = (const char *) r->x + (i / r->inner * r->length * r->inner + i % r->inner) * bytes;
      for (int64_t k = 0; column && k < r->length; k++)
        memcpy (column + k * bytes, x + k * r->inner * bytes, bytes);
      gpr_variant_run v = { .name = call.name, .op = op, .type = type, .finish = call.finish, .block = call.block,
                            .n = r->length, .x = column ? column : x, .x_resident = r->x_resident, .unmapped = true, .value = &y,
                            .index = &index, .force = call.force, .seconds = call.seconds };
      status = gpr_variant_go (&v, call.simulated);
      if (status != GPR_OK)
        break;
      if (op == LADDER_SUM && type == LADDER_DOUBLE)
        y.d += 0.0;             /* a sum of -0 is +0, whatever a variant starts from */
      else if (op == LADDER_SUM && type == LADDER_SINGLE)
        y.f += 0.0f;
      double value = type == LADDER_DOUBLE ? y.d : type == LADDER_SINGLE ? (double) y.f : y.i;
      if (widens)
        ((double *) r->value)[i] = value;
      else
        memcpy ((char *) r->value + i * bytes, &y, bytes);
      if (r->index)
        r->index[i] = index;
      r->needs_fixup |= type != LADDER_INT32 && (! (fabs (value) <= (type == LADDER_DOUBLE ? DBL_MAX : FLT_MAX)) || value == 0);
    }
  free (column);
  return status == GPR_OK && widens ? check_wrapped (r) : status;
}

static gpr_status
reduce (gpr_reduction *r)
{
  int op, type;
  if (r->instance != call.instance || r->length == 0)
    return call.real->reduce (r);
  if (! ladder_instance (r->instance, &op, &type))
    return gpr_fail (GPR_UNSUPPORTED, "variants take sum, max, min, prod, argmax and argmin of double, single and int32");
  return run_outputs (r, op, type);
}

const gpr_backend *
gpr_variant_backend (const gpr_variant_call *c)
{
  call = *c;
  backend = *c->real;
  backend.name = c->simulated ? "sim" : c->real->name;
  backend.reduce = reduce;
  return &backend;
}
