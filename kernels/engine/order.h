/* Sorted columns, and the k greatest or least, on the GPU: arguments of the kernels.  */

#ifndef GPR_ENGINE_ORDER_H
#define GPR_ENGINE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "select.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GPR_ORDER_THREADS = 256 };

/* A chunk: outers * n * columns elements, less than 2^31.  Its element m, counted as it
   lies in memory, is in column m % columns + columns * (m / (n * columns)).  */
typedef struct {
  const void *x;
  int64_t row_stride, outer_stride;     /* in elements, as x lies on the device */
  int64_t outers, n, columns, count;
  gpr_select_args key;                  /* how keys are made (select/keys.cuh) */
  void *keys;
  uint32_t *positions;                     /* first each m; then sorted, column after column */
  uint32_t *column;                     /* of each position */
  void *sorted;                         /* the elements in that order */
  void *value;
  int64_t taken, value_stride;          /* the first so many of each column go to value[c + value_stride*(k + taken*o)] */
  double *index;                        /* and their rows, from 1, unless NULL */
} gpr_order_args;

typedef struct {
  const void *keys;             /* keys of the elements, positions */
  const void *column;           /* column of each position */
  const void *first;            /* sorted positions to value and index */
  const void *take;             /* sorted positions to sorted */
  int key_bytes, key_bits;
} gpr_order_kernels;

/* For elements of so many bytes.  */
const gpr_order_kernels *gpr_engine_order (int bytes);

#ifdef __cplusplus
}
#endif
#endif
