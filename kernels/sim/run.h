/* One run: a variant, its finish, and the answer.  */

#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "check.h"

/* Those of gpr_status (src/core/gpr.h).  */
enum { OK, BAD_INPUT, OUT_OF_MEMORY, NO_DEVICE, DEVICE_LOST, UNSUPPORTED };
struct failure { int status; std::string text; };

failure run (run_state &s);

#endif
