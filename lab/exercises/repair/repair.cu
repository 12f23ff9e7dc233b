/* repair: three kernels, a bug in each.

   Each of them has stood in a text in much this way.  Add the file, run a kernel, read the
   message, mend what it names, and add the file again.  No kernel needs more than three
   lines changed.  */

/* A block adds up two elements for each of its threads.  */
__global__ void repair_a (const int *in, int *out, unsigned n)
{
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * (2 * blockDim.x) + t;
  int v = 0;

  if (i < n)
    v = in[i] + in[i + blockDim.x];
  s[t] = v;
  __syncthreads ();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
    {
      if (t < half)
        s[t] += s[t + half];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
PLAIN_REDUCE (repair_a, int, v.per_thread = 2)

/* A thread without an element has nothing to add.  */
__global__ void repair_b (const int *in, int *out, unsigned n)
{
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  s[t] = 0;
  if (i >= n)
    return;
  s[t] = in[i];
  __syncthreads ();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
    {
      if (t < half)
        s[t] += s[t + half];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
PLAIN_REDUCE (repair_b, int)

/* The last warp adds up with shuffles, in registers.  */
__global__ void repair_c (const int *in, int *out, unsigned n)
{
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  s[t] = i < n ? in[i] : 0;
  __syncthreads ();
  for (unsigned half = blockDim.x / 2; half > 32; half /= 2)
    {
      if (t < half)
        s[t] += s[t + half];
      __syncthreads ();
    }
  int v = s[t];
  if (t < 32)
    for (int lanes = 16; lanes > 0; lanes /= 2)
      v += __shfl_down_sync (0xffffffffu, v, lanes);
  if (t == 0)
    out[blockIdx.x] = v;
}
PLAIN_REDUCE (repair_c, int)
