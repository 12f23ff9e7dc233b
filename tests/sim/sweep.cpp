/* Every variant of the registry: those without a fault run clean and right (the
   simulator compares each result with its own), each bug_* is caught with its kind
   of fault.  Short lengths with every block and finish; long ones so that every two
   of variant, operator, class, finish and block meet.  SWEEP_SEED chooses some of the short ones.

     sweep [full]     full: every operator and class in every combination; the longest
                      input has a million elements instead of 65537, which needs as
                      many levels of partial results  */

#include <algorithm>
#include <map>
#include <sched.h>
#include <set>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../kernels/sim/run.h"
#include "../../kernels/sim/state.h"

struct job { const ladder_variant *v; int op, type, finish, block, n; };
struct outcome { int status, fault; char text[500]; };
static const int type_sizes[] = { 8, 4, 4, 1 };
static long passed, failed;

/* Elements with ties, into file descriptor 3.  */
static void fill (int type, int op, int n)
{
  std::vector<char> room (8 * (size_t) n);
  char *x = room.data ();
  for (int i = 0; i < n; i++)
    {
      int v = op == LADDER_PROD ? (i * 7919 % 5 ? 1 : i % 2 ? 2 : -1) : (int) ((i * 7919L + 13) % 101) - (op == LADDER_HISTOGRAM ? 0 : 50);
      if (type == LADDER_DOUBLE)
        ((double *) x)[i] = v;
      else if (type == LADDER_SINGLE)
        ((float *) x)[i] = (float) v;
      else if (type == LADDER_INT32)
        ((int *) x)[i] = v;
      else
        ((unsigned char *) x)[i] = (unsigned char) v;
    }
  if (pwrite (SIM_FD, x, (size_t) n * type_sizes[type], SIM_PAGE) < 0)
    abort ();
}

/* In a process of its own.  */
static void run_one (const job &j, outcome *o)
{
  static sim_request r;
  static sim_response answer;
  std::vector<double> edges = { 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 101 };
  int fd = memfd_create ("sweep", 0);

  if (fd < 0 || (fd != SIM_FD && dup2 (fd, SIM_FD) < 0) || ftruncate (SIM_FD, 8 * (off_t) j.n + 2 * SIM_PAGE))
    abort ();
  r.op = j.op;
  r.type = j.type;
  r.finish = j.finish;
  r.block = j.block;
  r.n = j.n;
  r.bins = 10;
  r.seconds = 60;
  r.x_at = SIM_PAGE;
  strcpy (r.name, j.v->name);
  fill (j.type, j.op, j.n);
  run_state s = { &r, NULL, edges.data (), &answer, {}, "" };
  failure f = run (s);
  o->status = f.status;
  o->fault = F.kind;
  snprintf (o->text, sizeof o->text, "%s", f.text.c_str ());
  _exit (0);
}

/* As many at once as there are processors for.  */
static outcome *run_all (const std::vector<job> &jobs)
{
  outcome *all = (outcome *) mmap (NULL, jobs.size () * sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::map<pid_t, size_t> running;
  cpu_set_t set;
  size_t most = sched_getaffinity (0, sizeof set, &set) ? 1 : CPU_COUNT (&set);

  for (size_t next = 0; next < jobs.size () || ! running.empty ();)
    if (next < jobs.size () && running.size () < most)
      {
        pid_t child = fork ();
        if (child == 0)
          run_one (jobs[next], &all[next]);
        running[child] = next++;
      }
    else
      {
        int status = 0;
        pid_t child = wait (&status);
        outcome *o = &all[running[child]];
        if (status)
          {
            o->status = -1;
            snprintf (o->text, sizeof o->text, "the simulator died (%d)", status);
          }
        running.erase (child);
      }
  return all;
}

static bool allowed (const job &j)
{
  char why[300];
  return ladder_allows (j.v, j.op, j.type, j.finish, j.block, why, sizeof why) && (j.op != LADDER_HISTOGRAM || j.finish == 0);
}

/* The few of all that the short lengths take: every block and finish for one
   operator and class, some of them for the others.  */
static bool short_one (const job &j)
{
  if (j.v->fault && (j.n < 1000 || j.finish != j.v->default_finish))
    return false;
  if (j.v->kernel[LADDER_SUM][LADDER_SINGLE][0] == NULL && j.op == LADDER_SUM)
    return true;
  if ((j.op == LADDER_SUM && j.type == LADDER_SINGLE) || (j.op == LADDER_ARGMAX && j.type == LADDER_DOUBLE)
      || (j.op == LADDER_HISTOGRAM && j.type == LADDER_UINT8))
    return true;
  return (j.block == 32 || j.block == 256) && (j.n == 33 || j.n == 1000);
}

/* Of all jobs so many that any two values of different columns that meet in one
   of all meet in one of these: the best next one until none is missing.  */
static std::vector<job> pairwise (const std::vector<job> &all)
{
  typedef std::pair<std::pair<int, long>, std::pair<int, long>> meeting;
  auto meetings = [] (const job &j) {
    long columns[] = { (long) j.v, j.op, j.type, j.finish, j.block };
    std::vector<meeting> m;
    for (int a = 0; a < 5; a++)
      for (int b = a + 1; b < 5; b++)
        m.push_back ({ { a, columns[a] }, { b, columns[b] } });
    return m;
  };
  std::set<meeting> missing;
  std::vector<job> chosen;

  for (const job &j : all)
    for (const meeting &m : meetings (j))
      missing.insert (m);
  while (! missing.empty ())
    {
      const job *best = NULL;
      int most = 0;
      for (const job &j : all)
        {
          int news = 0;
          for (const meeting &m : meetings (j))
            news += missing.count (m);
          if (news > most)
            {
              most = news;
              best = &j;
            }
        }
      chosen.push_back (*best);
      for (const meeting &m : meetings (*best))
        missing.erase (m);
    }
  return chosen;
}

static std::vector<job> choose (bool full)
{
  std::vector<job> every, jobs;

  for (int i = 0; i < ladder_count (); i++)
    for (int op = 0; op < LADDER_OPS; op++)
      for (int type = 0; type < LADDER_TYPES; type++)
        for (int finish = 0; finish < LADDER_FINISHES; finish++)
          for (int b = 0; b < LADDER_BLOCKS; b++)
            {
              job j = { ladder_at (i), op, type, finish, 32 << b, 0 };
              if (allowed (j))
                every.push_back (j);
            }
  for (job j : every)
    for (int n : { 1, 31, 32, 33, 255, 256, 257, 1000 })
      {
        j.n = n;
        if (full || (short_one (j) && (j.v->fault || random () % 5 < 1)))
          jobs.push_back (j);
      }
  every.erase (std::remove_if (every.begin (), every.end (), [] (const job &j) { return j.v->fault; }), every.end ());
  std::vector<job> lasting = pairwise (every);
  const int most = full ? 1000003 : 65537, less = full ? 65537 : 8191;
  printf ("%zu of %zu combinations at %d and %d\n", lasting.size (), every.size (), less, most);
  for (job j : lasting)
    for (int n : { most, less })
      {
        j.n = n;
        jobs.push_back (j);
      }
  std::stable_sort (jobs.begin (), jobs.end (), [] (const job &a, const job &b) { return a.n > b.n; });
  return jobs;
}

int main (int argc, char **argv)
{
  const char *seed = getenv ("SWEEP_SEED");
  const unsigned from = seed ? (unsigned) atol (seed) : (unsigned) time (NULL);
  printf ("seed %u (SWEEP_SEED sets it)\n", from);
  srandom (from);
  module_of ((const void *) &ladder_count);      /* its symbols once, not in every child */
  std::vector<job> jobs = choose (argc > 1 && ! strcmp (argv[1], "full"));
  outcome *all = run_all (jobs);
  std::map<const ladder_variant *, long> runs;
  std::map<const ladder_variant *, bool> caught;

  for (size_t i = 0; i < jobs.size (); i++)
    {
      const job &j = jobs[i];
      const outcome &o = all[i];
      runs[j.v]++;
      if (j.v->fault)
        caught[j.v] |= o.status == BAD_INPUT && ! strcmp (fault_names[o.fault], j.v->fault);
      else if (o.status == OK)
        passed++;
      else if (failed++ < 20)
        printf ("FAILED: %s %s %s %s block %d n %d: %s\n", j.v->name, ladder_op_names[j.op], ladder_type_names[j.type],
                ladder_finish_names[j.finish], j.block, j.n, o.text);
    }
  for (int i = 0; i < ladder_count (); i++)
    {
      const ladder_variant *v = ladder_at (i);
      bool here = false;        /* a library's row has no kernels in the simulator */
      for (int op = 0; op < LADDER_OPS; op++)
        for (int type = 0; type < LADDER_TYPES; type++)
          here = here || ladder_has (v, op, type);
      if (! here)
        continue;
      bool good = v->fault ? caught[v] : runs[v] > 0;
      (good ? passed : failed)++;
      if (! good)
        printf ("FAILED: %s %s\n", v->name, v->fault ? "is not caught" : "did not run");
    }
  printf ("sweep: %ld right, %ld wrong\n", passed, failed);
  return failed != 0;
}
