/* What a submission that is graded may contain: its code runs in the process that says what it did,
   so nothing of it may get past the instrumentation.  build-variant asks, after each step of compiling it.  */

#ifndef SIM_GRADED_H
#define SIM_GRADED_H

#include <string>

#include "../ladder/check.h"
#include "locations.h"

/* gpureduce_sim --tokens FILE OWN: its preprocessed text, OWN what it was made of; --object FILE: what it was compiled to.  They print the
   sentence for who wrote it, and return 1, where it has what would not be seen.
   gpureduce_sim --lines MODULE: prints the lines of its code, for runs that may start no other program.  */
int graded_tokens (const char *file, const char *own);
int graded_object (const char *file);
int graded_lines (const char *module);

/* Its descriptors, by code of its own, each access of which is looked at.  */
bool describe_graded (void *module, const void *code, std::string *why);
/* A copy of a variant that its kernels cannot change, or NULL.  */
const ladder_variant *graded_variant (const ladder_variant *v, const void *(*kernel_of) (const void *), std::string *why);

#endif
