/* The simulator as a process of its own: a kernel that crashes or hangs takes
   nothing with it.  They share one file: request, data, response.  */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kernels/sim/request.h"
#include "../core/system.h"
#include "variant.h"

#define PROGRAM "gpureduce_sim"

static const int type_bytes[LADDER_TYPES] = { 8, 4, 4, 1 };

/* The child has ended without a response: by the variant's own code once the run
   has begun.  code: see gpr_system_wait.  */
static gpr_status
died (const gpr_variant_run *r, const char *program, bool begun, int code, int errors)
{
  char said[512] = "";
  (void) gpr_system_tail (errors, said, sizeof said);
  const char *colon = said[0] ? ": " : "";
  if (r->confined && code == -124)
    return gpr_fail (GPR_BAD_INPUT, "time limit: %s was not done in the simulator after %.3g seconds", r->name, r->seconds);
  if (! begun)
    return gpr_fail (GPR_UNSUPPORTED, "the simulator %.500s failed%s%.500s", program, colon, said);
  if (code > 0)
    return gpr_fail (GPR_BAD_INPUT, "crash in %s: the simulator was ended by signal %d before it could say where%s%.500s",
                     r->name, code, colon, said);
  return gpr_fail (GPR_BAD_INPUT, "%s ended the process (exit status %d)%s%.500s", r->name, - code, colon, said);
}

/* Ten times what the slowest rung takes on two cores of a laptop: what lasts longer has no end.  */
static double
seconds_of (const gpr_variant_run *r)
{
  return r->seconds > 0 ? r->seconds : 30 + (double) r->n / 50000;
}

/* x, edges and the request into fd.  */
static bool
put_request (int fd, const gpr_variant_run *r, sim_request *q, size_t bytes)
{
  bool histogram = r->op == LADDER_HISTOGRAM;

  q->magic = SIM_MAGIC;
  q->seed = r->seed ? r->seed : 1;
  q->op = r->op;
  q->type = r->type;
  q->finish = r->finish;
  q->block = r->block;
  q->bins = histogram ? r->bins : 0;
  q->frames = r->frames;
  q->totals = r->totals;
  q->force = r->force;
  q->unmapped = r->unmapped;
  q->graded = r->confined != NULL;
  q->n = r->n;
  q->seconds = isinf (seconds_of (r)) ? 0 : seconds_of (r);
  q->x_at = SIM_PAGE;
  q->edges_at = SIM_PAGE + ((int64_t) bytes + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
  q->counts_at = q->edges_at + (histogram ? 8 * ((int64_t) r->bins + 1) : 0);
  q->printed_at = (q->counts_at + (histogram ? 8 * (int64_t) r->bins : 0) + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
  strcpy (q->name, r->name);
  strcpy (q->module, r->module ? r->module : "");
  strcpy (q->report, r->report ? r->report : "");
  /* The file ends on a page, so that what is in it may be mapped whole.  */
  return gpr_system_resize (fd, q->printed_at + ((int64_t) sizeof (sim_printed) + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE) && gpr_system_put (fd, q, sizeof *q, 0) && gpr_system_put (fd, r->x, bytes, q->x_at)
         && (! histogram || gpr_system_put (fd, r->edges, 8 * ((size_t) r->bins + 1), q->edges_at));
}

/* ---- what kernels print ---- */

static struct { char *text; size_t bytes; int lines; int64_t left_out; } printed;

/* As many lines as one run may have, of all runs together.  */
static void
take_printed (int fd, int64_t at)
{
  sim_printed *p = malloc (sizeof *p);

  if (p && gpr_system_get (fd, p, sizeof *p, at) && p->lines > 0 && p->bytes > 0 && (size_t) p->bytes <= sizeof p->text)
    {
      const char *from = p->text, *end = p->text + p->bytes, *line = from;
      int lines = 0;
      for (; line < end && printed.lines + lines < SIM_LINES; lines++)
        {
          const char *stop = memchr (line, '\n', (size_t) (end - line));
          line = stop ? stop + 1 : end;
        }
      size_t bytes = (size_t) (line - from);
      char *text = realloc (printed.text, printed.bytes + bytes + 2);
      if (text)
        {
          memcpy (text + printed.bytes, from, bytes);
          printed.text = text;
          printed.bytes += bytes;
          if (bytes && text[printed.bytes - 1] != '\n')     /* the run ended within a line */
            text[printed.bytes++] = '\n';
          text[printed.bytes] = '\0';
          printed.lines += lines;
          printed.left_out += p->left_out + p->lines - lines;
        }
    }
  free (p);
}

char *
gpr_sim_printed (void)
{
  char *text = printed.text;

  if (text && printed.left_out > 0)
    {
      char *longer = realloc (text, printed.bytes + 80);
      if (longer)
        snprintf ((text = longer) + printed.bytes, 80, "... and %lld more line%s\n", (long long) printed.left_out, printed.left_out > 1 ? "s" : "");
    }
  memset (&printed, 0, sizeof printed);
  return text;
}

static gpr_status
take_response (int fd, const gpr_variant_run *r, const sim_request *q, const sim_response *a)
{
  if (a->status != GPR_OK)
    return gpr_fail ((gpr_status) a->status, "%.*s", 1000, a->message);
  if (r->op == LADDER_HISTOGRAM)
    {
      if (! gpr_system_get (fd, r->counts, 8 * (size_t) r->bins, q->counts_at))
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
    return gpr_fail (GPR_BAD_INPUT, "%lld elements are many for the simulator, which takes up to %lld%s", (long long) r->n,
                     (long long) SIM_MOST_ELEMENTS, r->report ? "" : ", with \"force\", true more");
  if (strlen (r->name) >= sizeof ((sim_request *) NULL)->name || (r->module && strlen (r->module) >= SIM_TEXT)
      || (r->report && strlen (r->report) >= SIM_TEXT))
    return gpr_fail (GPR_BAD_INPUT, "a name or path is too long for the simulator");
  if (! program || ! *program)
    {
      if (gpr_system_folder_of ((const void *) gpr_sim_run, folder, sizeof folder))
        snprintf (beside, sizeof beside, "%s/" PROGRAM, folder);
      program = beside;
    }
  if (! gpr_system_can_run (program))
    return gpr_fail (GPR_UNSUPPORTED, "the simulator was not built: there is no program %.500s", program);

  size_t bytes = (size_t) r->n * (size_t) type_bytes[r->type];
  sim_request *q = calloc (1, sizeof *q);
  sim_response *a = calloc (1, sizeof *a);
  int fd = gpr_system_nameless_file (SIM_FD), errors = gpr_system_nameless_file (SIM_FD), code = 0;
  long child;
  if (! q || ! a || fd < 0 || errors < 0 || ! put_request (fd, r, q, bytes))
    result = gpr_fail (GPR_OUT_OF_MEMORY, "no room to hand %zu bytes to the simulator: %s", bytes, strerror (errno));
  else
    {
      char limit[32];
      snprintf (limit, sizeof limit, "%.0f", q->seconds + 2);
      const char *const alone[] = { program, NULL };
      const char *const confined[] = { program, "--confined", "--alone", "--write", r->confined, "--seconds", limit, "--memory", "2048", "--file", "64",
                                       r->anyway ? "--anyway" : "--", r->anyway ? "--" : program, r->anyway ? program : NULL, NULL };
      int e = gpr_system_start (&child, r->confined ? confined : alone, fd, SIM_FD, errors);
      if (e)
        result = gpr_fail (GPR_UNSUPPORTED, "the simulator %.500s cannot be started: %s", program, strerror (e));
      else
        /* It keeps to the limit itself and says where it was: that first.  */
        switch (gpr_system_wait (child, gpr_interrupted, q->seconds > 0 ? q->seconds + 3 : 0, &code))
          {
          case GPR_SYSTEM_STOPPED:
            result = gpr_fail (GPR_INTERRUPTED, "interrupted");
            break;
          case GPR_SYSTEM_TOO_LONG:
            result = gpr_fail (GPR_BAD_INPUT, "time limit: %s was not done in the simulator after %.3g seconds", r->name, q->seconds);
            break;
          default:
            if (gpr_system_get (fd, a, sizeof *a, 0) && a->magic == ~(uint32_t) SIM_MAGIC)
              result = take_response (fd, r, q, a);
            else
              result = died (r, program, a->magic == SIM_BEGUN, code, errors);
          }
      take_printed (fd, q->printed_at);
    }
  gpr_system_close (fd);
  gpr_system_close (errors);
  free (q);
  free (a);
  return result;
}
