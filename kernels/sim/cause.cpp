#include "cause.h"
#include "state.h"

/* "line 12", with the file where the two are not in one.  */
static std::string line_text (const source_location &p, const source_location &other)
{
  return (p.file == other.file ? "line " : base_name (p.file) + " line ") + std::to_string (p.line);
}

static std::string cause_of_race (void)
{
  if (F.other_block != F.block)
    return std::string ("blocks run in any order and no barrier holds between them: each block needs an element of its own, or an atomic")
           + (F.what.compare (0, 6, "reads ") == 0 && F.other_what.compare (0, 5, "wrote") == 0
              ? "; where the last block reads what all left, a __threadfence () is missing between that write and the atomic that counts the blocks" : "");
  /* The lanes of one warp are often only the first that were seen.  */
  const std::string end = F.thread / WARP == F.other_thread / WARP ? " (__syncwarp () is enough where one warp alone shares it)" : "";
  module_info *m = launches.back ().module;
  find_locations (m, { F.pc, F.other_pc });
  const source_location p = location_of (m, F.pc), q = location_of (m, F.other_pc);
  if (p.line == q.line && p.file == q.file && F.both_write)
    return "several threads change one element at " + line_text (p, p) + ": it takes an atomic, an element for each thread or, "
           "where they take turns, a __syncthreads () between these";
  if (p.line == q.line && p.file == q.file)
    return "a __syncthreads () is missing at " + line_text (p, p) + ", where one thread writes what another reads: between the two, or at the end of each round of its loop" + end;
  const bool first = p.file == q.file && p.line < q.line;
  return "a __syncthreads () is missing between " + line_text (first ? p : q, first ? q : p) + " and " + line_text (first ? q : p, first ? p : q) + end;
}

void name_cause (void)
{
  const bool of_blocks = F.what.find ("partial[") != std::string::npos, heap = F.what.find ("heap[") != std::string::npos;
  switch (F.kind)
    {
    case RACE:
      F.cause = F.has_other ? cause_of_race () : "";
      break;
    case UNINITIALISED:
      F.cause = ! heap && ! of_blocks && F.what.compare (0, 8, "changes ") == 0
                ? "shared memory holds nothing at first: it must be set (to 0 for a sum or a count), with a __syncthreads () after it, before the first atomic"
                : heap ? "memory of malloc holds nothing at first" : ! of_blocks ? "shared memory holds nothing at first: each element that is read must be written before, also by threads "
                            "that have no element of x (Op::identity (), 0 for a sum)"
                : "another block writes it later or never: blocks run in any order, and each must leave its result; "
                  "a kernel that adds to its output needs it set to 0 before (atomic_out (v) in the line of a plain kernel)";
      break;
    case BARRIER_DIVERGENCE:
      F.cause = "the barrier is in a branch or a loop that not all threads take, or some return before it: it must stand where all of them come";
      break;
    case MISSING_LANE:
      if (F.has_other)
        F.cause = "the shuffle is in a branch or a loop that not all lanes of its mask take, or some return before it: it must stand where all of them come";
      break;
    case WRONG_RESULT:
      if (of_blocks)
        F.cause = "its thread 0 returns before it stores the block's result (finish (a, v) does that), or nothing stores it";
      break;
    case TIME_LIMIT:
      F.cause = "a loop that does not end; where it only takes long, \"seconds\" allows more";
      break;
    case DEADLOCK:
      F.cause = "a loop whose condition nothing changes, or one that waits for threads or blocks that cannot run";
      break;
    default:
      break;
    }
}
