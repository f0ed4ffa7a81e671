// Infinitely many impacts in a finite time.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rigidlimit/nonsmooth/mode_decision.hpp"

namespace rigidlimit {

/// The flights of every contact since it last lay still.
///
/// A contact that leaves an impact with g' = u and g'' = −a < 0 flies for 2u/a. If the next speeds
/// shrink like the last, u_k = ρ u_{k−1}, ρ < 1, all flights together last
///
///   S = 2 u/(a (1 − ρ)).
///
/// The contact is closed at the end of S once the last two ratios ρ differ by less than a tenth of
/// 1 − ρ and S is shorter than NonsmoothOptions::accumulation_time, or the next flight stays below
/// 1e5 roundings of the gap, where impacts can no longer be located to 1e-12 s. What S neglects is
/// the change of a and ρ during it, a relative O(S).
class Accumulation {
 public:
  explicit Accumulation(Index contacts) : speeds_(static_cast<std::size_t>(contacts)) {}

  /// Contact i has left an impact with the speed u; u ≤ 0: it stays closed.
  void left(Index i, double u);
  /// Contact i lies still, or flies without an impact before.
  void forget(Index i) { speeds_[static_cast<std::size_t>(i)].clear(); }

  /// S of contact i, which has just left, if it is to be closed. `g_rate` u, `g_acceleration` −a,
  /// `gap_rounding`: a unit in the last place of what the gap is computed from.
  std::optional<double> remaining(Index i, double g_acceleration, double gap_rounding,
                                  double accumulation_time) const;

  /// S with ρ = `restitution` of a contact that is left with the speed u, whatever came before, if
  /// it flies no higher than 1e2 roundings of the gap: nobody would see it come back. With ρ = 1
  /// the one flight.
  static std::optional<double> unseen(double u, double g_acceleration, double gap_rounding,
                                      double restitution);

 private:
  std::vector<std::vector<double>> speeds_;
};

/// A unit in the last place of what the gap of contact i is computed from.
double gap_rounding(const FrictionalSystem& system, Index i, const Instant& at,
                    const ContactTerms& terms);

/// How contact i comes to rest: the mean of its impulses in S is the force of the closed contact,
/// so that the motion goes on as if it were closed already, without its g'.
struct Settling {
  ModeDecision closed;                       ///< modes with contact i closed
  std::function<Instant(double s)> after{};  ///< the state s later, 0 < s ≤ S; only if found
};
Settling settling_of(const FrictionalSystem& system, const ContactStates& states, const Instant& at,
                     Index i, const NonsmoothOptions& options);

}  // namespace rigidlimit
