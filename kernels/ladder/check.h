/* Whether a variant can do what a call asks for, and if not, what it can: the same
   answer from the GPU's module and from the simulator.  C11 and C++.  */

#ifndef LADDER_CHECK_H
#define LADDER_CHECK_H

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "variant.h"

static const char *const ladder_op_names[LADDER_OPS] = { "sum", "max", "min", "prod", "argmax", "argmin", "histogram" };
static const char *const ladder_type_names[LADDER_TYPES] = { "double", "single", "int32", "uint8" };
static const char *const ladder_finish_names[LADDER_FINISHES] = { "two_pass", "multi_level", "atomic", "last_block", "grid_sync" };
static const char *const ladder_family_names[LADDER_FAMILIES] = { "reduce", "argmax", "histogram" };

/* The place of block in a descriptor's tables, or -1.  */
static inline int ladder_block_index (int block)
{
  for (int i = 0; i < LADDER_BLOCKS; i++)
    if (block == 32 << i)
      return i;
  return -1;
}

/* By its name or, in any case, one of its aliases.  */
static inline bool ladder_is_called (const ladder_variant *v, const char *name)
{
  size_t length = strlen (name);
  if (strcmp (v->name, name) == 0)
    return true;
  for (const char *a = v->aliases; *a;)
    {
      size_t n = strcspn (a, ",");
      if (length > 0 && n == length && strncasecmp (a, name, n) == 0)
        return true;
      a += n;
      a += strspn (a, ", ");
    }
  return false;
}

static inline void ladder_append (char *text, size_t bytes, const char *word)
{
  size_t used = strlen (text);
  snprintf (text + used, bytes - used, "%s%s", used && text[used - 1] != ' ' ? ", " : "", word);
}

static inline bool ladder_has (const ladder_variant *v, int op, int type)
{
  for (int b = 0; b < LADDER_BLOCKS; b++)
    if (v->kernel[op][type][b])
      return true;
  return v->host != NULL && v->host (op, type, NULL, NULL, NULL, NULL) == 0;
}

/* False with the reason in why, which names what is allowed.  */
static inline bool ladder_allows (const ladder_variant *v, int op, int type, int finish, int block, char *why, size_t bytes)
{
  bool any_op = false;
  for (int t = 0; t < LADDER_TYPES; t++)
    any_op = any_op || ladder_has (v, op, t);
  if (! any_op)
    {
      snprintf (why, bytes, "variant %s has no operator %s; it has ", v->name, ladder_op_names[op]);
      for (int o = 0; o < LADDER_OPS; o++)
        for (int t = 0; t < LADDER_TYPES; t++)
          if (ladder_has (v, o, t))
            {
              ladder_append (why, bytes, ladder_op_names[o]);
              break;
            }
      return false;
    }
  if (! ladder_has (v, op, type))
    {
      snprintf (why, bytes, "variant %s does not take class %s for %s; it takes ", v->name, ladder_type_names[type], ladder_op_names[op]);
      for (int t = 0; t < LADDER_TYPES; t++)
        if (ladder_has (v, op, t))
          ladder_append (why, bytes, ladder_type_names[t]);
      return false;
    }
  if (v->host)
    return true;
  if (v->family != LADDER_FAMILY_HISTOGRAM && ! (v->finishes >> finish & 1))
    {
      snprintf (why, bytes, "variant %s cannot finish with %s; it can with ", v->name, ladder_finish_names[finish]);
      for (int f = 0; f < LADDER_FINISHES; f++)
        if (v->finishes >> f & 1)
          ladder_append (why, bytes, ladder_finish_names[f]);
      return false;
    }
  int b = ladder_block_index (block);
  if (! v->one_thread && (b < 0 || ! (v->blocks >> b & 1) || ! v->kernel[op][type][b]))
    {
      snprintf (why, bytes, "variant %s has no blocks of %d threads; it has ", v->name, block);
      for (int i = 0; i < LADDER_BLOCKS; i++)
        if (v->blocks >> i & 1 && v->kernel[op][type][i])
          {
            char number[8];
            snprintf (number, sizeof number, "%d", 32 << i);
            ladder_append (why, bytes, number);
          }
      return false;
    }
  return true;
}

#endif
