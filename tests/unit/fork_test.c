/* A child of fork () inherits OpenMP's pool without its threads: it must still
   answer, alone, and in time.  */

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "test.h"
#include "../../src/core/gpr.h"
#include "../../src/cpu/cpu.h"

enum { N = 1 << 20 };
static double x[N];

static bool answers (void)
{
  double sum, counts[10], edges[10];
  gpr_reduction r = { .instance = GPR_sum_f64, .inner = 1, .length = N, .outer = 1, .x = x, .value = &sum };
  gpr_counting c = { .elem = GPR_f64, .inner = 1, .length = N, .outer = 1, .x = x, .rule = GPR_BIN_EDGES, .bins = 10, .edges = edges,
                     .counts = counts };
  for (int k = 0; k < 10; k++)
    edges[k] = k;
  return gpr_reduce (&gpr_cpu_backend, &r) == GPR_OK && sum == N && gpr_cpu_backend.count (&c) == GPR_OK && counts[1] == N;
}

/* Exit status of a child that asks; -1: it hung.  */
static int child (bool (*ask) (void))
{
  int status = -1;
  pid_t pid;
  fflush (stdout);
  pid = fork ();
  if (pid == 0)
    _exit (ask () ? 0 : 1);
  for (double start = seconds (); seconds () - start < 20; usleep (1000))
    if (waitpid (pid, &status, WNOHANG) == pid)
      return WIFEXITED (status) ? WEXITSTATUS (status) : 100 + WTERMSIG (status);
  kill (pid, SIGKILL);
  waitpid (pid, &status, 0);
  return -1;
}

static bool grandchild_answers (void) { return answers () && child (answers) == 0; }

int main (void)
{
  for (int i = 0; i < N; i++)
    x[i] = 1;
  gpr_config.threads = 4;

  rule ("child_before_the_pool_answers");
  expect (child (answers) == 0, "child");
  rule ("child_after_the_pool_answers");
  expect (answers (), "parent");
  expect (child (answers) == 0, "child: %d (-1: hung)", child (answers));
  rule ("childs_child_answers");
  expect (child (grandchild_answers) == 0, "grandchild");
  rule ("parent_still_answers");
  expect (answers (), "parent");
  return verdict ();
}
