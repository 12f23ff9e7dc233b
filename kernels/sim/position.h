/* Which thread runs, as device.h has it for ladder files, which sees constants.  */

#ifndef SIM_POSITION_H
#define SIM_POSITION_H

struct position { unsigned x, y, z; };
extern "C" {
extern __attribute__ ((visibility ("default"))) position threadIdx, blockIdx, blockDim, gridDim;
}

#endif
