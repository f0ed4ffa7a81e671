// Rates of a compliant contact at one configuration.
#pragma once

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"

namespace rigidlimit {

/// Stiffness k [N/m] and damping d [N s/m] of a contact, m × m; k has no entries in a contact
/// without spring.
struct ContactValues {
  MatrixXd stiffness;
  MatrixXd damping;
};

/// The eigenvalues μ [1/s] of the linear contact with the Delassus matrix A at a configuration:
///
///   with spring:  y'' + A d y' + A k y = 0,  2r of them;   without:  w' + A d w = 0,  r
///
/// y: deflection, w = G v. Redundant contacts: A, k and d of the r independent ones.
Eigen::VectorXcd contact_rates(const MatrixXd& delassus, const ContactValues& contact,
                               const ContactBasis& basis);

/// 1/min |Re μ| [s]: the slowest part of the initial layer decays by 1/e in this time; infinite
/// without damping.
double decay_time(const Eigen::VectorXcd& rates);

/// 2π/max |Im μ| [s]: the period of the fastest oscillation; infinite without oscillation.
double shortest_period(const Eigen::VectorXcd& rates);

/// The largest step h [s] for which an explicit Runge-Kutta method with four stages and order 4 is
/// stable: |R(hμ)| ≤ 1 for every μ, R(z) = 1 + z + z²/2 + z³/6 + z⁴/24.
double largest_step_of_order_4(const Eigen::VectorXcd& rates);

}  // namespace rigidlimit
