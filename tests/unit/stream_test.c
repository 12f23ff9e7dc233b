/* Reductions of files and of functions that bring elements (src/stream): the bits of the array in memory, whatever memory there is; sources that fail,
   change or are cut off.  */

#include <fcntl.h>
#include <sys/stat.h>

#include "stream_problems.h"

static char path[4096];

/* ---- raw files ------------------------------------------------------------------------ */

static void raw_bytes (void)
{
  rule ("a_raw_file_gives_the_bytes_that_it_has_read_or_mapped");
  for (int k = 0; k < test_cases (40); k++)
    {
      const enum gpr_elem elem = k == 0 ? GPR_f64 : (enum gpr_elem) random_below (GPR_ELEM_COUNT);
      const int64_t bytes = gpr_elem_bytes[elem], count = 1 + random_below (20000);
      const int64_t offset = k == 0 ? 3 : random_below (3) ? bytes * random_below (9) : random_below (99);      /* 3: elements are not where they can be mapped */
      const size_t size = (size_t) (offset + count * bytes + 5);
      char *all = malloc (size), *some = malloc ((size_t) (count * bytes));
      gpr_source *s = NULL;
      random_fill (all, 'i', 1, (int64_t) size, PLAIN);
      write_file (path, all, size);
      expect (gpr_raw_open (path, elem, offset, count, true, &s) == GPR_OK, "%s", gpr_message ());
      for (int i = 0; s && i < 5; i++)
        {
          const int64_t first = random_below (count), here = 1 + random_below (count - first);
          const char *want = all + offset + first * bytes;
          s->ahead (s, first, here);
          expect (s->read (s, first, here, some) == GPR_OK && memcmp (some, want, (size_t) (here * bytes)) == 0,
                  "read of %lld from %lld", (long long) here, (long long) first);
          const void *there = s->map (s, first, here);
          expect (! there == (offset % bytes != 0), "mapped at offset %lld, elements of %lld bytes", (long long) offset, (long long) bytes);
          expect (! there || (memcmp (there, want, (size_t) (here * bytes)) == 0 && s->unmap (s) == GPR_OK),
                  "map of %lld from %lld", (long long) here, (long long) first);
        }
      if (s)
        {
          expect (s->check (s) == GPR_OK, "%s", gpr_message ());
          s->close (s);
        }
      free (all);
      free (some);
    }
}

static void raw_refused (void)
{
  gpr_source *s = NULL, *other = NULL;
  const char bytes[100] = { 1 };

  rule ("what_is_no_file_of_that_size_is_refused");
  write_file (path, bytes, 100);
  fails (gpr_raw_open (path, GPR_f64, 5, 12, false, &s), GPR_BAD_INPUT, "has 100 bytes, and class, dims and offset take 101: is it cut off?");
  fails (gpr_raw_open (path, GPR_f64, 5, 12, true, &s), GPR_BAD_INPUT, "is it cut off?");
  fails (gpr_raw_open (path, GPR_f64, 3, 12, false, &s), GPR_BAD_INPUT, "has 100 bytes, and class, dims and offset take only 99");
  expect (gpr_raw_open (path, GPR_f64, 4, 12, false, &s) == GPR_OK, "%s", gpr_message ());
  s->close (s);
  char none[4200];
  snprintf (none, sizeof none, "%s.none", path);
  fails (gpr_raw_open (none, GPR_f64, 0, 1, false, &s), GPR_CANNOT_READ, "No such file");
  fails (gpr_raw_open ("/", GPR_f64, 0, 1, false, &s), GPR_CANNOT_READ, "is a folder");
  expect (mkfifo (none, 0600) == 0, "no FIFO");
  fails (gpr_raw_open (none, GPR_f64, 0, 1, false, &s), GPR_CANNOT_READ, "is not a regular file");
  unlink (none);

  rule ("a_file_that_is_cut_off_while_it_is_read_is_an_error");
  expect (gpr_raw_open (path, GPR_u8, 0, 100, false, &s) == GPR_OK, "%s", gpr_message ());
  char some[100];
  expect (truncate (path, 60) == 0 && s->read (s, 0, 60, some) == GPR_OK, "the part that is left");
  fails (s->read (s, 0, 61, some), GPR_CANNOT_READ, "it has been cut off while it was read");
  fails (s->check (s), GPR_CANNOT_READ, "has changed while it was read");
  s->close (s);
  const size_t pages = (size_t) 4 * (size_t) sysconf (_SC_PAGESIZE);
  char *long_one = calloc (1, pages);
  write_file (path, long_one, pages);
  free (long_one);
  expect (gpr_raw_open (path, GPR_u8, 0, (int64_t) pages, false, &s) == GPR_OK, "%s", gpr_message ());
  const volatile char *there = s->map (s, 0, (int64_t) pages);
  expect (there && there[pages - 1] == 0 && truncate (path, 10) == 0 && there[pages - 1] == 0, "a page that is gone is not 0");
  fails (s->unmap (s), GPR_CANNOT_READ, "it has been cut off while it was read");
  s->close (s);

  rule ("a_file_that_changes_is_another_one");
  write_file (path, bytes, 100);
  const struct timespec then[2] = { { 1000, 1 }, { 1000, 1 } }, later[2] = { { 1000, 2 }, { 1000, 2 } };
  expect (utimensat (AT_FDCWD, path, then, 0) == 0 && gpr_raw_open (path, GPR_u8, 0, 100, false, &s) == GPR_OK, "%s", gpr_message ());
  expect (gpr_raw_open (path, GPR_u8, 0, 100, false, &other) == GPR_OK && s->fingerprint == other->fingerprint, "the same file is another one");
  other->close (other);
  expect (s->check (s) == GPR_OK && utimensat (AT_FDCWD, path, later, 0) == 0, "%s", gpr_message ());
  fails (s->check (s), GPR_CANNOT_READ, "has changed while it was read");
  expect (gpr_raw_open (path, GPR_u8, 0, 100, false, &other) == GPR_OK && s->fingerprint != other->fingerprint, "the fingerprint is the same");
  other->close (other);
  s->close (s);
}

/* ---- elements ----------------------------------------------------------------------- */

static void elements (void)
{
  enum { COUNT = 3000 };
  double *got = malloc (COUNT * sizeof *got);
  char *x = malloc (COUNT * sizeof (double));

  rule ("elements_are_read_as_doubles_and_logicals");
#define AS_DOUBLES(t) \
  { \
    fill (x, GPR_##t, COUNT, SPRINKLED); \
    bringing b = bringing_of (x, GPR_##t, COUNT); \
    gpr_stream s = { .source = &b.source, .first = random_below (COUNT), .as_double = true }; \
    expect (gpr_stream_read (&s, 0, COUNT - s.first, got) == GPR_OK, "%s", gpr_message ()); \
    for (int64_t i = 0; i < COUNT - s.first; i++) \
      { \
        const double want = (double) ((t *) (void *) x)[s.first + i]; \
        expect (got[i] == want || (got[i] != got[i] && want != want), #t ": element %lld is %g", (long long) i, got[i]); \
      } \
  }
  AS_DOUBLES (f32) AS_DOUBLES (i8) AS_DOUBLES (u8) AS_DOUBLES (i16) AS_DOUBLES (u16) AS_DOUBLES (i32) AS_DOUBLES (u32) AS_DOUBLES (i64) AS_DOUBLES (u64)
  fill (x, GPR_u8, COUNT, SPRINKLED);
  bringing b = bringing_of (x, GPR_u8, COUNT);
  b.source.logical = true;
  const gpr_stream s = { .source = &b.source };
  expect (gpr_stream_read (&s, 0, COUNT, got) == GPR_OK, "%s", gpr_message ());
  for (int i = 0; i < COUNT; i++)
    expect (((char *) got)[i] == (x[i] != 0), "logical element %d", i);

  rule ("complex_elements_that_come_as_real_ones_have_zeros");
  fill (x, GPR_f64, COUNT, PLAIN);
  bringing real = bringing_of (x, GPR_c128, COUNT);
  real.run = (gpr_brought) { x, 0, COUNT, true };
  double *pairs = malloc (2 * COUNT * sizeof *pairs);
  expect (real.source.read (&real.source, 100, COUNT - 100, pairs) == GPR_OK, "%s", gpr_message ());
  for (int i = 0; i < COUNT - 100; i++)
    expect (pairs[2 * i] == ((double *) (void *) x)[100 + i] && pairs[2 * i + 1] == 0, "element %d", i);
  free (pairs);
  free (got);
  free (x);
}

/* ---- reductions ----------------------------------------------------------------------- */

static void any_memory (void)
{
  gpr_config.memory_limit = (size_t) 1 << (12 + random_below (16));
  gpr_config.threads = 1 + (int) random_below (3);
}

static void reductions (void)
{
  rule ("a_stream_has_the_bits_of_the_array");
  for (int instance = 0; instance < GPR_INSTANCE_COUNT; instance++)
    for (int k = 0; k < test_cases (16); k += 4)
      {
        problem p = random_problem (instance);
        const enum gpr_elem elem = gpr_instances[instance].elem;
        const int bytes = gpr_elem_bytes[elem];
        gpr_source *raw = NULL;
        any_memory ();
        bringing b = bringing_of (p.x, elem, p.count);
        gpr_stream s = { .source = &b.source };
        expect (reduce_stream (&p, &s, "brought") == GPR_OK, "%s", gpr_message ());
        for (int shift = 0; shift < 2; shift++)         /* of which files are not mapped */
          {
            char *all = malloc ((size_t) (p.count * bytes + shift));
            memcpy (all + shift, p.x, (size_t) (p.count * bytes));
            write_file (path, all, (size_t) (p.count * bytes + shift));
            free (all);
            expect (gpr_raw_open (path, elem, shift, p.count, false, &raw) == GPR_OK, "%s", gpr_message ());
            gpr_stream of_file = { .source = raw };
            expect (reduce_stream (&p, &of_file, shift ? "read" : "mapped") == GPR_OK, "%s", gpr_message ());
            raw->close (raw);
          }
        free_problem (&p);
      }

  rule ("a_source_that_fails_ends_the_reduction_and_leaves_nothing");
  static volatile int pressed = 1;
  volatile int *flag = gpr_interrupt_flag;
  for (int k = 0; k < test_cases (40); k++)
    {
      problem p = random_problem ((enum gpr_instance) random_below (GPR_INSTANCE_COUNT));
      bringing b = bringing_of (p.x, gpr_instances[p.r.instance].elem, p.count);
      gpr_stream s = { .source = &b.source };
      any_memory ();
      b.fails_at = random_below (p.count);
      fails (reduce_stream (&p, &s, "failing"), GPR_CANNOT_READ, "element ");
      b.fails_at = -1;
      b.changed = true;
      fails (reduce_stream (&p, &s, "changing"), GPR_CANNOT_READ, "it has changed");
      b.changed = false;
      b.run.count = 0;
      gpr_interrupt_flag = &pressed;
      fails (reduce_stream (&p, &s, "interrupted"), GPR_INTERRUPTED, "interrupted");
      gpr_interrupt_flag = flag;
      expect (reduce_stream (&p, &s, "then") == GPR_OK, "%s", gpr_message ());
      free_problem (&p);
    }
}

/* Columns for a fix-up, and counts.  */
static void others (void)
{
  rule ("rows_of_an_output_are_the_array's");
  for (int k = 0; k < test_cases (40); k++)
    {
      problem p = random_problem ((enum gpr_instance) random_below (GPR_INSTANCE_COUNT));
      const int bytes = gpr_instances[p.r.instance].elem_bytes;
      bringing b = bringing_of (p.x, gpr_instances[p.r.instance].elem, p.count);
      gpr_stream s = { .source = &b.source };
      gpr_reduction r = p.r;
      r.x = &s;
      const int64_t output = random_below (r.inner * r.outer), first = random_below (r.length), count = 1 + random_below (r.length - first);
      char *got = malloc ((size_t) (count * bytes));
      expect (gpr_stream_backend.rows (&r, output, first, count, got) == GPR_OK, "%s", gpr_message ());
      for (int64_t i = 0; i < count; i++)
        expect (memcmp (got + i * bytes, p.x + ((output / r.inner * r.length + first + i) * r.inner + output % r.inner) * bytes, (size_t) bytes) == 0,
                "row %lld of output %lld", (long long) (first + i), (long long) output);
      free (got);
      free_problem (&p);
    }

  rule ("counts_are_the_array's");
  enum { COUNT = 5000000 };
  static const double edges[] = { -0.5, -0.1, 0, 0.3, 0.9 };
  double *x = malloc (COUNT * sizeof *x), want[5], got[5];
  fill (x, GPR_f64, COUNT, SPRINKLED);
  bringing b = bringing_of (x, GPR_f64, COUNT);
  gpr_stream s = { .source = &b.source };
  gpr_counting c = { .elem = GPR_f64, .inner = 1, .length = COUNT, .outer = 1, .x = x, .rule = GPR_BIN_EDGES, .bins = 5, .edges = edges, .counts = want };
  expect (gpr_cpu_backend.count (&c) == GPR_OK, "%s", gpr_message ());
  c.x = &s;
  c.counts = got;
  b.longest = COUNT;
  expect (gpr_stream_backend.count (&c) == GPR_OK && memcmp (got, want, sizeof want) == 0, "other counts");
  free (x);
}

int main (void)
{
  expect (gpr_system_temporary (path, sizeof path), "no temporary file");
  raw_bytes ();
  raw_refused ();
  elements ();
  reductions ();
  others ();
  unlink (path);
  return verdict ();
}
