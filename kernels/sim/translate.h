/* Programs with launches, as CUDA has them, into C++.  */

#ifndef SIM_TRANSLATE_H
#define SIM_TRANSLATE_H

#include <string>

/* What the preprocessor has left of a program, for g++.  Every line stays where it is.  */
std::string translated (const std::string &program);

#endif
