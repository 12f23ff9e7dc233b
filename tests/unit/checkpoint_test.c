/* Checkpoints of reductions of streams (src/stream/checkpoint.c): gone on from with the same bits, or refused.  */

#include <sys/stat.h>

#include "stream_problems.h"

static char check_path[4096], new_path[4200];

/* A source's fingerprint is all of it that a checkpoint has.  */
static const gpr_source source = { .fingerprint = 22, .changed = "the file has changed since" };

/* All of it, and how long it is; -1: there is none.  */
static long read_file (const char *name, void *to, size_t most)
{
  FILE *f = fopen (name, "rb");
  const long bytes = f ? (long) fread (to, 1, most, f) : -1;
  if (f)
    fclose (f);
  return bytes;
}

static void *state_of (size_t bytes, char byte)
{
  char *s = malloc (bytes);
  memset (s, byte, bytes);
  return s;
}

static gpr_status reopen (gpr_checkpoint **c, gpr_status wanted, const char *text)
{
  *c = NULL;
  const gpr_status status = gpr_checkpoint_open (c, check_path, 0, 11, &source);
  if (wanted != GPR_OK)
    fails (status, wanted, text);
  else
    expect (status == GPR_OK, "%s", gpr_message ());
  return status;
}

static void checkpoints (void)
{
  gpr_checkpoint *c = NULL;
  char whole[4096], now[4096];

  rule ("a_checkpoint_has_the_states_that_were_put");
  reopen (&c, GPR_OK, "");
  expect (! gpr_checkpoint_get (c, 1, 1), "a state of a new one");
  expect (gpr_checkpoint_put (c, 1, state_of (100, 'a'), 100, true) == GPR_OK && gpr_checkpoint_put (c, 2, state_of (50, 'b'), 50, false) == GPR_OK
          && gpr_checkpoint_put (c, 2, state_of (60, 'c'), 60, false) == GPR_OK, "%s", gpr_message ());
  gpr_checkpoint_close (c, false);
  reopen (&c, GPR_OK, "");
  expect (! gpr_checkpoint_get (c, 2, 100) && ! gpr_checkpoint_get (c, 1, 101), "a state of another reduction, or a shorter one");
  const char *first = gpr_checkpoint_get (c, 1, 100);
  expect (first && first[0] == 'a' && first[99] == 'a', "the first state");
  expect (gpr_checkpoint_put (c, 1, state_of (100, 'd'), 100, true) == GPR_OK && ! gpr_checkpoint_get (c, 2, 1), "what follows a new state is gone");
  gpr_checkpoint_close (c, true);
  expect (access (check_path, F_OK) != 0 && access (new_path, F_OK) != 0, "a file is left");

  rule ("a_checkpoint_is_written_when_it_is_due");
  expect (gpr_checkpoint_open (&c, check_path, 1000, 11, &source) == GPR_OK && ! gpr_checkpoint_is_due (c), "due at once");
  expect (gpr_checkpoint_put (c, 1, state_of (10, 'a'), 10, true) == GPR_OK && access (check_path, F_OK) != 0, "written before it is due");
  gpr_checkpoint_close (c, false);

  rule ("a_checkpoint_that_cannot_be_written_is_an_error_and_leaves_the_last");
  reopen (&c, GPR_OK, "");
  expect (gpr_checkpoint_put (c, 1, state_of (100, 'a'), 100, false) == GPR_OK, "%s", gpr_message ());
  const long size = read_file (check_path, whole, sizeof whole);
  expect (mkdir (new_path, 0700) == 0, "no folder");
  fails (gpr_checkpoint_put (c, 1, state_of (100, 'b'), 100, true), GPR_CANNOT_WRITE, "cannot be written");
  gpr_checkpoint_close (c, false);

  rule ("whether_it_can_be_written_is_known_at_the_start_and_harms_no_older_one");
  reopen (&c, GPR_CANNOT_WRITE, "cannot be written: Is a directory");
  gpr_checkpoint_close (c, false);
  expect (read_file (check_path, now, sizeof now) == size && memcmp (now, whole, (size_t) size) == 0, "the last one is not what it was");
  rmdir (new_path);
  reopen (&c, GPR_OK, "");
  expect (read_file (check_path, now, sizeof now) == size && memcmp (now, whole, (size_t) size) == 0, "the last one is not what it was");
  expect (gpr_checkpoint_get (c, 1, 100) && access (new_path, F_OK) != 0, "it is not gone on from");
  gpr_checkpoint_close (c, true);
  reopen (&c, GPR_OK, "");
  expect (access (check_path, F_OK) != 0 && access (new_path, F_OK) != 0, "a file is left by trying");
  gpr_checkpoint_close (c, false);
  write_file (check_path, whole, (size_t) size);

  rule ("a_checkpoint_of_something_else_is_refused_and_left");
  expect (gpr_checkpoint_open (&c, check_path, 0, 12, &source) == GPR_BAD_INPUT && strstr (gpr_message (), "is of another call"), "%s", gpr_message ());
  gpr_checkpoint_close (c, false);
  const gpr_source other = { .fingerprint = 23, .changed = "it rains since" };
  expect (gpr_checkpoint_open (&c, check_path, 0, 11, &other) == GPR_BAD_INPUT && strstr (gpr_message (), "it rains since"), "%s", gpr_message ());
  gpr_checkpoint_close (c, false);
  for (long k = 0; k < size; k++)               /* magic, call, source, tree, and what the hash is of */
    {
      memcpy (now, whole, (size_t) size);
      now[k] ^= (char) (1 << random_below (8));
      write_file (check_path, now, (size_t) size);
      reopen (&c, GPR_BAD_INPUT, k < 8 ? "is no checkpoint of gpureduce" : k < 16 ? "is of another call" : k < 24 ? "the file has changed since"
                                 : k < 32 ? "is of another version of gpureduce" : "is damaged");
      gpr_checkpoint_close (c, false);
    }
  for (long k = 0; k <= size; k++)              /* cut off, or longer by one */
    {
      memcpy (now, whole, (size_t) size);
      now[size] = 0;
      write_file (check_path, now, (size_t) (k < size ? k : size + 1));
      reopen (&c, GPR_BAD_INPUT, k < 32 ? "is no checkpoint of gpureduce" : "is damaged");
      gpr_checkpoint_close (c, false);
    }
  write_file (check_path, whole, (size_t) size);
  reopen (&c, GPR_OK, "");
  gpr_checkpoint_close (c, true);
}

static void going_on (void)
{
  rule ("a_reduction_goes_on_from_its_checkpoint_with_the_same_bits");
  for (int k = 0; k < 20 + test_cases (40); k++)
    {
      problem p = random_problem ((enum gpr_instance) random_below (GPR_INSTANCE_COUNT));
      const enum gpr_elem elem = gpr_instances[p.r.instance].elem;
      bringing b = bringing_of (p.x, elem, p.count);
      gpr_stream s = { .source = &b.source };
      gpr_config.memory_limit = 1 << 12;
      b.longest = b.longest < 100 ? b.longest : 100;
      for (int64_t at = random_below (p.count); at < p.count; at += 1 + random_below (p.count))         /* it fails now and then */
        {
          b.fails_at = at;
          reopen (&s.checkpoint, GPR_OK, "");
          b.run.count = 0;
          fails (reduce_stream (&p, &s, "failing"), GPR_CANNOT_READ, "element ");
          gpr_checkpoint_close (s.checkpoint, false);
        }
      b.fails_at = -1;
      b.taken = b.run.count = 0;
      const bool written = access (check_path, F_OK) == 0;
      reopen (&s.checkpoint, GPR_OK, "");
      expect (reduce_stream (&p, &s, "going on") == GPR_OK, "%s", gpr_message ());
      expect (! written || b.taken < p.count, "%lld of %lld elements are read again", (long long) b.taken, (long long) p.count);
      gpr_checkpoint_close (s.checkpoint, false);

      b.taken = b.run.count = 0;                /* it is done */
      reopen (&s.checkpoint, GPR_OK, "");
      expect (reduce_stream (&p, &s, "done") == GPR_OK && b.taken == 0, "%lld elements are read of a reduction that is done", (long long) b.taken);
      gpr_checkpoint_close (s.checkpoint, true);
      free_problem (&p);
    }
}

int main (void)
{
  expect (gpr_system_temporary (check_path, sizeof check_path), "no temporary file");
  unlink (check_path);
  snprintf (new_path, sizeof new_path, "%s.new", check_path);
  checkpoints ();
  going_on ();
  return verdict ();
}
