/* How fast this machine reduces host data, on the CPU, on the GPU, and on both: what
   "auto" decides by.  Measured on first need or by gpu_config ("rates", "measure"),
   with the calls that are to be decided about, so that everything in their way is
   in the rates.  Kept for the process only: they depend on its affinity, on the load
   of the machine and on the pages that its arrays lie in, and take some 20 ms.  */

#ifndef GPR_RATES_H
#define GPR_RATES_H

#include "../core/gpr.h"

/* 10^9 bytes of input a second; 0: not known.  */
typedef struct {
  bool measured;                /* else typical ones, of no machine */
  int threads;                  /* that are allowed */
  int device;                   /* 0: no GPU */
  double cpu;
  double staged, in_place;      /* the GPU alone, by either way over the bus */
  double both;
} gpr_rates;

gpr_rates gpr_rates_of (enum gpr_instance instance, int device);

/* For the threads allowed now.  gpu: as selected, number device; NULL and 0 where
   there is none.  Reads data, some windows of it, or, if NULL, memory of its own.  */
gpr_status gpr_rates_measure (enum gpr_instance instance, const gpr_backend *gpu, int device, const void *data, size_t bytes);
/* Those of an earlier session, of all reductions, for its threads and device; not measured
   ones: all is forgotten.  */
void gpr_rates_set (const gpr_rates *r);
void gpr_rates_forget (void);

#endif
