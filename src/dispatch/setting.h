/* The device that is asked for.  */

#ifndef GPR_SETTING_H
#define GPR_SETTING_H

#include "../core/gpr.h"

typedef enum { GPR_WANT_DEFAULT, GPR_WANT_GPU, GPR_WANT_CPU, GPR_WANT_AUTO, GPR_WANT_SIM, GPR_WANT_LOCAL,
               GPR_WANT_NUMBER, GPR_WANT_ALL, GPR_WANT_SEVERAL } gpr_want;
enum { GPR_MOST_DEVICES = 64, GPR_MOST_NUMBER = 1024 };

typedef struct {
  gpr_want want;
  int number;               /* of GPR_WANT_NUMBER, from 1; of GPR_WANT_SEVERAL where what is not divided goes: the first */
  int count, list[GPR_MOST_DEVICES];    /* of GPR_WANT_SEVERAL */
} gpr_device_request;

/* "gpu", "cpu", "auto", "all", "sim", a number or several as "1,2,4", any case.  */
bool gpr_parse_device (const char *text, gpr_device_request *request);
/* Of numbers; false: none, too many, or one twice.  */
bool gpr_request_devices (const int *list, int count, gpr_device_request *request);

/* The setting of gpu_config ("device"): starts as GPUREDUCE_DEVICE, else default.
   GPR_WANT_LOCAL, by the process's rank on its node, is a setting only.  */
extern gpr_device_request gpr_device_setting;
void gpr_device_setting_read (void);            /* the environment's, before first use */
gpr_status gpr_device_setting_check (void);     /* what the environment says may be wrong */
gpr_status gpr_device_set (gpr_device_request request);
gpr_status gpr_local_rank (long *rank);

#endif
