/* One reduction by several GPUs (core/share.h), each with a thread of its own, over its own bus.  */

#ifndef GPR_AMONG_H
#define GPR_AMONG_H

#include "setting.h"
#include "../core/share.h"

enum { GPR_AMONG_LEAST = 16 << 20 };    /* bytes of input: for less one GPU has done before all threads have begun */

/* takers: a list of so many devices; share_on is the module's (cuda.h).  cpu: the CPU's threads take units too, those that
   need not copy.  What the GPUs took is in the list afterwards, the rest was the CPU's.  An error is the first one's, with the
   number of its device.  */
gpr_status gpr_among_reduce (gpr_status (*share_on) (gpr_taker *t, gpr_share *s), gpr_taker *takers, int count, bool cpu,
                             gpr_reduction *r);

/* A backend that reduces host data by these GPUs, until the next call of this.  */
const gpr_backend *gpr_among (const int *devices, int count, bool cpu);

/* Of the reductions by such a backend since gpr_among (any other: 0): how many took part, device 0 being the CPU; their
   numbers and the bytes of input that each took.  */
int gpr_among_report (const gpr_backend *b, double devices[GPR_MOST_DEVICES + 1], double bytes[GPR_MOST_DEVICES + 1]);

/* The error status of that device: the last message, with the device's number in it.  */
gpr_status gpr_among_fail (int device, gpr_status status);

#endif
