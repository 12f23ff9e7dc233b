#include <dlfcn.h>
#include <stdio.h>

#include "graded.h"
#include "values.h"
#include "variants.h"

bool open_module (const char *path, variants *v, std::string *why, bool graded)
{
  *v = { ladder_count, ladder_at, sim_kernel_of };
  if (! *path)
    return true;
  void *m = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (! m)
    {
      *why = dlerror ();
      return false;
    }
  v->count = (int (*) (void)) dlsym (m, "ladder_count");
  v->at = (const ladder_variant *(*) (int)) dlsym (m, "ladder_at");
  const void *(*touch) (void) = (const void *(*) (void)) dlsym (m, "sim_module_touch");
  v->kernel_of = (const void *(*) (const void *)) dlsym (m, "sim_kernel_of");
  if (! v->count || ! v->at || ! v->kernel_of || ! touch)
    {
      *why = std::string (path) + " is no module of ladder files for the simulator";
      return false;
    }
  touch ();
  return ! graded || describe_graded (m, (const void *) touch, why);
}

static std::string json_text (const char *s)
{
  return s ? json_string (s) : "null";
}

static std::string json_names (unsigned set, const char *const *names, int n)
{
  std::string s = "[";
  for (int i = 0; i < n; i++)
    if (set >> i & 1)
      s += std::string (s.size () > 1 ? "," : "") + "\"" + names[i] + "\"";
  return s + "]";
}

static std::string json_blocks (unsigned set)
{
  std::string s = "[";
  for (int i = 0; i < LADDER_BLOCKS; i++)
    if (set >> i & 1)
      s += (s.size () > 1 ? "," : "") + std::to_string (32 << i);
  return s + "]";
}

/* What gpu_trace takes without a word: of a kernel without a length, whole tiles of blocks of 64, or of its own.  */
static int default_n (const ladder_variant &v)
{
  return v.default_n || ! v.whole ? v.default_n : v.per_thread * (v.blocks & 1u << 1 ? 64 : v.default_block);
}

static void list_variant (const ladder_variant &v, bool first)
{
  unsigned ops = 0;
  std::string kernels;
  for (int op = 0; op < LADDER_OPS; op++)
    {
      unsigned types = 0;
      for (int type = 0; type < LADDER_TYPES; type++)
        for (int b = 0; b < LADDER_BLOCKS; b++)
          if (v.kernel[op][type][b])
            types |= 1u << type;
      if (types)
        kernels += std::string (kernels.empty () ? "" : ",") + "\"" + ladder_op_names[op] + "\":" + json_names (types, ladder_type_names, LADDER_TYPES);
      ops |= (unsigned) (types != 0) << op;
    }
  printf ("%s{\"name\":%s,\"file\":%s,\"family\":\"%s\",\"rank\":%d,\"aliases\":%s,\"idea\":%s,\"lesson\":%s,\"wrong\":%s,\"source\":%s,"
          "\"fault\":%s,\"per_thread\":%d,\"grid_stride\":%s,\"one_thread\":%s,\"in_place\":%s,\"finishes\":%s,\"blocks\":%s,"
          "\"default_finish\":\"%s\",\"default_block\":%d,\"default_n\":%d,\"shared_per_thread\":%d,\"shared_per_warp\":%d,\"shared_fixed\":%d,"
          "\"shared_per_bin\":%d,\"shared_per_warp_bin\":%d,\"packed\":%s,\"needs_major\":%d,\"scale\":%g,\"bias\":%g,\"ops\":%s,\"kernels\":{%s}}",
          first ? "" : ",\n", json_text (v.name).c_str (), json_text (v.file).c_str (), ladder_family_names[v.family], v.rank,
          json_text (v.aliases).c_str (), json_text (v.idea).c_str (), json_text (v.lesson).c_str (), json_text (v.wrong).c_str (),
          json_text (v.source).c_str (), json_text (v.fault).c_str (), v.per_thread, v.grid_stride ? "true" : "false",
          v.one_thread ? "true" : "false", v.in_place ? "true" : "false", json_names (v.finishes, ladder_finish_names, LADDER_FINISHES).c_str (),
          json_blocks (v.blocks).c_str (), ladder_finish_names[v.default_finish], v.default_block, default_n (v), v.shared_per_thread, v.shared_per_warp,
          v.shared_fixed, v.shared_per_bin, v.shared_per_warp_bin, v.packed ? "true" : "false", v.needs_major, v.scale, v.bias,
          json_names (ops, ladder_op_names, LADDER_OPS).c_str (), kernels.c_str ());
}

int list (const char *path, bool graded)
{
  variants v;
  std::string why;
  if (! open_module (path, &v, &why, graded))
    {
      fprintf (stderr, "%s\n", why.c_str ());
      return 1;
    }
  char what[512];
  for (int i = 0; *path && i < v.count (); i++)         /* the package's library rows have no kernels here */
    if (! ladder_is_sound (v.at (i), what, sizeof what))
      {
        fprintf (stderr, "%s\n", what);
        return 1;
      }
  printf ("[");
  for (int i = 0; i < v.count (); i++)
    list_variant (*v.at (i), i == 0);
  printf ("]\n");
  return 0;
}
