#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>

#include "blocks.h"
#include "fibers.h"
#include "position.h"

/* The run's limit of memory (main.cpp) is not for these, of which little is ever touched.  */
static void *reserve (u64 bytes)
{
  struct rlimit most;
  if (getrlimit (RLIMIT_DATA, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
    {
      most.rlim_cur = std::min<rlim_t> (most.rlim_cur + bytes, most.rlim_max);
      setrlimit (RLIMIT_DATA, &most);
    }
  void *p = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* Memory of as many blocks as are resident, kept from launch to launch; blocks take it one after
   the other.  */
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

bool take_seats (u32 count)
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

void begin_block (block *b, u32 seat, u32 index)
{
  u32 warps = (L.threads + WARP - 1) / WARP;
  b->index = index;
  b->live = true;
  b->tick = L.tick;
  b->known.clear ();
  b->step = 0;
  b->detail = want_steps && index < DETAIL_BLOCKS;
  b->flushed_warps = 0;
  b->c = counts ();
  b->dynamic = S.dynamic + (u64) seat * WINDOW;
  b->dynamic_image = NULL;
  if (L.module->has_extern && L.module->dynamic_at)
    {
      /* The code knows one address only.  */
      b->dynamic_image = b->dynamic;
      b->dynamic = L.module->tls + L.module->dynamic_at;
    }
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
      f->yielded = f->accessed = f->old = f->extended = false;
      f->looked = 0;
      f->loose = 0;
      f->path = 0;
      f->last_pc = 0;
      f->event_count = 0;
      f->basic_blocks.clear ();
      f->blocks_run = 0;
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
      w->w = work ();
      w->in_flight = 0;
      free (w->known);
      w->known = NULL;
      for (int lane = 0; lane < w->count; lane++)
        w->lanes[lane] = &b->fibers[i * WARP + lane];
    }
}

void load_block (block *b)
{
  L.now = b;
  blockIdx.x = b->index;
  if (L.grid_y * L.grid_z > 1)
    blockIdx = { b->index % gridDim.x, b->index / gridDim.x % L.grid_y, b->index / gridDim.x / L.grid_y };
  if (b->dynamic_image)
    memcpy (b->dynamic, b->dynamic_image, L.shared);
  if (L.touched_to > L.touched_from)
    memcpy (L.module->tls + L.touched_from, b->static_image + L.touched_from, L.touched_to - L.touched_from);
}

void store_block (block *b)
{
  if (b->dynamic_image)
    memcpy (b->dynamic_image, b->dynamic, L.shared);
  if (L.touched_to > L.touched_from)
    memcpy (b->static_image + L.touched_from, L.module->tls + L.touched_from, L.touched_to - L.touched_from);
  L.now = NULL;
}
