// The constants that determine the Radau IIA methods, with 40 digits.
#pragma once

#include <span>

namespace rigidlimit {

/// Decimals of the method with s stages, s of each.
struct RadauDigits {
  /// c, increasing: the zeros of P_s(2c − 1) − P_{s−1}(2c − 1), Legendre polynomials; c_s = 1.
  std::span<const char* const> nodes;

  /// Eigenvalues of A⁻¹: the poles of the stability function, the Padé approximation of e^z of
  /// degrees (s − 1, s). The real one if s is odd, then Re and Im > 0 of each pair.
  std::span<const char* const> eigenvalues;
};

inline constexpr int max_radau_stages = 20;

/// 1 ≤ stages ≤ max_radau_stages.
RadauDigits radau_digits(int stages);

}  // namespace rigidlimit
