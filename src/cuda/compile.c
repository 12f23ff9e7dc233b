/* A thread of its own compiles, so that nobody waits: until a kernel is ready, the interpreting one (map.c) answers.  That thread calls NVRTC and
   reads and writes files, and no function of CUDA's; all else is the calling thread's.  */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compile.h"
#include "kernel_files.h"
#include "../../kernels/common/library.h"

/* What texts begin with: the files of kernels/engine/compiled/, packed when the module was built.  */
#define PACKED(F) F (map) F (reduce) F (histogram) F (scan) F (slices)
#define DECLARE_PACKED(name) extern const char gpr_packed_##name[], gpr_packed_##name##_mark[];
#define LIST_PACKED(name) { gpr_packed_##name, gpr_packed_##name##_mark },
#define ENUM_PACKED(name) PACKED_##name,
PACKED (DECLARE_PACKED)
enum { PACKED (ENUM_PACKED) };
static const struct { const char *text, *mark; } packed[] = { PACKED (LIST_PACKED) };

static int
packed_for (const gpr_source_key *key)
{
  return key->stages ? PACKED_slices : key->algorithm ? PACKED_reduce : key->compared ? PACKED_histogram : key->scan ? PACKED_scan : PACKED_map;
}

enum { KERNELS = 512 };         /* that are kept in memory */

/* ---- the libraries ------------------------------------------------------------------- */

/* As their manuals declare them.  */
typedef struct nvrtc_program nvrtc_program;
static struct {
  int (*nvrtcVersion) (int *major, int *minor);
  int (*nvrtcGetNumSupportedArchs) (int *count);
  int (*nvrtcGetSupportedArchs) (int *archs);
  int (*nvrtcCreateProgram) (nvrtc_program **program, const char *text, const char *name, int headers, const char *const *texts, const char *const *names);
  int (*nvrtcCompileProgram) (nvrtc_program *program, int count, const char *const *options);
  int (*nvrtcDestroyProgram) (nvrtc_program **program);
  int (*nvrtcGetCUBINSize) (nvrtc_program *program, size_t *bytes);
  int (*nvrtcGetCUBIN) (nvrtc_program *program, char *image);
  int (*nvrtcGetPTXSize) (nvrtc_program *program, size_t *bytes);
  int (*nvrtcGetPTX) (nvrtc_program *program, char *image);
  int (*nvrtcGetProgramLogSize) (nvrtc_program *program, size_t *bytes);
  int (*nvrtcGetProgramLog) (nvrtc_program *program, char *text);
  const char *(*nvrtcGetErrorString) (int status);
} nvrtc;
#define NVRTC(F) \
  F (nvrtcVersion) F (nvrtcGetNumSupportedArchs) F (nvrtcGetSupportedArchs) F (nvrtcCreateProgram) F (nvrtcCompileProgram) F (nvrtcDestroyProgram) \
  F (nvrtcGetCUBINSize) F (nvrtcGetCUBIN) F (nvrtcGetPTXSize) F (nvrtcGetPTX) F (nvrtcGetProgramLogSize) F (nvrtcGetProgramLog) F (nvrtcGetErrorString)

typedef struct CUmod_st driver_module;
static struct {
  int (*cuModuleLoadData) (driver_module **module, const void *image);
  int (*cuModuleGetFunction) (gpr_cuda_function **function, driver_module *module, const char *name);
  int (*cuModuleUnload) (driver_module *module);
  int (*cuLaunchKernel) (gpr_cuda_function *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, cudaStream_t stream,
                         void **args, void **extra);
  int (*cuFuncSetAttribute) (gpr_cuda_function *f, int attribute, int value);
  int (*cuOccupancyMaxActiveBlocksPerMultiprocessor) (int *blocks, gpr_cuda_function *f, int threads, size_t shared);
} driver;
#define DRIVER(F) F (cuModuleLoadData) F (cuModuleGetFunction) F (cuModuleUnload) F (cuLaunchKernel) F (cuFuncSetAttribute) F (cuOccupancyMaxActiveBlocksPerMultiprocessor)

#define SYMBOL_NVRTC(name) { #name, offsetof (__typeof__ (nvrtc), name) },
#define SYMBOL_DRIVER(name) { #name, offsetof (__typeof__ (driver), name) },
static bool
find_nvrtc (void)
{
  static const gpr_library_symbol list[] = { NVRTC (SYMBOL_NVRTC) };
  char own[32];
  const char *const names[] = { own, "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2" };
  void *library = NULL;
  snprintf (own, sizeof own, "libnvrtc.so.%d", CUDART_VERSION / 1000);  /* with which this was built */
  for (size_t i = 0; i < sizeof names / sizeof *names && ! library; i++)
    library = gpr_library_open (names[i]);
  return gpr_library_find (library, list, sizeof list / sizeof *list, &nvrtc);
}

static bool
find_driver (void)
{
  static int found = -1;
  static const gpr_library_symbol list[] = { DRIVER (SYMBOL_DRIVER) };
  if (found < 0)
    found = gpr_library_find (dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), list, sizeof list / sizeof *list, &driver);
  return found;
}

/* ---- the kernels ------------------------------------------------------------------------- */

typedef enum { WAITS, READY, FAILED } state;
typedef struct kernel {
  struct kernel *next;          /* in order of their last use, the latest first */
  gpr_source_key key;
  state state;                  /* the lock's, with what follows */
  void *image;
  size_t bytes;
  bool from_disk;
  driver_module *modules[GPR_CUDA_DEVICES];     /* the calling thread's */
  gpr_cuda_function *functions[GPR_CUDA_DEVICES];
  struct kernel *queued;        /* behind it in the queue */
  char folder[4096];            /* of its file; "": none */
} kernel;

static kernel *kernels;
static int kept;

/* Shared with the thread.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static kernel *first, *last;    /* the queue; the first is worked on */
static bool ends;
static gpr_cuda_compiling counts;

static bool started, without;      /* without: no thread is to be had */
static pthread_t worker;
static pid_t owner;             /* a child process has no thread */

static bool
has_thread (void)
{
  return started && owner == getpid ();
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void
say (const char *what)
{
  pthread_mutex_lock (&lock);
  snprintf (counts.failure, sizeof counts.failure, "%s", what);
  pthread_mutex_unlock (&lock);
}

/* The architecture's option: this NVRTC may not know the device yet, whose driver takes PTX then.  */
static bool
choose_architecture (int capability, char *option, size_t bytes)
{
  int count = 0, archs[256], best = 0;

  if (nvrtc.nvrtcGetNumSupportedArchs (&count) != 0 || count > 256 || nvrtc.nvrtcGetSupportedArchs (archs) != 0)
    count = 0;
  for (int i = 0; i < count; i++)
    if (archs[i] <= capability && archs[i] > best)
      best = archs[i];
  snprintf (option, bytes, "--gpu-architecture=%s_%d", best == capability ? "sm" : "compute", best);
  return best == capability;
}

static void *
compile (const char *header, const char *text, const char *architecture, bool binary, size_t *bytes)
{
  const char *const headers[] = { header }, *const names[] = { "gpureduce.cuh" };
  /* As nvcc compiles the package's kernels: src/Makefile.  */
  const char *const options[] = { architecture, "-std=c++17", "-fmad=false", "-prec-div=true", "-prec-sqrt=true", "-ftz=false", "-device-int128", "-default-device",
                                  "-diag-suppress=177,186" };
  nvrtc_program *program;
  void *image = NULL;
  *bytes = 0;

  int r = nvrtc.nvrtcCreateProgram (&program, text, "expression.cu", 1, headers, names);
  if (r != 0)
    {
      say (nvrtc.nvrtcGetErrorString (r));
      return NULL;
    }
  r = nvrtc.nvrtcCompileProgram (program, sizeof options / sizeof *options, options);
  if (r == 0)
    r = binary ? nvrtc.nvrtcGetCUBINSize (program, bytes) : nvrtc.nvrtcGetPTXSize (program, bytes);
  if (r == 0 && *bytes > 0 && (image = malloc (*bytes)))
    r = binary ? nvrtc.nvrtcGetCUBIN (program, image) : nvrtc.nvrtcGetPTX (program, image);
  if (r != 0)
    {
      char *log = NULL;
      size_t length = 0;
      free (image);
      image = NULL;
      if (nvrtc.nvrtcGetProgramLogSize (program, &length) == 0 && length > 1 && (log = malloc (length))
          && nvrtc.nvrtcGetProgramLog (program, log) == 0)
        say (log);
      else
        say (nvrtc.nvrtcGetErrorString (r));
      free (log);
    }
  (void) nvrtc.nvrtcDestroyProgram (&program);
  return image;
}

/* A kernel's image, of disk or compiled.  */
static void *
make (const gpr_source_key *key, const char *where, size_t *bytes, bool *from_disk)
{
  enum { NOT_YET, FOUND, MISSING };
  static int search = NOT_YET;
  static int major, minor;
  enum { HEADING = 512 };
  char *text = malloc (HEADING + GPR_SOURCE_BYTES), architecture[64];
  void *image = NULL;

  if (search == NOT_YET)
    {
      search = find_nvrtc () && nvrtc.nvrtcVersion (&major, &minor) == 0 ? FOUND : MISSING;
      pthread_mutex_lock (&lock);
      if (search == FOUND)
        snprintf (counts.compiler, sizeof counts.compiler, "NVRTC %d.%d", major, minor);
      pthread_mutex_unlock (&lock);
    }
  if (! text || search == MISSING)
    {
      say (text ? "NVRTC is not installed where the system looks for libraries" : "no host memory");
      free (text);
      return NULL;
    }
  const bool binary = choose_architecture (key->capability, architecture, sizeof architecture);
  /* The text names all that a file must agree in.  */
  const int used = snprintf (text, HEADING, "// gpureduce %s, tree %d, kernels %s, NVRTC %d.%d, %s\n#include \"gpureduce.cuh\"\n", GPR_VERSION, GPR_TREE_VERSION,
                             packed[packed_for (key)].mark, major, minor, architecture + sizeof "--gpu-architecture");
  gpr_source_write (text + used, key);
  image = gpr_kernel_files_read (where, text, bytes);
  *from_disk = image != NULL;
  if (! image && (image = compile (packed[packed_for (key)].text, text, architecture, binary, bytes)))
    gpr_kernel_files_write (where, text, image, *bytes);
  free (text);
  return image;
}

static void *
work (void *none)
{
  (void) none;
  pthread_mutex_lock (&lock);
  while (! ends)
    if (! first)
      pthread_cond_wait (&changed, &lock);
    else
      {
        kernel *k = first;
        bool from_disk = false;
        size_t bytes = 0;
        const double begun = gpr_cuda_now_ms ();
        pthread_mutex_unlock (&lock);
        void *image = make (&k->key, k->folder, &bytes, &from_disk);
        pthread_mutex_lock (&lock);
        k->image = image;
        k->bytes = bytes;
        k->state = image ? READY : FAILED;
        first = k->queued;
        if (! first)
          last = NULL;
        counts.waiting--;
        counts.compiled += image && ! from_disk;
        counts.read += image && from_disk;
        counts.failed += ! image;
        counts.last_ms = gpr_cuda_now_ms () - begun;
        pthread_cond_broadcast (&changed);
      }
  pthread_mutex_unlock (&lock);
  return NULL;
}

/* Signals are the interpreter's.  */
static bool
start_thread (void)
{
  sigset_t all, old;

  if (started || without)
    return has_thread ();
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  started = pthread_create (&worker, NULL, work, NULL) == 0;
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  without = ! started;
  owner = getpid ();
  return started;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void
unload (kernel *k, int device, bool lost)
{
  int current = 0;
  if (k->modules[device] && ! lost && cudaGetDevice (&current) == cudaSuccess && cudaSetDevice (device) == cudaSuccess)
    {
      (void) driver.cuModuleUnload (k->modules[device]);
      (void) cudaSetDevice (current);
    }
  k->modules[device] = NULL;
  k->functions[device] = NULL;
}

static void
forget (kernel *k)
{
  for (int d = 0; d < GPR_CUDA_DEVICES; d++)
    unload (k, d, gpr_cuda_is_lost (d));
  free (k->image);
  free (k);
  kept--;
}

/* The one that was used longest ago.  */
static void
forget_last (void)
{
  kernel **at = &kernels, **oldest = NULL;
  for (; *at; at = &(*at)->next)
    if ((*at)->state != WAITS)
      oldest = at;
  if (oldest)
    {
      kernel *k = *oldest;
      *oldest = k->next;
      forget (k);
    }
}

static kernel *
find_kernel (const gpr_source_key *key)
{
  for (kernel **at = &kernels; *at; at = &(*at)->next)
    if (memcmp (&(*at)->key, key, sizeof *key) == 0)
      {
        kernel *k = *at;
        *at = k->next;
        k->next = kernels;
        kernels = k;
        return k;
      }
  return NULL;
}

static void
find_folder (char *path, size_t bytes)
{
  const char *set = gpr_host.settings->kernel_folder;
  snprintf (path, bytes, "%s", set && strlen (set) < bytes ? set : "");
}

static void
ask_for (const gpr_source_key *key)
{
  if (kept >= KERNELS)
    forget_last ();
  kernel *k = kept < KERNELS && start_thread () ? calloc (1, sizeof *k) : NULL;
  if (! k)
    return;
  k->key = *key;
  find_folder (k->folder, sizeof k->folder);
  k->next = kernels;
  kernels = k;
  kept++;
  pthread_mutex_lock (&lock);
  *(last ? &last->queued : &first) = k;
  last = k;
  counts.waiting++;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
}

/* A kernel that this device's driver does not take is none.  */
static void
load (kernel *k, int device)
{
  driver_module *module = NULL;
  gpr_cuda_function *f = NULL;

  if (! find_driver () || driver.cuModuleLoadData (&module, k->image) != 0)
    module = NULL;
  if (module && driver.cuModuleGetFunction (&f, module, "compiled") != 0)
    {
      (void) driver.cuModuleUnload (module);
      module = NULL;
    }
  pthread_mutex_lock (&lock);
  if (! module)
    {
      k->state = FAILED;
      counts.failed++;
      snprintf (counts.failure, sizeof counts.failure, "the driver does not take a compiled kernel");
    }
  pthread_mutex_unlock (&lock);
  k->modules[device] = module;
  k->functions[device] = module ? f : NULL;
}

/* Threads of several devices ask at once.  */
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;

static gpr_cuda_function *
compiled (const gpr_cuda_state *s, const gpr_source_key *key)
{
  if (gpr_host.settings->interpret)
    return NULL;
  kernel *k = find_kernel (key);
  if (! k)
    {
      ask_for (key);
      return NULL;
    }
  if (! k->functions[s->number])
    {
      pthread_mutex_lock (&lock);
      const bool ready = k->state == READY;
      pthread_mutex_unlock (&lock);
      if (ready)
        load (k, s->number);
    }
  return k->functions[s->number];
}

gpr_cuda_function *
gpr_cuda_compiled (const gpr_cuda_state *s, const gpr_source_key *key)
{
  pthread_mutex_lock (&asking);
  gpr_cuda_function *f = compiled (s, key);
  pthread_mutex_unlock (&asking);
  return f;
}

static uint64_t
hash_of (const gpr_source_key *key)
{
  const unsigned char *bytes = (const unsigned char *) key;
  uint64_t hash = 0, word = 0;
  for (size_t i = 0; i < sizeof *key; i += sizeof word)
    {
      memcpy (&word, bytes + i, sizeof *key - i < sizeof word ? sizeof *key - i : sizeof word);
      hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 29;
    }
  return hash;
}

static gpr_cuda_function *
compiled_for (const gpr_cuda_state *s, const gpr_source_key *key, int64_t elements)
{
  enum { OFTEN = 30, REMEMBERED = 256 };
  static struct { uint64_t hash; int asked; } known[REMEMBERED];

  if (gpr_cuda_compiles (s, elements) || gpr_host.settings->interpret || find_kernel (key))
    return compiled (s, key);
  const uint64_t hash = hash_of (key);
  const int i = (int) (hash % REMEMBERED);
  if (known[i].hash != hash)
    known[i].asked = 0;
  known[i].hash = hash;
  return ++known[i].asked >= OFTEN ? compiled (s, key) : NULL;
}

gpr_cuda_function *
gpr_cuda_compiled_for (const gpr_cuda_state *s, const gpr_source_key *key, int64_t elements)
{
  pthread_mutex_lock (&asking);
  gpr_cuda_function *f = compiled_for (s, key, elements);
  pthread_mutex_unlock (&asking);
  return f;
}

bool
gpr_cuda_can_compile (void)
{
  return ! gpr_host.settings->interpret && ! without;
}

gpr_kernel
gpr_cuda_compiled_state (const gpr_cuda_state *s, const gpr_source_key *key, int64_t elements)
{
  const kernel *k = kernels;

  if (! gpr_cuda_can_compile ())
    return GPR_KERNEL_BUILT;
  while (k && memcmp (&k->key, key, sizeof *key) != 0)
    k = k->next;
  if (! k)
    return gpr_cuda_compiles (s, elements) ? GPR_KERNEL_WANTED : GPR_KERNEL_BUILT;
  pthread_mutex_lock (&lock);
  const state now = k->state;
  pthread_mutex_unlock (&lock);
  return now == WAITS ? GPR_KERNEL_COMPILING : now == READY ? GPR_KERNEL_COMPILED : GPR_KERNEL_BUILT;
}

gpr_status
gpr_cuda_launch_compiled (gpr_cuda_state *s, gpr_cuda_function *kernel, int64_t blocks, int threads, int shared, const void *args)
{
  void *list[] = { (void *) args };
  s->idle = false;
  GPR_CUDA_TRY ((cudaError_t) driver.cuLaunchKernel (kernel, (unsigned) blocks, 1, 1, (unsigned) threads, 1, 1, (unsigned) shared, s->work, list, NULL),
                "launching a compiled kernel");
  return GPR_OK;
}

int
gpr_cuda_compiled_blocks (gpr_cuda_function *kernel, int threads, int shared)
{
  int blocks = 0;
  return driver.cuOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, kernel, threads, (size_t) shared) == 0 && blocks > 0 ? blocks : 1;
}

bool
gpr_cuda_compiled_shares (gpr_cuda_function *kernel, int shared)
{
  enum { MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };   /* of CUfunction_attribute */
  return driver.cuFuncSetAttribute (kernel, MAX_DYNAMIC_SHARED_SIZE_BYTES, shared) == 0;
}

void
gpr_cuda_compile_end (void)
{
  if (! has_thread ())
    return;
  pthread_mutex_lock (&lock);
  ends = true;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
  pthread_join (worker, NULL);
  started = false;
  without = true;
}

/* ---- what there is, and the end of it ------------------------------------------------------------------------------- */

void
gpr_cuda_compile_report (gpr_cuda_compiling *report)
{
  char folder[4096];

  memset (report, 0, sizeof *report);
  if (has_thread ())            /* the lock is nobody's in a child process */
    {
      pthread_mutex_lock (&lock);
      *report = counts;
      pthread_mutex_unlock (&lock);
    }
  find_folder (folder, sizeof folder);
  gpr_kernel_files_count (folder, false, &report->files, &report->bytes);
}

bool
gpr_cuda_compile_wait (void)
{
  bool waits = has_thread ();
  while (waits && ! gpr_cuda_interrupted ())
    {
      struct timespec until;
      clock_gettime (CLOCK_REALTIME, &until);
      until.tv_nsec += 20000000;
      until.tv_sec += until.tv_nsec / 1000000000;
      until.tv_nsec %= 1000000000;
      pthread_mutex_lock (&lock);
      if (first)
        (void) pthread_cond_timedwait (&changed, &lock, &until);
      waits = first != NULL;
      pthread_mutex_unlock (&lock);
    }
  return ! waits;
}

void
gpr_cuda_compile_forget (void)
{
  if (! gpr_cuda_compile_wait ())
    return;
  while (kernels)
    {
      kernel *k = kernels;
      kernels = k->next;
      forget (k);
    }
}

void
gpr_cuda_compile_clear (void)
{
  char folder[4096];
  int64_t files, bytes;

  gpr_cuda_compile_forget ();
  find_folder (folder, sizeof folder);
  gpr_kernel_files_count (folder, true, &files, &bytes);
}

void
gpr_cuda_close_compiled (int device, bool lost)
{
  for (kernel *k = kernels; k; k = k->next)
    unload (k, device, lost);
}
