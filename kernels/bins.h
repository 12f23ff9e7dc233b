/* Which bin an element is counted in, for C11 and CUDA C++.  */

#ifndef GPR_BINS_H
#define GPR_BINS_H

typedef enum {
  GPR_BIN_EDGES,        /* k: edges[k] <= x < edges[k+1]; the last bin: x == edges[bins-1] (histc) */
  GPR_BIN_CUTS,         /* bins-1 cuts; k = number of cuts below x: x on a cut goes down (hist) */
  GPR_BIN_SPACED,       /* k = max (0, min (bins-1, ceil ((x - origin) / step)))  (hist, even centres) */
  GPR_BIN_CLOSED        /* as EDGES with bins+1 edges, the last bin closed on both sides (histogram) */
} gpr_bin_rule;

#endif
