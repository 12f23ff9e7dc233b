/* Atomics: device.h's, and those that g++ makes of __atomic_… and std::atomic.  */

#include <string.h>

#include "accesses.h"
#include "device.h"
#include "fibers.h"
#include "releases.h"

/* Other blocks get a turn now and then where it may matter.  */
static inline void maybe_switch (fiber *f)
{
  sim_seed ^= sim_seed << 13;
  sim_seed ^= sim_seed >> 17;
  sim_seed ^= sim_seed << 5;
  if ((sim_seed & 63) == 0)
    {
      f->yielded = true;
      leave (f);
    }
}

template <class T> static T changed (int op, T old, T v, T compare)
{
  switch (op)
    {
    case SIM_ADD: return (T) (old + v);
    case SIM_SUB: return (T) (old - v);
    case SIM_MIN: return v < old ? v : old;
    case SIM_MAX: return v > old ? v : old;
    case SIM_EXCH: return v;
    case SIM_CAS: return old == compare ? v : old;
    case SIM_INC: return old >= v ? 0 : (T) (old + 1);
    case SIM_DEC: return old == 0 || old > v ? v : (T) (old - 1);
    default: return old;
    }
}
template <class T> static T changed_bits (int op, T old, T v, T compare)
{
  return op == SIM_AND ? old & v : op == SIM_OR ? old | v : op == SIM_XOR ? old ^ v : changed<T> (op, old, v, compare);
}
template <class T> static u64 apply (int op, void *p, u64 v, u64 compare)
{
  T old, value, other, now;
  memcpy (&old, p, sizeof old);
  memcpy (&value, &v, sizeof value);
  memcpy (&other, &compare, sizeof other);
  if constexpr (std::is_integral<T>::value)
    now = changed_bits<T> (op, old, value, other);
  else
    now = changed<T> (op, old, value, other);
  memcpy (p, &now, sizeof now);
  u64 result = 0;
  memcpy (&result, &old, sizeof old);
  return result;
}

/* Unsigned words wrap where signed sums may not.  */
static u64 atomic (int op, int type, void *p, u64 v, u64 compare, const void *code)
{
  fiber *f = sim_now;
  u32 size = type == SIM_I32 || type == SIM_U32 || type == SIM_F32 ? 4 : 8;
  if (f)
    {
      before_atomic (f, p);
      maybe_switch (f);
    }
  check_access (p, size, ATOMIC, code);
  if (f)
    synchronise (f, p, true, true);
  bool ordering = op == SIM_MIN || op == SIM_MAX;
  switch (type)
    {
    case SIM_I32: return ordering ? apply<int> (op, p, v, compare) : apply<unsigned> (op, p, v, compare);
    case SIM_U32: return apply<unsigned> (op, p, v, compare);
    case SIM_I64: return ordering ? apply<long long> (op, p, v, compare) : apply<unsigned long long> (op, p, v, compare);
    case SIM_U64: return apply<unsigned long long> (op, p, v, compare);
    case SIM_F32: return apply<float> (op, p, v, compare);
    default: return apply<double> (op, p, v, compare);
    }
}

HOOK uint64_t sim_atomic (int op, int type, void *p, uint64_t v, uint64_t compare)
{
  return atomic (op, type, p, v, compare, CALLER);
}

/* ---- __atomic_… and std::atomic --------------------------------------------------------- */

#define ATOMICS(bits, T, type) \
  HOOK T __tsan_atomic##bits##_load (const volatile T *p, int) { return (T) atomic (SIM_OR, type, (void *) p, 0, 0, CALLER); } \
  HOOK void __tsan_atomic##bits##_store (volatile T *p, T v, int) { atomic (SIM_EXCH, type, (void *) p, (u64) v, 0, CALLER); } \
  HOOK T __tsan_atomic##bits##_exchange (volatile T *p, T v, int) { return (T) atomic (SIM_EXCH, type, (void *) p, (u64) v, 0, CALLER); } \
  HOOK T __tsan_atomic##bits##_fetch_add (volatile T *p, T v, int) { return (T) atomic (SIM_ADD, type, (void *) p, (u64) v, 0, CALLER); } \
  HOOK T __tsan_atomic##bits##_fetch_sub (volatile T *p, T v, int) { return (T) atomic (SIM_SUB, type, (void *) p, (u64) v, 0, CALLER); } \
  HOOK T __tsan_atomic##bits##_fetch_and (volatile T *p, T v, int) { return (T) atomic (SIM_AND, type, (void *) p, (u64) v, 0, CALLER); } \
  HOOK T __tsan_atomic##bits##_fetch_or (volatile T *p, T v, int) { return (T) atomic (SIM_OR, type, (void *) p, (u64) v, 0, CALLER); } \
  HOOK T __tsan_atomic##bits##_fetch_xor (volatile T *p, T v, int) { return (T) atomic (SIM_XOR, type, (void *) p, (u64) v, 0, CALLER); } \
  HOOK T __tsan_atomic##bits##_compare_exchange_val (volatile T *p, T c, T v, int, int) { return (T) atomic (SIM_CAS, type, (void *) p, (u64) v, (u64) c, CALLER); } \
  HOOK int __tsan_atomic##bits##_compare_exchange_strong (volatile T *p, T *c, T v, int, int) \
  { T old = (T) atomic (SIM_CAS, type, (void *) p, (u64) v, (u64) *c, CALLER); bool same = old == *c; *c = old; return same; } \
  HOOK int __tsan_atomic##bits##_compare_exchange_weak (volatile T *p, T *c, T v, int, int) \
  { T old = (T) atomic (SIM_CAS, type, (void *) p, (u64) v, (u64) *c, CALLER); bool same = old == *c; *c = old; return same; }
ATOMICS (32, unsigned, SIM_U32)
ATOMICS (64, unsigned long, SIM_U64)

/* Of 8 and 16 bits: the host's, such as the guards of static variables.  */
#define SMALL(bits, T) \
  HOOK T __tsan_atomic##bits##_load (const volatile T *p, int) { return __atomic_load_n (p, __ATOMIC_SEQ_CST); } \
  HOOK void __tsan_atomic##bits##_store (volatile T *p, T v, int) { __atomic_store_n (p, v, __ATOMIC_SEQ_CST); } \
  HOOK T __tsan_atomic##bits##_exchange (volatile T *p, T v, int) { return __atomic_exchange_n (p, v, __ATOMIC_SEQ_CST); } \
  HOOK T __tsan_atomic##bits##_fetch_add (volatile T *p, T v, int) { return __atomic_fetch_add (p, v, __ATOMIC_SEQ_CST); } \
  HOOK T __tsan_atomic##bits##_fetch_sub (volatile T *p, T v, int) { return __atomic_fetch_sub (p, v, __ATOMIC_SEQ_CST); } \
  HOOK T __tsan_atomic##bits##_fetch_and (volatile T *p, T v, int) { return __atomic_fetch_and (p, v, __ATOMIC_SEQ_CST); } \
  HOOK T __tsan_atomic##bits##_fetch_or (volatile T *p, T v, int) { return __atomic_fetch_or (p, v, __ATOMIC_SEQ_CST); } \
  HOOK T __tsan_atomic##bits##_fetch_xor (volatile T *p, T v, int) { return __atomic_fetch_xor (p, v, __ATOMIC_SEQ_CST); } \
  HOOK int __tsan_atomic##bits##_compare_exchange_strong (volatile T *p, T *c, T v, int, int) \
  { return __atomic_compare_exchange_n (p, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); } \
  HOOK int __tsan_atomic##bits##_compare_exchange_weak (volatile T *p, T *c, T v, int, int) \
  { return __atomic_compare_exchange_n (p, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); }
SMALL (8, unsigned char)
SMALL (16, unsigned short)
