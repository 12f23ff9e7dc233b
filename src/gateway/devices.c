/* Devices and diagnosis.  */

#include "../cpu/cpu.h"
#include "../dispatch/cuda_module.h"
#include "fields.h"
#include "../core/system.h"
#include "../core/links.h"
#include "../ranks/link.h"

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
      gpr_raise_if (c, gpr_device_usual (&usual));
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
  gpr_raise_if (c, status);
}

/* Computes what waits for being wanted, and waits for the devices.  */
void
gpr_mx_synchronize (gpr_call *c)
{
  const gpr_cuda_api *cuda = gpr_cuda ();
  strcpy (c->caller, "gpuDevice");
  gpr_raise_if (c, gpr_expression_compute_all ());
  if (cuda)
    gpr_raise_if (c, cuda->synchronize ());
}

void
gpr_mx_reset (gpr_call *c)
{
  int device;
  strcpy (c->caller, "gpuDevice");
  const gpr_cuda_api *cuda = need_gpu (c);
  gpr_raise_if (c, gpr_device_usual (&device));
  /* reset takes the one that the last call used, or the first.  */
  if (device != (cuda->selected () ? cuda->selected () : 1))
    {
      gpr_status status = cuda->select (device);
      if (status != GPR_DEVICE_LOST)
        gpr_raise_if (c, status);
    }
  gpr_resident_forget_device (device);
  gpr_raise_if (c, cuda->reset ());
  gpr_device_select (0);
}

void
gpr_mx_trim (gpr_call *c)
{
  const gpr_cuda_api *cuda = gpr_cuda ();
  strcpy (c->caller, "gpu_config");
  if (cuda)
    gpr_raise_if (c, cuda->trim ());
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
  set_number (s, "threads", gpr_cpu_allowed_threads ());
  set_flag (s, "cuda_module", loaded);
  set_text (s, "architectures", loaded ? cuda->architectures () : "");
  set_number (s, "devices", p.devices);
  set_text (s, "device_reason", reason);
  set_number (s, "driver_version", p.driver_version);
  set_number (s, "runtime_version", p.runtime_version);
  set_flag (s, "self_check", checked == GPR_OK);
  set_text (s, "self_report", report);
  const struct gpr_links *links = loaded ? cuda->backend.links : NULL;
  set_text (s, "links", links ? links->library () : "");
  set_number (s, "linked", gpr_link_size ());
  set_text (s, "link_failure", gpr_link_why ());
  set_number (s, "messages", (double) gpr_world_sent.messages);
  set_number (s, "handles", (double) gpr_resident_count ());
  mxArray *m = mxCreateStructMatrix (1, 1, 0, NULL);
  set_number (m, "in_use", (double) memory.in_use);
  set_number (m, "idle", (double) memory.idle);
  set_number (m, "peak", (double) memory.peak);
  set_number (m, "allocations", (double) memory.allocations);
  set (s, "memory", m);
  c->plhs[0] = s;
}
