/* Allocations of the sources, which the linker sends through here (Makefile: wrapped): counted, and one of them fails where asked.  */

#ifndef GPR_ALLOCATIONS_H
#define GPR_ALLOCATIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

void *__real_malloc (size_t bytes);
void *__real_calloc (size_t count, size_t bytes);
void *__real_realloc (void *p, size_t bytes);
void *__real_aligned_alloc (size_t alignment, size_t bytes);
int __real_posix_memalign (void **p, size_t alignment, size_t bytes);
void __real_free (void *p);

static atomic_int until_failure = -1, failures, live;

static bool fails (void)
{
  if (until_failure < 0 || until_failure-- != 0)
    return false;
  failures++;
  return true;
}

void *__wrap_malloc (size_t bytes)
{
  if (fails ())
    return NULL;
  live++;
  return __real_malloc (bytes);
}
void *__wrap_calloc (size_t count, size_t bytes)
{
  if (fails ())
    return NULL;
  live++;
  return __real_calloc (count, bytes);
}
void *__wrap_realloc (void *p, size_t bytes)
{
  if (fails ())
    return NULL;
  live += p == NULL;
  return __real_realloc (p, bytes);
}
void *__wrap_aligned_alloc (size_t alignment, size_t bytes)
{
  if (fails ())
    return NULL;
  live++;
  return __real_aligned_alloc (alignment, bytes);
}
int __wrap_posix_memalign (void **p, size_t alignment, size_t bytes)
{
  if (fails ())
    return 12;
  live++;
  return __real_posix_memalign (p, alignment, bytes);
}
void __wrap_free (void *p)
{
  live -= p != NULL;
  __real_free (p);
}

#endif
