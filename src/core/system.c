/* POSIX with glibc's dladdr; other systems get their branch here.  */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "system.h"

double
gpr_now_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* A call of the kernel each time would be much of a short call.  */
static long pid;

static void
ask_pid (void)
{
  pid = (long) getpid ();
}

static void
ask_pid_first (void)
{
  pthread_atfork (NULL, NULL, ask_pid);
  ask_pid ();
}

long
gpr_system_pid (void)
{
  static pthread_once_t asked = PTHREAD_ONCE_INIT;      /* ranks that are threads ask at once */
  pthread_once (&asked, ask_pid_first);
  return pid;
}

int
gpr_system_allowed_cpus (void)
{
#ifdef CPU_COUNT
  cpu_set_t set;
  if (sched_getaffinity (0, sizeof set, &set) == 0 && CPU_COUNT (&set) > 0)
    return CPU_COUNT (&set);
#endif
  const long online = sysconf (_SC_NPROCESSORS_ONLN);   /* reads a file */
  return online > 0 ? (int) online : 1;
}

double
gpr_system_waited_ms (int most)
{
  double all = 0;
#ifdef __linux__
  DIR *tasks = opendir ("/proc/self/task");
  for (struct dirent *task; tasks && most > 0 && (task = readdir (tasks)); )
    {
      char line[128];
      uint64_t ran, waited;     /* ns */
      if (*task->d_name == '.')
        continue;
      snprintf (line, sizeof line, "%.32s/schedstat", task->d_name);
      const int file = openat (dirfd (tasks), line, O_RDONLY | O_CLOEXEC);
      const ssize_t n = file < 0 ? 0 : read (file, line, sizeof line - 1);
      if (file >= 0)
        close (file);
      line[n > 0 ? n : 0] = '\0';
      if (sscanf (line, "%" SCNu64 " %" SCNu64, &ran, &waited) == 2)
        all += waited / 1e6;
      most--;
    }
  if (tasks)
    closedir (tasks);
#else
  (void) most;
#endif
  return all;
}

bool
gpr_system_threads_sleep (void)
{
  static _Atomic int sleep = -1;
  if (sleep < 0)
    {
      const char *policy = getenv ("OMP_WAIT_POLICY");
      sleep = policy && strcasecmp (policy, "passive") == 0;
    }
  return sleep;
}

int64_t
gpr_system_cache_bytes (void)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
  const long bytes = sysconf (_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? bytes : 0;
#else
  return 0;
#endif
}

void
gpr_system_large_pages (void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  /* Whole pages: what malloc has mapped for these bytes alone stays one mapping.  */
  const uintptr_t from = (uintptr_t) memory & -(uintptr_t) sysconf (_SC_PAGESIZE), to = (uintptr_t) memory + bytes;
  if (memory && bytes >= GPR_LARGE_PAGE)
    (void) madvise ((void *) from, to - from, MADV_HUGEPAGE);
#endif
}

void *
gpr_system_allocate (size_t bytes)
{
  void *p;
  if (bytes < 2 * GPR_LARGE_PAGE || bytes > SIZE_MAX - GPR_LARGE_PAGE)
    return malloc (bytes ? bytes : 1);
  p = aligned_alloc (GPR_LARGE_PAGE, (bytes + GPR_LARGE_PAGE - 1) / GPR_LARGE_PAGE * GPR_LARGE_PAGE);
  gpr_system_large_pages (p, bytes);
  return p;
}

size_t
gpr_system_free_memory (void)
{
  const long pages = sysconf (_SC_AVPHYS_PAGES), bytes = sysconf (_SC_PAGESIZE);
  return pages < 0 || bytes < 0 ? SIZE_MAX : (size_t) pages * (size_t) bytes;
}

void *
gpr_system_open (const char *path, char *reason, size_t bytes)
{
  void *module = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (! module)
    snprintf (reason, bytes, "%s", dlerror ());
  return module;
}

void *
gpr_system_symbol (void *module, const char *name)
{
  return dlsym (module, name);
}

void
gpr_system_pin (const void *function)
{
  Dl_info info;
  if (dladdr (function, &info) && info.dli_fname)
    (void) dlopen (info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

bool
gpr_system_folder_of (const void *function, char *folder, size_t bytes)
{
  Dl_info info;
  char *file = dladdr (function, &info) && info.dli_fname ? realpath (info.dli_fname, NULL) : NULL;
  const bool fits = file && strlen (file) < bytes;
  if (fits)
    strcpy (folder, file);
  free (file);
  if (! fits)
    return false;
  char *slash = strrchr (folder, '/');
  if (! slash)
    return false;
  *slash = '\0';
  return true;
}

/* ---- files ------------------------------------------------------------------- */

extern char **environ;

static int
named_file (char *path, size_t bytes)
{
  const char *folder = getenv ("TMPDIR");
  int n = snprintf (path, bytes, "%s/gpureduce-XXXXXX", folder && *folder ? folder : "/tmp");
  return n > 0 && (size_t) n < bytes ? mkstemp (path) : -1;
}

bool
gpr_system_temporary (char *path, size_t bytes)
{
  int fd = named_file (path, bytes);
  gpr_system_close (fd);
  return fd >= 0;
}

int
gpr_system_nameless_file (int above)
{
  int fd = -1;
#ifdef MFD_CLOEXEC
  fd = memfd_create ("gpureduce", MFD_CLOEXEC);
#endif
  if (fd < 0)
    {
      char path[4096];
      fd = named_file (path, sizeof path);
      if (fd >= 0)
        {
          unlink (path);
          fcntl (fd, F_SETFD, FD_CLOEXEC);
        }
    }
  /* dup2 onto itself in a child would leave close-on-exec set.  */
  if (fd >= 0 && fd <= above)
    {
      int higher = fcntl (fd, F_DUPFD_CLOEXEC, above + 1);
      close (fd);
      fd = higher;
    }
  return fd;
}

bool
gpr_system_resize (int fd, int64_t bytes)
{
  return ftruncate (fd, (off_t) bytes) == 0;
}

/* All of it, however often the system stops in between.  */
static bool
transfer (int fd, char *p, size_t bytes, int64_t at, bool put)
{
  const size_t most = (size_t) 64 << 20;

  while (bytes > 0)
    {
      size_t some = bytes < most ? bytes : most;
      ssize_t n = put ? pwrite (fd, p, some, (off_t) at) : pread (fd, p, some, (off_t) at);
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

bool
gpr_system_put (int fd, const void *from, size_t bytes, int64_t at)
{
  return transfer (fd, (char *) from, bytes, at, true);
}

bool
gpr_system_get (int fd, void *to, size_t bytes, int64_t at)
{
  return transfer (fd, to, bytes, at, false);
}

bool
gpr_system_tail (int fd, char *text, size_t bytes)
{
  off_t end = lseek (fd, 0, SEEK_END), most = (off_t) bytes - 1;
  size_t n = end > most ? (size_t) most : end > 0 ? (size_t) end : 0;
  bool got = gpr_system_get (fd, text, n, end > most ? end - most : 0);
  text[got ? n : 0] = '\0';
  return got;
}

void
gpr_system_close (int fd)
{
  if (fd >= 0)
    close (fd);
}

/* ---- child processes ------------------------------------------------------------ */

bool
gpr_system_can_run (const char *program)
{
  return access (program, X_OK) == 0;
}

int
gpr_system_start (long *child, const char *const *words, int file, int as, int said)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  pid_t pid = 0;
  int e = posix_spawn_file_actions_init (&files);

  if (e)
    return e;
  e = posix_spawnattr_init (&attributes);
  if (! e)
    {
      sigemptyset (&none);
      sigfillset (&all);
      posix_spawn_file_actions_addopen (&files, 0, "/dev/null", O_RDONLY, 0);
      posix_spawn_file_actions_adddup2 (&files, said, 1);
      posix_spawn_file_actions_adddup2 (&files, said, 2);
      posix_spawn_file_actions_adddup2 (&files, file, as);
      posix_spawnattr_setsigmask (&attributes, &none);
      posix_spawnattr_setsigdefault (&attributes, &all);
      posix_spawnattr_setpgroup (&attributes, 0);
      posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
      e = posix_spawn (&pid, words[0], &files, &attributes, (char **) words, environ);
      posix_spawnattr_destroy (&attributes);
    }
  posix_spawn_file_actions_destroy (&files);
  *child = pid;
  return e;
}

static double
seconds_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

gpr_system_end
gpr_system_wait (long child, bool (*stop) (void), double seconds, int *code)
{
  gpr_system_end why = GPR_SYSTEM_ENDED;
  double begun = seconds_now ();
  long pause = 100000;          /* ns */
  int status = 0;

  for (;;)
    {
      pid_t got = waitpid ((pid_t) child, &status, WNOHANG);
      if (got == child || (got < 0 && errno != EINTR))
        break;
      if (stop ())
        why = GPR_SYSTEM_STOPPED;
      else if (seconds > 0 && seconds_now () - begun > seconds)
        why = GPR_SYSTEM_TOO_LONG;
      if (why != GPR_SYSTEM_ENDED)
        {
          kill (- (pid_t) child, SIGKILL);      /* and what it has started */
          kill ((pid_t) child, SIGKILL);
          while (waitpid ((pid_t) child, &status, 0) < 0 && errno == EINTR)
            ;
          break;
        }
      struct timespec t = { 0, pause };
      nanosleep (&t, NULL);
      if (pause < 5000000)
        pause += pause / 4;
    }
  *code = WIFSIGNALED (status) ? WTERMSIG (status) : - WEXITSTATUS (status);
  return why;
}
