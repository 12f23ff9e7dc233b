// Copyright (C) 2026 The gpureduce developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// gpuArray: a type of Octave's that holds a resident array of the core (src/core/values.h).  What it has no
// kernel for, it does in one way: the values come to the host, Octave does it, and the result goes back.

#include <dlfcn.h>

#include <algorithm>
#include <string>

#include <octave/interpreter.h>
#include <octave/ls-oct-binary.h>
#include <octave/ls-oct-text.h>
#include <octave/oct-map.h>
#include <octave/ov-builtin.h>
#include <octave/ov-complex.h>
#include <octave/ov-flt-complex.h>
#include <octave/symtab.h>

#include "gpu_array.h"

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
  octave::feval ("__gpureduce__", ovl ("rules"), 1);    // loads it; and what reduce needs to know of this Octave is known then
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
  if (failed && failed == std::string ("gpureduce:interrupted"))
    octave_quit ();             // no error, which a script would catch
  if (failed)
    error_with_id (failed, "%s: %s", who, core ()->message ());
}

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
  gpr_value v = { "double", false, 2, { 0, 0 }, 0, false };
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

static void
give_back (void *lender)
{
  delete static_cast<octave_value *> (lender);
}

// The same elements in a value of its own.  Those of a slice Octave moves, in a value that is kept, unless another array has them, too.
static octave_value
holder_of (const octave_value& x)
{
  return octave_value (x.get_rep ().clone ());
}

octave_value
gpu_array::host () const
{
  if (! m_data)
    return octave_value (NDArray (dim_vector (0, 0)));
  const gpr_value v = about ();
  const double id = m_data->handle.id;
  auto lender = static_cast<const octave_value *> (core ()->lender (id));
  octave_value x = lender ? holder_of (*lender) : array_of ((v.complex ? "complex " : "") + std::string (v.type), dims ());
  if (! lender)
    raise_if (core ()->download (id, const_cast<void *> (x.mex_get_data ()), new octave_value (holder_of (x)), give_back), "gather");
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
gpu_array::save_ascii (std::ostream& os)
{
  return save_text_data (os, host (), "value", false, 0);
}

bool
gpu_array::save_binary (std::ostream& os, bool save_as_floats)
{
  return save_binary_data (os, host (), "value", "", false, save_as_floats);
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
  install_operators (types, gpu_array::static_type_id ());
  return true;
}

// ---- for the other functions ---------------------------------------------------------

const gpu_array *
as_resident (const octave_value& x)
{
  return dynamic_cast<const gpu_array *> (&x.get_rep ());
}

bool
is_resident (const octave_value& x)
{
  return as_resident (x) != nullptr;
}

bool
is_word (const octave_value& x)
{
  return x.is_string () && ! is_resident (x) && x.ndims () == 2 && x.rows () == 1;
}

bool
says (const octave_value& x, const char *word)
{
  return is_word (x) && x.string_value () == word;
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

static gpr_value
value_of (const std::string& type, bool complex, const dim_vector& dims)
{
  gpr_value v = { type.c_str (), complex, static_cast<int> (dims.ndims ()), { }, 0, false };
  for (int d = 0; d < v.ndims; d++)
    v.dims[d] = dims(d);
  return v;
}

// What the core has made of nothing, or why not: of too little memory the built-in's words come first.
static octave_value
made (const std::string& who, const char *failed, double id, const char *warning)
{
  if (failed && failed == std::string ("gpureduce:out-of-memory"))
    error_with_id (failed, "out of memory or dimension too large for Octave's index type: %s: %s", who.c_str (), core ()->message ());
  raise_if (failed, who.c_str ());
  if (id == 0)
    return octave_value ();
  const octave_value g = of_id (id, false);
  if (warning)
    warning_with_id ("gpureduce:cpu-fallback", "%s", warning);
  return g;
}

octave_value
filled (const std::string& who, const std::string& type, const dim_vector& dims, double number, bool diagonal)
{
  const gpr_value v = value_of (type, false, dims);
  double id;
  const char *warning, *failed = core ()->fill (&v, number, diagonal, &id, &warning);
  return made (who, failed, id, warning);
}

octave_value
generated (const std::string& name, const std::string& type, bool complex, const dim_vector& dims, const double *numbers)
{
  const gpr_value v = value_of (type, complex, dims);
  double id;
  const char *warning, *failed = core ()->generate (name.c_str (), &v, numbers, &id, &warning);
  return made (name, failed, id, warning);
}

// Full, of a class that there is; or undefined.
static octave_value
array_that_can_be (const octave_value& given)
{
  if (! (given.isnumeric () || given.islogical () || given.is_string ()) || given.issparse () || given.isobject ())
    return octave_value ();
  const bool packed = given.is_range () || given.is_diag_matrix () || given.is_perm_matrix ();
  const octave_value x = packed ? given.full_value () : given;          // full_value would make 1 + 0i real
  return x.ndims () > GPR_VALUE_DIMS ? octave_value () : x;
}

octave_value
resident (const octave_value& given)
{
  if (is_resident (given))
    return given;
  if (given.is_range () && given.is_double_type () && given.numel () > 1)
    {
      const auto r = given.range_value ();
      const double numbers[] = { r.base (), r.increment (), r.final_value () };
      const octave_value range = generated ("colon", "double", false, given.dims (), numbers);
      if (range.is_defined ())
        return range;
    }
  const octave_value x = array_that_can_be (given);
  if (x.is_undefined ())
    return given;
  const std::string type = x.class_name ();
  const gpr_value v = value_of (type, x.iscomplex (), x.dims ());
  double id;
  auto lender = new octave_value (holder_of (x));
  const char *warning, *failed = core ()->upload (&v, lender->mex_get_data (), lender, give_back, &id, &warning);
  raise_if (failed, "gpuArray");
  return made ("gpuArray", nullptr, id, warning);
}

octave_value
resident_over (const octave_value& given, const octave_value& devices)
{
  const octave_value x = array_that_can_be (on_host (given));
  if (x.is_undefined ())
    return given;
  const std::string type = x.class_name (), names = devices.is_string () ? devices.string_value () : "";
  const octave_value numbers = devices.is_string () ? octave_value (Matrix ()) : on_host (devices);
  if (! (numbers.is_double_type () && numbers.isreal () && numbers.ndims () == 2 && (devices.is_string () || numbers.rows () == 1 || numbers.columns () == 1)))
    error_with_id ("gpureduce:invalid-input", "gpuArray: devices must be \"all\" or numbers of GPUs from 1, none twice");
  const Matrix list = numbers.matrix_value ();
  const gpr_value v = value_of (type, x.iscomplex (), x.dims ());
  double id;
  bool several;
  const int count = static_cast<int> (std::min<octave_idx_type> (list.numel (), 1 << 20));
  raise_if (core ()->spread (&v, x.mex_get_data (), devices.is_string () ? names.c_str () : nullptr, list.data (), count, &id, &several), "gpuArray");
  return several ? of_id (id, false) : resident (given);
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

void
compute (const octave_value& x)
{
  const gpu_array *g = as_resident (x);
  gpr_value_operand operand = { 0, 0, nullptr };
  if (x.is_undefined () || (g && g->as_operand (&operand)))
    raise_if (core ()->wait (operand.id), "gpuArray");
}

octave_value
lazy_setting (const octave_value& wanted)
{
  const std::string next = wanted.is_string () ? wanted.string_value () : "";
  if (wanted.is_defined () && next != "on" && next != "off")
    error_with_id ("gpureduce:invalid-input", "gpu_config: \"lazy\" is \"on\" or \"off\"");
  return octave_value (core ()->lazy (wanted.is_defined () ? next == "on" : -1) ? "on" : "off");
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

