/* Symbols come from the ELF file, lines from addr2line, in one call for all, divisions from objdump.  */

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "locations.h"

std::string base_name (const std::string &path)
{
  size_t slash = path.rfind ('/');
  return slash == std::string::npos ? path : path.substr (slash + 1);
}

/* _ZZ…E3sum -> sum.  */
std::string variable_name (const std::string &symbol)
{
  int status;
  char *text = abi::__cxa_demangle (symbol.c_str (), NULL, NULL, &status);
  std::string name = status == 0 && text ? text : symbol;
  free (text);
  size_t colons = name.rfind ("::");
  return colons == std::string::npos ? name : name.substr (colons + 2);
}

/* _ZN2ns3sumIiEEvPT_ -> sum.  */
std::string function_name (const std::string &symbol, bool with_arguments)
{
  int status;
  char *text = abi::__cxa_demangle (symbol.c_str (), NULL, NULL, &status);
  std::string name = status == 0 && text ? text : symbol;
  free (text);
  /* The parameters begin with the first ( that is in no < >; an anonymous namespace has one too.  */
  size_t depth = 0, end = name.size (), begin = 0;
  for (size_t i = 0; i < name.size (); i++)
    {
      if (! name.compare (i, 21, "(anonymous namespace)"))
        i += 21;
      const char c = name[i];
      if (c == '(' && depth == 0)
        {
          end = i;
          break;
        }
      depth += c == '<';
      depth -= c == '>' && depth > 0;
      if (depth == 0 && (c == ' ' || c == ':'))
        begin = i + 1;
    }
  name = name.substr (begin, end - begin);
  return with_arguments ? name : name.substr (0, name.find ('<'));
}

static void read_symbols (module_info *m)
{
  int fd = open (m->path.c_str (), O_RDONLY | O_CLOEXEC);
  struct stat st;
  if (fd < 0)
    return;
  if (fstat (fd, &st) == 0 && (size_t) st.st_size > sizeof (ElfW (Ehdr)))
    {
      char *file = (char *) mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (file != MAP_FAILED)
        {
          const ElfW (Ehdr) *h = (const ElfW (Ehdr) *) file;
          const ElfW (Shdr) *s = (const ElfW (Shdr) *) (file + h->e_shoff);
          const char *section_names = h->e_shoff ? file + s[h->e_shstrndx].sh_offset : "";
          for (int i = 0; i < h->e_shnum && h->e_shoff; i++)
            if (! strcmp (section_names + s[i].sh_name, ".data") || ! strcmp (section_names + s[i].sh_name, ".bss"))
              {
                m->data_from = m->data_bytes ? std::min<u64> (m->data_from, s[i].sh_addr) : s[i].sh_addr;
                m->data_bytes = s[i].sh_addr + s[i].sh_size - m->data_from;
              }
            else if (s[i].sh_type == SHT_SYMTAB)
              {
                const ElfW (Sym) *y = (const ElfW (Sym) *) (file + s[i].sh_offset);
                const char *names = file + s[s[i].sh_link].sh_offset;
                for (size_t k = 0; k < s[i].sh_size / sizeof *y; k++)
                  {
                    int type = ELF64_ST_TYPE (y[k].st_info);
                    std::vector<symbol> *to = type == STT_TLS ? &m->tls_symbols : type == STT_FUNC ? &m->functions
                      : type == STT_OBJECT ? &m->objects : NULL;
                    /* A size of 0: a name that the linker was told to put at sim_dynamic (build-variant).  */
                    if (type == STT_TLS && y[k].st_shndx != SHN_UNDEF && ! y[k].st_size)
                      m->has_extern = true;
                    else if (type == STT_TLS && ! strcmp (names + y[k].st_name, "sim_dynamic"))
                      {
                        m->dynamic_at = y[k].st_value;
                        continue;
                      }
                    if (to && y[k].st_shndx != SHN_UNDEF && y[k].st_size)
                      to->push_back ({ y[k].st_value, y[k].st_size, names + y[k].st_name });
                  }
              }
          munmap (file, st.st_size);
        }
    }
  close (fd);
  auto by_address = [] (const symbol &a, const symbol &b) { return a.at < b.at; };
  std::sort (m->tls_symbols.begin (), m->tls_symbols.end (), by_address);
  std::sort (m->functions.begin (), m->functions.end (), by_address);
  std::sort (m->objects.begin (), m->objects.end (), by_address);
}

struct search { const char *code; module_info *m; };

static int is_it (struct dl_phdr_info *info, size_t, void *data)
{
  search *s = (search *) data;
  bool mine = false;
  u64 end = 0, tls = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) &p = info->dlpi_phdr[i];
      u64 offset = (u64) s->code - info->dlpi_addr;
      if (p.p_type == PT_LOAD)
        {
          mine = mine || offset - p.p_vaddr < p.p_memsz;
          end = std::max<u64> (end, p.p_vaddr + p.p_memsz);
        }
      else if (p.p_type == PT_TLS)
        tls = p.p_memsz;
    }
  if (! mine)
    return 0;
  s->m->base = (char *) info->dlpi_addr;
  s->m->image_bytes = end;
  s->m->tls_bytes = tls;
  s->m->tls = (char *) info->dlpi_tls_data;
  if (s->m->path.empty ())
    s->m->path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
  return 1;
}

module_info *module_of (const void *code)
{
  static std::vector<module_info *> all;
  for (module_info *m : all)
    if ((const char *) code - m->base < (ptrdiff_t) m->image_bytes && (const char *) code >= m->base)
      {
        /* A module's thread_local data may come to be later than its code.  */
        search again = { (const char *) code, m };
        dl_iterate_phdr (is_it, &again);
        return m;
      }
  module_info *m = new module_info ();
  search s = { (const char *) code, m };
  dl_iterate_phdr (is_it, &s);
  char real[4096];
  if (m->path == "/proc/self/exe")
    {
      ssize_t n = readlink ("/proc/self/exe", real, sizeof real - 1);
      if (n > 0)
        m->path.assign (real, n);
    }
  read_symbols (m);
  all.push_back (m);
  return m;
}

static const symbol *function_at (const module_info *m, u64 at)
{
  auto s = std::lower_bound (m->functions.begin (), m->functions.end (), at, [] (const symbol &f, u64 v) { return f.at < v; });
  return s != m->functions.end () && s->at == at ? &*s : NULL;
}

std::string function_symbol (module_info *m, const void *code)
{
  const symbol *s = function_at (m, (u64) ((const char *) code - m->base));
  return s ? s->name : "";
}

/* _ZZ, the function's name after _Z, E, the variable's.  */
std::string owner_of (const std::string &variable, const std::unordered_set<std::string> &functions)
{
  if (variable.compare (0, 3, "_ZZ") == 0)
    for (size_t e = variable.find ('E', 3); e != std::string::npos; e = variable.find ('E', e + 1))
      {
        std::string function = "_Z" + variable.substr (3, e - 3);
        if (functions.count (function))
          return function;
      }
  return "";
}

/* ---- lines ---------------------------------------------------------------------------- */

/* Code that a ladder file only uses: device.h, and what is in ops/ and common/.  */
static bool is_shim (const std::string &file)
{
  size_t slash = file.rfind ('/');
  std::string folder = slash == std::string::npos ? "" : base_name (file.substr (0, slash));
  return base_name (file) == "device.h" || base_name (file) == "plain.h" || base_name (file) == "runtime.h" || folder == "ops" || folder == "common";
}

static FILE *nameless (void)
{
#ifdef __linux__
  const int fd = memfd_create ("binutils", 0);
  if (fd >= 0)
    return fdopen (fd, "w+");
#endif
  return tmpfile ();
}

/* What a program of binutils says of what stands in the file; NULL: it could not be run.  */
static FILE *said_by (char *const *words, FILE *in)
{
  FILE *out = nameless ();
  const pid_t child = out ? fork () : -1;
  if (child == 0)
    {
      if (in)
        dup2 (fileno (in), 0);
      dup2 (fileno (out), 1);
      execvp (words[0], words);
      _exit (127);
    }
  int status;
  while (child > 0 && waitpid (child, &status, 0) < 0 && errno == EINTR)
    ;
  if (out && child < 0)
    fclose (out);
  else if (out)
    rewind (out);
  return child < 0 ? NULL : out;
}

/* What graded_lines has printed, of a module that is graded.  Places between: as the one before.  */
static bool read_lines (module_info *m, const std::vector<u32> &wanted)
{
  static std::map<u32, source_location> known;
  static const module_info *of;
  if (of != m)
    {
      FILE *f = fopen ((m->path + ".lines").c_str (), "r");
      unsigned pc;
      int line;
      char file[4096];
      if (! f)
        return false;
      while (fscanf (f, "%x %d %4095[^\n]", &pc, &line, file) == 3)
        if (! strcmp (file, DIVISIONS))
          m->divisions[pc] = (u32) line;
        else
          known[pc] = { file, line };
      fclose (f);
      of = m;
    }
  for (u32 pc : wanted)
    {
      auto after = known.upper_bound (pc);
      if (after != known.begin ())
        m->locations[pc] = std::prev (after)->second;
    }
  return true;
}

void find_locations (module_info *m, const std::vector<u32> &pcs)
{
  std::vector<u32> wanted;
  for (u32 pc : pcs)
    if (pc && ! m->locations.count (pc))
      {
        m->locations[pc] = { "", 0 };
        wanted.push_back (pc);
      }
  if (wanted.empty () || read_lines (m, wanted))
    return;
  FILE *in = nameless ();
  if (! in)
    return;
  for (u32 pc : wanted)
    fprintf (in, "0x%x\n", pc);
  fflush (in);
  rewind (in);
  const char *const words[] = { "addr2line", "-a", "-i", "-e", m->path.c_str (), NULL };
  FILE *out = said_by ((char *const *) words, in);
  char line[8192];
  u32 pc = 0;
  bool settled = false;
  while (out && fgets (line, sizeof line, out))
    {
      if (line[0] == '0' && line[1] == 'x')
        {
          pc = (u32) strtoull (line, NULL, 16);
          settled = false;
          continue;
        }
      char *colon = strrchr (line, ':');
      if (! colon || settled || line[0] == '?')
        continue;
      /* The innermost line that is not in a shim, else the innermost.  */
      source_location p = { std::string (line, colon - line), atoi (colon + 1) };
      bool shim = is_shim (p.file);
      if (! shim || ! m->locations[pc].line)
        m->locations[pc] = p;
      settled = ! shim;
    }
  fclose (in);
  if (out)
    fclose (out);
}

const source_location &location_of (module_info *m, u32 pc)
{
  return m->locations[pc];
}

/* ---- divisions ------------------------------------------------------------------------ */

static bool is_division (const std::string &word)
{
  static const std::unordered_set<std::string> words = { "div", "divb", "divw", "divl", "divq", "idiv", "idivb", "idivw", "idivl", "idivq",
                                                         "sdiv", "udiv" };
  return words.count (word);
}

/* A block begins after the call of the hook for it; its place is the call's last byte, as the hook has it.  calls: the
   functions of the module that are called there.  */
static void disassemble (module_info *m, u64 from, u64 to, std::vector<u64> *calls)
{
  char first[40], last[40];
  snprintf (first, sizeof first, "--start-address=0x%llx", (unsigned long long) from);
  snprintf (last, sizeof last, "--stop-address=0x%llx", (unsigned long long) to);
  const char *const words[] = { "objdump", "-d", "-w", "--no-show-raw-insn", first, last, m->path.c_str (), NULL };
  FILE *out = said_by ((char *const *) words, NULL);
  char line[8192], word[32], name[4096];
  u32 block = 0;
  bool begins = false;
  while (out && fgets (line, sizeof line, out))
    {
      unsigned long long at, target;
      int length = 0;
      char after;
      if (sscanf (line, " %llx: %31s %n", &at, word, &length) != 2)
        continue;
      if (begins)
        block = (u32) at - 1;
      begins = strstr (line + length, "<__sanitizer_cov_trace_pc") != NULL;
      if (block && is_division (word))
        m->divisions[block]++;
      if (sscanf (line + length, "%llx <%4095[^>+@]%c", &target, name, &after) == 3 && after == '>' && strncmp (name, "__", 2) && strncmp (name, "sim_", 4))
        calls->push_back (target);
    }
  if (out)
    fclose (out);
}

void find_divisions (module_info *m, const void *function)
{
  std::vector<u64> wanted;
  if (read_lines (m, {}))
    return;
  if (! function)
    disassemble (m, 0, m->image_bytes, &wanted);
  else
    wanted = { (u64) ((const char *) function - m->base) };
  while (function && ! wanted.empty ())
    {
      const symbol *s = function_at (m, wanted.back ());
      wanted.pop_back ();
      if (s && m->disassembled.insert (s->at).second)
        disassemble (m, s->at, s->at + s->size, &wanted);
    }
}
