function s = gpu_explain (g)
  s = __gpureduce__ ("explain", g);
endfunction
