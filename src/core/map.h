/* Elementwise expressions: the problem that a backend computes, and what Octave makes of classes.  */

#ifndef GPR_CORE_MAP_H
#define GPR_CORE_MAP_H

#include "array.h"
#include "../../kernels/ops/map.h"

/* Appends a step to the mapping m, whose steps are the array step; and its operand.  */
#define GPR_ADD_STEP(...) step[m.steps++] = (gpr_map_step) { __VA_ARGS__ }
#define GPR_OF_LEAF(k) .operand = GPR_MAP_LEAF, .at = (k)
#define GPR_OF_SLOT(k) .operand = GPR_MAP_SLOT, .at = (k)
#define GPR_OF_NUMBER(x) .operand = GPR_MAP_NUMBER, .number = (x)

/* By what an expression is computed.  */
typedef enum {
  GPR_KERNEL_BUILT,             /* code of the package, which interprets the steps */
  GPR_KERNEL_WANTED,            /* its own kernel, which the first use has compiled */
  GPR_KERNEL_COMPILING,
  GPR_KERNEL_COMPILED
} gpr_kernel;

/* z[i] is what the steps leave in the accumulator.  Sizes broadcast: dims has rank sizes of z, leaf l the element
   strides strides[l] (0 repeats, and they may be negative).  Leaves are resident on the backend, and so is z, which may be a leaf of its class and sizes.  */
typedef struct gpr_mapping {
  int rank;
  int64_t dims[GPR_MAX_DIMS];
  int leaves;
  const void *x[GPR_MAP_LEAVES];
  gpr_class classes[GPR_MAP_LEAVES];                    /* up to 32 bits, or floating-point; real */
  int64_t strides[GPR_MAP_LEAVES + 1][GPR_MAX_DIMS];    /* the last: z's, where it is placed */
  bool placed;                                          /* z[i] goes to an element of a larger array; else elements of z are neighbours */
  int steps;
  const gpr_map_step *step;
  gpr_class class;                                      /* of z */
  void *z;
  gpr_kernel *asked;            /* not NULL: nothing is computed, also of slices and of a reduction's terms; *asked <- by what it would be, their done and
                                   fused <- whether it would, once that is compiled */
  bool left;                    /* out: some element left the real numbers (sqrt of a negative one, logical of NaN): z is of no use */
} gpr_mapping;

/* Whether a leaf has an element for each of the results, as they lie.  */
static inline bool
gpr_map_is_flat (const gpr_mapping *m, int l)
{
  int64_t stride = 1;
  for (int d = 0; d < m->rank; d++)
    {
      if (m->dims[d] != 1 && m->strides[l][d] != stride)
        return false;
      stride *= m->dims[d];
    }
  return true;
}
/* Joins adjacent dimensions where all leaves allow it; at least one is left.  Returns the number of elements.  */
static inline int64_t
gpr_map_join (gpr_mapping *m)
{
  int64_t count = 1;
  int rank = 0;

  for (int d = 0; d < m->rank; d++)
    {
      bool joins = rank > 0;
      count *= m->dims[d];
      if (m->dims[d] == 1)
        continue;
      for (int l = 0; l <= GPR_MAP_LEAVES && joins; l++)
        if (l < m->leaves || (l == GPR_MAP_LEAVES && m->placed))
          joins = m->strides[l][d] == m->strides[l][rank - 1] * m->dims[rank - 1];
      if (joins)
        {
          m->dims[rank - 1] *= m->dims[d];
          continue;
        }
      m->dims[rank] = m->dims[d];
      for (int l = 0; l <= GPR_MAP_LEAVES; l++)
        m->strides[l][rank] = m->strides[l][d];
      rank++;
    }
  if (rank == 0)
    {
      m->dims[rank++] = 1;
      for (int l = 0; l <= GPR_MAP_LEAVES; l++)
        m->strides[l][0] = 0;
    }
  m->rank = rank;
  return count;
}

/* Whether an operation takes a few instructions, and calls no function.  */
static inline bool
gpr_map_is_short (int op)
{
#define GPR_MAP_SHORT_CASE(name) case GPR_MAP_##name:
  switch (op)
    {
    GPR_MAP_SHORT_BINARY (GPR_MAP_SHORT_CASE) GPR_MAP_SHORT_UNARY (GPR_MAP_SHORT_CASE)
    case GPR_MAP_load: case GPR_MAP_save: case GPR_MAP_sqrt: case GPR_MAP_isna: case GPR_MAP_signbit:
      return true;
    default:
      return false;
    }
}

/* x .^ 2, which is x .* x.  */
static inline bool
gpr_map_is_square (const gpr_map_step *s)
{
  return s->op == GPR_MAP_power && ! s->turned && s->operand == GPR_MAP_NUMBER && s->number == 2;
}

extern const char *const gpr_map_names[GPR_MAP_OP_COUNT];       /* of functions of Octave; NULL: load, save */

/* The class of OP's result and in which precision it is computed, by Octave's rules; of one operand b is NULL.  A result of an integer
   class is still to be rounded, by the step GPR_MAP_to_CLASS.  False: not done here (64-bit
   integers, complex operands, arithmetic on integers of two classes, classes for which Octave's built-in is an error): the built-in is to be asked.
   So it is of max, min, mod and rem of an integer and a floating-point number, which Octave rounds first: a number that the integer's
   class holds exactly can be given as one of that class.  */
bool gpr_map_class (gpr_map_op op, gpr_class a, const gpr_class *b, gpr_class *result, bool *single);

#endif
