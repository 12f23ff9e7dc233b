/* The list of a module's variants: included by one of its files.  */

#include <string.h>

#include "variant.h"

static ladder_registration *ladder_first;

ladder_registration::ladder_registration (const char *name, const char *file, void (*describe) (ladder_variant &))
{
  memset (&variant, 0, sizeof variant);
  variant.name = name;
  variant.file = file;
  variant.aliases = variant.idea = variant.lesson = variant.wrong = variant.source = "";
  variant.per_thread = variant.block_y = variant.block_z = 1;
  variant.scale = 1;
  variant.finishes = LADDER_ALL_FINISHES;
  variant.blocks = LADDER_ALL_BLOCKS;
  variant.default_finish = LADDER_TWO_PASS;
  variant.default_block = 256;
  describe (variant);
  ladder_registration **at = &ladder_first;
  while (*at && (*at)->variant.rank <= variant.rank)
    at = &(*at)->next;
  next = *at;
  *at = this;
}

extern "C" __attribute__ ((visibility ("default"))) int ladder_count (void)
{
  int n = 0;
  for (const ladder_registration *r = ladder_first; r; r = r->next)
    n++;
  return n;
}

extern "C" __attribute__ ((visibility ("default"))) const ladder_variant *ladder_at (int i)
{
  const ladder_registration *r = ladder_first;
  while (r && i-- > 0)
    r = r->next;
  return r ? &r->variant : NULL;
}
