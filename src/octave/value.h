// gpuArray as a value of Octave's.

#ifndef GPR_OCTAVE_VALUE_H
#define GPR_OCTAVE_VALUE_H

#include <octave/ov.h>
#include <octave/ovl.h>

#include "../core/values.h"

const gpr_values_table *core ();
void raise_if (const char *failed, const char *who);
octave_value of_id (double id, bool computed);
double resident_id (const octave_value& x);             // 0: no gpuArray, or one without memory; an error where it is no longer valid
bool is_resident (const octave_value& x);
bool is_word (const octave_value& x);                   // a string of the host, one row
bool says (const octave_value& x, const char *word);    // this one
octave_value resident (const octave_value& x);          // a gpuArray of x where it is an array of a class that has them, else x
octave_value resident_over (const octave_value& x, const octave_value& devices);       // the same over several GPUs
octave_value on_host (const octave_value& x);           // of a gpuArray, else x
octave_value_list on_host (const octave_value_list& list);
octave_value adopted ();                                // what the gateway is about to return
void compute (const octave_value& x);                   // operations that wait for being wanted: of x, or (undefined) all
octave_value lazy_setting (const octave_value& wanted); // "on", "off"; undefined: only asked; the old one
bool is_valid (const octave_value& x);
void release (const octave_value& x);
std::string underlying_type (const octave_value& x);

octave_value called_by_name (const std::string& name, const octave_value_list& args);  // an operator, or by a kernel; undefined: neither
octave_value joined (int dim, const octave_value_list& args);          // cat along dim, from 0; undefined: not by a kernel
octave_value rearranged (const std::string& name, const octave_value_list& args);      // repmat and flips; undefined: not by a kernel

// gpu_reduce (X, OP) or (X, OP, "dim", DIM), in a call of who; undefined: another call.
octave_value reduced_by_name (const std::string& who, const octave_value_list& args, gpr_usual how = GPR_AS_NAMED);

bool is_of_slices (const std::string& function);        // gpu_softmax and its like
octave_value of_slices (const std::string& function, const octave_value_list& args);    // their usual call; undefined: the m-file's
bool is_plain_call (const octave_value_list& args);     // of a real floating-point gpuArray with elements, and one dimension

octave_value_list listed (const std::string& name, const octave_value_list& args, int nargout);  // find, sort, circshift, diff, ...; empty: not by a kernel
// By the device's libraries (linear.cc): *, \ and /; functions by name, and Fourier transforms; undefined or nothing: Octave's.
octave_value linear_operation (octave_value::binary_op op, const octave_value& a, const octave_value& b);
bool are_few (const octave_value_list& args, bool transform);   // matrices so small that Octave has the answer before a library of the device has begun
octave_idx_type few_elements (octave_idx_type n);       // says up to how many that is; what it was
octave_value_list linear_function (const std::string& name, const octave_value_list& args, int nargout);
void install_compound (octave::type_info& types, int a, int b);        // a' * b and its like

// Functions that make arrays (create.cc).
octave_value_list create (const std::string& name, const octave_value_list& args);
void shadow (bool on);
bool is_shadowed ();
void know_type ();                                      // also to load

// What Octave does on the host for want of a kernel: counted, and said or refused (gpu_config ("through_host")).
void note_through_host (const std::string& what);
octave_value through_host_setting (const octave_value& wanted);         // undefined: only asked; the old one

// Made where they lie, as the core's functions of these names (src/core/values.h).
octave_value filled (const std::string& who, const std::string& type, const dim_vector& dims, double number, bool diagonal = false);
octave_value generated (const std::string& name, const std::string& type, bool complex, const dim_vector& dims, const double *numbers);

octave_value array_of (const std::string& type, const dim_vector& dims);        // elements not set

#endif
