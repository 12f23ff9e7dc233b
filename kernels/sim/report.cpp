/* The report (README.md) and a fault's message.  */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>

#include "report.h"
#include "state.h"

/* ---- faults ---------------------------------------------------------------------------- */

static std::string where (const launch_report &l, u32 pc)
{
  const source_location &p = location_of (l.module, pc);
  return p.line ? base_name (p.file) + ":" + std::to_string (p.line) : "?";
}

/* x,y,z of a thread in the last launch.  */
static std::string place (u32 thread)
{
  const launch_report &l = launches.back ();
  const u32 x = l.threads / (l.block_y * l.block_z);
  return std::to_string (thread % x) + "," + std::to_string (thread / x % l.block_y) + "," + std::to_string (thread / x / l.block_y);
}

static std::string block_place (u32 b)
{
  const launch_report &l = launches.back ();
  const u32 x = l.grid / (l.grid_y * l.grid_z);
  return std::to_string (b % x) + "," + std::to_string (b / x % l.grid_y) + "," + std::to_string (b / x / l.grid_y);
}

std::string thread_text (u32 thread, u32 b)
{
  return "thread (" + place (thread) + ") of block (" + block_place (b) + ")";
}

std::string fault_message (const std::string &variant)
{
  const launch_report &l = launches.back ();
  std::string s = std::string (fault_names[F.kind]) + " in " + (l.kernel == variant || F.kind == WRONG_RESULT ? variant : variant + " (" + l.kernel + ")");
  std::vector<u32> pcs = { F.pc };
  if (F.has_other)
    pcs.push_back (F.other_pc);
  for (const waiting &w : F.waiters)
    pcs.push_back (w.pc);
  find_locations (l.module, pcs);
  const std::string end = (F.cause.empty () ? "" : ". Likely cause: " + F.cause) + F.launched;
  if (! F.somewhere)
    return s + ": " + F.what + end;
  s += " at " + where (l, F.pc) + ": " + thread_text (F.thread, F.block) + " " + F.what;
  if (F.has_other)
    s += "; " + thread_text (F.other_thread, F.other_block) + " " + F.other_what + " (" + where (l, F.other_pc) + ")";
  for (size_t i = 0; i < F.waiters.size (); i++)
    {
      const waiting &w = F.waiters[i];
      s += (i ? ", " : "; waiting: ") + thread_text (w.thread, w.block) + (w.count > 1 ? " and " + std::to_string (w.count - 1) + " more" : "")
        + " " + w.how + " (" + where (l, w.pc) + ")";
    }
  return s + end;
}

void write_fault (FILE *f, const std::string &variant)
{
  const launch_report &l = launches.back ();
  std::string message = fault_message (variant);
  const source_location &p = location_of (l.module, F.pc);
  fprintf (f, "{\"kind\":\"%s\",\"kernel\":%s,\"file\":%s,\"line\":%d,\"thread\":[%s],\"block\":[%s],\"what\":%s,\"cause\":%s,\"message\":%s,\"other\":",
           fault_names[F.kind], json_string (F.kind == WRONG_RESULT ? variant : l.kernel).c_str (), json_string (p.file).c_str (), p.line, place (F.thread).c_str (), block_place (F.block).c_str (),
           json_string (F.what).c_str (), json_string (F.cause).c_str (), json_string (message).c_str ());
  if (F.has_other)
    {
      const source_location &q = location_of (l.module, F.other_pc);
      fprintf (f, "{\"file\":%s,\"line\":%d,\"thread\":[%s],\"block\":[%s],\"what\":%s}", json_string (q.file).c_str (), q.line,
               place (F.other_thread).c_str (), block_place (F.other_block).c_str (), json_string (F.other_what).c_str ());
    }
  else
    fputs ("null", f);
  fputs (",\"waiting\":[", f);
  for (size_t i = 0; i < F.waiters.size (); i++)
    {
      const waiting &w = F.waiters[i];
      const source_location &q = location_of (l.module, w.pc);
      fprintf (f, "%s{\"file\":%s,\"line\":%d,\"thread\":[%s],\"block\":[%s],\"threads\":%u,\"what\":%s}", i ? "," : "",
               json_string (q.file).c_str (), q.line, place (w.thread).c_str (), block_place (w.block).c_str (), w.count, json_string (w.how).c_str ());
    }
  fputs ("]}", f);
}

/* ---- steps -------------------------------------------------------------------------------- */

#define COUNT(name) fprintf (f, ",\"" #name "\":%llu", (unsigned long long) c.name);
void write_counts (FILE *f, const counts &c)
{
  COUNT (active_lanes) COUNT (warps_issued) COUNT (warps_skipped) COUNT (divergent_warps) COUNT (branch_places)
  COUNT (shared_reads) COUNT (shared_writes) COUNT (bank_conflicts) COUNT (worst_way) COUNT (sectors)
  COUNT (sectors_needed) COUNT (sectors_written) COUNT (barriers) COUNT (shuffles) COUNT (atomics) COUNT (contention)
}

static void write_work (FILE *f, const char *name, const work &w)
{
  const struct { const char *name; u64 value; } fields[] = { { "blocks", w.blocks }, { "divisions", w.divisions }, { "reads", w.reads },
    { "writes", w.writes }, { "waits", w.waits }, { "hits", w.hits }, { "lines", w.lines }, { "shared", w.shared }, { "shuffles", w.shuffles },
    { "atomics", w.atomics }, { "accesses", w.accesses }, { "lanes", w.lanes } };
  fprintf (f, ",\"%s\":", name);
  for (const auto &x : fields)
    fprintf (f, "%c\"%s\":%llu", &x == fields ? '{' : ',', x.name, (unsigned long long) x.value);
  fputs ("}", f);
}

static void write_totals (FILE *f, u64 launches, const counts &c)
{
  fprintf (f, "{\"launches\":%llu", (unsigned long long) launches);
  write_counts (f, c);
  COUNT (sectors_first) COUNT (shared_atomics) COUNT (shared_atomic_passes) COUNT (global_atomics) COUNT (global_atomic_passes)
  write_work (f, "issued", c.issued);
  write_work (f, "path", c.path);
  fputs ("}", f);
}

/* Wide accesses: the values of the array's type in them.  */
static std::string access_value (const frame_access &a)
{
  int bytes = value_bytes (a.type);
  if (! a.has_value)
    return "null";
  if (a.size == bytes)
    return json_value (a.type, a.value);
  if (a.size < bytes || a.size % bytes)
    return json_value (a.size == 1 ? T_U8 : a.size == 8 ? T_U64 : T_U32, a.value);
  std::string s = "[";
  for (int i = 0; i < a.size; i += bytes)
    s += (i ? "," : "") + json_value (a.type, a.value + i);
  return s + "]";
}

static void write_access (FILE *f, const launch_report &l, const frame_access &a, bool first)
{
  static const char *const kinds[] = { "read", "write", "atomic", "read", "write", "shuffle" };
  const source_location &p = location_of (l.module, a.pc);
  fprintf (f, "%s{\"thread\":%u,\"kind\":\"%s\",\"space\":\"%s\"", first ? "" : ",", a.thread, kinds[a.kind],
           a.space == GLOBAL ? "global" : a.space == REGISTER ? "register" : "shared");
  if (a.kind == SHUFFLE)
    fprintf (f, ",\"from\":%d", a.from);
  else
    fprintf (f, ",\"array\":%s,\"index\":%lld", json_string (a.array).c_str (), (long long) a.index);
  fprintf (f, ",\"bytes\":%d,\"value\":%s,\"file\":%s,\"line\":%d,\"slot\":%u,\"passes\":%u}", a.size, access_value (a).c_str (),
           json_string (p.file).c_str (), p.line, a.slot, a.passes);
}

bool write_report (const char *path, const report_head &h)
{
  for (launch_report &l : launches)     /* they came as the blocks took turns */
    std::stable_sort (l.steps.begin (), l.steps.end (), [] (const step_report &a, const step_report &b) { return a.block < b.block; });
  FILE *f = fopen (path, "w");
  if (! f)
    return false;
  for (const launch_report &l : launches)
    {
      std::vector<u32> pcs;
      for (const step_report &s : l.steps)
        {
          pcs.push_back (s.pc);
          for (const frame_access &a : s.accesses)
            pcs.push_back (a.pc);
        }
      find_locations (l.module, pcs);
    }
  fprintf (f, "{\"variant\":%s,\"op\":\"%s\",\"class\":\"%s\",\"n\":%lld,\"block\":%d,\"grid\":%u,\"finish\":\"%s\",\"scale\":%g,\"bias\":%g,"
           "\"sampled\":%s,\"launches\":[",
           json_string (h.variant).c_str (), h.op, h.type, (long long) h.n, h.block, launches.empty () ? 0 : launches[0].grid, h.finish,
           h.scale, h.bias, sampled ? "true" : "false");
  for (size_t i = 0; i < launches.size (); i++)
    {
      const launch_report &l = launches[i];
      fprintf (f, "%s\n{\"kernel\":%s,\"grid\":%u,\"block\":%u,\"shared_bytes\":%llu,\"totals\":", i ? "," : "", json_string (l.kernel).c_str (), l.grid,
               l.threads, (unsigned long long) l.shared);
      write_totals (f, 1, l.totals);
      fputs (",\"steps\":[", f);
      for (size_t k = 0; k < l.steps.size (); k++)
        {
          const step_report &s = l.steps[k];
          const source_location &p = location_of (l.module, s.pc);
          fprintf (f, "%s\n{\"block\":%u,\"step\":%u,\"file\":%s,\"line\":%d,\"active\":\"%s\"", k ? "," : "", s.block, s.step,
                   json_string (p.file).c_str (), p.line, s.active.c_str ());
          write_counts (f, s.c);
          if (want_frames)
            {
              fputs (",\"shared\":[", f);
              for (size_t v = 0; v < s.shared.size (); v++)
                fprintf (f, "%s%s", v ? "," : "", s.shared[v].c_str ());
              fputs ("],\"accesses\":[", f);
              for (size_t v = 0; v < s.accesses.size (); v++)
                write_access (f, l, s.accesses[v], v == 0);
              fputs ("]", f);
            }
          fputs ("}", f);
        }
      fputs ("]}", f);
    }
  fputs ("],\n\"totals\":", f);
  write_totals (f, launches.size (), totals);
  fprintf (f, ",\n\"result\":%s,\"fault\":", h.result.empty () ? "null" : h.result.c_str ());
  if (F.kind)
    write_fault (f, h.variant);
  else
    fputs ("null", f);
  fputs ("}\n", f);
  bool good = ! ferror (f);
  return fclose (f) == 0 && good;
}
