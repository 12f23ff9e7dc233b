/* The last step of operators whose reduction gives more than the result, on the host,
   and conversions between classes.  */

#ifndef GPR_FINISH_H
#define GPR_FINISH_H

#include "operators.h"

/* The reduction's values of one call.  */
typedef struct {
  gpr_finish finish;
  gpr_class class;              /* of the values: double or single */
  bool complex;
  int64_t outputs, length;      /* length: elements of each output */
} gpr_finishing;

/* values[i] becomes the result of output i.  */
void gpr_finish_values (const gpr_finishing *f, void *values);

/* Divides each value by length less nans[i].  */
void gpr_divide_values (const gpr_finishing *f, void *values, const double *nans);

/* to[i] = from[i], as Octave converts: rounded half away from 0, saturated, NaN to 0.  */
void gpr_convert_values (void *to, gpr_class to_class, const void *from, gpr_class from_class, int64_t count);
void gpr_fill_nan (void *values, gpr_class class, bool complex, int64_t count);

#endif
