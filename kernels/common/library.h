/* Libraries of the CUDA toolkit, found when they are wanted: so what calls them loads where they are not installed.  C.  */

#ifndef GPR_LIBRARY_H
#define GPR_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define GPR_LIBRARY_TEXT_OF(x) #x
#define GPR_LIBRARY_TEXT(x) GPR_LIBRARY_TEXT_OF (x)

/* Where the system looks, then in the toolkit that this was built with; NULL: not there.  */
static inline void *
gpr_library_open (const char *name)
{
  static const char *const folders[] = { GPR_CUDA_FOLDER "/lib64", GPR_CUDA_FOLDER "/lib" };
  void *library = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  for (int i = 0; i < 2 && ! library; i++)
    {
      char path[4096];
      snprintf (path, sizeof path, "%s/%s", folders[i], name);
      library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
    }
  return library;
}

/* Functions of a library, each at its place of a struct: all of them, or false.  */
typedef struct { const char *name; size_t at; } gpr_library_symbol;
static inline bool
gpr_library_find (void *library, const gpr_library_symbol *symbols, size_t count, void *functions)
{
  for (size_t i = 0; i < count; i++)
    {
      void *f = library ? dlsym (library, symbols[i].name) : NULL;
      if (! f)
        return false;
      memcpy ((char *) functions + symbols[i].at, &f, sizeof f);
    }
  return true;
}

#endif
