/* What g++'s instrumentation calls (-fsanitize=thread and trace-pc, without their libraries).  */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "accesses.h"
#include "counts.h"
#include "doubt.h"
#include "fibers.h"
#include "memory.h"
#include "releases.h"

/* ---- happens-before ---------------------------------------------------------------- */

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

/* Whether what r records is over for f.  */
static inline bool ordered (const record &r, const fiber *f)
{
  return surely_ordered (r, f) || acquired (r, f);
}

static const char *const did[] = { "read", "wrote", "changed atomically", "read", "wrote" };
static const char *const does[] = { "reads", "writes", "changes atomically", "reads", "writes" };

/* Returns where it is to be seen first what becomes of the block.  */
static __attribute__ ((noinline)) void race (fiber *f, u32 pc, int kind, u64 a, u32 size, const record &r, int was, const cell *c, u32 mask)
{
  if (in_doubt)
    return;
  std::string where = address_text (f->b, a, size);
  const char *why = r.thread / L.threads != f->b->index ? "nothing orders the two blocks"
    : r.thread % L.threads / WARP == f->t / WARP ? "with no __syncwarp or barrier between" : "with no barrier between";
  (r.thread / L.threads == f->b->index ? begin_doubt_with : fault_with) (RACE, f, pc, std::string (does[kind]) + " " + where, r.thread, r.pc,
                                                                         std::string (did[was]) + " it, " + why);
  const bool reads = kind == READ || kind == VREAD;
  if (c)
    watch_reader (c, mask, reads ? f->t : r.thread % L.threads, ! reads && was != READ);
}

/* Of a program's memory: what was set as a whole, and what the host may have written with nobody seeing it.  */
static bool host_has_written (cell *c, u64 a)
{
  for (const buffer *m : buffers)
    if (a - (u64) m->at < m->bytes)
      {
        const u64 offset = 4 * (u64) (c - m->cells);
        u32 bytes = 0;
        if (m->place == MANAGED || m->place == PINNED)
          memcpy (&bytes, m->at + offset, std::min<u64> (4, m->bytes - offset));
        if (! bytes && m->copied < std::min<u64> (offset + 4, m->bytes))
          return false;
        c->init = 15;
        return true;
      }
  return false;
}

/* The same; own: as below.  */
static __attribute__ ((noinline)) void unwritten (fiber *f, cell *c, u32 mask, u32 pc, int kind, u64 a, u32 size, u32 own)
{
  if (in_doubt)
    return;
  if (! own && host_has_written (c, a))
    return;
  F.address = a;
  (own ? begin_doubt : fault) (UNINITIALISED, f, pc, std::string (does[kind]) + " " + address_text (f->b, a, size) + unwritten_text);
  watch (c, mask);
}

/* A compare-and-swap begins with a plain read, in NVIDIA's guide too: what is read plainly, and then changed
   atomically by the same thread before it does anything else, is no race.  */
static __attribute__ ((noinline)) void note_loose (fiber *f, u32 pc, u64 a, u32 size, const record &by)
{
  f->loose = a;
  f->loose_pc = pc;
  f->loose_size = size;
  f->loose_by = by;
}
void settle_loose (fiber *f)
{
  const u64 a = f->loose;
  f->loose = 0;
  if (a)
    race (f, f->loose_pc, READ, a, f->loose_size, f->loose_by, ATOMIC, NULL, 0);
}

static inline void check_cell (fiber *f, cell *c, u32 mask, int kind, u32 pc, u64 a, u32 size, bool strict, u32 own)
{
  bool atomic = kind == ATOMIC;
  if (kind != WRITE && kind != VWRITE && (c->init & mask) != mask && strict)
    unwritten (f, c, mask & ~c->init, pc, kind, a, size, own);
  /* After a fence a volatile write is how a flag is set.  */
  if (kind == VWRITE && f->fence && f->fence->tick > f->b->tick)
    atomic = true;
  if ((c->wmask & mask) && ! (c->atomic && (atomic || kind == VREAD)) && ! ordered (c->w, f))
    {
      if (kind == READ && c->atomic && (size == 4 || size == 8) && ! in_doubt)
        note_loose (f, pc, a, size, c->w);
      else
        race (f, pc, kind, a, size, c->w, c->atomic ? ATOMIC : WRITE, c, mask);
    }
  if (kind == READ || kind == VREAD)
    {
      record now = { f->id, sim_tick, pc };
      if (! (c->rmask1 & ~mask) && surely_ordered (c->r1, f))
        {
          c->r1 = now;
          c->rmask1 = mask;
          c->volatile1 = kind == VREAD || f->loose == a;
        }
      else
        {
          c->r2 = now;
          c->rmask2 = mask;
          c->volatile2 = kind == VREAD || f->loose == a;
        }
      return;
    }
  if ((c->rmask1 & mask) && ! (atomic && c->volatile1) && ! ordered (c->r1, f))
    race (f, pc, kind, a, size, c->r1, READ, c, mask);
  if ((c->rmask2 & mask) && ! (atomic && c->volatile2) && ! ordered (c->r2, f))
    race (f, pc, kind, a, size, c->r2, READ, c, mask);
  /* An atomic changes what is there: it is no first value.  */
  if (__builtin_expect (in_doubt, 0) && kind != ATOMIC)
    watched_write (f, c, mask, pc);
  /* A thread's own atomic does not make its plain write before it one: others need a barrier after that.  */
  if (kind == ATOMIC && own && ! c->atomic && (c->wmask & mask) && c->w.thread == f->id && c->w.tick >= f->b->tick)
    return;
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
      check_cell (f, c, ((1u << to) - 1) & ~((1u << from) - 1), kind, pc, a, size, strict, own);
    }
}

/* ---- accesses ------------------------------------------------------------------------- */

[[noreturn]] static __attribute__ ((noinline)) void stray (fiber *f, u64 a, u32 size, int kind, u32 pc)
{
  F.address = a;
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
  f->looked = kind == READ ? 2 : 1;
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
  if (no_array && no_array (f, a, size, kind, pc))
    return;
  /* Tables and __device__ variables: in the file's own memory, not followed.  */
  if (a - (u64) m->base < m->image_bytes && (kind != WRITE || a - (u64) m->base > 4096))
    {
      noticed (f, pc, kind, GLOBAL, size, a);
      return;
    }
  stray (f, a, size, kind, pc);
}

/* ---- what is graded ------------------------------------------------------------------------ */

/* Whether size bytes at a are in the frames of the module's own functions.  Where a function returns to is not, nor is
   what lies below the hook that asks: it would then return to where the module likes.  All is compiled with frame
   pointers: a frame begins with its caller's, then comes where it returns to.  */
static __attribute__ ((noinline)) bool in_own_frames (u64 a, u32 size, u64 arguments)
{
  const u64 *frame = (const u64 *) __builtin_frame_address (0);
  bool within = false;
  for (;;)
    {
      const u64 caller = frame[0], begin = (u64) (frame + 2);
      const bool of_module = frame[1] - graded_at < graded_bytes;
      if (! of_module && within)
        return a >= begin && a + size <= begin + arguments;
      if (of_module && a >= begin && a + size <= caller)
        return true;
      if (caller <= (u64) frame)
        return false;
      within = of_module;
      frame = (const u64 *) caller;
    }
}

static bool writes (int kind) { return kind != READ && kind != VREAD; }

void graded_host_accesses (const void *p, u64 size, int kind, const void *)
{
  const u64 a = (u64) p;
  if (writes (kind) && ! (a - graded_at < graded_bytes && a + size - graded_at <= graded_bytes) && ! in_own_frames (a, size, 0))
    {
      dprintf (2, "what describes the variant writes to memory that is not its own\n");
      _exit (1);
    }
}

static inline void access (const void *p, u32 size, int kind, const void *code)
{
  fiber *f = sim_now;
  if (__builtin_expect (! f, 0))
    {
      if (host_accesses)
        host_accesses (p, size, kind, code);
      return;
    }
  u64 a = (u64) p;
  if (a - (u64) f->stack < STACK)
    {
      if (__builtin_expect (graded_bytes != 0, 0) && (u64) L.module->base == graded_at && writes (kind)
          && ! in_own_frames (a, size, sizeof (ladder_arguments)))
        fault (OUT_OF_BOUNDS, f, pc_of (code), std::string (does[kind]) + " beyond its local variables");
      return;
    }
  u32 pc = pc_of (code);
  if (__builtin_expect (f->loose != 0, 0))
    settle_loose (f);
  if (want_frames)
    frame_finish (f);
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
          else if (kind != READ && kind != VREAD && (F.address = a))
            fault (OUT_OF_BOUNDS, f, pc, std::string (does[kind]) + " " + address_text (b, a, size) + ", which is for reading only");
          noticed (f, pc, kind, GLOBAL, size, a);
          if (want_frames)
            frame_event (f, pc, kind, GLOBAL, size, a, 0, p);
          return;
        }
    }
  access_elsewhere (f, a, size, kind, pc);
}

void check_access (const void *p, u32 size, int kind, const void *code)
{
  access (p, size, kind, code);
}

void before_atomic (fiber *f, const void *p)
{
  const u64 a = (u64) p;
  if (f->loose == a)
    f->loose = 0;
  cell *c = NULL;
  if (a - (u64) f->b->dynamic < L.shared)
    c = f->b->dynamic_cells + (a - (u64) f->b->dynamic) / 4;
  else if (a - (u64) L.module->tls < L.module->tls_bytes)
    c = f->b->static_cells + (a - (u64) L.module->tls) / 4;
  else
    for (const buffer *m : buffers)
      if (a - (u64) m->at < m->bytes && m->cells)
        {
          c = m->cells + (a - (u64) m->at) / 4;
          break;
        }
  if (! c)
    return;
  c->volatile1 |= c->r1.thread == f->id;
  c->volatile2 |= c->r2.thread == f->id;
}

static void access_range (const void *p, size_t bytes, int kind, const void *code)
{
  if (! sim_now)
    {
      if (host_accesses)
        host_accesses (p, bytes, kind, code);
      return;
    }
  for (size_t done = 0; done < bytes; )
    {
      u32 size = bytes - done >= 16 ? 16 : bytes - done >= 8 && ! (((u64) p + done) & 7) ? 8
        : bytes - done >= 4 && ! (((u64) p + done) & 3) ? 4 : 1;
      access ((const char *) p + done, size, kind, code);
      done += size;
    }
}

/* ---- the instrumentation's names ----------------------------------------------------------- */

static __attribute__ ((noinline)) void quantum_over (fiber *f)
{
  /* Not between a read and the atomic that it is for.  */
  if (f->looked == 2 && ! f->extended)
    {
      f->extended = true;
      sim_fuel = 16;
      return;
    }
  f->extended = false;
  sim_fuel = QUANTUM;
  /* Who looks at no memory waits for nobody: it computes.  */
  sim_idle += f->looked ? QUANTUM : 0;
  f->looked = false;
  sim_steps += QUANTUM;
  f->yielded = true;
  leave (f);
}

HOOK void __sanitizer_cov_trace_pc (void)
{
  fiber *f = sim_now;
  if (! f)
    {
      if (host_goes)
        host_goes (CALLER);
      return;
    }
  u32 pc = pc_of (CALLER);
  f->last_pc = pc;
  u64 h = pc * 0x9E3779B97F4A7C15ull;
  f->path += (h ^ h >> 29) * 0xBF58476D1CE4E5B9ull;
  if (want_report)
    {
      if (want_frames)
        frame_finish (f);
      if (f->blocks_run++ < LOG_MOST)
        f->basic_blocks.push_back (pc);
    }
  if (__builtin_expect (--sim_fuel == 0, 0))
    quantum_over (f);
}

HOOK void __tsan_init (void) {}
HOOK void __tsan_func_entry (void *)
{
  fiber *f = sim_now;
  if (! f && host_goes)
    host_goes (CALLER);
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
  access (p, size, VREAD, code);
  if (! sim_now)
    return;
  synchronise (sim_now, p, true, false);
}
static void volatile_write (const void *p, u32 size, const void *code)
{
  access (p, size, VWRITE, code);
  if (sim_now && sim_now->fence && sim_now->fence->tick > sim_now->b->tick)
    synchronise (sim_now, p, false, true);
}
ACCESSES (1) ACCESSES (2) ACCESSES (4) ACCESSES (8) ACCESSES (16)

HOOK void __tsan_read_range (void *p, size_t n) { access_range (p, n, READ, CALLER); }
HOOK void __tsan_write_range (void *p, size_t n) { access_range (p, n, WRITE, CALLER); }

/* Indices of arrays whose size the compiler knows: what is graded is compiled with -fsanitize=bounds, since it would
   not ask about a thread's own arrays.  */
[[noreturn]] static void beyond (const std::string &what, const void *code)
{
  fiber *f = sim_now;
  if (f)
    fault (OUT_OF_BOUNDS, f, pc_of (code), what);
  dprintf (2, "what describes the variant %s\n", what.c_str ());
  _exit (1);
}
/* As the compiler writes it: file, line, column; the array's type, whose name follows two numbers.  */
struct ubsan_array { uint16_t kind, info; char name[1]; };
struct ubsan_index { const char *file; u32 line, column; const ubsan_array *array; };
HOOK void __ubsan_handle_out_of_bounds_abort (const ubsan_index *d, u64 index)
{
  beyond ("uses index " + std::to_string ((int64_t) index) + " of an array of type " + d->array->name, CALLER);
}
HOOK void __ubsan_handle_type_mismatch_v1_abort (const void *, u64)
{
  beyond ("goes beyond a variable of its own", CALLER);
}

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
