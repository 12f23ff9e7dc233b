/* Runs a launch: blocks, each thread a fiber; barriers and warp operations.  */

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>

#include "runtime.h"

#define HOOK extern "C" __attribute__ ((visibility ("default")))
#define CALLER ((char *) __builtin_return_address (0) - 1)

/* device.h calls them constant.  */
struct position { unsigned x, y, z; };
HOOK position threadIdx, blockIdx, blockDim, gridDim;
position threadIdx, blockIdx, blockDim, gridDim;

launch_state L;
fault_report F;
counts totals;
std::vector<launch_report> launches;
bool want_report, want_frames, sampled;
u32 sim_seed = 1;
volatile bool time_is_up;

const char *const fault_names[] = { "", "out of bounds", "uninitialised read", "race", "barrier divergence",
  "shuffle from a missing lane", "deadlock", "crash", "time limit", "wrong result" };

/* A spin is one without progress after so many basic blocks that touch nothing new.  */
static const u64 MOST_IDLE = 20000000;

/* ---- changing fibers ---------------------------------------------------------------- */

static sigjmp_buf after_signal;

#ifdef GPR_NO_BOOST
static ucontext_t scheduler;

void leave (fiber *f)
{
  sim_now = NULL;
  swapcontext (&f->context, &scheduler);
}

static void enter (fiber *f)
{
  swapcontext (&scheduler, &f->context);
}
#else
using namespace boost::context::detail;
static fcontext_t scheduler;

void leave (fiber *)
{
  sim_now = NULL;
  scheduler = jump_fcontext (scheduler, NULL).fctx;
}

static void enter (fiber *f)
{
  f->context = jump_fcontext (f->context, f).fctx;
}
#endif

static void body (fiber *f)
{
  /* Their layouts do not depend on the types (variant.h).  */
  struct arguments { char bytes[96]; };
  ((void (*) (arguments)) L.kernel) (*(const arguments *) L.args);
  f->state = DONE;
  for (;;)
    leave (f);
}

#ifdef GPR_NO_BOOST
static fiber *starting;
static void start (void)
{
  body (starting);
}
static void make (fiber *f)
{
  getcontext (&f->context);
  f->context.uc_stack.ss_sp = f->stack;
  f->context.uc_stack.ss_size = STACK;
  f->context.uc_link = NULL;
  makecontext (&f->context, start, 0);
}
#else
static void start (transfer_t from)
{
  scheduler = from.fctx;
  body ((fiber *) from.data);
}
static void make (fiber *f)
{
  f->context = make_fcontext (f->stack + STACK, STACK, start);
}
#endif

static inline void resume (fiber *f)
{
  threadIdx.x = f->t;
  f->yielded = false;
  sim_now = f;
#ifdef GPR_NO_BOOST
  starting = f;
#endif
  enter (f);
}

/* ---- faults -------------------------------------------------------------------------- */

void set_fault (fault_kind kind, const fiber *f, u32 pc, const std::string &what)
{
  F.kind = kind;
  F.somewhere = f != NULL;
  if (f)
    {
      F.thread = f->t;
      F.block = f->b->index;
      F.pc = pc;
    }
  F.what = what;
}

[[noreturn]] void fault (fault_kind kind, fiber *f, u32 pc, const std::string &what)
{
  set_fault (kind, f, pc, what);
  for (;;)
    leave (f);
}

[[noreturn]] void fault_with (fault_kind kind, fiber *f, u32 pc, const std::string &what, u32 other_thread, u32 other_pc,
                              const std::string &other_what)
{
  F.has_other = true;
  F.other_thread = other_thread % L.threads;
  F.other_block = other_thread / L.threads;
  F.other_pc = other_pc;
  F.other_what = other_what;
  fault (kind, f, pc, what);
}

static void set_other (const fiber *o, u32 pc, const char *what)
{
  F.has_other = true;
  F.other_thread = o->t;
  F.other_block = o->b->index;
  F.other_pc = pc;
  F.other_what = what;
}

/* Where the code was, as far as the system tells.  */
static u32 signal_pc (const fiber *f, const void *context)
{
#if defined __linux__ && defined __x86_64__
  u64 pc = (u64) ((const ucontext_t *) context)->uc_mcontext.gregs[REG_RIP];
#elif defined __linux__ && defined __aarch64__
  u64 pc = ((const ucontext_t *) context)->uc_mcontext.pc;
#else
  u64 pc = 0;
#endif
  return pc - (u64) L.module->base < L.module->image_bytes ? (u32) (pc - (u64) L.module->base) : f->last_pc;
}

static void on_signal (int number, siginfo_t *, void *context)
{
  if (number == SIGALRM)
    {
      time_is_up = true;
      return;
    }
  fiber *f = sim_now;
  sim_now = NULL;
  if (! f)
    {
      signal (number, SIG_DFL);
      return;
    }
  set_fault (CRASH, f, signal_pc (f, context), number == SIGFPE ? "divides an integer by zero" : number == SIGILL ? "meets an invalid instruction or a trap"
             : number == SIGABRT ? "fails an assertion or aborts" : "gets a segmentation fault (16 bytes that are not aligned, or a wild pointer)");
  siglongjmp (after_signal, 1);
}

static void catch_signals (void)
{
  static char stack[64 << 10];
  static bool done;
  if (done)
    return;
  done = true;
  stack_t s;
  memset (&s, 0, sizeof s);
  s.ss_sp = stack;
  s.ss_size = sizeof stack;
  sigaltstack (&s, NULL);
  struct sigaction a;
  memset (&a, 0, sizeof a);
  a.sa_sigaction = on_signal;
  a.sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER;
  const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM };
  for (int n : numbers)
    sigaction (n, &a, NULL);
}

/* ---- memory of blocks ------------------------------------------------------------------ */

static void *reserve (u64 bytes)
{
  void *p = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* What resident blocks need, kept from launch to launch: a block after the other
   has the same place.  */
struct seats
{
  u32 count, threads;
  u64 shared, statics;
  char *stacks, *dynamic, *dynamic_cells, *static_cells, *images;
};
static seats S;

static u64 cells_bytes (u64 bytes)
{
  return (bytes / 4 + 2) * sizeof (cell);
}

static bool take_seats (u32 count)
{
  if (S.count >= count && S.threads >= L.threads && S.shared >= L.shared && S.statics == L.module->tls_bytes)
    {
      /* A block's number says whose a cell is: not of the launch before.  */
      madvise (S.dynamic_cells, S.count * cells_bytes (S.shared), MADV_DONTNEED);
      madvise (S.static_cells, S.count * cells_bytes (S.statics), MADV_DONTNEED);
      return true;
    }
  if (S.count)
    {
      munmap (S.stacks, (u64) S.count * S.threads * STACK);
      munmap (S.dynamic, (u64) S.count * WINDOW);
      munmap (S.dynamic_cells, S.count * cells_bytes (S.shared));
      munmap (S.static_cells, S.count * cells_bytes (S.statics));
      munmap (S.images, S.count * (S.statics + 1));
    }
  S.count = count;
  S.threads = L.threads;
  S.shared = L.shared;
  S.statics = L.module->tls_bytes;
  S.stacks = (char *) reserve ((u64) S.count * S.threads * STACK);
  S.dynamic = (char *) reserve ((u64) S.count * WINDOW);
  S.dynamic_cells = (char *) reserve (S.count * cells_bytes (S.shared));
  S.static_cells = (char *) reserve (S.count * cells_bytes (S.statics));
  S.images = (char *) reserve (S.count * (S.statics + 1));
  if (S.stacks && S.dynamic && S.dynamic_cells && S.static_cells && S.images)
    return true;
  S.count = 0;
  return false;
}

static void begin_block (block *b, u32 seat, u32 index)
{
  u32 warps = (L.threads + WARP - 1) / WARP;
  b->index = index;
  b->live = true;
  b->tick = L.tick;
  b->known.clear ();
  b->step = 0;
  b->detail = want_report && index < DETAIL_BLOCKS;
  b->flushed_warps = 0;
  b->c = counts ();
  b->dynamic = S.dynamic + (u64) seat * WINDOW;
  b->dynamic_cells = (cell *) (S.dynamic_cells + seat * cells_bytes (S.shared));
  b->static_cells = (cell *) (S.static_cells + seat * cells_bytes (S.statics));
  b->static_image = S.images + seat * (S.statics + 1);
  if (b->fibers.size () != L.threads)
    {
      for (fiber &f : b->fibers)
        free (f.events);
      b->fibers.assign (L.threads, fiber ());
      for (warp &w : b->warps)
        free (w.known);
      b->warps.assign (warps, warp ());
    }
  for (u32 t = 0; t < L.threads; t++)
    {
      fiber *f = &b->fibers[t];
      f->stack = S.stacks + ((u64) seat * S.threads + t) * STACK;
      f->b = b;
      f->w = &b->warps[t / WARP];
      f->t = t;
      f->lane = t % WARP;
      f->id = index * L.threads + t;
      f->state = RUN;
      f->yielded = f->accessed = f->old = false;
      f->path = 0;
      f->last_pc = 0;
      f->event_count = 0;
      f->places.clear ();
      f->recent[0] = f->recent[1] = 0;
      f->known.clear ();
      delete f->fence;
      f->fence = NULL;
      f->pending = -1;
      make (f);
    }
  for (u32 i = 0; i < warps; i++)
    {
      warp *w = &b->warps[i];
      w->count = (int) std::min<u32> (WARP, L.threads - i * WARP);
      w->tick = L.tick;
      free (w->known);
      w->known = NULL;
      for (int lane = 0; lane < w->count; lane++)
        w->lanes[lane] = &b->fibers[i * WARP + lane];
    }
}

/* ---- barriers ------------------------------------------------------------------------------ */

static int barrier (int how, int value, const void *code)
{
  fiber *f = sim_now;
  if (! f)
    return value;
  if (want_frames)
    frame_settle (f);
  f->barrier_how = how;
  f->barrier_value = value;
  f->wait_pc = pc_of (code);
  f->state = AT_BARRIER;
  leave (f);
  return f->barrier_value;
}
HOOK void __syncthreads (void) { barrier (0, 0, CALLER); }
HOOK int __syncthreads_or (int v) { return barrier (1, v, CALLER); }
HOOK int __syncthreads_and (int v) { return barrier (2, v, CALLER); }
HOOK int __syncthreads_count (int v) { return barrier (3, v, CALLER); }

HOOK void sim_grid_sync (void)
{
  fiber *f = sim_now;
  if (! f)
    return;
  if (want_frames)
    frame_settle (f);
  f->wait_pc = pc_of (CALLER);
  if (! L.cooperative)
    fault (DEADLOCK, f, f->wait_pc, "waits for the whole grid, in a launch that is not cooperative");
  f->state = AT_GRID;
  leave (f);
}

HOOK void *sim_shared (void)
{
  return L.now ? L.now->dynamic : NULL;
}

HOOK void __trap (void)
{
  fiber *f = sim_now;
  if (f)
    fault (CRASH, f, pc_of (CALLER), "traps");
  abort ();
}

HOOK long long clock64 (void)
{
  return (long long) sim_steps + QUANTUM - sim_fuel;
}

/* ---- warp operations ------------------------------------------------------------------------ */

/* Lanes that are named and there at all.  */
static u32 named (const warp *w, u32 mask)
{
  return w->count == WARP ? mask : mask & ((1u << w->count) - 1);
}

static void sync_warp (warp *w, u32 lanes)
{
  u32 all = 0;
  bool any_known = false;
  for (int i = 0; i < w->count; i++)
    {
      if (w->lanes[i]->state != DONE)
        all |= 1u << i;
      any_known |= ! w->lanes[i]->known.empty ();
    }
  u32 now = ++sim_tick;
  if (any_known)
    {
      std::vector<knowledge> joined;
      for (int i = 0; i < w->count; i++)
        if (lanes >> i & 1)
          learn (joined, w->lanes[i]->known);
      for (int i = 0; i < w->count; i++)
        if (lanes >> i & 1)
          w->lanes[i]->known = joined;
    }
  if ((lanes & all) == all)
    {
      w->tick = now;
      return;
    }
  if (! w->known)
    w->known = (u32 (*)[WARP]) calloc (WARP, sizeof *w->known);
  for (int j = 0; j < WARP; j++)
    {
      u32 most = lanes >> j & 1 ? now : 0;
      for (int i = 0; i < WARP; i++)
        if ((lanes >> i & 1) && w->known[i][j] > most)
          most = w->known[i][j];
      for (int i = 0; i < WARP; i++)
        if (lanes >> i & 1)
          w->known[i][j] = most;
    }
}

static void shuffle_all (warp *w, u32 lanes)
{
  u64 results[WARP];
  for (int lane = 0; lane < w->count; lane++)
    {
      if (! (lanes >> lane & 1))
        continue;
      fiber *f = w->lanes[lane];
      int width = f->width, base = lane & ~(width - 1), source = lane, d = f->arg;
      switch (f->how)
        {
        case 0: source = base | (d & (width - 1)); break;
        case 1: source = lane - d < base ? lane : lane - d; break;
        case 2: source = lane + d >= base + width || d < 0 ? lane : lane + d; break;
        default: source = (lane ^ d) >= base + width || (lane ^ d) >= WARP ? lane : lane ^ d; break;
        }
      if (! (lanes >> source & 1))
        {
          set_fault (MISSING_LANE, f, f->wait_pc, "reads from lane " + std::to_string (source)
                     + (source < w->count ? ", which is not in the mask" : ", which does not exist"));
          return;
        }
      results[lane] = w->lanes[source]->value;
      f->from = source;
    }
  for (int lane = 0; lane < w->count; lane++)
    if (lanes >> lane & 1)
      w->lanes[lane]->value = results[lane];
}

static void vote_all (warp *w, u32 lanes)
{
  fiber *one = NULL;
  u32 r = 0, matches[WARP];
  for (int i = 0; i < w->count; i++)
    {
      if (! (lanes >> i & 1))
        continue;
      fiber *f = w->lanes[i];
      u32 v = (u32) f->value;
      switch (f->how)
        {
        case 0: r |= (v != 0) << i; break;
        case 1: r = r || v; break;
        case 2: r = one ? r && v : v != 0; break;
        case 3:
          matches[i] = 0;
          for (int j = 0; j < w->count; j++)
            if ((lanes >> j & 1) && w->lanes[j]->value == f->value)
              matches[i] |= 1u << j;
          break;
        case 4: r += v; break;
        case 5: r = ! one || (int) v < (int) r ? v : r; break;
        case 6: r = ! one || (int) v > (int) r ? v : r; break;
        case 7: r = ! one || v < r ? v : r; break;
        case 8: r = ! one || v > r ? v : r; break;
        case 9: r = one ? r & v : v; break;
        case 10: r |= v; break;
        default: r ^= v; break;
        }
      one = f;
    }
  for (int i = 0; i < w->count; i++)
    if (lanes >> i & 1)
      w->lanes[i]->value = one->how == 3 ? matches[i] : r;
}

/* Where all lanes that f waits for have come: done.  */
static bool complete_warp_op (fiber *f)
{
  warp *w = f->w;
  u32 lanes = named (w, f->mask), here = 0;
  for (int i = 0; i < w->count; i++)
    {
      const fiber *o = w->lanes[i];
      if (! (lanes >> i & 1))
        continue;
      if (o->state == AT_WARP && o->op == f->op && o->mask == f->mask && (f->op != OP_VOTE || o->how == f->how))
        here |= 1u << i;
      else if (! (o->state == DONE && f->op == OP_SYNC))
        return false;
    }
  switch (f->op)
    {
    case OP_SYNC: sync_warp (w, here); break;
    case OP_SHUFFLE: shuffle_all (w, here); break;
    default: vote_all (w, here); break;
    }
  for (int i = 0; i < w->count; i++)
    if (here >> i & 1)
      w->lanes[i]->state = RUN;
  return true;
}

static u64 warp_operation (int op, int how, u32 mask, u64 value, int arg, int width, value_type type, const void *code)
{
  fiber *f = sim_now;
  if (! f)
    return value;
  if (want_frames)
    frame_settle (f);
  u32 pc = pc_of (code);
  if (! (mask >> f->lane & 1))
    fault (op == OP_SYNC ? BARRIER_DIVERGENCE : MISSING_LANE, f, pc, "names a mask that it is not in itself");
  if (op == OP_SHUFFLE && (width < 1 || width > WARP || (width & (width - 1))))
    fault (MISSING_LANE, f, pc, "shuffles in a width of " + std::to_string (width) + ", which is no power of two up to 32");
  f->op = op;
  f->how = how;
  f->mask = mask;
  f->value = value;
  f->arg = arg;
  f->width = width;
  f->wait_pc = pc;
  f->from = (int) f->lane;
  f->state = AT_WARP;
  if (! complete_warp_op (f) || F.kind)
    leave (f);
  if (op != OP_SYNC)
    {
      u32 size = (u32) value_bytes (type);
      log_event (f, pc, SHUFFLE, REGISTER, size, 0);
      if (want_frames)
        frame_event (f, pc, SHUFFLE, REGISTER, size, 0, f->from, &f->value, type);
    }
  return f->value;
}

HOOK void __syncwarp (unsigned mask) { warp_operation (OP_SYNC, 0, mask, 0, 0, WARP, T_U32, CALLER); }
HOOK uint64_t sim_shuffle (int how, unsigned mask, uint64_t bits, int arg, int width, int type)
{
  /* SIM_I32, … of device.h.  */
  static const value_type types[] = { T_I32, T_U32, T_I64, T_U64, T_F32, T_F64 };
  return warp_operation (OP_SHUFFLE, how, mask, bits, arg, width, types[type], CALLER);
}
HOOK unsigned sim_vote (int how, unsigned mask, uint64_t value)
{
  return (u32) warp_operation (OP_VOTE, how, mask, value, 0, WARP, how >= 4 && how <= 6 ? T_I32 : T_U32, CALLER);
}

/* Lanes that have not exited and do not wait for the block.  */
HOOK unsigned __activemask (void)
{
  fiber *f = sim_now;
  u32 mask = 0;
  if (f)
    for (int i = 0; i < f->w->count; i++)
      if (f->w->lanes[i]->state == RUN || f->w->lanes[i]->state == AT_WARP || f->w->lanes[i]->state == LOG_FULL)
        mask |= 1u << i;
  return mask;
}

/* ---- scheduling --------------------------------------------------------------------------------- */

static const char *what_it_does (const fiber *f)
{
  switch (f->state)
    {
    case DONE: return "has exited";
    case AT_BARRIER: return "waits at __syncthreads";
    case AT_GRID: return "waits for the grid";
    case AT_WARP: return f->op == OP_SYNC ? "waits at __syncwarp" : "waits at a shuffle or vote";
    default: return "spins";
    }
}

static u32 where_it_is (const fiber *f)
{
  return f->state == AT_BARRIER || f->state == AT_GRID || f->state == AT_WARP ? f->wait_pc : f->last_pc;
}

static void list_waiting (const block *b)
{
  for (const fiber &f : b->fibers)
    {
      if (f.state == DONE)
        continue;
      u32 pc = where_it_is (&f);
      const char *how = what_it_does (&f);
      bool found = false;
      for (waiting &w : F.waiters)
        if (w.block == b->index && w.pc == pc && w.how == how)
          {
            w.count++;
            found = true;
          }
      if (! found && F.waiters.size () < 12)
        F.waiters.push_back ({ b->index, f.t, 1, pc, how });
    }
}

static bool same_place (const fiber *a, const fiber *b)
{
  if (a->wait_pc == b->wait_pc)
    return true;
  places_find (L.module, { a->wait_pc, b->wait_pc });
  const place &p = place_of (L.module, a->wait_pc), &q = place_of (L.module, b->wait_pc);
  return p.line > 0 && p.line == q.line && p.file == q.file;
}

/* Nothing in the block can run and it is at no barrier together: why?  */
static void diagnose (block *b)
{
  for (int shuffles = 1; shuffles >= 0; shuffles--)
    for (fiber &f : b->fibers)
      if (f.state == AT_WARP && (f.op != OP_SYNC) == shuffles)
        for (int i = 0; i < f.w->count; i++)
          {
            const fiber *o = f.w->lanes[i];
            if (! (f.mask >> i & 1) || (o->state == DONE && f.op == OP_SYNC)
                || (o->state == AT_WARP && o->op == f.op && o->mask == f.mask && (f.op != OP_VOTE || o->how == f.how)))
              continue;
            set_fault (shuffles ? MISSING_LANE : BARRIER_DIVERGENCE, &f, f.wait_pc,
                       std::string (f.op == OP_SHUFFLE ? "shuffles with" : f.op == OP_VOTE ? "votes with" : "waits in __syncwarp for")
                       + " lane " + std::to_string (i));
            set_other (o, where_it_is (o), what_it_does (o));
            return;
          }
  const fiber *waits = NULL;
  for (const fiber &f : b->fibers)
    if (f.state == AT_BARRIER || f.state == AT_GRID)
      {
        waits = &f;
        break;
      }
  for (const fiber &f : b->fibers)
    if (f.state != waits->state || (f.state == AT_BARRIER && ! same_place (&f, waits)))
      {
        set_fault (BARRIER_DIVERGENCE, waits, waits->wait_pc, what_it_does (waits));
        set_other (&f, where_it_is (&f), what_it_does (&f));
        return;
      }
}

static void release_barrier (block *b)
{
  int any = 0, all = 1, count = 0, how = b->fibers[0].barrier_how;
  bool learned = false;
  for (fiber &f : b->fibers)
    {
      any |= f.barrier_value != 0;
      all &= f.barrier_value != 0;
      count += f.barrier_value != 0;
      learned |= ! f.known.empty ();
    }
  b->tick = ++sim_tick;
  if (learned)
    for (fiber &f : b->fibers)
      {
        learn (b->known, f.known);
        f.known.clear ();
      }
  for (fiber &f : b->fibers)
    {
      f.barrier_value = how == 1 ? any : how == 2 ? all : count;
      f.state = RUN;
    }
  sim_idle = 0;
}

static void load (block *b)
{
  L.now = b;
  blockIdx.x = b->index;
  if (L.touched_to > L.touched_from)
    memcpy (L.module->tls + L.touched_from, b->static_image + L.touched_from, L.touched_to - L.touched_from);
}

static void store (block *b)
{
  if (L.touched_to > L.touched_from)
    memcpy (b->static_image + L.touched_from, L.module->tls + L.touched_from, L.touched_to - L.touched_from);
  L.now = NULL;
}

enum turn { GOES_ON, WAITS_FOR_GRID, ENDED, FAULTED };

/* Threads run until none can, or those that can only spin.  */
static turn run_threads (block *b)
{
  for (warp &w : b->warps)
    for (;;)
      {
        int ran = 0, spun = 0, full = 0;
        for (int i = 0; i < w.count; i++)
          {
            fiber *f = w.lanes[i];
            if (f->state != RUN)
              continue;
            resume (f);
            if (F.kind)
              return FAULTED;
            ran++;
            spun += f->yielded;
          }
        if (ran > spun)
          continue;
        for (int i = 0; i < w.count; i++)
          full += w.lanes[i]->state == LOG_FULL;
        if (! full || spun)
          {
            /* A lane that has exited is not waited for.  */
            bool done = false;
            if (! ran)
              for (int i = 0; i < w.count && ! done; i++)
                done = w.lanes[i]->state == AT_WARP && w.lanes[i]->op == OP_SYNC && complete_warp_op (w.lanes[i]);
            if (done)
              continue;
            break;
          }
        warp_flush (b, &w);
        for (int i = 0; i < w.count; i++)
          if (w.lanes[i]->state == LOG_FULL)
            w.lanes[i]->state = RUN;
        break;                  /* it may only spin: others have their turn */
      }
  if (time_is_up)
    {
      const fiber *f = &b->fibers[0];
      for (const fiber &other : b->fibers)
        if (other.state == RUN)
          {
            f = &other;
            break;
          }
      set_fault (TIME_LIMIT, f, where_it_is (f), "is still at work");
      return FAULTED;
    }
  u32 running = 0, at_barrier = 0, at_grid = 0, done = 0;
  for (fiber &f : b->fibers)
    switch (f.state)
      {
      case RUN: case LOG_FULL: running++; break;
      case AT_BARRIER: at_barrier++; break;
      case AT_GRID: at_grid++; break;
      case DONE: done++; break;
      default: break;
      }
  if (running)
    return GOES_ON;
  if (done == L.threads)
    {
      step_end (b, b->fibers[0].last_pc, false);
      return ENDED;
    }
  if (at_barrier == L.threads)
    {
      bool same = true;
      for (fiber &f : b->fibers)
        same = same && (f.wait_pc == b->fibers[0].wait_pc || same_place (&f, &b->fibers[0]));
      if (same)
        {
          step_end (b, b->fibers[0].wait_pc, true);
          release_barrier (b);
          return GOES_ON;
        }
    }
  if (at_grid == L.threads)
    return WAITS_FOR_GRID;
  diagnose (b);
  return FAULTED;
}

static void release_grid (std::vector<block *> &seated)
{
  L.tick = ++sim_tick;
  sim_idle = 0;
  for (block *b : seated)
    {
      L.now = b;
      step_end (b, b->fibers[0].wait_pc, true);
      b->tick = L.tick;
      for (fiber &f : b->fibers)
        f.state = RUN;
    }
  L.now = NULL;
}

static void deadlock (const std::vector<block *> &seated, const char *what)
{
  const fiber *first = NULL;
  for (const block *b : seated)
    if (b->live)
      {
        for (const fiber &f : b->fibers)
          if (! first && f.state != DONE)
            first = &f;
        list_waiting (b);
      }
  set_fault (DEADLOCK, first, first ? where_it_is (first) : 0, what);
}

static void run_grid (std::vector<block *> &seated)
{
  u32 next = 0, live = 0;
  std::vector<bool> waits (seated.size ());
  for (u32 seat = 0; seat < seated.size () && next < L.grid; seat++)
    {
      begin_block (seated[seat], seat, next++);
      live++;
    }
  u32 ended = 0;
  sim_idle = 0;
  while (live > 0)
    {
      u32 waiting = 0, first = sim_seed % seated.size ();
      for (u32 i = 0; i < seated.size (); i++)
        {
          u32 seat = (first + i) % seated.size ();
          block *b = seated[seat];
          if (! b->live)
            continue;
          if (waits[seat])
            {
              waiting++;
              continue;
            }
          load (b);
          turn t = run_threads (b);
          store (b);
          if (t == FAULTED || F.kind)
            return;
          if (t == WAITS_FOR_GRID)
            {
              waits[seat] = true;
              waiting++;
              sim_idle = 0;
            }
          else if (t == ENDED)
            {
              ended++;
              sim_idle = 0;
              b->live = false;
              live--;
              if (next < L.grid)
                {
                  begin_block (b, seat, next++);
                  live++;
                }
            }
        }
      if (live > 0 && waiting == live)
        {
          if (ended)
            {
              deadlock (seated, "waits for the whole grid, of which blocks have exited");
              return;
            }
          release_grid (seated);
          waits.assign (seated.size (), false);
        }
      if (sim_idle > MOST_IDLE)
        {
          deadlock (seated, "spins, and nothing that runs changes anything");
          return;
        }
    }
}

bool launch (const char *name, const void *kernel, const void *args, u32 grid, u32 threads, u64 shared, bool cooperative, value_type type)
{
  static std::vector<block *> seated;

  L.name = name;
  L.kernel = kernel;
  L.args = args;
  L.grid = grid;
  L.threads = threads;
  L.shared = shared;
  L.cooperative = cooperative;
  L.type = type;
  L.module = module_of (kernel);
  L.tick = ++sim_tick;
  L.touched_from = ~(u64) 0;
  L.touched_to = 0;
  for (auto &s : L.syncvars)
    delete s.second;
  L.syncvars.clear ();
  gridDim = { grid, 1, 1 };
  blockDim = { threads, 1, 1 };
  catch_signals ();

  launch_report r;
  r.kernel = name;
  r.grid = grid;
  r.threads = threads;
  r.module = L.module;
  r.type = type;
  launches.push_back (r);
  if (grid > DETAIL_BLOCKS)
    sampled = true;

  /* Variables of other kernels lie between this one's: out of bounds.  */
  L.statics.clear ();
  std::string own = function_symbol (L.module, kernel);
  for (const symbol &s : L.module->tls_symbols)
    {
      std::string owner = owner_of (s.name, L.kernels);
      if (owner.empty () || owner == own)
        L.statics.push_back (s);
    }

  u32 count = std::min<u32> (grid, cooperative ? grid : (u32) RESIDENT);
  if ((u64) count * threads > COOPERATIVE_THREADS)
    {
      set_fault (DEADLOCK, NULL, 0, "a cooperative launch of " + std::to_string (grid) + " blocks of " + std::to_string (threads)
                 + " threads: at most " + std::to_string (COOPERATIVE_THREADS) + " threads run at once here");
      return false;
    }
  if (! take_seats (count))
    {
      set_fault (CRASH, NULL, 0, "no memory for " + std::to_string (count) + " blocks");
      return false;
    }
  while (seated.size () < count)
    seated.push_back (new block ());
  std::vector<block *> now (seated.begin (), seated.begin () + count);
  if (sigsetjmp (after_signal, 1) == 0)
    run_grid (now);
  sim_now = NULL;
  /* How far the block of a fault came in its step.  */
  if (F.kind && F.somewhere)
    for (block *b : now)
      if (b->live && b->detail && b->index == F.block)
        {
          load (b);
          step_end (b, F.pc, false);
        }
  L.now = NULL;
  return ! F.kind;
}
