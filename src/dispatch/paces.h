/* How long calls took lately, by kind of work, size and place: what "auto" goes by where
   rates (rates.h), which are of reductions, say nothing, or turned out wrong.  Learned from
   the calls that "auto" itself decides about, and kept for the process only.  */

#ifndef GPR_PACES_H
#define GPR_PACES_H

#include "rates.h"

typedef enum { GPR_WORK_STORE, GPR_WORK_REDUCTION, GPR_WORK_SCAN, GPR_WORK_COUNT, GPR_WORK_MEDIAN, GPR_WORK_MODE, GPR_WORK_SCATTER, GPR_WORK_PAIR,
               GPR_WORK_KINDS } gpr_work_kind;
typedef enum { GPR_ON_CPU, GPR_ON_GPU, GPR_ON_BOTH, GPR_PLACES } gpr_place;

/* A call to come: id tells apart what one kind has several of (instances; functions and classes).  bytes: of its
   input.  apart: elements of a column are not neighbours, which a CPU takes longer for.  */
typedef struct {
  gpr_work_kind kind;
  int id;
  int64_t bytes;
  bool apart;
} gpr_work;

/* A call that "auto" has placed: gpr_pace_note learns from it.  slot is -1 where it has not.  */
typedef struct {
  int slot;
  gpr_place place;
  int64_t bytes;
} gpr_paced;

/* Where it is likely to end first.  us: of each place, in: as rates have it (HUGE_VAL: not to be
   taken), out: as expected.  A place that few calls have been at is tried when rates see it within a
   factor of three; any place within that is tried again after 16 calls, 32, 64 and so on.  device: a GPU's
   number; of several GPUs minus how many they are.  */
gpr_paced gpr_pace_choose (const gpr_work *work, int threads, int device, double us[GPR_PLACES]);
void gpr_pace_note (const gpr_paced *paced, double ms);
void gpr_paces_forget (void);

/* A guess in microseconds, of a kind of work on this machine's CPU or over the bus.  */
double gpr_pace_guess (const gpr_work *work, const gpr_rates *r, gpr_place place);

#endif
