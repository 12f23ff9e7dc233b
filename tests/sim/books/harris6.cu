/* Completely unrolled: the block's size is a template argument.  */

template <unsigned int blockSize>
__device__ void last_warp6 (volatile int *s, unsigned t)
{
  int v = s[t];
  if (blockSize >= 64) { v += s[t + 32]; __syncwarp (); s[t] = v; __syncwarp (); }
  if (blockSize >= 32) { v += s[t + 16]; __syncwarp (); s[t] = v; __syncwarp (); }
  if (blockSize >= 16) { v += s[t + 8]; __syncwarp (); s[t] = v; __syncwarp (); }
  if (blockSize >= 8) { v += s[t + 4]; __syncwarp (); s[t] = v; __syncwarp (); }
  if (blockSize >= 4) { v += s[t + 2]; __syncwarp (); s[t] = v; __syncwarp (); }
  if (blockSize >= 2) { v += s[t + 1]; __syncwarp (); s[t] = v; }
}

template <unsigned int blockSize>
__global__ void harris6 (int *in, int *out)
{
  extern __shared__ int s6[];
  unsigned t = threadIdx.x, i = blockIdx.x * (blockSize * 2) + threadIdx.x;

  s6[t] = in[i] + in[i + blockSize];
  __syncthreads ();
  if (blockSize >= 1024) { if (t < 512) s6[t] += s6[t + 512]; __syncthreads (); }
  if (blockSize >= 512) { if (t < 256) s6[t] += s6[t + 256]; __syncthreads (); }
  if (blockSize >= 256) { if (t < 128) s6[t] += s6[t + 128]; __syncthreads (); }
  if (blockSize >= 128) { if (t < 64) s6[t] += s6[t + 64]; __syncthreads (); }
  if (t < 32)
    last_warp6<blockSize> (s6, t);
  if (t == 0)
    out[blockIdx.x] = s6[0];
}

PLAIN_REDUCE_BY_BLOCK (harris6, int, v.per_thread = 2, v.blocks = LADDER_ALL_BLOCKS & ~1u)
