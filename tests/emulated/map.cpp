/* Elementwise expressions: the kernel of engine/map.cu, compiled for the CPU and launched by src/cuda/map.c on a fake runtime
   (tests/unit/fake_cuda), gives the bits of the CPU backend, and leaves the real numbers where that does.  Random steps, classes,
   shapes that broadcast, and arrays that begin where no vector does.  */

#define KERNEL "../../kernels/engine/map.cu"
#define HEADER "../unit/map_random.h"
#include "cuda.h"
#undef __shared__
#define __shared__              /* there is one array alone, which the launch sizes */
alignas (16) unsigned char map_shared[48 << 10];

#include <sys/mman.h>
#include <csignal>
#include <string>
#include <sys/resource.h>
#include "map_intrinsics.h"
#include "launched.h"

#define class class_            /* a name in C */
extern "C" {
#include "../../src/cuda/compile.h"
#include "../../src/cuda/kernel_files.h"
#undef class
/* Of the CPU backend.  */
gpr_status gpr_cpu_map (gpr_mapping *m);
extern const char gpr_cpu_map_loops_baseline;
const void *gpr_cpu_map_loops_here () { return &gpr_cpu_map_loops_baseline; }
}

static long compiled, fours, pairs, strided, scalars, apart, any, quick_singles, quick_doubles;
/* A GPU's vectors begin at multiples of their size.  */
static bool begins_apart (const gpr_map_args &a, const void *p, int elem) { return (uintptr_t) p % ((a.fours ? 4 : 2) * gpr_elem_bytes[elem]) != 0; }
static bool is_engines (const void *kernel)
{
  return kernel == gpr_engine_map (GPR_MAP_ANY) || kernel == gpr_engine_map (GPR_MAP_SINGLES) || kernel == gpr_engine_map (GPR_MAP_DOUBLES);
}
static size_t bytes_of (const void *kernel) { return is_engines (kernel) ? sizeof (gpr_map_args) : sizeof (gpr_compiled_map_args); }
static void run_kernel (const void *kernel, unsigned blocks, unsigned block, const void *arguments)
{
  if (! is_engines (kernel))
    {
      compiled++;
      return ((void (*) (unsigned, unsigned, const void *)) kernel) (min (blocks, 3u), block, arguments);
    }
  const gpr_map_args &a = *(const gpr_map_args *) arguments;
  (a.fours ? fours : pairs)++;
  (kernel == gpr_engine_map (GPR_MAP_ANY) ? any : kernel == gpr_engine_map (GPR_MAP_SINGLES) ? quick_singles : quick_doubles)++;
  for (int l = 0; l < GPR_MAP_LEAVES && a.x[l]; l++)
    {
      strided += a.lies[l] == GPR_MAP_STRIDED;
      scalars += a.lies[l] == GPR_MAP_SCALAR;
      apart += a.lies[l] == GPR_MAP_VECTORS && begins_apart (a, a.x[l], a.elems[l]);
    }
  apart += a.z_vectors && begins_apart (a, a.z, a.z_elem);
  run_launch (kernel, a, min (blocks, 3u), block, &launch_seed);
}

enum { MOST = 9000 };

static void compare (gpr_mapping *m, gpr_map_step *step, int64_t count)
{
  alignas (64) static char want[MOST * 8], got[MOST * 8 + 64];
  const size_t bytes = (size_t) (count * gpr_elem_bytes[gpr_elem_of_class (m->class_)]);

  for (int k = 0; k < m->steps; k++)    /* of singles a GPU has them by way of doubles */
    if (step[k].single && (step[k].op == GPR_MAP_lgamma || step[k].op == GPR_MAP_erfc))
      step[k].op = GPR_MAP_erf;
  m->z = want;
  expect (gpr_cpu_map (m) == GPR_OK, "the CPU fails");
  const bool left = m->left;
  memset (got, 0xA5, sizeof got);
  m->z = got + (random_below (4) ? 0 : 8);
  expect (gpr_cuda_map (device, m) == GPR_OK && fake.violations == 0, "the kernel fails: %s", fake.violations ? fake.last : "");
  expect (m->left == left, "left is %d, not %d", m->left, left);
  if (memcmp (m->z, want, bytes) != 0)
    {
      size_t i = 0;
      while (((char *) m->z)[i] == want[i])
        i++;
      const gpr_map_step &last = step[m->steps - 1];
      expect (false, "byte %zu of %zu, class %d, %d leaves, %d steps; the last: op %d, single %d, turned %d, operand %d", i, bytes, (int) m->class_, m->leaves, m->steps,
              last.op, last.single, last.turned, last.operand);
    }
  expect ((unsigned char) ((char *) m->z)[bytes] == 0xA5, "writes beyond the end");
}

alignas (64) static char x[GPR_MAP_LEAVES][MOST * 8 + 64];

static void one_expression ()
{
  gpr_map_step step[GPR_MAP_STEPS] = {};
  gpr_mapping m = {};
  bool over_leaf;

  m.step = step;
  for (int l = 0; l < GPR_MAP_LEAVES; l++)
    m.x[l] = x[l] + (random_below (4) ? 0 : 8);
  device->multiprocessors = 1;          /* quick kernels begin at 4096 elements */
  const int64_t count = random_mapping (&m, step, MOST - 2, &over_leaf);
  compare (&m, step, count);
}

/* Of NaN with all kinds of bits, and of numbers that are none.  */
static void one_operation (int op, bool single, int operand, bool turned)
{
  enum { COUNT = 4500 };
  gpr_map_step step[4] = { { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF, .at = 1 }, { .op = GPR_MAP_save }, { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF }, {} };
  gpr_mapping m = {};
  const bool numbers = random_below (2);

  m.step = step;
  m.steps = 4;
  m.leaves = 2;
  m.rank = 1;
  m.dims[0] = COUNT;
  m.class_ = single ? GPR_CLASS_single : GPR_CLASS_double;
  for (int k = 0; k < 4; k++)
    step[k].single = single;
  step[3].op = (uint8_t) op;
  step[3].operand = (uint8_t) operand;
  step[3].turned = turned;
  step[3].number = numbers ? 3 : random_f64 (SPRINKLED);
  for (int l = 0; l < 2; l++)
    {
      m.x[l] = x[l];
      m.classes[l] = m.class_;
      m.strides[l][0] = 1;
      random_fill (x[l], 'f', single ? 4 : 8, COUNT, (int) (numbers ? SPRINKLED : random_below (ALL_NAN)));
      for (int i = 0; i < COUNT && numbers; i++)
        if (single)
          ((float *) x[l])[i] = ldexpf (1 + (float) random_below (1 << 23) / (1 << 23), (int) random_below (60) - 30);
        else
          ((double *) x[l])[i] = ldexp (1 + (double) random_below (INT32_MAX) / INT32_MAX, (int) random_below (60) - 30);
    }
  compare (&m, step, COUNT);
}

/* Operations of integers of up to 16 bits, each narrowed: by singles, but for those with a fraction.  Returns whether there is none.  Of quotients many are halfway between whole numbers, or nearly.  */
static bool small_integers (bool of_doubles, bool then_compiled)
{
  static const gpr_class classes[] = { GPR_CLASS_int8, GPR_CLASS_uint8, GPR_CLASS_int16, GPR_CLASS_uint16 };
  static const uint8_t operations[] = { GPR_MAP_plus, GPR_MAP_minus, GPR_MAP_times, GPR_MAP_uminus, GPR_MAP_abs, GPR_MAP_power, GPR_MAP_rdivide, GPR_MAP_rdivide };
  static const uint8_t narrow[] = { GPR_MAP_to_int8, GPR_MAP_to_uint8, GPR_MAP_to_int16, GPR_MAP_to_uint16 };
  static const double numbers[] = { 0, 1, -1, 2, 3, 10, -7, 255, 32767, -32768, 65535, 65536, 0.1, 1000001 };
  enum { COUNT = 8200 };
  gpr_map_step step[GPR_MAP_STEPS] = { { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF } };
  gpr_mapping m = {};
  const int kind = (int) random_below (4);
  bool singles = true;

  m.step = step;
  m.leaves = 2;
  m.rank = 1;
  m.dims[0] = COUNT;
  m.class_ = classes[kind];
  m.steps = 1;
  for (int k = 1 + (int) random_below (3); k > 0; k--)
    {
      gpr_map_step *s = &step[m.steps];
      s->op = operations[random_below (8)];
      s->operand = random_below (2) && s->op != GPR_MAP_power ? GPR_MAP_LEAF : GPR_MAP_NUMBER;
      s->at = 1;
      s->number = s->op == GPR_MAP_power || ! gpr_map_takes_two (s->op) ? 2 : numbers[random_below (14)];
      singles = singles && ! (s->operand == GPR_MAP_NUMBER && (s->number == 0.1 || s->number > 65536));
      s->turned = random_below (2) && s->op != GPR_MAP_power && gpr_map_takes_two (s->op);
      s[1].op = narrow[kind];
      m.steps += 2;
    }
  if (random_below (3) == 0)
    {
      step[m.steps].op = random_below (2) ? GPR_MAP_lt : GPR_MAP_max;
      step[m.steps].operand = GPR_MAP_LEAF;
      step[m.steps++].at = 1;
    }
  if (step[m.steps - 1].op == GPR_MAP_lt)
    m.class_ = GPR_CLASS_logical;
  else if (of_doubles)          /* as gpr_expression_doubles makes them: -0 would be seen */
    m.class_ = GPR_CLASS_double;
  for (int l = 0; l < 2; l++)
    {
      m.x[l] = x[l];
      m.classes[l] = classes[kind];
      m.strides[l][0] = 1;
      for (int i = 0; i < COUNT; i++)
        if (kind < 2)
          x[l][i] = (char) random_below (256);
        else
          ((uint16_t *) x[l])[i] = (uint16_t) (random_below (3) ? random_below (65536) : random_below (200) - 100);
    }
  for (int i = 0; i < COUNT && kind >= 2; i += 2)       /* x / y is k + 1/2, or next to that */
    {
      const int64_t y = 1 + random_below (200), half = (2 * random_below (150) + 1) * y / 2 + random_below (3) - 1;
      ((uint16_t *) x[1])[i] = (uint16_t) y;
      ((uint16_t *) x[0])[i] = (uint16_t) half;
    }
  compare (&m, step, COUNT);
  if (then_compiled)
    {
      expect (gpr_cuda_compile_wait (), "the compiler does not end");
      compare (&m, step, COUNT);
    }
  return singles && m.class_ != GPR_CLASS_double;
}

/* ---- compiled: by a fake NVRTC (nvrtc.cpp) ---------------------------------------------- */

static gpr_cuda_compiling report () { static gpr_cuda_compiling r; gpr_cuda_compile_report (&r); return r; }

/* One compiled expression; returns whether it was.  The first time it is asked for, the interpreting kernel answers.  */
static bool one_compiled ()
{
  gpr_map_step step[GPR_MAP_STEPS] = {};
  gpr_mapping m = {};
  bool over_leaf;
  const long before = compiled;

  m.step = step;
  for (int l = 0; l < GPR_MAP_LEAVES; l++)
    m.x[l] = x[l] + (random_below (4) ? 0 : 8);
  const int64_t count = random_mapping (&m, step, MOST - 2, &over_leaf);
  compare (&m, step, count);
  expect (gpr_cuda_compile_wait (), "the compiler does not end");
  compare (&m, step, count);
  return compiled > before;
}

/* (x - c) .* c, c being one element for each column: of fewer rows than a vector has elements, of as many, and of more.  */
static void of_columns (gpr_class class_, int64_t rows)
{
  gpr_map_step step[] = { { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF }, { .op = GPR_MAP_minus, .operand = GPR_MAP_LEAF, .at = 1 }, { .op = GPR_MAP_times, .operand = GPR_MAP_LEAF, .at = 1 } };
  gpr_mapping m = {};
  const bool single = class_ == GPR_CLASS_single;
  const size_t room = 1 << 17;
  static char *const pages = (char *) mmap (nullptr, room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);  /* c ends where the last, that nobody may read, begins */

  expect (pages != MAP_FAILED && mprotect (pages + room, 4096, PROT_NONE) == 0, "no pages");
  m.step = step;
  m.steps = 3;
  m.leaves = m.rank = 2;
  m.dims[0] = rows;
  m.dims[1] = 4096 / rows + 1 + random_below (3000 / rows);   /* so few are not compiled */
  m.class_ = class_;
  for (int l = 0; l < 2; l++)
    {
      step[l + 1].single = step[0].single = single;
      const int64_t apart = l == 0 ? rows : 1 + random_below (3), count = (m.dims[1] - 1) * apart + (l == 0 ? rows : 1);
      char *const leaf = l == 0 ? x[0] : pages + room - count * (single ? 4 : 8);
      m.x[l] = leaf;
      m.classes[l] = class_;
      m.strides[l][0] = l == 0;
      m.strides[l][1] = apart;
      random_fill (leaf, 'f', single ? 4 : 8, count, SPRINKLED);
    }
  const long before = compiled;
  for (int tries = 0; compiled == before && tries < 20; tries++)        /* where z begins apart it is another kernel */
    {
      compare (&m, step, rows * m.dims[1]);
      expect (gpr_cuda_compile_wait (), "the compiler does not end");
    }
  expect (compiled > before, "it is not compiled");
}

/* Another expression for each number: five products or sums, as its bits say.  */
static gpr_map_step asked_step[GPR_MAP_STEPS];
static gpr_mapping asked_for (int which)
{
  gpr_mapping m = {};
  enum { COUNT = 5000 };
  m.step = asked_step;
  m.steps = 1;
  m.leaves = m.rank = 1;
  m.dims[0] = COUNT;
  m.class_ = m.classes[0] = GPR_CLASS_double;
  m.x[0] = x[0];
  m.strides[0][0] = 1;
  asked_step[0] = { .op = GPR_MAP_load, .operand = GPR_MAP_LEAF };
  for (int bit = 0; bit < 5; bit++)
    asked_step[m.steps++] = { .op = (uint8_t) (which >> bit & 1 ? GPR_MAP_times : GPR_MAP_plus), .operand = GPR_MAP_NUMBER, .number = 2.0 + bit };
  return m;
}

/* What is asked for the first time is interpreted; afterwards it is compiled, or where nothing can be, interpreted again.  */
static void ask (int which, bool comes)
{
  alignas (64) static double z[2][5000];
  gpr_mapping m = asked_for (which);
  const long before = compiled;
  memset (z, 0, sizeof z);
  m.z = z[0];
  expect (gpr_cuda_map (device, &m) == GPR_OK && compiled == before, "compiled at once, or failed");
  expect (gpr_cuda_compile_wait (), "the compiler does not end");
  m.z = z[1];
  expect (gpr_cuda_map (device, &m) == GPR_OK && (compiled > before) == comes, "%s compiled: %s", comes ? "not" : "is", report ().failure);
  expect (z[0][1] != 0 && memcmp (z[0], z[1], sizeof z[0]) == 0, "other results");
}

/* The files of the folder, changed by a command of the shell for each, $f.  */
static void change_files (const char *folder, const char *command)
{
  char text[512];
  snprintf (text, sizeof text, "cd %s && for f in *.kernel; do %s; done", folder, command);
  expect (system (text) == 0, "%s", text);
}

static void compile_them (int rounds)
{
  char folder[] = "/tmp/kernels-XXXXXX", missing[64];
  expect (mkdtemp (folder), "no folder");
  snprintf (missing, sizeof missing, "%s/a/b", folder);
  settings.interpret = false;
  settings.kernel_folder = folder;
  device->multiprocessors = 1;
  random_fill (x[0], 'f', 8, 5000, 0);

  rule ("compiled_expressions_as_the_cpu");
  for (int done = 0, tries = 0; done < rounds && tries < 100 * rounds && report ().failed == 0; tries++)
    done += one_compiled ();
  expect (report ().compiled >= rounds && report ().failed == 0, "%d compiled, %d failed: %s", report ().compiled, report ().failed, report ().failure);
  expect (report ().files == report ().compiled && report ().bytes > 0, "%ld files", (long) report ().files);
  rule ("compiled_integers_of_up_to_16_bits_as_the_cpu");
  const long before = compiled;
  for (int tries = 0; compiled - before < rounds && tries < 100 * rounds; tries++)      /* a light one in doubles is not */
    small_integers (tries % 2 == 0, true);
  expect (compiled - before >= rounds, "%ld of %d compiled", compiled - before, rounds);
  rule ("an_element_for_each_column_as_the_cpu");
  for (const gpr_class class_ : { GPR_CLASS_double, GPR_CLASS_single })
    for (const int64_t rows : { 2, 3, 4, 5, 7, 40, 333, 1999 })
      of_columns (class_, rows);
  gpr_cuda_compile_clear ();
  expect (report ().files == 0, "%ld files are left", (long) report ().files);

  rule ("kernels_are_read_from_their_files");
  ask (1, true);
  int read = report ().read;
  gpr_cuda_compile_forget ();
  ask (1, true);
  expect (report ().read == read + 1, "%d read", report ().read - read);

  rule ("a_damaged_file_is_compiled_again");
  static const char *const damages[] = { "printf x | dd of=$f bs=1 seek=200 conv=notrunc 2> /dev/null", "truncate -s 100 $f", ": > $f", "chmod 666 $f", "printf more >> $f" };
  for (const char *damage : damages)
    {
      change_files (folder, damage);
      gpr_cuda_compile_forget ();
      read = report ().read;
      const int before = report ().compiled;
      ask (1, true);
      expect (report ().read == read && report ().compiled == before + 1, "%s: %d read", damage, report ().read - read);
    }

  rule ("folders_that_cannot_be_written_or_are_others");
  settings.kernel_folder = "/proc/none";
  ask (2, true);
  settings.kernel_folder = missing;     /* is made */
  ask (3, true);
  expect (report ().files == 1, "%ld files", (long) report ().files);
  settings.kernel_folder = folder;
  expect (system (("chmod 777 " + std::string (folder)).c_str ()) == 0, "chmod");
  const long files = (long) report ().files;
  ask (4, true);
  expect ((long) report ().files == files, "a folder that others may write is used");
  expect (system (("chmod 700 " + std::string (folder)).c_str ()) == 0, "chmod");
  settings.kernel_folder = "";
  ask (5, true);

  rule ("an_interruption_leaves_the_compiler_to_end");
  {
    static volatile int pressed = 1, *flag = &pressed, **old = gpr_host.interrupt_flag;
    gpr_mapping m = asked_for (10);
    m.z = x[1];
    expect (gpr_cuda_map (device, &m) == GPR_OK && report ().waiting == 1, "%d wait", report ().waiting);
    gpr_host.interrupt_flag = &flag;
    expect (! gpr_cuda_compile_wait () && report ().waiting == 1, "it waited until all was compiled");
    gpr_host.interrupt_flag = old;
    expect (gpr_cuda_compile_wait () && report ().waiting == 0 && report ().compiled > 0, "the compiler does not end");
    const long before = compiled;
    expect (gpr_cuda_map (device, &m) == GPR_OK && compiled == before + 1, "what was compiled is not used");
  }

  rule ("where_the_compiler_or_the_driver_fails_the_interpreting_kernel_answers");
  static const char *const failures[] = { "create", "compile", "load" };
  for (int i = 0; i < 3; i++)
    {
      const int failed = report ().failed;
      setenv ("NVRTC_FAILS", failures[i], 1);
      ask (6 + i, false);
      expect (report ().failed == failed + 1 && *report ().failure, "%s: %d failed", failures[i], report ().failed - failed);
    }
  setenv ("NVRTC_FAILS", "launch", 1);
  gpr_mapping m = asked_for (5);
  m.z = x[1];
  expect (gpr_cuda_map (device, &m) == GPR_CUDA_FAILED, "a launch that fails is no error");
  unsetenv ("NVRTC_FAILS");

  rule ("nothing_is_compiled_where_it_is_off");
  settings.interpret = true;
  ask (9, false);
  expect (report ().waiting == 0, "%d wait", report ().waiting);

  settings.kernel_folder = folder;
  gpr_cuda_compile_clear ();
  expect (system (("rm -rf " + std::string (folder)).c_str ()) == 0, "rm");
}

/* A folder that is full, and one with more than it may have: the rest is sparse.  */
static void fill_folder ()
{
  char folder[] = "/tmp/kernels-XXXXXX", kernel[5000];
  size_t bytes;
  int64_t files, all;
  struct rlimit most, little;

  expect (mkdtemp (folder), "no folder");
  random_fill (kernel, 'f', 8, sizeof kernel / 8, 0);
  rule ("a_folder_without_room_is_left_as_it_was");
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &most);
  little = { sizeof kernel, most.rlim_max };
  setrlimit (RLIMIT_FSIZE, &little);
  gpr_kernel_files_write (folder, "text", kernel, sizeof kernel);
  setrlimit (RLIMIT_FSIZE, &most);
  expect (system (("test -z \"$(ls -A " + std::string (folder) + ")\"").c_str ()) == 0, "what was begun is left");
  expect (! gpr_kernel_files_read (folder, "text", &bytes), "half a file is read");

  rule ("what_was_used_longest_ago_goes_beyond_the_limit");
  static const char *const texts[] = { "a", "b", "c" };
  for (const char *text : texts)
    gpr_kernel_files_write (folder, text, kernel, sizeof kernel);
  change_files (folder, "touch -d 2001-01-01 $f");
  void *used = gpr_kernel_files_read (folder, "a", &bytes);
  expect (used && bytes == sizeof kernel && memcmp (used, kernel, bytes) == 0, "not what was written");
  free (used);
  expect (system (("truncate -s $((" + std::to_string (GPR_KERNEL_FILES_BYTES) + " / 4 * 3 - 12000)) " + folder + "/large.kernel && touch -d 2002-01-01 " + folder + "/large.kernel && "
                   "truncate -s $((" + std::to_string (GPR_KERNEL_FILES_BYTES) + " / 4)) " + folder + "/larger.kernel && touch -d 2000-01-01 " + folder + "/larger.kernel").c_str ()) == 0, "truncate");
  gpr_kernel_files_write (folder, "d", kernel, sizeof kernel);
  gpr_kernel_files_count (folder, false, &files, &all);
  for (const char *text : { "a", "d" })
    {
      expect ((used = gpr_kernel_files_read (folder, text, &bytes)) != nullptr, "%s, used lately, is gone", text);
      free (used);
    }
  expect (files == 3 && all <= GPR_KERNEL_FILES_BYTES / 4 * 3, "%ld files of %ld bytes", (long) files, (long) all);
  expect (system (("rm -r " + std::string (folder)).c_str ()) == 0, "rm");
}

/* Of a process that shares the folder of its kernels with others: compiles one, or reads it.  */
static int share_folder (const char *folder)
{
  device->multiprocessors = 1;
  settings.interpret = false;
  settings.kernel_folder = folder;
  random_fill (x[0], 'f', 8, 5000, 0);
  rule ("a_folder_of_several_processes");
  ask (13, true);
  return test_broken || verdict () != 0 || report ().compiled + report ().read != 1;
}

static void several_processes (const char *program)
{
  char folder[] = "/tmp/kernels-XXXXXX";
  expect (mkdtemp (folder), "no folder");
  const std::string one = std::string ("\"") + program + "\" sharing " + folder + " > /dev/null";
  rule ("processes_that_compile_the_same_share_a_folder");
  expect (system (("for i in 1 2 3; do " + one + " & list=\"$list $!\"; done; for i in $list; do wait $i || exit 1; done").c_str ()) == 0, "one of them fails");
  expect (system (("cd " + std::string (folder) + " && test \"$(ls -A)\" = \"$(echo *.kernel)\" && test $(ls | wc -l) = 1").c_str ()) == 0, "not one file");
  expect (system (("NVRTC_FAILS=compile " + one).c_str ()) == 0, "the file is not read");
  expect (system (("rm -r " + std::string (folder)).c_str ()) == 0, "rm");
}

int main (int argc, char **argv)
{
  if (argc == 3 && std::string (argv[1]) == "sharing")
    return begin_on_device (run_kernel, 0, bytes_of) ? share_folder (argv[2]) : 1;
  const int rounds = argc > 1 ? atoi (argv[1]) : 400, compilations = argc > 2 ? atoi (argv[2]) : 12;

  if (! begin_on_device (run_kernel, 0, bytes_of))
    return 1;
  settings.interpret = true;
  rule ("expressions_as_the_cpu");
  for (int round = 0; round < rounds; round++)
    one_expression ();
  rule ("each_operation_as_the_cpu");
  for (int op = GPR_MAP_save + 1; op < GPR_MAP_OP_COUNT; op++)
    for (int way = 0; way < (gpr_map_takes_two (op) ? 12 : 4); way++)
      one_operation (op, way % 2, way / 4, way / 2 % 2 && gpr_map_takes_two (op));
  rule ("integers_of_up_to_16_bits_by_singles");
  long by_singles = -quick_singles;
  for (int round = 0; round < rounds / 4; round++)
    by_singles -= small_integers (random_below (3) == 0, false);
  expect (by_singles + quick_singles == 0, "%ld more by singles", by_singles + quick_singles);
  rule ("vectors_begin_at_multiples_of_their_size");
  expect (apart == 0, "%ld do not", apart);
  rule ("every_way_to_lie_is_met");
  expect (fours > 0 && pairs > 0 && strided > 0 && scalars > 0, "%ld with fours, %ld with pairs, %ld strided leaves, %ld scalars", fours, pairs, strided, scalars);
  rule ("every_kernel_is_met");
  expect (any > 0 && quick_singles > 0 && quick_doubles > 0, "any %ld, singles %ld, doubles %ld", any, quick_singles, quick_doubles);
  compile_them (compilations);
  fill_folder ();
  several_processes (argv[0]);
  return verdict ();
}
