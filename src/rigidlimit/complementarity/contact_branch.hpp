// One choice of mode for every contact: the laws become linear equations, and inequalities that
// the answer is asked about afterwards.
#pragma once

#include <optional>
#include <vector>

#include "rigidlimit/complementarity/contact_problem.hpp"

namespace rigidlimit {

/// What one contact is taken to do. Of a closed contact the sign of p is part of the choice, so
/// that |p| is linear.
struct Branch {
  ContactMode mode = ContactMode::free;
  double sign = 1.0;                    ///< of p
  Eigen::Vector2d direction{0.0, 0.0};  ///< of slip; its first `components` entries
  bool begins = false;                  ///< slip of a contact that did not slip: u_t must point so
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
///
/// the rows E: u_n of a closed contact, u_t of one that sticks; the unknowns x: its p and its r_t;
/// slip writes r_t = −μ sign p direction into R. Empty: the equations contradict each other.
std::optional<BranchReactions> reactions_of(const ContactProblem& problem,
                                            const std::vector<Branch>& choice, double tolerance);

/// The reaction of those that obeys the laws, of least rᵀC⁻¹r where there are several; empty: none
/// does to `tolerance` (law_violation() of complementarity/contact_laws.hpp).
std::optional<VectorXd> admissible_reaction(const ContactProblem& problem,
                                            const std::vector<Branch>& choice, double tolerance);

}  // namespace rigidlimit
