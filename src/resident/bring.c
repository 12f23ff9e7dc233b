/* Operands of an operation that do not lie on the same devices.  */

#include "node.h"
#include "../spread/spread.h"

gpr_status
gpr_node_bring (gpr_operand *x, int count, const gpr_array *place, gpr_resident **brought)
{
  gpr_status status = GPR_OK;

  for (int k = 0; k < count && status == GPR_OK; k++)   /* how it is divided is known then */
    if (x[k].array && gpr_is_spread (&x[k].array->array))
      status = gpr_expression_compute (x[k].array);
  for (int k = 0; k < count && status == GPR_OK; k++)
    if (x[k].array && ! gpr_is_spread (&x[k].array->array))
      {
        gpr_array there;
        status = gpr_expression_compute (x[k].array);
        if (status == GPR_OK)
          status = gpr_spread_bring (&x[k].array->array, place, &there);
        if (status == GPR_OK && (status = gpr_resident_new (&there, &brought[k])) != GPR_OK)
          there.home->release ((void *) there.data);
        if (status == GPR_OK)
          {
            brought[k]->positive = x[k].array->positive;
            x[k].array = brought[k];
          }
      }
  return status;
}
