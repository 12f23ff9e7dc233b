/* Arrays whose elements depend on their places alone: ranges and random numbers.  */

#ifndef GPR_GENERATE_H
#define GPR_GENERATE_H

#include "gpr.h"

typedef enum { GPR_UNIFORM, GPR_NORMAL, GPR_EXPONENTIAL, GPR_INTEGERS, GPR_RANGE } gpr_generated;

/* z[i], memory of the backend.  Numbers are of class double or single, a range of class double, integers of any real class.  */
typedef struct gpr_generation {
  gpr_generated kind;
  enum gpr_elem elem;
  int64_t count;
  void *z;
  uint64_t seed, position;      /* random numbers: of the stream's blocks the first (kernels/ops/random.h) */
  int64_t least;                /* integers: the least, and of how many, 2^53 at most */
  uint64_t many;
  double first, step, last;     /* a range: first + i * step, but the last element */
} gpr_generation;

/* A block has two elements, of singles four.  */
static inline int64_t
gpr_generation_each (const gpr_generation *g)
{
  return g->elem == GPR_f32 && g->kind != GPR_INTEGERS ? 4 : 2;
}

/* The generator of this session: gpurng.  */
typedef struct {
  uint64_t seed, position;
} gpr_generator;
extern gpr_generator gpr_random;
uint64_t gpr_random_shuffle (void);             /* a seed that depends on the time */

/* Computes g on a backend: random numbers from where the stream is now, which then goes on behind them.  */
gpr_status gpr_generate (const gpr_backend *b, gpr_generation *g);

#endif
