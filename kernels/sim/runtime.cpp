/* Memory as a program's host code has it: cudaMalloc and its like, and what the host may access.  Copies: copies.cpp.  */

#include <ctype.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>
#include <map>

#include "fibers.h"
#include "memory.h"
#include "program.h"
#define SIM_PROGRAM
#include "runtime.h"

enum : u64 { ARENA = (u64) 1 << 40, APART = 16 << 20, DEVICE_BYTES = (u64) 8 << 30, PAGE = 4096 };

static char *arena;
static u64 arena_used = APART, in_use;
static std::vector<buffer *> freed;
static std::map<u64, u64> heap;         /* what the program's own code has on the host: address, bytes */
static u64 variables_from = ~(u64) 0, variables_to;

/* ---- texts ---------------------------------------------------------------------------------- */

std::string argument_text (const char *text, int k)
{
  int depth = 0;
  std::string t;
  for (const char *c = text; *c; c++)
    {
      depth += *c == '(' || *c == '[' || *c == '{';
      depth -= *c == ')' || *c == ']' || *c == '}';
      if (*c == ',' && depth == 0)
        {
          if (k-- == 0)
            break;
        }
      else if (k == 0)
        t += *c;
    }
  const size_t first = t.find_first_not_of (" "), last = t.find_last_not_of (" ");
  return first == std::string::npos ? "" : t.substr (first, last - first + 1);
}

/* "(void **) &d_x" -> "d_x".  */
std::string pointer_name (const std::string &argument)
{
  const size_t and_sign = argument.rfind ('&');
  std::string t = and_sign == std::string::npos ? argument : argument.substr (and_sign + 1);
  while (! t.empty () && (t[0] == ' ' || t[0] == '('))
    t.erase (0, 1);
  while (! t.empty () && (t.back () == ' ' || (t.back () == ')' && t.find ('(') == std::string::npos)))
    t.pop_back ();
  return t.empty () ? "memory of cudaMalloc" : t;
}

std::string bytes_text (u64 bytes) { return std::to_string (bytes) + (bytes == 1 ? " byte" : " bytes"); }

/* ---- which memory an address is ---------------------------------------------------------------- */

bool is_of_device (u64 a) { return a - (u64) arena < ARENA; }

const buffer *buffer_at (u64 a)
{
  for (const buffer *b : buffers)
    if (a - (u64) b->at < b->bytes)
      return b;
  return NULL;
}

const buffer *freed_at (u64 a)
{
  for (const buffer *b : freed)
    if (a - (u64) b->at < std::max<u64> (b->bytes, 1))
      return b;
  return NULL;
}

/* Bytes from a to the end of what the host has there; all: not known.  */
u64 host_room (u64 a)
{
  auto after = heap.upper_bound (a);
  if (after != heap.begin ())
    {
      auto at = std::prev (after);
      if (a - at->first < at->second)
        {
          const u64 usable = malloc_usable_size ((void *) at->first);
          if (usable >= at->second && usable < at->second + 64 + PAGE)
            return at->second - (a - at->first);
        }
    }
  if (program && a - (u64) program->base < program->image_bytes)
    for (const symbol &s : program->objects)
      if (a - (u64) program->base - s.at < s.size)
        return s.size - (a - (u64) program->base - s.at);
  return ~(u64) 0;
}

void lock (const buffer *b, bool open)
{
  if (b->place == OF_DEVICE)
    mprotect (b->at, (b->bytes + PAGE - 1) / PAGE * PAGE, open ? PROT_READ | PROT_WRITE : PROT_NONE);
}
void open_memory (bool open)
{
  for (const buffer *b : buffers)
    lock (b, open);
}

/* ---- what has been written -------------------------------------------------------------------------- */

void set_range (buffer *b, u64 offset, u64 bytes)
{
  if (offset <= b->copied)
    {
      b->copied = std::max (b->copied, offset + bytes);
      return;
    }
  if (b->cells)
    for (u64 i = offset / 4; i <= (offset + bytes - 1) / 4; i++)
      b->cells[i].init = 15;
}
bool is_set (const buffer *b, u64 offset)
{
  return offset < b->copied || ! b->cells || b->cells[offset / 4].init;
}

/* ---- the host's accesses ------------------------------------------------------------------------------ */

static const char *what_it_does (int kind) { return kind == WRITE || kind == VWRITE ? "writes " : "reads "; }

static const running *who_runs (u32 tick)
{
  for (const running &r : unwaited)
    if (tick >= r.from && tick < r.to)
      return &r;
  return NULL;
}

/* Whether a kernel that the host has not waited for has to do with these bytes.  */
static void see_race (const buffer *b, u64 offset, u64 bytes, bool writes, u32 pc)
{
  if (! b->cells)
    return;
  for (u64 i = offset / 4; i <= (offset + bytes - 1) / 4; i++)
    {
      const cell &c = b->cells[i];
      const record *r = c.wmask && who_runs (c.w.tick) ? &c.w : writes && c.rmask1 && who_runs (c.r1.tick) ? &c.r1
        : writes && c.rmask2 && who_runs (c.r2.tick) ? &c.r2 : NULL;
      if (! r)
        continue;
      const running *k = who_runs (r->tick);
      const std::string launched = line_text (k->pc);
      host_fault (RACE, pc, std::string ("the host ") + (writes ? "writes " : "reads ") + address_text (NULL, (u64) b->at + i * 4, 4) + ", which "
                  + k->kernel + ", launched in " + launched + ", " + (r == &c.w ? "writes" : "reads") + " in " + line_text (r->pc) + " and may still do",
                  "cudaDeviceSynchronize () is missing between " + launched + " and " + line_text (pc) + ": a launch does not wait for its kernel");
    }
}

static void arena_access (u64 a, u64 bytes, int kind, u32 pc)
{
  buffer *b = (buffer *) buffer_at (a);
  const bool writes = kind == WRITE || kind == VWRITE;
  const std::string does = std::string ("the host ") + what_it_does (kind);
  const u32 size = bytes <= 16 ? (u32) bytes : 1;
  if (! b)
    {
      const buffer *old = freed_at (a);
      if (old)
        host_fault (OUT_OF_BOUNDS, pc, does + old->name + ", which " + line_text (old->freed_pc) + " has freed");
      host_fault (OUT_OF_BOUNDS, pc, does + address_text (NULL, a, size));
    }
  if (b->place == OF_DEVICE || (b->place == VARIABLE))
    host_fault (DEVICE_ON_HOST, pc, does + address_text (NULL, a, size) + ", which is memory of the GPU",
                b->place == VARIABLE ? "a __device__ or __constant__ variable is reached from the host by cudaMemcpyToSymbol and cudaMemcpyFromSymbol"
                : writes ? "the host sets an array of its own, and cudaMemcpy (..., cudaMemcpyHostToDevice) copies it"
                : "cudaMemcpy (..., cudaMemcpyDeviceToHost) into an array of the host's comes first, and the host reads that");
  const u64 offset = a - (u64) b->at;
  if (offset + bytes > b->bytes)
    host_fault (OUT_OF_BOUNDS, pc, does + bytes_text (bytes) + " from " + address_text (NULL, a, size));
  if (! unwaited.empty ())
    see_race (b, offset, bytes, writes, pc);
  if (writes)
    set_range (b, offset, bytes);
}

static void on_host_access (const void *p, u64 bytes, int kind, const void *code)
{
  const u64 a = (u64) p;
  if (launching || ! bytes)
    return;
  if (is_of_device (a) || (a - variables_from < variables_to - variables_from && buffer_at (a)))
    arena_access (a, bytes, kind, program_pc (code));
}

void host_only (const char *name, const void *code)
{
  if (! sim_now)
    return;
  fault (CRASH, sim_now, pc_of (code), std::string ("calls ") + name + ", which is for the host");
}

/* ---- kernels' accesses to no array ----------------------------------------------------------------------- */

static bool is_hosts_variable (u64 a)
{
  const u64 offset = a - (u64) program->base;
  if (offset - program->data_from >= program->data_bytes)
    return false;
  for (const symbol &s : program->objects)
    if (offset - s.at < s.size)
      return s.name.compare (0, 3, "_ZZ") != 0 || s.name.compare (0, 8, "_ZZ4main") == 0;
  return false;
}

static bool on_no_array (fiber *f, u64 a, u32 size, int kind, u32 pc)
{
  for (const range &r : argument_memory)
    if (a - r.from < r.bytes)
      return true;
  const std::string does = what_it_does (kind);
  F.address = a;
  const buffer *old = freed_at (a);
  if (old)
    fault (OUT_OF_BOUNDS, f, pc, does + old->name + ", which " + line_text (old->freed_pc) + " has freed");
  if (a < 1 << 20)
    fault (OUT_OF_BOUNDS, f, pc, does + "through a null pointer" + (a ? ", " + bytes_text (a) + " beyond it" : ""));
  const bool in_image = a - (u64) program->base < program->image_bytes;
  if (is_of_device (a) || (in_image && ! is_hosts_variable (a)))
    return false;
  std::string name;
  u64 nearest = in_image || heap.empty () ? 1 << 20 : 1 << 30;
  for (const given &g : arguments_given)
    if (a - g.at < nearest)
      {
        nearest = a - g.at;
        name = g.text;
      }
  const bool on_stack = a >= host_stack_now && a < host_stack_end;
  if (! in_image && ! on_stack && host_room (a) == ~(u64) 0 && name.empty ())
    return false;
  fault (HOST_IN_KERNEL, f, pc, does + (name.empty () ? "" : name + "[" + std::to_string (nearest / size) + "], which is ") + "memory of the host");
}

/* ---- allocation ---------------------------------------------------------------------------------------------- */

bool begin_memory (void)
{
  void *p = mmap (NULL, ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  arena = p == MAP_FAILED ? NULL : (char *) p;
  host_accesses = on_host_access;
  no_array = on_no_array;
  return arena != NULL;
}

static cell *cells_for (u64 bytes)
{
  void *p = mmap (NULL, (bytes / 4 + 2) * sizeof (cell), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : (cell *) p;
}

HOOK cudaError_t sim_allocate (const char *text, void **p, size_t bytes, unsigned each, int place)
{
  static const char *const names[] = { "", "cudaMalloc", "cudaMallocManaged", "cudaMallocHost" };
  host_only (names[place], CALLER);
  const u64 room = (bytes + APART) / APART * APART + APART;
  if (! bytes)
    {
      *p = NULL;
      return cudaSuccess;
    }
  if (bytes > DEVICE_BYTES || in_use + bytes > DEVICE_BYTES || arena_used + room > ARENA)
    {
      program_note (std::string (names[place]) + " in " + line_text (program_pc (CALLER)) + " failed: " + bytes_text (bytes) + " are more than the "
                    + std::to_string (DEVICE_BYTES - in_use) + " that this device has left");
      return (cudaError_t) set_error (cudaErrorMemoryAllocation);
    }
  buffer *b = new buffer ();
  b->name = pointer_name (argument_text (text, 0));
  b->type = T_U8;
  b->at = arena + arena_used;
  b->bytes = bytes;
  b->place = place == SIM_DEVICE_MEMORY ? OF_DEVICE : place == SIM_MANAGED ? MANAGED : PINNED;
  b->each = each;
  b->made_pc = program_pc (CALLER);
  b->cells = cells_for (bytes);
  if (! b->cells)
    return (cudaError_t) set_error (cudaErrorMemoryAllocation);
  mprotect (b->at, (bytes + PAGE - 1) / PAGE * PAGE, b->place == OF_DEVICE ? PROT_NONE : PROT_READ | PROT_WRITE);
  arena_used += room;
  in_use += bytes;
  buffers.insert (buffers.begin (), b);
  *p = b->at;
  return cudaSuccess;
}

static void release (buffer *b, u32 pc)
{
  buffers.erase (std::find (buffers.begin (), buffers.end (), b));
  mmap (b->at, (b->bytes + PAGE - 1) / PAGE * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  munmap (b->cells, (b->bytes / 4 + 2) * sizeof (cell));
  b->cells = NULL;
  b->freed_pc = pc;
  in_use -= b->bytes;
  freed.push_back (b);
}

static std::string giver_of (const buffer *b)
{
  return b->place == MANAGED ? "cudaMallocManaged" : b->place == PINNED ? "cudaMallocHost" : "cudaMalloc";
}

/* What cannot be freed in this way ends the program.  */
static void see_free (const char *call, const char *text, u64 a, u32 pc)
{
  const std::string name = argument_text (text, 0).empty () ? "a pointer" : argument_text (text, 0);
  const buffer *b = buffer_at (a), *old = freed_at (a);
  if (old)
    host_fault (WRONG_FREE, pc, std::string (call) + " frees " + old->name + " again, which " + line_text (old->freed_pc) + " has freed");
  if (! b)
    host_fault (WRONG_FREE, pc, std::string (call) + " frees " + name + ", which is " + (is_of_device (a) ? "nothing that was allocated" : "memory of the host"),
                heap.count (a) ? "what malloc gave is for free, and what new gave for delete" : "");
  if (b->place == VARIABLE || (b->place == MANAGED && ! is_of_device (a)))
    host_fault (WRONG_FREE, pc, std::string (call) + " frees " + b->name + ", which is a variable");
  if (a != (u64) b->at)
    host_fault (WRONG_FREE, pc, std::string (call) + " frees an address " + bytes_text (a - (u64) b->at) + " within " + b->name,
                "only what " + giver_of (b) + " gave can be freed");
  const bool right = ! strcmp (call, "cudaFree") ? b->place != PINNED : ! strcmp (call, "cudaFreeHost") && b->place == PINNED;
  if (! right)
    host_fault (WRONG_FREE, pc, std::string (call) + " frees " + b->name + ", which " + giver_of (b) + " in " + line_text (b->made_pc) + " gave",
                std::string ("what ") + giver_of (b) + " gave is for " + (b->place == PINNED ? "cudaFreeHost" : "cudaFree"));
}

HOOK cudaError_t sim_free_of (const char *text, void *p, int place)
{
  const char *call = place == SIM_PINNED ? "cudaFreeHost" : "cudaFree";
  if (! p || sim_now)           /* a thread's copy of an argument may have a destructor, which no GPU calls */
    return cudaSuccess;
  wait_for (NULL);
  see_free (call, text, (u64) p, program_pc (CALLER));
  release ((buffer *) buffer_at ((u64) p), program_pc (CALLER));
  return cudaSuccess;
}

void forget_memory (void)
{
  for (size_t i = buffers.size (); i-- > 0; )
    if (buffers[i]->place != VARIABLE && buffers[i]->at >= arena && (u64) (buffers[i]->at - arena) < ARENA)
      release (buffers[i], 0);
}

void list_unfreed (void)
{
  u64 bytes = 0;
  std::string names;
  int count = 0;
  for (size_t i = buffers.size (); i-- > 0; )
    if (buffers[i]->made_pc)
      {
        bytes += buffers[i]->bytes;
        if (++count <= 4)
          names += (count > 1 ? ", " : "") + buffers[i]->name + " (" + line_text (buffers[i]->made_pc) + ")";
      }
  if (count)
    program_note (names + (count > 4 ? " and " + std::to_string (count - 4) + " more" : "") + (count > 1 ? " were" : " was") + " never freed: "
                  + bytes_text (bytes));
}

/* ---- the host's own heap ----------------------------------------------------------------------------------------- */

void *host_allocated (void *p, size_t bytes)
{
  if (program && p)
    heap[(u64) p] = bytes;
  return p;
}
void host_frees (void *p, const void *code)
{
  if (program && p && is_of_device ((u64) p))
    see_free ("free", "", (u64) p, program_pc (code));
  heap.erase ((u64) p);
}

/* ---- what the program asks ---------------------------------------------------------------------------------------------- */

HOOK cudaError_t cudaPointerGetAttributes (cudaPointerAttributes *a, const void *p)
{
  const buffer *b = buffer_at ((u64) p);
  *a = { ! b ? cudaMemoryTypeUnregistered : b->place == MANAGED ? cudaMemoryTypeManaged : b->place == PINNED ? cudaMemoryTypeHost : cudaMemoryTypeDevice,
         0, b ? (void *) p : NULL, b && b->place == OF_DEVICE ? NULL : (void *) p };
  return cudaSuccess;
}
HOOK cudaError_t cudaMemGetInfo (size_t *left, size_t *all)
{
  *left = DEVICE_BYTES - in_use;
  *all = DEVICE_BYTES;
  return cudaSuccess;
}

/* ---- variables and causes ---------------------------------------------------------------------------------------------- */

void find_variables (const std::unordered_map<std::string, char> &names)
{
  for (const symbol &s : program->objects)
    {
      const std::string name = variable_name (s.name);
      auto found = names.find (name);
      if (found == names.end () || found->second == 'g' || ! s.size)
        continue;
      buffer *b = new buffer ();
      b->name = name;
      b->type = T_U8;
      b->at = program->base + s.at;
      b->bytes = b->copied = s.size;
      b->read_only = found->second == 'c';
      b->place = found->second == 'm' ? MANAGED : VARIABLE;
      b->cells = b->read_only ? NULL : cells_for (s.size);
      buffers.push_back (b);
      variables_from = std::min (variables_from, (u64) b->at);
      variables_to = std::max (variables_to, (u64) b->at + s.size);
    }
}

std::string cause_on_host (void)
{
  if (F.kind == DEADLOCK && F.what.find ("not cooperative") != std::string::npos)
    return "<<<...>>> launches no kernel that waits for the whole grid: cudaLaunchCooperativeKernel does";
  if (F.kind == OUT_OF_BOUNDS && F.what.find ("dynamic shared memory") != std::string::npos)
    return "the launch gives " + bytes_text (program_launches.back ().shared) + " of dynamic shared memory: the third value in <<<...>>>, in bytes";
  const buffer *b = buffer_at (F.address);
  for (const buffer *o : buffers)       /* a little outside of one */
    if (! b && o->made_pc && F.address - (u64) o->at < o->bytes + APART)
      b = o;
  if (F.kind == HOST_IN_KERNEL)
    return "a kernel reaches memory of cudaMalloc or cudaMallocManaged only: allocate it there, copy to it, and pass that pointer to the kernel";
  if (b && b->place == VARIABLE && b->read_only)
    return "a __constant__ variable is set by the host (cudaMemcpyToSymbol), not by kernels";
  if (! b || ! b->made_pc)
    return F.what.find ("a null pointer") != std::string::npos ? "a pointer that was never set, or an allocation of 0 bytes or one that failed: look at what cudaMalloc returns" : "";
  const std::string made = b->name + ", allocated in " + line_text (b->made_pc);
  if (F.kind == UNINITIALISED)
    return b->copied ? "only the first " + bytes_text (b->copied) + " of " + made + ", are set" + (b->copied_pc ? ", by " + line_text (b->copied_pc) : "") + ": it has " + bytes_text (b->bytes)
      : "memory of cudaMalloc holds nothing at first: nothing was copied to " + made + " (cudaMemcpy, cudaMemset), and no kernel has written there";
  if (F.kind == OUT_OF_BOUNDS)
    return made + ", has " + bytes_text (b->bytes) + (b->each > 1 ? ", which are " + std::to_string (b->bytes / b->each) + " elements of " + std::to_string (b->each) : "")
      + ": too few (sizeof?), or the index goes too far (if (i < n)?)";
  return "";
}
