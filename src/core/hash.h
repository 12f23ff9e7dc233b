/* FNV-1a, on from h; GPR_HASH_BEGIN first.  */

#ifndef GPR_HASH_H
#define GPR_HASH_H

#include <stddef.h>
#include <stdint.h>

#define GPR_HASH_BEGIN UINT64_C (14695981039346656037)

static inline uint64_t
gpr_hash (uint64_t h, const void *p, size_t bytes)
{
  const unsigned char *b = p;
  for (size_t i = 0; i < bytes; i++)
    h = (h ^ b[i]) * UINT64_C (1099511628211);
  return h;
}

#endif
