// Real numbers with 113 bits (34 digits), for references and for ε down to 1e-8.
#pragma once

#include <boost/multiprecision/eigen.hpp>
#if __has_include(<quadmath.h>)
#include <boost/multiprecision/float128.hpp>
#else
#include <boost/multiprecision/cpp_bin_float.hpp>
#endif

namespace rigidlimit {

/// IEEE binary128 in format and round-off (2^−113), as a value without expression templates, so
/// that the author of a system may write `auto a = x * y;`. GCC's __float128 is used if its library
/// is available: + − × ÷ have the same bits in both. With it, division takes a sixth of the time,
/// functions a fifth to a tenth, and compilation a half.
#if __has_include(<quadmath.h>)
using Quad = boost::multiprecision::float128;
#else
using Quad = boost::multiprecision::cpp_bin_float_quad;
#endif

}  // namespace rigidlimit
