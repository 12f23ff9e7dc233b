/* Variants of the ladder: options of "reduce", and the commands behind gpu_variants,
   gpu_variant_add, gpu_trace and gpu_bench.  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../dispatch/cuda_module.h"
#include "../spread/spread.h"
#include "mx.h"
#include "../core/system.h"
#include "../ladder/module.h"
#include "../ladder/variant.h"
#include "../../kernels/ladder/check.h"

/* ---- options ---------------------------------------------------------------------- */

int
gpr_mx_finish (const gpr_call *c, const mxArray *m)
{
  for (int f = 0; f < LADDER_FINISHES; f++)
    if (gpr_mx_option (m, ladder_finish_names[f]))
      return f;
  gpr_mx_invalid (c, "finish must be \"two_pass\", \"multi_level\", \"atomic\", \"last_block\" or \"grid_sync\"");
}

int
gpr_mx_block (const gpr_call *c, const mxArray *m)
{
  int64_t n;
  if (! gpr_mx_count (m, &n) || n > 1024 || ladder_block_index ((int) n) < 0)
    gpr_mx_invalid (c, "block must be 32, 64, 128, 256, 512 or 1024 threads");
  return (int) n;
}

double
gpr_mx_seconds (const gpr_call *c, const mxArray *m)
{
  double seconds = mxIsNumeric (m) && ! mxIsComplex (m) && mxGetNumberOfElements (m) == 1 ? mxGetScalar (m) : 0;
  if (! (seconds > 0))
    gpr_mx_invalid (c, "seconds must be a positive number; Inf: no limit");
  return seconds;
}

void
gpr_mx_show_printed (void)
{
  char *text = gpr_sim_printed ();
  if (text)
    mexPrintf ("%s", text);
  free (text);
}

gpr_choice
gpr_mx_choose_for_variant (const gpr_call *c, const gpr_array *x, bool *simulated)
{
  static bool told;
  gpr_choice choice;
  if (gpr_is_spread (x))
    gpr_mx_raise (c, gpr_fail (GPR_UNSUPPORTED, "a variant takes no array on several GPUs: gather it"));
  gpr_status status = gpr_choose_for_variant (c->device, x->home, x->device, gpr_array_numel (x), &choice, simulated);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  if (*simulated && c->device.want != GPR_WANT_SIM && gpr_device_setting.want != GPR_WANT_SIM && ! told)
    {
      char text[700];
      told = true;
      snprintf (text, sizeof text, "%s: running in the simulator: %s", c->caller, choice.reason);
      mxArray *in[3] = { mxCreateString ("gpureduce:simulated"), mxCreateString ("%s"), mxCreateString (text) };
      mexCallMATLAB (0, NULL, 3, in, "warning");
    }
  return choice;
}

/* ---- commands ------------------------------------------------------------------------ */

static int
op_of (const gpr_call *c, const mxArray *m)
{
  for (int o = 0; o < LADDER_OPS; o++)
    if (gpr_mx_option (m, ladder_op_names[o]))
      return o;
  gpr_mx_invalid (c, "OP must be \"sum\", \"max\", \"min\", \"prod\", \"argmax\", \"argmin\" or \"histogram\"");
}

static int
type_of (const gpr_call *c, const gpr_array *x)
{
  static const struct { gpr_class class; int type; } known[] = {
    { GPR_CLASS_double, LADDER_DOUBLE }, { GPR_CLASS_single, LADDER_SINGLE }, { GPR_CLASS_int32, LADDER_INT32 },
    { GPR_CLASS_uint8, LADDER_UINT8 }
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (! x->complex && x->class == known[i].class)
      return known[i].type;
  gpr_mx_invalid (c, "variants take double, single and int32 (histograms uint8 too), not %s%s", x->complex ? "complex " : "",
                  gpr_class_names[x->class]);
}

static mxArray *
class_value (int type, const void *value)
{
  static const gpr_class classes[LADDER_TYPES] = { GPR_CLASS_double, GPR_CLASS_single, GPR_CLASS_int32, GPR_CLASS_uint8 };
  gpr_array one = { .class = classes[type], .ndims = 2, .dims = { 1, 1 } };
  void *data;
  mxArray *m = gpr_mx_create (&one, &data);
  memcpy (data, value, gpr_elem_bytes[gpr_array_elem (&one)]);
  return m;
}

static void
set (mxArray *s, const char *field, mxArray *value)
{
  mxSetFieldByNumber (s, 0, mxAddField (s, field), value);
}

/* NAME, OP, X, FINISH, BLOCK [, EDGES]: the arguments that trace, time_variant and
   count_variant have in common; "" and 0 are the variant's own.  */
enum { NAME, OP, X, FINISH, BLOCK, EDGES };

typedef struct {
  gpr_variant_run run;
  gpr_array x;
  char name[128];
  union { double d; float f; int32_t i; } value;
  int64_t index;
} common;

static void
take_common (const gpr_call *c, common *k)
{
  gpr_array edges;
  memset (k, 0, sizeof *k);
  k->run = (gpr_variant_run) { .name = k->name, .finish = -1, .block = -1, .value = &k->value, .index = &k->index };
  if (c->nrhs <= BLOCK || ! gpr_mx_text (c->rhs[NAME], k->name, sizeof k->name))
    gpr_mx_invalid (c, "VARIANT must be a name; gpu_variants lists them");
  if (! gpr_mx_array (c, c->rhs[X], &k->x))
    gpr_mx_invalid (c, "X must be a full array of numbers");
  k->run.op = op_of (c, c->rhs[OP]);
  k->run.type = type_of (c, &k->x);
  k->run.n = gpr_array_numel (&k->x);
  k->run.x = k->x.data;
  if (! mxIsEmpty (c->rhs[FINISH]))
    k->run.finish = gpr_mx_finish (c, c->rhs[FINISH]);
  if (! (mxIsDouble (c->rhs[BLOCK]) && mxGetNumberOfElements (c->rhs[BLOCK]) == 1 && mxGetScalar (c->rhs[BLOCK]) == 0))
    k->run.block = gpr_mx_block (c, c->rhs[BLOCK]);
  if (k->run.op == LADDER_HISTOGRAM)
    {
      if (c->nrhs <= EDGES || ! gpr_mx_array (c, c->rhs[EDGES], &edges) || edges.class != GPR_CLASS_double || edges.complex
          || edges.home || gpr_array_numel (&edges) < 2 || gpr_array_numel (&edges) > 1 << 24)
        gpr_mx_invalid (c, "a histogram by a variant has 1 to %d bins", (1 << 24) - 1);
      k->run.edges = edges.data;
      k->run.bins = (int) gpr_array_numel (&edges) - 1;
    }
}

static void
require_elements (const gpr_call *c, const common *k)
{
  if (k->run.n == 0)
    gpr_mx_invalid (c, "X must not be empty");
}

/* The simulator's report in *text, for free, or NULL: into the file path, or with "" a temporary one.  */
static gpr_status
run_for_report (common *k, char *path, size_t bytes, char **text)
{
  char *report = NULL;

  k->run.report = path;
  k->run.counts = k->run.bins ? calloc (k->run.bins, sizeof *k->run.counts) : NULL;
  bool made = path[0] || gpr_system_temporary (path, bytes);
  gpr_status status = ! made ? gpr_fail (GPR_CANNOT_WRITE, "no temporary file like %.500s can be made (%s): set TMPDIR to a folder that can be written", path,
                                           strerror (errno))
                      : k->run.bins && ! k->run.counts ? gpr_fail (GPR_OUT_OF_MEMORY, "out of host memory")
                      : k->run.confined ? gpr_sim_run (&k->run) : gpr_variant_go (&k->run, true);
  FILE *f = made ? fopen (path, "r") : NULL;
  if (f && fseek (f, 0, SEEK_END) == 0)
    {
      long size = ftell (f);
      rewind (f);
      if (size > 0 && (report = malloc (size + 1)))
        report[fread (report, 1, size, f)] = '\0';
    }
  if (f)
    fclose (f);
  if (made)
    remove (path);
  free (k->run.counts);
  *text = report;
  return status;
}

/* "trace", … [, EDGES], FRAMES [, SECONDS [, "totals"]]: the simulator's report; a fault is in it.  Of
   totals without steps; what the kernel prints is then not shown.  */
void
gpr_mx_trace (gpr_call *c)
{
  common k;
  char path[4096] = "", *report;
  double seconds = 0;

  strcpy (c->caller, "gpu_trace");
  bool totals = c->nrhs > 2 && mxIsChar (c->rhs[c->nrhs - 1]) && mxIsLogicalScalar (c->rhs[c->nrhs - 3]);
  if (totals)
    c->nrhs--;
  if (c->nrhs > 1 && mxIsLogicalScalar (c->rhs[c->nrhs - 2]))
    seconds = gpr_mx_seconds (c, c->rhs[--c->nrhs]);
  bool frames = c->nrhs > 0 && mxIsLogicalScalarTrue (c->rhs[c->nrhs - 1]);
  if (c->nrhs > 0)
    c->nrhs--;
  take_common (c, &k);
  require_elements (c, &k);
  if (k.x.home)
    gpr_mx_invalid (c, "X must be an ordinary array: the simulator runs on the CPU");

  /* ------------------------------------------------------------------------ */
  k.run.frames = frames;
  k.run.totals = totals;
  k.run.seconds = seconds;
  gpr_status status = run_for_report (&k, path, sizeof path, &report);
  /* ------------------------------------------------------------------------ */

  if (totals)
    free (gpr_sim_printed ());
  else
    gpr_mx_show_printed ();
  if (! report || (status != GPR_OK && status != GPR_BAD_INPUT))
    {
      free (report);
      gpr_mx_raise (c, status != GPR_OK ? status : gpr_fail (GPR_UNSUPPORTED, "the simulator wrote no report"));
    }
  c->plhs[0] = mxCreateString (report);
  free (report);
}

/* [REPORT, PRINTED] = "grade", … [, EDGES], FRAMES, MODULE, SEED, SECONDS, ANYWAY: the report of a run of a submission's
   module, confined to its folder, "" where there is none; then the error is PRINTED's.  */
void
gpr_mx_grade (gpr_call *c)
{
  common k;
  char module[3000], path[4096], folder[3000], *report;
  int64_t seed;

  strcpy (c->caller, "gpu_grade");
  if (c->nrhs < BLOCK + 6 || ! gpr_mx_text (c->rhs[c->nrhs - 4], module, sizeof module) || ! gpr_mx_count (c->rhs[c->nrhs - 3], &seed) || ! strrchr (module, '/'))
    gpr_mx_invalid (c, "grade takes a module, a seed, seconds and true or false");
  double seconds = gpr_mx_seconds (c, c->rhs[c->nrhs - 2]);
  bool anyway = mxIsLogicalScalarTrue (c->rhs[c->nrhs - 1]);
  bool frames = mxIsLogicalScalarTrue (c->rhs[c->nrhs - 5]);
  c->nrhs -= 5;
  take_common (c, &k);
  require_elements (c, &k);

  /* ------------------------------------------------------------------------ */
  snprintf (folder, sizeof folder, "%s", module);
  *strrchr (folder, '/') = '\0';
  snprintf (path, sizeof path, "%s/report", folder);
  remove (path);
  k.run.module = module;
  k.run.confined = folder;
  k.run.anyway = anyway;
  k.run.frames = frames;
  k.run.seed = (unsigned) seed;
  k.run.seconds = seconds;
  gpr_status status = run_for_report (&k, path, sizeof path, &report);
  char *printed = gpr_sim_printed ();
  /* ------------------------------------------------------------------------ */

  if (! report && (status == GPR_INTERRUPTED || status == GPR_OUT_OF_MEMORY))
    {
      free (printed);
      gpr_mx_raise (c, status);
    }
  c->plhs[0] = mxCreateString (report ? report : "");
  if (c->nlhs > 1)
    c->plhs[1] = mxCreateString (! report ? gpr_message () : printed ? printed : "");
  free (report);
  free (printed);
}

/* "time_variant", … REPEATS [, EDGES]: on the GPU.  */
void
gpr_mx_time_variant (gpr_call *c)
{
  common k;
  int64_t repeats;
  bool simulated;

  strcpy (c->caller, "gpu_bench");
  if (c->nrhs < BLOCK + 2 || ! gpr_mx_count (c->rhs[BLOCK + 1], &repeats) || repeats > 100000)
    gpr_mx_invalid (c, "REPEATS must be a whole number, 1 to 100000");
  memmove (c->rhs + EDGES, c->rhs + EDGES + 1, (c->nrhs - EDGES - 1) * sizeof *c->rhs);
  c->nrhs--;
  take_common (c, &k);
  require_elements (c, &k);
  c->device.want = GPR_WANT_GPU;
  gpr_choice choice = gpr_mx_choose_for_variant (c, &k.x, &simulated);
  mxArray *kernel = mxCreateDoubleMatrix (1, repeats, mxREAL), *total = mxCreateDoubleMatrix (1, repeats, mxREAL);
  mxArray *counts = mxCreateDoubleMatrix (1, k.run.bins, mxREAL);
  k.run.kernel_ms = mxGetData (kernel);
  k.run.total_ms = mxGetData (total);
  k.run.repeats = (int) repeats;

  /* ------------------------------------------------------------------------ */
  void *copy = NULL;
  k.run.counts = k.run.bins ? calloc (k.run.bins, sizeof *k.run.counts) : NULL;
  gpr_status status = k.run.bins && ! k.run.counts ? gpr_fail (GPR_OUT_OF_MEMORY, "out of host memory")
                      : gpr_reach (&k.x, &choice, &k.run.x, &k.run.x_resident, &copy);
  if (status == GPR_OK)
    status = gpr_variant_go (&k.run, false);
  for (int i = 0; i < k.run.bins && status == GPR_OK; i++)
    ((double *) mxGetData (counts))[i] = (double) k.run.counts[i];
  free (k.run.counts);
  free (copy);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  c->plhs[0] = mxCreateStructMatrix (1, 1, 0, NULL);
  set (c->plhs[0], "kernel_ms", kernel);
  set (c->plhs[0], "total_ms", total);
  set (c->plhs[0], "value", class_value (k.run.type, &k.value));
  set (c->plhs[0], "index", mxCreateDoubleScalar ((double) k.index + 1));
  set (c->plhs[0], "counts", counts);
}

/* "count_variant", NAME, "histogram", X, "", BLOCK, EDGES, DEVICE, FORCE, SECONDS (0: the default): bins x 1
   counts, of no elements without a run.  */
void
gpr_mx_count_variant (gpr_call *c)
{
  common k;
  bool simulated;
  double start = gpr_now_ms ();

  strcpy (c->caller, "gpu_reduce");
  if (c->nrhs != EDGES + 4)
    gpr_mx_invalid (c, "count_variant takes a device, force and seconds too");
  if (! mxIsEmpty (c->rhs[EDGES + 1]))
    gpr_mx_device (c, c->rhs[EDGES + 1], &c->device);
  take_common (c, &k);
  k.run.force = mxIsLogicalScalarTrue (c->rhs[EDGES + 2]);
  k.run.seconds = mxGetScalar (c->rhs[EDGES + 3]);
  gpr_choice choice = gpr_mx_choose_for_variant (c, &k.x, &simulated), noted = choice;
  mxArray *counts = mxCreateDoubleMatrix (k.run.bins, 1, mxREAL);

  /* ------------------------------------------------------------------------ */
  void *copy = NULL;
  k.run.counts = calloc (k.run.bins, sizeof *k.run.counts);
  gpr_status status = ! k.run.counts ? gpr_fail (GPR_OUT_OF_MEMORY, "out of host memory")
                      : gpr_reach (&k.x, &choice, &k.run.x, &k.run.x_resident, &copy);
  if (status == GPR_OK && k.run.n > 0)
    status = gpr_variant_go (&k.run, simulated);
  for (int i = 0; i < k.run.bins && status == GPR_OK; i++)
    ((double *) mxGetData (counts))[i] = (double) k.run.counts[i];
  free (k.run.counts);
  free (copy);
  gpr_variant_call call = { .simulated = simulated, .real = choice.backend };
  noted.backend = gpr_variant_backend (&call);
  gpr_note_call (c, &noted, start, NULL);
  /* ------------------------------------------------------------------------ */

  gpr_mx_show_printed ();
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  c->plhs[0] = counts;
}

/* "add_variant", NAME, ALIASES, SIMULATED, COMPILED: aliases as a descriptor has
   them, and files; ALIASES and COMPILED may be "".  */
void
gpr_mx_add_variant (gpr_call *c)
{
  char name[128], aliases[1024] = "", simulated[4096], compiled[4096] = "";
  strcpy (c->caller, "gpu_variant_add");
  if (c->nrhs != 4 || ! gpr_mx_text (c->rhs[0], name, sizeof name)
      || ! (mxIsEmpty (c->rhs[1]) || gpr_mx_text (c->rhs[1], aliases, sizeof aliases))
      || ! gpr_mx_text (c->rhs[2], simulated, sizeof simulated)
      || ! (mxIsEmpty (c->rhs[3]) || gpr_mx_text (c->rhs[3], compiled, sizeof compiled)))
    gpr_mx_invalid (c, "add_variant takes a name, its aliases and two files");
  gpr_status status = gpr_variant_add (name, aliases, simulated, compiled);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
}

/* "read_ceiling": GB/s of reading device memory.  */
void
gpr_mx_read_ceiling (gpr_call *c)
{
  gpr_array none = { .ndims = 2 };
  bool simulated;
  double gbs = 0;
  strcpy (c->caller, "gpu_bench");
  c->device.want = GPR_WANT_GPU;
  (void) gpr_mx_choose_for_variant (c, &none, &simulated);
  const gpr_ladder_module *module = gpr_ladder_open (NULL);
  gpr_status status = module ? gpr_cuda ()->read_ceiling (module, 0, &gbs) : GPR_NO_DEVICE;
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  c->plhs[0] = mxCreateDoubleScalar (gbs);
}
