/* NVRTC and the driver's part of it, where kernels are emulated: a text is compiled by g++ with cuda.h, and a "cubin" is the
   shared object that comes of it.  NVRTC_FAILS: what refuses.  REAL_NVRTC: a library that must be able to compile every text, too.  COMPILE: g++ and its flags, with
   the folder of prelude.h.  */

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <unistd.h>

extern "C" {
#include "../unit/fake_cuda/cuda_runtime_api.h"
}

struct program { std::string text, header, name, image, log; };

static bool fails (const char *what)
{
  const char *set = getenv ("NVRTC_FAILS");
  return set && strcmp (set, what) == 0;
}

static std::string read_file (const std::string &name)
{
  std::string all;
  if (FILE *f = fopen (name.c_str (), "rb"))
    {
      char some[65536];
      for (size_t n; (n = fread (some, 1, sizeof some, f)) > 0; )
        all.append (some, n);
      fclose (f);
    }
  return all;
}
static void write_file (const std::string &name, const std::string &all)
{
  if (FILE *f = fopen (name.c_str (), "wb"))
    {
      fwrite (all.data (), 1, all.size (), f);
      fclose (f);
    }
}

/* Whether NVIDIA's compiler, where it is wanted, takes the text as well; its log.  */
static bool compiles_really (const program &p, int options, const char *const *option, std::string *log)
{
  const char *wanted = getenv ("REAL_NVRTC");
  if (! wanted || ! *wanted)
    return true;
  static void *const library = dlopen (wanted, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (! library)
    {
      *log = dlerror ();
      return false;
    }
  const auto create = (int (*) (void **, const char *, const char *, int, const char *const *, const char *const *)) dlsym (library, "nvrtcCreateProgram");
  const auto compile = (int (*) (void *, int, const char *const *)) dlsym (library, "nvrtcCompileProgram");
  const auto log_bytes = (int (*) (void *, size_t *)) dlsym (library, "nvrtcGetProgramLogSize");
  const auto get_log = (int (*) (void *, char *)) dlsym (library, "nvrtcGetProgramLog");
  const auto destroy = (int (*) (void **)) dlsym (library, "nvrtcDestroyProgram");
  const char *header = p.header.c_str (), *name = p.name.c_str ();
  void *real = nullptr;
  size_t bytes = 0;
  if (create (&real, p.text.c_str (), "expression.cu", 1, &header, &name) != 0)
    return false;
  const bool compiled = compile (real, options, option) == 0;
  if (log_bytes (real, &bytes) == 0 && bytes > 1)
    {
      log->resize (bytes);
      get_log (real, &(*log)[0]);
    }
  destroy (&real);
  return compiled;
}

extern "C" {
int nvrtcVersion (int *major, int *minor) { *major = 13; *minor = 0; return 0; }
int nvrtcGetNumSupportedArchs (int *count) { *count = 2; return 0; }
int nvrtcGetSupportedArchs (int *archs) { archs[0] = 75; archs[1] = 90; return 0; }
const char *nvrtcGetErrorString (int) { return "a fake error"; }
int nvrtcCreateProgram (program **p, const char *text, const char *, int headers, const char *const *texts, const char *const *names)
{
  if (fails ("create") || headers != 1)
    return 1;
  *p = new program { text, texts[0], names[0], "", "" };
  return 0;
}
int nvrtcCompileProgram (program *p, int options, const char *const *option)
{
  if (fails ("compile"))
    {
      p->log = "error: a fake one\n";
      return 6;
    }
  if (! compiles_really (*p, options, option, &p->log))
    {
      fprintf (stderr, "NVRTC refuses this:\n%s\n%s\n", p->text.c_str (), p->log.c_str ());
      return 6;
    }
  char folder[] = "/tmp/fake-nvrtc-XXXXXX";
  if (! mkdtemp (folder))
    return 1;
  const std::string at = folder;
  write_file (at + "/gpureduce.cuh", p->header);
  write_file (at + "/expression.cpp", p->text + R"(
extern "C" void run_compiled (unsigned blocks, unsigned block, const void *arguments) { run (compiled, blocks, block, arguments, ::cluster_blocks); }
)");
  /* In the program there are others of the same names.  */
  const int status = system ((COMPILE " -include prelude.h -shared -Wl,-Bsymbolic -Drun_compiled='__attribute__ ((visibility (\"default\"))) run_compiled' "
                              "-o " + at + "/expression.so " + at + "/expression.cpp -I" + at + " > " + at + "/log 2>&1").c_str ());
  p->image = read_file (at + "/expression.so");
  p->log = read_file (at + "/log");
  if (status != 0)
    fprintf (stderr, "%s\n%s\n", p->text.c_str (), p->log.c_str ());
  for (const char *name : { "gpureduce.cuh", "expression.cpp", "expression.so", "log" })
    unlink ((at + "/" + name).c_str ());
  rmdir (folder);
  return status == 0 ? 0 : 6;
}
int nvrtcDestroyProgram (program **p) { delete *p; *p = nullptr; return 0; }
int nvrtcGetCUBINSize (program *p, size_t *bytes) { *bytes = p->image.size (); return 0; }
int nvrtcGetCUBIN (program *p, char *image) { memcpy (image, p->image.data (), p->image.size ()); return 0; }
int nvrtcGetPTXSize (program *p, size_t *bytes) { return nvrtcGetCUBINSize (p, bytes); }
int nvrtcGetPTX (program *p, char *image) { return nvrtcGetCUBIN (p, image); }
int nvrtcGetProgramLogSize (program *p, size_t *bytes) { *bytes = p->log.size () + 1; return 0; }
int nvrtcGetProgramLog (program *p, char *text) { strcpy (text, p->log.c_str ()); return 0; }

/* ---- the driver: the image begins with an ELF header, which knows its size ---- */

static size_t elf_bytes (const unsigned char *image)
{
  uint64_t sections;
  uint16_t each, count;
  memcpy (&sections, image + 0x28, 8);
  memcpy (&each, image + 0x3a, 2);
  memcpy (&count, image + 0x3c, 2);
  return sections + (size_t) each * count;
}
int cuModuleLoadData (void **module, const void *image)
{
  char name[] = "/tmp/fake-module-XXXXXX";
  const int fd = fails ("load") ? -1 : mkstemp (name);
  if (fd < 0)
    return 200;
  const size_t bytes = elf_bytes ((const unsigned char *) image);
  const bool whole = write (fd, image, bytes) == (ssize_t) bytes;
  close (fd);
  *module = whole ? dlopen (name, RTLD_NOW | RTLD_LOCAL) : nullptr;
  unlink (name);
  return *module ? 0 : 200;
}
int cuModuleGetFunction (void **function, void *module, const char *) { *function = dlsym (module, "run_compiled"); return *function ? 0 : 500; }
int cuModuleUnload (void *module) { dlclose (module); return 0; }
int cuFuncSetAttribute (void *, int, int) { return 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, void *, int, size_t) { *blocks = 2; return 0; }
int cuLaunchKernel (void *f, unsigned gx, unsigned, unsigned, unsigned bx, unsigned, unsigned, unsigned shared, cudaStream_t stream, void **args, void **)
{
  const dim3 grid = { gx, 1, 1 }, block = { bx, 1, 1 };
  return fails ("launch") ? 1 : (int) cudaLaunchKernel (f, grid, block, args, shared, stream);
}
}
