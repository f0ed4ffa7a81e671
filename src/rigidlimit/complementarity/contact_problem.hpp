// The frictional contact problem at one instant: which forces (or impulses) agree with the laws of
// Signorini and Coulomb, and with what they do to the contacts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

enum class ContactMode { free, stick, slip };

const char* name_of(ContactMode mode);  ///< "free", "stick", "slip"

/// With nc contacts of m sliding components in sum, in the order of Motion::lambda of a frictional
/// system: first the m sliding rows, then the nc normal rows,
///
///   u = A r + b,   r = (−λ, p),   A = H M⁻¹ Hᵀ,   H = [W; N].
///
/// u are the accelerations of the contacts (w', g''), and r forces; or u are their velocities after
/// an impact, and r impulses. The laws, for each contact:
///
///   unilateral  p ≥ 0, u_n ≥ 0, p u_n = 0           bilateral  u_n = 0        given  p is known
///   slipping already, in the unit direction s:      λ = μ |p| s
///   otherwise   |λ| ≤ μ |p|,  and λ = μ |p| u_t/|u_t| unless u_t = 0
struct ContactProblem {
  enum class Normal { unilateral, bilateral, given };

  struct Contact {
    Index first = 0;       ///< of its sliding rows
    Index components = 1;  ///< 0 (frictionless), 1 or 2
    Normal normal = Normal::unilateral;
    double friction = 0.0;               ///< μ
    double given_force = 0.0;            ///< p of Normal::given
    std::optional<VectorXd> slipping{};  ///< s, `components` entries
  };

  MatrixXd delassus;  ///< A, (m + nc) × (m + nc), symmetric positive semidefinite
  VectorXd free;      ///< b
  std::vector<Contact> contacts;
  /// C⁻¹ ≥ 0 in the measure rᵀ C⁻¹ r that selects among the r of redundant contacts; empty:
  /// identity. Zero: a row so stiff that its force takes no part in the measure.
  VectorXd compliance{};
};

/// One answer. Modes of contacts: `slip` also for one that begins to slip.
struct ContactSolution {
  VectorXd reaction;  ///< r = (−λ, p)
  VectorXd rate;      ///< u
  std::vector<ContactMode> modes;
};

/// All answers that differ in u: none, one or several (Painlevé). Of those that differ in r alone,
/// the one of least rᵀ C⁻¹ r that obeys the laws. Planar contacts and given directions exactly, by
/// going through the modes; where a spatial contact begins to slip, its direction by iteration to
/// the last digits. `tolerance`, relative to |b| and the forces: what passes for zero.
///
/// Contacts that act on each other in more than 100000 choices of modes (nine planar unilateral
/// ones) are not gone through: one answer is looked for by projections, and whether there are
/// others is not known.
std::vector<ContactSolution> solve_contact_problem(const ContactProblem& problem,
                                                   double tolerance = 1e-11);

/// The answer in the modes of `known`, an answer of a problem with the same contacts and similar
/// numbers, its directions of slip looked for near those: one linear system. Empty: in these modes
/// there is none.
std::optional<ContactSolution> continued_solution(const ContactProblem& problem,
                                                  const ContactSolution& known,
                                                  double tolerance = 1e-11);

}  // namespace rigidlimit
