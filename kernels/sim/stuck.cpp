#include "barriers.h"
#include "fibers.h"
#include "stuck.h"

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

u32 where_it_is (const fiber *f)
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

bool same_location (const fiber *a, const fiber *b)
{
  if (a->wait_pc == b->wait_pc)
    return true;
  find_locations (L.module, { a->wait_pc, b->wait_pc });
  const source_location &p = location_of (L.module, a->wait_pc), &q = location_of (L.module, b->wait_pc);
  return p.line > 0 && p.line == q.line && p.file == q.file;
}

void diagnose (block *b)
{
  for (int shuffles = 1; shuffles >= 0; shuffles--)
    for (fiber &f : b->fibers)
      if (f.state == AT_WARP && (f.op != OP_SYNC) == shuffles)
        for (int i = 0; i < f.w->count; i++)
          {
            const fiber *o = f.w->lanes[i];
            if (! (f.mask >> i & 1) || (o->state == DONE && f.op == OP_SYNC) || meets (&f, o))
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
    if (f.state != waits->state || (f.state == AT_BARRIER && ! same_location (&f, waits)))
      {
        set_fault (BARRIER_DIVERGENCE, waits, waits->wait_pc, what_it_does (waits));
        set_other (&f, where_it_is (&f), what_it_does (&f));
        return;
      }
}

void deadlock (const std::vector<block *> &seated, const char *what)
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
