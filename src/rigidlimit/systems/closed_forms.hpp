// Exact motions of the systems written as text, beside their formulas in NAME.toml. Their
// derivations are in docs/theory.md, sections 8 and 10.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

// All: `values` of the parameters in the order of the file; the start rolls, G v = 0; exact to
// round-off. std::nullopt if the formula does not hold for these values or loses digits.

/// For a turning rate phi' ≠ 0.
std::optional<Motion> knife_edge_motion(const std::vector<double>& values,
                                        const InitialState& start,
                                        const std::vector<double>& times);
/// u, ω, φ and Λ by formula, the position by Gauss quadrature to round-off. For a sleigh that
/// turns, a ≠ 0, and times that are not too long for the quadrature.
std::optional<Motion> chaplygin_sleigh_motion(const std::vector<double>& values,
                                              const InitialState& start,
                                              const std::vector<double>& times);
/// For a turning rate yaw' ≠ 0.
std::optional<Motion> rolling_coin_motion(const std::vector<double>& values,
                                          const InitialState& start,
                                          const std::vector<double>& times);
std::optional<Motion> turntable_ball_motion(const std::vector<double>& values,
                                            const InitialState& start,
                                            const std::vector<double>& times);
std::optional<Motion> wheel_motion(const std::vector<double>& values, const InitialState& start,
                                   const std::vector<double>& times);
std::optional<Motion> wheel_euler_motion(const std::vector<double>& values,
                                         const InitialState& start,
                                         const std::vector<double>& times);
/// With Λ₂ = Λ₄.
std::optional<Motion> v_groove_ball_motion(const std::vector<double>& values,
                                           const InitialState& start,
                                           const std::vector<double>& times);
/// Without gravity.
std::optional<Motion> race_roller_motion(const std::vector<double>& values,
                                         const InitialState& start,
                                         const std::vector<double>& times);
/// With the load shared equally.
std::optional<Motion> epicyclic_gear_motion(const std::vector<double>& values,
                                            const InitialState& start,
                                            const std::vector<double>& times);
/// On a horizontal plane.
std::optional<Motion> two_blade_dumbbell_motion(const std::vector<double>& values,
                                                const InitialState& start,
                                                const std::vector<double>& times);

// On surfaces that move; the clock is not part of `start` and of the motion.

/// For table_rate ≠ 0.
std::optional<Motion> tilted_turntable_ball_motion(const std::vector<double>& values,
                                                   const InitialState& start,
                                                   const std::vector<double>& times);
/// For a turning rate yaw' ≠ 0.
std::optional<Motion> coin_on_plate_motion(const std::vector<double>& values,
                                           const InitialState& start,
                                           const std::vector<double>& times);
std::optional<Motion> belt_roller_motion(const std::vector<double>& values,
                                         const InitialState& start,
                                         const std::vector<double>& times);
/// With the load shared equally.
std::optional<Motion> driven_bearing_motion(const std::vector<double>& values,
                                            const InitialState& start,
                                            const std::vector<double>& times);

// Likewise with Coulomb friction, from any start.

/// Without drag.
std::optional<KnownHistory> wheel_history(const std::vector<double>& values,
                                          const InitialState& start,
                                          const std::vector<double>& times);
/// Without drag, on the plane.
std::optional<KnownHistory> wheel_euler_history(const std::vector<double>& values,
                                                const InitialState& start,
                                                const std::vector<double>& times);
std::optional<KnownHistory> sliding_sphere_history(const std::vector<double>& values,
                                                   const InitialState& start,
                                                   const std::vector<double>& times);
/// Event times are those of the impacts, as long as flights last longer than the resolution of t,
/// then the end of the bouncing, then the end of sliding. None if the start is inside the floor,
/// without gravity, or with more than 10⁵ impacts.
std::optional<KnownHistory> bouncing_ball_history(const std::vector<double>& values,
                                                  const InitialState& start,
                                                  const std::vector<double>& times);

/// The block starts on a belt of constant speed, and its oscillation is damped below the critical
/// damping; with friction that weakens enough, a limit cycle of stick and slip.
std::optional<KnownHistory> belt_oscillator_history(const std::vector<double>& values,
                                                    const InitialState& start,
                                                    const std::vector<double>& times);

/// The first N values, for structured bindings.
template <std::size_t N>
std::array<double, N> unpacked(const std::vector<double>& values) {
  std::array<double, N> first;
  for (std::size_t i = 0; i < N; ++i) first[i] = values.at(i);
  return first;
}

/// A motion on a time grid, to be filled in.
inline Motion motion_on(const std::vector<double>& times, Index nq, Index n, Index m) {
  const Index count = static_cast<Index>(times.size());
  return {times, MatrixXd(nq, count), MatrixXd(n, count), MatrixXd(m, count)};
}

}  // namespace rigidlimit
