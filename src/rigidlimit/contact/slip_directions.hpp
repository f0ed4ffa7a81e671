// The directions in which spatial contacts begin to slip.
#pragma once

#include "rigidlimit/contact/contact_branch.hpp"

namespace rigidlimit {

/// All choices with self-consistent directions. If spatial contacts begin to slip, each direction d
/// must be that of the u_t that results from all of them:
///
///   d × u_t(d) = 0,   d · u_t(d) > 0.
///
/// One such contact: all roots on the circle, bracketed between 96 points and refined to round-off.
/// Two or three: Newton's method from 8 or 5 directions of each. More: from the velocities of
/// frictionless slip. A choice without such a contact is returned unchanged.
std::vector<std::vector<Branch>> with_directions(const ContactProblem& problem,
                                                 const std::vector<Branch>& choice,
                                                 double tolerance);

/// The same from the directions of the choice, by Newton's method; empty: it fails.
std::optional<std::vector<Branch>> directions_near(const ContactProblem& problem,
                                                   const std::vector<Branch>& choice,
                                                   double tolerance);

}  // namespace rigidlimit
