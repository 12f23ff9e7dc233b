/* What moves bytes between ranks: MPI, in a shared object of its own (gpureduce_mpi.so), made where mpicc is and opened by
   src/ranks when a process asks for its rank.  This is its whole interface.  Nothing here waits but join.  */

#ifndef GPR_MPI_H
#define GPR_MPI_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gpr_mpi_api {
  int abi;                      /* GPR_MPI_ABI */
  const char *version;          /* GPR_VERSION */
  const char *(*library) (void);                /* what MPI says it is, one line */
  bool (*running) (void);       /* somebody has initialised MPI, and nobody has ended it */
  bool (*ended) (void);
  /* Initialises MPI where nobody has; a communicator of our own, of all ranks.  NULL, or what went wrong.  */
  const char *(*join) (int *rank, int *size, int *local_rank);
  /* A transfer that has begun; NULL: it could not.  At most 2^30 bytes.  */
  void *(*send) (int to, int tag, const void *p, size_t bytes);
  void *(*receive) (int from, int tag, void *p, size_t bytes);
  int (*done) (void *transfer);                 /* 1: it is, and forgotten; 0: not yet; -1: it failed, and is forgotten */
  void (*cancel) (void *transfer);              /* of a receive: soon done */
  bool (*arrived) (int tag, int *from);         /* whether a message of that tag can be received */
  const char *(*wrong) (void);                  /* what MPI said of the last failure */
  void (*end) (void);           /* ends MPI if join began it */
} gpr_mpi_api;
#define GPR_MPI_ABI 1
const gpr_mpi_api *gpr_mpi_module (void);

#endif
