/* gpuArray's store, devices, settings, diagnosis.  */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../cpu/cpu.h"
#include "../dispatch/cuda_module.h"
#include "mx.h"
#include "../core/system.h"

static void
raise_if (const gpr_call *c, gpr_status status)
{
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
}

/* ---- gpuArray ------------------------------------------------------------------- */

static const gpr_array *
resident (const gpr_call *c)
{
  const gpr_array *a = c->nrhs > 0 ? gpr_mx_resident (c->rhs[0]) : NULL;
  if (! a)
    gpr_mx_invalid (c, "the gpuArray is no longer valid: it was freed, or its device was reset");
  return a;
}

void
gpr_mx_upload (gpr_call *c)
{
  gpr_array a;
  double id = 0;
  void *data;

  strcpy (c->caller, "gpuArray");
  if (c->nrhs > 1)
    gpr_mx_device (c, c->rhs[1], &c->device);
  if (c->nrhs < 1 || ! gpr_mx_array (c, c->rhs[0], &a) || a.home)
    gpr_mx_invalid (c, "X must be a full numeric, logical or char array");
  gpr_choice choice = gpr_mx_choose (c, &a, NULL);
  size_t bytes = (size_t) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)];

  gpr_status status = choice.backend->allocate (&data, bytes);
  if (status == GPR_OK)
    {
      status = bytes ? choice.backend->upload (data, a.data, bytes) : GPR_OK;
      a.data = data;
      a.home = choice.backend;
      a.device = choice.device;
      if (status == GPR_OK)
        status = gpr_handle_add (&a, &id);
      if (status != GPR_OK)
        choice.backend->release (data);
    }
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  c->plhs[0] = mxCreateDoubleScalar (id);
}

void
gpr_mx_gather (gpr_call *c)
{
  strcpy (c->caller, "gather");
  gpr_array a = *resident (c);
  void *data;
  size_t bytes = (size_t) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)];
  mxArray *out = gpr_mx_create (&a, &data);
  gpr_status status = bytes ? a.home->download (data, a.data, bytes) : GPR_OK;
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  c->plhs[0] = out;
}

void
gpr_mx_free (gpr_call *c)
{
  if (c->nrhs > 0 && gpr_mx_resident (c->rhs[0]))
    gpr_handle_free (mxGetScalar (c->rhs[0]));
}

static mxArray *
row_of (const double *values, int n)
{
  mxArray *m = mxCreateDoubleMatrix (1, n, mxREAL);
  memcpy (mxGetData (m), values, n * sizeof *values);
  return m;
}

static void
set (mxArray *s, const char *name, mxArray *value)
{
  mxAddField (s, name);
  mxSetField (s, 0, name, value);
}
static void
set_number (mxArray *s, const char *name, double value)
{
  set (s, name, mxCreateDoubleScalar (value));
}
static void
set_text (mxArray *s, const char *name, const char *value)
{
  set (s, name, mxCreateString (value));
}
static void
set_flag (mxArray *s, const char *name, bool value)
{
  set (s, name, mxCreateLogicalScalar (value));
}

void
gpr_mx_describe (gpr_call *c)
{
  strcpy (c->caller, "gpuArray");
  gpr_array a = *resident (c);
  double dims[GPR_MAX_DIMS];
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  for (int d = 0; d < a.ndims; d++)
    dims[d] = (double) a.dims[d];
  set_text (s, "class", gpr_class_names[a.class]);
  set (s, "size", row_of (dims, a.ndims));
  set_flag (s, "complex", a.complex);
  set_number (s, "device", a.device);
  set_number (s, "bytes", (double) gpr_array_numel (&a) * gpr_elem_bytes[gpr_array_elem (&a)]);
  c->plhs[0] = s;
}

/* ---- settings ------------------------------------------------------------------------ */

static mxArray *
device_setting (void)
{
  static const char *const names[] = { "default", "gpu", "cpu", "auto", "sim", "local" };
  return gpr_device_setting.want == GPR_WANT_NUMBER ? mxCreateDoubleScalar (gpr_device_setting.number)
         : mxCreateString (names[gpr_device_setting.want]);
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
    raise_if (c, valid);

  if (strcasecmp (name, "device") == 0)
    {
      c->plhs[0] = device_setting ();
      if (new)
        {
          gpr_device_request request = { GPR_WANT_LOCAL, 0 };
          if (! gpr_mx_option (new, "local"))
            gpr_mx_device (c, new, &request);
          raise_if (c, gpr_device_set (request));
        }
    }
  else if (strcasecmp (name, "threads") == 0)
    {
      c->plhs[0] = mxCreateDoubleScalar (gpr_config.threads);
      if (new)
        {
          double v = whole_number (c, "threads", new);
          if (v > 1024)
            gpr_mx_invalid (c, "threads must be at most 1024");
          gpr_config.threads = (int) v;
        }
    }
  else if (strcasecmp (name, "memory_limit") == 0)
    {
      c->plhs[0] = mxCreateDoubleScalar ((double) gpr_config.memory_limit);
      if (new)
        gpr_config.memory_limit = (size_t) whole_number (c, "memory_limit", new);
    }
  else if (strcasecmp (name, "cache_limit") == 0)
    {
      c->plhs[0] = mxCreateDoubleScalar ((double) gpr_config.cache_limit);
      if (new)
        gpr_config.cache_limit = (size_t) whole_number (c, "cache_limit", new);
    }
  else if (strcasecmp (name, "last") == 0 && ! new)
    c->plhs[0] = last_call ();
  else if (strcasecmp (name, "last") == 0)
    gpr_mx_invalid (c, "\"last\" can only be read");
  else if (strcasecmp (name, "rates") == 0)
    {
      gpr_rates rates;
      bool measure = new && gpr_mx_option (new, "measure");
      raise_if (c, gpr_choose_rates (measure, &rates));
      c->plhs[0] = rates_struct (&rates);
      if (new && ! measure)
        set_rates (c, new);
    }
  else
    gpr_mx_invalid (c, "unknown setting \"%s\"; settings are device, threads, memory_limit, cache_limit, last, rates", name);
}

/* ---- devices --------------------------------------------------------------------------- */

void
gpr_mx_device_count (gpr_call *c)
{
  const char *reason = "";
  gpr_cuda_probe p = { 0 };
  double n = gpr_device_count (&reason);
  const gpr_cuda_api *cuda = gpr_cuda ();
  mxArray *text = mxCreateString (reason ? reason : "");
  if (cuda)
    cuda->probe (&p);
  c->plhs[0] = mxCreateDoubleScalar (n);
  if (c->nlhs > 1)
    c->plhs[1] = text;
  if (c->nlhs > 2)
    c->plhs[2] = mxCreateDoubleScalar (p.driver_version);
  if (c->nlhs > 3)
    c->plhs[3] = mxCreateDoubleScalar (p.runtime_version);
}

/* The module, or the error that says why there is none.  */
static const gpr_cuda_api *
need_gpu (const gpr_call *c)
{
  const char *reason;
  if (gpr_device_count (&reason) == 0)
    gpr_mx_raise (c, gpr_fail (GPR_NO_DEVICE, "no GPU to run on: %s", reason));
  return gpr_cuda ();
}

static int
device_argument (const gpr_call *c)
{
  const char *reason;
  int64_t n = 0;
  if (c->nrhs > 0 && mxGetNumberOfElements (c->rhs[0]) == 1 && mxGetScalar (c->rhs[0]) == 0)
    {
      int usual;
      raise_if (c, gpr_device_usual (&usual));
      return usual;
    }
  if (c->nrhs < 1 || ! gpr_mx_count (c->rhs[0], &n))
    gpr_mx_invalid (c, "IDX must be a device number from 1");
  if (n > gpr_device_count (&reason))
    gpr_mx_raise (c, gpr_fail (GPR_NO_DEVICE, "no GPU number %lld: there are %d", (long long) n, gpr_device_count (&reason)));
  return (int) n;
}

void
gpr_mx_device_info (gpr_call *c)
{
  gpr_device d;
  strcpy (c->caller, "gpuDevice");
  const gpr_cuda_api *cuda = need_gpu (c);
  int index = device_argument (c);
  gpr_status status = cuda->describe (index, &d);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  double grid[3], block[3];
  for (int i = 0; i < 3; i++)
    {
      grid[i] = d.max_grid[i];
      block[i] = d.max_block[i];
    }
  set_text (s, "name", d.name);
  set_number (s, "index", d.index);
  set_number (s, "major", d.major);
  set_number (s, "minor", d.minor);
  set_number (s, "multiprocessors", d.multiprocessors);
  set_number (s, "max_threads_per_block", d.max_threads_per_block);
  set_number (s, "warp_size", d.warp_size);
  set (s, "max_grid", row_of (grid, 3));
  set (s, "max_block", row_of (block, 3));
  set_number (s, "shared_per_block", (double) d.shared_per_block);
  set_number (s, "clock_khz", d.clock_khz);
  set_number (s, "total_memory", (double) d.total_memory);
  set_number (s, "free_memory", (double) d.free_memory);
  set_number (s, "compute_mode", d.compute_mode);
  set_flag (s, "ecc", d.ecc);
  set_flag (s, "integrated", d.integrated);
  set_flag (s, "overlaps", d.overlaps);
  set_number (s, "driver_version", d.driver_version);
  set_number (s, "runtime_version", d.runtime_version);
  set_flag (s, "selected", gpr_device_is_selected (d.index));
  c->plhs[0] = s;
}

/* A lost device is selected too, for a reset to find it.  */
void
gpr_mx_select (gpr_call *c)
{
  strcpy (c->caller, "gpuDevice");
  const gpr_cuda_api *cuda = need_gpu (c);
  int device = device_argument (c);
  gpr_status status = cuda->select (device);
  if (status == GPR_OK || status == GPR_DEVICE_LOST)
    gpr_device_select (device);
  raise_if (c, status);
}

/* Waits for the devices; where none is in use there is nothing to wait for.  */
void
gpr_mx_synchronize (gpr_call *c)
{
  const gpr_cuda_api *cuda = gpr_cuda ();
  strcpy (c->caller, "gpuDevice");
  if (cuda)
    raise_if (c, cuda->synchronize ());
}

void
gpr_mx_reset (gpr_call *c)
{
  int device;
  strcpy (c->caller, "gpuDevice");
  const gpr_cuda_api *cuda = need_gpu (c);
  raise_if (c, gpr_device_usual (&device));
  /* reset takes the one that the last call used, or the first.  */
  if (device != (cuda->selected () ? cuda->selected () : 1))
    {
      gpr_status status = cuda->select (device);
      if (status != GPR_DEVICE_LOST)
        raise_if (c, status);
    }
  gpr_handle_forget_device (device);
  raise_if (c, cuda->reset ());
  gpr_device_select (0);
}

void
gpr_mx_trim (gpr_call *c)
{
  const gpr_cuda_api *cuda = gpr_cuda ();
  strcpy (c->caller, "gpu_config");
  if (cuda)
    raise_if (c, cuda->trim ());
}

void
gpr_mx_diagnose (gpr_call *c)
{
  const char *reason = "";
  char report[1024] = "", folder[4096] = "";
  gpr_cuda_probe p = { 0 };
  gpr_cuda_memory memory = { 0 };
  const gpr_cuda_api *cuda = gpr_cuda ();
  bool loaded = cuda != NULL;
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);
  bool deep = c->nrhs > 0 && gpr_mx_option (c->rhs[0], "deep");      /* runs a kernel: makes a context */
  gpr_status checked = GPR_NO_DEVICE;

  set_text (s, "cuda_reason", loaded ? "" : gpr_message ());
  if (loaded)
    {
      cuda->probe (&p);
      reason = p.reason;
      if (deep && p.devices > 0)
        {
          int device;
          checked = gpr_device_usual (&device);
          if (checked == GPR_OK)
            checked = cuda->select (device);
          if (checked == GPR_OK)
            checked = cuda->self_check (report, sizeof report);
          if (checked != GPR_OK)
            strncpy (report, gpr_message (), sizeof report - 1);
        }
      cuda->memory (&memory);
    }
  gpr_system_folder_of ((const void *) gpr_mx_diagnose, folder, sizeof folder);
  set_text (s, "version", GPR_VERSION);
  set_text (s, "folder", folder);
  set_number (s, "tree", GPR_TREE_VERSION);
  set_number (s, "reductions", GPR_INSTANCE_COUNT);
  set_text (s, "isa", gpr_cpu_isa ());
  set_flag (s, "openmp", gpr_cpu_openmp ());
  set_number (s, "threads", gpr_cpu_threads ());
  set_flag (s, "cuda_module", loaded);
  set_text (s, "architectures", loaded ? cuda->architectures () : "");
  set_number (s, "devices", p.devices);
  set_text (s, "device_reason", reason);
  set_number (s, "driver_version", p.driver_version);
  set_number (s, "runtime_version", p.runtime_version);
  set_flag (s, "self_check", checked == GPR_OK);
  set_text (s, "self_report", report);
  set_number (s, "handles", (double) gpr_handle_count ());
  mxArray *m = mxCreateStructMatrix (1, 1, 0, NULL);
  set_number (m, "in_use", (double) memory.in_use);
  set_number (m, "idle", (double) memory.idle);
  set_number (m, "peak", (double) memory.peak);
  set_number (m, "allocations", (double) memory.allocations);
  set (s, "memory", m);
  c->plhs[0] = s;
}
