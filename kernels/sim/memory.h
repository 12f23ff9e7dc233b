/* Arrays of global memory, and what an address is called.  */

#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "state.h"

/* Contents zero; with a file: what is in it from at on.  NULL: no memory.  */
buffer *buffer_make (const char *name, value_type type, u64 count, bool read_only, bool initialised, int fd = -1, int64_t at = 0);
void buffer_initialise (buffer *b);

/* Of a program's host code: what its malloc gave, and what it gives back (runtime.cpp).  */
void *host_allocated (void *p, size_t bytes);
void host_frees (void *p, const void *code);

/* "x[64] of 64" and so on; array, index and type of its elements for the report.  */
std::string address_text (block *b, u64 address, u32 size, std::string *array = NULL, int64_t *index = NULL,
                          value_type *type = NULL);

#endif
