// The body under given forces of its elastic contacts: every other contact keeps its mode.
#pragma once

#include <vector>

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"

namespace rigidlimit {

/// k rows of sliding of the elastic contacts, in the order of the contacts. With forces λ (k, N) on
/// them
///
///   v' = acceleration − response λ,   w' = sliding_rate − delassus λ,   p = normal + normal_slope
///   λ.
///
/// The normals of closed contacts are held, unless their force is given; a contact that is not
/// elastic and slips has the friction μ p along its sliding velocity.
struct ContactResponse {
  std::vector<Index> rows;  ///< k rows of W
  MatrixXd sliding;         ///< these rows of W, k × n
  VectorXd acceleration;    ///< n
  MatrixXd response;        ///< W̃, n × k
  VectorXd sliding_rate;    ///< k
  MatrixXd delassus;        ///< Ã = W W̃, k × k
  VectorXd normal;          ///< nc
  MatrixXd normal_slope;    ///< nc × k
};

/// `elastic[i]`: the force of contact i is given; `states`: the modes of the others.
ContactResponse contact_response(const FrictionalSystem& system, const ContactStates& states,
                                 const std::vector<bool>& elastic, const VectorXd& q,
                                 const VectorXd& v, double t);

}  // namespace rigidlimit
