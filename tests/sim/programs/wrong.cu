/* A whole program with many faults of the host's part, one a run: its argument names which.  The line of the fault
   is marked HERE; ./wrong.cu NAME gives the fault that `cases` says, or none with a note, "".  */

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>

static const int n = 1000;
static float own[1000];
__device__ int counter;
__constant__ float factors[4];
__device__ volatile int flag;

__global__ void twice (const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];                                 /* HERE not_copied */ /* HERE host_pointer */ /* HERE host_array */ /* HERE half_copied */ /* HERE never_set */ /* HERE used_after_free */
}

__global__ void all (float *x)
{
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;         /* HERE too_few_bytes */
}

__global__ void total (const float *x, float *sum, int n)
{
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd (sum, x[i]);
}

__global__ void add_plainly (void)
{
  counter = counter + 1;                                /* HERE race_on_variable */
}

__global__ void write_constant (void)
{
  factors[threadIdx.x % 4] = 1;                         /* HERE writes_constant */
}

__global__ void with_shared (float *x)
{
  extern __shared__ float s[];
  s[threadIdx.x] = 1;
  x[threadIdx.x] = s[threadIdx.x];
}

__global__ void spin (void)
{
  while (! flag)                                        /* HERE spins */
    ;
}

__global__ void count_down (unsigned *x, unsigned n)
{
  unsigned v = 0;
  for (unsigned i = n; i != 0; i -= 2) v += i;          /* HERE kernel_without_end */
  *x = v;
}

static float *device (size_t count = n)
{
  float *d;
  cudaMalloc (&d, count * sizeof (float));
  return d;
}

static void not_copied (void)
{
  float *d_in = device (), *d_out = device ();
  twice<<<4, 256>>> (d_in, d_out, n);
}
static void half_copied (void)
{
  float *d_in, *d_out = device ();
  cudaMalloc (&d_in, n * sizeof (float));
  cudaMemcpy (d_in, own, n, cudaMemcpyHostToDevice);
  twice<<<4, 256>>> (d_in, d_out, n);
}
static void host_pointer (void)
{
  float *h = (float *) malloc (n * sizeof (float));
  twice<<<4, 256>>> (h, device (), n);
}
static void host_array (void)
{
  twice<<<4, 256>>> (own, device (), n);
}
static void never_set (void)
{
  float *d_in = NULL;
  twice<<<4, 256>>> (d_in, device (), n);
}
static void used_after_free (void)
{
  float *d_in = device ();
  cudaFree (d_in);
  twice<<<4, 256>>> (d_in, device (), n);
}
static void read_on_host (void)
{
  float *d = device ();
  cudaMemcpy (d, own, n * sizeof (float), cudaMemcpyHostToDevice);
  printf ("%g\n", d[3]);                                /* HERE read_on_host */
}
static void written_on_host (void)
{
  float *d = device ();
  for (int i = 0; i < n; i++)
    d[i] = i;                                           /* HERE written_on_host */
}
static void filled_on_host (void)
{
  float *d = device ();
  memset (d, 0, n * sizeof (float));                    /* HERE filled_on_host */
}
static void printed_on_host (void)
{
  char *d = (char *) device ();
  printf ("%s\n", d);                                   /* HERE printed_on_host */
}
static void variable_on_host (void)
{
  counter = 3;                                          /* HERE variable_on_host */
}
static void wrong_direction (void)
{
  float *d = device ();
  cudaMemcpy (d, own, n * sizeof (float), cudaMemcpyDeviceToHost);      /* HERE wrong_direction */
}
static void wrong_order (void)
{
  float *d = device ();
  cudaMemset (d, 0, n * sizeof (float));
  cudaMemcpy (d, own, n * sizeof (float), cudaMemcpyDeviceToHost);      /* HERE wrong_order */
}
static void two_of_host (void)
{
  std::vector<float> a (n), b (n);
  cudaMemcpy (a.data (), b.data (), n * sizeof (float), cudaMemcpyHostToDevice);        /* HERE two_of_host */
}
static void copy_too_large (void)
{
  float *d = device (100);
  cudaMemcpy (d, own, n * sizeof (float), cudaMemcpyHostToDevice);      /* HERE copy_too_large */
}
static void sizeof_forgotten (void)
{
  float *d;
  cudaMalloc (&d, n);
  cudaMemcpy (d, own, n * sizeof (float), cudaMemcpyHostToDevice);      /* HERE sizeof_forgotten */
}
static void host_too_small (void)
{
  float *d = device (), *h = new float[10];
  cudaMemset (d, 0, n * sizeof (float));
  cudaMemcpy (h, d, n * sizeof (float), cudaMemcpyDeviceToHost);        /* HERE host_too_small */
}
static void symbol_too_small (void)
{
  float h[8] = {};
  cudaMemcpyToSymbol (factors, h, sizeof h);            /* HERE symbol_too_small */
}
static void too_few_bytes (void)
{
  float *d;
  cudaMalloc (&d, n);
  all<<<1, 256>>> (d);
}
static void freed_twice (void)
{
  float *d = device ();
  cudaFree (d);
  cudaFree (d);                                         /* HERE freed_twice */
}
static void freed_by_free (void)
{
  free (device ());                                     /* HERE freed_by_free */
}
static void host_freed (void)
{
  cudaFree (malloc (10));                               /* HERE host_freed */
}
static void freed_within (void)
{
  float *d = device ();
  cudaFree (d + 1);                                     /* HERE freed_within */
}
static void pinned_freed (void)
{
  float *h;
  cudaMallocHost (&h, 400);
  cudaFree (h);                                         /* HERE pinned_freed */
}
static void too_many_threads (void)
{
  all<<<1, 2048>>> (device (2048));                     /* HERE too_many_threads */
}
static void no_blocks (void)
{
  all<<<n / 1024, 1024>>> (device ());                  /* HERE no_blocks */
}
static void too_much_shared (void)
{
  with_shared<<<1, 32, 100000>>> (device ());           /* HERE too_much_shared */
  cudaDeviceSynchronize ();
}
static void not_waited (void)
{
  float *x, *sum;
  cudaMallocManaged (&x, n * sizeof (float));
  cudaMallocManaged (&sum, sizeof (float));
  for (int i = 0; i < n; i++)
    x[i] = 1;
  *sum = 0;
  total<<<1, 128>>> (x, sum, n);
  printf ("%g\n", *sum);                                /* HERE not_waited */
}
static void written_too_soon (void)
{
  float *x, *sum = device (1);
  cudaMallocManaged (&x, n * sizeof (float));
  for (int i = 0; i < n; i++)
    x[i] = 1;
  cudaMemset (sum, 0, sizeof (float));
  total<<<1, 128>>> (x, sum, n);
  x[5] = 2;                                             /* HERE written_too_soon */
}
static void managed_too_far (void)
{
  int *x;
  cudaMallocManaged (&x, n * sizeof (int));
  for (int i = 0; i <= n; i++)
    x[i] = i;                                           /* HERE managed_too_far */
}
static void race_on_variable (void)
{
  add_plainly<<<2, 64>>> ();
}
static void writes_constant (void)
{
  write_constant<<<1, 4>>> ();
}
static void spins (void)
{
  spin<<<1, 32>>> ();
}
static void kernel_without_end (void)
{
  count_down<<<1, 32>>> ((unsigned *) device (), 999);
}
static void host_without_end (void)
{
  for (volatile int i = 1; i; )                         /* HERE host_without_end */
    ;
}
static void host_crashes (void)
{
  volatile int *p = (int *) 12;
  *p = 3;                                               /* HERE host_crashes */
}
static void aborts (void)
{
  abort ();                                             /* HERE aborts */
}
/* These are no faults: the sentence at the end tells of them.  */
static void never_freed (void)
{
  device ();
}
static void asked_for_the_error (void)
{
  all<<<1, 2048>>> (device (2048));
  printf ("%s\n", cudaGetErrorString (cudaGetLastError ()));
}
static void copies_nothing (void)
{
  float *d = device ();
  cudaMemcpy (own, d, n * sizeof (float), cudaMemcpyDeviceToHost);
  cudaFree (d);
}
static void too_much_memory (void)
{
  float *d;
  printf ("%d\n", cudaMalloc (&d, (size_t) 1 << 40));
}

#define CASE(name, kind) { #name, name, kind }
static const struct { const char *name; void (*run) (void); const char *kind; } cases[] = {
  CASE (not_copied, "uninitialised read"), CASE (half_copied, "uninitialised read"), CASE (host_pointer, "host memory in a kernel"),
  CASE (host_array, "host memory in a kernel"), CASE (never_set, "out of bounds"), CASE (used_after_free, "out of bounds"),
  CASE (read_on_host, "device memory on the host"), CASE (written_on_host, "device memory on the host"),
  CASE (filled_on_host, "device memory on the host"), CASE (printed_on_host, "device memory on the host"),
  CASE (variable_on_host, "device memory on the host"), CASE (wrong_direction, "wrong copy"), CASE (wrong_order, "wrong copy"),
  CASE (two_of_host, "wrong copy"), CASE (copy_too_large, "wrong copy"), CASE (sizeof_forgotten, "wrong copy"),
  CASE (host_too_small, "wrong copy"), CASE (symbol_too_small, "wrong copy"), CASE (too_few_bytes, "out of bounds"),
  CASE (freed_twice, "wrong free"), CASE (freed_by_free, "wrong free"), CASE (host_freed, "wrong free"), CASE (freed_within, "wrong free"),
  CASE (pinned_freed, "wrong free"), CASE (too_many_threads, "failed launch"), CASE (no_blocks, "failed launch"),
  CASE (too_much_shared, "failed launch"), CASE (not_waited, "race"), CASE (written_too_soon, "race"), CASE (managed_too_far, "out of bounds"),
  CASE (race_on_variable, "race"), CASE (writes_constant, "out of bounds"), CASE (spins, "deadlock"), CASE (kernel_without_end, "time limit"),
  CASE (host_without_end, "time limit"), CASE (host_crashes, "crash"), CASE (aborts, "crash"),
  CASE (never_freed, ""), CASE (asked_for_the_error, ""), CASE (copies_nothing, ""), CASE (too_much_memory, "")
};

int main (int argc, char **argv)
{
  for (const auto &c : cases)
    if (argc < 2)
      printf ("%s:%s\n", c.name, c.kind);
    else if (! strcmp (argv[1], c.name))
      c.run ();
  return 0;
}
