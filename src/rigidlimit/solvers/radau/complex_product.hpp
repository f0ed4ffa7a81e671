// Complex arithmetic of finite numbers.
#pragma once

#include <complex>

namespace rigidlimit {

/// a b without the NaN check of the standard product.
inline std::complex<double> times(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace rigidlimit
