/* Resident arrays behind gpuArray: their names, and those that are not computed yet.  */

#ifndef GPR_RESIDENT_H
#define GPR_RESIDENT_H

#include "../core/array.h"
#include "../core/map.h"
#include "../core/scan.h"

typedef struct gpr_node gpr_node;       /* what an array will be computed from */
typedef struct { enum gpr_instance instance; int64_t inner, length, outer; double divisor; } gpr_node_reduction;        /* as in gpr_reduction */

typedef struct gpr_resident {
  gpr_array array;              /* data is NULL as long as there is a node */
  gpr_node *node;
  int holders;                  /* its name (before it has one, who made it), and nodes that read it */
  int watched;                  /* of a copy that is only looked at (explain.c): holders that the original has not */
  bool named;
  bool lost;                    /* its device was reset: the memory is gone */
  bool pinned;                  /* without a name, but not computed readers have it */
  bool positive;                /* no element is negative or -0 */
  bool finite;                  /* all elements are; else they may be, too */
  void (*give_back) (void *lender);     /* of elements that are another's: called when nobody reads them here any more; or NULL */
  void *lender;
  void *room;                   /* memory of another for elements that are being computed; or NULL */
  uint8_t repeated;             /* in how many passes it was computed for others, but had a name or other readers, and still waits; 2: or more */
  unsigned pass;                /* the last that it was in */
} gpr_resident;

/* An id is a name that is checked at every use, never a pointer.  */
gpr_status gpr_resident_add (const gpr_array *a, double *id);           /* takes over data */
gpr_resident *gpr_resident_find (double id);            /* NULL: names no array */
gpr_status gpr_resident_array (double id, const gpr_array **a);         /* computed; GPR_BAD_INPUT: names no array */
void gpr_resident_free (double id);                     /* unknown ids are ignored; what reads the array still can */
int64_t gpr_resident_count (void);                      /* of names */
int gpr_resident_devices (const gpr_resident *r, int list[]);   /* those of an array on several, also of one that waits; how many */
gpr_status gpr_resident_own (gpr_resident *r);          /* before it is changed: elements that are another's are copied */
void gpr_resident_forget_device (int device);           /* a GPU, from 1, after its reset: the names of its arrays are no more */

/* For expressions: an array without a name, which the caller holds until it has one; and a holder less.  */
gpr_status gpr_resident_new (const gpr_array *a, gpr_resident **r);
gpr_status gpr_resident_name (gpr_resident *r, double *id);
void gpr_resident_drop (gpr_resident *r);

/* ---- expressions ----------------------------------------------------------------------------

   An elementwise operation makes a node, whose class and sizes are known at once.  It is computed when its values are wanted, with the
   operations before it that nobody else reads, in one pass.  What may leave the real numbers is computed at once.  */

typedef struct {
  gpr_resident *array;          /* or NULL: */
  double number;
  gpr_class class;              /* of the number */
} gpr_operand;

/* *result <- NULL where no kernel does it: classes, sizes that do not go together, and *left: elements that leave the reals.  */
gpr_status gpr_expression (gpr_map_op op, const gpr_operand *operands, int count, gpr_resident **result, bool *left);
/* r in z's sizes, as many elements as they lie; *result <- NULL: not so, and r is to be copied.  */
gpr_status gpr_expression_reshape (gpr_resident *r, const gpr_array *z, gpr_resident **result);
/* Whether an expression's steps read such elements: real ones, floating-point or of up to 32 bits.  */
bool gpr_expression_reads (const gpr_array *a);
/* r's elements, which they do, as doubles, for who holds it; it is dropped without having had a name.  */
gpr_status gpr_expression_doubles (gpr_resident *r, gpr_resident **result);
gpr_status gpr_expression_compute (gpr_resident *r);                    /* nothing where it is computed; without a name it may be gone then */
/* The same in memory of another, for an array with a name on the host that waits; *taken <- false: its elements are elsewhere.  */
gpr_status gpr_expression_compute_to (gpr_resident *r, void *room, bool *taken);
const void *gpr_expression_lies (const gpr_resident *r);        /* where its elements are, in whatever sizes; NULL: nowhere yet */
/* The reduction r, without x, of what x, which waits, is computed from, while that shall not be computed itself: often it is a temporary value, and
   never is.  again: the same call will want it once more, so that this counts as no reading yet.  *reduced <- false: it shall, or the backend does not do it, or some result is in
   doubt, which only x can settle.  */
gpr_status gpr_expression_reduce (gpr_resident *x, const gpr_reduction *r, bool again, bool *reduced);
/* The same of counting, and of a cumulative function.  */
gpr_status gpr_expression_count (gpr_resident *x, const gpr_counting *c, bool *counted);
gpr_status gpr_expression_scan (gpr_resident *x, const gpr_scanning *s, bool *scanned);
/* Whether as many readings of what x, which waits, is computed from cost no more than to compute it once and to read that.  */
bool gpr_expression_is_cheap (const gpr_resident *x, int readings);
/* The elements of x, which waits, computed to where place's elements go (its sizes, class, z and z's strides), not to memory of their own; nothing that place
   is of may wait to be read.  *placed <- false: x is to be computed.  */
gpr_status gpr_expression_place (gpr_resident *x, const gpr_mapping *place, bool *placed);
/* A reduction whose results, z's class and sizes, are wanted later, or with others of x; *result <- NULL: it is better computed at once.  */
gpr_status gpr_expression_reduction (gpr_resident *x, const gpr_node_reduction *r, const gpr_array *z, gpr_resident **result);
gpr_status gpr_expression_compute_readers (const gpr_resident *r);      /* before r is changed */
void gpr_expression_changed (gpr_resident *r);          /* what was known of its elements is so no more */
gpr_status gpr_expression_compute_all (void);
bool gpr_expression_make_room (void);                   /* computes what then frees memory; false: nothing does */
bool gpr_expression_lazy (int wanted);                  /* 0, 1, or -1: only asked; the old one */
void gpr_node_free (gpr_node *n);
void gpr_expression_pin (gpr_resident *r);              /* lost its name: its readers are computed if they hold much memory */
void gpr_expression_unpin (const gpr_resident *r);
void gpr_expression_forget (void);                      /* of a parent process */

/* Memory for z beside a, which has a name.  */
gpr_status gpr_resident_allocate (gpr_array *z, const gpr_array *a);

#endif
