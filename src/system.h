/* Everything that depends on the operating system.  */

#ifndef GPR_SYSTEM_H
#define GPR_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

long gpr_system_pid (void);
int gpr_system_allowed_cpus (void);     /* by affinity; at least 1 */

/* As malloc, in large pages where the system gives them: the first touch of
   small ones costs more than a reduction of their contents.  For free.  */
void *gpr_system_allocate (size_t bytes);

/* Shared objects.  open gives NULL and a reason; symbol (NULL, …) looks in the
   whole program.  */
void *gpr_system_open (const char *path, char *reason, size_t bytes);
void *gpr_system_symbol (void *module, const char *name);
/* Keeps the code that function is in where it is, whoever closes it.  */
void gpr_system_pin (const void *function);
/* The folder that holds the code of function, without the last slash.  */
bool gpr_system_folder_of (const void *function, char *folder, size_t bytes);

#endif
