/* loads: few threads for many elements, four elements a load.

   A thread of this kernel goes through the whole array, in steps as wide as the grid, and
   each of its loads brings 16 bytes, an int4: p.x, p.y, p.z and p.w.  The last one, two or
   three elements fill no int4 and are read one by one.  (in begins at a multiple of 16
   bytes, as what cudaMalloc returns does.)  The sum of the block is written already.  */

__global__ void loads (const int *in, int *out, unsigned n)
{
  __shared__ int s[32];
  unsigned t = threadIdx.x;
  unsigned me = blockIdx.x * blockDim.x + t;    /* the thread's number in the grid */
  unsigned all = gridDim.x * blockDim.x;        /* threads of the grid */
  const int4 *packs = (const int4 *) in;        /* packs[i] is in[4 i] to in[4 i + 3] */
  int v = 0;

  for (unsigned i = me; i < n / 4; i += all)
    {
      int4 p = packs[i];
      v += p.x + p.y + p.z + p.w;
    }
  if (me < n % 4)               /* the elements after the last whole pack */
    v += in[n / 4 * 4 + me];

  for (int lanes = 16; lanes > 0; lanes /= 2)
    v += __shfl_down_sync (0xffffffffu, v, lanes);
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads ();
  if (t == 0)
    {
      for (unsigned w = 1; w < blockDim.x / 32; w++)
        v += s[w];
      out[blockIdx.x] = v;
    }
}

PLAIN_REDUCE (loads, int, v.grid_stride = true, v.per_thread = 4, v.shared_per_thread = 0)
