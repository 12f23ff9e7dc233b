/* Many elements a thread.  */

template <unsigned int blockSize>
__device__ void last_warp7 (volatile int *s, unsigned t)
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
__global__ void harris7 (int *in, int *out, unsigned int n)
{
  extern __shared__ int s7[];
  unsigned t = threadIdx.x, i = blockIdx.x * (blockSize * 2) + t, width = blockSize * 2 * gridDim.x;

  s7[t] = 0;
  while (i < n)
    {
      s7[t] += in[i] + (i + blockSize < n ? in[i + blockSize] : 0);
      i += width;
    }
  __syncthreads ();
  if (blockSize >= 1024) { if (t < 512) s7[t] += s7[t + 512]; __syncthreads (); }
  if (blockSize >= 512) { if (t < 256) s7[t] += s7[t + 256]; __syncthreads (); }
  if (blockSize >= 256) { if (t < 128) s7[t] += s7[t + 128]; __syncthreads (); }
  if (blockSize >= 128) { if (t < 64) s7[t] += s7[t + 64]; __syncthreads (); }
  if (t < 32)
    last_warp7<blockSize> (s7, t);
  if (t == 0)
    out[blockIdx.x] = s7[0];
}

PLAIN_REDUCE_BY_BLOCK (harris7, int, v.per_thread = 2, v.grid_stride = true, v.blocks = LADDER_ALL_BLOCKS & ~1u)
