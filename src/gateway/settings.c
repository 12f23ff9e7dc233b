/* "config": the settings behind gpu_config.  */

#include <math.h>
#include <strings.h>

#include "fields.h"
#include "../dispatch/cuda_module.h"

static mxArray *
device_setting (void)
{
  static const char *const names[] = { "default", "gpu", "cpu", "auto", "sim", "local", "", "all" };
  const gpr_device_request *r = &gpr_device_setting;
  double list[GPR_MOST_DEVICES];
  for (int i = 0; i < r->count; i++)
    list[i] = r->list[i];
  if (r->want == GPR_WANT_SEVERAL)
    return row_of (list, r->count);
  return r->want == GPR_WANT_NUMBER ? mxCreateDoubleScalar (r->number) : mxCreateString (names[r->want]);
}

static mxArray *
last_call (void)
{
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  set_text (s, "function", gpr_last.function);
  set_text (s, "backend", gpr_last.backend ? gpr_last.backend : "");
  set_number (s, "device", gpr_last.device);
  set_text (s, "reason", gpr_last.reason);
  set_number (s, "transfer_ms", gpr_last.transfer_ms);
  set_number (s, "kernel_ms", gpr_last.kernel_ms);
  set_number (s, "total_ms", gpr_last.total_ms);
  set_number (s, "parts", (double) gpr_last.parts);
  set_number (s, "lanes", gpr_last.lanes);
  set (s, "devices", row_of (gpr_last.devices, gpr_last.takers));
  set (s, "taken", row_of (gpr_last.taken, gpr_last.takers));
  return s;
}

/* As gpu_config ("rates") has them: GB/s, NaN for what is not known.  */
enum { RATES = 4 };
static const char *const rate_names[RATES] = { "cpu", "staged", "in_place", "both" };

static double *
rate_at (gpr_rates *r, int i)
{
  double *const list[RATES] = { &r->cpu, &r->staged, &r->in_place, &r->both };
  return list[i];
}

static mxArray *
rates_struct (gpr_rates *r)
{
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  set_flag (s, "measured", r->measured);
  set_number (s, "threads", r->threads);
  set_number (s, "device", r->device);
  for (int i = 0; i < RATES; i++)
    set_number (s, rate_names[i], *rate_at (r, i) > 0 ? *rate_at (r, i) : mxGetNaN ());
  return s;
}

static double
rates_field (const gpr_call *c, const mxArray *s, const char *name)
{
  const mxArray *m = mxIsStruct (s) && mxGetNumberOfElements (s) == 1 ? mxGetField (s, 0, name) : NULL;
  if (! m || ! (mxIsNumeric (m) || mxIsLogical (m)) || mxGetNumberOfElements (m) != 1 || mxIsComplex (m) || mxGetScalar (m) < 0)
    gpr_mx_invalid (c, "rates must be \"measure\", or such a structure as gpu_config (\"rates\") returns");
  return mxGetScalar (m);
}

static void
set_rates (const gpr_call *c, const mxArray *s)
{
  gpr_rates r = { .measured = rates_field (c, s, "measured") == 1, .threads = (int) rates_field (c, s, "threads"),
                  .device = (int) rates_field (c, s, "device") };
  for (int i = 0; i < RATES; i++)
    {
      double v = rates_field (c, s, rate_names[i]);
      *rate_at (&r, i) = v > 0 ? v : 0;
    }
  if (! (r.cpu > 0))
    gpr_mx_invalid (c, "rates must have a rate of the CPU");
  gpr_rates_set (&r);
  gpr_paces_forget ();
}

/* A size in bytes, or a number of threads; 0 is allowed.  */
static double
whole_number (const gpr_call *c, const char *name, const mxArray *m)
{
  double v = mxIsNumeric (m) && mxGetNumberOfElements (m) == 1 && ! mxIsComplex (m) ? mxGetScalar (m) : -1;
  if (! (v >= 0 && v < 0x1p53 && v == floor (v)))
    gpr_mx_invalid (c, "%s must be a whole number, 0 or more", name);
  return v;
}

static void
config_device (gpr_call *c, const mxArray *new)
{
  gpr_device_request request = { .want = GPR_WANT_LOCAL };

  c->plhs[0] = device_setting ();
  if (! new)
    return;
  if (! gpr_mx_option (new, "local"))
    gpr_mx_device (c, new, &request);
  gpr_raise_if (c, gpr_device_set (request));
}

static void
config_threads (gpr_call *c, const mxArray *new)
{
  c->plhs[0] = mxCreateDoubleScalar (gpr_config.threads);
  if (! new)
    return;
  double v = whole_number (c, "threads", new);
  if (v > 1024)
    gpr_mx_invalid (c, "threads must be at most 1024");
  gpr_config.threads = (int) v;
}

/* endless: what Inf stands for; 0: Inf is an error.  */
static void
config_bytes (gpr_call *c, const char *name, const mxArray *new, size_t *bytes, size_t endless)
{
  c->plhs[0] = mxCreateDoubleScalar (endless && *bytes == endless ? HUGE_VAL : (double) *bytes);
  if (new && endless && mxIsDouble (new) && mxGetNumberOfElements (new) == 1 && mxGetScalar (new) == HUGE_VAL)
    *bytes = endless;
  else if (new)
    *bytes = (size_t) whole_number (c, name, new);
}

static void
config_comm_timeout (gpr_call *c, const mxArray *new)
{
  c->plhs[0] = mxCreateDoubleScalar (gpr_config.comm_timeout);
  if (! new)
    return;
  const double v = mxIsNumeric (new) && mxGetNumberOfElements (new) == 1 && ! mxIsComplex (new) && ! mxIsSparse (new) ? mxGetScalar (new) : 0;
  if (! (v > 0))
    gpr_mx_invalid (c, "comm_timeout must be a number of seconds above 0, or Inf");
  gpr_config.comm_timeout = v;
}

static void
config_rates (gpr_call *c, const mxArray *new)
{
  gpr_rates rates;
  bool measure = new && gpr_mx_option (new, "measure");
  gpr_raise_if (c, gpr_choose_rates (measure, &rates));
  c->plhs[0] = rates_struct (&rates);
  if (new && ! measure)
    set_rates (c, new);
}

/* Kernels compiled at run time.  */
static void
config_compile (gpr_call *c, const mxArray *new)
{
  c->plhs[0] = mxCreateString (gpr_config.interpret ? "off" : "on");
  if (! new)
    return;
  if (! gpr_mx_option (new, "on") && ! gpr_mx_option (new, "off"))
    gpr_mx_invalid (c, "compile must be \"on\" or \"off\"");
  gpr_config.interpret = gpr_mx_option (new, "off");
}

static void
config_kernel_folder (gpr_call *c, const mxArray *new)
{
  static char set[4096];
  char path[sizeof set] = "";

  c->plhs[0] = mxCreateString (gpr_kernel_folder ());
  if (! new)
    return;
  const bool none = mxIsChar (new) && mxIsEmpty (new);         /* no row, which a text is */
  if (! (none || gpr_mx_text (new, path, sizeof path)) || (*path && *path != '/'))
    gpr_mx_invalid (c, "kernel_folder must be an absolute path, or \"\"");
  strcpy (set, path);
  gpr_config.kernel_folder = set;
}

static void
config_compiled (gpr_call *c, const mxArray *act)
{
  const gpr_cuda_api *cuda = gpr_cuda ();
  const bool waits = act && gpr_mx_option (act, "wait");
  gpr_cuda_compiling now = { .waiting = 0 };

  if (act && ! waits && ! gpr_mx_option (act, "clear"))
    gpr_mx_invalid (c, "\"compiled\" can be read, or told to \"wait\" or to \"clear\"");
  if (cuda && waits && ! cuda->compile_wait ())
    gpr_raise_if (c, gpr_fail (GPR_INTERRUPTED, "interrupted"));
  if (cuda && act && ! waits)
    cuda->compile_clear ();
  if (cuda)
    cuda->compile_report (&now);
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  set_text (s, "compiler", now.compiler);
  set_number (s, "waiting", now.waiting);
  set_number (s, "compiled", now.compiled);
  set_number (s, "read", now.read);
  set_number (s, "failed", now.failed);
  set_text (s, "failure", now.failure);
  set_number (s, "last_ms", now.last_ms);
  set_number (s, "files", (double) now.files);
  set_number (s, "bytes", (double) now.bytes);
  c->plhs[0] = s;
}

void
gpr_mx_config (gpr_call *c)
{
  char name[64];
  const mxArray *new = c->nrhs > 1 ? c->rhs[1] : NULL;

  strcpy (c->caller, "gpu_config");
  if (c->nrhs < 1 || ! gpr_mx_text (c->rhs[0], name, sizeof name))
    gpr_mx_invalid (c, "NAME must be the name of a setting");
  gpr_status valid = gpr_device_setting_check ();
  if (! (new && strcasecmp (name, "device") == 0))
    gpr_raise_if (c, valid);

  if (strcasecmp (name, "device") == 0)
    config_device (c, new);
  else if (strcasecmp (name, "threads") == 0)
    config_threads (c, new);
  else if (strcasecmp (name, "memory_limit") == 0)
    config_bytes (c, "memory_limit", new, &gpr_config.memory_limit, 0);
  else if (strcasecmp (name, "cache_limit") == 0)
    config_bytes (c, "cache_limit", new, &gpr_config.cache_limit, GPR_CACHE_SHARE);
  else if (strcasecmp (name, "compile") == 0)
    config_compile (c, new);
  else if (strcasecmp (name, "kernel_folder") == 0)
    config_kernel_folder (c, new);
  else if (strcasecmp (name, "compiled") == 0)
    config_compiled (c, new);
  else if (strcasecmp (name, "comm_timeout") == 0)
    config_comm_timeout (c, new);
  else if (strcasecmp (name, "last") == 0 && ! new)
    c->plhs[0] = last_call ();
  else if (strcasecmp (name, "last") == 0)
    gpr_mx_invalid (c, "\"last\" can only be read");
  else if (strcasecmp (name, "rates") == 0)
    config_rates (c, new);
  else
    gpr_mx_invalid (c, "unknown setting \"%s\"; settings are device, threads, memory_limit, cache_limit, compile, kernel_folder, compiled, comm_timeout, last, rates", name);
}
