/* Turned elements: some of their bits are inverted, so that the least, or the greatest, of real numbers
   is the greatest of signed ones:

     for the least       the sign of a floating-point number, all bits of an integer
     of unsigned ones    the top bit, besides

   One kernel does for all of them, and turns the result back.  NaN stays NaN.  */

#ifndef GPR_TURN_H
#define GPR_TURN_H

#include "scalars.h"

/* The bits, over and over in 8 bytes.  Complex numbers are not turned.  */
GPR_FN u64 gpr_turn (enum gpr_elem elem, int least)
{
  const int is_float = elem == GPR_f64 || elem == GPR_f32;
  const int is_unsigned = elem == GPR_u8 || elem == GPR_u16 || elem == GPR_u32 || elem == GPR_u64;
  const u64 tops = elem == GPR_i8 || elem == GPR_u8 ? 0x8080808080808080u : elem == GPR_i16 || elem == GPR_u16 ? 0x8000800080008000u
                   : elem == GPR_f32 || elem == GPR_i32 || elem == GPR_u32 ? 0x8000000080000000u : 0x8000000000000000u;
  if (elem == GPR_c128 || elem == GPR_c64)
    return 0;
  return (! least ? 0 : is_float ? tops : ~(u64) 0) ^ (is_unsigned ? tops : 0);
}

/* The type that turned elements have.  */
GPR_FN enum gpr_elem gpr_turned_elem (enum gpr_elem elem)
{
  return elem == GPR_u8 ? GPR_i8 : elem == GPR_u16 ? GPR_i16 : elem == GPR_u32 ? GPR_i32 : elem == GPR_u64 ? GPR_i64 : elem;
}

#endif
