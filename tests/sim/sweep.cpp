/* Every variant of the registry, over its blocks, finishes and lengths up to 1000:
   those without a fault run clean and right (the simulator compares each result
   with its own), each bug_* is caught with its kind of fault.

     sweep [full]     full: every operator and class in every combination  */

#define main simulator_main
#include "../../kernels/sim/main.cpp"
#undef main

#include <sys/wait.h>

struct outcome { int status, fault; char text[1000]; };
static outcome *shared_outcome;
enum { MOST = 1000003 };
static const int type_sizes[] = { 8, 4, 4, 1 };
static long passed, failed;

static const ladder_variant *find (const char *name)
{
  for (int i = 0; i < ladder_count (); i++)
    if (! strcmp (ladder_at (i)->name, name))
      return ladder_at (i);
  return NULL;
}

/* Elements with ties, in file descriptor 3.  */
static void fill (int type, int op, int n)
{
  static std::vector<char> room (8 * (MOST + 1));
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

static void run_one (const ladder_variant *v, int op, int type, int finish, int block, int n)
{
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      static sim_request r;
      static sim_response answer;
      std::vector<double> edges = { 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 101 };
      r.op = op;
      r.type = type;
      r.finish = finish;
      r.block = block;
      r.n = n;
      r.bins = 10;
      r.seconds = 20;
      r.x_at = SIM_PAGE;
      strcpy (r.name, v->name);
      fill (type, op, n);
      run_state s = { &r, NULL, edges.data (), &answer, {}, "" };
      failure f = run (s);
      shared_outcome->status = f.status;
      shared_outcome->fault = F.kind;
      snprintf (shared_outcome->text, sizeof shared_outcome->text, "%s", f.text.c_str ());
      _exit (0);
    }
  int status = 0;
  waitpid (child, &status, 0);
  if (status)
    {
      shared_outcome->status = -1;
      snprintf (shared_outcome->text, sizeof shared_outcome->text, "the simulator died (%d)", status);
    }
}

static void say (bool good, const ladder_variant *v, int op, int type, int finish, int block, int n)
{
  if (good)
    {
      passed++;
      return;
    }
  if (failed++ < 20)
    printf ("FAILED: %s %s %s %s block %d n %d: %s\n", v->name, ladder_op_names[op], ladder_type_names[type], ladder_finish_names[finish],
            block, n, shared_outcome->status ? shared_outcome->text : "no fault");
}

int main (int argc, char **argv)
{
  static const int lengths[] = { 1, 31, 32, 33, 255, 256, 257, 1000 };
  bool full = argc > 1 && ! strcmp (argv[1], "full");
  char name[] = "/tmp/gpureduce-XXXXXX";
  int fd = mkstemp (name);

  unlink (name);
  if (fd < 0 || (fd != SIM_FD && dup2 (fd, SIM_FD) < 0) || ftruncate (SIM_FD, 8 * MOST + 2 * SIM_PAGE))
    return 2;
  module_of ((const void *) &ladder_count);      /* its symbols once, not in every child */
  shared_outcome = (outcome *) mmap (NULL, sizeof *shared_outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  for (int i = 0; i < ladder_count (); i++)
    {
      const ladder_variant *v = ladder_at (i);
      bool caught = false;
      std::string last;
      long before = passed;
      for (int op = 0; op < LADDER_OPS; op++)
        for (int type = 0; type < LADDER_TYPES; type++)
          for (int finish = 0; finish < LADDER_FINISHES; finish++)
            for (int b = 0; b < LADDER_BLOCKS; b++)
              for (int n : lengths)
                {
                  int block = 32 << b;
                  char why[300];
                  bool histogram = v->family == LADDER_FAMILY_HISTOGRAM;
                  if (! ladder_allows (v, op, type, finish, block, why, sizeof why) || (histogram && finish > 0))
                    continue;
                  bool all = full || (op == LADDER_SUM && type == LADDER_SINGLE) || (op == LADDER_ARGMAX && type == LADDER_DOUBLE)
                    || (histogram && type == LADDER_UINT8) || (op == LADDER_SUM && v->kernel[LADDER_SUM][LADDER_SINGLE][b] == NULL);
                  if (! all && ! ((b == 0 || b == 3) && (n == 33 || n == 1000)))
                    continue;
                  if (v->fault && (n < 1000 || finish != v->default_finish))
                    continue;
                  run_one (v, op, type, finish, block, n);
                  if (! v->fault)
                    say (shared_outcome->status == OK, v, op, type, finish, block, n);
                  else if (shared_outcome->status == BAD_INPUT && ! strcmp (fault_names[shared_outcome->fault], v->fault))
                    caught = true;
                  else
                    last = shared_outcome->status == OK ? "no fault" : shared_outcome->text;
                }
      /* Long inputs: each finish with some block.  */
      int op = v->family == LADDER_FAMILY_REDUCE ? LADDER_SUM : v->family == LADDER_FAMILY_ARGMAX ? LADDER_ARGMAX : LADDER_HISTOGRAM;
      int type = ladder_has (v, op, LADDER_SINGLE) ? LADDER_SINGLE : LADDER_INT32;
      for (int finish = 0, turn = i; ! v->fault && finish < LADDER_FINISHES; finish++, turn++)
        {
          char why[300];
          int block = 32 << turn % LADDER_BLOCKS;
          if (! ladder_allows (v, op, type, finish, block, why, sizeof why) || (op == LADDER_HISTOGRAM && finish > 0))
            continue;
          int n = full ? MOST : 65537;
          run_one (v, op, type, finish, block, n);
          say (shared_outcome->status == OK, v, op, type, finish, block, n);
        }
      if (v->fault)
        {
          (caught ? passed : failed)++;
          if (! caught)
            printf ("FAILED: %s is not caught as %s: %s\n", v->name, v->fault, last.c_str ());
        }
      else if (passed == before && ladder_has (v, op, type))
        {
          failed++;
          printf ("FAILED: %s did not run\n", v->name);
        }
    }
  if (! find ("sequential"))
    failed++;
  printf ("sweep: %ld right, %ld wrong\n", passed, failed);
  return failed != 0;
}
