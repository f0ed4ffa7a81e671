// A soft joint or contact of one row, by formulas: without a study.
#pragma once

#include <optional>

#include "rigidlimit/result/result.hpp"

namespace rigidlimit {

/// One row g with the spring k g and the damper c g' at the effective mass m = (G M⁻¹Gᵀ)⁻¹, under
/// the load Λ that a rigid joint would carry. SI units; of a rotation kg m², N m and rad.
struct JointQuestion {
  bool rotation = false;
  double mass = 1.0;
  double load = 0.0;           ///< the largest |Λ| of the rigid motion
  double damping_ratio = 1.0;  ///< ζ = c/(2 √(k m))
  // One of:
  std::optional<double> gap{};        ///< wanted, Λ/k
  std::optional<double> stiffness{};  ///< k
  std::optional<double> frequency{};  ///< √(k/m)/(2π), Hz
};

struct JointEstimate {
  JointQuestion question;
  double stiffness = 0.0;  ///< k
  double damping = 0.0;    ///< c = 2 ζ √(k m)
  double gap = 0.0;        ///< Λ/k, behind the initial layer
  /// Λ (1 + exp(−πζ/√(1 − ζ²)))/k: the largest gap if the load is applied at once (ζ < 1).
  double sudden_gap = 0.0;
  double frequency = 0.0;      ///< √(k/m)/(2π), Hz
  double decay = 0.0;          ///< s, of the initial layer by 1/e
  double explicit_step = 0.0;  ///< s, the largest stable one of an explicit method of order 4
  /// s, likewise of semi-implicit Euler, v' = v − h (k g + c v)/m, g' = g + h v':
  /// 2 (√(1 + ζ²) − ζ)/ω, ω = √(k/m), from 1 + tr + det > 0 of its matrix.
  double euler_step = 0.0;
};

/// Throws InputError, with the name of the argument as the place, for a number that is not positive
/// and finite (damping ratio: not negative), and unless one of gap, stiffness and frequency is
/// given; a gap needs a load.
JointEstimate estimated_joint(const JointQuestion& question);

/// A table "joint" with a row for each value, its unit and formula.
Result in_tables(const JointEstimate& estimate);

}  // namespace rigidlimit
