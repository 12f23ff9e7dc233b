/* The kernel after a two-pass variant's own, and each operator's identity.  */

#include "../ladder/ladder.h"
#include "finish.h"

struct pass_args { const void *partial; int64_t n; void *result; };

template <class Op>
__global__ void second_pass (pass_args a)
{
  reduce_partials<Op> ((const typename Op::T *) a.partial, a.n, (typename Op::T *) a.result);
}

template <class Op> static void put_identity (void *to)
{
  typename Op::T v = Op::identity ();
  memcpy (to, &v, sizeof v);
}

#define EACH(F) \
  F (Sum, double) F (Sum, float) F (Sum, int) F (Max, double) F (Max, float) F (Max, int) \
  F (Min, double) F (Min, float) F (Min, int) F (Prod, double) F (Prod, float) F (Prod, int) \
  F (Argmax, double) F (Argmax, float) F (Argmax, int) F (Argmin, double) F (Argmin, float) F (Argmin, int)

enum { OP_Sum = LADDER_SUM, OP_Max = LADDER_MAX, OP_Min = LADDER_MIN, OP_Prod = LADDER_PROD,
       OP_Argmax = LADDER_ARGMAX, OP_Argmin = LADDER_ARGMIN };
enum { TYPE_double = LADDER_DOUBLE, TYPE_float = LADDER_SINGLE, TYPE_int = LADDER_INT32 };

const void *second_pass_kernel (int op, int type)
{
#define KERNEL(O, X) if (op == OP_##O && type == TYPE_##X) return (const void *) second_pass<O<X>>;
  EACH (KERNEL)
  return NULL;
}

void identity_of (int op, int type, void *to)
{
#define IDENTITY(O, X) if (op == OP_##O && type == TYPE_##X) put_identity<O<X>> (to);
  EACH (IDENTITY)
}
