/* For programs that compare a kernel of engine/, KERNEL, launched by src/cuda/ on a fake runtime (tests/unit/fake_cuda), with the CPU
   backend.  HEADER: of the problem.  */

#include "cuda.h"

#include <atomic>
#include <cfloat>
#include <cstdarg>
#include <ctime>
using std::atomic_bool, std::atomic_long;

#include KERNEL
#define class class_            /* a name in C */
extern "C" {
#include "../../kernels/engine/reduce.h"
#include "../unit/test.h"
#include HEADER
#include "../../src/cuda/memory.h"
#include "../../src/cuda/problems.h"
#include "../../src/cuda/session.h"
#include "../../src/cuda/stream.h"
#include "../unit/fake_cuda/fake_cuda.h"
#undef class
volatile int never, *gpr_interrupt_flag = &never;
gpr_status gpr_fail (gpr_status status, const char *, ...) { return status; }
const gpr_reduce_kernels *gpr_engine_sum (enum gpr_instance) { static const gpr_reduce_kernels none = {}; return &none; }        /* which device.c loads */
int gpr_cpu_threads () { return 1; }
void gpr_cpu_note_pool () {}
}

static gpr_settings settings;
static gpr_status note (gpr_status status, const char *, ...) { return status; }
static gpr_cuda_state *device;
static uint64_t launch_seed = 1;

/* device: the fake one, whose kernels run launches; their arguments have so many bytes, or as many as bytes_of says of each.  */
static bool begin_on_device (decltype (fake_run_kernel) run, size_t bytes, decltype (fake_argument_bytes_of) bytes_of = nullptr)
{
  static volatile int *flag = &never;

  gpr_host = { &flag, &settings, note, nullptr, nullptr };
  fake_run_kernel = run;
  fake_argument_bytes = bytes;
  fake_argument_bytes_of = bytes_of;
  const bool begun = gpr_cuda_enter (&device, nullptr, nullptr, nullptr) == GPR_OK;
  fake_late_us = 0;
  return begun;
}
