/* Threads that loop or branch on their own come to an instruction at different times.  An instruction is
   numbered once all threads that come to it have no other before it.  Where two threads come to two
   instructions in opposite orders there is no such order; then the first thread's next is taken.  */

#include <map>
#include <set>
#include <utility>

#include "slots.h"

void find_slots (std::vector<frame_access> &accesses)
{
  std::map<u32, std::vector<u32>> threads;      /* the instructions of each, in its order */
  std::vector<u32> which (accesses.size ()), members, number;
  std::unordered_map<u64, u32> ids, times;

  for (size_t i = 0; i < accesses.size (); i++)
    {
      const frame_access &a = accesses[i];
      const u64 time = times[(u64) a.thread << 32 | a.pc]++;
      const u32 id = ids.emplace ((time << 32 | a.pc) * 2 + (a.space == GLOBAL), (u32) ids.size ()).first->second;
      if (id == members.size ())
        members.push_back (0);
      members[id]++;
      which[i] = id;
      threads[a.thread].push_back (id);
    }
  std::vector<std::vector<std::pair<const std::vector<u32> *, size_t>>> here (members.size ());
  std::set<u32> ready;
  number.assign (members.size (), ~0u);
  auto come = [&] (const std::vector<u32> *order, size_t at) {
    while (at < order->size () && number[(*order)[at]] != ~0u)
      at++;
    if (at == order->size ())
      return;
    const u32 id = (*order)[at];
    here[id].emplace_back (order, at);
    if (here[id].size () == members[id])
      ready.insert (id);
  };
  for (const auto &t : threads)
    come (&t.second, 0);
  for (u32 count = 0; count < members.size (); count++)
    {
      u32 id = 0;
      if (! ready.empty ())
        id = *ready.begin ();
      else
        while (number[id] != ~0u || here[id].empty ())
          id++;
      ready.erase (id);
      number[id] = count;
      for (const auto &p : here[id])
        come (p.first, p.second + 1);
    }
  for (size_t i = 0; i < accesses.size (); i++)
    accesses[i].slot = number[which[i]];
}
