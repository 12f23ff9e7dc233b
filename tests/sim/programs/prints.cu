/* What threads print comes with what the host prints, bounded; the program ends by exit.  */

#include <stdio.h>
#include <stdlib.h>

__global__ void hello ()
{
  printf ("hello from thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

int main (int argc, char **argv)
{
  printf ("before\n");
  hello<<<2, 2>>> ();
  cudaDeviceSynchronize ();
  fprintf (stderr, "after\n");
  for (int i = 0; i < (argc > 1 ? atoi (argv[1]) : 0); i++)
    puts ("much");
  exit (7);
}
