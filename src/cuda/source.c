#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "source.h"

#define NAME(name) [GPR_MAP_##name] = #name,
static const char *const op_names[GPR_MAP_OP_COUNT] = { GPR_MAP_UNARY (NAME) GPR_MAP_BINARY (NAME) };
#define ELEM(name) [GPR_##name] = #name,
static const char *const elem_names[GPR_ELEM_COUNT] = { GPR_MAP_ELEMS (ELEM) };
static const char *const lie_names[] = { "GPR_MAP_VECTORS", "GPR_MAP_SCALAR", "GPR_MAP_STRIDED" };

/* Of functions: how long what is compiled of one is, about, by exp.  */
static int
length_of (const gpr_map_step *s)
{
#define SHORT(name) case GPR_MAP_##name:
  switch ((int) s->op)
    {
    GPR_MAP_SHORT_BINARY (SHORT) GPR_MAP_SHORT_UNARY (SHORT) case GPR_MAP_load: case GPR_MAP_save: case GPR_MAP_sqrt:
      return 0;
    case GPR_MAP_exp: case GPR_MAP_expm1: case GPR_MAP_log: case GPR_MAP_log2: case GPR_MAP_log10: case GPR_MAP_log1p: case GPR_MAP_hypot:
      return 1;
    default:
      return 2;
    }
}

/* Elements of a thread.  The memory wants eight vectors on their way, of all leaves together; a function is compiled for each of them, though, which
   takes long, and leaves the memory time: ms that NVRTC 13.0 took for exp, sin, power of 16 doubles 124, 172, 296, of 4 85, 106, 148.  */
static int
choose_each (const gpr_map_args *a, int leaves)
{
  int vectors = 0, length = 0;
  for (int l = 0; l < leaves; l++)
    vectors += a->lies[l] != GPR_MAP_SCALAR;
  for (int k = 0; k < a->steps; k++)
    length += length_of (&a->step[k]);
  const int most = length == 0 ? 8 : length == 1 ? 4 : 2, fit = vectors <= 1 ? 8 : vectors == 2 ? 4 : 2;
  return (a->fours ? 4 : 2) * (most < fit ? most : fit);
}

bool
gpr_source_of_map (gpr_source_key *key, const gpr_map_args *a, int leaves, int capability)
{
  if (a->rank > GPR_COMPILED_RANK)
    return false;
  memset (key, 0, sizeof *key);
  key->capability = capability;
  key->steps = (uint8_t) a->steps;
  key->leaves = (uint8_t) leaves;
  key->each = (uint8_t) choose_each (a, leaves);
  key->fours = a->fours;
  key->placed = a->placed;
  key->z_vectors = a->z_vectors;
  key->z_elem = a->z_elem;
  bool strided = a->placed;
  for (int l = 0; l < leaves; l++)
    {
      key->elems[l] = a->elems[l];
      key->lies[l] = a->lies[l];
      strided = strided || a->lies[l] == GPR_MAP_STRIDED;
    }
  /* What only what is strided asks for.  */
  key->rank = strided ? (uint8_t) a->rank : 1;
  key->narrow = ! strided || a->narrow;
  for (int k = 0; k < a->steps; k++)
    {
      const gpr_map_step *s = &a->step[k];
      const bool two = gpr_map_takes_two (s->op);
      if (s->op == GPR_MAP_isna || s->op == GPR_MAP_signbit)    /* they read the bits of a NaN */
        return false;
      key->step[k].op = s->op;
      key->step[k].single = s->single;
      key->step[k].turned = two && s->turned;
      if (two || s->op == GPR_MAP_load)
        key->step[k].operand = s->operand;
      if (s->op == GPR_MAP_save || ((two || s->op == GPR_MAP_load) && (s->operand == GPR_MAP_LEAF || s->operand == GPR_MAP_SLOT)))
        key->step[k].at = (int8_t) s->at;
      if (s->op == GPR_MAP_power && ! s->turned && s->operand == GPR_MAP_NUMBER && (s->number == -1 || s->number == 3))
        {
          key->step[k].operand = GPR_SOURCE_LITERAL;
          key->step[k].at = (int8_t) s->number;
        }
    }
  return true;
}

void
gpr_source_terms (gpr_terms_args *t, const gpr_map_args *a, int leaves)
{
  for (int l = 0; l <= GPR_MAP_LEAVES; l++)
    memcpy (t->strides[l], a->strides[l], sizeof t->strides[l]);
  memcpy (t->dims, a->dims, sizeof t->dims);
  memcpy (t->magic, a->magic, sizeof t->magic);
  memcpy (t->shift, a->shift, sizeof t->shift);
  for (int l = 0; l < leaves; l++)
    t->x[l] = a->x[l];
  for (int k = 0; k < a->steps; k++)
    t->numbers[k] = a->step[k].number;
}

typedef struct { char *text; size_t used; } writer;

static void __attribute__ ((format (printf, 2, 3)))
add (writer *w, const char *format, ...)
{
  va_list list;
  va_start (list, format);
  w->used += (size_t) vsnprintf (w->text + w->used, GPR_SOURCE_BYTES - w->used, format, list);
  va_end (list);
}

static void
add_for_leaves (writer *w, const gpr_source_key *key, const char *format)
{
  for (int l = 0; l < key->leaves; l++)
    {
      add (w, format, l);
      add (w, l + 1 < key->leaves ? " " : "");
    }
}

static const char *
type_of (bool single)
{
  return single ? "f32" : "f64";
}

/* Each value has a name of its own: v and the number of its step.  */
static void
add_steps (writer *w, const gpr_source_key *key)
{
  int before = -1, saved[GPR_MAP_SLOTS] = { 0 };

  for (int k = 0; k < key->steps; k++)
    {
      const int at = key->step[k].at, op = key->step[k].op;
      const char *type = type_of (key->step[k].single);
      char operand[64], accumulator[64];

      if (op == GPR_MAP_save)
        {
          saved[at] = before;
          continue;
        }
      snprintf (accumulator, sizeof accumulator, "w.template as<%s> (v%d)", type, before);
      switch (key->step[k].operand)
        {
        case GPR_MAP_LEAF: snprintf (operand, sizeof operand, "w.template as<%s> (x%d.at (j))", type, at); break;
        case GPR_MAP_NUMBER: snprintf (operand, sizeof operand, "w.template as<%s> (a.numbers[%d])", type, k); break;
        case GPR_SOURCE_LITERAL: snprintf (operand, sizeof operand, "(%s) %d", type, at); break;
        case GPR_MAP_SELF: strcpy (operand, accumulator); break;
        default: snprintf (operand, sizeof operand, "w.template as<%s> (v%d)", type, saved[at]);
        }
      add (w, "      const %s v%d = ", type, k);
      if (op == GPR_MAP_load)
        add (w, "%s;\n", operand);
      else if (! gpr_map_takes_two (op))
        add (w, "w.%s_ (%s);\n", op_names[op], accumulator);
      else
        add (w, "w.%s_ (%s, %s);\n", op_names[op], key->step[k].turned ? operand : accumulator, key->step[k].turned ? accumulator : operand);
      before = k;
    }
  add (w, "      return v%d;\n", before);
}

void
gpr_source_write (char *text, const gpr_source_key *key)
{
  writer w = { text, 0 };
  static const char *const truth[] = { "false", "true" };

  add (&w, "struct expression\n{\n  typedef %s Z;\n  typedef %s A;\n", elem_names[key->z_elem], type_of (key->step[key->steps - 1].single));
  add (&w, "  static constexpr bool fours = %s, narrow = %s, placed = %s, z_vectors = %s;\n  static constexpr int rank = %d;\n", truth[key->fours], truth[key->narrow], truth[key->placed],
       truth[key->z_vectors], key->rank);
  add (&w, "  template <int N> struct terms\n  {\n");
  for (int l = 0; l < key->leaves; l++)
    add (&w, "    map_terms_of<expression, %s, %d, %s, N> x%d;\n", elem_names[key->elems[l]], l, lie_names[key->lies[l]], l);
  add (&w, "    __device__ __forceinline__ void read (const gpr_terms_args &a, const map_place &p) { ");
  add_for_leaves (&w, key, "x%d.read (a, p);");
  add (&w, " }\n    __device__ __forceinline__ void read_one (const gpr_terms_args &a, i64 i) { ");
  add_for_leaves (&w, key, "x%d.read_one (a, i);");
  add (&w, " }\n    template <class W> __device__ __forceinline__ A at (const gpr_terms_args &a, int j, W &w) const\n    {\n");
  add_steps (&w, key);
  add (&w, "    }\n  };\n};\n");
  add (&w, "extern \"C\" __global__ void __launch_bounds__ (GPR_MAP_THREADS) compiled (const __grid_constant__ gpr_compiled_map_args a) "
       "{ map_compiled<expression, %d> (a); }\n", key->each);
}
