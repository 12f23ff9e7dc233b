/* A backend whose arrays are not in memory: their elements come from a source, in the order of memory, some at a time.  The
   gateway's code above it runs as ever.

   A reduction reads the source once, unit by unit of the array's tree: the accumulators of the parts merge as they come, so that
   what is kept does not grow with the array, and the bits are those of the array in memory.  A fix-up reads again.  */

#ifndef GPR_STREAM_H
#define GPR_STREAM_H

#include "../core/array.h"
#include "../core/hash.h"

extern const gpr_backend gpr_stream_backend;

/* Elements that a source has in hand, of those that it brings some at a time.  */
typedef struct {
  const char *data;
  int64_t first, count;
  bool real_parts;              /* of complex elements, whose others are 0 */
} gpr_brought;

/* Where elements come from.  */
typedef struct gpr_source {
  enum gpr_elem elem;
  bool logical;                 /* anything but 0 is 1 */
  int64_t count;                /* of elements */
  bool concurrent;              /* any thread may call read */
  gpr_status (*read) (struct gpr_source *s, int64_t first, int64_t count, void *to);
  /* The same without a copy, one at a time: NULL, it cannot be; then unmap.  Or both NULL.  */
  const void *(*map) (struct gpr_source *s, int64_t first, int64_t count);
  gpr_status (*unmap) (struct gpr_source *s);
  void (*ahead) (struct gpr_source *s, int64_t first, int64_t count);    /* they will be read soon; or NULL */
  gpr_status (*check) (struct gpr_source *s);   /* is it what it was when it was opened?  */
  void (*close) (struct gpr_source *s);
  uint64_t fingerprint;         /* of what it was then */
  const char *changed;          /* of a checkpoint of another: "the file has changed since" */
} gpr_source;

enum { GPR_STREAM_BLOCKS = 64 };
struct gpr_checkpoint;

/* The memory of such an array, as gpr_array.data and gpr_reduction.x have it.  */
typedef struct gpr_stream {
  gpr_source *source;
  int64_t first;                /* of its elements in the source's */
  bool as_double;               /* elements are converted as they are read */
  bool divided;                 /* all ranks reduce it together; each reads what it needs */
  struct gpr_checkpoint *checkpoint;    /* or NULL */
  void (*progress) (double share);      /* of the reduction in hand that is done; or NULL */
  void *blocks[GPR_STREAM_BLOCKS];      /* memory of the reduction in hand */
} gpr_stream;

/* Memory that is freed with the stream, or before, even if the call is left in between; NULL: there is none, as gpr_message says.  */
void *gpr_stream_allocate (gpr_stream *s, size_t bytes);
void gpr_stream_free (gpr_stream *s);

/* Elements of the array from first on, as the reductions take them.  */
gpr_status gpr_stream_read (const gpr_stream *s, int64_t first, int64_t count, void *to);
gpr_status gpr_stream_reduce (gpr_reduction *r);

/* ---- sources ---- */

/* A source's read: bring gets it a run of elements that has the first of these, as often as it takes.  */
gpr_status gpr_read_brought (gpr_source *s, gpr_brought *b, gpr_status (*bring) (gpr_source *s, int64_t first), int64_t first, int64_t count, void *to);

/* Of a regular file, elements from this byte on; longer: what follows them is left.  */
gpr_status gpr_raw_open (const char *name, enum gpr_elem elem, int64_t offset, int64_t count, bool longer, gpr_source **source);

/* A dataset of an HDF5 or MAT 7.3 file; *a gets its class and sizes.  */
gpr_status gpr_hdf5_open (const char *name, const char *set, gpr_array *a, gpr_source **source);

/* ---- checkpoints ---- */

/* Of a call whose reductions come one after the other; those that are done are in the file, and how far the one in hand is.  */
typedef struct gpr_checkpoint gpr_checkpoint;
/* One that is there is gone on from if it is of this call and source.  That it can be written is tried.  */
gpr_status gpr_checkpoint_open (gpr_checkpoint **c, const char *path, double every, uint64_t call, const gpr_source *source);
/* The state of the next reduction, NULL: there is none yet.  Until gpr_checkpoint_put.  */
const void *gpr_checkpoint_get (const gpr_checkpoint *c, uint64_t key, size_t bytes);
bool gpr_checkpoint_is_due (const gpr_checkpoint *c);
/* Takes the state over, and writes the file anew if that is due; done: the next reduction comes.  */
gpr_status gpr_checkpoint_put (gpr_checkpoint *c, uint64_t key, void *state, size_t bytes, bool done);
/* The call has its results: the file is no longer needed.  */
void gpr_checkpoint_close (gpr_checkpoint *c, bool remove_file);

#endif
