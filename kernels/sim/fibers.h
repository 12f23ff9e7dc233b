/* Threads of the GPU as fibers: changing from one to another, faults, signals.  */

#ifndef SIM_FIBERS_H
#define SIM_FIBERS_H

#include "state.h"

void make (fiber *f);           /* at the beginning of the kernel */
void resume (fiber *f);         /* until it leaves */
void leave (fiber *f);          /* back to who resumed it */

/* Where f read plainly what others change atomically, and does something else now than to do so too (accesses.cpp).  */
void settle_loose (fiber *f);
/* Notes the fault of the run; the others leave the thread for good.  */
void set_fault (fault_kind kind, const fiber *f, u32 pc, const std::string &what);
void set_time_limit (const fiber *f, u32 pc);
void set_other (const fiber *o, u32 pc, const char *what);
[[noreturn]] void fault (fault_kind kind, fiber *f, u32 pc, const std::string &what);
[[noreturn]] void fault_with (fault_kind kind, fiber *f, u32 pc, const std::string &what, u32 other_thread, u32 other_pc,
                              const std::string &other_what);

/* From now on; of_host is called where no thread runs, with the address of a bad access.  NULL: nobody.  */
void catch_signals (void (*of_host) (int number, const void *address, const void *context));
void start_timer (double seconds);      /* SIGALRM then, and each second after */
/* Calls work; returns early where a thread gets a signal, which is a fault, then.  */
void with_signals_caught (void (*work) (void *), void *arg);

#endif
