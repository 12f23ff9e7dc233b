#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#ifndef GPR_NO_BOOST
#  include <boost/context/detail/fcontext.hpp>
#endif

#include "fibers.h"
#include "position.h"

/* ---- changing fibers ---------------------------------------------------------------- */

static sigjmp_buf after_signal;

#ifdef GPR_NO_BOOST
static ucontext_t scheduler;
enum { OWN = (sizeof (ucontext_t) + 63) / 64 * 64 };    /* the context lies at the stack's end */

void leave (fiber *f)
{
  sim_now = NULL;
  swapcontext ((ucontext_t *) f->context, &scheduler);
}

static void enter (fiber *f)
{
  swapcontext (&scheduler, (ucontext_t *) f->context);
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

static void body (void)
{
  ((void (*) (ladder_arguments)) L.kernel) (*(const ladder_arguments *) L.args);
  /* Not f, which may have lain in a register that the kernel saved on its stack.  */
  settle_loose (sim_now);
  sim_now->state = DONE;
  for (;;)
    leave (sim_now);
}

#ifdef GPR_NO_BOOST
static fiber *starting;
static void start (void)
{
  body ();
}
void make (fiber *f)
{
  ucontext_t *context = (ucontext_t *) (f->stack + STACK - OWN);
  f->context = context;
  getcontext (context);
  context->uc_stack.ss_sp = f->stack;
  context->uc_stack.ss_size = STACK - OWN;
  context->uc_link = NULL;
  makecontext (context, start, 0);
}
#else
static void start (transfer_t from)
{
  scheduler = from.fctx;
  body ();
}
void make (fiber *f)
{
  f->context = make_fcontext (f->stack + STACK, STACK, start);
}
#endif

void resume (fiber *f)
{
  threadIdx.x = f->t;
  if (__builtin_expect (L.block_y * L.block_z > 1, 0))
    threadIdx = { f->t % blockDim.x, f->t / blockDim.x % L.block_y, f->t / blockDim.x / L.block_y };
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

void set_time_limit (const fiber *f, u32 pc)
{
  char seconds[32];
  snprintf (seconds, sizeof seconds, "%.3g", seconds_allowed);
  set_fault (TIME_LIMIT, f, pc, std::string ("is still at work after ") + seconds + " seconds");
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

void set_other (const fiber *o, u32 pc, const char *what)
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

static void (*host_signal) (int, const void *, const void *);

static void on_signal (int number, siginfo_t *info, void *context)
{
  fiber *f = sim_now;
  if (number == SIGALRM)
    {
      /* A second later still: in code that gives nobody a turn.  */
      if (time_is_up && f)
        {
          sim_now = NULL;
          set_time_limit (f, signal_pc (f, context));
          siglongjmp (after_signal, 1);
        }
      time_is_up = true;
      if (! f && host_signal)
        host_signal (number, NULL, context);
      return;
    }
  sim_now = NULL;
  if (! f)
    {
      if (host_signal)
        host_signal (number, info->si_addr, context);
      else
        signal (number, SIG_DFL);
      return;
    }
  set_fault (CRASH, f, signal_pc (f, context), number == SIGFPE ? "divides an integer by zero" : number == SIGILL ? "meets an invalid instruction or a trap"
             : number == SIGABRT ? "fails an assertion or aborts" : "gets a segmentation fault (16 bytes that are not aligned, or a wild pointer)");
  siglongjmp (after_signal, 1);
}

void start_timer (double seconds)
{
  struct itimerval t = {};
  t.it_value.tv_sec = (time_t) seconds;
  t.it_value.tv_usec = (suseconds_t) ((seconds - (double) t.it_value.tv_sec) * 1e6);
  t.it_value.tv_usec += ! t.it_value.tv_sec && ! t.it_value.tv_usec;
  t.it_interval.tv_sec = 1;     /* again, for code that gives nobody a turn */
  setitimer (ITIMER_REAL, &t, NULL);
}

void catch_signals (void (*of_host) (int, const void *, const void *))
{
  static char stack[256 << 10];
  static bool done;
  if (of_host)
    host_signal = of_host;
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

void with_signals_caught (void (*work) (void *), void *arg)
{
  catch_signals (NULL);
  if (sigsetjmp (after_signal, 1) == 0)
    work (arg);
  sim_now = NULL;
}
