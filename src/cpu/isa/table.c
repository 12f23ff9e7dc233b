/* The loops of all instances, as one table.  */

#include "loops.h"

#define DECLARE(id, FAMILY, X, A, Y) extern const gpr_cpu_loops GPR_LOOPS_OF (id);
GPR_INSTANCES (DECLARE)

#ifdef GPR_PRODUCTS_ONLY
#define ROW(id, FAMILY, X, A, Y) ((GPR_TRAITS_##FAMILY) & GPR_FIXUP_MASK) == GPR_FIXUP_PRODUCT ? &GPR_LOOPS_OF (id) : NULL,
#else
#define ROW(id, FAMILY, X, A, Y) &GPR_LOOPS_OF (id),
#endif
const gpr_cpu_loops *const GPR_PASTE (gpr_cpu_loops_, GPR_ISA)[GPR_INSTANCE_COUNT] = { GPR_INSTANCES (ROW) };
