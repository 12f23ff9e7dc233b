/* Nodes: operations that wait.  For the files of this folder alone.  */

#ifndef GPR_NODE_H
#define GPR_NODE_H

#include "resident.h"

typedef struct {
  gpr_resident *array;
  double number;
} gpr_node_operand;

#define GPR_NODE_REDUCTION GPR_MAP_OP_COUNT     /* op of a reduction, which has one operand */

struct gpr_node {
  gpr_resident *result;
  gpr_map_op op;                /* load: the operand, in other sizes */
  bool single;                  /* in which precision the operation works; what it leaves is of that */
  bool flat;                    /* all that it reads lies as the result does, or is a single number */
  bool reshaped;                /* something in it lies in other sizes, so it must be flat */
  int count;
  gpr_node_operand operands[2];
  bool later[2];                /* this operand waits too, but is computed before: a reduction, or what reads one */
  gpr_node_reduction reduction; /* of GPR_NODE_REDUCTION */
  int steps, leaves, slots, depth;      /* at most, of the whole expression */
  gpr_node *next, *before;
};

/* An operand that waits and is computed with the node, in its steps.  */
static inline bool
gpr_node_joins (const gpr_node *n, int k)
{
  return k < n->count && n->operands[k].array && n->operands[k].array->node && ! n->later[k];
}
static inline bool
gpr_node_is_later (const gpr_node *n, int k)
{
  return k < n->count && n->operands[k].array && n->operands[k].array->node && n->later[k];
}

/* ---- nodes.c ---- */

void gpr_node_link (gpr_node *n);       /* its result waits for it now */
void gpr_node_pin (gpr_resident *r);    /* r is computed and has no name: only what waits holds its memory */
bool gpr_node_bytes (const gpr_array *a, size_t *bytes);        /* of its elements; false: more than can be counted */

/* ---- bring.c ---- */

/* Operands on one device come to those of place, which is one of them that several have.  brought: these, to be dropped.  */
gpr_status gpr_node_bring (gpr_operand *x, int count, const gpr_array *place, gpr_resident **brought);

/* ---- compute.c ---- */

/* *left <- the values are of no use, and the node stays.  */
gpr_status gpr_node_compute (gpr_resident *r, bool *left);
/* Computes what r reads and what is computed before it: results, or what others want again.  To make room for one of them r may be computed too: then it
   waits no more.  */
gpr_status gpr_node_compute_earlier (const gpr_resident *r, bool results);
/* The last failure, with the operation and its result's class and sizes; and what status says, so named where it is a failure of r's own operation.  */
gpr_status gpr_node_fail (gpr_status status, int op, const gpr_array *z);
gpr_status gpr_node_named (gpr_status status, const gpr_resident *r);

/* ---- the steps of an expression (code.c) ---- */

typedef struct {
  gpr_mapping m;
  gpr_map_step *step;           /* room for GPR_MAP_STEPS */
  bool flat;
  bool full;                    /* out: more steps or leaves than there is room for */
  const gpr_resident *leaf[GPR_MAP_LEAVES];
  int slot;                     /* the next that is free */
} gpr_code;
gpr_code gpr_code_of (const gpr_resident *r, gpr_map_step *steps);
void gpr_code_add (gpr_code *c, const gpr_resident *r); /* the steps of r: those that it waits for, or a load */
void gpr_code_mark (const gpr_node *n, bool begins);    /* it was computed for a reader, in a pass that begins here or goes on; what others want too waits on */

/* ---- terms.c ---- */

/* Whether what waits, and was computed for readers before, is computed for itself the next time that it is wanted.  */
bool gpr_node_is_due (const gpr_resident *r);

/* ---- slices (slices.c) ---- */

/* Computes r, and the reductions that it waits for, in one reading where the backend does that; else r->node stays.  z: memory for r, which it keeps
   then.  *tried: the backend was asked, and did not do it.  */
gpr_status gpr_node_slices (gpr_resident *r, const gpr_array *z, bool *tried);

#endif
