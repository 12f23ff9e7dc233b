#include "peer.h"
#include "session.h"
#include "stream.h"

static _Atomic enum { UNKNOWN, APART, NEAR } known[GPR_CUDA_DEVICES][GPR_CUDA_DEVICES];  /* threads of several devices ask */

/* Directly between their memories, where the system allows it; else the driver takes a way by the host.  */
static bool
allow (int to, int from)
{
  int can = 0;

  if (to != from && known[to][from] == UNKNOWN)
    {
      bool near = cudaDeviceCanAccessPeer (&can, to, from) == cudaSuccess && can;
      if (near)
        {
          const cudaError_t e = cudaDeviceEnablePeerAccess (from, 0);
          near = e == cudaSuccess || e == cudaErrorPeerAccessAlreadyEnabled;
        }
      (void) cudaGetLastError ();
      known[to][from] = near ? NEAR : APART;
    }
  return to == from || known[to][from] == NEAR;
}

bool
gpr_cuda_reaches (int device, int other)
{
  gpr_cuda_state *s;
  return gpr_cuda_enter_device (&s, other) == GPR_OK && gpr_cuda_enter_device (&s, device) == GPR_OK && allow (device - 1, other - 1);
}

gpr_status
gpr_cuda_copy (int to_device, void *to, int from_device, const void *from, size_t bytes)
{
  gpr_cuda_state *s;

  if (bytes == 0)
    return GPR_OK;
  /* Streams of two devices do not wait for each other.  In a device's thread the other's state is another thread's, and all came to rest before.  */
  if (! gpr_cuda_stays ())
    {
      GPR_TRY (gpr_cuda_enter_device (&s, from_device));        /* open, and not lost */
      GPR_CUDA_TRY (cudaStreamSynchronize (s->work), "computing");
    }
  GPR_TRY (gpr_cuda_enter_device (&s, to_device));
  allow (to_device - 1, from_device - 1);
  s->idle = false;
  GPR_CUDA_TRY (cudaMemcpyPeerAsync (to, to_device - 1, from, from_device - 1, bytes, s->work), "copying from one GPU to another");
  GPR_CUDA_TRY (cudaStreamSynchronize (s->work), "copying from one GPU to another");    /* what it was copied from may be given away */
  return gpr_cuda_drain (s);
}

void
gpr_cuda_forget_peers (int device)
{
  for (int k = 0; k < GPR_CUDA_DEVICES; k++)
    known[device][k] = known[k][device] = UNKNOWN;
}
