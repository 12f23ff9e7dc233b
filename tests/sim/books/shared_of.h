/* A template's dynamic shared memory: CUDA wants one name for one type.  */

#ifndef SHARED_OF_H
#define SHARED_OF_H

template <class T> __device__ inline T *shared_of ();
template <> __device__ inline int *shared_of<int> () { extern __shared__ int of_ints[]; return of_ints; }
template <> __device__ inline float *shared_of<float> () { extern __shared__ float of_floats[]; return of_floats; }
template <> __device__ inline double *shared_of<double> () { extern __shared__ double of_doubles[]; return of_doubles; }

#endif
