/* printf of kernels, and what g++ makes of it.  The program's own names stand before the C library's,
   in a user's module too; what the host's code prints goes on to stdout.  */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>

#include "prints.h"
#include "report.h"
#include "request.h"
#include "state.h"

static sim_printed *P;
/* The line that is not at its end yet: whose, where it begins, and whether it has room.  */
static u64 owner;               /* thread and launch; 0: nobody's */
static int32_t begun;
static bool kept;

void prints_go_to (int fd, int64_t at)
{
  void *p = at > 0 ? mmap (NULL, sizeof *P, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at) : MAP_FAILED;
  P = p == MAP_FAILED ? NULL : (sim_printed *) p;
}

static bool to_stdout;
void prints_go_to_stdout (void) { to_stdout = true; }

static void put (const char *text, size_t bytes)
{
  bytes = std::min (bytes, (size_t) (begun + SIM_LINE - 1 - P->bytes));         /* 1 for the line's end */
  memcpy (P->text + P->bytes, text, bytes);
  P->bytes += (int32_t) bytes;
}

static void end_line (void)
{
  if (owner && kept)
    P->text[P->bytes++] = '\n';
  owner = 0;
}

static void begin_line (const fiber *f, u64 whose)
{
  end_line ();
  owner = whose;
  kept = P->lines < SIM_LINES;
  if (! kept)
    {
      P->left_out++;
      return;
    }
  P->lines++;
  begun = P->bytes;
  std::string head = thread_text (f->t, f->b->index);
  if (launches.size () > 1)
    head += " of launch " + std::to_string (launches.size ());
  head += ": ";
  put (head.data (), head.size ());
}

/* Parts of a line by one thread are one line, where no other thread printed between them.  */
static void print (const fiber *f, const char *text, size_t bytes)
{
  if (to_stdout)
    fwrite (text, 1, bytes, stdout);
  const u64 whose = (u64) launches.size () << 32 | f->id;
  while (P && bytes > 0)
    {
      const char *end = (const char *) memchr (text, '\n', bytes);
      size_t n = end ? (size_t) (end - text) : bytes;
      if (owner != whose)
        begin_line (f, whose);
      if (kept)
        put (text, n);
      if (end)
        end_line ();
      text += n + (end != NULL);
      bytes -= n + (end != NULL);
    }
}

/* %n writes, and nothing would have seen it.  */
static bool writes_back (const char *format)
{
  for (const char *p = strchr (format, '%'); p; p = strchr (p, '%'))
    {
      p++;
      p += strspn (p, "0123456789-+ #'*.$IhlLqjzt");
      if (*p == 'n')
        return true;
      p += *p != '\0';
    }
  return false;
}

static int print_list (const char *format, va_list list)
{
  static char text[1024];
  if (writes_back (format))
    return -1;
  if (! sim_now)
    return graded_bytes && host_accesses ? 0 : vfprintf (stdout, format, list);
  int n = vsnprintf (text, sizeof text, format, list);
  if (n > 0)
    print (sim_now, text, std::min ((size_t) n, sizeof text - 1));
  return n;
}

#undef printf
#undef vprintf
#undef puts
#undef putchar
HOOK int printf (const char *format, ...)
{
  va_list list;
  va_start (list, format);
  int n = print_list (format, list);
  va_end (list);
  return n;
}
HOOK int __printf_chk (int, const char *format, ...)
{
  va_list list;
  va_start (list, format);
  int n = print_list (format, list);
  va_end (list);
  return n;
}
HOOK int vprintf (const char *format, va_list list) { return print_list (format, list); }
HOOK int __vprintf_chk (int, const char *format, va_list list) { return print_list (format, list); }
HOOK int puts (const char *text)
{
  if (! sim_now)
    return fputs (text, stdout) < 0 ? EOF : fputc ('\n', stdout);
  print (sim_now, text, strlen (text));
  print (sim_now, "\n", 1);
  return 1;
}
HOOK int putchar (int c)
{
  const char one = (char) c;
  if (! sim_now)
    return fputc (c, stdout);
  print (sim_now, &one, 1);
  return c;
}
