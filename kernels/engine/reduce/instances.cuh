/* From the table of instances (kernels/ops) to kernels: what an instance is to them, and the list
   of one group of instances, a .cu each.  */

#ifndef GPR_REDUCE_INSTANCES_CUH
#define GPR_REDUCE_INSTANCES_CUH

#include "kernels.cuh"

/* NULL where there is no such kernel.  */
template <class F, class L, bool THERE> struct gpr_lanes_kernel { static const void *get () { return 0; } };
template <class F, class L> struct gpr_lanes_kernel<F, L, true> { static const void *get () { return (const void *) reduce_lanes_k<F, L>; } };
template <class F, class L, bool THERE> struct gpr_dense_kernel { static const void *get () { return 0; } };
template <class F, class L> struct gpr_dense_kernel<F, L, true> { static const void *get () { return (const void *) reduce_dense_k<F, L>; } };
template <class F, class L, bool THERE> struct gpr_short_kernel { static const void *get () { return 0; } };
template <class F, class L> struct gpr_short_kernel<F, L, true> { static const void *get () { return (const void *) reduce_short_k<F, L>; } };
template <class F, bool THERE> struct gpr_exact_kernels
{
  static const void *rows () { return 0; }
  static const void *columns () { return 0; }
};
template <class F> struct gpr_exact_kernels<F, true>
{
  static const void *rows () { return (const void *) reduce_exact_rows_k<F>; }
  static const void *columns () { return (const void *) reduce_exact_columns_k<F>; }
};
template <class X, bool TURNS> struct gpr_array_load { typedef load_array<X> load; };
template <class X> struct gpr_array_load<X, true> { typedef load_turned<X> load; };
template <class X, class A> struct gpr_same { static constexpr bool yes = false; };
template <class X> struct gpr_same<X, X> { static constexpr bool yes = true; };
template <class X> struct gpr_is_float { static constexpr bool yes = gpr_same<X, f64>::yes || gpr_same<X, f32>::yes; };
template <class X> struct gpr_is_complex { static constexpr bool yes = gpr_same<X, c64>::yes || gpr_same<X, c128>::yes; };

#define GPR_ENGINE_INSTANCE(id, FAMILY, XT, AT, YT) \
  struct op_##id \
  { \
    typedef id##_x X; \
    typedef id##_a A; \
    typedef id##_y Y; \
    static constexpr enum gpr_instance instance = GPR_##id; \
    static constexpr int traits = id##_traits; \
    /* What is compiled at run time leaves out: the last block merges parts, a single result goes by mailbox; lanes merge in one way alone.  */ \
    static constexpr bool tickets = true, mails = true; \
    static constexpr int merges = GPR_MERGES_ANY; \
    static constexpr bool indexed = id##_has_index, ordered = traits & GPR_ORDERED, heavy = traits & GPR_HEAVY, \
      exact = traits & GPR_EXACT, small = traits & GPR_COMMON, \
      blocks = ! ordered && ! (traits & GPR_SELDOM) && (! indexed || (sizeof (A) > GPR_MERGE_CALL_BYTES && ! (traits & GPR_SELECTS))), \
      products = traits & GPR_PRODUCTS && gpr_same<X, A>::yes, turns = (traits & GPR_RAW_COMPARE) != 0; \
    /* STREAM: indices found by value; sums of 1 and 2 bytes by the word; extremes.  */ \
    static constexpr bool by_value = (traits & GPR_FIRST_OF_BEST) == GPR_FIRST_OF_BEST, \
      any = traits & GPR_DECIDED_BY_1, logical = (traits & (GPR_DECIDED_BY_0 | GPR_DECIDED_BY_1)) != 0 && ! gpr_is_complex<X>::yes, \
      small_sum = sizeof (X) <= 2 && sizeof (A) == 8 && (traits & GPR_INTEGER_SUM) != 0, extreme = ! indexed && (traits & GPR_RAW_COMPARE) != 0, \
      both = (traits & GPR_BOTH_EXTREMES) != 0; \
    /* EXACT_ROWS and EXACT_COLUMNS: of small extremes by the word.  */ \
    static constexpr bool by_word = logical || (sizeof (X) <= 2 && (extreme || both)), exact_rows = by_value || by_word; \
    static constexpr int width = sizeof (A) <= 8 ? 1024 : sizeof (A) <= 16 ? 512 : 256; \
    static constexpr int lanes = width / GPR_REDUCE_THREADS, fit = 16 / sizeof (X); \
    static constexpr bool columns = small && ! ordered && ! indexed; \
    static constexpr bool merge_warp = blocks && sizeof (A) > GPR_MERGE_CALL_BYTES; \
    static constexpr bool marks = (traits & GPR_FIXUP_MASK) == GPR_FIXUP_PRODUCT && gpr_is_float<X>::yes; \
    /* Of the dense kernel: three on a multiprocessor, but products, which would spill.  */ \
    static constexpr bool many_blocks = exact ? sizeof (X) <= 2 || ! blocks : sizeof (X) <= 2 && merge_warp; \
    /* Of indices, any and all LANES only takes what comes from the host, and that by single elements.  */ \
    static constexpr int vector = heavy || by_value ? 1 : lanes < fit ? lanes : fit, lanes_vector = by_value || logical ? 1 : vector, \
      rows_vector = GPR_EXACT_ROWS_VECTOR (sizeof (X)), ragged_vector = GPR_EXACT_RAGGED_VECTOR (sizeof (X), by_word), columns_vector = GPR_EXACT_COLUMNS_VECTOR (sizeof (X), by_word); \
    static constexpr int rows_at_once = sizeof (A) <= 16 ? GPR_ROWS_AT_ONCE : 1; \
    /* WARPS: a thread has 32 lanes at most; sums of bytes are bound by instructions and gain nothing.  */ \
    static constexpr int row_threads = ! blocks || both || merge_warp || sizeof (A) > 4 * sizeof (X) ? 0 : width / vector > 256 ? 64 : 32; \
    static __device__ __forceinline__ A init () { return id##_init (); } \
    static __device__ __forceinline__ void step (A *a, X x, i64 i) { id##_step (a, x, i); } \
    static __device__ __forceinline__ void merge_here (A *a, A b) { id##_merge (a, b); } \
    static __device__ __forceinline__ void merge (A *a, A b) { gpr_merge<op_##id> (a, b); } \
    static constexpr bool leads = id##_leads; \
    static __device__ __forceinline__ void lead (A *a, const A &first) { id##_lead (a, first); } \
    static __device__ __forceinline__ bool joins (const A *a, const A *b) { return id##_joins (a, b); } \
    static __device__ __forceinline__ void join (A *a, A b) { id##_join (a, b); } \
    static __device__ __forceinline__ int finish (A a, f64 d, Y *y, i64 *k) { return id##_finish (a, d, y, k); } \
  };

/* Whose kernels an instance has: its own, or another's, which has elements of the same size.  */
template <class OP> struct gpr_kernels_of
{
  typedef OP F;
  static u64 turn () { return 0; }
};
#define GPR_ENGINE_SHARED(id, other, TURN) \
  template <> struct gpr_kernels_of<op_##id> \
  { \
    typedef op_##other F; \
    static u64 turn () { return TURN; } \
  };

#define GPR_ENGINE_CASE(id, FAMILY, XT, AT, YT) \
    case GPR_##id: \
      { \
        typedef gpr_kernels_of<op_##id> of; \
        typedef of::F F; \
        typedef gpr_array_load<F::X, F::turns>::load array; \
        typedef load_product<F::X> product; \
        static_assert (sizeof (F::X) == sizeof (op_##id::X) && sizeof (F::A) == sizeof (op_##id::A) && sizeof (F::Y) == sizeof (op_##id::Y) \
                       && F::indexed == op_##id::indexed, #id ": another kernel of other sizes"); \
        static_assert (! F::turns || (F::traits & GPR_PREFERS_GREATER) != 0, #id ": turned, its kernels take the greatest"); \
        static const gpr_reduce_kernels k = \
          { gpr_lanes_kernel<F, array, true>::get (), gpr_dense_kernel<F, array, ! F::ordered && (F::blocks || F::exact)>::get (), \
            gpr_exact_kernels<F, F::exact_rows>::rows (), gpr_exact_kernels<F, F::exact_rows>::columns (), \
            gpr_short_kernel<F, array, F::small>::get (), \
            gpr_lanes_kernel<F, product, F::products>::get (), gpr_dense_kernel<F, product, F::products>::get (), gpr_short_kernel<F, product, F::products && F::small>::get (), \
            F::width, F::vector, F::rows_vector, F::ragged_vector, F::columns_vector, F::exact, F::blocks, F::small, F::columns, F::indexed, F::rows_at_once, F::row_threads, F::merge_warp, sizeof (F::X), sizeof (F::A), sizeof (F::Y), F::instance, of::turn () }; \
        return &k; \
      }

/* Everything of one group: its instances and gpr_engine_NAME.  SHARED: those of its instances that have
   another's kernels.  */
#define GPR_ENGINE_GROUP(name, GROUP) GPR_ENGINE_SHARING_GROUP (name, GROUP, GPR_NONE_SHARED)
#define GPR_NONE_SHARED(F)
#define GPR_ENGINE_SHARING_GROUP(name, GROUP, SHARED) \
  GROUP (GPR_DEFINE_INSTANCE) \
  GROUP (GPR_ENGINE_INSTANCE) \
  SHARED (GPR_ENGINE_SHARED) \
  extern "C" const gpr_reduce_kernels *gpr_engine_##name (enum gpr_instance instance) \
  { \
    switch ((int) instance) \
      { \
      GROUP (GPR_ENGINE_CASE) \
      default: return 0; \
      } \
  }

#endif
