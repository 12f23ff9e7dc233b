/* The fake GPU's memory, and the host's that is pinned or locked: a part of fake_cuda.c.  */

#include <sanitizer/asan_interface.h>

typedef struct range { struct range *next; char *begin, *end; int copies; enum { DEVICE, PINNED, LOCKED } kind; } range;
static range *ranges;

static range *
range_of (const void *p, size_t bytes)
{
  for (range *r = ranges; r; r = r->next)
    if ((char *) p >= r->begin && (char *) p + bytes <= r->end)
      return r;
  return NULL;
}

static void
count (const range *r, int by)
{
  if (r->kind == DEVICE)
    fake.device_blocks += by;
  else if (r->kind == LOCKED)
    fake.locked += by;
  else
    {
      fake.pinned_blocks += by;
      fake.pinned_bytes += by * (r->end - r->begin);
    }
}

static void
add (void *p, size_t bytes, int kind)
{
  range *r = malloc (sizeof *r);
  lock ();
  *r = (range) { ranges, p, (char *) p + bytes, 0, kind };
  ranges = r;
  count (r, 1);
  unlock ();
}

/* How many bytes it had, or -1.  */
static long
drop (void *p, bool of_ours)
{
  long found = -1;
  lock ();
  for (range **at = &ranges; *at && found < 0; at = &(*at)->next)
    if ((*at)->begin == p && ((*at)->kind != LOCKED) == of_ours)
      {
        range *r = *at;
        if (r->copies)
          violation ("memory freed or unlocked under a copy");
        *at = r->next;
        count (r, -1);
        found = r->end - r->begin;
        free (r);
        break;
      }
  if (found < 0)
    violation ("freed or unlocked what was not");
  unlock ();
  return found;
}

/* What was freed last: the system would take longer to bring fresh pages than a test takes to use them.  */
enum { KEPT = 8 };
static struct { void *p; size_t bytes; } kept[KEPT];
static int next_kept;

static void *
take_kept (size_t bytes)
{
  void *p = NULL;
  lock ();
  for (int i = 0; i < KEPT && ! p; i++)
    if (kept[i].p && kept[i].bytes == bytes)
      {
        p = kept[i].p;
        kept[i].p = NULL;
      }
  unlock ();
  if (p)
    ASAN_UNPOISON_MEMORY_REGION (p, bytes);
  return p;
}
static void
keep (void *p, size_t bytes)
{
  ASAN_POISON_MEMORY_REGION (p, bytes);
  lock ();
  void *old = kept[next_kept].p;
  const size_t old_bytes = kept[next_kept].bytes;
  kept[next_kept].p = p;
  kept[next_kept].bytes = bytes;
  next_kept = (next_kept + 1) % KEPT;
  unlock ();
  if (old)
    ASAN_UNPOISON_MEMORY_REGION (old, old_bytes);
  free (old);
}

static size_t
whole_pages (size_t bytes)
{
  return (bytes + 4095) / 4096 * 4096;
}
static cudaError_t
allocate (void **p, size_t bytes, int kind)
{
  *p = take_kept (whole_pages (bytes));
  if (! *p)
    *p = aligned_alloc (4096, whole_pages (bytes));
  if (! *p)
    return cudaErrorMemoryAllocation;
  memset (*p, 0xA5, bytes);
  add (*p, bytes, kind);
  return cudaSuccess;
}

cudaError_t
cudaMalloc (void **p, size_t bytes)
{
  return allocate (p, bytes, DEVICE);
}
cudaError_t
cudaHostAlloc (void **p, size_t bytes, unsigned flags)
{
  (void) flags;
  return allocate (p, bytes, PINNED);
}
cudaError_t
cudaFree (void *p)
{
  const long bytes = p ? drop (p, true) : -1;
  if (bytes >= 0)
    keep (p, whole_pages ((size_t) bytes));
  return cudaSuccess;
}
cudaError_t
cudaFreeHost (void *p)
{
  return cudaFree (p);
}
cudaError_t
cudaHostRegister (void *p, size_t bytes, unsigned flags)
{
  (void) flags;
  if (fake_refuses_locks)
    return cudaErrorInvalidValue;
  lock ();
  for (range *r = ranges; r; r = r->next)
    if ((char *) p < r->end && (char *) p + bytes > r->begin)
      {
        violation ("locked twice");
        unlock ();
        return cudaErrorHostMemoryAlreadyRegistered;
      }
  fake.locks++;
  unlock ();
  add (p, bytes, LOCKED);
  return cudaSuccess;
}
cudaError_t
cudaHostUnregister (void *p)
{
  return drop (p, false) >= 0 ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t
cudaMemset (void *p, int value, size_t bytes)
{
  memset (p, value, bytes);
  return cudaSuccess;
}
cudaError_t
cudaMemGetInfo (size_t *left, size_t *total)
{
  *left = *total = (size_t) 1 << 30;
  return cudaSuccess;
}
