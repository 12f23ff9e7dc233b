/* The process of a program: what it prints, when it must end, and the report.  */

#include <dlfcn.h>
#include <execinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "fibers.h"
#include "prints.h"
#include "program.h"
#include "report.h"

enum { LINES = 1000, LINE_BYTES = 500, LAUNCHES_TOLD = 1000 };

module_info *program;
std::unordered_map<std::string, char> program_names;
static const char *report_path;
static std::vector<std::string> notes;

/* What parent and child both see.  pc: where the host's code was when a signal came.  */
static struct shared_page { volatile bool reported; volatile u32 pc; volatile int number; } *page;

/* ---- texts ---------------------------------------------------------------------------------------- */

std::string line_text (u32 pc)
{
  static std::string own;
  find_locations (program, { pc });
  const source_location p = location_of (program, pc);
  if (own.empty () && p.line)
    own = p.file;
  if (! p.line)
    return "a line unknown";
  return (p.file == own ? "line " : base_name (p.file) + " line ") + std::to_string (p.line);
}

void program_note (const std::string &sentence)
{
  if (notes.size () < 20)
    notes.push_back (sentence);
}

/* ---- the report --------------------------------------------------------------------------------------- */

static std::string host_message (const source_location &p)
{
  return std::string (fault_names[F.kind]) + (p.line ? " at " + base_name (p.file) + ":" + std::to_string (p.line) : "") + ": " + F.what
    + (F.cause.empty () ? "" : ". Likely cause: " + F.cause);
}

static void write_host_fault (FILE *f)
{
  find_locations (program, { F.pc });
  const source_location p = location_of (program, F.pc);
  fprintf (f, "{\"kind\":\"%s\",\"kernel\":\"\",\"file\":%s,\"line\":%d,\"thread\":[],\"block\":[],\"what\":%s,\"cause\":%s,\"message\":%s,\"other\":null,\"waiting\":[]}",
           fault_names[F.kind], json_string (p.file).c_str (), p.line, json_string (F.what).c_str (), json_string (F.cause).c_str (), json_string (host_message (p)).c_str ());
}

static void write_launch (FILE *f, const program_launch &l)
{
  const source_location &p = location_of (program, l.pc);
  fprintf (f, "{\"kernel\":%s,\"file\":%s,\"line\":%d,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%llu,\"error\":%s,\"counts\":{\"launches\":%d",
           json_string (l.kernel).c_str (), json_string (p.file).c_str (), p.line, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2],
           (unsigned long long) l.shared, json_string (l.error ? error_text (l.error) : "").c_str (), l.error == 0);
  write_counts (f, l.c);
  fputs ("}}", f);
}

/* exit: below 0, none.  of_kernel: whose fault F is.  */
static void write_program_report (int exit_status, bool of_kernel)
{
  FILE *f = fopen (report_path, "w");
  if (! f)
    return;
  const size_t told = std::min<size_t> (program_launches.size (), LAUNCHES_TOLD);
  std::vector<u32> pcs;
  for (size_t i = 0; i < told; i++)
    pcs.push_back (program_launches[i].pc);
  find_locations (program, pcs);
  if (exit_status < 0)
    fputs ("{\"exit\":null", f);
  else
    fprintf (f, "{\"exit\":%d", exit_status);
  fprintf (f, ",\"launched\":%zu,\"launches\":[", program_launches.size ());
  for (size_t i = 0; i < told; i++)
    {
      fputs (i ? ",\n" : "", f);
      write_launch (f, program_launches[i]);
    }
  fputs ("],\"notes\":[", f);
  for (size_t i = 0; i < notes.size (); i++)
    fprintf (f, "%s%s", i ? "," : "", json_string (notes[i]).c_str ());
  fputs ("],\"fault\":", f);
  if (! F.kind)
    fputs ("null", f);
  else if (of_kernel)
    write_fault (f, program_launches.back ().kernel);
  else
    write_host_fault (f);
  fputs ("}\n", f);
  if (fclose (f) == 0)
    page->reported = true;
}

/* ---- how it ends ------------------------------------------------------------------------------------------- */

static bool ending;

[[noreturn]] static void end_now (bool of_kernel)
{
  ending = true;
  host_accesses = NULL;
  sim_now = NULL;
  fflush (stdout);
  fflush (stderr);
  write_program_report (-1, of_kernel);
  _exit (0);
}

void end_with_fault (void)
{
  const program_launch &l = program_launches.back ();
  F.launched = " (launched in " + line_text (l.pc) + ")";
  end_now (true);
}

void host_fault (fault_kind kind, u32 pc, const std::string &what, const std::string &cause)
{
  F = fault_report ();
  F.kind = kind;
  F.pc = pc;
  F.what = what;
  F.cause = cause;
  end_now (false);
}

/* A launch that failed without anybody having looked.  */
static const program_launch *unseen_failure (void)
{
  for (const program_launch &l : program_launches)
    if (! l.asked)
      return &l;
  return NULL;
}

static void on_end (int status, void *)
{
  if (ending || ! program)
    return;
  ending = true;
  host_accesses = NULL;
  const program_launch *failed = unseen_failure ();
  if (failed)
    {
      F.kind = FAILED_LAUNCH;
      F.pc = failed->pc;
      F.what = "the launch of " + failed->kernel + " failed with " + error_text (failed->error) + ", and nobody asked: " + failed->why;
      F.cause = "the kernel never ran; cudaGetLastError () after each launch says so";
    }
  for (const program_launch &l : program_launches)
    if (l.error && l.asked)
      program_note ("the launch in " + line_text (l.pc) + " failed with " + error_text (l.error) + ": " + l.why);
  list_unfreed ();
  write_program_report (status & 255, false);
}

/* Where the host's code was, or who called what it was in: the innermost place in the program that has a line.  The linker's table of functions of other modules, by which
   the program calls the simulator, has none.  */
static u32 host_pc (const void *context)
{
#if defined __x86_64__
  const char *pc = (const char *) ((const ucontext_t *) context)->uc_mcontext.gregs[REG_RIP];
#else
  const char *pc = (const char *) ((const ucontext_t *) context)->uc_mcontext.pc;
#endif
  std::vector<u32> pcs;
  void *frames[64];
  if ((u64) (pc - program->base) < program->image_bytes)
    {
      pcs.push_back ((u32) (pc - program->base));
      page->pc = pcs[0];        /* if what follows crashes */
    }
  const int n = backtrace (frames, 64);
  for (int i = 0; i < n; i++)
    if ((u64) ((char *) frames[i] - program->base) < program->image_bytes)
      pcs.push_back ((u32) ((char *) frames[i] - 1 - program->base));
  find_locations (program, pcs);
  for (u32 place : pcs)
    if (location_of (program, place).line > 0)
      return place;
  return pcs.empty () ? 0 : pcs[0];
}

static void on_host_signal (int number, const void *address, const void *context)
{
  if (launching || ending || ! program)
    {
      if (number != SIGALRM)
        signal (number, SIG_DFL);
      return;
    }
  page->number = number;
  page->pc = host_pc (context);
  const u32 pc = page->pc;
  if (number == SIGALRM)
    {
      char seconds[32];
      snprintf (seconds, sizeof seconds, "%.3g", seconds_allowed);
      /* host_goes: it is looked which kernel it is, and that one gives no sign.  */
      host_fault (TIME_LIMIT, pc, std::string (host_goes ? "the kernel" : "the host") + std::string (" is still at work after ") + seconds + " seconds", "a loop that does not end; where it only takes long, \"seconds\" allows more");
    }
  const buffer *b = number == SIGSEGV ? buffer_at ((u64) address) : NULL;
  if (b)
    host_fault (DEVICE_ON_HOST, pc, "the host accesses " + b->name + ", which is memory of the GPU", "cudaMemcpy copies it to and from an array of the host's");
  host_fault (CRASH, pc, number == SIGABRT ? "the host's code aborts" : number == SIGFPE ? "the host's code divides an integer by zero"
              : "the host's code gets a segmentation fault (a wild or null pointer, or too large an array on the stack)");
}

/* ---- the child ------------------------------------------------------------------------------------------------ */

static void read_names (const char *list)
{
  for (const char *c = list; *c; )
    {
      const char *end = strchr (c, ',');
      program_names[std::string (c + 2, end)] = *c;
      c = end + 1;
    }
  for (const symbol &f : program->functions)
    {
      auto named = program_names.find (function_name (f.name));
      if (named != program_names.end () && named->second == 'g')
        L.kernels.insert (f.name);
    }
}

static const void *symbol_of (const char *name)
{
  for (const symbol &s : program->functions)
    if (s.name == name)
      return program->base + s.at;
  return NULL;
}

[[noreturn]] static void run_child (const char *module, int argc, char **argv)
{
  void *first[1];
  backtrace (first, 1);         /* loads what it needs, now */
  setvbuf (stdout, NULL, _IOLBF, 0);
  prints_go_to_stdout ();
  host_stack_end = (u64) argv[0];       /* the arguments lie above it */
  on_exit (on_end, NULL);
  begin_memory ();
  void *m = dlopen (module, RTLD_NOW | RTLD_LOCAL);
  const void *(*touch) (void) = m ? (const void *(*) (void)) dlsym (m, "sim_module_touch") : NULL;
  const char *names = m ? (const char *) dlsym (m, "sim_program_names") : NULL;
  if (! touch || ! names)
    {
      fprintf (stderr, "%s\n", m ? "no program" : dlerror ());
      _exit (127);
    }
  touch ();
  program = module_of ((const void *) touch);
  L.module = program;
  read_names (names);
  find_variables (program_names);
  catch_signals (on_host_signal);
  if (seconds_allowed > 0)
    start_timer (seconds_allowed);
  const void *entry = symbol_of ("main");
  if (! entry)
    {
      fprintf (stderr, "there is no main\n");
      _exit (127);
    }
  exit (((int (*) (int, char **, char **)) entry) (argc, argv, environ));
}

/* ---- the parent --------------------------------------------------------------------------------------------------- */

static u64 lines_shown, bytes_shown, lines_left_out;

static void show (const char *text, size_t bytes)
{
  size_t take = 0;
  for (; take < bytes && lines_shown < LINES && bytes_shown < LINES * LINE_BYTES; take++, bytes_shown++)
    lines_shown += text[take] == '\n';
  fwrite (text, 1, take, stdout);
  fflush (stdout);
  lines_left_out += (u64) std::count (text + take, text + bytes, '\n');
}

static double seconds_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

/* Shows what the child prints until it ends; false: it had to be ended.  */
static bool follow (pid_t child, int from, double seconds, int *status)
{
  const double begun = seconds_now ();
  bool open = true;
  for (;;)
    {
      struct pollfd p = { from, POLLIN, 0 };
      char text[65536];
      const int ready = poll (&p, open ? 1 : 0, open ? 100 : 20);
      const bool ended = waitpid (child, status, WNOHANG) == child;
      if (ready > 0 || ended)
        for (ssize_t n = 1; n > 0; )
          {
            p.revents = 0;
            if (poll (&p, 1, 0) <= 0)
              break;
            n = read (from, text, sizeof text);
            open = n > 0;
            if (n > 0)
              show (text, (size_t) n);
            if (! ended)
              break;
          }
      if (ended)
        return true;
      if (seconds > 0 && seconds_now () - begun > seconds + 5)   /* it keeps to the limit itself, and says where it was */
        {
          kill (child, SIGKILL);
          waitpid (child, status, 0);
          return false;
        }
    }
}

/* In place of the child, which could not.  */
static void report_for (const char *module, int status, bool ended)
{
  program = new module_info ();
  program->path = module;
  F.pc = page->pc;
  F.kind = ended ? CRASH : TIME_LIMIT;
  if (! ended)
    {
      char seconds[32];
      snprintf (seconds, sizeof seconds, "%.3g", seconds_allowed);
      F.what = std::string ("the program is still at work after ") + seconds + " seconds";
      F.cause = "a loop that does not end; where it only takes long, \"seconds\" allows more";
    }
  else if (WIFSIGNALED (status))
    F.what = "the program was ended by signal " + std::to_string (WTERMSIG (status)) + " before it could say where";
  else
    F.kind = NO_FAULT;          /* by _exit or quick_exit */
  write_program_report (ended && WIFEXITED (status) ? WEXITSTATUS (status) : -1, false);
}

int run_program (int argc, char **argv)
{
  int ends[2], status = 0;
  sigset_t none;                /* Octave's own mask is not the program's */
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  page = (shared_page *) mmap (NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  report_path = argv[1];
  want_report = true;           /* with what each launch cost */
  seconds_allowed = strtod (argv[2], NULL);
  if (page == MAP_FAILED || pipe (ends) != 0)
    return 2;
  const pid_t child = fork ();
  if (child < 0)
    return 2;
  if (child == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      dup2 (ends[1], 1);
      dup2 (ends[1], 2);
      close (ends[0]);
      close (ends[1]);
      run_child (argv[0], argc - 3, argv + 3);
    }
  close (ends[1]);
  const bool ended = follow (child, ends[0], seconds_allowed, &status);
  if (lines_left_out)
    printf ("... and %llu more line%s\n", (unsigned long long) lines_left_out, lines_left_out > 1 ? "s" : "");
  if (ended && WIFEXITED (status) && WEXITSTATUS (status) == 127 && ! page->reported)
    return 1;
  if (! page->reported)
    report_for (argv[0], status, ended);
  return page->reported ? 0 : 2;
}
