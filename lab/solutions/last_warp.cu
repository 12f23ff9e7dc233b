/* last_warp: the last six steps without a barrier of the block.

   From 64 values on only one warp has work.  Why should the others wait?  This is how it was
   written for the GPUs of before 2017, whose lanes went in step: no barrier at all.  The lanes
   of today's GPUs do not.  Repair it, with __syncwarp () and not with __syncthreads ().

   TODO 1: let a lane read only what all lanes have written: a __syncwarp () between steps.
   TODO 2: let only those lanes write whose sums are still wanted: 16, then 8, 4, 2, 1.
   TODO 3: in a block of 32 there is no s[t + 32].  */

__global__ void last_warp (const int *in, int *out, unsigned n)
{
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  s[t] = i < n ? in[i] : 0;
  __syncthreads ();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2)
    {
      if (t < stride)
        s[t] += s[t + stride];
      __syncthreads ();
    }

  if (t < 32)
    {
      if (blockDim.x >= 64)
        s[t] += s[t + 32];
      __syncwarp ();
      if (t < 16)
        s[t] += s[t + 16];
      __syncwarp ();
      if (t < 8)
        s[t] += s[t + 8];
      __syncwarp ();
      if (t < 4)
        s[t] += s[t + 4];
      __syncwarp ();
      if (t < 2)
        s[t] += s[t + 2];
      __syncwarp ();
      if (t < 1)
        s[t] += s[t + 1];
    }

  if (t == 0)
    out[blockIdx.x] = s[0];
}

PLAIN_REDUCE (last_warp, int)
