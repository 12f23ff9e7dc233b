// The value type, for the files that give it operators, indices and shapes.

#ifndef GPR_OCTAVE_GPU_ARRAY_H
#define GPR_OCTAVE_GPU_ARRAY_H

#include <memory>
#include <string>

#include <octave/error.h>
#include <octave/ov-base.h>
#include <octave/ov-typeinfo.h>
#include <octave/parse.h>

#include "../core/values.h"
#include "value.h"


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
  octave_value writable ();     // with elements that no other value has; undefined: there are none
  // By lists and masks; undefined where it is Octave's.
  octave_value selected (const octave_value_list& idx) const;
  octave_value assigned (const octave_value_list& idx, const octave_value& rhs);
  octave_value deleted (const octave_value_list& idx) const;
  octave_value grown (const dim_vector& sizes) const;
  octave_value filled_beside (const char *type, double number) const;   // of its sizes, of one number of a class; undefined: Octave's
  Array<octave_idx_type> sort_rows_idx (sortmode mode = ASCENDING) const;
  octave_value subsref (const std::string& type, const std::list<octave_value_list>& idx)
  { return subsref (type, idx, 1)(0); }
  octave_value_list subsref (const std::string& type, const std::list<octave_value_list>& idx, int nargout);
  octave_value subsasgn (const std::string& type, const std::list<octave_value_list>& idx, const octave_value& rhs);

  bool fast_elem_insert (octave_idx_type n, const octave_value& x);     // where cellfun and arrayfun put their results

  octave_value map (unary_mapper_t f) const;
  octave_value part_of_reals (unary_mapper_t f) const;
  octave_value reshape (const dim_vector& dims) const;
  octave_value transposed () const;
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

  bool save_ascii (std::ostream& os);
  bool load_ascii (std::istream& is);
  bool save_binary (std::ostream& os, bool save_as_floats);
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

const gpu_array *as_resident (const octave_value& x);   // NULL: it is none
octave_value host_of (const octave_base_value& v);

// A real scalar of the host, of a class that operations take; else an array, kept as long as kept is.
bool as_operand (const octave_base_value& v, gpr_value_operand *operand, octave_value& kept);

void install_operators (octave::type_info& types, int g);       // g: the type's number

octave_value made_of_steps (const std::string& name, const octave_value_list& args);   // of a gpuArray; undefined: it is Octave's
octave_value equal_arrays (const octave_value_list& args);     // isequal, the same

// Indices n that begin at first and go on by step, all below extent; false: others.
bool is_regular (const octave::idx_vector& i, octave_idx_type extent, octave_idx_type& n, octave_idx_type& first, octave_idx_type& step);
bool goes_into (int ndims, const int64_t *size, const dim_vector& given);      // sizes are the same but for ones, or it is one element

// Views (gpr_value_view).
void call_sizes (gpr_value_view& view, const dim_vector& dims);
// Adds a dimension of n elements, the first of them moved on by first strides.
void step_through (gpr_value_view& view, octave_idx_type n, octave_idx_type stride, octave_idx_type first = 0);

#endif
