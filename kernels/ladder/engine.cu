/* engine: the package's own production kernels (kernels/engine), what a call runs
   that names no variant: for any class and shape, the same bits everywhere.  Only
   its name is of the ladder.  */

#include "ladder.h"

LADDER_VARIANT (engine)
{
  v.rank = 980;
  v.idea = "the package's production kernels";
  v.lesson = "one tree for every GPU and CPU: the same bits everywhere";
  v.source = "this package";
}
