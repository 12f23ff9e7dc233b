/* The simulator as a process of its own: a kernel that crashes or hangs takes
   nothing with it.  POSIX; other systems get their branch here.  */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../kernels/sim/request.h"
#include "system.h"
#include "variant.h"

#define PROGRAM "gpureduce_sim"

extern char **environ;

static const int type_bytes[LADDER_TYPES] = { 8, 4, 4, 1 };

/* A file without a name, in memory where the system has that.  */
static int
nameless_file (void)
{
  int fd = -1;
#ifdef MFD_CLOEXEC
  fd = memfd_create ("gpureduce", MFD_CLOEXEC);
#endif
  if (fd < 0)
    {
      const char *folder = getenv ("TMPDIR");
      char path[4096];
      int n = snprintf (path, sizeof path, "%s/gpureduce-XXXXXX", folder && *folder ? folder : "/tmp");
      if (n > 0 && (size_t) n < sizeof path && (fd = mkstemp (path)) >= 0)
        {
          unlink (path);
          fcntl (fd, F_SETFD, FD_CLOEXEC);
        }
    }
  /* The child's own descriptors are 0 to 3: dup2 onto itself would leave
     close-on-exec set.  */
  if (fd >= 0 && fd <= SIM_FD)
    {
      int higher = fcntl (fd, F_DUPFD_CLOEXEC, SIM_FD + 1);
      close (fd);
      fd = higher;
    }
  return fd;
}

static bool
put (int fd, const void *from, size_t bytes, int64_t at)
{
  const char *p = from;
  while (bytes > 0)
    {
      ssize_t n = pwrite (fd, p, bytes < (size_t) 64 << 20 ? bytes : (size_t) 64 << 20, (off_t) at);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return false;
      p += n;
      at += n;
      bytes -= (size_t) n;
    }
  return true;
}

static bool
get (int fd, void *to, size_t bytes, int64_t at)
{
  char *p = to;
  while (bytes > 0)
    {
      ssize_t n = pread (fd, p, bytes, (off_t) at);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return false;
      p += n;
      at += n;
      bytes -= (size_t) n;
    }
  return true;
}

static double
seconds_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* In a process group of its own, so that Ctrl-C comes to Octave alone; without
   Octave's signal mask and handlers.  What it says goes to errors.  */
static int
start (pid_t *child, const char *program, int fd, int errors)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  char *argv[] = { (char *) program, NULL };
  int e = posix_spawn_file_actions_init (&files);

  if (e)
    return e;
  e = posix_spawnattr_init (&attributes);
  if (! e)
    {
      sigemptyset (&none);
      sigfillset (&all);
      posix_spawn_file_actions_addopen (&files, 0, "/dev/null", O_RDONLY, 0);
      posix_spawn_file_actions_adddup2 (&files, errors, 1);
      posix_spawn_file_actions_adddup2 (&files, errors, 2);
      posix_spawn_file_actions_adddup2 (&files, fd, SIM_FD);
      posix_spawnattr_setsigmask (&attributes, &none);
      posix_spawnattr_setsigdefault (&attributes, &all);
      posix_spawnattr_setpgroup (&attributes, 0);
      posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
      e = posix_spawn (child, program, &files, &attributes, argv, environ);
      posix_spawnattr_destroy (&attributes);
    }
  posix_spawn_file_actions_destroy (&files);
  return e;
}

enum outcome { ENDED, STOPPED_BY_USER, OUT_OF_TIME };

/* Until the child ends; it is reaped on every path.  */
static enum outcome
wait_for (pid_t child, double seconds, int *status)
{
  enum outcome why = ENDED;
  double begun = seconds_now ();
  long pause = 100000;          /* ns */

  for (;;)
    {
      pid_t got = waitpid (child, status, WNOHANG);
      if (got == child || (got < 0 && errno != EINTR))
        return why;
      /* The simulator keeps to the limit itself and says where it was: that
         first.  */
      if (gpr_interrupted ())
        why = STOPPED_BY_USER;
      else if (seconds > 0 && seconds_now () - begun > seconds + 3)
        why = OUT_OF_TIME;
      if (why != ENDED)
        {
          kill (child, SIGKILL);
          while (waitpid (child, status, 0) < 0 && errno == EINTR)
            ;
          return why;
        }
      struct timespec t = { 0, pause };
      nanosleep (&t, NULL);
      if (pause < 5000000)
        pause += pause / 4;
    }
}

/* The child has ended without a response.  */
static gpr_status
died (const char *program, int status, int errors)
{
  char said[512] = "";
  off_t end = lseek (errors, 0, SEEK_END);
  off_t from = end > (off_t) sizeof said - 1 ? end - (off_t) sizeof said + 1 : 0;
  if (end > 0 && ! get (errors, said, (size_t) (end - from), from))
    said[0] = '\0';
  if (WIFSIGNALED (status))
    return gpr_fail (GPR_BAD_INPUT, "crash: the simulator was ended by signal %d before it could say where%s%.500s",
                     WTERMSIG (status), said[0] ? ": " : "", said);
  return gpr_fail (GPR_UNSUPPORTED, "the simulator %.500s failed%s%.500s", program, said[0] ? ": " : "", said);
}

/* x, edges and the request into fd.  */
static bool
put_request (int fd, const gpr_variant_run *r, sim_request *q, size_t bytes)
{
  bool histogram = r->op == LADDER_HISTOGRAM;

  q->magic = SIM_MAGIC;
  q->seed = 1;
  q->op = r->op;
  q->type = r->type;
  q->finish = r->finish;
  q->block = r->block;
  q->bins = histogram ? r->bins : 0;
  q->frames = r->frames;
  q->force = r->force;
  q->n = r->n;
  q->seconds = r->seconds;
  q->x_at = SIM_PAGE;
  q->edges_at = SIM_PAGE + ((int64_t) bytes + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
  q->counts_at = q->edges_at + (histogram ? 8 * ((int64_t) r->bins + 1) : 0);
  strcpy (q->name, r->name);
  strcpy (q->module, r->module ? r->module : "");
  strcpy (q->report, r->report ? r->report : "");
  /* The file ends on a page, so that x may be mapped whole.  */
  return ftruncate (fd, (off_t) (q->counts_at + SIM_PAGE)) == 0 && put (fd, q, sizeof *q, 0) && put (fd, r->x, bytes, q->x_at)
         && (! histogram || put (fd, r->edges, 8 * ((size_t) r->bins + 1), q->edges_at));
}

static gpr_status
take_response (int fd, const gpr_variant_run *r, const sim_request *q, const sim_response *a)
{
  if (a->status != GPR_OK)
    return gpr_fail ((gpr_status) a->status, "%.*s", 1000, a->message);
  if (r->op == LADDER_HISTOGRAM)
    {
      if (! get (fd, r->counts, 8 * (size_t) r->bins, q->counts_at))
        return gpr_fail (GPR_OUT_OF_MEMORY, "the simulator's counts cannot be read");
      return GPR_OK;
    }
  if (r->value)
    memcpy (r->value, a->value, (size_t) type_bytes[r->type]);
  if (r->index)
    *r->index = a->index;
  return GPR_OK;
}

gpr_status
gpr_sim_run (gpr_variant_run *r)
{
  char folder[4096], beside[4200] = PROGRAM;
  const char *program = getenv ("GPUREDUCE_SIM");
  gpr_status result;

  if (r->n > SIM_MOST_ELEMENTS && ! r->force)
    return gpr_fail (GPR_BAD_INPUT, "%lld elements are many for the simulator, which takes up to %lld unless forced",
                     (long long) r->n, (long long) SIM_MOST_ELEMENTS);
  if (strlen (r->name) >= sizeof ((sim_request *) NULL)->name || (r->module && strlen (r->module) >= SIM_TEXT)
      || (r->report && strlen (r->report) >= SIM_TEXT))
    return gpr_fail (GPR_BAD_INPUT, "a name or path is too long for the simulator");
  if (! program || ! *program)
    {
      /* pkg puts it into the package's folder, the module into one below.  */
      if (gpr_system_folder_of ((const void *) gpr_sim_run, folder, sizeof folder))
        {
          snprintf (beside, sizeof beside, "%s/" PROGRAM, folder);
          if (access (beside, X_OK) != 0)
            snprintf (beside, sizeof beside, "%s/../" PROGRAM, folder);
        }
      program = beside;
    }
  if (access (program, X_OK) != 0)
    return gpr_fail (GPR_UNSUPPORTED, "the simulator was not built: there is no program %.500s", program);

  size_t bytes = (size_t) r->n * (size_t) type_bytes[r->type];
  sim_request *q = calloc (1, sizeof *q);
  sim_response *a = calloc (1, sizeof *a);
  int fd = nameless_file (), errors = nameless_file (), status = 0;
  pid_t child;
  if (! q || ! a || fd < 0 || errors < 0 || ! put_request (fd, r, q, bytes))
    result = gpr_fail (GPR_OUT_OF_MEMORY, "no room to hand %zu bytes to the simulator: %s", bytes, strerror (errno));
  else
    {
      int e = start (&child, program, fd, errors);
      if (e)
        result = gpr_fail (GPR_UNSUPPORTED, "the simulator %.500s cannot be started: %s", program, strerror (e));
      else
        switch (wait_for (child, r->seconds, &status))
          {
          case STOPPED_BY_USER:
            result = gpr_fail (GPR_INTERRUPTED, "interrupted");
            break;
          case OUT_OF_TIME:
            result = gpr_fail (GPR_BAD_INPUT, "time limit: %s was not done in the simulator after %g seconds", r->name, r->seconds);
            break;
          default:
            if (get (fd, a, sizeof *a, 0) && a->magic == ~(uint32_t) SIM_MAGIC)
              result = take_response (fd, r, q, a);
            else
              result = died (program, status, errors);
          }
    }
  if (fd >= 0)
    close (fd);
  if (errors >= 0)
    close (errors);
  free (q);
  free (a);
  return result;
}
