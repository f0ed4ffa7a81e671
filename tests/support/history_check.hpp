// Does a history by formula obey the equations of motion, and the laws of Coulomb and Signorini?
#pragma once

#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit::test {

/// What is left at one time of a history, each over what differences and round-off explain: ≤ 1.
struct HistoryDefect {
  double rate = 0.0;  ///< |q' − T v|
  double balance = 0.0;  ///< |M v' − F − Nᵀp + Wᵀλ|, with the κ of Eᵀκ that makes it least
  double closed = 0.0;    ///< |E v|, g of bilateral contacts; −g, −p and g p of unilateral ones
  double friction = 0.0;  ///< |λ| − μ|p|, and |λ − μ|p| w/|w|| where w does not pass for zero

  double worst() const;
};

/// At time t, at least 0.003 s from the next event: the differences reach that far. `closed` is the
/// system whose history is taken, `judge` the one whose laws it must obey; they differ in negative
/// controls. |w| below 1e-12 m/s passes for rest: a thousand roundings of speeds of order 1 m/s.
HistoryDefect history_defect(const FrictionalSystem& closed, const FrictionalSystem& judge,
                             const InitialState& start, double t);

/// The worst over the middles of all pieces of the history up to `last` that are 0.01 s long, and
/// places near both ends of them.
double worst_defect(const FrictionalSystem& closed, const FrictionalSystem& judge,
                    const InitialState& start, double last);

/// The largest jump of q across an event of the history, and of v with the impulses that explain it
/// taken out: least |M Δv − Nᵀ P + Wᵀ L| over P, L. Over 1e-11 of |q|, |M v|.
double worst_jump(const FrictionalSystem& system, const InitialState& start, double last);

}  // namespace rigidlimit::test
