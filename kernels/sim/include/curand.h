#error cuRAND is not in the simulator: write the generator as a __device__ function, a linear congruential one for instance
