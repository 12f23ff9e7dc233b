/* Inside gpu_accumarray: the call as it was given.  */

#ifndef GPR_GATEWAY_SCATTER_H
#define GPR_GATEWAY_SCATTER_H

#include "mx.h"
#include "../core/scatter.h"

/* A call that we compute; any other is the built-in's.  */
typedef struct {
  int columns;
  int64_t n;                                    /* elements */
  gpr_array subs[GPR_SCATTER_COLUMNS];          /* one array of all columns, or an array each */
  bool one_array;
  gpr_array values;
  int sizes;                                    /* given; 0: none */
  int64_t size[GPR_MAX_DIMS];
  double fill;
} gpr_scatter_request;

/* The largest subscript of every column, found where it lies.  */
gpr_status gpr_scatter_find_sizes (gpr_scatter_request *r, const gpr_choice *choice, bool *bad);
/* The sizes of the result; false: more elements than any memory has.  */
bool gpr_scatter_make_sizes (gpr_scatter_request *r, gpr_scattering *p, gpr_array *z);
gpr_status gpr_scatter_run (const gpr_scatter_request *r, const gpr_choice *choice, gpr_scattering *p);

/* ---- scatter_rows.c: rows that are divided over ranks ---- */
void gpr_scatter_rows (gpr_call *c, gpr_scatter_request *r, gpr_scattering *p, gpr_array *z);

#endif
