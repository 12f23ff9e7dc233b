/* What EXACT_ROWS and EXACT_COLUMNS know of an operator whose elements come in any order.  gpr_exact<F>:

     row<V>        one thread's, of elements of a row: takes vectors of V by ascending positions;
                   merge_rows: R rows of `group' neighbouring threads each, of which the first has the results;
                   store: its result
     columns<V>    one thread's, of V neighbouring columns: takes the rows by ascending steps
     kept          what is kept of a column, from then on
     lanes<N>      N of them in shared memory; merge: one takes another
     settle        what is left to look up where a part of a column ends
     partial, of_partial   as a part's accumulator, F's own, and back
     store<V>      V neighbouring results; never by mailbox

   Positions are 32 bits; what they count, elements or steps, the algorithm says.  `first': that of a
   thread's first element, or GPR_NOWHERE.  */

#ifndef GPR_REDUCE_EXACT_CUH
#define GPR_REDUCE_EXACT_CUH

#include "index_lead.cuh"
#include "small_extremes.cuh"
#include "truth.cuh"

template <class F, bool INDEX, bool LOGICAL> struct gpr_exact_of : gpr_small_extremes<F> {};
template <class F> struct gpr_exact_of<F, true, false> : gpr_exact_index<F> {};
template <class F> struct gpr_exact_of<F, false, true> : gpr_exact_truth<F> {};
template <class F> using gpr_exact = gpr_exact_of<F, F::by_value, F::logical>;

#endif
