// One choice of mode for every contact: the laws become linear equations, and inequalities checked
// afterwards.
#pragma once

#include <optional>
#include <vector>

#include "rigidlimit/contact/contact_problem.hpp"

namespace rigidlimit {

/// Assumed branch of one contact. The sign of p of a closed contact is part of the choice, so that
/// |p| is linear.
struct Branch {
  ContactMode mode = ContactMode::free;
  double sign = 1.0;                    ///< of p
  Eigen::Vector2d direction{0.0, 0.0};  ///< of slip; its first `components` entries
  bool begins = false;                  ///< slip starts here: u_t must have this direction
};

/// The reactions that a choice allows: all r = particular + internal · y. Without redundancy there
/// is one, and `internal` has no columns.
struct BranchReactions {
  VectorXd particular;
  MatrixXd internal;
};

/// Solves the equations of the choice, for n unknowns,
///
///   E (A (R x + r0) + b) = 0,   r = R x + r0,
/// E are the rows u_n of a closed contact and u_t of a sticking one. The unknowns x are its p and
/// its r_t; slip writes r_t = −μ sign p direction into R. Empty: the equations are inconsistent.
std::optional<BranchReactions> reactions_of(const ContactProblem& problem,
                                            const std::vector<Branch>& choice, double tolerance);

/// The one of these reactions that satisfies the laws, of least rᵀC⁻¹r if there are several. Empty:
/// none does to `tolerance` (law_violation() of contact/contact_laws.hpp).
std::optional<VectorXd> admissible_reaction(const ContactProblem& problem,
                                            const std::vector<Branch>& choice, double tolerance);

}  // namespace rigidlimit
