/* Kernels as books print them become variants by one line after the kernel:

     PLAIN_REDUCE (k, int)                    __global__ void k (int *in, int *out, unsigned n)
     PLAIN_REDUCE_BY_BLOCK (k, int)           template <unsigned B> __global__ void k (int *in, int *out, unsigned n)
     PLAIN_REDUCE_BY_TYPE (k)                 template <class T> __global__ void k (T *in, T *out, unsigned n)
     PLAIN_REDUCE_BY_TYPE_AND_BLOCK (k)       template <class T, unsigned B> ...
     PLAIN_REDUCE_OF (k, (k<T, B, true>))     any other template, in terms of T and B
     PLAIN_REDUCE_OF_TYPE (mine, int, (k<B, 2>))  the same, of one type

   T is double, float and int, B is blockDim.x: 32, 64, ... 1024.  The length may be an int,
   unsigned, size_t or missing, and anywhere among the arguments; then whole blocks only are
   right.  in is the pointer to const, or the first one; where nothing is const the kernel may
   write to in, and has a copy.  Each block leaves a value in out[blockIdx.x]; a second pass
   takes these.

   The line stands outside of any namespace.  What follows, separated by commas, describes the kernel as the body of LADDER_VARIANT does:

     v.name = "mine"                          another name than k
     v.per_thread = 2                         elements of a block for each of its threads
     v.grid_stride = true                     the kernel loops over the grid
     v.shared_per_thread = 0                  elements of dynamic shared memory; 1 a thread if nothing is said
     v.shared_fixed = 32                      and so many more
     v.default_block = 128, v.blocks = ...    as variant.h says
     v.block_y = 16                           so many of the block's threads lie in y; v.block_z
     atomic_out (v)                           the blocks add to the one value *out, 0 at the start
     reduces (v, LADDER_MAX)                  not a sum  */

#ifndef LADDER_PLAIN_H
#define LADDER_PLAIN_H

#include <type_traits>

enum { PLAIN_IN, PLAIN_OUT, PLAIN_LENGTH };

/* What parameter i of a kernel's is.  */
template <class... P> struct plain_parameters
{
  static constexpr int count = sizeof... (P);
  static constexpr bool pointer[] = { std::is_pointer<P>::value... };
  static constexpr bool whole[] = { std::is_integral<P>::value && ! std::is_same<P, bool>::value... };
  static constexpr bool reads[] = { std::is_pointer<P>::value && std::is_const<typename std::remove_pointer<P>::type>::value... };
  static constexpr int64_t mosts[] = { sizeof (P) > 4 ? 0 : std::is_signed<P>::value ? INT32_MAX : UINT32_MAX... };

  static constexpr int how_many (const bool *of)
  {
    int n = 0;
    for (int i = 0; i < count; i++)
      n += of[i];
    return n;
  }
  static constexpr int role (int i)
  {
    if (! pointer[i])
      return PLAIN_LENGTH;
    bool first = true;
    for (int k = 0; k < i; k++)
      first = first && ! pointer[k];
    return how_many (reads) ? (reads[i] ? PLAIN_IN : PLAIN_OUT) : first ? PLAIN_IN : PLAIN_OUT;
  }
  static constexpr int64_t most ()
  {
    for (int i = 0; i < count; i++)
      if (whole[i])
        return mosts[i];
    return 0;
  }

  static_assert (how_many (pointer) == 2, "a plain kernel takes two pointers, to the elements and to the results, and a length or none");
  static_assert (how_many (whole) <= 1 && how_many (whole) + 2 == count, "beside its two pointers a plain kernel takes one whole number at most, the length");
  static_assert (how_many (reads) <= 1, "a plain kernel writes to one of its pointers: not both can be const");
};

template <class T> struct plain_type
{
  static_assert (sizeof (T) == 0, "plain kernels are of double, float or int");
  static const int type = LADDER_INT32;
};
template <> struct plain_type<double> { static const int type = LADDER_DOUBLE; };
template <> struct plain_type<float> { static const int type = LADDER_SINGLE; };
template <> struct plain_type<int> { static const int type = LADDER_INT32; };

static constexpr int plain_block_index (unsigned block)
{
  return block > 32 ? 1 + plain_block_index (block / 2) : 0;
}

template <class F> struct plain_kernel;
template <class... P> struct plain_kernel<void (*) (P...)>
{
  typedef plain_parameters<P...> parameters;

  /* A 32-bit length is the first half of the 64-bit one.  The second pass takes the results of
     blocks; of atomics there is one.  */
  static void list (ladder_reduce_args *a, void **list)
  {
    for (int i = 0; i < parameters::count; i++)
      {
        const int role = parameters::role (i);
        list[i] = role == PLAIN_IN ? (void *) &a->x : role == PLAIN_LENGTH ? (void *) &a->n
          : a->finish == LADDER_ATOMIC ? (void *) &a->result : (void *) &a->partial;
      }
  }

  template <class T> static void describe (ladder_variant &v)
  {
    static_assert ((... && (! std::is_pointer<P>::value
                            || std::is_same<typename std::remove_cv<typename std::remove_pointer<P>::type>::type, T>::value)),
                   "the kernel's pointers are to another type than the one that the line names");
    v.plain = list;
    v.rank = 500;
    v.idea = "a plain kernel";
    v.source = "a user's own";
    v.shared_per_thread = 1;
    v.most = parameters::most ();
    v.whole = parameters::how_many (parameters::whole) == 0;
    v.in_place = parameters::how_many (parameters::reads) == 0;
    v.finishes = 1u << LADDER_TWO_PASS | (v.whole ? 0 : 1u << LADDER_MULTI_LEVEL);
  }
};

#ifdef LADDER_SIM
/* The simulator calls every kernel with reduce_args.  Which kernel an entry calls is listed, since
   __shared__ variables are the kernel's (sim/module.cpp).  */
struct plain_body { const void *entry, *kernel; plain_body *next; };
extern plain_body *plain_bodies;
template <class P> static inline __attribute__ ((always_inline)) P plain_argument (ladder_reduce_args &a, int role)
{
  if constexpr (std::is_pointer<P>::value)
    return (P) (role == PLAIN_IN ? a.x : a.finish == LADDER_ATOMIC ? a.result : a.partial);
  else
    return (P) a.n;
}
template <auto K, class F> struct plain_entry;
template <auto K, class... P> struct plain_entry<K, void (*) (P...)>
{
  template <size_t... I> static inline __attribute__ ((always_inline)) void call (ladder_reduce_args &a, std::index_sequence<I...>)
  {
    K (plain_argument<P> (a, plain_parameters<P...>::role (I))...);
  }
  static void run (ladder_reduce_args a) { call (a, std::make_index_sequence<sizeof... (P)> ()); }
  static const void *address ()
  {
    static plain_body b;
    if (! b.entry)
      {
        b = { (const void *) run, (const void *) K, plain_bodies };
        plain_bodies = &b;
      }
    return b.entry;
  }
};
#  define PLAIN_ADDRESS(...) plain_entry<&::__VA_ARGS__, decltype (&::__VA_ARGS__)>::address ()
#else
#  define PLAIN_ADDRESS(...) (const void *) &::__VA_ARGS__
#endif

static inline __attribute__ ((unused)) void atomic_out (ladder_variant &v)
{
  v.finishes = 1u << LADDER_ATOMIC;
  v.default_finish = LADDER_ATOMIC;
}

/* The kernels are those of another operator.  */
static inline __attribute__ ((unused)) void reduces (ladder_variant &v, int op)
{
  if (op != LADDER_SUM)
    for (int type = 0; type < LADDER_TYPES; type++)
      for (int b = 0; b < LADDER_BLOCKS; b++)
        {
          v.kernel[op][type][b] = v.kernel[LADDER_SUM][type][b];
          v.kernel[LADDER_SUM][type][b] = NULL;
        }
}

#define PLAIN_REDUCE(K, T_, ...) \
  LADDER_VARIANT (K) \
  { \
    plain_kernel<decltype (&::K)>::describe<T_> (v); \
    LADDER_SET (v, LADDER_SUM, plain_type<T_>::type, PLAIN_ADDRESS (K)) \
    __VA_ARGS__; \
  }

/* K: in parentheses, in terms of T and B.  */
#define PLAIN_BARE(...) __VA_ARGS__
#define PLAIN_SETTER(name_, K) \
  template <class T, unsigned B> static void set_##name_ (ladder_variant &v) \
  { \
    plain_kernel<decltype (&::PLAIN_BARE K)>::template describe<T> (v); \
    v.kernel[LADDER_SUM][plain_type<T>::type][plain_block_index (B)] = PLAIN_ADDRESS (PLAIN_BARE K); \
  } \
  template <class T> static void set_blocks_##name_ (ladder_variant &v) \
  { \
    set_##name_<T, 32> (v); \
    set_##name_<T, 64> (v); \
    set_##name_<T, 128> (v); \
    set_##name_<T, 256> (v); \
    set_##name_<T, 512> (v); \
    set_##name_<T, 1024> (v); \
  }
#define PLAIN_REDUCE_OF_TYPE(name_, T_, K, ...) \
  PLAIN_SETTER (name_, K) \
  LADDER_VARIANT (name_) { set_blocks_##name_<T_> (v); __VA_ARGS__; }
#define PLAIN_REDUCE_OF(name_, K, ...) \
  PLAIN_SETTER (name_, K) \
  LADDER_VARIANT (name_) \
  { \
    set_blocks_##name_<double> (v); \
    set_blocks_##name_<float> (v); \
    set_blocks_##name_<int> (v); \
    __VA_ARGS__; \
  }
#define PLAIN_REDUCE_BY_BLOCK(K, T_, ...) PLAIN_REDUCE_OF_TYPE (K, T_, (K<B>), __VA_ARGS__)
#define PLAIN_REDUCE_BY_TYPE(K, ...) PLAIN_REDUCE_OF (K, (K<T>), __VA_ARGS__)
#define PLAIN_REDUCE_BY_TYPE_AND_BLOCK(K, ...) PLAIN_REDUCE_OF (K, (K<T, B>), __VA_ARGS__)

#endif
