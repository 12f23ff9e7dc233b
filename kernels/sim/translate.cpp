/* k<<<grid, block>>> (a, b) becomes sim_launch ("k", "a, b", [=] (auto &... sim_a) { k (sim_value (sim_a)...); }, grid, block) (a, b);
   and the program's kernels and __device__ variables, which the compiler does not tell from others, are listed
   in a string of its own.  Works on words, after the preprocessor: no comments, no macros.  */

#include <map>
#include <vector>

#include "translate.h"

enum word_kind { NAME, NUMBER, TEXT, SIGN };            /* TEXT: of strings and characters; SIGN: one character */
struct word { word_kind kind; size_t from, to; };
struct edit { size_t from, to; std::string text; };

struct translation
{
  const std::string &s;
  std::vector<word> words;
  std::vector<edit> edits;
  std::map<std::string, char> names;    /* g: kernel; d, c, m: __device__, __constant__, __managed__ variable */

  translation (const std::string &program) : s (program) { split (); }
  void split ();
  size_t end_of_text (size_t at) const;
  bool is (size_t i, const char *text) const { return i < words.size () && ! s.compare (words[i].from, words[i].to - words[i].from, text); }
  bool beside (size_t i) const { return i + 1 < words.size () && words[i].to == words[i + 1].from; }
  std::string text (size_t from, size_t to) const;
  size_t closing (size_t i) const;
  size_t opening (size_t i) const;
  size_t kernel_begin (size_t end) const;
  void note_kernel (size_t i);
  void note_variable (size_t i, char kind);
  void launch (size_t i);
  void bare_kernel (size_t i);
  std::string result ();
};

static bool in_name (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || (c & 0x80);
}
static bool is_digit (char c) { return c >= '0' && c <= '9'; }

/* The end of the string or character that begins with the quote at, which may be a raw one.  */
size_t translation::end_of_text (size_t at) const
{
  if (s[at] == '"' && at > 0 && s[at - 1] == 'R')
    {
      size_t open = s.find ('(', at);
      if (open != std::string::npos && open - at <= 17)
        {
          const std::string end = ")" + s.substr (at + 1, open - at - 1) + "\"";
          size_t found = s.find (end, open);
          return found == std::string::npos ? s.size () : found + end.size ();
        }
    }
  for (size_t i = at + 1; i < s.size (); i++)
    if (s[i] == '\\')
      i++;
    else if (s[i] == s[at])
      return i + 1;
    else if (s[i] == '\n')
      return i;
  return s.size ();
}

void translation::split ()
{
  bool line_begins = true;
  for (size_t i = 0; i < s.size (); )
    {
      const char c = s[i];
      size_t from = i;
      if (c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
        {
          line_begins |= c == '\n';
          i++;
          continue;
        }
      if (c == '#' && line_begins)      /* where a line comes from; pragmas */
        {
          i = std::min (s.find ('\n', i), s.size ());
          continue;
        }
      line_begins = false;
      if (is_digit (c) || (c == '.' && i + 1 < s.size () && is_digit (s[i + 1])))
        {
          while (i < s.size () && (in_name (s[i]) || s[i] == '.' || (s[i] == '\'' && i + 1 < s.size () && in_name (s[i + 1]))
                                   || ((s[i] == '+' || s[i] == '-') && (s[i - 1] == 'e' || s[i - 1] == 'E' || s[i - 1] == 'p' || s[i - 1] == 'P'))))
            i++;
          words.push_back ({ NUMBER, from, i });
        }
      else if (in_name (c))
        {
          while (i < s.size () && in_name (s[i]))
            i++;
          if (i < s.size () && (s[i] == '"' || s[i] == '\'') && i - from <= 3)      /* u8R"..." */
            {
              i = end_of_text (i);
              words.push_back ({ TEXT, from, i });
            }
          else
            words.push_back ({ NAME, from, i });
        }
      else if (c == '"' || c == '\'')
        {
          i = end_of_text (i);
          words.push_back ({ TEXT, from, i });
        }
      else
        words.push_back ({ SIGN, from, ++i });
    }
}

/* Words from .. to - 1 in one line.  */
std::string translation::text (size_t from, size_t to) const
{
  std::string t;
  for (size_t i = from; i < to; i++)
    {
      if (i > from && words[i - 1].to < words[i].from)
        t += ' ';
      t.append (s, words[i].from, words[i].to - words[i].from);
    }
  return t;
}

/* The partner of the bracket at i, or npos.  */
size_t translation::closing (size_t i) const
{
  int depth = 0;
  for (; i < words.size (); i++)
    if (words[i].kind == SIGN)
      {
        const char c = s[words[i].from];
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (depth == 0)
          return i;
      }
  return std::string::npos;
}
/* Backwards, also from a >.  */
size_t translation::opening (size_t i) const
{
  const bool angle = is (i, ">");
  int depth = 0, angles = 0;
  for (;; i--)
    {
      if (words[i].kind == SIGN)
        {
          const char c = s[words[i].from];
          depth += c == ')' || c == ']' || c == '}';
          depth -= c == '(' || c == '[' || c == '{';
          if (depth < 0 || (angle && depth == 0 && (c == ';' || c == '{' || c == '}')))
            return std::string::npos;
          if (angle && depth == 0)
            {
              angles += c == '>' && ! (i > 0 && is (i - 1, "-"));
              angles -= c == '<';
            }
          if (depth == 0 && angles == 0)
            return i;
        }
      if (i == 0)
        return std::string::npos;
    }
}

/* Where the expression begins that ends before end: a name, with template arguments, namespace or object, or
   something in brackets.  */
size_t translation::kernel_begin (size_t end) const
{
  const size_t none = std::string::npos;
  size_t i = end;
  for (;;)
    {
      if (i == 0)
        return none;
      i--;
      while (is (i, ">") || is (i, "]"))
        {
          i = opening (i);
          if (i == none || i == 0)
            return none;
          i--;
        }
      if (is (i, ")"))
        {
          i = opening (i);
          if (i == none)
            return none;
          if (i == 0 || words[i - 1].kind != NAME || is (i - 1, "return") || is (i - 1, "else") || is (i - 1, "do"))
            return i;
          i--;
        }
      if (words[i].kind != NAME)
        return none;
      if (i >= 2 && is (i - 1, ":") && is (i - 2, ":"))
        {
          if (i >= 3 && (is (i - 3, ">") || (words[i - 3].kind == NAME && ! is (i - 3, "return") && ! is (i - 3, "else"))))
            {
              i -= 2;
              continue;
            }
          return i - 2;
        }
      if (i >= 1 && is (i - 1, "."))
        i -= 1;
      else if (i >= 2 && is (i - 1, ">") && is (i - 2, "-"))
        i -= 2;
      else
        return i;
    }
}

/* The kernel's name: the last one before its parameters.  */
void translation::note_kernel (size_t i)
{
  for (size_t k = i + 1; k < words.size () && k < i + 200; k++)
    if (is (k, "__attribute__") || is (k, "alignas"))
      k = std::min (closing (k + 1), words.size ());
    else if (is (k, "("))
      {
        if (words[k - 1].kind == NAME)
          names[text (k - 1, k)] = 'g';
        return;
      }
}

/* What a __device__ stands before, unless it is a function.  */
void translation::note_variable (size_t i, char kind)
{
  std::vector<std::string> found;
  std::string last;
  int angles = 0;
  for (size_t k = i + 1; k < words.size (); k++)
    {
      const char c = words[k].kind == SIGN ? s[words[k].from] : 0;
      if (is (k, "__attribute__") || is (k, "alignas"))
        k = std::min (closing (k + 1), words.size ());
      else if (words[k].kind == NAME && ! angles && ! is (k, "__sim_device__") && ! is (k, "__sim_constant__") && ! is (k, "__sim_managed__"))
        last = text (k, k + 1);
      else if (c == '<')
        angles++;
      else if (c == '>')
        angles--;
      else if (angles)
        ;
      else if (c == '(' || c == ')')
        return;
      else if (c == '[' || c == '{')
        {
          if (last.empty ())
            return;
          k = std::min (closing (k), words.size ());
          if (c == '{' && ! is (k + 1, ";") && ! is (k + 1, ","))
            return;
        }
      else if (c == '=')
        while (k + 1 < words.size () && ! is (k + 1, ";") && ! is (k + 1, ","))
          k = is (k + 1, "{") || is (k + 1, "(") || is (k + 1, "[") ? std::min (closing (k + 1), words.size ()) : k + 1;
      else if (c == ',' || c == ';')
        {
          if (! last.empty ())
            found.push_back (last);
          if (c == ';')
            break;
        }
    }
  for (const std::string &name : found)
    {
      char &known = names[name];
      known = kind == 'd' && known ? known : kind;
    }
}

static std::string quoted (const std::string &text)
{
  std::string t = "\"";
  for (char c : text)
    {
      if (c == '"' || c == '\\')
        t += '\\';
      t += c == '\n' ? ' ' : c;
    }
  return t + "\"";
}

/* words[i] is the first < of a launch.  What is no launch after all is left to the compiler.  */
void translation::launch (size_t i)
{
  size_t begin = kernel_begin (i), k = i + 3;
  if (begin == std::string::npos || is (begin, "operator"))
    return;
  for (; k < words.size (); k++)
    if (is (k, ";"))
      return;
    else if (is (k, ">") && is (k + 1, ">") && is (k + 2, ">") && is (k + 3, "(") && beside (k))
      break;
    else if (is (k, "(") || is (k, "[") || is (k, "{"))
      k = std::min (closing (k), words.size ());
  const size_t open = k + 3, close = k < words.size () ? closing (open) : std::string::npos;
  if (close == std::string::npos)
    return;
  const std::string kernel = text (begin, i);
  edits.push_back ({ words[begin].from, words[begin].from, "sim_launch (" + quoted (kernel) + ", " + quoted (text (open + 1, close))
                     + ", [=] (auto &... sim_a) __attribute__ ((no_sanitize (\"thread\"))) { " });
  edits.push_back ({ words[i].from, words[i].from + 1, " (sim_value (sim_a)...); }, " });
  edits.push_back ({ words[i + 1].from, words[i + 1].to, "" });
  edits.push_back ({ words[i + 2].from, words[i + 2].to, "" });
  edits.push_back ({ words[k].from, words[k].to, ")" });
  edits.push_back ({ words[k + 1].from, words[k + 1].to, "" });
  edits.push_back ({ words[k + 2].from, words[k + 2].to, "" });
  for (size_t a = open + 1; a < close; a++)
    if (is (a, "__null"))       /* NULL: by value it would be a number */
      edits.push_back ({ words[a].from, words[a].to, "nullptr" });
}

/* cudaLaunchKernel ((void *) k, ...): the kernel without the cast has its parameters' types.  */
void translation::bare_kernel (size_t i)
{
  size_t k = i + 2, from = k, to;
  if (! is (i + 1, "("))
    return;
  if (is (k, "(") || (is (k, "reinterpret_cast") && is (k + 1, "<")))
    {
      k += is (k, "(") ? 1 : 2;
      k += is (k, "const");
      if (! is (k, "void"))
        return;
      k += 1 + is (k + 1, "const");
      if (! is (k, "*") || ! (is (k + 1, ")") || is (k + 1, ">")))
        return;
      to = k + 1;
      for (size_t w = from; w <= to; w++)
        edits.push_back ({ words[w].from, words[w].to, "" });
    }
}

std::string translation::result ()
{
  for (size_t i = 0; i < words.size (); i++)
    if (words[i].kind == NAME && s.compare (words[i].from, 6, "__sim_") == 0)
      {
        const bool global = is (i, "__sim_global__");
        if (global)
          note_kernel (i);
        else if (is (i, "__sim_device__") || is (i, "__sim_constant__") || is (i, "__sim_managed__"))
          note_variable (i, s[words[i].from + 6]);
        else
          continue;
        edits.push_back ({ words[i].from, words[i].to, global ? "__attribute__ ((noipa))" : "" });
      }
    else if (is (i, "cudaLaunchCooperativeKernel") || is (i, "cudaLaunchKernel"))
      bare_kernel (i);
    else if (i > 0 && is (i, "<") && is (i + 1, "<") && is (i + 2, "<") && beside (i) && ! is (i - 1, "operator"))
      launch (i);
  std::string out, list;
  size_t done = 0;
  std::multimap<size_t, const edit *> sorted;
  for (const edit &e : edits)
    sorted.insert ({ e.from, &e });
  for (const auto &e : sorted)
    {
      out.append (s, done, e.second->from - done);
      out += e.second->text;
      done = e.second->to;
    }
  out.append (s, done, std::string::npos);
  for (const auto &n : names)
    list += std::string (1, n.second) + ":" + n.first + ",";
  return out + "\nextern \"C\" __attribute__ ((visibility (\"default\"))) const char sim_program_names[] = " + quoted (list) + ";\n";
}

std::string translated (const std::string &program)
{
  return translation (program).result ();
}
