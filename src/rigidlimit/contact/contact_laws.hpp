// The laws of Signorini and Coulomb as one number: the violation by a solution. It is independent
// of the solution method.
#pragma once

#include "rigidlimit/contact/contact_problem.hpp"

namespace rigidlimit {

/// Scales of one problem, for relative errors. Both > 0.
struct ContactScales {
  double rate = 1.0;      ///< the largest entry of |b| + |A||r|
  double reaction = 1.0;  ///< the largest of |r| and of reactions that change u by `rate`
};

ContactScales scales_of(const ContactProblem& problem, const VectorXd& reaction);

/// The largest violation of a law by r and u = A r + b, relative to the scales s_u and s_r:
///
///   unilateral  |min(p/s_r, u_n/s_u)|      bilateral  |u_n|/s_u      given  |p − p_given|/s_r
///   slipping already in direction s        |λ − μ|p| s|/s_r
///   otherwise, D the disc of radius μ|p|/s_r,   |λ/s_r − proj_D(λ/s_r + u_t/s_u)|
///
/// Zero exactly where all laws hold.
double law_violation(const ContactProblem& problem, const VectorXd& reaction);

/// Throws InputError, with the number of the contact and the value, if sizes do not fit, A or b is
/// not finite, a direction is not a unit vector, two contacts share rows, or μ < 0.
void check_contact_problem(const ContactProblem& problem);

}  // namespace rigidlimit
