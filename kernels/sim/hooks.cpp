/* What g++'s instrumentation calls (-fsanitize=thread and trace-pc, without their
   libraries): every access and basic block of a ladder file, before it happens.  */

#include <string.h>

#include "device.h"
#include "runtime.h"

#define HOOK extern "C" __attribute__ ((visibility ("default")))
#define CALLER ((char *) __builtin_return_address (0) - 1)

fiber *sim_now;
u32 sim_tick = 1, sim_fuel = QUANTUM;
u64 sim_idle, sim_steps;

/* ---- happens-before ---------------------------------------------------------------- */

static bool in_log (const knowledge &k, const record &r, std::vector<knowledge> &seen)
{
  for (const knowledge &s : seen)
    if (s.at == k.at && s.entries >= k.entries)
      return false;
  seen.push_back (k);
  auto own = k.at->by_block.find (r.thread / L.threads);
  if (own != k.at->by_block.end ())
    for (u32 i : own->second)
      {
        if (i >= k.entries)
          break;
        const release &e = k.at->log[i];
        if (r.tick < e.block_tick || (r.thread == e.thread && r.tick < e.tick)
            || (r.thread % L.threads / WARP == e.thread % L.threads / WARP && r.tick < e.warp_tick))
          return true;
      }
  for (u32 i = 0; i < k.entries; i++)
    for (const knowledge &older : k.at->log[i].known)
      if (older.at != k.at && in_log (older, r, seen))
        return true;
  return false;
}

static bool acquired (const record &r, const fiber *f)
{
  std::vector<knowledge> seen;
  for (const knowledge &k : f->known)
    if (in_log (k, r, seen))
      return true;
  for (const knowledge &k : f->b->known)
    if (in_log (k, r, seen))
      return true;
  return false;
}

/* By barriers alone.  */
static inline bool surely_ordered (const record &r, const fiber *f)
{
  if (r.thread == f->id || r.tick < L.tick)
    return true;
  const block *b = f->b;
  u32 t = r.thread - b->index * L.threads;
  if (t < L.threads)
    {
      if (r.tick < b->tick)
        return true;
      if (t / WARP == f->t / WARP && (r.tick < f->w->tick || (f->w->known && r.tick < f->w->known[f->lane][t % WARP])))
        return true;
    }
  return false;
}

/* Is what r records over for f?  */
static inline bool ordered (const record &r, const fiber *f)
{
  return surely_ordered (r, f) || acquired (r, f);
}

static const char *const did[] = { "read", "wrote", "changed atomically", "read", "wrote" };
static const char *const does[] = { "reads", "writes", "changes atomically", "reads", "writes" };

[[noreturn]] static __attribute__ ((noinline)) void race (fiber *f, u32 pc, int kind, u64 a, u32 size, const record &r, int was)
{
  std::string where = address_text (f->b, a, size);
  const char *why = r.thread / L.threads != f->b->index ? "nothing orders the two blocks"
    : r.thread % L.threads / WARP == f->t / WARP ? "with no __syncwarp or barrier between" : "with no barrier between";
  fault_with (RACE, f, pc, std::string (does[kind]) + " " + where, r.thread, r.pc, std::string (did[was]) + " it, " + why);
}

static inline void check_cell (fiber *f, cell *c, u32 mask, int kind, u32 pc, u64 a, u32 size, bool strict)
{
  bool atomic = kind == ATOMIC;
  if (kind != WRITE && kind != VWRITE && (c->init & mask) != mask && strict)
    fault (UNINITIALISED, f, pc, std::string (does[kind]) + " " + address_text (f->b, a, size) + ", which nothing wrote");
  /* After a fence a volatile write is how a flag is set.  */
  if (kind == VWRITE && f->fence && f->fence->tick > f->b->tick)
    atomic = true;
  if ((c->wmask & mask) && ! (c->atomic && (atomic || kind == VREAD)) && ! ordered (c->w, f))
    race (f, pc, kind, a, size, c->w, c->atomic ? ATOMIC : WRITE);
  if (kind == READ || kind == VREAD)
    {
      record now = { f->id, sim_tick, pc };
      if (! (c->rmask1 & ~mask) && surely_ordered (c->r1, f))
        {
          c->r1 = now;
          c->rmask1 = mask;
          c->volatile1 = kind == VREAD;
        }
      else
        {
          c->r2 = now;
          c->rmask2 = mask;
          c->volatile2 = kind == VREAD;
        }
      return;
    }
  if ((c->rmask1 & mask) && ! (atomic && c->volatile1) && ! ordered (c->r1, f))
    race (f, pc, kind, a, size, c->r1, READ);
  if ((c->rmask2 & mask) && ! (atomic && c->volatile2) && ! ordered (c->r2, f))
    race (f, pc, kind, a, size, c->r2, READ);
  c->w.thread = f->id;
  c->w.tick = sim_tick;
  c->w.pc = pc;
  c->wmask = mask;
  c->atomic = atomic;
  c->rmask1 = c->rmask2 = 0;
  c->init |= mask;
}

/* own: of shared memory, the block plus 1; 0: global memory.  */
static inline void check_cells (fiber *f, cell *cells, u64 offset, u32 size, int kind, u32 pc, u64 a, u32 own)
{
  u64 first = offset / 4, last = (offset + size - 1) / 4;
  /* A struct's padding is copied with it and never written.  */
  bool strict = size <= 8;
  if (! strict && kind == READ)
    {
      u64 unwritten = 0;
      for (u64 i = first; i <= last; i++)
        unwritten += ! cells[i].init || cells[i].block != own;
      strict = 2 * unwritten > last - first;
    }
  for (u64 i = first; i <= last; i++)
    {
      cell *c = cells + i;
      u64 from = i * 4 < offset ? offset - i * 4 : 0, to = (i + 1) * 4 > offset + size ? offset + size - i * 4 : 4;
      if (c->block != own)
        {
          memset (c, 0, sizeof *c);
          c->block = own;
        }
      check_cell (f, c, ((1u << to) - 1) & ~((1u << from) - 1), kind, pc, a, size, strict);
    }
}

/* ---- accesses ------------------------------------------------------------------------- */

[[noreturn]] static __attribute__ ((noinline)) void stray (fiber *f, u64 a, u32 size, int kind, u32 pc)
{
  fault (OUT_OF_BOUNDS, f, pc, std::string (does[kind]) + " " + address_text (f->b, a, size));
}

static inline void noticed (fiber *f, u32 pc, int kind, int space, u32 size, u64 a)
{
  if (f->recent[0] != a && f->recent[1] != a)
    {
      sim_idle = 0;
      f->recent[0] = f->recent[1];
      f->recent[1] = a;
    }
  f->accessed = true;
  log_event (f, pc, kind, space, size, a);
}

static __attribute__ ((noinline)) void access_elsewhere (fiber *f, u64 a, u32 size, int kind, u32 pc)
{
  module_info *m = L.module;
  u64 tls = a - (u64) m->tls;
  if (tls < m->tls_bytes)
    {
      /* Which of the kernel's own __shared__ variables?  */
      u64 lo = 0, hi = L.statics.size ();
      while (lo < hi)
        {
          u64 middle = (lo + hi) / 2;
          if (L.statics[middle].at <= tls)
            lo = middle + 1;
          else
            hi = middle;
        }
      if (! lo || tls + size > L.statics[lo - 1].at + L.statics[lo - 1].size)
        stray (f, a, size, kind, pc);
      if (tls < L.touched_from)
        L.touched_from = tls;
      if (tls + size > L.touched_to)
        L.touched_to = tls + size;
      check_cells (f, f->b->static_cells, tls, size, kind, pc, a, f->b->index + 1);
      noticed (f, pc, kind, SHARED_STATIC, size, tls);
      if (want_frames)
        frame_event (f, pc, kind, SHARED_STATIC, size, a, 0, (void *) a);
      return;
    }
  /* Tables and __device__ variables: in the file's own memory, not followed.  */
  if (a - (u64) m->base < m->image_bytes && (kind != WRITE || a - (u64) m->base > 4096))
    {
      noticed (f, pc, kind, GLOBAL, size, a);
      return;
    }
  stray (f, a, size, kind, pc);
}

static inline void access (const void *p, u32 size, int kind, const void *code)
{
  fiber *f = sim_now;
  if (! f)
    return;
  u64 a = (u64) p;
  if (a - (u64) f->stack < STACK)
    return;
  u32 pc = pc_of (code);
  if (want_frames)
    frame_settle (f);
  if (__builtin_expect ((a & (size - 1)) != 0 && (size == 2 || size == 4 || size == 8), 0))
    fault (CRASH, f, pc, std::string (does[kind]) + " " + std::to_string (size) + " bytes at " + address_text (f->b, a, size)
           + ", which is not a multiple of " + std::to_string (size));
  block *b = f->b;
  u64 offset = a - (u64) b->dynamic;
  if (offset < L.shared)
    {
      if (offset + size > L.shared)
        stray (f, a, size, kind, pc);
      check_cells (f, b->dynamic_cells, offset, size, kind, pc, a, b->index + 1);
      noticed (f, pc, kind, SHARED_DYNAMIC, size, offset);
      if (want_frames)
        frame_event (f, pc, kind, SHARED_DYNAMIC, size, a, 0, p);
      return;
    }
  for (buffer *m : buffers)
    {
      offset = a - (u64) m->at;
      if (offset < m->bytes)
        {
          if (offset + size > m->bytes)
            stray (f, a, size, kind, pc);
          if (! m->read_only)
            check_cells (f, m->cells, offset, size, kind, pc, a, 0);
          else if (kind != READ && kind != VREAD)
            fault (OUT_OF_BOUNDS, f, pc, std::string (does[kind]) + " " + address_text (b, a, size) + ", which is for reading only");
          noticed (f, pc, kind, GLOBAL, size, a);
          if (want_frames)
            frame_event (f, pc, kind, GLOBAL, size, a, 0, p);
          return;
        }
    }
  access_elsewhere (f, a, size, kind, pc);
}

static void access_range (const void *p, size_t bytes, int kind, const void *code)
{
  for (size_t done = 0; done < bytes; )
    {
      u32 size = bytes - done >= 16 ? 16 : bytes - done >= 8 && ! (((u64) p + done) & 7) ? 8
        : bytes - done >= 4 && ! (((u64) p + done) & 3) ? 4 : 1;
      access ((const char *) p + done, size, kind, code);
      done += size;
    }
}

/* ---- acquire and release ---------------------------------------------------------------- */

void learn (std::vector<knowledge> &to, const std::vector<knowledge> &from)
{
  for (const knowledge &k : from)
    {
      bool found = false;
      for (knowledge &t : to)
        if (t.at == k.at)
          {
            if (t.entries < k.entries)
              t.entries = k.entries;
            found = true;
          }
      if (! found)
        to.push_back (k);
    }
}

/* Shared memory's addresses come again in other blocks.  */
static u64 location (const fiber *f, const void *p)
{
  u64 a = (u64) p;
  if (a - (u64) f->b->dynamic < L.shared)
    return (u64) 1 << 63 | (u64) f->b->index << 24 | (a - (u64) f->b->dynamic);
  if (a - (u64) L.module->tls < L.module->tls_bytes)
    return (u64) 3 << 62 | (u64) f->b->index << 24 | (a - (u64) L.module->tls);
  return a;
}

static void synchronise (fiber *f, const void *p, bool acquires, bool releases)
{
  releases = releases && f->fence;
  if (! releases && L.syncvars.empty ())
    return;
  u64 at = location (f, p);
  auto found = L.syncvars.find (at);
  if (found == L.syncvars.end ())
    {
      if (! releases)
        return;
      found = L.syncvars.emplace (at, new syncvar).first;
    }
  syncvar *s = found->second;
  if (acquires && ! s->log.empty ())
    learn (f->known, { { s, (u32) s->log.size () } });
  if (releases)
    {
      s->by_block[f->fence->block].push_back ((u32) s->log.size ());
      s->log.push_back (*f->fence);
    }
}

static void fence (void)
{
  fiber *f = sim_now;
  if (! f)
    return;
  if (want_frames)
    frame_settle (f);
  if (! f->fence)
    f->fence = new release;
  f->fence->block = f->b->index;
  f->fence->thread = f->id;
  f->fence->tick = ++sim_tick;
  f->fence->block_tick = f->b->tick;
  f->fence->warp_tick = f->w->tick;
  f->fence->known = f->known;
  learn (f->fence->known, f->b->known);
}
HOOK void __threadfence (void) { fence (); }
HOOK void __threadfence_block (void) { fence (); }
HOOK void __threadfence_system (void) { fence (); }

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
      maybe_switch (f);
      access (p, size, ATOMIC, code);
      synchronise (f, p, true, true);
    }
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

/* ---- the instrumentation's names ----------------------------------------------------------- */

static __attribute__ ((noinline)) void quantum_over (fiber *f)
{
  sim_fuel = QUANTUM;
  sim_idle += QUANTUM;
  sim_steps += QUANTUM;
  f->yielded = true;
  leave (f);
}

HOOK void __sanitizer_cov_trace_pc (void)
{
  fiber *f = sim_now;
  if (! f)
    return;
  u32 pc = pc_of (CALLER);
  f->last_pc = pc;
  u64 h = pc * 0x9E3779B97F4A7C15ull;
  f->path += (h ^ h >> 29) * 0xBF58476D1CE4E5B9ull;
  if (__builtin_expect (f->b->detail, 0))
    {
      if (want_frames)
        frame_settle (f);
      if (f->places.size () < LOG_MOST)
        f->places.push_back (pc);
    }
  if (__builtin_expect (--sim_fuel == 0, 0))
    quantum_over (f);
}

HOOK void __tsan_init (void) {}
HOOK void __tsan_func_entry (void *)
{
  fiber *f = sim_now;
  if (f && (char *) __builtin_frame_address (0) - f->stack < 8192)
    fault (CRASH, f, pc_of (CALLER), "has used up its stack of " + std::to_string (STACK >> 10) + " KiB");
}
HOOK void __tsan_func_exit (void) {}
HOOK void __tsan_vptr_update (void **, void *) {}
HOOK void __tsan_vptr_read (void **) {}

#define ACCESSES(n) \
  HOOK void __tsan_read##n (void *p) { access (p, n, READ, CALLER); } \
  HOOK void __tsan_write##n (void *p) { access (p, n, WRITE, CALLER); } \
  HOOK void __tsan_unaligned_read##n (void *p) { access_range (p, n, READ, CALLER); } \
  HOOK void __tsan_unaligned_write##n (void *p) { access_range (p, n, WRITE, CALLER); } \
  HOOK void __tsan_volatile_read##n (void *p) { volatile_read (p, n, CALLER); } \
  HOOK void __tsan_volatile_write##n (void *p) { volatile_write (p, n, CALLER); } \
  HOOK void __tsan_unaligned_volatile_read##n (void *p) { volatile_read (p, n, CALLER); } \
  HOOK void __tsan_unaligned_volatile_write##n (void *p) { volatile_write (p, n, CALLER); }

static void volatile_read (const void *p, u32 size, const void *code)
{
  if (! sim_now)
    return;
  access (p, size, VREAD, code);
  synchronise (sim_now, p, true, false);
}
static void volatile_write (const void *p, u32 size, const void *code)
{
  if (! sim_now)
    return;
  access (p, size, VWRITE, code);
  if (sim_now->fence && sim_now->fence->tick > sim_now->b->tick)
    synchronise (sim_now, p, false, true);
}
ACCESSES (1) ACCESSES (2) ACCESSES (4) ACCESSES (8) ACCESSES (16)

HOOK void __tsan_read_range (void *p, size_t n) { access_range (p, n, READ, CALLER); }
HOOK void __tsan_write_range (void *p, size_t n) { access_range (p, n, WRITE, CALLER); }

/* __atomic_… and std::atomic.  */
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
HOOK void __tsan_atomic_thread_fence (int) { fence (); }
HOOK void __tsan_atomic_signal_fence (int) {}

/* The names that device.h gives them.  */
HOOK void *sim_memcpy (void *to, const void *from, size_t bytes)
{
  access_range (from, bytes, READ, CALLER);
  access_range (to, bytes, WRITE, CALLER);
  return __builtin_memcpy (to, from, bytes);
}
HOOK void *sim_memmove (void *to, const void *from, size_t bytes)
{
  access_range (from, bytes, READ, CALLER);
  access_range (to, bytes, WRITE, CALLER);
  return __builtin_memmove (to, from, bytes);
}
HOOK void *sim_memset (void *to, int value, size_t bytes)
{
  access_range (to, bytes, WRITE, CALLER);
  return __builtin_memset (to, value, bytes);
}
