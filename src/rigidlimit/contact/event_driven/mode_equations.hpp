// The linear equations for the reactions of contacts with fixed modes.
#pragma once

#include <vector>

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"
#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {

/// The unknowns x of the modes, r = R x + r0, and the prescribed entries of A r + free: the sliding
/// rows of a sticking contact, the normal row of a closed one without a given force. p of a
/// slipping contact includes its friction, −μ push direction.
struct ModeUnknowns {
  MatrixXd R;               ///< (m + nc) × K
  VectorXd r0;              ///< m + nc
  std::vector<Index> held;  ///< K rows
};
ModeUnknowns unknowns_of(const FrictionalSystem& system, const VectorXd& given,
                         const ContactStates& states);

/// Directions of slipping at these (w, g').
ContactStates with_directions(const FrictionalSystem& system, ContactStates states,
                              const VectorXd& rate);

/// Pivots of the equations below this fraction of the largest are zero.
inline constexpr double rank_of_modes = 1e-11;

/// M⁻¹Nᵀ (N M⁻¹ Nᵀ)⁺ gap of the closed contacts, n × k for k gaps (nc × k).
MatrixXd displacement_per_gap(const FrictionalSystem& system, const ContactStates& states,
                              const ContactRows& rows, const MatrixXd& gap);

}  // namespace rigidlimit
