/* How an operator is written down, for C11 and CUDA C++.

   A family of operators is two macros:

     GPR_DEF_FAMILY (id, X, A, Y)    defines the functions below for one instance
     GPR_TRAITS_FAMILY               what else an algorithm may want to know

   For an instance id there are then

     id_x id_a id_y                  types of an element, the accumulator, the result
     id_init ()                      the identity
     id_step (&a, x, i)              a <- a o x, x being element i of the row
     id_merge (&a, b)                a <- a o b, b of later elements (of any others
                                     where the family has GPR_EXACT)
     id_lead (&a, first)             before the lanes of a part merge, each takes something
                                     from the first of them that makes merging short; 0
                                     if the first has nothing to give
     id_joins (&a, &b)               whether a and b have taken the same
     id_join (&a, b)                 id_merge, the short way, of two that id_joins
     id_finish (a, d, &y, &k)        y <- the result, divided by d unless d is 0
                                     (squares, variances and bounds: as they say);
                                     k <- its 0-based index (GPR_HAS_INDEX).  Returns
                                     nonzero if y may not be final: src/core/fixup.c
     id_traits, id_has_index         the traits

   A negative i in id_step says that the elements come one after the other in the
   built-in's own order, not by the tree (product.h).

   Every algorithm works with these functions alone.  It may take a short cut only
   where the traits say every fact that the short cut needs: with too few traits an
   operator is slower, with one that is not true it is wrong.  So start a new family with no
   traits but GPR_HAS_INDEX or GPR_ORDERED, not with those of a family that looks alike.  */

#ifndef GPR_TRAITS_H
#define GPR_TRAITS_H

#include "../common/limits.h"
#include "../common/scalars.h"

/* ---- the functions: each macro says one of them --------------------------- */

#define GPR_TYPES(id, X, A, Y) typedef X id##_x; typedef A id##_a; typedef Y id##_y;
#define GPR_INIT(id, ...) GPR_FN id##_a id##_init (void) { id##_a a = { __VA_ARGS__ }; return a; }
#define GPR_STEP(id, ...) GPR_FN void id##_step (id##_a *a, id##_x x, i64 i) { (void) i; __VA_ARGS__; }
#define GPR_MERGE(id, ...) \
  GPR_FN void id##_merge (id##_a *a, id##_a b) { __VA_ARGS__; } \
  enum { id##_leads = 0 }; \
  GPR_FN int id##_lead (id##_a *a, id##_a first) { (void) a; (void) first; return 0; } \
  GPR_FN int id##_joins (const id##_a *a, const id##_a *b) { (void) a; (void) b; return 0; } \
  GPR_FN void id##_join (id##_a *a, id##_a b) { id##_merge (a, b); }
/* Of families whose first lane leads; GPR_MERGE: nothing is taken.  */
#define GPR_MERGE_LED(id, LEAD, JOINS, JOIN, ...) \
  GPR_FN void id##_merge (id##_a *a, id##_a b) { __VA_ARGS__; } \
  enum { id##_leads = 1 }; \
  GPR_FN int id##_lead (id##_a *a, id##_a first) { return LEAD; } \
  GPR_FN int id##_joins (const id##_a *a, const id##_a *b) { return JOINS; } \
  GPR_FN void id##_join (id##_a *a, id##_a b) { JOIN; }
#define GPR_FINISH(id, ...) \
  GPR_FN int id##_finish (id##_a a, f64 d, id##_y *y, i64 *k) { (void) d; (void) k; __VA_ARGS__; }

/* ---- traits ------------------------------------------------------------------ */

enum {
  /* How results are fixed up that id_finish says may not be final: one of these.  */
  GPR_FIXUP_NONE = 0,
  GPR_FIXUP_SUM,                        /* not finite: a sum of the elements */
  GPR_FIXUP_TERMS,                      /* the same, of logarithms or reciprocals */
  GPR_FIXUP_SQUARES,
  GPR_FIXUP_EXTRA,                      /* a compensated sum */
  GPR_FIXUP_PRODUCT,
  GPR_FIXUP_BY_INDEX,                   /* the instance with an index decides (GPR_VALUES_OF_INDEXED),
                                           or both of them (GPR_BOTH_EXTREMES) */
  GPR_FIXUP_SPREAD,                     /* not finite: a variance or a standard deviation */
  GPR_FIXUP_MASK = 7,

  /* Of the operator.  */
  GPR_EXACT = 1 << 3,                   /* elements may be taken in any order, with the same bits */
  GPR_ORDERED = 1 << 4,                 /* the order of the elements counts, how they are grouped
                                           does not: a lane takes consecutive rows */
  GPR_OMITS_NAN = 1 << 5,               /* NaN elements are left out */
  GPR_SELECTS = 1 << 6,                 /* the result is one of the elements */
  GPR_HAS_INDEX = 1 << 7,               /* id_finish sets k */
  GPR_INDEX_FIRST = 1 << 8,             /* k is the lowest index of all with that value */
  GPR_RAW_COMPARE = 1 << 9,             /* selects by comparing elements as they are, with > or <;
                                           NaN gives way to every number */
  GPR_PREFERS_GREATER = 1 << 10,        /* that comparison is >, else < */
  GPR_DECIDED_BY_0 = 1 << 11,           /* no element changes an accumulator of 0 */
  GPR_DECIDED_BY_1 = 1 << 12,           /* of 1 */
  GPR_INTEGER_SUM = 1 << 13,            /* adds elements that are integers, and nothing else */
  GPR_LOGARITHMS = 1 << 14,             /* terms are logarithms; else, of GPR_FIXUP_TERMS, reciprocals */
  GPR_BOTH_EXTREMES = 1 << 18,          /* accumulator and result are two elements: least, most */
  GPR_UNSCALED = 1 << 19,               /* not final: squares overflow or underflow, which gpr_instance_scaled's do not */

  /* Of the work it is.  */
  GPR_PRODUCTS = 1 << 15,               /* also reduces conj (x) .* y, where X is A (dot products) */
  GPR_HEAVY = 1 << 16,                  /* a long step: unrolling it costs code and gains nothing,
                                           so elements are loaded one by one */
  GPR_COMMON = 1 << 17,                 /* used so often that short rows and columns have kernels of their own */
  GPR_SELDOM = 1 << 20                  /* for results in doubt alone: a GPU has but the kernel that takes every shape */
};

/* The index of the first greatest or least element, compared as it is: these traits
   together allow to look for the value alone and for its index afterwards.  */
enum { GPR_FIRST_OF_BEST = GPR_HAS_INDEX | GPR_INDEX_FIRST | GPR_SELECTS | GPR_RAW_COMPARE };

#define GPR_DEFINE_INSTANCE(id, FAMILY, X, A, Y) \
  enum { id##_traits = GPR_TRAITS_##FAMILY, id##_has_index = (id##_traits & GPR_HAS_INDEX) != 0 }; \
  GPR_DEF_##FAMILY (id, X, A, Y)

#endif
