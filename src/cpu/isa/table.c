/* The loops of all instances, as one table.  */

#include "loops.h"

#define DECLARE(id, FAMILY, X, A, Y) extern const gpr_cpu_loops GPR_LOOPS_OF (id);
GPR_INSTANCES (DECLARE)

#define ROW(id, FAMILY, X, A, Y) &GPR_LOOPS_OF (id),
const gpr_cpu_loops *const GPR_PASTE (gpr_cpu_loops_, GPR_ISA)[GPR_INSTANCE_COUNT] = { GPR_INSTANCES (ROW) };
