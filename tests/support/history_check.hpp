// Checks closed-form histories against the equations of motion and the laws of the contacts.
#pragma once

#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit::test {

/// Residuals at one time of a history, each over its bound by differences and round-off: ≤ 1.
struct HistoryDefect {
  double rate = 0.0;      ///< |q' − T v|
  double balance = 0.0;   ///< |M v' − F − Nᵀp + Wᵀλ + Eᵀκ|, minimised over κ
  double closed = 0.0;    ///< |E v|, g of bilateral contacts; −g, −p and g p of unilateral ones
  double friction = 0.0;  ///< |λ| − μ|p|, and |λ − μ|p| w/|w|| unless w counts as zero

  double worst() const;
};

/// At time t, at least 0.003 s from the next event, the reach of the differences. `closed` has the
/// history, `judge` the laws; they differ in negative controls. |w| below 1e-12 m/s counts as rest:
/// a thousand roundings of speeds of order 1 m/s.
HistoryDefect history_defect(const FrictionalSystem& closed, const FrictionalSystem& judge,
                             const InitialState& start, double t);

/// The largest residual up to `last`, at the middle and near both ends of all pieces of the history
/// that are at least 0.01 s long.
double worst_defect(const FrictionalSystem& closed, const FrictionalSystem& judge,
                    const InitialState& start, double last);

/// The largest jump across an event of the history, over 1e-11 of |q| and |M v|: the jump of q, and
/// that of v without its impulses, the minimum of |M Δv − Nᵀ P + Wᵀ L| over P, L.
double worst_jump(const FrictionalSystem& system, const InitialState& start, double last);

}  // namespace rigidlimit::test
