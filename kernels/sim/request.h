/* What src/ladder/simulator.c and gpureduce_sim say to each other: one file, open in both.
   Request, x, edges, what the kernel prints; the simulator writes its response over the request.  */

#ifndef SIM_REQUEST_H
#define SIM_REQUEST_H

#include <stdint.h>

enum { SIM_MAGIC = 0x4d495303, SIM_BEGUN = 0x4d495304, SIM_TEXT = 4096, SIM_FD = 3, SIM_PAGE = 65536 };
#define SIM_MOST_ELEMENTS ((int64_t) 1 << 24)   /* without force */

typedef struct {
  uint32_t magic, seed;
  int32_t op, type, finish, block, bins;
  uint8_t frames, force, unmapped, totals;
  uint8_t graded;               /* the module is a submission's: trusted with nothing */
  int64_t n;
  double seconds;               /* 0: no limit */
  int64_t x_at, edges_at;       /* places in the file: x at a multiple of SIM_PAGE */
  int64_t counts_at;            /* where the response's counts go */
  int64_t printed_at;           /* a sim_printed, at a multiple of SIM_PAGE; 0: nowhere */
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

/* What threads have printed: so many lines of text, each with its thread, and how many there
   was no room for.  Written as it comes, so that it is there however the run ends.  */
enum { SIM_LINES = 100, SIM_LINE = 500 };       /* lines at most; bytes of one */
typedef struct {
  int32_t lines;
  int32_t bytes;                /* of text */
  int64_t left_out;             /* lines */
  char text[SIM_LINES * SIM_LINE];
} sim_printed;

#endif
