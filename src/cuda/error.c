/* Errors: the status and the words for each that CUDA gives.  */

#include "error.h"

gpr_cuda_host gpr_host;

/* By the device's number, from 0.  */
static bool lost[GPR_CUDA_DEVICES];

bool
gpr_cuda_is_lost (int device)
{
  return lost[device];
}

void
gpr_cuda_set_lost (int device, bool is_lost)
{
  lost[device] = is_lost;
}

/* After these no call of the device works until it is reset.  */
static bool
is_sticky (cudaError_t e)
{
  switch (e)
    {
    case cudaErrorIllegalAddress: case cudaErrorLaunchFailure: case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError: case cudaErrorIllegalInstruction: case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace: case cudaErrorInvalidPc: case cudaErrorAssert:
    case cudaErrorECCUncorrectable: case cudaErrorNvlinkUncorrectable: case cudaErrorContextIsDestroyed:
    case cudaErrorCudartUnloading: case cudaErrorDeviceUninitialized: case cudaErrorUnknown:
      return true;
    default:
      return false;
    }
}

gpr_status
gpr_cuda_error (cudaError_t e, const char *what)
{
  int device = 0;

  (void) cudaGetDevice (&device);
  return gpr_cuda_error_of (device, e, what);
}

gpr_status
gpr_cuda_error_of (int device, cudaError_t e, const char *what)
{
  const char *text = cudaGetErrorString (e);

  (void) cudaGetLastError ();
  if (e == cudaErrorMemoryAllocation)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of GPU memory while %s", what);
  if (is_sticky (e))
    {
      if (device < GPR_CUDA_DEVICES)
        lost[device] = true;
      return gpr_cuda_fail (GPR_DEVICE_LOST, "GPU %d was lost while %s (%s), and its arrays with it; " GPR_CUDA_LOST_REMEDY,
                            device + 1, what, text);
    }
  switch (e)
    {
    case cudaErrorDevicesUnavailable:
      return gpr_cuda_fail (GPR_NO_DEVICE, "GPU %d is busy or in exclusive mode and taken by another process (%s); "
                            "nvidia-smi -q -d COMPUTE shows its mode", device + 1, text);
    case cudaErrorNoKernelImageForDevice: case cudaErrorUnsupportedPtxVersion: case cudaErrorInvalidPtx:
    case cudaErrorJitCompilerNotFound: case cudaErrorInvalidKernelImage:
      return gpr_cuda_fail (GPR_NO_DEVICE, "the kernels in this package do not run on GPU %d (%s); install the package again "
                            "with GPUREDUCE_CUDA_ARCHS=native, or a newer driver", device + 1, text);
    case cudaErrorNoDevice: case cudaErrorInvalidDevice: case cudaErrorInsufficientDriver:
    case cudaErrorInitializationError: case cudaErrorSystemDriverMismatch: case cudaErrorSystemNotReady:
    case cudaErrorCompatNotSupportedOnDevice:
      return gpr_cuda_fail (GPR_NO_DEVICE, "no GPU can be used: %s (while %s)", text, what);
    default:
      return gpr_cuda_fail (GPR_CUDA_FAILED, "CUDA refused %s: %s (%s)", what, text, cudaGetErrorName (e));
    }
}
