/* One run of a variant, as it is planned; variant.c carries it out.  */

#ifndef GPR_CUDA_VARIANT_PLAN_H
#define GPR_CUDA_VARIANT_PLAN_H

#include "stream.h"
#include "../core/variant_run.h"
#include "../../kernels/ladder/variant.h"

/* Bytes of a value of Op::T; the identity; the result of one.  */
typedef struct {
  int bytes;
  void (*start) (void *a);
  void (*end) (const void *a, void *value, int64_t *index);
} gpr_variant_operator;

enum { GPR_IDENTITY_AT = 0, GPR_RESULT_AT = 64 };       /* in the device's pinned results */

typedef struct {
  gpr_variant_run *r;
  const gpr_ladder_module *m;
  const ladder_variant *v;
  const gpr_variant_operator *o;      /* NULL: a histogram */
  gpr_cuda_state *s;
  bool arg;

  /* The plan of a launch on slice elements (all, where one grid does).  */
  size_t shared;
  int64_t covered;              /* elements a block, without a loop */
  int64_t resident;             /* blocks at once, where it matters */
  int64_t slice, slices, grid;

  /* On the device.  */
  const void *x;                /* as given; own_x where it came from the host */
  void *own_x, *ring;           /* copies to work on, stride bytes apart */
  int64_t copies;
  size_t stride;
  void *partials[2], *results, *result, *scratch, *edges;       /* result: the last of results, one a slice */
  unsigned *ticket;
  size_t scratch_bytes;
  cudaEvent_t begin, end, done;
} gpr_variant_job;

/* Bytes of an element.  */
int gpr_variant_bytes (int type);
/* An error of the module, by its number; 0 is none.  */
gpr_status gpr_variant_check (const gpr_variant_job *j, int code, const char *doing);
/* The variant that r names, NULL where the module has none.  A library may have a row in
   every family: then the one with the operator, else any of the name.  */
const ladder_variant *gpr_variant_find (const gpr_ladder_module *m, const gpr_variant_run *r);
/* NULL for a histogram.  */
const gpr_variant_operator *gpr_variant_operator_of (int op, int type);
/* Whether the variant can do this, geometry and memory.  Release in any case.  */
gpr_status gpr_variant_plan (gpr_variant_job *j);
void gpr_variant_release (gpr_variant_job *j);

#endif
