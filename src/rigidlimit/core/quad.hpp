// Real numbers with 113 bits, 34 digits: for references and for ε down to 1e-8.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

namespace rigidlimit {

/// IEEE binary128 in format and round-off (2^−113), as a value without expression templates: a
/// system's author writes `auto a = x * y;`.
using Quad = boost::multiprecision::cpp_bin_float_quad;

}  // namespace rigidlimit
