/* What a kernel prints, each line with its thread.  */

#ifndef SIM_PRINTS_H
#define SIM_PRINTS_H

#include <stdint.h>

/* From now on into this file, at a place that holds a sim_printed (request.h); 0: nowhere.  */
void prints_go_to (int fd, int64_t at);
/* A program's: with what its host code prints, as it is.  */
void prints_go_to_stdout (void);

#endif
