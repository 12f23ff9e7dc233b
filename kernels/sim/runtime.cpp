/* Memory as a program's host code has it: cudaMalloc and its like, copies, and what the host may access.  */

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
static std::string pointer_name (const std::string &argument)
{
  const size_t and_sign = argument.rfind ('&');
  std::string t = and_sign == std::string::npos ? argument : argument.substr (and_sign + 1);
  while (! t.empty () && (t[0] == ' ' || t[0] == '('))
    t.erase (0, 1);
  while (! t.empty () && (t.back () == ' ' || (t.back () == ')' && t.find ('(') == std::string::npos)))
    t.pop_back ();
  return t.empty () ? "memory of cudaMalloc" : t;
}

static std::string bytes_text (u64 bytes) { return std::to_string (bytes) + (bytes == 1 ? " byte" : " bytes"); }

/* ---- which memory an address is ---------------------------------------------------------------- */

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
static u64 host_room (u64 a)
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

static void lock (const buffer *b, bool open)
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

static void set_range (buffer *b, u64 offset, u64 bytes)
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
static bool is_set (const buffer *b, u64 offset)
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
  if (a - (u64) arena < ARENA || (a - variables_from < variables_to - variables_from && buffer_at (a)))
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
  if (a - (u64) arena < ARENA || (in_image && ! is_hosts_variable (a)))
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
    host_fault (WRONG_FREE, pc, std::string (call) + " frees " + name + ", which is " + (a - (u64) arena < ARENA ? "nothing that was allocated" : "memory of the host"),
                heap.count (a) ? "what malloc gave is for free, and what new gave for delete" : "");
  if (b->place == VARIABLE || (b->place == MANAGED && a - (u64) arena >= ARENA))
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
  if (program && p && (u64) p - (u64) arena < ARENA)
    see_free ("free", "", (u64) p, program_pc (code));
  heap.erase ((u64) p);
}

/* ---- copies --------------------------------------------------------------------------------------------------------- */

struct side { u64 at; buffer *b; bool host, device; std::string name; };

/* Whether an expression begins with the name.  */
static bool is_named (const std::string &text, const std::string &name)
{
  const size_t n = name.size ();
  return text.compare (0, n, name) == 0 && (text.size () == n || ! (isalnum ((unsigned char) text[n]) || text[n] == '_'));
}

/* verb and link: "copies", "to".  */
static side side_of (const char *call, const char *verb, const char *link, const std::string &name, const void *p, u64 bytes, u32 pc)
{
  side s = { (u64) p, (buffer *) buffer_at ((u64) p), true, false, name };
  const std::string does = std::string (call) + " " + verb + " " + bytes_text (bytes) + " " + link + " ";
  const buffer *old = freed_at (s.at);
  if (! p)
    host_fault (WRONG_COPY, pc, does + name + ", a null pointer");
  if (! s.b && old)
    host_fault (WRONG_COPY, pc, does + old->name + ", which " + line_text (old->freed_pc) + " has freed");
  if (! s.b && s.at - (u64) arena < ARENA)
    host_fault (WRONG_COPY, pc, does + name + ", which is beyond what was allocated: " + address_text (NULL, s.at, 1));
  if (s.b && s.b->place == VARIABLE && ! strstr (call, "Symbol") && is_named (s.name, s.b->name))
    host_fault (WRONG_COPY, pc, does + s.b->name + ", a __device__ or __constant__ variable, which has no address on the host",
                "cudaMemcpyToSymbol and cudaMemcpyFromSymbol take such a variable by its name (cudaGetSymbolAddress gives its address)");
  s.host = ! s.b || s.b->place == MANAGED || s.b->place == PINNED;
  s.device = s.b;
  const u64 room = s.b ? s.b->bytes - (s.at - (u64) s.b->at) : host_room (s.at);
  if (bytes > room)
    {
      const u32 each = s.b ? s.b->each : 0;
      std::string cause = "the number of bytes is wrong: it is the elements' number times their size";
      if (s.b && s.b->made_pc && each > 1 && room * each == bytes)
        cause = "sizeof is missing in " + line_text (s.b->made_pc) + ", where " + s.b->name + " was allocated";
      host_fault (WRONG_COPY, pc, does + name + ", where there " + (room == 1 ? "is 1" : "are " + std::to_string (room)), cause);
    }
  return s;
}

static void see_direction (const char *call, const side &to, const side &from, int kind, u32 pc)
{
  static const char *const kinds[] = { "cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice" };
  if (kind < 0 || kind >= cudaMemcpyDefault)
    return;
  const bool to_device = kind & 1, from_device = kind & 2;
  const bool to_right = to_device ? to.device : to.host, from_right = from_device ? from.device : from.host;
  if (to_right && from_right)
    return;
  const side &wrong = to_right ? from : to;
  const bool wants_device = to_right ? from_device : to_device;
  std::string cause;
  const int meant = (to.b && to.b->place != PINNED ? 1 : 0) | (from.b && from.b->place != PINNED ? 2 : 0);
  if (meant != kind)
    cause = std::string (kinds[meant]) + " is meant" + (meant ? "" : ", or one of the two should be memory of cudaMalloc");
  if (kind != meant && (kind ^ meant) == 3 && meant)
    cause = std::string (kinds[meant]) + " is meant, or the two pointers are in the wrong order: what is copied to stands first";
  host_fault (WRONG_COPY, pc, std::string (call) + " with " + kinds[kind] + (&wrong == &to ? " copies to " : " copies from ") + wrong.name
              + ", which is memory of the " + (wants_device ? "host" : "GPU"), cause);
}

static void carry_initialised (buffer *to, u64 to_offset, const buffer *from, u64 from_offset, u64 bytes)
{
  if (from_offset + bytes <= from->copied || ! from->cells)
    set_range (to, to_offset, bytes);
  else
    for (u64 i = 0; i < bytes; i += 4)
      if (is_set (from, from_offset + i))
        to->cells[(to_offset + i) / 4].init = 15;
}

static void see_unset (const side &from, u64 bytes, u32 pc)
{
  const u64 offset = from.at - (u64) from.b->at;
  for (u64 i = offset; i < offset + bytes; i += 4)
    if (is_set (from.b, i))
      return;
  program_note (line_text (pc) + " copies " + from.b->name + ", to which nothing has been written");
}

static void copy_bytes (const side &to, const side &from, u64 bytes, u32 pc)
{
  if (from.b)
    lock (from.b, true);
  if (to.b)
    lock (to.b, true);
  memmove ((void *) to.at, (const void *) from.at, bytes);
  if (from.b)
    lock (from.b, false);
  if (to.b)
    {
      lock (to.b, false);
      if (from.b && from.b->place == OF_DEVICE)
        carry_initialised (to.b, to.at - (u64) to.b->at, from.b, from.at - (u64) from.b->at, bytes);
      else
        set_range (to.b, to.at - (u64) to.b->at, bytes);
      to.b->copied_pc = pc;
    }
}

static cudaError_t copy (const char *call, const char *text, void *to, u64 to_pitch, const void *from, u64 from_pitch, u64 bytes, u64 rows, int kind,
                         stream in, bool waits, const void *code)
{
  const u32 pc = program_pc (code);
  const bool to_symbol = ! strcmp (call, "cudaMemcpyToSymbol");
  host_only (call, code);
  if (! bytes || ! rows)
    return cudaSuccess;
  if (bytes > to_pitch || bytes > from_pitch)
    return (cudaError_t) set_error (cudaErrorInvalidPitchValue);
  const side t = side_of (call, "copies", "to", pointer_name (argument_text (text, 0)), to, to_pitch * (rows - 1) + bytes, pc);
  const side f = side_of (call, "copies", "from", pointer_name (argument_text (text, rows > 1 && ! to_symbol ? 2 : 1)), from, from_pitch * (rows - 1) + bytes, pc);
  see_direction (call, t, f, kind, pc);
  if (waits)
    wait_for (in);
  if (f.b && f.b->place == OF_DEVICE && ! (t.b && t.b->place == OF_DEVICE))
    see_unset (f, bytes, pc);
  for (u64 row = 0; row < rows; row++)
    copy_bytes ({ t.at + row * to_pitch, t.b, t.host, t.device, "" }, { f.at + row * from_pitch, f.b, f.host, f.device, "" }, bytes, pc);
  return cudaSuccess;
}

HOOK cudaError_t sim_copy (const char *name, const char *text, void *to, const void *from, size_t bytes, int kind, cudaStream_t stream, bool waits)
{
  return copy (name, text, to, bytes, from, bytes, bytes, 1, kind, stream, waits, CALLER);
}
HOOK cudaError_t sim_copy_rows (const char *name, const char *text, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows, int kind)
{
  return copy (name, text, to, to_pitch, from, from_pitch, width, rows, kind, NULL, true, CALLER);
}

HOOK cudaError_t sim_fill (const char *text, void *p, int value, size_t bytes)
{
  const u32 pc = program_pc (CALLER);
  host_only ("cudaMemset", CALLER);
  if (! bytes)
    return cudaSuccess;
  const side s = side_of ("cudaMemset", "fills", "of", pointer_name (argument_text (text, 0)), p, bytes, pc);
  if (! s.b)
    host_fault (WRONG_COPY, pc, "cudaMemset fills " + s.name + ", which is memory of the host", "memset is for the host's memory");
  lock (s.b, true);
  memset (p, value, bytes);
  lock (s.b, false);
  set_range (s.b, s.at - (u64) s.b->at, bytes);
  s.b->copied_pc = pc;
  return cudaSuccess;
}

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
