#include "peer.h"
#include "session.h"
#include "stream.h"

static _Atomic enum { UNKNOWN, APART, NEAR } known[GPR_CUDA_DEVICES][GPR_CUDA_DEVICES];  /* threads of several devices ask */

/* Lets the current device, which this one is, reach the other's memory, where the system allows that; else the driver takes a way by the host.  */
static bool
allow (int device, int other)
{
  int can = 0;

  if (device != other && known[device][other] == UNKNOWN)
    {
      bool near = cudaDeviceCanAccessPeer (&can, device, other) == cudaSuccess && can;
      if (near)
        {
          const cudaError_t e = cudaDeviceEnablePeerAccess (other, 0);
          near = e == cudaSuccess || e == cudaErrorPeerAccessAlreadyEnabled;
        }
      (void) cudaGetLastError ();
      known[device][other] = near ? NEAR : APART;
    }
  return device == other || known[device][other] == NEAR;
}

bool
gpr_cuda_reaches (int device, int other)
{
  gpr_cuda_state *s;
  return gpr_cuda_enter_device (&s, other) == GPR_OK && gpr_cuda_enter_device (&s, device) == GPR_OK && allow (device - 1, other - 1);
}

/* Streams of two devices do not wait for each other.  In a device's thread others' states are other threads', and all came to rest before.  */
static gpr_status
come_to_rest (int device)
{
  gpr_cuda_state *s;

  if (gpr_cuda_stays ())
    return GPR_OK;
  GPR_TRY (gpr_cuda_enter_device (&s, device));         /* open, and not lost */
  GPR_CUDA_TRY (cudaStreamSynchronize (s->work), "computing");
  return GPR_OK;
}

/* By the stream of a device's thread; else by that of the device copied from, so that several copy at once.  */
static gpr_status
stream_of (const gpr_cuda_transfer *t, gpr_cuda_state **s)
{
  return gpr_cuda_stays () ? gpr_cuda_enter (s, NULL, NULL, NULL) : gpr_cuda_enter_device (s, t->from_device);
}

static gpr_status
queue (const gpr_cuda_transfer *t)
{
  gpr_cuda_state *s;

  GPR_TRY (stream_of (t, &s));
  allow (s->number, s->number == t->to_device - 1 ? t->from_device - 1 : t->to_device - 1);
  s->idle = false;
  if (t->by_rows)
    GPR_CUDA_TRY (cudaMemcpy2DAsync (t->to, t->to_pitch, t->from, t->from_pitch, t->bytes, t->rows, cudaMemcpyDefault, s->work), "copying from one GPU to another");
  else
    GPR_CUDA_TRY (cudaMemcpyPeerAsync (t->to, t->to_device - 1, t->from, t->from_device - 1, t->bytes, s->work), "copying from one GPU to another");
  return GPR_OK;
}

/* What it was copied from may be given away then.  */
static gpr_status
wait_for (const gpr_cuda_transfer *t)
{
  gpr_cuda_state *s;

  GPR_TRY (stream_of (t, &s));
  GPR_CUDA_TRY (cudaStreamSynchronize (s->work), "copying from one GPU to another");
  return gpr_cuda_drain (s);
}

gpr_status
gpr_cuda_copy (const gpr_cuda_transfer *t, int count, int *failed)
{
  gpr_status status = GPR_OK;
  int begun = 0;

  for (*failed = 0; *failed < count && status == GPR_OK; *failed += status == GPR_OK)
    {
      status = come_to_rest (t[*failed].from_device);
      if (status == GPR_OK)
        status = come_to_rest (t[*failed].to_device);
    }
  for (; begun < count && status == GPR_OK; begun += status == GPR_OK)
    if (gpr_cuda_moves (&t[begun]) && (status = queue (&t[begun])) != GPR_OK)
      *failed = begun;
  for (int k = 0; k < begun; k++)       /* also after a failure: before their memory goes */
    {
      const gpr_status ended = wait_for (&t[k]);
      if (status == GPR_OK && ended != GPR_OK)
        *failed = k;
      status = status == GPR_OK ? ended : status;
    }
  return status;
}

void
gpr_cuda_forget_peers (int device)
{
  for (int k = 0; k < GPR_CUDA_DEVICES; k++)
    known[device][k] = known[k][device] = UNKNOWN;
}
