/* Random elementwise expressions, for map_test.c and emulated/map.cpp.  */

#ifndef GPR_MAP_RANDOM_H
#define GPR_MAP_RANDOM_H

#include "../../src/core/map.h"
#include "test.h"

static const gpr_class classes[] = { GPR_CLASS_double, GPR_CLASS_single, GPR_CLASS_int8, GPR_CLASS_uint8, GPR_CLASS_int16, GPR_CLASS_uint16,
                                     GPR_CLASS_int32, GPR_CLASS_uint32, GPR_CLASS_logical, GPR_CLASS_char };
static gpr_class random_class (void) { return random_below (2) ? random_below (2) : classes[random_below (10)]; }
/* In which precision all steps are.  */
typedef enum { MIXED, DOUBLES, SINGLES } precision;
static gpr_class
random_class_of (precision p)
{
  const gpr_class class = random_class ();
  return p == SINGLES && class == GPR_CLASS_double ? GPR_CLASS_single : class;
}

static void
fill (gpr_class class, void *x, int64_t n)
{
  const int bytes = gpr_elem_bytes[gpr_elem_of_class (class)];
  random_fill (x, class == GPR_CLASS_double || class == GPR_CLASS_single ? 'f' : 'i', bytes, n, (int) random_below (ALL_NAN));
  for (int64_t i = 0; class == GPR_CLASS_logical && i < n; i++)
    ((uint8_t *) x)[i] &= 1;
}

static void
random_steps (gpr_map_step *step, int steps, int leaves, precision p)
{
  int saved = 0;
  for (int k = 0; k < steps; k++)
    {
      gpr_map_step *s = &step[k];
      const int what = k == 0 ? 0 : random_below (8);
      s->op = what == 0 ? GPR_MAP_load : what == 1 ? GPR_MAP_save : GPR_MAP_save + 1 + random_below (GPR_MAP_OP_COUNT - GPR_MAP_save - 1);
      s->single = p == MIXED ? random_below (3) == 0 : p == SINGLES;
      s->turned = gpr_map_takes_two (s->op) && random_below (2);
      s->operand = random_below (2) ? GPR_MAP_LEAF : random_below (saved ? 3 : 2);
      s->number = random_below (4) ? random_f64 (SPRINKLED) * (double) random_below (4) : 2;
      s->at = s->operand == GPR_MAP_SLOT ? random_below (saved) : random_below (leaves);
      if (s->op == GPR_MAP_save)
        s->at = saved < GPR_MAP_SLOTS && random_below (2) ? saved++ : random_below (saved ? saved : ++saved);
    }
}

/* How dimensions broadcast: a bit each of those that a leaf has.  */
static void
lay_out (gpr_mapping *m, int l, unsigned has)
{
  int64_t step = 1;
  for (int d = 0; d < m->rank; d++)
    {
      m->strides[l][d] = has >> d & 1 ? step : 0;
      step *= has >> d & 1 ? m->dims[d] : 1;
    }
}

/* m->x[l] have room for most elements of 8 bytes each.  Returns how many there are; over_leaf: z can be leaf 0.  */
static inline int64_t
random_mapping (gpr_mapping *m, gpr_map_step *step, int64_t most, bool *over_leaf)
{
  const precision p = (precision) random_below (3);
  int64_t count = 1;

  m->rank = (int) random_below (5);
  m->leaves = 1 + (int) random_below (GPR_MAP_LEAVES);
  m->class = random_class_of (p);
  for (int d = 0; d < m->rank; d++)
    {
      const int64_t left = most / count;
      m->dims[d] = random_below (4) == 0 ? d == 0 ? left - random_below (left / 8) : 1 : 1 + random_below (d == 0 && random_below (2) ? left : left < 20 ? left : 20);
      count *= m->dims[d];
    }
  m->steps = 1 + (int) random_below (count > 5000 ? 8 : GPR_MAP_STEPS);
  random_steps (step, m->steps, m->leaves, p);
  for (int l = 0; l < m->leaves; l++)
    {
      m->classes[l] = random_class_of (p);
      lay_out (m, l, random_below (2) ? ~0u : (unsigned) random_u64 ());
      fill (m->classes[l], (void *) m->x[l], count);
    }
  *over_leaf = random_below (4) == 0;
  if (*over_leaf)
    {
      m->class = m->classes[0];
      lay_out (m, 0, ~0u);
    }
  /* As expressions of integers and comparisons end.  */
  gpr_map_step *last = &step[m->steps - 1];
  if (m->steps > 1 && random_below (2))
    {
      if (gpr_class_is_integer (m->class))
        last->op = GPR_MAP_to_int8 + (int) m->class - (int) GPR_CLASS_int8;
      else if (m->class == GPR_CLASS_logical)
        last->op = random_below (2) ? GPR_MAP_lt : GPR_MAP_isnan;
    }
  return count;
}

#endif
