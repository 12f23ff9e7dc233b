/* src/sim.c: interrupts in time, and nothing left behind on any path.  */

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../src/ladder/variant.h"

static volatile int interrupt;

static void *
press (void *unused)
{
  struct timespec t = { 0, 300000000 };
  nanosleep (&t, NULL);
  interrupt = 1;
  return unused;
}

static int
open_files (void)
{
  int n = 0;
  DIR *d = opendir ("/proc/self/fd");
  while (d && readdir (d))
    n++;
  if (d)
    closedir (d);
  return n;
}

#define EXPECT(c) do { if (! (c)) { printf ("line %d: %s: %s", __LINE__, #c, gpr_message ()); return 1; } } while (0)

int
main (void)
{
  enum { N = 4 << 20 };
  float *x = malloc (N * sizeof *x), value = 0;
  gpr_variant_run r = { .name = "neighbored", .op = LADDER_SUM, .type = LADDER_SINGLE, .finish = LADDER_TWO_PASS, .block = 256,
                        .n = N, .x = x, .value = &value };
  struct timespec from, to;
  pthread_t t;

  for (int i = 0; i < N; i++)
    x[i] = 1;
  int files = open_files ();
  gpr_interrupt_flag = &interrupt;
  EXPECT (pthread_create (&t, NULL, press, NULL) == 0);
  clock_gettime (CLOCK_MONOTONIC, &from);
  EXPECT (gpr_sim_run (&r) == GPR_INTERRUPTED);
  clock_gettime (CLOCK_MONOTONIC, &to);
  pthread_join (t, NULL);
  EXPECT (to.tv_sec - from.tv_sec <= 1);
  EXPECT (open_files () == files);
  interrupt = 0;

  r.n = 1000;
  EXPECT (gpr_sim_run (&r) == GPR_OK && value == 1000);
  r.report = "/nowhere/report";
  EXPECT (gpr_sim_run (&r) == GPR_BAD_INPUT && strstr (gpr_message (), "cannot be written"));
  r.report = NULL;
  setenv ("GPUREDUCE_SIM", "/bin/cat", 1);
  EXPECT (gpr_sim_run (&r) == GPR_UNSUPPORTED);
  setenv ("GPUREDUCE_SIM", "/etc/passwd", 1);
  EXPECT (gpr_sim_run (&r) == GPR_UNSUPPORTED);
  EXPECT (open_files () == files);
  EXPECT (waitpid (-1, NULL, WNOHANG) == -1 && errno == ECHILD);
  return 0;
}
