// The crossing of a switch of the force as a series in the small parameter.
#pragma once

#include <vector>

#include "rigidlimit/asymptotics/outer_path.hpp"
#include "rigidlimit/mechanics/switches.hpp"

namespace rigidlimit {

/// A switch of the equations (mechanics/switches.hpp) that the rigid motion crosses at the time t.
struct SwitchCrossing {
  double t = 0.0;
  std::vector<Index> which{};  ///< indices of switching functions; empty: a given instant
  Sides before{}, after{};
};

/// The time Σ t_k μ^k at which the outer motion `before` crosses a switch, and the motion there, up
/// to the order of `before`: the initial data of the motion behind it.
///
/// A switch that depends on t alone, or a given instant, has t_k = 0 for k ≥ 1. Otherwise t_0 is
/// the root of σ(q_0, v_0, t), and the order k of σ(q, v, t) = 0 at t_0 + … + t_k μ^k gives
///
///   t_k = −(the coefficient of μ^k for t_k = 0) / (dσ/dt along q_0, v_0).
///
/// Throws InputError if dσ/dt = 0, or if two switches that depend on the state coincide.
template <class T>
StartSeries<T> crossing_series(const Switches& switches, const SwitchCrossing& crossing,
                               const OuterPath<T>& before, Index nq, Index n,
                               const ActingContacts<T>& contacts);

extern template StartSeries<double> crossing_series(const Switches&, const SwitchCrossing&,
                                                    const OuterPath<double>&, Index, Index,
                                                    const ActingContacts<double>&);
extern template StartSeries<Quad> crossing_series(const Switches&, const SwitchCrossing&,
                                                  const OuterPath<Quad>&, Index, Index,
                                                  const ActingContacts<Quad>&);

}  // namespace rigidlimit
