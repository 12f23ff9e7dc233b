/* Fourier transforms by cuFFT, of complex numbers and in place: the input is brought to the result's memory first, with zeros
   appended or elements left out, and divided for the inverse.  */

#include "libraries.h"
#include "memory.h"
#include "problems.h"
#include "stream.h"
#include "../core/map.h"
#include "../core/solve.h"

#ifdef GPR_CUDA_HAS_LIBRARIES

static int64_t
size_of (const gpr_array *a, int d)
{
  return d < a->ndims ? a->dims[d] : 1;
}

/* The elements of x that are in z too, where they belong in it; z is zero where they do not reach.  */
static gpr_status
fill (gpr_cuda_state *s, gpr_fourier *p, double divisor)
{
  const gpr_array *x = p->x, *z = p->z;
  const bool single = z->class == GPR_CLASS_single;
  const int64_t each = single ? sizeof (float) : sizeof (double);
  gpr_map_step steps[2] = { { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF, .single = single },
                            { .op = GPR_MAP_rdivide, .operand = GPR_MAP_NUMBER, .number = divisor, .single = single } };
  gpr_mapping m = { .leaves = 1, .x = { x->data }, .placed = true, .steps = divisor == 1 ? 1 : 2, .step = steps, .class = z->class, .z = (void *) z->data };
  int64_t step = x->complex ? 2 : 1, to_step = 2;
  bool same = x->complex;

  if (z->ndims >= GPR_MAX_DIMS)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "too many dimensions");
  m.classes[0] = x->class;
  if (x->complex)
    {
      m.dims[0] = 2;
      m.strides[0][0] = m.strides[GPR_MAP_LEAVES][0] = 1;
      m.rank = 1;
    }
  for (int d = 0; d < z->ndims; d++, m.rank++)
    {
      m.dims[m.rank] = gpr_min64 (size_of (x, d), z->dims[d]);
      m.strides[0][m.rank] = step;
      m.strides[GPR_MAP_LEAVES][m.rank] = to_step;
      step *= size_of (x, d);
      to_step *= z->dims[d];
      same = same && size_of (x, d) == z->dims[d];
    }
  s->idle = false;
  if (same && divisor == 1)
    {
      GPR_CUDA_TRY (cudaMemcpyAsync (m.z, x->data, (size_t) (to_step * each), cudaMemcpyDeviceToDevice, s->work), "copying on the GPU");
      return GPR_OK;
    }
  if (! same)
    GPR_CUDA_TRY (cudaMemsetAsync (m.z, 0, (size_t) (to_step * each), s->work), "clearing GPU memory");
  return gpr_cuda_map (s, &m);
}

/* Transforms dimensions first to below end, three at most, which lie behind inner elements and before outer ones: of these two the
   library goes through the more numerous.  */
static gpr_status
pass (gpr_cuda_state *s, const gpr_cufft *f, gpr_fourier *p, int first, int end)
{
  const gpr_array *z = p->z;
  gpr_fft_key key = { .single = z->class == GPR_CLASS_single };
  const int direction = p->task->inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
  const int64_t each = 2 * (key.single ? (int64_t) sizeof (float) : (int64_t) sizeof (double));
  int64_t inner = 1, outer = 1, whole = 1;
  cufftHandle plan;
  size_t bytes;
  void *work;

  for (int d = 0; d < first; d++)
    inner *= z->dims[d];
  for (int d = first; d < end; d++)
    if (z->dims[d] > 1)
      {
        key.n[key.rank++] = z->dims[d];
        whole *= z->dims[d];
      }
  for (int d = end; d < z->ndims; d++)
    outer *= z->dims[d];
  if (key.rank == 0)
    return GPR_OK;
  const bool through_outer = inner <= outer;
  const int64_t calls = through_outer ? inner : outer, apart = through_outer ? 1 : inner * whole;
  key.stride = inner;
  key.distance = through_outer ? inner * whole : 1;
  key.batch = through_outer ? outer : inner;
  GPR_TRY (gpr_cuda_fft_plan (s, &key, &plan, &bytes));
  GPR_TRY (gpr_cuda_take (s, &work, bytes > 0 ? bytes : 1));
  gpr_status status = GPR_OK;
  cufftResult result = f->cufftSetWorkArea (plan, work);
  for (int64_t k = 0; k < calls && result == CUFFT_SUCCESS && status == GPR_OK; k++)
    {
      char *at = (char *) (uintptr_t) z->data + k * apart * each;
      s->idle = false;
      result = key.single ? f->cufftExecC2C (plan, (cufftComplex *) at, (cufftComplex *) at, direction)
                          : f->cufftExecZ2Z (plan, (cufftDoubleComplex *) at, (cufftDoubleComplex *) at, direction);
      if (gpr_cuda_interrupted ())
        status = gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
    }
  if (status == GPR_OK && result != CUFFT_SUCCESS)
    status = gpr_cuda_library_error (s, "cuFFT", result, result == CUFFT_ALLOC_FAILED, "transforming");
  if (status != GPR_OK)
    gpr_cuda_finish (s);
  gpr_cuda_give (work);         /* what takes it next is later on the same stream */
  return status;
}

static gpr_status
run (gpr_cuda_state *s, gpr_fourier *p)
{
  const gpr_fourier_task *task = p->task;
  const gpr_cufft *f;
  gpr_cuda_slot *slot;
  double divisor = 1;

  GPR_TRY (gpr_cuda_use_fft (s, &f));
  const double begun = gpr_cuda_now_ms ();
  for (int d = task->first; d < task->end && task->inverse; d++)
    divisor *= (double) p->z->dims[d];
  GPR_TRY (fill (s, p, divisor));
  for (int d = task->first, end; d < task->end; d = end)
    {
      int rank = 0;
      for (end = d; end < task->end && rank + (p->z->dims[end] > 1) <= 3; end++)
        rank += p->z->dims[end] > 1;
      GPR_TRY (pass (s, f, p, d, end));
    }
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  GPR_TRY (gpr_cuda_drain (s));
  s->transfer_ms = 0;
  s->kernel_ms = gpr_cuda_now_ms () - begun;
  return GPR_OK;
}

gpr_status
gpr_cuda_fourier (gpr_cuda_state *s, gpr_fourier *p)
{
  gpr_status status = run (s, p);
  gpr_cuda_finish (s);
  return status;
}

#else

gpr_status
gpr_cuda_fourier (gpr_cuda_state *s, gpr_fourier *p)
{
  (void) s;
  (void) p;
  return gpr_cuda_fail (GPR_UNSUPPORTED, "built without cuFFT");
}

#endif
