/* What the oct-file calls of the core.  The gateway and the oct-file see one table of resident arrays, the MEX
   module's: the oct-file finds this struct in it by the symbol "gpr_values".  C and C++.  */

#ifndef GPR_VALUES_H
#define GPR_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linear.h"

enum { GPR_VALUES_VERSION = 13, GPR_VALUE_DIMS = 32 };

typedef struct {
  const char *type;                     /* "single" */
  bool complex;
  int ndims;
  int64_t dims[GPR_VALUE_DIMS];
  size_t bytes;
  bool on_device;                       /* not on the CPU backend */
  bool finite;                          /* known to be: sums and variances that a kernel has looked at */
} gpr_value;

/* What an elementwise operation takes: a resident array, or a number of a class.  */
typedef struct {
  double id;                            /* 0: the number */
  double number;
  const char *type;                     /* of the number */
} gpr_value_operand;

/* An array's elements as they are to lie in another one: element offset + sum of k(d) * strides[d] goes where k counts
   through dims, the first fastest; size is what the new array's sizes are called.  */
typedef struct {
  int64_t offset;
  int rank;
  int64_t dims[GPR_VALUE_DIMS], strides[GPR_VALUE_DIMS];
  int ndims;
  int64_t size[GPR_VALUE_DIMS];
} gpr_value_view;

/* Elements that subscripts name: of each dimension, which has extent elements, the positions from 1 that a resident list of
   any real class holds, or (list 0) count of them from first on, from 0, by step.  A view's sizes.  */
typedef struct {
  double list;
  int64_t extent, count, first, step;
} gpr_value_subscript;
typedef struct {
  int rank;
  gpr_value_subscript subscripts[GPR_VALUE_DIMS];
  int ndims;
  int64_t size[GPR_VALUE_DIMS];
} gpr_value_selection;

/* A number on the host, of any class.  */
typedef struct {
  const char *type;                     /* NULL: there is none */
  double data;                          /* its bytes, from here on */
} gpr_value_number;

/* A usual reduction: as the function of its name; as gpu_reduce's OP; and so that even one result stays where x is.  */
typedef enum { GPR_AS_FUNCTION, GPR_AS_NAMED, GPR_AS_NAMED_KEPT } gpr_usual;

/* upload, download, map and copy return NULL, or the identifier of an error whose text message () has.  */
typedef struct gpr_values {
  int version;
  /* give_back (lender) is called once, when data is no longer read: on the CPU the array need not be copied.  *warning: NULL, or what is to be said once.  */
  const char *(*upload) (const gpr_value *v, const void *data, void *lender, void (*give_back) (void *), double *id, const char **warning);
  /* All elements to data, where an array that waits on the CPU is computed unless it is short, and then has them as if it had been uploaded from there.  */
  const char *(*download) (double id, void *data, void *lender, void (*give_back) (void *));
  const void *(*lender) (double id);    /* of upload or download; NULL: the elements are the array's own, or not computed */
  const char *(*message) (void);
  bool (*describe) (double id, gpr_value *v);   /* false: no longer valid */
  void (*release) (double id);
  /* An operation of kernels/ops/map.h, or where an operand is complex of kernels/ops/complex.h, by its name, of one or two operands, one of them an array.  *id <- 0 where it is Octave's: other
     classes, sizes that do not go together, elements that leave the real numbers.  */
  const char *(*map) (const char *operation, const gpr_value_operand *operands, int count, double *id);
  /* The elements of a view, which lie within the array.  */
  const char *(*copy) (double from, const gpr_value_view *view, double *id);
  /* What operand has, to a view of an array, in place; an array has as many elements.  *done <- false where that is Octave's.  */
  const char *(*place) (double to, const gpr_value_view *view, const gpr_value_operand *operand, bool *done);
  /* Of matrices; *done <- false where the problem is Octave's.  What is complex has an imaginary part somewhere.  */
  const char *(*linear) (gpr_linear_task *task, const double *given, int count, double *ids, bool *done);
  /* *id <- 0 where it is Octave's.  */
  const char *(*fourier) (const gpr_fourier_task *task, double from, double *id);
  /* A new array of v's type and sizes beside another one, whose elements are not set.  */
  const char *(*make) (double beside, const gpr_value *v, double *id);
  /* Computes what waits for being wanted: of an array, or (0) all; says whether operations wait, and sets it where wanted is 0 or 1.  */
  const char *(*wait) (double id);
  bool (*lazy) (int wanted);
  /* New arrays of v's type and sizes, real, where arrays of the host go; warning as upload's.  All elements are number, or those of the
     diagonal, and the others 0.  */
  const char *(*fill) (const gpr_value *v, double number, bool diagonal, double *id, const char **warning);
  /* Random numbers: "rand", "randn", "rande", also complex ones; "randi" from numbers[0] to numbers[1]; "randperm" of numbers[0].  "colon":
     numbers[0] + k * numbers[1], the last numbers[2].  */
  const char *(*generate) (const char *name, const gpr_value *v, const double *numbers, double *id, const char **warning);
  /* The resident array that the gateway is about to return, now the caller's; 0: none.  So no
     id passes through the language, where one could be made up.  */
  double (*claim) (void);
  /* *id <- 0, *done <- false: a position is none of the extent, or it is not done here.  Of elements that scatter is told to set several
     times the last counts; an array has as many elements as are named.  */
  const char *(*gather) (double from, const gpr_value_selection *s, double *id);
  const char *(*scatter) (double to, const gpr_value_selection *s, const gpr_value_operand *operand, bool *done);
  /* Positions from 1 of the elements that are not 0, at most so many, the first or the last: a column of type "double", or of
     "uint32" (as long as an array has no more elements).  */
  const char *(*find) (double of, const char *type, int64_t most, bool last, double *id);
  /* Along dimension dim, from 0, NaN last or, where it goes down, first; *index, unless NULL, <- where each element was, from 1.  *id <- 0: not
     done here.  */
  const char *(*sort) (double of, int dim, bool down, double *id, double *index);
  /* As upload, divided over several GPUs along the last dimension: those that text says ("all", "1,3"), or (NULL) so many numbers.  Where there is no GPU, or the device
     "cpu" is set, *several <- false, and it is upload's.  */
  const char *(*spread) (const gpr_value *v, const void *data, const char *text, const double *numbers, int count, double *id, bool *several);
  /* "sum" and its like without options, along dimension dim, from 1, or (0) the default one.  *id <- the results; or 0, and number is the one result that there is;
     or there is none: not done here.  */
  const char *(*reduce) (const char *name, gpr_usual how, double of, int64_t dim, double *id, gpr_value_number *number);
  /* "cumsum" and its like, with one output or two, the same way; ids[0] <- 0: not done here.  */
  const char *(*scan) (const char *name, int outputs, double of, int64_t dim, double ids[2]);
  /* promise (true): of the next call of the gateway, arrays that stay are not made values, since a call of Octave's for each takes longer than a short call: after
     it promised (i) is result i, now the caller's, or 0 where that is a value already.  promise (false), if that was true, gives back what was not taken.  */
  bool (*promise) (bool on);
  double (*promised) (int result);
} gpr_values_table;

/* What a gpuArray gives a MEX function as its data.  The gateway looks whether core is its own.  */
typedef struct { const gpr_values_table *core; double id; } gpr_value_handle;

#endif
