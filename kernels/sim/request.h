/* What src/ladder/simulator.c and gpureduce_sim say to each other: one file, open in both.
   Request, x, edges; the simulator writes its response over the request.  */

#ifndef SIM_REQUEST_H
#define SIM_REQUEST_H

#include <stdint.h>

enum { SIM_MAGIC = 0x4d495303, SIM_BEGUN = 0x4d495304, SIM_TEXT = 4096, SIM_FD = 3, SIM_PAGE = 65536 };
#define SIM_MOST_ELEMENTS ((int64_t) 1 << 24)   /* without force */

typedef struct {
  uint32_t magic, seed;
  int32_t op, type, finish, block, bins;
  uint8_t frames, force, unmapped;
  int64_t n;
  double seconds;               /* 0: no limit */
  int64_t x_at, edges_at;       /* places in the file: x at a multiple of SIM_PAGE */
  int64_t counts_at;            /* where the response's counts go */
  char name[256];
  char module[SIM_TEXT], report[SIM_TEXT];      /* paths or "" */
} sim_request;

typedef struct {
  uint32_t magic;               /* SIM_BEGUN at the start of the run, ~SIM_MAGIC once complete */
  int32_t status;               /* gpr_status */
  int64_t index;
  unsigned char value[16];
  char message[SIM_TEXT];
} sim_response;

#endif
