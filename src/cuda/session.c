#include <string.h>

#include "modules.h"
#include "probe.h"
#include "session.h"
#include "stream.h"

static gpr_cuda_state states[GPR_CUDA_DEVICES];
static int selected = -1;               /* from 0; -1: none yet */
static _Thread_local int of_thread = -1;        /* that this thread works for, others for others beside it */
void (*gpr_cuda_before_reset) (int device, bool lost);
static double last_transfer_ms, last_kernel_ms;

/* Makes the device, from 0, current; opens it on first use.  */
static gpr_status
use_device (int device, gpr_cuda_state **s)
{
  *s = &states[device];
  if (gpr_cuda_is_lost (device))
    return gpr_cuda_fail (GPR_DEVICE_LOST, "GPU %d was lost in an earlier call, and its arrays with it; " GPR_CUDA_LOST_REMEDY,
                          device + 1);
  if ((*s)->ready)
    {
      GPR_CUDA_TRY_DEVICE (device, "choosing the GPU");
      return GPR_OK;
    }
  GPR_TRY (gpr_cuda_check_number (device + 1));
  gpr_status status = gpr_cuda_open_device (*s, device);
  if (status != GPR_OK)
    {
      if (! gpr_cuda_is_lost (device))
        gpr_cuda_close_device (*s);
      memset (*s, 0, sizeof **s);
    }
  return status;
}

/* A lost device is selected too, for a reset to find it.  */
gpr_status
gpr_cuda_select (int device)
{
  gpr_cuda_state *s;
  const bool known = device >= 1 && device <= GPR_CUDA_DEVICES && (states[device - 1].ready || gpr_cuda_is_lost (device - 1));
  if (! known)
    GPR_TRY (gpr_cuda_check_number (device));
  gpr_status status = use_device (device - 1, &s);
  if (status == GPR_OK || status == GPR_DEVICE_LOST)
    selected = device - 1;
  return status;
}

int
gpr_cuda_selected (void)
{
  return selected + 1;
}

gpr_status
gpr_cuda_describe (int device, gpr_device *d)
{
  size_t free, total;
  int current = 0;

  GPR_TRY (gpr_cuda_properties (device, d));
  if (! states[--device].ready || gpr_cuda_is_lost (device))
    return GPR_OK;
  (void) cudaGetDevice (&current);
  if (cudaSetDevice (device) == cudaSuccess && cudaMemGetInfo (&free, &total) == cudaSuccess)
    d->free_memory = (int64_t) free;
  (void) cudaSetDevice (current);
  (void) cudaGetLastError ();
  return GPR_OK;
}

/* ---- a call ------------------------------------------------------------------------ */

static gpr_status
enter (int device, gpr_cuda_state **s)
{
  GPR_TRY (use_device (device, s));
  (*s)->transfer_ms = (*s)->kernel_ms = (*s)->called_ms = 0;
  return GPR_OK;
}

gpr_status
gpr_cuda_enter (gpr_cuda_state **s, const void *a, const void *b, const void *c)
{
  const void *arrays[] = { a, b, c };
  int device = -1;

  for (int i = 0; i < 3; i++)
    {
      int owner = arrays[i] ? gpr_cuda_owner (arrays[i]) : -1;
      if (owner >= 0 && device >= 0 && owner != device)
        return gpr_cuda_fail (GPR_BAD_INPUT, "arrays lie on GPU %d and GPU %d: bring them to one, or gather them",
                              device + 1, owner + 1);
      if (owner >= 0)
        device = owner;
    }
  if (device < 0)
    device = of_thread;
  if (device < 0)
    {
      if (selected < 0)
        GPR_TRY (gpr_cuda_select (1));
      device = selected;
    }
  return enter (device, s);
}

gpr_status
gpr_cuda_enter_device (gpr_cuda_state **s, int device)
{
  if (device < 1 || device > GPR_CUDA_DEVICES)
    return gpr_cuda_check_number (device);
  return enter (device - 1, s);
}

void
gpr_cuda_stay (int device)
{
  of_thread = device - 1;
}

bool
gpr_cuda_stays (void)
{
  return of_thread >= 0;
}

gpr_status
gpr_cuda_leave (const gpr_cuda_state *s, gpr_status status)
{
  if (of_thread < 0)
    {
      last_transfer_ms = s->transfer_ms;
      last_kernel_ms = s->kernel_ms;
    }
  return status;
}

void
gpr_cuda_times (double *transfer_ms, double *kernel_ms)
{
  *transfer_ms = last_transfer_ms;
  *kernel_ms = last_kernel_ms;
}

/* ---- all devices, and the end of one ------------------------------------------------- */

static gpr_status
wait_for (int device)
{
  gpr_cuda_state *s;
  GPR_TRY (use_device (device, &s));
  GPR_CUDA_TRY (cudaDeviceSynchronize (), "waiting for the GPU");
  return GPR_OK;
}

gpr_status
gpr_cuda_synchronize (void)
{
  for (int i = 0; i < GPR_CUDA_DEVICES; i++)
    if (states[i].ready)
      GPR_TRY (wait_for (i));
  return GPR_OK;
}

gpr_status
gpr_cuda_rest (void)
{
  for (int i = 0; i < GPR_CUDA_DEVICES; i++)
    if (states[i].ready && ! gpr_cuda_is_lost (i))
      GPR_TRY (wait_for (i));
  return GPR_OK;
}

gpr_status
gpr_cuda_trim (void)
{
  gpr_cuda_trim_cache ();
  for (int i = 0; i < GPR_CUDA_DEVICES; i++)
    if (states[i].ready && ! gpr_cuda_is_lost (i))
      gpr_cuda_free_ring (&states[i]);
  return GPR_OK;
}

/* Resets the selected device, or the one a first call would take: its context,
   streams and allocations go, those of other devices stay; then none is
   selected.  A lost device comes back only where the driver allows it: some
   refuse the process from then on, and it stays lost and selected.  */
gpr_status
gpr_cuda_reset (void)
{
  int device = selected < 0 ? 0 : selected, current = -1;
  gpr_cuda_state *s = &states[device];
  const bool lost = gpr_cuda_is_lost (device);
  cudaError_t e = cudaSuccess;

  if (s->ready || lost)
    {
      e = cudaSetDevice (device);
      if (gpr_cuda_before_reset)
        gpr_cuda_before_reset (device, lost || e != cudaSuccess);
      if (e == cudaSuccess && ! lost)
        {
          gpr_cuda_free_ring (s);
          gpr_cuda_close_device (s);
        }
      /* A lost device may refuse to be chosen, and yet be the current one.  */
      if (cudaGetDevice (&current) == cudaSuccess && current == device)
        e = cudaDeviceReset ();
      gpr_cuda_reset_modules (device);
      if (e == cudaSuccess && lost)
        e = cudaSetDevice (device);
      if (e == cudaSuccess && lost)
        e = cudaFree (NULL);
      (void) cudaGetLastError ();
      memset (s, 0, sizeof *s);
    }
  gpr_cuda_forget (device);
  gpr_cuda_set_lost (device, e != cudaSuccess);
  if (e != cudaSuccess)
    return gpr_cuda_fail (GPR_DEVICE_LOST, "GPU %d does not come back in this process (%s); start Octave again",
                          device + 1, cudaGetErrorString (e));
  selected = -1;
  return GPR_OK;
}
