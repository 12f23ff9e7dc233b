/* gpureduce_sim: runs a ladder variant on the CPU, in a process of its own.

     gpureduce_sim --list [MODULE]    what can be run, as JSON
     gpureduce_sim --translate        a program from the preprocessor, for g++, from standard input
     gpureduce_sim --program MODULE REPORT SECONDS NAME [ARGUMENT...]
                                      runs it; what it prints goes to standard output
     gpureduce_sim                    one run: request.h on file descriptor 3
     gpureduce_sim --confined ...     another program, kept to its own (confine.h)
     gpureduce_sim --tokens, --object, --lines, --describe FILE ...    of a submission that is graded (graded.h)  */

#include <stdio.h>
#include <string.h>
#include <new>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#  include <signal.h>
#  include <sys/prctl.h>
#endif

#include "confine.h"
#include "graded.h"
#include "program.h"
#include "run.h"
#include "translate.h"
#include "variants.h"

static bool put (const void *p, size_t bytes, int64_t at)
{
  const char *c = (const char *) p;
  while (bytes > 0)
    {
      ssize_t n = pwrite (SIM_FD, c, bytes, at);
      if (n <= 0)
        return false;
      c += n;
      at += n;
      bytes -= (size_t) n;
    }
  return true;
}

/* Many users share a server: a run takes this at most, beside its arrays and what the system has
   reserved for its threads.  Some 20 MiB are usual.  */
enum { MOST_MIB = 512, MOST_BY_ELEMENT = 64 };

static void no_more_memory (void)
{
  fprintf (stderr, "it wants more memory than a run may have, %d MiB and %d bytes for each element\n", MOST_MIB, MOST_BY_ELEMENT);
  _exit (1);
}

static void limit_memory (int64_t n)
{
  struct rlimit most;
  const rlim_t wanted = ((rlim_t) MOST_MIB << 20) + MOST_BY_ELEMENT * (rlim_t) n;
  std::set_new_handler (no_more_memory);
  if (getrlimit (RLIMIT_DATA, &most) == 0 && most.rlim_cur > wanted)
    {
      most.rlim_cur = wanted;
      setrlimit (RLIMIT_DATA, &most);
    }
}

static int serve (void)
{
  struct stat st;
  /* A private copy: the response is written over the request.  */
  if (fstat (SIM_FD, &st) != 0 || (size_t) st.st_size < sizeof (sim_request))
    return 2;
  sim_request r;
  if (pread (SIM_FD, &r, sizeof r, 0) != (ssize_t) sizeof r || r.magic != SIM_MAGIC)
    return 2;
  limit_memory (r.n);
  r.name[sizeof r.name - 1] = r.module[SIM_TEXT - 1] = r.report[SIM_TEXT - 1] = '\0';
  std::vector<double> edges ((size_t) r.bins + 1);
  if (r.bins > 0 && pread (SIM_FD, edges.data (), edges.size () * 8, r.edges_at) != (ssize_t) (edges.size () * 8))
    return 2;

  /* From here on a module's own code may end the process.  */
  const uint32_t begun = SIM_BEGUN;
  if (! put (&begun, sizeof begun, 0))
    return 2;
  sim_response *answer = new sim_response ();
  run_state s = { &r, NULL, edges.data (), answer, {}, "" };
  failure f = run (s);
  answer->magic = ~(uint32_t) SIM_MAGIC;
  answer->status = f.status;
  snprintf (answer->message, sizeof answer->message, "%s", f.text.c_str ());
  if (! s.counts.empty () && ! put (s.counts.data (), s.counts.size () * 8, r.counts_at))
    return 2;
  return put (answer, sizeof *answer, 0) ? 0 : 2;
}

static int translate (void)
{
  std::string text;
  char part[65536];
  for (size_t n; (n = fread (part, 1, sizeof part, stdin)) > 0; )
    text.append (part, n);
  text = translated (text);
  return fwrite (text.data (), 1, text.size (), stdout) == text.size () && fflush (stdout) == 0 ? 0 : 2;
}

int main (int argc, char **argv)
{
  const struct rlimit none = { 0, 0 };
  setrlimit (RLIMIT_CORE, &none);
  if (argc >= 2 && ! strcmp (argv[1], "--list"))
    return list (argc > 2 ? argv[2] : "");
  if (argc == 3 && ! strcmp (argv[1], "--describe"))
    return list (argv[2], true);
  if (argc >= 2 && ! strcmp (argv[1], "--confined"))
    return confined (argc, argv);
  if (argc == 4 && ! strcmp (argv[1], "--tokens"))
    return graded_tokens (argv[2], argv[3]);
  if (argc == 3 && ! strcmp (argv[1], "--object"))
    return graded_object (argv[2]);
  if (argc == 3 && ! strcmp (argv[1], "--lines"))
    return graded_lines (argv[2]);
  if (argc == 2 && ! strcmp (argv[1], "--translate"))
    return translate ();
  if (argc >= 6 && ! strcmp (argv[1], "--program"))
    return run_program (argc - 2, argv + 2);
  if (argc > 1)
    {
      fprintf (stderr, "usage: gpureduce_sim --list [MODULE]; runs come from gpureduce\n");
      return 2;
    }
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGKILL);
#endif
  return serve ();
}
