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
static inline int ladder_family_of (int op)
{
  return op == LADDER_HISTOGRAM ? LADDER_FAMILY_HISTOGRAM : op == LADDER_ARGMAX || op == LADDER_ARGMIN ? LADDER_FAMILY_ARGMAX : LADDER_FAMILY_REDUCE;
}

/* The index of block in a descriptor's tables, or -1.  */
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
  return false;
}

/* False with the reason in why, which names what is allowed.  */
static inline bool ladder_allows (const ladder_variant *v, int op, int type, int finish, int block, char *why, size_t bytes)
{
  bool any_op = false;
  for (int t = 0; t < LADDER_TYPES; t++)
    any_op = any_op || ladder_has (v, op, t);
  if (! any_op)
    {
      const char *hint = op == LADDER_ARGMAX ? ", which a second output of max needs (shuffle_pairs and packed_atomic have it)"
                           : op == LADDER_ARGMIN ? ", which a second output of min needs (shuffle_pairs and packed_atomic have it)" : "";
      snprintf (why, bytes, "variant %s has no operator %s%s; it has ", v->name, ladder_op_names[op], hint);
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
      for (int t = 0; t < LADDER_TYPES; t++)
        if (ladder_has (v, op, t))
          {
            const size_t end = strlen (why);
            snprintf (why + end, bytes - end, ": give %s (x)", ladder_type_names[t]);
            break;
          }
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
  if (v->block_y * v->block_z > 1 && block % (v->block_y * v->block_z))
    {
      snprintf (why, bytes, "variant %s has %d * %d threads in y and z, more than blocks of %d have", v->name, v->block_y, v->block_z, block);
      return false;
    }
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

/* Whether a variant can tell so many elements in blocks of block threads; if not, why says what it can.  */
static inline bool ladder_takes (const ladder_variant *v, int64_t n, int block, char *why, size_t bytes)
{
  int64_t tile = (int64_t) (v->one_thread ? 1 : block) * v->per_thread;
  if (v->most && n > v->most)
    {
      snprintf (why, bytes, "%s takes its length in %s: %lld elements at most", v->name, v->most > INT32_MAX ? "an unsigned" : "an int",
                (long long) v->most);
      return false;
    }
  if (v->whole && n % tile)
    {
      snprintf (why, bytes, "%s takes no length: %lld elements are no multiple of the %lld of a block", v->name, (long long) n, (long long) tile);
      return false;
    }
  return true;
}

/* Whether a descriptor can be worked with; if not, why says what is wrong.  */
static inline bool ladder_is_sound (const ladder_variant *v, char *why, size_t bytes)
{
  static const char mailbox[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const char *texts[] = { v->aliases, v->idea, v->lesson, v->wrong, v->source };
  int b = v->one_thread ? 0 : ladder_block_index (v->default_block);
  bool any = false, any_by_default = false;
#define LADDER_REQUIRE(good, ...) do if (! (good)) { snprintf (why, bytes, __VA_ARGS__); return false; } while (0)

  LADDER_REQUIRE (v->name && v->name[0] && strlen (v->name) <= 100 && strspn (v->name, mailbox) == strlen (v->name),
                  "its name must be 1 to 100 letters, digits and _");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    LADDER_REQUIRE (texts[i], "%s: a text is NULL; give \"\"", v->name);
  LADDER_REQUIRE (strlen (v->aliases) <= 1000, "%s: v.aliases has more than 1000 characters", v->name);
  LADDER_REQUIRE (v->family >= 0 && v->family < LADDER_FAMILIES, "%s: v.family = %d is none", v->name, v->family);
  LADDER_REQUIRE (v->per_thread >= 1, "%s: v.per_thread = %d must be 1 or more", v->name, v->per_thread);
  LADDER_REQUIRE (v->shared_per_thread >= 0 && v->shared_per_warp >= 0 && v->shared_fixed >= 0 && v->shared_per_bin >= 0
                  && v->shared_per_warp_bin >= 0, "%s: v.shared_... must not be negative", v->name);
  LADDER_REQUIRE (v->block_y >= 1 && v->block_z >= 1 && v->block_y <= 1024 && v->block_z <= 64
                  && ! (v->default_block % (v->block_y * v->block_z)) && ! ((v->block_y * v->block_z) & (v->block_y * v->block_z - 1)),
                  "%s: v.block_y = %d and v.block_z = %d must be powers of two that divide v.default_block", v->name, v->block_y, v->block_z);
  LADDER_REQUIRE (v->plain || v->block_y * v->block_z == 1, "%s: blocks in y and z are for plain kernels (PLAIN_REDUCE)", v->name);
  LADDER_REQUIRE (b >= 0, "%s: v.default_block = %d must be 32, 64, 128, 256, 512 or 1024", v->name, v->default_block);
  LADDER_REQUIRE (v->one_thread || v->blocks >> b & 1, "%s: v.default_block = %d is not among v.blocks", v->name, v->default_block);
  LADDER_REQUIRE (v->default_n >= 0 && v->default_n <= 1 << 24, "%s: v.default_n = %d must be 0 to 2^24", v->name, v->default_n);
  LADDER_REQUIRE (v->default_finish >= 0 && v->default_finish < LADDER_FINISHES, "%s: v.default_finish = %d is none",
                  v->name, v->default_finish);
  if (v->family != LADDER_FAMILY_HISTOGRAM)
    {
      LADDER_REQUIRE (v->finishes & LADDER_ALL_FINISHES, "%s: v.finishes = %u leaves it no way to finish", v->name, v->finishes);
      LADDER_REQUIRE (v->finishes >> v->default_finish & 1, "%s: v.default_finish, %s, is not among v.finishes", v->name,
                      ladder_finish_names[v->default_finish]);
    }
  LADDER_REQUIRE (fabs (v->scale) <= 1e9 && fabs (v->bias) <= 1e9 && v->scale == rint (v->scale) && v->bias == rint (v->bias) && v->scale != 0,
                  "%s: v.scale = %g and v.bias = %g must be whole numbers, at most 1e9 in size, v.scale not 0", v->name, v->scale, v->bias);
  LADDER_REQUIRE (v->family == LADDER_FAMILY_REDUCE || (v->scale == 1 && v->bias == 0 && ! v->first),
                  "%s: v.scale, v.bias and v.first are for reductions", v->name);
  for (int op = 0; op < LADDER_OPS; op++)
    for (int type = 0; type < LADDER_TYPES; type++)
      for (int i = 0; i < LADDER_BLOCKS; i++)
        if (v->kernel[op][type][i])
          {
            LADDER_REQUIRE (! v->first || (v->first->name && v->first->kernel[op][type][i]),
                            "%s: v.first lacks a name or the kernel for %s of %s", v->name, ladder_op_names[op], ladder_type_names[type]);
            LADDER_REQUIRE (ladder_family_of (op) == v->family, "%s: a kernel for %s, but v.family is that of %s", v->name,
                            ladder_op_names[op], ladder_family_names[v->family]);
            any = true;
            any_by_default = any_by_default || i == b;
          }
  LADDER_REQUIRE (any, "%s has no kernels: REDUCE_KERNELS (v, ...) or one of its kind is missing", v->name);
  LADDER_REQUIRE (any_by_default, "%s: no kernel for v.default_block = %d", v->name, v->default_block);
#undef LADDER_REQUIRE
  return true;
}

#endif
