// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpuArray: a type of Octave's that holds a resident array of the core (src/core/values.h).  What it has no
// kernel for, it does in one way: the values come to the host, Octave does it, and the result goes back.

#include <dlfcn.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <octave/error.h>
#include <octave/interpreter.h>
#include <octave/ls-oct-binary.h>
#include <octave/ls-oct-text.h>
#include <octave/oct-map.h>
#include <octave/ov-base.h>
#include <octave/ov-builtin.h>
#include <octave/ov-complex.h>
#include <octave/ov-flt-complex.h>
#include <octave/ov-typeinfo.h>
#include <octave/parse.h>
#include <octave/symtab.h>

#include "../core/values.h"
#include "value.h"

// ---- the core ---------------------------------------------------------------------

// This file and the MEX module beside it, which Octave has loaded, do not go while Octave runs, whatever is cleared, unloaded or
// installed: values and the functions that Octave has of us may live as long.
static void *
stays (const std::string& file)
{
  void *opened = dlopen (file.c_str (), RTLD_NOW | RTLD_NODELETE);
  if (! opened)
    error ("gpuArray: %s", dlerror ());
  return opened;
}

static std::string
this_file ()
{
  Dl_info here;
  if (! dladdr (reinterpret_cast<void *> (&this_file), &here))
    error ("gpuArray: where its code is cannot be found");
  return here.dli_fname;
}

static const gpr_values_table *
open_core ()
{
  octave::feval ("__gpureduce__", ovl ("rules"), 1);
  const std::string file = this_file (), core = file.substr (0, file.rfind ('/') + 1) + "__gpureduce__.mex";
  void *module = stays (core);
  auto table = static_cast<const gpr_values_table *> (dlsym (module, "gpr_values"));
  if (! table || table->version != GPR_VALUES_VERSION)
    error_with_id ("gpureduce:unsupported", "gpuArray: %s is of another version of gpureduce: install the package again", core.c_str ());
  return table;
}

const gpr_values_table *
core ()
{
  static const gpr_values_table *table = open_core ();
  return table;
}

void
raise_if (const char *failed, const char *who)
{
  if (failed)
    error_with_id (failed, "%s: %s", who, core ()->message ());
}

// A resident array, shared by the values that are copies of one another.
struct owner
{
  owner (double id, bool computed) : handle { core (), id }, m_computed (computed) { }
  ~owner () { handle.core->release (handle.id); }
  owner (const owner&) = delete;
  owner& operator = (const owner&) = delete;

  gpr_value_handle handle;
  bool m_computed;              // by the core, which leaves complex what Octave makes real
};

class gpu_array;
static const gpu_array *as_resident (const octave_value& x);

// ---- the type ---------------------------------------------------------------------

class gpu_array : public octave_base_value
{
public:

  gpu_array () = default;       // an empty one of doubles: what x(3) = g begins with
  gpu_array (double id, bool computed) : m_data (std::make_shared<owner> (id, computed)) { }

  octave_base_value * clone () const { return new gpu_array (*this); }
  octave_base_value * empty_clone () const { return new gpu_array (); }

  gpr_value about () const;
  bool valid () const;
  void take (const octave_value& x);
  void release () const { if (m_data) m_data->handle.core->release (m_data->handle.id); }
  octave_value host () const;
  bool as_operand (gpr_value_operand *operand) const
  {
    about ();                   // valid
    *operand = { m_data ? m_data->handle.id : 0, 0, nullptr };
    return m_data != nullptr;
  }

  bool is_defined () const { return true; }
  bool is_constant () const { return true; }
  bool isobject () const { return true; }       // methods are found wherever the argument stands, and g.sum (2)
  bool is_matrix_type () const { return true; } // for x = g
  dim_vector dims () const;
  std::size_t byte_size () const { return valid () ? about ().bytes : 0; }
  bool isreal () const { return ! about ().complex; }
  bool iscomplex () const { return about ().complex; }
  bool islogical () const { return has_type ("logical"); }
  bool isfloat () const { return has_type ("double") || has_type ("single"); }
  bool isnumeric () const { return ! islogical () && ! has_type ("char"); }
  bool isinteger () const { return isnumeric () && ! isfloat (); }
  bool is_true () const { return host ().is_true (); }

  // Built-ins ask for these before they take a value, also what writes MATLAB's formats.
  bool is_double_type () const { return has_type ("double"); }
  bool is_single_type () const { return has_type ("single"); }
#define INTEGERS(TYPE) \
  bool is_ ## TYPE ## _type () const { return has_type (#TYPE); } \
  TYPE ## NDArray TYPE ## _array_value () const { return host ().TYPE ## _array_value (); } \
  octave_ ## TYPE TYPE ## _scalar_value () const { return host ().TYPE ## _scalar_value (); }
  INTEGERS (int8)
  INTEGERS (int16)
  INTEGERS (int32)
  INTEGERS (int64)
  INTEGERS (uint8)
  INTEGERS (uint16)
  INTEGERS (uint32)
  INTEGERS (uint64)
#undef INTEGERS
  bool is_string () const { return has_type ("char"); }
  bool is_scalar_type () const { return ! is_string () && dims ().numel () == 1; }
  bool is_real_scalar () const { return is_plain () && is_scalar_type () && isreal (); }
  bool is_complex_scalar () const { return is_scalar_type () && iscomplex (); }
  bool is_real_matrix () const { return is_plain () && ! is_scalar_type () && isreal (); }
  bool is_complex_matrix () const { return ! is_string () && ! is_scalar_type () && iscomplex (); }

  type_conv_info numeric_conversion_function () const;
  octave::idx_vector index_vector (bool integers = false) const { return host ().index_vector (integers); }
  double double_value (bool force = false) const { return host ().double_value (force); }
  float float_value (bool force = false) const { return host ().float_value (force); }
  Matrix matrix_value (bool force = false) const { return host ().matrix_value (force); }
  NDArray array_value (bool force = false) const { return host ().array_value (force); }
  FloatNDArray float_array_value (bool force = false) const { return host ().float_array_value (force); }
  ComplexNDArray complex_array_value (bool force = false) const { return host ().complex_array_value (force); }
  Complex complex_value (bool force = false) const { return host ().complex_value (force); }
  FloatComplex float_complex_value (bool force = false) const { return host ().float_complex_value (force); }
  FloatMatrix float_matrix_value (bool force = false) const { return host ().float_matrix_value (force); }
  ComplexMatrix complex_matrix_value (bool force = false) const { return host ().complex_matrix_value (force); }
  FloatComplexMatrix float_complex_matrix_value (bool force = false) const { return host ().float_complex_matrix_value (force); }
  FloatComplexNDArray float_complex_array_value (bool force = false) const { return host ().float_complex_array_value (force); }
  charMatrix char_matrix_value (bool force = false) const { return host ().char_matrix_value (force); }
  charNDArray char_array_value (bool force = false) const { return host ().char_array_value (force); }
  std::string string_value (bool force = false) const { return host ().string_value (force); }
  std::string xstring_value () const { return is_string () ? host ().string_value () : octave_base_value::xstring_value (); }
  string_vector string_vector_value (bool pad = false) const { return host ().string_vector_value (pad); }
  octave_value convert_to_str_internal (bool pad, bool force, char type) const { return host ().convert_to_str (pad, force, type); }
  bool bool_value (bool warn = false) const { return host ().bool_value (warn); }
  octave_map map_value () const { refuse (); }
  boolNDArray bool_array_value (bool warn = false) const { return host ().bool_array_value (warn); }

  octave_value do_index_op (const octave_value_list& idx, bool resize_ok = false);
  octave_value copy (const gpr_value_view& view) const;
  bool may_become_real () const;
  bool view_of (const octave_value_list& idx, gpr_value_view& view) const;
  octave_value placed (const octave_value_list& idx, const octave_value& rhs);
  octave_value subsref (const std::string& type, const std::list<octave_value_list>& idx)
  { return subsref (type, idx, 1)(0); }
  octave_value_list subsref (const std::string& type, const std::list<octave_value_list>& idx, int nargout);
  octave_value subsasgn (const std::string& type, const std::list<octave_value_list>& idx, const octave_value& rhs);

  octave_value map (unary_mapper_t f) const;
  octave_value reshape (const dim_vector& dims) const;
  octave_value permute (const Array<int>& order, bool inverse = false) const;
  octave_value resize (const dim_vector& dims, bool fill = false) const { return resident (host ().resize (dims, fill)); }
  octave_value squeeze () const;
  octave_value all (int dim = 0) const { return resident (host ().all (dim)); }         // switch (g)
  octave_value any (int dim = 0) const { return resident (host ().any (dim)); }
  octave_value full_value () const { return octave_value (clone ()); }

  void print (std::ostream& os, bool pr_as_read_syntax = false);
  void print_raw (std::ostream& os, bool pr_as_read_syntax = false) const { host ().print_raw (os, pr_as_read_syntax); }
  bool print_name_tag (std::ostream& os, const std::string& name) const;
  void short_disp (std::ostream& os) const { host ().short_disp (os); }

  bool save_ascii (std::ostream& os) { return save_text_data (os, host (), "value", false, 0); }
  bool load_ascii (std::istream& is);
  bool save_binary (std::ostream& os, bool save_as_floats)
  { return save_binary_data (os, host (), "value", "", false, save_as_floats); }
  bool load_binary (std::istream& is, bool swap, octave::mach_info::float_format format);

  bool save_hdf5 (octave_hdf5_id, const char *, bool) { refuse (); }

  // To the gateway the handle is the data; to others' MEX functions it is an array of the host.
  const void * mex_get_data () const { return m_data ? &m_data->handle : nullptr; }
  mxArray * as_mxArray (bool interleaved) const { return host ().as_mxArray (interleaved); }

private:

  [[noreturn]] static void refuse () { error ("gpuArray: this file format or function has no gpuArrays; use gather (X)"); }
  bool is_plain () const { return isfloat () || islogical (); }         // save -v7 would make integers double
  bool has_type (const char *type) const { return about ().type == std::string (type); }

  std::shared_ptr<owner> m_data;

  DECLARE_OV_TYPEID_FUNCTIONS_AND_DATA
};

DEFINE_OV_TYPEID_FUNCTIONS_AND_DATA (gpu_array, "gpuArray", "gpuArray");

bool
gpu_array::valid () const
{
  gpr_value v;
  return ! m_data || m_data->handle.core->describe (m_data->handle.id, &v);
}

gpr_value
gpu_array::about () const
{
  gpr_value v = { "double", false, 2, { 0, 0 }, 0 };
  if (m_data && ! m_data->handle.core->describe (m_data->handle.id, &v))
    error_with_id ("gpureduce:invalid-input", "gpuArray: the gpuArray is no longer valid: it was freed, or its device was reset");
  return v;
}

dim_vector
gpu_array::dims () const
{
  const gpr_value v = about ();
  dim_vector dims = dim_vector::alloc (v.ndims);
  for (int d = 0; d < v.ndims; d++)
    dims(d) = v.dims[d];
  return dims;
}

octave_value
gpu_array::host () const
{
  if (! m_data)
    return octave_value (NDArray (dim_vector (0, 0)));
  const gpr_value v = about ();
  octave_value x = array_of ((v.complex ? "complex " : "") + std::string (v.type), dims ());
  raise_if (core ()->download (m_data->handle.id, const_cast<void *> (x.mex_get_data ())), "gather");
  if (! v.complex || m_data->m_computed)
    x.maybe_mutate ();          // a number where it is one
  else if (x.numel () == 1)     // complex (1, 0) is complex as long as it is only kept
    x = v.type == std::string ("single") ? octave_value (new octave_float_complex (x.float_complex_value ()))
                                         : octave_value (new octave_complex (x.complex_value ()));
  return x;
}

static octave_base_value *
convert_to_host (const octave_base_value& v)
{
  return dynamic_cast<const gpu_array&> (v).host ().get_rep ().clone ();
}

octave_base_value::type_conv_info
gpu_array::numeric_conversion_function () const
{
  return type_conv_info (convert_to_host, host ().type_id ());  // with the type a logical h stays so in h(2) = g
}

// ---- elements as they lie: indices that are ranges, other orders ----------------------------

octave_value
gpu_array::copy (const gpr_value_view& view) const
{
  double id = 0;
  raise_if (core ()->copy (m_data->handle.id, &view, &id), "gpuArray");
  return id == 0 ? octave_value () : of_id (id, m_data->m_computed);
}

static void
call_sizes (gpr_value_view& view, const dim_vector& dims)
{
  view.ndims = dims.ndims ();
  for (int d = 0; d < view.ndims; d++)
    view.size[d] = dims(d);
}

// Adds a dimension of n elements, the first of them moved on by first strides.
static void
step_through (gpr_value_view& view, octave_idx_type n, octave_idx_type stride, octave_idx_type first = 0)
{
  view.offset += first * stride;
  view.dims[view.rank] = n;
  view.strides[view.rank++] = stride;
}

// Indices n that begin at first and go on by step, all below extent; false: others.
static bool
is_regular (const octave::idx_vector& i, octave_idx_type extent, octave_idx_type& n, octave_idx_type& first, octave_idx_type& step)
{
  n = i.length (extent);
  if (n == 0 || i.extent (extent) > extent || i.idx_class () == octave::idx_vector::class_mask)
    return false;
  first = i(0);
  step = n > 1 ? i(1) - i(0) : 0;
  if (i.is_colon () || i.is_range () || i.is_scalar ())
    return true;
  for (octave_idx_type k = 2; k < n; k++)
    if (i(k) - i(k - 1) != step)
      return false;
  return true;
}

// The elements that regular indices name, all there, and the sizes of what they are; false: others.
bool
gpu_array::view_of (const octave_value_list& idx, gpr_value_view& view) const
{
  const octave_idx_type count = idx.length ();
  const dim_vector all = dims ();
  if (! m_data || count == 0 || count >= GPR_VALUE_DIMS || all.numel () == 0 || iscomplex ())     // of complex numbers some may be real
    return false;
  const dim_vector folded = all.redim (count);
  dim_vector sizes = dim_vector::alloc (std::max<int> (count, 2));
  octave_idx_type stride = 1, n, first, step;
  view = { 0, 0, { }, { }, 0, { } };
  sizes(1) = 1;
  for (octave_idx_type k = 0; k < count; k++)
    {
      const octave_value subscript = on_host (idx(k));
      if (! (subscript.is_magic_colon () || subscript.isnumeric () || subscript.is_range ()))
        return false;
      const octave::idx_vector i = subscript.index_vector ();
      if (! is_regular (i, count == 1 ? all.numel () : folded(k), n, first, step))
        return false;
      step_through (view, n, step * stride);
      view.offset += first * stride;
      sizes(k) = n;
      if (count == 1)
        {
          const dim_vector shape = i.is_colon () ? dim_vector (n, 1) : subscript.dims ();
          int others = 0;       /* sizes that are not 1: of one the result has the array's direction */
          for (int d = 0; d < static_cast<int> (all.ndims ()); d++)
            others += all(d) != 1;
          const bool vector = all.ndims () == 2 && (all(0) == 1) != (all(1) == 1), line = shape.ndims () == 2 && (shape(0) == 1 || shape(1) == 1);
          if (shape.ndims () != 2 || (all.ndims () > 2 && others <= 1))
            return false;
          sizes = i.is_colon () || ! (vector && line && n != 1) ? shape : all(0) == 1 ? dim_vector (1, n) : dim_vector (n, 1);
        }
      stride *= folded(k);
    }
  sizes.chop_trailing_singletons ();
  call_sizes (view, sizes);
  return true;
}

octave_value
gpu_array::do_index_op (const octave_value_list& idx, bool resize_ok)
{
  gpr_value_view view;
  const octave_value done = ! resize_ok && view_of (idx, view) ? copy (view) : octave_value ();
  return done.is_defined () ? done : resident (host ().index_op (on_host (idx), resize_ok));
}

// Octave makes a result real where all imaginary parts are 0, which takes a look at all: of long arrays none is taken.
bool
gpu_array::may_become_real () const
{
  return iscomplex () && dims ().numel () <= 4096;
}

octave_value
gpu_array::reshape (const dim_vector& sizes) const
{
  const octave_idx_type n = dims ().numel ();
  if (! m_data || may_become_real () || n == 0 || sizes.numel () != n || sizes.ndims () > GPR_VALUE_DIMS)
    return resident (host ().reshape (sizes));
  gpr_value_view view = { 0, 0, { }, { }, 0, { } };
  step_through (view, n, 1);
  call_sizes (view, sizes);
  const octave_value done = copy (view);
  return done.is_defined () ? done : resident (host ().reshape (sizes));
}

octave_value
gpu_array::squeeze () const
{
  const dim_vector all = dims ();
  dim_vector sizes = dim_vector::alloc (std::max<int> (2, all.ndims ()));
  int count = 0;
  for (int d = 0; d < static_cast<int> (all.ndims ()); d++)
    if (all(d) != 1 || all.ndims () == 2)
      sizes(count++) = all(d);
  for (; count < 2; count++)
    sizes(count) = 1;
  sizes.resize (count);
  return reshape (sizes);
}

octave_value
gpu_array::permute (const Array<int>& order, bool inverse) const
{
  const dim_vector all = dims ();
  const int count = order.numel ();
  bool known = m_data && ! may_become_real () && all.numel () > 0 && count >= all.ndims () && count < GPR_VALUE_DIMS;
  if (known)
    {
      Array<int> from (dim_vector (count, 1), 0), seen (dim_vector (count, 1), 0);
      for (int d = 0; d < count && known; d++)
        {
          const int to = order(d);
          known = to >= 0 && to < count && seen(to) == 0;
          if (known)
            {
              seen(to) = 1;
              from(inverse ? to : d) = inverse ? d : to;
            }
        }
      gpr_value_view view = { 0, 0, { }, { }, 0, { } };
      const dim_vector wide = all.redim (count);
      dim_vector sizes = dim_vector::alloc (count);
      for (int d = 0; d < count && known; d++)
        {
          octave_idx_type stride = 1;
          for (int k = 0; k < from(d); k++)
            stride *= wide(k);
          step_through (view, wide(from(d)), stride);
          sizes(d) = wide(from(d));
        }
      sizes.chop_trailing_singletons ();
      call_sizes (view, sizes);
      const octave_value done = known ? copy (view) : octave_value ();
      if (done.is_defined ())
        return done;
    }
  return resident (host ().permute (order, inverse));
}

octave_value_list
gpu_array::subsref (const std::string& type, const std::list<octave_value_list>& idx, int nargout)
{
  auto next = idx.begin ();
  std::size_t used = 1;
  octave_value_list result;
  if (type[0] == '(')
    result = ovl (do_index_op (*next));
  else if (type[0] == '.')      // a method: g.sum (2)
    {
      const std::string name = (*next)(0).string_value ();
      octave_value_list args = ovl (octave_value (clone ()));
      if (type.length () > 1 && type[1] == '(')
        {
          args.append (*++next);
          used = 2;
        }
      if (octave::interpreter::the_interpreter ()->get_symbol_table ().find_method (name, "gpuArray").is_undefined ())
        error ("gpuArray: unknown method or property: %s", name.c_str ());
      result = octave::feval (name, args, nargout);     // g.delete () has no result
    }
  else
    error ("'{' undefined for arguments of type 'gpuArray'");
  return used < type.length () ? result(0).next_subsref (nargout, type, idx, used) : result;
}

octave_value
gpu_array::subsasgn (const std::string& type, const std::list<octave_value_list>& idx, const octave_value& rhs)
{
  if (type != "(")
    error ("gpuArray: only elements can be assigned to, by (...)");
  const octave_value done = placed (idx.front (), rhs);
  if (done.is_defined ())
    return done;
  octave_value x = host ();
  x.assign (octave_value::op_asn_eq, type, { on_host (idx.front ()) }, on_host (rhs));
  return resident (x);
}

void
gpu_array::print (std::ostream& os, bool pr_as_read_syntax)
{
  if (valid ())
    host ().print (os, pr_as_read_syntax);
  else
    os << "  deleted gpuArray\n";
}

bool
gpu_array::print_name_tag (std::ostream& os, const std::string& name) const
{
  if (valid ())
    return host ().print_name_tag (os, name);
  os << name << " =\n\n";
  return false;
}

void
gpu_array::take (const octave_value& x)
{
  const octave_value value = resident (x);
  if (! is_resident (value))
    error ("gpuArray: this is no array for one");
  m_data = dynamic_cast<const gpu_array&> (value.get_rep ()).m_data;
}

bool
gpu_array::load_ascii (std::istream& is)
{
  bool global;
  octave_value x;
  read_text_data (is, "", global, x, 0);
  take (x);
  return true;
}

bool
gpu_array::load_binary (std::istream& is, bool swap, octave::mach_info::float_format format)
{
  bool global;
  octave_value x;
  std::string doc;
  read_binary_data (is, swap, format, "", global, x, doc);
  take (x);
  return true;
}

// ---- operators ---------------------------------------------------------------------

static const char *const ways[] = { "quiet", "warn", "error" };
static int way;
static double times;

void
note_through_host (const std::string& what)
{
  times++;
  if (way == 1)
    warning_with_id ("gpureduce:through-host", "%s: gpuArrays have no kernel for this: Octave does it on the host", what.c_str ());
  else if (way == 2)
    error_with_id ("gpureduce:through-host", "%s: gpuArrays have no kernel for this, and gpu_config (\"through_host\") is \"error\"", what.c_str ());
}

octave_value
through_host_setting (const octave_value& wanted)
{
  const std::string old = ways[way];
  if (wanted.is_string () && wanted.string_value () == "count")
    return octave_value (times);
  if (wanted.is_defined ())
    {
      int next = 0;
      while (next < 3 && ! (wanted.is_string () && wanted.string_value () == ways[next]))
        next++;
      if (next == 3)
        error_with_id ("gpureduce:invalid-input", "gpu_config: \"through_host\" is \"quiet\", \"warn\" or \"error\"");
      way = next;
    }
  return octave_value (old);
}

// The one place where operators are done: by the built-in, on the host.
static octave_value
host_of (const octave_base_value& v)
{
  auto g = dynamic_cast<const gpu_array *> (&v);
  return g ? g->host () : octave_value (const_cast<octave_base_value *> (&v), true);
}

// A real scalar of the host, of a class that operations take; else an array.
static bool
as_operand (const octave_base_value& v, gpr_value_operand *operand, octave_value& kept)
{
  auto g = dynamic_cast<const gpu_array *> (&v);
  if (! g)
    {
      const octave_value x (const_cast<octave_base_value *> (&v), true);
      const std::string type = x.class_name ();
      if (x.iscomplex () || x.issparse () || ! (x.isnumeric () || x.islogical () || x.is_string ()) || type == "int64" || type == "uint64")
        return false;
      if (x.numel () == 1)
        {
          static const char *const types[] = { "double", "single", "int8", "int16", "int32", "uint8", "uint16", "uint32", "logical", "char" };
          *operand = { 0, x.is_string () ? static_cast<unsigned char> (x.char_array_value ()(0)) : x.double_value (), nullptr };
          for (const char *known : types)
            if (type == known)
              operand->type = known;
          return operand->type != nullptr;
        }
      kept = resident (x);
      g = dynamic_cast<const gpu_array *> (&kept.get_rep ());
    }
  return g && g->as_operand (operand);
}

// By a kernel; undefined where it is Octave's.
static octave_value
mapped (const char *operation, const octave_base_value& a, const octave_base_value *b)
{
  gpr_value_operand operands[2];
  octave_value kept[2];
  double id = 0;
  if (! operation || ! as_operand (a, &operands[0], kept[0]) || (b && ! as_operand (*b, &operands[1], kept[1])))
    return octave_value ();
  raise_if (core ()->map (operation, operands, b ? 2 : 1, &id), operation);
  return id == 0 ? octave_value () : of_id (id, false);
}

static bool
is_number (const octave_base_value& v)
{
  return v.dims ().numel () == 1;
}

static octave_value
binary (octave_value::binary_op op, const octave_base_value& a, const octave_base_value& b)
{
  const char *operation = nullptr;
  bool turned = false;
  switch (op)
    {
    case octave_value::op_add: operation = "plus"; break;
    case octave_value::op_sub: operation = "minus"; break;
    case octave_value::op_mul: operation = is_number (a) || is_number (b) ? "times" : nullptr; break;
    case octave_value::op_div: operation = is_number (b) ? "rdivide" : nullptr; break;
    case octave_value::op_pow: operation = is_number (a) && is_number (b) ? "power" : nullptr; break;
    case octave_value::op_ldiv: operation = is_number (a) ? "rdivide" : nullptr; turned = true; break;
    case octave_value::op_el_mul: operation = "times"; break;
    case octave_value::op_el_div: operation = "rdivide"; break;
    case octave_value::op_el_pow: operation = "power"; break;
    case octave_value::op_el_ldiv: operation = "rdivide"; turned = true; break;
    case octave_value::op_lt: operation = "lt"; break;
    case octave_value::op_le: operation = "le"; break;
    case octave_value::op_eq: operation = "eq"; break;
    case octave_value::op_ge: operation = "ge"; break;
    case octave_value::op_gt: operation = "gt"; break;
    case octave_value::op_ne: operation = "ne"; break;
    case octave_value::op_el_and: operation = "and"; break;
    case octave_value::op_el_or: operation = "or"; break;
    default: break;
    }
  octave_value done = turned ? mapped (operation, b, &a) : mapped (operation, a, &b);
  if (! done.is_defined ())
    done = linear_operation (op, octave_value (const_cast<octave_base_value *> (&a), true), octave_value (const_cast<octave_base_value *> (&b), true));
  if (done.is_defined ())
    return done;
  note_through_host (octave_value::binary_op_as_string (op));
  return resident (octave::binary_op (op, host_of (a), host_of (b)));
}

static octave_value
unary (octave_value::unary_op op, const octave_base_value& a)
{
  const char *operation = op == octave_value::op_not ? "not" : op == octave_value::op_uminus ? "uminus" : nullptr;
  auto g = dynamic_cast<const gpu_array *> (&a);
  if (op == octave_value::op_uplus)
    return octave_value (a.clone ());
  const bool turns = op == octave_value::op_transpose || (op == octave_value::op_hermitian && a.isreal ());
  Array<int> order (dim_vector (2, 1), 0);
  order(0) = 1;
  octave_value done = g && turns && a.dims ().ndims () == 2 ? g->permute (order) : mapped (operation, a, nullptr);
  if (! done.is_defined () && op == octave_value::op_hermitian)
    done = linear_adjoint (octave_value (const_cast<octave_base_value *> (&a), true));
  if (done.is_defined ())
    return done;
  note_through_host (octave_value::unary_op_as_string (op));
  return resident (octave::unary_op (op, host_of (a)));
}

// plus (g, 1, ...) and its like; undefined where Octave has to do it, also its errors.
octave_value
called_by_name (const std::string& name, const octave_value_list& args)
{
  static const struct { const char *name; octave_value::binary_op op; bool several; } operators[] = {
    { "plus", octave_value::op_add, true }, { "minus", octave_value::op_sub, false }, { "mtimes", octave_value::op_mul, true },
    { "mrdivide", octave_value::op_div, false }, { "mpower", octave_value::op_pow, false }, { "mldivide", octave_value::op_ldiv, false },
    { "times", octave_value::op_el_mul, true }, { "rdivide", octave_value::op_el_div, false }, { "power", octave_value::op_el_pow, false },
    { "ldivide", octave_value::op_el_ldiv, false }, { "lt", octave_value::op_lt, false }, { "le", octave_value::op_le, false },
    { "eq", octave_value::op_eq, false }, { "ge", octave_value::op_ge, false }, { "gt", octave_value::op_gt, false },
    { "ne", octave_value::op_ne, false }, { "and", octave_value::op_el_and, true }, { "or", octave_value::op_el_or, true }
  };
  static const struct { const char *name; octave_value::unary_op op; } unaries[] = {
    { "not", octave_value::op_not }, { "uminus", octave_value::op_uminus }, { "uplus", octave_value::op_uplus },
    { "transpose", octave_value::op_transpose }, { "ctranspose", octave_value::op_hermitian }
  };
  const octave_idx_type n = args.length ();
  for (const auto& o : operators)
    if (name == o.name && n >= 2 && (n == 2 || o.several))
      {
        octave_value result = octave::binary_op (o.op, args(0), args(1));
        for (octave_idx_type k = 2; k < n; k++)
          result = octave::binary_op (o.op, result, args(k));
        return result;
      }
  for (const auto& o : unaries)
    if (name == o.name && n == 1)
      return octave::unary_op (o.op, args(0));
  return n == 1 || n == 2 ? mapped (name.c_str (), args(0).get_rep (), n == 2 ? &args(1).get_rep () : nullptr) : octave_value ();
}

octave_value
gpu_array::map (unary_mapper_t f) const
{
  static const struct { unary_mapper_t mapper; const char *operation; } kernels[] = {
    { umap_abs, "abs" }, { umap_signum, "sign" }, { umap_floor, "floor" }, { umap_ceil, "ceil" }, { umap_round, "round" }, { umap_fix, "fix" },
    { umap_sqrt, "sqrt" }, { umap_exp, "exp" }, { umap_expm1, "expm1" }, { umap_log, "log" }, { umap_log2, "log2" }, { umap_log10, "log10" },
    { umap_log1p, "log1p" }, { umap_sin, "sin" }, { umap_cos, "cos" }, { umap_tan, "tan" }, { umap_asin, "asin" }, { umap_acos, "acos" },
    { umap_atan, "atan" }, { umap_sinh, "sinh" }, { umap_cosh, "cosh" }, { umap_tanh, "tanh" }, { umap_asinh, "asinh" }, { umap_acosh, "acosh" },
    { umap_atanh, "atanh" }, { umap_gamma, "gamma" }, { umap_lgamma, "lgamma" }, { umap_erf, "erf" }, { umap_erfc, "erfc" }, { umap_cbrt, "cbrt" },
    { umap_isnan, "isnan" }, { umap_isinf, "isinf" }, { umap_isfinite, "isfinite" }, { umap_isna, "isna" }, { umap_xsignbit, "signbit" }
  };
  const char *operation = nullptr;
  for (const auto& k : kernels)
    if (k.mapper == f)
      operation = k.operation;
  const octave_value done = mapped (operation, *this, nullptr);
  if (done.is_defined ())
    return done;
  note_through_host (get_umap_name (f));
  return resident (host ().get_rep ().map (f));
}

// x(idx) = rhs by a kernel, in place where nobody else has the array.
octave_value
gpu_array::placed (const octave_value_list& idx, const octave_value& rhs)
{
  gpr_value_view view;
  gpr_value_operand operand;
  octave_value kept;
  bool done = false;
  if (! rhs.is_defined () || ! view_of (idx, view) || ! ::as_operand (rhs.get_rep (), &operand, kept))
    return octave_value ();
  /* Sizes go together where they are the same but for ones.  */
  const dim_vector given = rhs.dims ();
  int at = 0;
  for (int d = 0; d < view.ndims && given.numel () != 1; d++)
    {
      while (at < given.ndims () && given(at) == 1)
        at++;
      if (view.size[d] != 1 && (at == given.ndims () || given(at++) != view.size[d]))
        return octave_value ();
    }
  while (given.numel () != 1 && at < given.ndims ())
    if (given(at++) != 1)
      return octave_value ();
  const octave_value here (this, true);
  const bool own = m_data.use_count () == 1 && here.get_count () == 2;  // ours and the variable's
  gpr_value_view all = { 0, 0, { }, { }, 0, { } };
  step_through (all, dims ().numel (), 1);
  call_sizes (all, dims ());
  octave_value whole = own ? here : copy (all);
  const auto g = as_resident (whole);
  gpr_value_operand there;
  if (! g || ! g->as_operand (&there))
    return octave_value ();
  raise_if (core ()->place (there.id, &view, &operand, &done), "gpuArray");
  return done ? whole : octave_value ();
}

// Whole numbers that are not negative, from an argument.
static bool
take_counts (const octave_value& given, std::vector<octave_idx_type>& counts)
{
  const octave_value x = on_host (given);
  if (! x.isnumeric () || x.iscomplex () || x.issparse ())
    return false;
  const NDArray all = x.array_value ();
  for (octave_idx_type k = 0; k < all.numel (); k++)
    {
      if (! (all(k) >= 0 && all(k) < 1e15 && all(k) == std::floor (all(k))))
        return false;
      counts.push_back (static_cast<octave_idx_type> (all(k)));
    }
  return true;
}

// repmat, flip, fliplr and flipud of arrays that Octave leaves complex; undefined: not by a kernel.
octave_value
rearranged (const std::string& name, const octave_value_list& args)
{
  const gpu_array *g = args.length () > 0 ? as_resident (args(0)) : nullptr;
  gpr_value_operand known;
  std::vector<octave_idx_type> counts;
  if (! g || ! g->as_operand (&known) || g->iscomplex () || g->dims ().numel () == 0)
    return octave_value ();
  for (octave_idx_type k = 1; k < args.length (); k++)
    if (! take_counts (args(k), counts))
      return octave_value ();
  dim_vector sizes = g->dims ();
  gpr_value_view view = { 0, 0, { }, { }, 0, { } };
  octave_idx_type stride = 1;
  if (name == "repmat")
    {
      if (counts.empty () || (args.length () > 2 && counts.size () != static_cast<std::size_t> (args.length () - 1)))
        return octave_value ();
      if (counts.size () == 1)
        counts.push_back (counts[0]);
      const int rank = std::max<int> (sizes.ndims (), counts.size ());
      if (2 * rank >= GPR_VALUE_DIMS)
        return octave_value ();
      sizes = sizes.redim (rank);
      counts.resize (rank, 1);
      for (int d = 0; d < rank; d++)
        {
          if (counts[d] == 0)
            return octave_value ();
          const octave_idx_type n = sizes(d);
          step_through (view, n, stride);
          step_through (view, counts[d], 0);
          stride *= n;
          sizes(d) = n * counts[d];
        }
    }
  else
    {
      octave_idx_type dim = name == "fliplr" ? 2 : name == "flipud" ? 1 : counts.empty () ? 0 : counts[0];
      if (args.length () > (name == "flip" ? 2 : 1) || counts.size () > 1 || (dim == 0 && ! counts.empty ()))
        return octave_value ();
      for (int d = 0; dim == 0; d++)
        if (sizes(d) != 1 || d + 1 == static_cast<int> (sizes.ndims ()))
          dim = sizes(d) != 1 ? d + 1 : 1;
      for (int d = 0; d < static_cast<int> (sizes.ndims ()); d++)
        {
          const bool turned = d + 1 == dim;
          step_through (view, sizes(d), turned ? -stride : stride);
          view.offset += turned ? (sizes(d) - 1) * stride : 0;
          stride *= sizes(d);
        }
    }
  sizes.chop_trailing_singletons ();
  call_sizes (view, sizes);
  return g->copy (view);
}

// Real arrays of one class, none empty, along a dimension; undefined where it is Octave's.
octave_value
joined (int dim, const octave_value_list& args)
{
  const octave_idx_type count = args.length ();
  octave_value_list parts (count);
  dim_vector sizes;
  std::string type;
  for (octave_idx_type k = 0; k < count; k++)
    {
      parts(k) = resident (args(k));
      if (! is_resident (parts(k)) || parts(k).iscomplex () || parts(k).numel () == 0)
        return octave_value ();
      dim_vector own = parts(k).dims ();
      own = own.redim (std::max<int> (own.ndims (), dim + 1));
      if (k == 0)
        {
          sizes = own;
          type = underlying_type (parts(k));
          continue;
        }
      if (underlying_type (parts(k)) != type || own.ndims () != sizes.ndims ())
        return octave_value ();
      for (int d = 0; d < static_cast<int> (own.ndims ()); d++)
        if (d != dim && own(d) != sizes(d))
          return octave_value ();
      sizes(dim) += own(dim);
    }
  if (count < 2 || sizes.ndims () >= GPR_VALUE_DIMS)
    return octave_value ();
  gpr_value v = { type.c_str (), false, static_cast<int> (sizes.ndims ()), { }, 0 };
  octave_idx_type before = 1, at = 0;
  for (int d = 0; d < v.ndims; d++)
    {
      v.dims[d] = sizes(d);
      before *= d < dim ? sizes(d) : 1;
    }
  gpr_value_operand operand, first;
  as_resident (parts(0))->as_operand (&first);
  double id = 0;
  raise_if (core ()->make (first.id, &v, &id), "gpuArray");
  const octave_value all = of_id (id, false);
  for (octave_idx_type k = 0; k < count; k++)
    {
      gpr_value_view view = { at * before, 0, { }, { }, 0, { } };
      bool done = false;
      const octave_idx_type n = parts(k).dims ().redim (sizes.ndims ())(dim);
      step_through (view, before * n, 1);
      step_through (view, sizes.numel () / (before * sizes(dim)), before * sizes(dim));
      as_resident (parts(k))->as_operand (&operand);
      raise_if (core ()->place (id, &view, &operand, &done), "gpuArray");
      if (! done)
        return octave_value ();
      at += n;
    }
  return all;
}

// Octave wants a function for each.
template <int OP>
static octave_value
binary_of (const octave_base_value& a, const octave_base_value& b)
{
  return binary (static_cast<octave_value::binary_op> (OP), a, b);
}

template <int OP>
static octave_value
unary_of (const octave_base_value& a)
{
  return unary (static_cast<octave_value::unary_op> (OP), a);
}

template <int... OPS>
static void
install_binary (octave::type_info& types, int a, int b, std::integer_sequence<int, OPS...>)
{
  (void) std::initializer_list<bool> { types.install_binary_op (static_cast<octave_value::binary_op> (OPS), a, b, binary_of<OPS>)... };
}

template <int... OPS>
static void
install_unary (octave::type_info& types, int a, std::integer_sequence<int, OPS...>)
{
  (void) std::initializer_list<bool> { types.install_unary_op (static_cast<octave_value::unary_op> (OPS), a, unary_of<OPS>)... };
}

template <octave_value::binary_op OP>
static void
step (octave_base_value& a)
{
  auto& g = dynamic_cast<gpu_array&> (a);
  const octave_value next = binary (OP, g, octave_value (1.0).get_rep ());
  g.take (next);
}

// In [g; 9 9] Octave asks for a method of each row's class: it may take the built-in.
static void
concatenate_host_rows ()
{
  octave::symbol_table& symbols = octave::interpreter::the_interpreter ()->get_symbol_table ();
  for (const char *name : { "horzcat", "vertcat" })
    {
      auto function = dynamic_cast<octave_builtin *> (symbols.find_built_in_function (name).function_value (true));
      if (function)
        for (const char *type : { "double", "single", "logical", "char", "int8", "int16", "int32", "int64",
                                  "uint8", "uint16", "uint32", "uint64", "cell" })
          function->push_dispatch_class (type);
    }
}

static bool
register_once ()
{
  stays (this_file ());
  concatenate_host_rows ();
  octave::type_info& types = octave::interpreter::the_interpreter ()->get_type_info ();
  gpu_array::register_type (types);
  const int g = gpu_array::static_type_id ();
  const int count = types.installed_type_names ().numel ();
  for (int t = 0; t < count; t++)
    {
      const auto all = std::make_integer_sequence<int, octave_value::num_binary_ops> ();
      install_binary (types, g, t, all);
      install_compound (types, g, t);
      if (t != g)
        {
          install_binary (types, t, g, all);
          install_compound (types, t, g);
        }
    }
  install_unary (types, g, std::make_integer_sequence<int, octave_value::op_incr> ());
  types.install_non_const_unary_op (octave_value::op_incr, g, step<octave_value::op_add>);
  types.install_non_const_unary_op (octave_value::op_decr, g, step<octave_value::op_sub>);
  return true;
}

// ---- for the other functions ---------------------------------------------------------

static const gpu_array *
as_resident (const octave_value& x)
{
  return dynamic_cast<const gpu_array *> (&x.get_rep ());
}

bool
is_resident (const octave_value& x)
{
  return as_resident (x) != nullptr;
}

void
know_type ()
{
  static const bool registered = register_once ();
  (void) registered;
}

octave_value
of_id (double id, bool computed)
{
  know_type ();
  return octave_value (new gpu_array (id, computed));
}

octave_value
resident (const octave_value& given)
{
  if (is_resident (given))
    return given;
  if (! (given.isnumeric () || given.islogical () || given.is_string ()) || given.issparse () || given.isobject ())
    return given;
  const bool packed = given.is_range () || given.is_diag_matrix () || given.is_perm_matrix ();
  const octave_value x = packed ? given.full_value () : given;          // full_value would make 1 + 0i real
  const dim_vector dims = x.dims ();
  gpr_value v = { nullptr, x.iscomplex (), static_cast<int> (dims.ndims ()), { }, 0 };
  if (v.ndims > GPR_VALUE_DIMS)
    return given;
  const std::string type = x.class_name ();
  v.type = type.c_str ();
  for (int d = 0; d < v.ndims; d++)
    v.dims[d] = dims(d);
  double id;
  const char *warning;
  raise_if (core ()->upload (&v, x.mex_get_data (), &id, &warning), "gpuArray");
  const octave_value g = of_id (id, false);
  if (warning)
    warning_with_id ("gpureduce:cpu-fallback", "%s", warning);
  return g;
}

octave_value
on_host (const octave_value& x)
{
  const gpu_array *g = as_resident (x);
  return g ? g->host () : x;
}

double
resident_id (const octave_value& x)
{
  const gpu_array *g = as_resident (x);
  gpr_value_operand operand;
  return g && g->as_operand (&operand) ? operand.id : 0;
}

octave_value_list
on_host (const octave_value_list& list)
{
  octave_value_list hosts = list;
  for (octave_idx_type i = 0; i < hosts.length (); i++)
    hosts(i) = on_host (list(i));
  return hosts;
}

octave_value
adopted ()
{
  const double id = core ()->claim ();
  if (id == 0)
    error_with_id ("gpureduce:invalid-input", "__gpr_octave__: there is no array to adopt");
  return of_id (id, true);
}

bool
is_valid (const octave_value& x)
{
  const gpu_array *g = as_resident (x);
  return g && g->valid ();
}

void
release (const octave_value& x)
{
  const gpu_array *g = as_resident (x);
  if (g)
    g->release ();
}

std::string
underlying_type (const octave_value& x)
{
  const gpu_array *g = as_resident (x);
  return g ? g->about ().type : x.class_name ();
}
