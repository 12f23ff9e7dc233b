/* Which backend a call runs on, and why.  */

#ifndef GPR_CHOOSE_H
#define GPR_CHOOSE_H

#include "../core/gpr.h"
#include "paces.h"
#include "setting.h"

typedef struct {
  const gpr_backend *backend;
  int device;               /* 0: CPU */
  const char *reason;
  bool fell_back;           /* default wanted the GPU and there is none */
  gpr_paced paced;          /* of "auto" */
} gpr_choice;
#define GPR_NOT_PACED { -1, GPR_ON_CPU, 0 }

/* The GPU of calls that name none: the setting's number, of several the first or the one selected
   since, else the selected one, else the local rank's or the first.  A call that names one, or whose gpuArray
   lies on one, selects nothing.  0 deselects.  */
gpr_status gpr_device_usual (int *device);
void gpr_device_select (int device);
bool gpr_device_is_selected (int device);

/* request: of this call (default: the setting).  home and home_device: where a
   resident argument lies, or NULL.  work: what is to be done.  r: the reduction of host
   data that is to come (reduction, sizes, x and y), or NULL; "auto" may then choose CPU and
   GPU at once, and reads some of x to learn their rates, and "all" divides it.  */
gpr_status gpr_choose (gpr_device_request request, const gpr_backend *home, int home_device,
                       const gpr_work *work, const gpr_reduction *r, gpr_choice *choice);

/* Numbers of the GPUs that "all" or a list asks for; a failure where there are none or not so many.  */
gpr_status gpr_choose_devices (const gpr_device_request *request, int list[GPR_MOST_DEVICES], int *count);

/* Whether the user is to be told, once, that there is no GPU.  */
bool gpr_choice_is_news (const gpr_choice *choice);

/* The rates that "auto" decides by for sums of doubles; measured anew, or as they
   are known, or typical ones.  */
gpr_status gpr_choose_rates (bool measure, gpr_rates *rates);

/* For a ladder variant over so many elements: a GPU, or the simulator (choice is
   then the CPU and *simulated set), which without a word takes up to 2^22.  */
gpr_status gpr_choose_for_variant (gpr_device_request request, const gpr_backend *home, int home_device,
                                   int64_t elements, gpr_choice *choice, bool *simulated);

/* Why there is no GPU; how many there are.  */
int gpr_device_count (const char **reason);

#endif
