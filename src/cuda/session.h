/* The process's GPUs: which one a call works on, and what brings them up and down.
   No file below knows of a selected device.  */

#ifndef GPR_CUDA_SESSION_H
#define GPR_CUDA_SESSION_H

#include "device.h"

/* Devices are numbered from 1 here, as the module's users do.  */
gpr_status gpr_cuda_select (int device);
int gpr_cuda_selected (void);           /* 0: none */
gpr_status gpr_cuda_describe (int device, gpr_device *d);

/* A call begins: the device of these resident arrays (each may be NULL), or else the
   selected one, made current and ready.  */
gpr_status gpr_cuda_enter (gpr_cuda_state **s, const void *a, const void *b, const void *c);
/* The device of this number, from 1, whichever is selected: from a thread of its own.  */
gpr_status gpr_cuda_enter_device (gpr_cuda_state **s, int device);
/* The calling thread works for that device, and no call of it for another; 0: for the selected one, as others.  */
void gpr_cuda_stay (int device);
bool gpr_cuda_stays (void);             /* whether it does for one */
/* A problem's call ends: its times are what gpr_cuda_times gives.  Returns status.  */
gpr_status gpr_cuda_leave (const gpr_cuda_state *s, gpr_status status);
void gpr_cuda_times (double *transfer_ms, double *kernel_ms);

gpr_status gpr_cuda_synchronize (void);
gpr_status gpr_cuda_rest (void);                /* the same, but for those that are lost: others read and write their memory then */
gpr_status gpr_cuda_trim (void);        /* gives idle memory back to the driver */
gpr_status gpr_cuda_reset (void);
/* Told, where not NULL, of a device (from 0) that is about to be reset; a lost one takes no calls.  */
extern void (*gpr_cuda_before_reset) (int device, bool lost);

#endif
