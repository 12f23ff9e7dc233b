/* The kernels' #include; what it has is in cuda.h.  */
