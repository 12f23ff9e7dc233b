/* The memory of the three GPUs of three_gpus.c, which includes this: blocks of the host's, each with a header that says whose it is.  */

#ifndef THREE_MEMORY_H
#define THREE_MEMORY_H

typedef struct header { int64_t bytes; int device; struct header *next; } header;       /* in front of an array */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;        /* of now */

static header *
header_of (const void *p)
{
  return (header *) ((char *) p - 64);
}

/* Blocks that are given, and whose a pointer is: of one into a block the current GPU's, as with the module.  */
static header *given;

static int
device_of (const void *p)
{
  int device = current ();
  pthread_mutex_lock (&lock);
  for (const header *h = given; h; h = h->next)
    if ((const char *) h + 64 == p)
      device = h->device;
  pthread_mutex_unlock (&lock);
  return device;
}

/* Of a block that has all these bytes.  */
static int
device_within (const void *p, size_t bytes)
{
  int device = 0;
  pthread_mutex_lock (&lock);
  for (const header *h = given; h; h = h->next)
    if ((const char *) p >= (const char *) h + 64 && (const char *) p + bytes <= (const char *) h + 64 + h->bytes)
      device = h->device;
  pthread_mutex_unlock (&lock);
  return device;
}

static void *
take_memory (int device, int64_t bytes)
{
  char *block = gpr_fault (host.faults) ? NULL : calloc (1, (size_t) bytes + 64);
  if (! block)
    return NULL;
  pthread_mutex_lock (&lock);
  *(header *) block = (header) { bytes, device, given };
  given = (header *) block;
  now.in_use += bytes;
  now.allocations++;
  pthread_mutex_unlock (&lock);
  return block + 64;
}

static void
release (void *p)
{
  if (! p)
    return;
  pthread_mutex_lock (&lock);
  header **at = &given, *h = header_of (p);
  while (*at && *at != h)
    at = &(*at)->next;
  if (*at)
    *at = h->next;
  now.in_use -= h->bytes;
  now.idle += h->bytes;
  now.allocations--;
  pthread_mutex_unlock (&lock);
  free (h);
}

#endif
