/* Everything that depends on the operating system.  */

#ifndef GPR_SYSTEM_H
#define GPR_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

double gpr_now_ms (void);               /* of a clock that never goes back */
long gpr_system_pid (void);
int gpr_system_allowed_cpus (void);     /* by affinity; at least 1 */
double gpr_system_waited_ms (int most);         /* for how long so far this process's first threads, at most so many, were ready and had no processor, in all; 0: not known */
bool gpr_system_threads_sleep (void);   /* while they wait for each other: OMP_WAIT_POLICY=passive */
int64_t gpr_system_cache_bytes (void);  /* of the last level; 0: not known */

enum { GPR_LARGE_PAGE = 2 << 20 };      /* bytes, and where one begins a multiple of them */

/* As malloc, in large pages where the system gives them: the first touch of
   small ones costs more than a reduction of their contents.  For free.  */
void *gpr_system_allocate (size_t bytes);
/* The same for memory that somebody else allocated, and nobody has touched.  */
void gpr_system_large_pages (void *memory, size_t bytes);

size_t gpr_system_free_memory (void);   /* bytes, about; SIZE_MAX: not known */

/* Shared objects.  open gives NULL and a reason; symbol (NULL, …) looks in the
   whole program.  */
void *gpr_system_open (const char *path, char *reason, size_t bytes);
void *gpr_system_symbol (void *module, const char *name);
/* Keeps the code that function is in where it is, whoever closes it.  */
void gpr_system_pin (const void *function);
/* The folder that holds the code of function, without the last slash.  */
bool gpr_system_folder_of (const void *function, char *folder, size_t bytes);

/* Files by descriptor.  nameless: in memory where the system has that, above a
   number, closed in children; -1: none.  put and get: all bytes or false.  tail:
   the end of what was written, as text.  */
int gpr_system_nameless_file (int above);
bool gpr_system_resize (int fd, int64_t bytes);
bool gpr_system_put (int fd, const void *from, size_t bytes, int64_t at);
bool gpr_system_get (int fd, void *to, size_t bytes, int64_t at);
bool gpr_system_tail (int fd, char *text, size_t bytes);
void gpr_system_close (int fd);         /* below 0: nothing */
/* Makes an empty file for others to open; path gets its name.  */
bool gpr_system_temporary (char *path, size_t bytes);

/* A child process.  start: words, NULL after the last, are the program and its arguments; file becomes the child's descriptor as, said takes what
   it prints; in a process group of its own, so that Ctrl-C comes to Octave alone;
   without Octave's signal mask and handlers.  Returns 0 or an errno.  */
typedef enum { GPR_SYSTEM_ENDED, GPR_SYSTEM_STOPPED, GPR_SYSTEM_TOO_LONG } gpr_system_end;
bool gpr_system_can_run (const char *program);
int gpr_system_start (long *child, const char *const *words, int file, int as, int said);
/* Until it ends, is to stop or takes more seconds (0: no limit); reaped in any
   case.  *code: the signal that ended it, or its exit status, negated.  */
gpr_system_end gpr_system_wait (long child, bool (*stop) (void), double seconds, int *code);

#endif
