/* A program that strangers have a say in, kept to its own folder, its time and its memory.  */

#ifndef SIM_CONFINE_H
#define SIM_CONFINE_H

/* Its exit statuses beside the program's own: out of time; it could not be started so; the system
   cannot close off files or network.  */
enum { CONFINE_TOO_LONG = 124, CONFINE_FAILED = 125, CONFINE_REFUSED = 126 };

/* gpureduce_sim --confined OPTIONS -- PROGRAM ARGUMENTS  */
int confined (int argc, char **argv);

#endif
