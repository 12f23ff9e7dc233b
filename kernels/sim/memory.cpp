#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "memory.h"

/* Arrays lie far apart, so that a wrong index still tells which is meant.  */
buffer *buffer_make (const char *name, value_type type, u64 count, bool read_only, bool initialised, int fd, int64_t at)
{
  const u64 apart = (u64) 1 << 30;
  buffer *b = new buffer ();
  b->name = name;
  b->type = type;
  b->bytes = count * (u64) value_bytes (type);
  b->read_only = read_only;
  char *p = (char *) mmap (NULL, b->bytes + 2 * apart, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    return NULL;
  b->at = p + apart;
  void *q = fd >= 0 ? mmap (b->at, b->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, at)
    : mmap (b->at, b->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (q == MAP_FAILED)
    return NULL;
  if (! read_only)
    {
      b->cells = (cell *) mmap (NULL, (b->bytes / 4 + 2) * sizeof (cell), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (b->cells == MAP_FAILED)
        return NULL;
      if (initialised)
        buffer_initialise (b);
    }
  buffers.insert (buffers.begin (), b);
  return b;
}

void buffer_initialise (buffer *b)
{
  for (u64 i = 0; i <= b->bytes / 4; i++)
    b->cells[i].init = 15;
}

/* ---- the device's heap ---------------------------------------------------------------- */

/* What threads malloc is one array, which only grows.  Between two pieces lies one that nothing may
   read; what is freed is not followed.  */
HOOK void *sim_malloc (size_t bytes)
{
  enum { HEAP = 8 << 20, APART = 32 };          /* as many bytes as a GPU has if nothing is said */
  static buffer *heap;
  static u64 used;
  if (! sim_now)
    return host_allocated (malloc (bytes), bytes);
  fiber *f = sim_now;
  sim_now = NULL;
  if (! heap)
    heap = buffer_make ("heap", T_U8, HEAP, false, false);
  void *p = NULL;
  const u64 room = (bytes + APART + 15) / 16 * 16;
  if (heap && bytes < HEAP && used + room <= HEAP)
    {
      p = heap->at + used;
      used += room;
    }
  sim_now = f;
  return p;
}
HOOK void sim_free (void *p)
{
  if (sim_now)
    return;
  host_frees (p, CALLER);
  free (p);
}
HOOK void *sim_calloc (size_t count, size_t bytes)
{
  return sim_now ? NULL : host_allocated (calloc (count, bytes), count * bytes);
}
HOOK void *sim_realloc (void *p, size_t bytes)
{
  if (sim_now)
    return NULL;
  host_frees (p, CALLER);
  return host_allocated (realloc (p, bytes), bytes);
}

/* ---- names of addresses ----------------------------------------------------------------- */

std::string address_text (block *b, u64 a, u32 size, std::string *array, int64_t *index, value_type *type)
{
  int64_t i = 0;
  std::string name, text;
  char number[64];
  value_type each_type = L.type;

  if (b && a + 4096 - (u64) b->dynamic < L.window + 4096)
    {
      int64_t offset = (int64_t) (a - (u64) b->dynamic), each = no_array ? size : value_bytes (L.type);
      name = "dynamic shared memory";
      i = offset >= 0 ? offset / each : - ((- offset + each - 1) / each);
      text = name + (offset < 0 ? " - " : " + ") + std::to_string (offset < 0 ? - offset : offset) + " bytes (index " + std::to_string (i) + " of " + std::to_string ((int64_t) L.shared / each) + ")";
    }
  else if (L.module && a - (u64) L.module->tls < L.module->tls_bytes + 4096)
    {
      u64 offset = a - (u64) L.module->tls;
      const symbol *in = NULL;
      for (const symbol &s : L.statics)
        if (s.at <= offset)
          in = &s;
      name = in ? variable_name (in->name) : "shared memory";
      i = in ? (int64_t) ((offset - in->at) / size) : 0;
      text = ! in ? name : in->size <= size && i == 0 ? name : name + "[" + std::to_string (i) + "] of " + std::to_string (in->size / size);
    }
  else
    {
      /* The next array below, or above where it is nearer by far.  */
      const buffer *best = NULL;
      u64 nearest = ~(u64) 0;
      for (const buffer *m : buffers)
        {
          u64 far = a >= (u64) m->at ? a - (u64) m->at < m->bytes ? 0 : a - (u64) m->at - m->bytes + 1 : (u64) m->at - a;
          if (far < nearest)
            {
              nearest = far;
              best = m;
            }
        }
      if (best && nearest < (u64) 1 << 31)
        {
          int64_t each = best->each ? best->each : best->place ? size : value_bytes (best->type), offset = (int64_t) (a - (u64) best->at);
          name = best->name;
          each_type = best->type;
          i = offset >= 0 ? offset / each : - ((- offset + each - 1) / each);
          text = best->bytes == (u64) each && i == 0 ? "*" + name : name + "[" + std::to_string (i) + "] of " + std::to_string (best->bytes / each);
        }
      else if (L.module && a - (u64) L.module->base < L.module->image_bytes)
        {
          u64 offset = a - (u64) L.module->base;
          for (const symbol &s : L.module->objects)
            if (offset - s.at < s.size)
              {
                name = variable_name (s.name);
                i = (int64_t) ((offset - s.at) / size);
                text = name + "[" + std::to_string (i) + "]";
              }
          if (name.empty ())
            text = name = "the program's own memory";
        }
      else if (b && a - (u64) b->fibers[0].stack < b->fibers.size () * (u64) STACK)
        {
          u64 t = (a - (u64) b->fibers[0].stack) / STACK;
          name = "a local variable";
          text = name + " of thread " + std::to_string (t);
        }
      else
        {
          snprintf (number, sizeof number, "address 0x%llx, where no array is", (unsigned long long) a);
          name = "nowhere";
          text = number;
        }
    }
  if (array)
    *array = name;
  if (index)
    *index = i;
  if (type)
    *type = each_type;
  return text;
}
