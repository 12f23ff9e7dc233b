/* Elements as they are, by strides: copies of views, and results that go to places apart.  */

#include <string.h>

#include "cpu.h"
#include "part.h"
#include "../core/map.h"

enum {
  ALONE = 1 << 17,              /* bytes that one thread is quick enough with */
  PIECE = 1 << 15,              /* elements of a job */
  TILE = 32,                    /* rows and columns that change places */
  SHORT = 8                     /* of fewer none do */
};

#define DEFINE_STEP(T) \
static void step_##T (const char *x, int64_t xs, char *z, int64_t zs, int64_t n) \
{ \
  const T *from = (const T *) x; \
  T *to = (T *) z; \
  for (int64_t i = 0; i < n; i++) \
    to[i * zs] = from[i * xs]; \
}
typedef struct { uint64_t w[2]; } two_words;
DEFINE_STEP (uint8_t) DEFINE_STEP (uint16_t) DEFINE_STEP (uint32_t) DEFINE_STEP (uint64_t) DEFINE_STEP (two_words)

static void
step (int bytes, const char *x, int64_t xs, char *z, int64_t zs, int64_t n)
{
  if (xs == 1 && zs == 1)
    memcpy (z, x, (size_t) (n * bytes));
  else
    switch (bytes)
      {
      case 1: step_uint8_t (x, xs, z, zs, n); break;
      case 2: step_uint16_t (x, xs, z, zs, n); break;
      case 4: step_uint32_t (x, xs, z, zs, n); break;
      case 8: step_uint64_t (x, xs, z, zs, n); break;
      default: step_two_words (x, xs, z, zs, n);
      }
}

void
gpr_cpu_copy_some (const gpr_mapping *m, int bytes, int64_t first, int64_t n, const char *x, const int64_t *xs, char *z, const int64_t *zs)
{
  int64_t at[GPR_MAX_DIMS], xo = 0, zo = 0, rest = first;

  for (int d = 0; d < m->rank; d++)
    {
      at[d] = rest % m->dims[d];
      rest /= m->dims[d];
      xo += at[d] * xs[d];
      zo += at[d] * zs[d];
    }
  while (n > 0)
    {
      const int64_t left = m->dims[0] - at[0], run = left < n ? left : n;
      step (bytes, x + xo * bytes, xs[0], z + zo * bytes, zs[0], run);
      n -= run;
      at[0] += run;
      xo += run * xs[0];
      zo += run * zs[0];
      for (int d = 0; d + 1 < m->rank && at[d] == m->dims[d]; d++)
        {
          at[d] = 0;
          xo += xs[d + 1] - m->dims[d] * xs[d];
          zo += zs[d + 1] - m->dims[d] * zs[d];
          at[d + 1]++;
        }
    }
}

void
gpr_cpu_copy_strides (const gpr_mapping *m, int64_t *strides)
{
  for (int d = 0; d < m->rank; d++)
    strides[d] = d == 0 ? 1 : strides[d - 1] * m->dims[d - 1];
}

/* Few neighbours that stay so become one element: the parts of a complex number, rows of up to 16 bytes.  */
static void
widen (gpr_mapping *m, int64_t *xs, int64_t *zs, int *bytes)
{
  const int64_t n = m->dims[0];
  bool can = m->rank > 1 && xs[0] == 1 && zs[0] == 1 && (n == 2 || n == 4 || n == 8 || n == 16) && n * *bytes <= (int64_t) sizeof (two_words)
             && ((uintptr_t) m->x[0] | (uintptr_t) m->z) % (uintptr_t) (n * *bytes) == 0;

  for (int d = 1; d < m->rank; d++)
    can = can && xs[d] % n == 0 && zs[d] % n == 0;
  if (! can)
    return;
  *bytes *= (int) n;
  m->rank--;
  for (int d = 0; d < m->rank; d++)
    {
      m->dims[d] = m->dims[d + 1];
      xs[d] = xs[d + 1] / n;
      zs[d] = zs[d + 1] / n;
    }
}

/* The dimension along which x's elements are neighbours, if z's first is another; or 0.  */
static int
turned_dimension (const gpr_mapping *m, const int64_t *xs)
{
  for (int d = 1; d < m->rank; d++)
    if (xs[d] == 1 && m->dims[d] >= SHORT && m->dims[0] >= SHORT && xs[0] != 0 && xs[0] != 1)
      return d;
  return 0;
}

/* TILE rows, or fewer, of one plane of the first dimension and dimension d, tile by tile, so that what is read of a line of memory is used while it is near.  */
static void
turn (const gpr_mapping *m, int bytes, int d, int64_t job, const int64_t *xs, const int64_t *zs)
{
  const int64_t strips = (m->dims[0] + TILE - 1) / TILE, i = job % strips * TILE, n = m->dims[0] - i < TILE ? m->dims[0] - i : TILE;
  const char *x = (const char *) m->x[0] + i * xs[0] * bytes;
  char *z = (char *) m->z + i * zs[0] * bytes;
  int64_t plane = job / strips;

  for (int k = 1; k < m->rank; k++)
    if (k != d)
      {
        const int64_t at = plane % m->dims[k];
        plane /= m->dims[k];
        x += at * xs[k] * bytes;
        z += at * zs[k] * bytes;
      }
  for (int64_t k = 0; k < m->dims[d]; k++)
    step (bytes, x + k * bytes, xs[0], z + k * zs[d] * bytes, zs[0], n);
}

bool
gpr_cpu_copy (const gpr_mapping *given)
{
  const gpr_map_step *s = &given->step[0];
  if (given->steps != 1 || s->op != GPR_MAP_load || s->operand != GPR_MAP_LEAF || s->at != 0 || given->classes[0] != given->class)
    return false;

  gpr_mapping m = *given;
  int bytes = gpr_elem_bytes[gpr_elem_of_class (m.class)], threads = 1;
  int64_t *xs = m.strides[0], *zs = m.strides[GPR_MAP_LEAVES], count = 1;
  if (! m.placed)
    gpr_cpu_copy_strides (&m, zs);
  widen (&m, xs, zs, &bytes);
  for (int d = 0; d < m.rank; d++)
    count *= m.dims[d];
  if (count * bytes >= ALONE && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  const int d = turned_dimension (&m, xs);
  const int64_t jobs = d > 0 ? count / m.dims[0] / m.dims[d] * ((m.dims[0] + TILE - 1) / TILE) : (count + PIECE - 1) / PIECE;
  #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (static)
  for (int64_t job = 0; job < jobs; job++)
    if (d > 0)
      turn (&m, bytes, d, job, xs, zs);
    else
      gpr_cpu_copy_some (&m, bytes, job * PIECE, count - job * PIECE < PIECE ? count - job * PIECE : PIECE, m.x[0], xs, m.z, zs);
  return true;
}
