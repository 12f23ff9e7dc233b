/* Where code and data are: modules, their symbols, lines of source.  */

#ifndef SIM_LOCATIONS_H
#define SIM_LOCATIONS_H

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "values.h"

struct source_location { std::string file; int line; };
/* What stands for a file where a module that is graded lists the divisions of a block.  */
#define DIVISIONS "divisions"
struct symbol { u64 at, size; std::string name; };
struct module_info
{
  std::string path;
  char *base;
  u64 image_bytes;
  char *tls;                    /* of this thread */
  u64 tls_bytes;
  bool has_extern;              /* arrays declared extern __shared__ */
  u64 data_from, data_bytes;    /* variables: .data and .bss */
  u64 dynamic_at;               /* where in its thread-local memory they are */
  std::vector<symbol> tls_symbols, functions, objects;
  std::unordered_map<u32, source_location> locations;   /* of code, by its offset in the module */
  std::unordered_map<u32, u32> divisions;       /* of basic blocks that have some, by the place of the block */
  std::unordered_set<u64> disassembled;         /* functions */
};

/* The module that holds this code.  */
module_info *module_of (const void *code);

/* Looks all these up at once, so that location_of knows them.  */
void find_locations (module_info *m, const std::vector<u32> &pcs);
const source_location &location_of (module_info *m, u32 pc);

/* Divisions of whole numbers in the basic blocks of a function and of those it calls, into m->divisions; with NULL those of
   all functions.  A GPU has no instruction for them and takes dozens.  */
void find_divisions (module_info *m, const void *function);

std::string function_symbol (module_info *m, const void *code);
/* Which of these functions the static variable is of, or "".  */
std::string owner_of (const std::string &variable, const std::unordered_set<std::string> &functions);
std::string variable_name (const std::string &symbol);  /* without what it is of */
/* Without namespaces and parameters, and without template arguments if not wanted.  */
std::string function_name (const std::string &symbol, bool with_arguments = false);
std::string base_name (const std::string &path);

#endif
