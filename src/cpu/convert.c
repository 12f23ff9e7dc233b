/* An array of another class on the CPU (kernels/ops/convert.h).  */

#include "cpu.h"
#include "../../kernels/ops/convert.h"

#define CONVERT_CASE(Y, X) \
    case GPR_##Y: \
      for (int64_t i = 0; i < n; i++) \
        ((Y *) y)[i] = gpr_##Y##_of_##X (((const X *) x)[i]); \
      break;
#define DEFINE_CONVERT(X) \
static void \
convert_##X (const void *x, void *y, int64_t n, enum gpr_elem to) \
{ \
  switch ((int) to) \
    { \
    CONVERT_CASE (f64, X) CONVERT_CASE (f32, X) CONVERT_CASE (i8, X) CONVERT_CASE (u8, X) CONVERT_CASE (i16, X) \
    CONVERT_CASE (u16, X) CONVERT_CASE (i32, X) CONVERT_CASE (u32, X) CONVERT_CASE (i64, X) CONVERT_CASE (u64, X) \
    } \
}
GPR_CONVERT_REALS (DEFINE_CONVERT)

gpr_status
gpr_cpu_convert (gpr_conversion *p)
{
#define ENTRY(X) [GPR_##X] = convert_##X,
  static void (*const convert[GPR_ELEM_COUNT]) (const void *, void *, int64_t, enum gpr_elem) = { GPR_CONVERT_REALS (ENTRY) };
  const int64_t piece = 1 << 16, from_bytes = gpr_elem_bytes[p->from], to_bytes = gpr_elem_bytes[p->to];
  int threads = 1;

  if (! convert[p->from])
    return gpr_fail (GPR_UNSUPPORTED, "converting element type %d", (int) p->from);
  if (p->count >= 2 * piece && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  #pragma omp parallel for num_threads (threads) if (threads > 1)
  for (int64_t i = 0; i < p->count; i += piece)
    if (! gpr_interrupted ())
      convert[p->from] ((const char *) p->x + i * from_bytes, (char *) p->y + i * to_bytes, p->count - i < piece ? p->count - i : piece, p->to);
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}
