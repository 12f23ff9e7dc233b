/* What the oct-file calls of the core.  The gateway and the oct-file see one table of resident arrays, the MEX
   module's: the oct-file finds this struct in it by the symbol "gpr_values".  C and C++.  */

#ifndef GPR_VALUES_H
#define GPR_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GPR_VALUES_VERSION = 1, GPR_VALUE_DIMS = 32 };

typedef struct {
  const char *type;                     /* "single" */
  bool complex;
  int ndims;
  int64_t dims[GPR_VALUE_DIMS];
  size_t bytes;
} gpr_value;

/* upload and download return NULL, or the identifier of an error whose text message () has.  */
typedef struct gpr_values {
  int version;
  /* *warning: NULL, or what is to be said once.  */
  const char *(*upload) (const gpr_value *v, const void *data, double *id, const char **warning);
  const char *(*download) (double id, void *data);
  const char *(*message) (void);
  bool (*describe) (double id, gpr_value *v);   /* false: no longer valid */
  void (*release) (double id);
  /* The resident array that the gateway is about to return, now the caller's; 0: none.  So no
     id passes through the language, where one could be made up.  */
  double (*claim) (void);
} gpr_values_table;

/* What a gpuArray gives a MEX function as its data.  The gateway looks whether core is its own.  */
typedef struct { const gpr_values_table *core; double id; } gpr_value_handle;

#endif
