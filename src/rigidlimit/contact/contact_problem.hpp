// The frictional contact problem at one instant: forces (or impulses) that satisfy the laws of
// Signorini and Coulomb together with the resulting motion of the contacts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// Bound for zero of a solution of a contact problem, relative to the terms of the compared sum.
inline constexpr double contact_tolerance = 1e-11;

enum class ContactMode { free, stick, slip };

const char* name_of(ContactMode mode);  ///< "free", "stick", "slip"

/// "slip,free": a word for each contact, in their order.
std::string text_of(const std::vector<ContactMode>& modes);

/// For nc contacts with m sliding components in total. The rows are ordered as in Motion::lambda of
/// a frictional system: first the m sliding rows, then the nc normal rows,
///
///   u = A r + b,   r = (−λ, p),   A = H M⁻¹ Hᵀ,   H = [W; N].
///
/// Either u are the accelerations of the contacts (w', g'') and r forces, or u are their velocities
/// after an impact and r impulses. The laws, for each contact:
///
///   unilateral  p ≥ 0, u_n ≥ 0, p u_n = 0           bilateral  u_n = 0        given  p is known
///   slipping already, in the unit direction s:      λ = μ |p| s
///   otherwise   |λ| ≤ μ |p|,  and λ = μ |p| u_t/|u_t| unless u_t = 0
struct ContactProblem {
  enum class Normal { unilateral, bilateral, given };

  struct Contact {
    Index first = 0;       ///< its first sliding row
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
  /// identity. Zero: a row so stiff that its force does not enter the measure.
  VectorXd compliance{};
};

/// One solution. A contact that begins to slip has mode `slip`.
struct ContactSolution {
  VectorXd reaction;  ///< r = (−λ, p)
  VectorXd rate;      ///< u
  std::vector<ContactMode> modes;
};

/// All solutions that differ in u: none, one or several (Painlevé). Of those that differ only in r,
/// the one of least rᵀ C⁻¹ r that satisfies the laws. Planar contacts and given directions are
/// solved exactly by enumerating the modes. The direction of a spatial contact that begins to slip
/// is found by iteration to the last digits. `tolerance` is the bound for zero, relative to |b| and
/// the forces.
///
/// Interacting contacts with more than 100000 choices of modes (nine planar unilateral ones) are
/// not enumerated: one solution is computed by projections, and further solutions may be missed.
std::vector<ContactSolution> solve_contact_problem(const ContactProblem& problem,
                                                   double tolerance = contact_tolerance);

/// Those of these solutions whose contacts have the given modes, without a search: a contact that
/// slips has a given direction (`slipping`) or no friction. One that sticks may be at the bound of
/// its cone. Empty: there is none, or more than 100000 choices of signs of p.
std::vector<ContactSolution> solutions_in_modes(const ContactProblem& problem,
                                                const std::vector<ContactMode>& modes,
                                                double tolerance = contact_tolerance);

/// The solution in the modes of `known`, a solution of a problem with the same contacts and similar
/// values. Directions of slip are searched near the known ones: one linear system. Empty: these
/// modes have no solution.
std::optional<ContactSolution> continued_solution(const ContactProblem& problem,
                                                  const ContactSolution& known,
                                                  double tolerance = contact_tolerance);

}  // namespace rigidlimit
