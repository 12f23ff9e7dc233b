#include <math.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <limits>

#include "check.h"
#include "fibers.h"

template <class X> static X element_of (const char *data, int64_t i)
{
  X x;
  memcpy (&x, data + i * (int64_t) sizeof x, sizeof x);
  return x;
}

static void wrong (const std::string &what)
{
  if (! F.kind)
    set_fault (WRONG_RESULT, NULL, 0, what);
}

template <class X> static void check_reduction (const run_state &s, const char *data, value_type type, double chain)
{
  const int op = s.r->op;
  const int64_t n = s.r->n;
  const bool exact = std::is_integral<X>::value || op == LADDER_MAX || op == LADDER_MIN;
  X got = element_of<X> ((const char *) s.answer->value, 0), best = 0;
  uint32_t whole = op == LADDER_PROD;
  long double sum = 0, size = 0, product = 1, least = 1;
  bool any = false;

  for (int64_t i = 0; i < n; i++)
    {
      X x = ladder_scaled (element_of<X> (data, i), s.scale, s.bias);
      if (op == LADDER_MAX || op == LADDER_MIN)
        {
          if (x == x && (! any || (op == LADDER_MAX ? x > best : x < best)))
            best = x;
          any = any || x == x;
        }
      else if (std::is_integral<X>::value)
        whole = op == LADDER_SUM ? whole + (uint32_t) x : whole * (uint32_t) x;
      else
        {
          sum += x;
          size += fabsl ((long double) x);
          product *= x;
          least = std::min (least, fabsl (product));
        }
    }
  if (exact)
    {
      if (std::is_integral<X>::value && op != LADDER_MAX && op != LADDER_MIN)
        best = (X) whole, any = true;
      if (any && memcmp (&got, &best, sizeof got) && ! (got == best))
        wrong (std::string ("the ") + ladder_op_names[op] + " is " + json_value (type, &got) + " where " + json_value (type, &best) + " is right");
      return;
    }
  const long double eps = std::numeric_limits<X>::epsilon (), most = std::numeric_limits<X>::max (), small = std::numeric_limits<X>::min ();
  if (op == LADDER_PROD)
    {
      /* Out of range on the way: nothing is said.  */
      if (! (least > small && fabsl (product) < most) || got != got)
        return;
      sum = product;
      size = fabsl (product);
      chain = (double) n;
    }
  if (! (size < most / 2))
    return;
  X right = (X) sum;
  if (! (fabsl ((long double) got - sum) <= 2 * chain * eps * size))
    {
      std::string what = std::string ("the ") + ladder_op_names[op] + " is " + json_value (type, &got) + " where " + json_value (type, &right) + " is right";
      if (op == LADDER_SUM && sum > 0)
        {
          X lost = (X) (sum - (long double) got);
          char percent[32];
          snprintf (percent, sizeof percent, "%.3g", (double) (100 * (sum - (long double) got) / sum));
          what += std::string (": ") + json_value (type, &lost) + " was lost, " + percent + " %";
        }
      wrong (what);
    }
}

template <class X> static void check_index_of (const run_state &s, const char *data, value_type type)
{
  int64_t best = INT64_MAX;
  X value = 0;
  for (int64_t i = 0; i < s.r->n; i++)
    {
      X x = element_of<X> (data, i);
      if (x == x && (best == INT64_MAX || (s.r->op == LADDER_ARGMAX ? x > value : x < value)))
        {
          best = i;
          value = x;
        }
    }
  if (best == INT64_MAX || s.answer->index == best)
    return;
  std::string what = "the index is " + std::to_string (s.answer->index) + " where " + std::to_string (best) + " is right: ";
  if (s.answer->index >= 0 && s.answer->index < s.r->n && element_of<X> (data, s.answer->index) == value)
    what += "both hold " + json_value (type, &value) + ", and the first counts";
  else
    what += "x[" + std::to_string (best) + "] = " + json_value (type, &value);
  wrong (what);
}

template <class X> static void check_counts (const run_state &s, const char *data)
{
  std::vector<u64> right ((size_t) s.r->bins);
  const double *e = s.edges, *end = e + s.r->bins + 1;
  for (int64_t i = 0; i < s.r->n; i++)
    {
      double v = (double) element_of<X> (data, i);
      if (! (v >= e[0] && v <= end[-1]))
        continue;
      int64_t k = std::upper_bound (e, end, v) - e - 1;
      right[(size_t) std::min<int64_t> (k, s.r->bins - 1)]++;
    }
  for (int k = 0; k < s.r->bins; k++)
    if (right[(size_t) k] != s.counts[(size_t) k])
      {
        wrong ("bin " + std::to_string (k) + " holds " + std::to_string (s.counts[(size_t) k]) + " where " + std::to_string (right[(size_t) k]) + " is right");
        return;
      }
}


/* ---- by element type -------------------------------------------------------------------------- */

void check_result (const run_state &s, const char *data, value_type type, double chain)
{
  if (type == T_F64)
    check_reduction<double> (s, data, type, chain);
  else if (type == T_F32)
    check_reduction<float> (s, data, type, chain);
  else
    check_reduction<int32_t> (s, data, type, chain);
}

void check_index (const run_state &s, const char *data, value_type type)
{
  if (type == T_F64)
    check_index_of<double> (s, data, type);
  else if (type == T_F32)
    check_index_of<float> (s, data, type);
  else
    check_index_of<int32_t> (s, data, type);
}

void check_histogram (const run_state &s, const char *data)
{
  switch (s.r->type)
    {
    case LADDER_DOUBLE: check_counts<double> (s, data); break;
    case LADDER_SINGLE: check_counts<float> (s, data); break;
    case LADDER_INT32: check_counts<int32_t> (s, data); break;
    default: check_counts<uint8_t> (s, data); break;
    }
}
