#include "rigidlimit/contact/event_driven/admissible_margin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {
namespace {

double smallest_margin(const FrictionalSystem& system, const ContactStates& states,
                       const VectorXd& reaction) {
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
    const ContactState& state = states[static_cast<std::size_t>(i)];
    if (!state.closed()) continue;
    const double p = reaction(system.smooth.m + i);
    if (contact.normal == Normal::unilateral) least = std::min(least, p);
    if (state.mode == ContactMode::stick)
      least = std::min(least, contact.friction * std::abs(p) -
                                  reaction.segment(contact.first, contact.components).norm());
  }
  return least;
}

/// Reactions of the modes without effect on the motion, orthonormal columns: A (R z) = 0 at held
/// rows.
MatrixXd idle_reactions(const FrictionalSystem& system, const ContactStates& states,
                        const PieceRate& rate) {
  const MatrixXd R = reaction_directions(system, states, rate.terms.rate);
  return R * numerical_kernel(rate.terms.response * R, 1e-10);
}

}  // namespace

double admissible_margin(const FrictionalSystem& system, const ContactStates& states,
                         const PieceRate& rate) {
  const auto margin = [&](const VectorXd& reaction) {
    return smallest_margin(system, states, reaction);
  };
  const double of_least = margin(rate.reaction);
  const MatrixXd idle = idle_reactions(system, states, rate);
  if (idle.cols() != 1) return of_least;
  // The minimum of concave functions is maximised along a line: bracketing, then golden section.
  const VectorXd direction = idle.col(0) / idle.col(0).cwiseAbs().maxCoeff();
  const auto along = [&](double x) { return margin(rate.reaction + x * direction); };
  const double size = std::max(1e-300, 4.0 * rate.reaction.cwiseAbs().maxCoeff());
  double low = -size, high = size;
  while (along(2.0 * low) > along(low) && low > -1e6 * size) low *= 2.0;
  while (along(2.0 * high) > along(high) && high < 1e6 * size) high *= 2.0;
  low *= 2.0;
  high *= 2.0;
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = along(a), at_b = along(b);
  for (int k = 0; k < 90; ++k) {
    if (at_a > at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = along(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = along(b);
    }
  }
  return std::max({of_least, at_a, at_b});
}

}  // namespace rigidlimit
