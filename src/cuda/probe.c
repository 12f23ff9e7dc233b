#include <stdio.h>
#include <string.h>

#include "probe.h"

void
gpr_cuda_probe_driver (gpr_cuda_probe *p)
{
  int count = 0;
  cudaError_t e;

  memset (p, 0, sizeof *p);
  (void) cudaRuntimeGetVersion (&p->runtime_version);
  (void) cudaDriverGetVersion (&p->driver_version);
  e = cudaGetDeviceCount (&count);
  (void) cudaGetLastError ();
  if (e == cudaSuccess && count > 0)
    {
      p->devices = count < GPR_CUDA_DEVICES ? count : GPR_CUDA_DEVICES;
      return;
    }
  p->status = GPR_NO_DEVICE;
  if (p->driver_version == 0)
    snprintf (p->reason, sizeof p->reason, "no NVIDIA driver found: libcuda.so.1 is missing or cannot reach the kernel module; "
              "install the NVIDIA driver, or run on a machine (in a container: with --gpus all) that has one");
  else if (e == cudaErrorInsufficientDriver || p->driver_version / 1000 < p->runtime_version / 1000)
    snprintf (p->reason, sizeof p->reason, "the NVIDIA driver is too old: it knows CUDA %d.%d, this package was built with %d.%d; "
              "update the driver, or install the package again with nvcc %d",
              p->driver_version / 1000, p->driver_version % 1000 / 10,
              p->runtime_version / 1000, p->runtime_version % 1000 / 10, p->driver_version / 1000);
  else if (e == cudaSuccess || e == cudaErrorNoDevice)
    snprintf (p->reason, sizeof p->reason, "the NVIDIA driver (CUDA %d.%d) shows this process no GPU; see nvidia-smi, "
              "and CUDA_VISIBLE_DEVICES, which must not be empty", p->driver_version / 1000, p->driver_version % 1000 / 10);
  else
    snprintf (p->reason, sizeof p->reason, "the NVIDIA driver (CUDA %d.%d) does not start: %s (%s)",
              p->driver_version / 1000, p->driver_version % 1000 / 10, cudaGetErrorString (e), cudaGetErrorName (e));
}

gpr_status
gpr_cuda_check_number (int number)
{
  gpr_cuda_probe p;
  gpr_cuda_probe_driver (&p);
  if (p.devices == 0)
    return gpr_cuda_fail (p.status, "%s", p.reason);
  if (number < 1 || number > p.devices)
    return gpr_cuda_fail (GPR_NO_DEVICE, "there is no GPU %d: this process sees %d", number, p.devices);
  return GPR_OK;
}

static gpr_device described[GPR_CUDA_DEVICES];

static gpr_status
read_properties (int device, gpr_device *d)
{
  struct cudaDeviceProp prop;
  int v, ecc, integrated, overlaps, shared, clock_khz, bits;

  GPR_TRY (gpr_cuda_check_number (device));
  memset (d, 0, sizeof *d);
  d->index = device--;
  GPR_CUDA_TRY (cudaGetDeviceProperties (&prop, device), "reading the GPU's properties");
  snprintf (d->name, sizeof d->name, "%s", prop.name);
  d->total_memory = (int64_t) prop.totalGlobalMem;
  const struct { enum cudaDeviceAttr attribute; int *to; } list[] = {
    { cudaDevAttrComputeCapabilityMajor, &d->major },
    { cudaDevAttrComputeCapabilityMinor, &d->minor },
    { cudaDevAttrMultiProcessorCount, &d->multiprocessors },
    { cudaDevAttrMaxThreadsPerBlock, &d->max_threads_per_block },
    { cudaDevAttrWarpSize, &d->warp_size },
    { cudaDevAttrMaxGridDimX, &d->max_grid[0] },
    { cudaDevAttrMaxGridDimY, &d->max_grid[1] },
    { cudaDevAttrMaxGridDimZ, &d->max_grid[2] },
    { cudaDevAttrMaxBlockDimX, &d->max_block[0] },
    { cudaDevAttrMaxBlockDimY, &d->max_block[1] },
    { cudaDevAttrMaxBlockDimZ, &d->max_block[2] },
    { cudaDevAttrMaxSharedMemoryPerBlock, &shared },
    { cudaDevAttrClockRate, &d->clock_khz },
    { cudaDevAttrComputeMode, &d->compute_mode },
    { cudaDevAttrEccEnabled, &ecc },
    { cudaDevAttrIntegrated, &integrated },
    { cudaDevAttrAsyncEngineCount, &overlaps },
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    {
      GPR_CUDA_TRY (cudaDeviceGetAttribute (&v, list[i].attribute, device), "reading the GPU's properties");
      *list[i].to = v;
    }
  d->shared_per_block = shared;
  d->ecc = ecc != 0;
  d->integrated = integrated != 0;
  d->overlaps = overlaps != 0;
  /* Two words of the bus at every tick.  */
  if (cudaDeviceGetAttribute (&clock_khz, cudaDevAttrMemoryClockRate, device) == cudaSuccess
      && cudaDeviceGetAttribute (&bits, cudaDevAttrGlobalMemoryBusWidth, device) == cudaSuccess)
    d->memory_gbs = 2e3 * clock_khz * bits / 8 / 1e9;
  (void) cudaGetLastError ();
  (void) cudaDriverGetVersion (&d->driver_version);
  (void) cudaRuntimeGetVersion (&d->runtime_version);
  d->free_memory = -1;
  described[device] = *d;
  return GPR_OK;
}

gpr_status
gpr_cuda_properties (int number, gpr_device *d)
{
  if (number < 1 || number > GPR_CUDA_DEVICES || described[number - 1].index == 0)
    GPR_TRY (read_properties (number, d));
  *d = described[number - 1];
  return GPR_OK;
}
