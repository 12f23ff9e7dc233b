/* The likely cause of a fault, in a sentence for who wrote the kernel.  */

#ifndef SIM_CAUSE_H
#define SIM_CAUSE_H

void name_cause (void);         /* of the run's fault, into it */

#endif
