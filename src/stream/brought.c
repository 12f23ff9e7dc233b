/* Sources that bring their elements in runs, of which one is kept.  */

#include <string.h>

#include "stream.h"

/* Octave has complex numbers without any imaginary part as real ones.  */
static void
copy_as_complex (char *to, const char *from, int64_t count, int bytes)
{
  memset (to, 0, (size_t) (2 * count * bytes));
  for (int64_t i = 0; i < count; i++)
    memcpy (to + 2 * i * bytes, from + i * bytes, bytes);
}

gpr_status
gpr_read_brought (gpr_source *s, gpr_brought *b, gpr_status (*bring) (gpr_source *s, int64_t first), int64_t first, int64_t count, void *to)
{
  const int bytes = gpr_elem_bytes[s->elem];
  char *at = to;

  while (count > 0)
    {
      if (gpr_interrupted ())
        return gpr_fail (GPR_INTERRUPTED, "interrupted");
      if (first < b->first || first >= b->first + b->count)
        {
          gpr_status status = bring (s, first);
          if (status != GPR_OK)
            return status;
        }
      const int64_t skip = first - b->first, some = b->count - skip < count ? b->count - skip : count;
      if (b->real_parts)
        copy_as_complex (at, b->data + skip * bytes / 2, some, bytes / 2);
      else
        memcpy (at, b->data + skip * bytes, (size_t) (some * bytes));
      at += some * bytes;
      first += some;
      count -= some;
    }
  return GPR_OK;
}
