/* Copies of a program's host code, and what is wrong with them.  */

#include <ctype.h>
#include <string.h>

#include "fibers.h"
#include "memory.h"
#include "program.h"
#define SIM_PROGRAM
#include "runtime.h"

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
  if (! s.b && is_of_device (s.at))
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
