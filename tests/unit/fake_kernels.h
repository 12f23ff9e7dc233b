/* What the kernels of an instance can do, from its traits alone, without the kernels: as
   kernels/engine/reduce/instances.cuh has it, but that each has its own and nothing is turned.  A kernel is a
   place in one of these.  */

#ifndef FAKE_KERNELS_H
#define FAKE_KERNELS_H

#include "../../src/core/gpr.h"
#include "../../kernels/engine/reduce.h"

enum { LANES, DENSE, SHORT, OF_PRODUCTS = 4, EXACT = 2 * OF_PRODUCTS, KERNELS };
static char kernels[KERNELS][GPR_INSTANCE_COUNT];

static inline gpr_reduce_kernels fake_kernels (enum gpr_instance instance)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  const int width = gpr_tree_width (f->acc_bytes), lanes = width / GPR_REDUCE_THREADS, fit = 16 / f->elem_bytes;
  const bool exact = f->traits & GPR_EXACT;
  const bool blocks = ! (f->traits & GPR_ORDERED)
                      && (! f->has_index || (f->acc_bytes > GPR_MERGE_CALL_BYTES && ! (f->traits & GPR_SELECTS)));
  const bool dense = blocks || exact, products = f->traits & GPR_PRODUCTS, small = f->traits & GPR_COMMON;
  const bool merge_warp = blocks && f->acc_bytes > GPR_MERGE_CALL_BYTES;
  const bool by_value = (f->traits & GPR_FIRST_OF_BEST) == GPR_FIRST_OF_BEST, logical = f->traits & (GPR_DECIDED_BY_0 | GPR_DECIDED_BY_1);
  const bool by_word = logical || (f->elem_bytes <= 2 && (f->traits & GPR_BOTH_EXTREMES || (f->traits & GPR_RAW_COMPARE && ! f->has_index)));
  const bool rows = by_value || by_word;
  const int vector = f->traits & GPR_HEAVY || by_value ? 1 : lanes < fit ? lanes : fit;
  return (gpr_reduce_kernels) {
    .lanes = kernels[LANES] + instance, .dense = dense ? kernels[DENSE] + instance : NULL,
    .exact_rows = rows ? kernels[EXACT] + instance : NULL, .exact_columns = rows ? kernels[EXACT] + instance : NULL,
    .rows_vector = GPR_EXACT_ROWS_VECTOR (f->elem_bytes), .ragged_vector = GPR_EXACT_RAGGED_VECTOR (f->elem_bytes, by_word), .columns_vector = GPR_EXACT_COLUMNS_VECTOR (f->elem_bytes, by_word),
    .short_columns = small ? kernels[SHORT] + instance : NULL, .short_columns_of_products = products && small ? kernels[SHORT + OF_PRODUCTS] + instance : NULL,
    .lanes_of_products = products ? kernels[LANES + OF_PRODUCTS] + instance : NULL,
    .dense_of_products = products && dense ? kernels[DENSE + OF_PRODUCTS] + instance : NULL,
    .width = width, .vector = vector, .exact = exact, .blocks = blocks, .small = small, .columns = small && ! (f->traits & GPR_ORDERED) && ! f->has_index, .indexed = f->has_index,
    .rows_at_once = f->acc_bytes <= 16 ? GPR_ROWS_AT_ONCE : 1,
    .row_threads = blocks && ! (f->traits & GPR_BOTH_EXTREMES) && ! merge_warp && f->acc_bytes <= 4 * f->elem_bytes ? width / vector > 256 ? 64 : 32 : 0,
    .merge_warp = merge_warp, .elem_bytes = f->elem_bytes, .acc_bytes = f->acc_bytes, .value_bytes = f->value_bytes
  };
}

#endif
