/* Passes through the banks, sectors, waits and turns of atomics.  */

#include <string.h>

#include <algorithm>

#include "costs.h"
#include "memory.h"

/* Distinct 4-byte words in the fullest bank, for lanes from to to.  */
static u64 bank_passes (const event **e, int from, int to)
{
  u64 words[WARP * 4];
  uint8_t per_bank[32], most = 0;
  int count = 0;

  for (int i = from; i < to; i++)
    for (u64 word = e[i]->address / 4; word <= (e[i]->address + e[i]->size - 1) / 4; word++)
      words[count++] = word;
  if (count == 0)
    return 0;
  bool rising = true;
  for (int i = 1; i < count && rising; i++)
    rising = words[i] == words[i - 1] + 1;
  if (rising && count <= 32)
    return 1;
  std::sort (words, words + count);
  memset (per_bank, 0, sizeof per_bank);
  for (int i = 0; i < count; i++)
    if (i == 0 || words[i] != words[i - 1])
      most = std::max<uint8_t> (most, ++per_bank[words[i] % 32]);
  return most;
}

/* Sectors of 32 bytes of global memory.  */
static void count_sectors (counts *c, bool written, u64 touched, u64 bytes)
{
  c->sectors += touched;
  c->sectors_needed += (bytes + 31) / 32;
  c->sectors_written += written ? touched : 0;
}

static buffer *touched_last;

/* The heap of kernels comes with the first thread that asks for some of it.  */
static void follow_touches (buffer *m) { m->touched.assign (m->bytes / 32 / 64 + 2, 0); }

void forget_touches (void)
{
  touched_last = NULL;          /* the host may have freed it */
  for (buffer *m : buffers)
    follow_touches (m);
}

/* Of the sectors from one to another those that nobody in this launch has touched before.  */
static u64 first_touches (u64 from, u64 to)
{
  buffer *&m = touched_last;
  u64 found = 0;
  if (! m || from * 32 - (u64) m->at >= m->bytes)
    {
      m = NULL;
      for (buffer *b : buffers)
        if (from * 32 + 31 - (u64) b->at < b->bytes + 31)
          m = b;
      if (! m)
        return 0;
      if (m->touched.empty ())
        follow_touches (m);
    }
  const u64 last = std::min<u64> (to - (u64) m->at / 32, m->touched.size () * 64 - 1);
  for (u64 at = from - (u64) m->at / 32; at <= last; at = (at | 63) + 1)
    {
      const u64 bits = ~(u64) 0 << at % 64 & ~(u64) 0 >> (63 - std::min (last - at / 64 * 64, (u64) 63));
      u64 *word = &m->touched[at / 64];
      found += (u64) __builtin_popcountll (bits & ~*word);
      *word |= bits;
    }
  return found;
}

/* nvcc unrolls loops: so many loads of a warp are on their way together, unless a write comes between.  They wait
   for memory where one of them touches a sector first, else for a cache.  */
enum { LOADS_IN_FLIGHT = 4 };
static void count_wait (warp *in, bool written, u64 first)
{
  work *w = &in->w;
  (written ? w->writes : w->reads)++;
  if (written)
    {
      in->in_flight = 0;
      return;
    }
  if (in->in_flight == 0)
    {
      w->hits++;
      in->missed = false;
    }
  if (first && ! in->missed)
    {
      w->hits--;
      w->waits++;
      in->missed = true;
    }
  in->in_flight = (in->in_flight + 1) % LOADS_IN_FLIGHT;
}

/* Turns that the lanes' atomics take: of shared memory as many as there are in the fullest bank; of global
   memory, whose cache changes a sector at a time, in each sector as many as there are on one address.  */
static u64 atomic_passes (const event **e, int n, bool shared)
{
  u64 at[WARP], passes = 0, most = 0, same = 0;
  for (int i = 0; i < n; i++)
    at[i] = shared ? e[i]->address / 4 % 32 : e[i]->address;
  std::sort (at, at + n);
  for (int i = 0; i < n; i++)
    {
      same = i && at[i] == at[i - 1] ? same + 1 : 1;
      if (! shared && i && at[i] / 32 != at[i - 1] / 32)
        {
          passes += most;
          most = 0;
        }
      most = std::max (most, same);
    }
  return passes + most;
}

/* The lanes' accesses by one instruction at one time.  */
void count_group (counts *c, warp *in, const event **e, const int *lanes, int n)
{
  const event &one = *e[0];
  work *w = &in->w;
  w->accesses++;
  w->lanes += n;
  if (one.kind == SHUFFLE)
    {
      c->shuffles += n;
      w->shuffles++;
      return;
    }
  if (one.kind == ATOMIC)
    {
      u64 at[WARP], most = 1, same = 1;
      for (int i = 0; i < n; i++)
        at[i] = e[i]->address;
      std::sort (at, at + n);
      for (int i = 1; i < n; i++)
        most = std::max (most, same = at[i] == at[i - 1] ? same + 1 : 1);
      c->atomics += n;
      c->contention = std::max (c->contention, most);
      w->atomics++;
      in->in_flight = 0;
      const bool shared = one.space != GLOBAL;
      (shared ? c->shared_atomics : c->global_atomics) += n;
      (shared ? c->shared_atomic_passes : c->global_atomic_passes) += atomic_passes (e, n, shared);
      return;
    }
  if (one.space != GLOBAL)
    {
      (one.kind == READ || one.kind == VREAD ? c->shared_reads : c->shared_writes) += n;
      /* 8 bytes go in halves of the warp, 16 in quarters.  */
      int part = one.size <= 4 ? 32 : one.size == 8 ? 16 : 8;
      for (int first = 0, i = 0; i < n; i = first)
        {
          while (first < n && lanes[first] / part == lanes[i] / part)
            first++;
          u64 passes = bank_passes (e, i, first);
          w->shared++;
          c->bank_conflicts += passes - 1;
          c->worst_way = std::max (c->worst_way, passes);
        }
      return;
    }
  const bool written = one.kind == WRITE || one.kind == VWRITE;
  u64 at[2 * WARP], bytes = 0;
  int count = 0;
  bool rising = true;
  for (int i = 1; i < n && rising; i++)
    rising = e[i]->address == e[i - 1]->address + one.size && e[i]->size == one.size;
  if (rising)
    {
      bytes = (u64) n * one.size;
      const u64 last = (one.address + bytes - 1) / 32, first = first_touches (one.address / 32, last);
      count_sectors (c, written, last - one.address / 32 + 1, bytes);
      c->sectors_first += written ? 0 : first;
      w->lines += last / 4 - one.address / 128 + 1;
      count_wait (in, written, first);
      return;
    }
  u64 starts[WARP];
  for (int i = 0; i < n; i++)
    {
      starts[i] = e[i]->address;
      at[count++] = e[i]->address / 32;
      u64 last = (e[i]->address + e[i]->size - 1) / 32;
      if (last != at[count - 1])
        at[count++] = last;
    }
  std::sort (starts, starts + n);
  std::sort (at, at + count);
  bytes = one.size * (u64) (std::unique (starts, starts + n) - starts);
  count = (int) (std::unique (at, at + count) - at);
  count_sectors (c, written, (u64) count, bytes);
  u64 first = 0;
  for (int i = 0; i < count; i++)
    {
      first += first_touches (at[i], at[i]);
      w->lines += i == 0 || at[i] / 4 != at[i - 1] / 4;
    }
  c->sectors_first += written ? 0 : first;
  count_wait (in, written, first);
}
