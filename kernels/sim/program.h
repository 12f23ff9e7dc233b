/* A whole program: its host code is watched, its launches run in the simulator.  */

#ifndef SIM_PROGRAM_H
#define SIM_PROGRAM_H

#include "state.h"

/* gpureduce_sim --program MODULE REPORT SECONDS [ARGUMENT...]; returns the exit status.  */
int run_program (int argc, char **argv);

extern module_info *program;            /* NULL: none runs */
static inline u32 program_pc (const void *code) { return program ? (u32) ((const char *) code - program->base) : 0; }
std::string line_text (u32 pc);         /* "line 12", with the file where it is not the program's own */

/* Ends the program with a fault of its host's code.  */
[[noreturn]] void host_fault (fault_kind kind, u32 pc, const std::string &what, const std::string &cause = "");
/* Ends it with F.  */
[[noreturn]] void end_with_fault (void);
/* What is no fault: a sentence for the end.  */
void program_note (const std::string &sentence);

struct program_launch
{
  std::string kernel;
  u32 pc, grid[3], block[3];
  u64 shared;
  int error;
  std::string why;              /* of the error */
  bool asked;                   /* the program looked at it */
  counts c;
};
extern std::vector<program_launch> program_launches;

/* ---- memory (runtime.cpp) ---- */

bool begin_memory (void);
void find_variables (const std::unordered_map<std::string, char> &names);
/* Memory of the GPU is there for kernels only.  */
void open_memory (bool open);
void list_unfreed (void);
void forget_memory (void);      /* all of it is freed */
const buffer *buffer_at (u64 a);
const buffer *freed_at (u64 a);
bool is_of_device (u64 a);      /* an address that only memory of the GPU has, in use or not */
u64 host_room (u64 a);          /* bytes from there on that are the host's, as far as they are known */
void lock (const buffer *b, bool open);
/* What of it has been written.  */
void set_range (buffer *b, u64 offset, u64 bytes);
bool is_set (const buffer *b, u64 offset);
/* For messages: "12 bytes"; of an expression the pointer's name.  */
std::string bytes_text (u64 bytes);
std::string pointer_name (const std::string &argument);
/* The likely cause of F, a kernel's fault, where it lies in the host's code.  */
std::string cause_on_host (void);
/* Argument k of a call, as it is written.  */
std::string argument_text (const char *text, int k);
/* Ends the program where a thread of a kernel calls what is the host's.  */
void host_only (const char *name, const void *code);

/* ---- launches (runtime_device.cpp) ---- */

typedef struct CUstream_st *stream;
int set_error (int error);      /* returns it */
std::string error_text (int error);
/* Kernels that the host has not waited for: the ticks of their accesses, and where they were launched.  */
struct running { u32 from, to, pc; std::string kernel; stream in; };
extern std::vector<running> unwaited;
void wait_for (stream in);      /* as the default stream does; another: for it alone */
extern std::unordered_map<std::string, char> program_names;
/* The pointers of the last launch, and what they were written as.  */
struct given { u64 at; std::string text; };
extern std::vector<given> arguments_given;
/* Where in the host's memory the last launch's arguments are, which each thread takes from there.  */
struct range { u64 from, bytes; };
extern std::vector<range> argument_memory;
extern u64 host_stack_end, host_stack_now;      /* now: at the last launch */
extern bool launching;

#endif
