#include <math.h>
#include <stdio.h>
#include <string.h>

#include "values.h"

int value_bytes (value_type t)
{
  static const int bytes[] = { 8, 4, 4, 1, 4, 8, 16, 16, 16, 8 };
  return bytes[t];
}

std::string json_string (const std::string &s)
{
  std::string r = "\"";
  for (unsigned char c : s)
    if (c == '"' || c == '\\')
      (r += '\\') += (char) c;
    else if (c < 32)
      {
        char code[8];
        snprintf (code, sizeof code, "\\u%04x", c);
        r += code;
      }
    else
      r += (char) c;
  return r + "\"";
}

static std::string json_double (double v, int digits)
{
  char text[40];
  if (v != v)
    return "\"NaN\"";
  if (isinf (v))
    return v > 0 ? "\"Inf\"" : "\"-Inf\"";
  snprintf (text, sizeof text, "%.*g", digits, v);
  return text;
}

template <class T> static T load (const void *p)
{
  T v;
  memcpy (&v, p, sizeof v);
  return v;
}

std::string json_value (value_type t, const void *p)
{
  const char *second = (const char *) p + 8;
  switch (t)
    {
    case T_F64: return json_double (load<double> (p), 17);
    case T_F32: return json_double (load<float> (p), 9);
    case T_I32: return std::to_string (load<int32_t> (p));
    case T_U8: return std::to_string (load<uint8_t> (p));
    case T_U32: return std::to_string (load<u32> (p));
    case T_I64: return std::to_string (load<int64_t> (p));
    case T_U64: return std::to_string (load<u64> (p));
    default: break;
    }
  /* A pair: the index, none at first, and the value.  */
  int64_t i = load<int64_t> (p);
  if (i == INT64_MAX)
    return "[null,null]";
  return "[" + json_value (t == T_F64_PAIR ? T_F64 : t == T_F32_PAIR ? T_F32 : T_I32, second) + "," + std::to_string (i) + "]";
}
