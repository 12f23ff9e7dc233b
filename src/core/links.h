/* Bytes from the memory of a rank's device to that of another's, not by way of the host: what a backend has for it (src/cuda/nccl.c).

   A link joins the devices of all ranks, one each.  Nothing here waits for other ranks but, for seconds at most, close: what open and move have
   begun is asked after with done, and until it says 1 nothing else is begun.  */

#ifndef GPR_LINKS_H
#define GPR_LINKS_H

#include "gpr.h"

typedef struct { char bytes[128]; } gpr_link_name;
typedef struct { int rank; bool sends; void *memory; size_t bytes; } gpr_move;     /* to or from that rank */
enum { GPR_LINK_PLACE = 128 };

struct gpr_links {
  const char *(*library) (void);                /* "NCCL 2.27.3", or why there is none: then can is false */
  bool (*found) (void);
  /* Whether the device of this memory (of none: the one in use) can be linked; what no other device is called, of any host.  */
  bool (*can) (const void *memory, char place[GPR_LINK_PLACE]);
  bool (*fits) (enum gpr_instance instance, int acc_bytes);     /* whether its accumulators are of so many bytes, as partial.h wants them */
  gpr_status (*name) (gpr_link_name *name);     /* of a new link, for all its ranks */
  gpr_status (*open) (const gpr_link_name *name, int rank, int size, const void *memory, void **link);
  gpr_status (*take) (size_t bytes, const void *memory, void **p);      /* of the device of this memory */
  size_t (*room) (const void *memory);          /* bytes that take can still give there, about */
  void (*release) (void *p);                    /* of take */
  gpr_status (*copy) (void *link, void *to, const void *from, size_t bytes);    /* on that device, after all that it was told before */
  gpr_status (*move) (void *link, const gpr_move *moves, int count);
  int (*done) (void *link);                     /* 1; 0: not yet; -1: it failed, for good, as gpr_message () says */
  void (*stop) (void *link);                    /* what is under way ends: done is -1 from here on */
  void (*close) (void *link, bool in_order);    /* in order: all ranks do, and nothing is under way */
};

#endif
