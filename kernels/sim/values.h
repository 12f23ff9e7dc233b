/* Values of a ladder file's types, and JSON.  */

#ifndef SIM_VALUES_H
#define SIM_VALUES_H

#include <stdint.h>
#include <string>

typedef uint32_t u32;
typedef uint64_t u64;

enum value_type { T_F64, T_F32, T_I32, T_U8, T_U32, T_U64, T_F64_PAIR, T_F32_PAIR, T_I32_PAIR, T_I64 };
int value_bytes (value_type t);
std::string json_value (value_type t, const void *p);
std::string json_string (const std::string &s);

#endif
