#include "peer.h"
#include "session.h"
#include "stream.h"

/* Directly between their memories, where the system allows it; else the driver takes a way by the host.  */
static void
allow (int to, int from)
{
  static bool asked[GPR_CUDA_DEVICES][GPR_CUDA_DEVICES];
  int can = 0;

  if (asked[to][from] || to == from)
    return;
  asked[to][from] = true;
  if (cudaDeviceCanAccessPeer (&can, to, from) == cudaSuccess && can)
    (void) cudaDeviceEnablePeerAccess (from, 0);
  (void) cudaGetLastError ();
}

gpr_status
gpr_cuda_copy (int to_device, void *to, int from_device, const void *from, size_t bytes)
{
  gpr_cuda_state *s;

  if (bytes == 0)
    return GPR_OK;
  GPR_TRY (gpr_cuda_enter_device (&s, from_device));    /* open, and not lost */
  GPR_TRY (gpr_cuda_enter_device (&s, to_device));
  allow (to_device - 1, from_device - 1);
  s->idle = false;
  GPR_CUDA_TRY (cudaMemcpyPeerAsync (to, to_device - 1, from, from_device - 1, bytes, s->work), "copying from one GPU to another");
  return gpr_cuda_drain (s);
}
