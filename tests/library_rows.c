/* Copyright (C) 2026 The gpureduce developers
   SPDX-License-Identifier: GPL-3.0-or-later

   library_rows MODULE: each row of a library in a module of variants calls functions of its own, and none where it has
   none.  Needs no GPU: without one CUB says so, Thrust and cuBLAS only say how much memory they want.  */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "../kernels/ladder/check.h"

enum { NOT_SUPPORTED = 801 };           /* cudaErrorNotSupported */

static int passed, failed;

static void
tally (const char *row, int op, int type, bool right, int got)
{
  if (right)
    passed++;
  else
    {
      failed++;
      printf ("failed: %s, %s of %s: %d\n", row, ladder_op_names[op], ladder_type_names[type], got);
    }
}

int
main (int argc, char **argv)
{
  void *module = argc == 2 ? dlopen (argv[1], RTLD_NOW) : NULL;
  int (*count) (void);
  const ladder_variant *(*at) (int);

  if (! module || ! (*(void **) &count = dlsym (module, "ladder_count")) || ! (*(void **) &at = dlsym (module, "ladder_at")))
    {
      printf ("no module of variants: %s\n0 passed, 1 failed\n", argc == 2 ? dlerror () : "usage: library_rows MODULE");
      return 1;
    }
  for (int i = 0; i < count (); i++)
    {
      const ladder_variant *v = at (i);
      const bool knows_bytes = strcmp (v->name, "thrust") == 0 || strcmp (v->name, "cublas") == 0;
      for (int op = 0; v->host && op < LADDER_OPS; op++)
        for (int type = 0; type < LADDER_TYPES; type++)
          {
            union { ladder_reduce_args reduce; ladder_histogram_args histogram; } args;
            size_t bytes = 0;
            memset (&args, 0, sizeof args);
            const int got = v->host (v, op, type, &args, NULL, &bytes, NULL);
            if (! ladder_has (v, op, type))
              tally (v->name, op, type, got == NOT_SUPPORTED, got);
            else if (knows_bytes)
              tally (v->name, op, type, got == 0 && bytes > 0, got);
            else
              tally (v->name, op, type, got == 0 ? bytes > 0 : got != NOT_SUPPORTED, got);
          }
    }
  printf ("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
