/* The marshalling layer: mxArray to plain structs and back.  Files that
   include this may raise Octave errors; everything they call below may not.

   An error raised here unwinds through C without running any clean-up, so the
   order in every function is: validate; create outputs; copy arguments into
   plain structs; then, without any mx call, compute and release everything;
   then raise, or return.  */

#ifndef GPR_MX_H
#define GPR_MX_H

#include <mex.h>

#include "../resident/resident.h"
#include "../dispatch/choose.h"
#include "../core/operators.h"
#include "../core/system.h"

/* The call in hand: the public function's name, and what is left of its arguments.  */
typedef struct {
  char caller[64];                  /* "gpu_sum" */
  const char *builtin;              /* "sum", or NULL: no built-in of that kind */
  int nlhs;
  mxArray **plhs;
  int nrhs;                         /* arguments, our own options taken off */
  const mxArray *rhs[GPR_MAX_DIMS];
  gpr_device_request device;
  struct gpr_divided *comm;         /* all ranks make it, as they have agreed (divided.h); or NULL */
  struct gpr_divided *divided;      /* the same where some of these are pieces of an array that has elements; or NULL */
  struct gpr_streamed *streamed;    /* the first one is in a file or comes from a function (streamed.h); or NULL */
  mxArray **promised;               /* the results of the gateway's call, if the oct-file makes their values (handles.c); or NULL */
} gpr_call;

void gpr_mx_raise (const gpr_call *c, gpr_status status) __attribute__ ((noreturn));
void gpr_mx_invalid (const gpr_call *c, const char *format, ...)
  __attribute__ ((noreturn, format (printf, 2, 3)));

/* As the built-in refuses: without an identifier.  */
void gpr_mx_refuse (const gpr_call *c, const char *format, ...)
  __attribute__ ((noreturn, format (printf, 2, 3)));

/* The error of a call with too few or too many arguments.  */
void gpr_mx_usage (const gpr_call *c) __attribute__ ((noreturn));
/* The errors of a call with too many outputs or inputs, as Octave's own functions have them.  */
void gpr_mx_too_many_outputs (const gpr_call *c) __attribute__ ((noreturn));
void gpr_mx_too_many_inputs (const gpr_call *c) __attribute__ ((noreturn));

/* Hands the call to the built-in as it stands: its answer or its error is ours.  */
void gpr_mx_ask_builtin (const gpr_call *c);

/* ---- arguments ---- */
bool gpr_mx_is_text (const mxArray *m);
bool gpr_mx_text (const mxArray *m, char *text, size_t bytes);           /* false: not a row of chars, or too long */
bool gpr_mx_option (const mxArray *m, const char *name);                 /* that text, in any case */
bool gpr_mx_is_gpuarray (const mxArray *m);
struct gpr_resident *gpr_mx_find (const gpr_call *c, const mxArray *m);  /* of a gpuArray; NULL: it is not alive */
const gpr_array *gpr_mx_resident (const gpr_call *c, const mxArray *m);   /* of a gpuArray; raises where it is not alive */
/* False: not an array we know (cell, sparse, object, …).  A gpuArray whose id
   is not alive raises.  */
bool gpr_mx_array (const gpr_call *c, const mxArray *m, gpr_array *a);
/* The same but for the elements of a gpuArray that waits to be computed, which it does on: *waits <- it, or NULL.  */
bool gpr_mx_look (const gpr_call *c, const mxArray *m, gpr_array *a, struct gpr_resident **waits);
/* Takes a trailing "device", D off the call.  */
void gpr_mx_take_device (gpr_call *c);
void gpr_mx_device (const gpr_call *c, const mxArray *value, gpr_device_request *request);
/* Dimensions and options may lie on a GPU too: arguments from the first-th on come to the host.  */
void gpr_mx_gather_from (gpr_call *c, int first);
/* double or single, sparse ones too.  */
bool gpr_mx_is_float (const gpr_call *c, const mxArray *m);
/* A positive whole number below 2^53, or false.  */
bool gpr_mx_count (const mxArray *m, int64_t *n);

/* ---- dimensions ---- */
typedef enum { GPR_DIMS_OK, GPR_DIMS_NONE, GPR_DIMS_REPEATED, GPR_DIMS_TOO_MANY } gpr_dims_status;
/* A list of dimensions of class double, sorted, into dims (room for GPR_MAX_DIMS); or why
   it is none, and the dimension that is named twice.  */
gpr_dims_status gpr_mx_read_dims (const mxArray *m, int *ndims, int64_t *dims, int64_t *repeated);
/* The same of any class where it is a scalar, with the errors of most functions.  A scalar
   that is no dimension, and anything but numbers, is left to the built-in (false).  */
bool gpr_mx_dims (const gpr_call *c, const mxArray *m, bool logical, int *ndims, int64_t *dims);

typedef struct {
  int64_t inner, length, outer;
  gpr_array out;                    /* sizes of the result */
  bool scattered;                   /* the reduced dimensions are not adjacent: permute first */
  int order[GPR_MAX_DIMS];          /* then: the reduced ones, the others as they come */
  int rank;
} gpr_shape;
/* keeps_empty: a reduced dimension of length 0 stays 0.  */
gpr_shape gpr_shape_make (const gpr_array *a, const bool *reduced, bool keeps_empty);
/* x on the host, by the built-ins: the reduced dimensions first; of other sizes.  */
mxArray *gpr_mx_permuted (const gpr_shape *s, const mxArray *x);
mxArray *gpr_mx_reshaped (const mxArray *x, int ndims, const int64_t *dims);

/* ---- where a call runs ---- */
/* gpr_choose for these operands, raising or warning as needed; inner: how far a column's elements are apart.  */
gpr_choice gpr_mx_choose (const gpr_call *c, const gpr_array *x, const gpr_array *y, gpr_work_kind kind, int64_t inner);
/* The same for a reduction, by its instance, its sizes, and x and y where they are on the host.  */
gpr_choice gpr_mx_choose_reduction (const gpr_call *c, const gpr_array *x, const gpr_array *y, const gpr_reduction *r);
/* The data of a where the chosen backend and device can use it: in place, or
   copied down to the host into *copy, which the caller frees.  Sets *resident.  */
gpr_status gpr_reach (const gpr_array *a, const gpr_choice *choice, const void **data, bool *resident, void **copy);
/* Of what x waits for (NULL: nothing): whether the chosen backend may take its expression; and gpr_reach, once that is computed.  */
bool gpr_takes_expression (const gpr_array *x, const struct gpr_resident *waits, const gpr_choice *choice);
gpr_status gpr_reach_waiting (gpr_array *x, struct gpr_resident *waits, const gpr_choice *choice, const void **data, bool *resident, void **copy);

/* ---- results ---- */
/* An array of a's class and sizes without contents; *data is its memory.  */
mxArray *gpr_mx_create (const gpr_array *a, void **data);
/* The same for what is returned, as the last thing by gpr_mx_host_result: Octave has it without a copy.  */
mxArray *gpr_mx_create_result (const gpr_array *a, void **data);
mxArray *gpr_mx_host_result (const gpr_array *a, mxArray *m);
/* A gpuArray of id, which is then its own.  On failure frees the id and raises.  */
mxArray *gpr_mx_wrap (const gpr_call *c, double id);
/* Whether the oct-file takes this call's results (core/values.h); the next one's no longer.  */
bool gpr_mx_take_promise (void);
/* Frees the array whose gpr_mx_wrap was cut short by Ctrl-C.  */
void gpr_mx_reclaim (void);
/* A Ctrl-C that was seen during a deletion and forgotten.  */
void gpr_heed_interrupt (void);
/* A result on its way, of a's class and sizes, that becomes a gpuArray if it stays; where it is
   made there at once it is resident, else in Octave's memory first.  In this order: gpr_mx_output;
   gpr_outputs_allocate; the work; gpr_outputs_finish, also after a failure; gpr_mx_result.  */
typedef struct { gpr_array array; bool stays, resident; mxArray *host; void *data; double id; } gpr_output;
void gpr_mx_output (gpr_output *o, const gpr_array *a, bool stays, bool there);
gpr_status gpr_outputs_allocate (gpr_output *o, int count, const gpr_choice *choice);
gpr_status gpr_outputs_finish (gpr_output *o, int count, const gpr_choice *choice, gpr_status status);
mxArray *gpr_mx_result (const gpr_call *c, const gpr_choice *choice, gpr_output *o);
/* The same to a place of the call's results, where nobody looks at it any more; from there the oct-file takes it if it has been promised.  */
void gpr_mx_deliver (const gpr_call *c, mxArray **to, const gpr_choice *choice, gpr_output *o);
void gpr_mx_deliver_id (const gpr_call *c, mxArray **to, double id);
bool gpr_mx_is_promised (const gpr_call *c, int result);
/* Moves a finished host result (of create) to the backend, as a gpuArray.  */
mxArray *gpr_mx_keep (const gpr_call *c, const gpr_choice *choice, const gpr_array *a, mxArray *host);
/* A gpuArray that several devices have as one on the first of them; else m.  */
const mxArray *gpr_mx_collected (const gpr_call *c, const mxArray *m);
/* Numbers of the devices that it lies on, a row; 0: the CPU.  */
mxArray *gpr_mx_devices (const struct gpr_resident *r);
/* Drops the imaginary parts where all are zero, as Octave does.  */
void gpr_mx_narrow (gpr_array *a, void *data);

/* ---- commands ---- */
void gpr_mx_reduce_named (gpr_call *c);                /* x, op, name-value options */
void gpr_mx_streamed (gpr_call *c);                    /* the same of a file's name or a function, with their options */
void gpr_mx_streamed_end (gpr_call *c);
void gpr_mx_operators (gpr_call *c);                   /* the table as a structure array */
void gpr_mx_rules (gpr_call *c);                       /* the rules of the running Octave, as a structure array */
void gpr_mx_pair (gpr_call *c, gpr_op op);             /* max (x, y) */
void gpr_mx_count_bins (gpr_call *c);
void gpr_mx_histc (gpr_call *c);                       /* x, edges, dim */
void gpr_mx_hist (gpr_call *c);                        /* y, nbins or centers, norm; drawn without outputs */
void gpr_mx_hist_counts (gpr_call *c);                 /* the same, never drawn */
void gpr_mx_histcounts (gpr_call *c);                  /* x, number of bins or edges, options */
void gpr_mx_histcounts2 (gpr_call *c);                 /* x, y, the same */
void gpr_mx_quantile (gpr_call *c);                    /* select.c; arguments as the functions' */
void gpr_mx_prctile (gpr_call *c);
void gpr_mx_iqr (gpr_call *c);
void gpr_mx_mad (gpr_call *c);
void gpr_mx_maxk (gpr_call *c);
void gpr_mx_mink (gpr_call *c);
void gpr_mx_dot (gpr_call *c);                         /* x, y, dim, "exact": the sum of conj (x) .* y */
void gpr_mx_summary (gpr_call *c);                     /* x, dim: gpu_stats */
void gpr_mx_times (gpr_call *c);                       /* conj (x) .* y */
void gpr_mx_minus (gpr_call *c);                       /* x - y, of floats */
void gpr_mx_scatter (gpr_call *c);
void gpr_mx_own_piece (gpr_call *c);                   /* x, and what else m-code was given with "comm" (pieces.c) */
void gpr_mx_redivide (gpr_call *c);                    /* x, dim: with "comm", this rank's piece of x divided along a later dimension */
void gpr_mx_fail_on_ranks (gpr_call *c);               /* with "comm": the error of a message, on all ranks */
void gpr_mx_convert (gpr_call *c);
void gpr_mx_describe (gpr_call *c);
void gpr_mx_explain (gpr_call *c);                     /* what a gpuArray waits for: gpu_explain */
void gpr_mx_config (gpr_call *c);
void gpr_mx_generator (gpr_call *c);                  /* gpurng */
void gpr_mx_device_count (gpr_call *c);
void gpr_mx_device_info (gpr_call *c);
void gpr_mx_select (gpr_call *c);
void gpr_mx_synchronize (gpr_call *c);
void gpr_mx_reset (gpr_call *c);
void gpr_mx_trim (gpr_call *c);
void gpr_mx_diagnose (gpr_call *c);

void gpr_mx_trace (gpr_call *c);
void gpr_mx_grade (gpr_call *c);
void gpr_mx_time_variant (gpr_call *c);
void gpr_mx_count_variant (gpr_call *c);
void gpr_mx_add_variant (gpr_call *c);
void gpr_mx_read_ceiling (gpr_call *c);
void gpr_mx_fault (gpr_call *c);

/* ---- variants of the ladder ---- */
int gpr_mx_finish (const gpr_call *c, const mxArray *m);
int gpr_mx_block (const gpr_call *c, const mxArray *m);
double gpr_mx_seconds (const gpr_call *c, const mxArray *m);
/* Shows what kernels have printed in the simulator.  */
void gpr_mx_show_printed (void);
/* As gpr_mx_choose; *simulated: in the simulator, choice is the CPU.  */
gpr_choice gpr_mx_choose_for_variant (const gpr_call *c, const gpr_array *x, bool *simulated);

/* Where the last call ran: gpu_config ("last").  */
typedef struct {
  char function[64];
  const char *backend;
  int device;
  char reason[512];
  double transfer_ms, kernel_ms, total_ms;
  int64_t parts;
  int lanes;
  int takers;                   /* of a call divided over several, device 0 being the CPU: */
  double devices[GPR_MOST_DEVICES + 1], taken[GPR_MOST_DEVICES + 1];    /* taken: bytes of its input */
} gpr_last_call;
extern gpr_last_call gpr_last;
void gpr_note_call (const gpr_call *c, const gpr_choice *choice, double start_ms, const gpr_tree *tree);

#endif
