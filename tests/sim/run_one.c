/* One run of a variant through src/sim.c, for tests and by hand:

     run_one VARIANT OP CLASS N BLOCK FINISH [option=value ...]

   options: module, report, frames, force, seconds, fill (ones, index, random),
   bins, times.  Prints the result, or the failure.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../kernels/ladder/check.h"
#include "../../src/ladder/variant.h"

static int
place_in (const char *const *names, int n, const char *name)
{
  for (int i = 0; i < n; i++)
    if (strcmp (names[i], name) == 0)
      return i;
  fprintf (stderr, "what is %s?\n", name);
  exit (2);
}

static double
element (const char *fill, long i)
{
  if (strcmp (fill, "ones") == 0)
    return 1;
  if (strcmp (fill, "index") == 0)
    return (double) (i % 251);
  return (double) ((i * 7919L + 13) % 101);
}

int
main (int argc, char **argv)
{
  static const int bytes[] = { 8, 4, 4, 1 };
  const char *fill = "ones";
  union { double d; float f; int i; } value = { 0 };
  int64_t index = -1;
  int times = 1;
  gpr_variant_run r = { .name = "" };

  if (argc < 7)
    return 2;
  r.name = argv[1];
  r.op = place_in (ladder_op_names, LADDER_OPS, argv[2]);
  r.type = place_in (ladder_type_names, LADDER_TYPES, argv[3]);
  r.n = atol (argv[4]);
  r.block = atoi (argv[5]);
  r.finish = place_in (ladder_finish_names, LADDER_FINISHES, argv[6]);
  r.bins = 10;
  for (int i = 7; i < argc; i++)
    {
      const char *equals = strchr (argv[i], '=');
      if (strncmp (argv[i], "module=", 7) == 0)
        r.module = equals + 1;
      else if (strncmp (argv[i], "report=", 7) == 0)
        r.report = equals + 1;
      else if (strcmp (argv[i], "frames") == 0)
        r.frames = true;
      else if (strcmp (argv[i], "force") == 0)
        r.force = true;
      else if (strncmp (argv[i], "seconds=", 8) == 0)
        r.seconds = atof (equals + 1);
      else if (strncmp (argv[i], "fill=", 5) == 0)
        fill = equals + 1;
      else if (strncmp (argv[i], "bins=", 5) == 0)
        r.bins = atoi (equals + 1);
      else if (strncmp (argv[i], "times=", 6) == 0)
        times = atoi (equals + 1);
    }
  char *x = malloc ((size_t) (r.n > 0 ? r.n : 1) * bytes[r.type]);
  double *edges = malloc ((size_t) (r.bins + 1) * sizeof *edges);
  unsigned long long *counts = calloc ((size_t) r.bins, sizeof *counts);
  for (long i = 0; i < r.n; i++)
    {
      double v = element (fill, i);
      if (r.type == LADDER_DOUBLE)
        ((double *) x)[i] = v;
      else if (r.type == LADDER_SINGLE)
        ((float *) x)[i] = (float) v;
      else if (r.type == LADDER_INT32)
        ((int *) x)[i] = (int) v;
      else
        ((unsigned char *) x)[i] = (unsigned char) v;
    }
  for (int k = 0; k <= r.bins; k++)
    edges[k] = 101.0 * k / r.bins;
  r.x = x;
  r.value = &value;
  r.index = &index;
  r.counts = counts;
  r.edges = edges;

  gpr_status s = GPR_OK;
  for (int i = 0; i < times; i++)
    s = gpr_sim_run (&r);
  char *said = gpr_sim_printed ();
  if (said)
    printf ("%s", said);
  free (said);
  if (s != GPR_OK)
    printf ("status %d: %s\n", s, gpr_message ());
  else if (r.op == LADDER_HISTOGRAM)
    {
      for (int k = 0; k < r.bins; k++)
        printf ("%s%llu", k ? " " : "", counts[k]);
      printf ("\n");
    }
  else
    {
      double v = r.type == LADDER_DOUBLE ? value.d : r.type == LADDER_SINGLE ? value.f : value.i;
      printf ("%.17g", v);
      if (r.op == LADDER_ARGMAX || r.op == LADDER_ARGMIN)
        printf (" at %lld", (long long) index);
      printf ("\n");
    }
  free (x);
  free (edges);
  free (counts);
  return s;
}
