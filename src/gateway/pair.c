/* max (x, y), min (x, y), conj (x) .* y and x - y: elementwise, broadcast.  */

#include <stdlib.h>
#include <string.h>

#include "request.h"

/* The class of the result, or false where the built-in shall decide.  */
static bool
common_class (const gpr_array *x, const gpr_array *y, gpr_class *class)
{
  gpr_class a = x->class, b = y->class;
  if (a == GPR_CLASS_char || b == GPR_CLASS_char || (gpr_class_is_integer (a) && gpr_class_is_integer (b) && a != b))
    return false;
  *class = gpr_class_is_integer (a) ? a : gpr_class_is_integer (b) ? b
           : a == b ? a
           : a == GPR_CLASS_single || b == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double;
  return ! (gpr_class_is_integer (*class) && (x->complex || y->complex));
}

static void
pair (gpr_call *c, gpr_pair_op op)
{
  double start = gpr_now_ms ();
  gpr_array x, y, z = { .ndims = 0 };

  if (! gpr_mx_array (c, c->rhs[0], &x) || ! gpr_mx_array (c, c->rhs[1], &y) || ! common_class (&x, &y, &z.class)
      || ((x.complex || y.complex) && op <= GPR_PAIR_MIN && gpr_rule_holds (GPR_RULE_pair_skips_nan)))
    {
      gpr_mx_ask_builtin (c);
      return;
    }
  if (! gpr_broadcast (&z, &x) || ! gpr_broadcast (&z, &y))
    {
      gpr_mx_ask_builtin (c);   /* nonconformant: its error */
      return;
    }
  z.complex = x.complex || y.complex;

  gpr_choice choice = gpr_mx_choose (c, &x, &y, GPR_WORK_PAIR, 1);
  bool stays = (x.home || y.home) && gpr_array_numel (&z) != 1;
  gpr_mx_converted (c, c->rhs[0], z.class, z.complex, &x);
  gpr_mx_converted (c, c->rhs[1], z.class, z.complex, &y);
  int64_t total = gpr_array_numel (&z), dims[GPR_MAX_DIMS], xs[GPR_MAX_DIMS], ys[GPR_MAX_DIMS];
  gpr_broadcast_strides (&x, z.ndims, xs);
  gpr_broadcast_strides (&y, z.ndims, ys);
  memcpy (dims, z.dims, z.ndims * sizeof *dims);
  const int rank = gpr_broadcast_join (z.ndims, dims, xs, ys);
  gpr_output out;
  gpr_mx_output (&out, &z, stays, ! z.complex);

  /* ------------------------------------------------------------------------ */
  gpr_status status = gpr_outputs_allocate (&out, 1, &choice);
  void *copies[2] = { NULL, NULL };
  gpr_pairing p = { .elem = gpr_array_elem (&z), .op = op, .z = out.data, .out_resident = out.resident,
                    .rank = rank, .dims = dims, .xs = xs, .ys = ys };
  if (total > 0)
    {
      if (status == GPR_OK)
        status = gpr_reach (&x, &choice, &p.x, &p.x_resident, &copies[0]);
      if (status == GPR_OK)
        status = gpr_reach (&y, &choice, &p.y, &p.y_resident, &copies[1]);
      if (status == GPR_OK)
        status = choice.backend->pair (&p);
      free (copies[0]);
      free (copies[1]);
    }
  status = gpr_outputs_finish (&out, 1, &choice, status);
  gpr_note_call (c, &choice, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  gpr_mx_deliver (c, &c->plhs[0], &choice, &out);
}

void
gpr_mx_pair (gpr_call *c, gpr_op op)
{
  if (op != GPR_OP_MAX && op != GPR_OP_MIN)
    gpr_mx_invalid (c, "%s takes one array", gpr_operators[op].name);
  pair (c, op == GPR_OP_MAX ? GPR_PAIR_MAX : GPR_PAIR_MIN);
}

static void
pair_as (gpr_call *c, const char *builtin, gpr_pair_op op)
{
  gpr_mx_take_device (c);
  if (c->nrhs != 2)
    gpr_mx_invalid (c, "two arrays are needed");
  c->builtin = builtin;
  pair (c, op);
}

void
gpr_mx_times (gpr_call *c)
{
  pair_as (c, "times", GPR_PAIR_TIMES);
}

void
gpr_mx_minus (gpr_call *c)
{
  pair_as (c, "minus", GPR_PAIR_MINUS);
}
