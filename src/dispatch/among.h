/* One reduction (core/share.h) or histogram by several GPUs, each with a thread of its own, over its own bus.  */

#ifndef GPR_AMONG_H
#define GPR_AMONG_H

#include "setting.h"
#include "takers.h"

enum { GPR_AMONG_LEAST = 16 << 20 };    /* bytes of input: for less one GPU has done before all threads have begun */

/* takers: a list of so many devices; share_on is the module's (cuda.h).  cpu: the CPU's threads take units too, those that
   need not copy.  What the GPUs took is in the list afterwards, the rest was the CPU's.  An error is the first one's, with the
   number of its device.  */
gpr_status gpr_among_reduce (gpr_status (*share_on) (gpr_taker *t, gpr_share *s), gpr_taker *takers, int count, bool cpu,
                             gpr_reduction *r);

/* Whether that is divided: runs of elements, with counts few against them, or several runs; and then all of it.  What a taker counts
   are elements.  */
bool gpr_among_counts (const gpr_counting *c);
gpr_status gpr_among_count (gpr_status (*count_on) (gpr_taker *t, gpr_counting *c), gpr_taker *takers, int count, bool cpu, gpr_counting *c);

/* A backend that reduces host data, and counts it, by these GPUs, until the next call of this.  */
const gpr_backend *gpr_among (const int *devices, int count, bool cpu);

/* Of the reductions by such a backend since gpr_among (any other: 0): how many took part, device 0 being the CPU; their
   numbers and the bytes of input that each took.  */
int gpr_among_report (const gpr_backend *b, double devices[GPR_MOST_DEVICES + 1], double bytes[GPR_MOST_DEVICES + 1]);

#endif
