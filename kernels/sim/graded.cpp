#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <set>

#include "accesses.h"
#include "graded.h"
#include "state.h"

static bool read_file (const char *path, std::string *text)
{
  FILE *f = fopen (path, "rb");
  char part[65536];
  size_t n;
  if (! f)
    return false;
  while ((n = fread (part, 1, sizeof part, f)) > 0)
    text->append (part, n);
  fclose (f);
  return true;
}

static bool begins (const std::string &s, const char *with) { return s.compare (0, strlen (with), with) == 0; }

/* ---- the text, as the preprocessor leaves it ------------------------------------------------------ */

/* The compiler is given this very text, so that what is looked at is what it sees: no macro, no spliced line
   and no other spelling hides a word.  */
namespace
{
  struct scanner
  {
    const std::string &s;
    size_t at;
    std::string file, own;
    int line;
    std::string why;

    bool refuse (const std::string &what)
    {
      why = file == own ? base_name (file) + ":" + std::to_string (line) + ": " + what
        : "#include: " + base_name (file) + " is not for kernels that are graded (" + what + ")";
      return false;
    }
    void blanks () { while (at < s.size () && strchr (" \t\f\v", s[at])) at++; }
    std::string word ();
    bool literal (char quote);
    bool directive ();
    bool attribute ();
    bool brackets ();
    bool identifier ();
    bool all ();
  };
}

static bool is_letter (char c) { return isalnum ((unsigned char) c) || c == '_' || c == '$' || (unsigned char) c >= 128; }

std::string scanner::word ()
{
  const size_t from = at;
  while (at < s.size () && is_letter (s[at]))
    at++;
  return s.substr (from, at - from);
}

bool scanner::literal (char quote)
{
  for (at++; at < s.size () && s[at] != quote; at++)
    {
      if (s[at] == '\n')
        return refuse ("a text that does not end");
      at += s[at] == '\\';
    }
  at++;
  return true;
}

/* # 12 "file" 1, or a #pragma: the preprocessor has obeyed the others.  */
bool scanner::directive ()
{
  const size_t end = std::min (s.find ('\n', at), s.size ());
  const std::string text = s.substr (at, end - at);
  char name[4096];
  int number;
  if (sscanf (text.c_str (), "# %d \"%4095[^\"]\"", &number, name) == 2)
    {
      file = name;
      line = number - 1;
    }
  else if (! begins (text, "#pragma unroll") && ! begins (text, "#pragma GCC unroll") && text != "#pragma once")
    return refuse ("\"" + text.substr (0, 40) + "\" is not for kernels that are graded");
  at = end;
  return true;
}

static const char *const harmless[] = { "always_inline", "__always_inline__", "aligned", "__aligned__", "unused", "__unused__", "noinline",
                                        "__noinline__", "maybe_unused", "likely", "unlikely", "fallthrough", "nodiscard", "artificial" };

/* What follows __attribute__.  */
bool scanner::attribute ()
{
  int depth = 0;
  do
    {
      blanks ();
      if (at >= s.size ())
        break;
      if (is_letter (s[at]))
        {
          const std::string name = word ();
          if (isdigit ((unsigned char) name[0]))
            continue;
          if (std::find (std::begin (harmless), std::end (harmless), name) == std::end (harmless))
            return refuse ("the attribute " + name + " is not for kernels that are graded");
          continue;
        }
      if (! strchr ("(),\n", s[at]))
        return refuse ("an attribute that is not for kernels that are graded");
      depth += s[at] == '(' ? 1 : s[at] == ')' ? -1 : 0;
      line += s[at++] == '\n';
    }
  while (depth > 0);
  return true;
}

/* [[...]]  */
bool scanner::brackets ()
{
  size_t next = at + 1;
  while (next < s.size () && isspace ((unsigned char) s[next]))
    next++;
  if (next >= s.size () || s[next] != '[')
    {
      at++;
      return true;
    }
  at = next + 1;
  blanks ();
  const std::string name = word ();
  blanks ();
  if (std::find (std::begin (harmless), std::end (harmless), name) == std::end (harmless) || at >= s.size () || s[at] != ']')
    return refuse ("the attribute [[" + name + " ...]] is not for kernels that are graded");
  return true;
}

bool scanner::identifier ()
{
  static const char *const words[] = { "asm", "__asm", "__asm__", "_Pragma", "__pragma", "ladder_first", "plain_bodies", "gpr_init", "__label__" };
  static const char *const heads[] = { "__builtin_", "__sync_", "__atomic_", "__tsan", "__sanitizer", "__ubsan", "__asan", "__cxa", "__gcov", "sim_",
                                       "__start_", "__stop_", "_mm", "__gthread", "__dl", "__libc" };
  const std::string name = word ();
  if (at < s.size () && s[at] == '"' && name.size () <= 3 && name.back () == 'R')
    return refuse ("raw texts, R\"(...)\", are not for kernels that are graded");
  if (name == "__attribute__" || name == "__attribute")
    return attribute ();
  for (const char *w : words)
    if (name == w)
      return refuse ("\"" + name + "\" is not for kernels that are graded");
  for (const char *h : heads)
    if (begins (name, h) && name != "__builtin_offsetof" && name != "sim_memcpy" && name != "sim_memmove" && name != "sim_memset")
      return refuse ("\"" + name + "\" is not for kernels that are graded");
  return true;
}

bool scanner::all ()
{
  bool fresh = true;            /* at the beginning of a line */
  while (at < s.size ())
    {
      const char c = s[at];
      const char next = at + 1 < s.size () ? s[at + 1] : '\0';
      bool good = true;
      if (c == '\n')
        {
          line++;
          at++;
          fresh = true;
          continue;
        }
      if (c == '#' && fresh)
        good = directive ();
      else if (c == '#' || c == '\\' || c == '@' || c == '`' || c == '\0' || (c == '%' && next == ':') || (c == '<' && (next == ':' || next == '%')))
        good = refuse (std::string ("\"") + (c ? c : '0') + "\" does not belong there");
      else if (isdigit ((unsigned char) c) || (c == '.' && isdigit ((unsigned char) next)))
        for (at++; at < s.size () && (is_letter (s[at]) || s[at] == '.' || (strchr ("+-", s[at]) && strchr ("eEpP", s[at - 1]))
                                      || (s[at] == '\'' && at + 1 < s.size () && is_letter (s[at + 1]))); )
          at++;
      else if (is_letter (c))
        good = identifier ();
      else if (c == '"' || c == '\'')
        good = literal (c);
      else if (c == '[')
        good = brackets ();
      else
        at++;
      if (! good)
        return false;
      fresh = false;
    }
  return true;
}

int graded_tokens (const char *path, const char *own)
{
  static const char mark[] = "gpr_submission_begins;";
  std::string text;
  if (! read_file (path, &text))
    {
      printf ("the preprocessed file is not there\n");
      return 1;
    }
  const size_t from = text.find (mark);
  if (from == std::string::npos)
    {
      printf ("the preprocessed file has no beginning\n");
      return 1;
    }
  scanner one = { text, from + sizeof mark - 1, "", own, 0, "" };
  if (text.size () - from > 8 << 20)
    one.why = "more than 8 MiB of preprocessed text";
  else if (one.all ())
    return 0;
  printf ("%s\n", one.why.c_str ());
  return 1;
}

/* ---- what it was compiled to ----------------------------------------------------------------------- */

/* All that it may call or name: the simulator's, and functions of numbers.  What writes through a pointer of its
   caller's (frexp, modf, sincos ...) is not among them.  */
static const char *const known[] = {
  "__sanitizer_cov_trace_pc", "__tsan_init", "__tsan_func_entry", "__tsan_func_exit", "__tsan_vptr_update", "__tsan_vptr_read",
  "__tsan_read_range", "__tsan_write_range", "__ubsan_handle_out_of_bounds_abort", "__ubsan_handle_type_mismatch_v1_abort",
  "sim_memcpy", "sim_memmove", "sim_memset", "sim_malloc", "sim_free", "sim_clock", "sim_shared", "sim_grid_sync", "sim_shuffle", "sim_vote",
  "sim_atomic", "__syncthreads", "__syncthreads_or", "__syncthreads_and", "__syncthreads_count", "__syncwarp", "__activemask",
  "__threadfence", "__threadfence_block", "__threadfence_system", "__trap", "clock64", "threadIdx", "blockIdx", "blockDim", "gridDim",
  "printf", "__printf_chk", "puts", "putchar", "abort", "__assert_fail", "plain_bodies", "_GLOBAL_OFFSET_TABLE_", "__tls_get_addr",
  "_ZN19ladder_registrationC1EPKcS1_PFvR14ladder_variantE", "_ZN19ladder_registrationC2EPKcS1_PFvR14ladder_variantE", "abs", "labs", "llabs", "strcmp",
  /* of the compiler's own library */
  "__popcountdi2", "__popcountti2", "__paritydi2", "__clzti2", "__ctzti2", "__ffsti2", "__multi3", "__divti3", "__udivti3", "__modti3", "__umodti3",
  "__powisf2", "__powidf2", "__extendhfsf2", "__truncsfhf2", "__truncdfhf2" };
static const char *const numbers[] = {
  "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1",
  "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "hypot", "ilogb", "ldexp", "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2",
  "logb", "lrint", "lround", "nearbyint", "nextafter", "pow", "remainder", "rint", "round", "scalbn", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma",
  "trunc" };

static const std::set<std::string> &allowed (void)
{
  static std::set<std::string> all;
  if (all.empty ())
    {
      all.insert (std::begin (known), std::end (known));
      for (const char *n : numbers)
        {
          all.insert (n);
          all.insert (std::string (n) + "f");
        }
      for (const char *what : { "read", "write" })
        for (const char *bytes : { "1", "2", "4", "8", "16" })
          for (const char *how : { "", "unaligned_", "volatile_", "unaligned_volatile_" })
            all.insert (std::string ("__tsan_") + how + what + bytes);
    }
  return all;
}

static bool is_section (const std::string &name)
{
  static const char *const heads[] = { ".text", ".data", ".rodata", ".bss", ".tbss", ".tdata", ".eh_frame", ".note" };
  if (name == "gpr_init")
    return true;
  for (const char *h : heads)
    if (name == h || begins (name, (std::string (h) + ".").c_str ()))
      return true;
  return false;
}

/* The compiler's own object, so its form is right; what it names is the submission's.  */
int graded_object (const char *path)
{
  std::string file;
  if (! read_file (path, &file) || file.size () < sizeof (Elf64_Ehdr) || memcmp (file.data (), ELFMAG, SELFMAG) != 0)
    {
      printf ("it was compiled to nothing\n");
      return 1;
    }
  const char *f = file.data ();
  const Elf64_Ehdr *h = (const Elf64_Ehdr *) f;
  const Elf64_Shdr *s = (const Elf64_Shdr *) (f + h->e_shoff);
  for (int i = 0; i < h->e_shnum; i++)
    {
      const std::string section = f + s[h->e_shstrndx].sh_offset + s[i].sh_name;
      if ((s[i].sh_flags & SHF_ALLOC) && ! is_section (section))
        {
          printf ("code or data in a section %s is not for kernels that are graded\n", section.c_str ());
          return 1;
        }
      if (s[i].sh_type != SHT_SYMTAB)
        continue;
      const Elf64_Sym *y = (const Elf64_Sym *) (f + s[i].sh_offset);
      for (size_t k = 0; k < s[i].sh_size / sizeof *y; k++)
        {
          const std::string name = f + s[s[i].sh_link].sh_offset + y[k].st_name;
          const bool here = y[k].st_shndx != SHN_UNDEF, is = allowed ().count (name) > 0;
          const int type = ELF64_ST_TYPE (y[k].st_info);
          if (name.empty () || ELF64_ST_BIND (y[k].st_info) == STB_LOCAL)
            continue;
          /* Arrays declared extern __shared__ are of any name.  */
          if (! here && ! is && type != STT_TLS)
            {
              printf ("%s is not for kernels that are graded: they call only what CUDA has for kernels\n", variable_name (name).c_str ());
              return 1;
            }
          if (here && (is || begins (name, "__") || begins (name, "sim_") || begins (name, "ladder_") || type == STT_GNU_IFUNC))
            {
              printf ("a definition of %s is not for kernels that are graded: the name is the simulator's\n", name.c_str ());
              return 1;
            }
        }
    }
  return 0;
}

/* Where code may ask the simulator: after each call.  What is no call by chance asks for a line too many.  */
int graded_lines (const char *path)
{
  void *module = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  const void *(*touch) (void) = module ? (const void *(*) (void)) dlsym (module, "sim_module_touch") : NULL;
  if (! touch)
    return 1;
  touch ();
  module_info *m = module_of ((const void *) touch);
  std::vector<u32> pcs;
  for (const symbol &s : m->functions)
    for (u64 at = s.at; at + 5 <= s.at + s.size && at + 5 <= m->image_bytes; at++)
      if ((unsigned char) m->base[at] == 0xe8)
        pcs.push_back ((u32) at + 4);
  find_locations (m, pcs);
  for (const auto &l : m->locations)
    if (l.second.line)
      printf ("%x %d %s\n", l.first, l.second.line, l.second.file.c_str ());
  find_divisions (m, NULL);
  for (const auto &d : m->divisions)
    printf ("%x %u " DIVISIONS "\n", d.first, d.second);
  return 0;
}

/* ---- its variants -------------------------------------------------------------------------------------- */

static const module_info *graded;

static bool is_function (const void *code)
{
  return code && (u64) code - graded_at < graded_bytes && ! function_symbol ((module_info *) graded, code).empty ();
}

/* Registers that it should have put back are put back.  */
static void call (void (*code) (void))
{
  static jmp_buf back;
  static void (*volatile what) (void);
  what = code;
  if (_setjmp (back) == 0)
    {
      host_accesses = graded_host_accesses;
      what ();
      _longjmp (back, 1);
    }
  host_accesses = NULL;
}

bool describe_graded (void *module, const void *code, std::string *why)
{
  typedef void (*initialiser) (void);
  void (*list) (const initialiser **, const initialiser **) = (void (*) (const initialiser **, const initialiser **)) dlsym (module, "sim_initialisers");
  const initialiser *from = NULL, *to = NULL;
  if (! list)
    {
      *why = "it was not compiled for grading";
      return false;
    }
  graded = module_of (code);
  list (&from, &to);
  const std::vector<initialiser> all (from, to);
  graded_at = (u64) graded->base;
  graded_bytes = graded->image_bytes;
  for (const initialiser &each : all)
    {
      if (! is_function ((const void *) each))
        {
          *why = "what describes its variants is no function of its own";
          return false;
        }
      call (each);
    }
  return true;
}

const ladder_variant *graded_variant (const ladder_variant *v, const void *(*kernel_of) (const void *), std::string *why)
{
  ladder_variant *own = new ladder_variant (*v);
  char text[512];
  *why = "";
  if (own->first || own->host)
    *why = "v.first and v.host are not for kernels that are graded";
  else if (! ladder_is_sound (own, text, sizeof text))
    *why = text;
  for (auto &op : own->kernel)
    for (auto &type : op)
      for (const void *&kernel : type)
        if (kernel && ! (is_function (kernel) && is_function (kernel_of (kernel))))
          *why = "v.kernel holds what is no kernel of the file";
  own->name = strdup (own->name);
  own->aliases = "";
  own->plain = NULL;
  return why->empty () ? own : NULL;
}
