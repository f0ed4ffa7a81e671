// Contact terms of a system at one state: rows, Delassus matrix, free accelerations, and the
// resulting contact problems.
#pragma once

#include <optional>
#include <vector>

#include "rigidlimit/contact/contact_problem.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"

namespace rigidlimit {

/// H = [W; N] (m + nc rows) at one configuration, and the velocity response to impulses along it.
/// "M⁻¹" keeps E v = 0 (mechanics/inertia.hpp): M may be singular in the directions blocked by E.
struct ContactRows {
  MatrixXd rows;            ///< H, (m + nc) × n
  MatrixXd response;        ///< M⁻¹ Hᵀ, n × (m + nc), E M⁻¹ = 0
  MatrixXd delassus;        ///< A = H M⁻¹ Hᵀ, symmetric
  Inertia<double> inertia;  ///< of the body with its exact rows
};

ContactRows contact_rows(const FrictionalSystem& system, const VectorXd& q);

/// The same at a state (q, v, t), with accelerations. For any reaction r = (−λ, p)
///
///   v' = acceleration + response r,   (w', g'') = delassus r + free.
struct ContactTerms : ContactRows {
  BalanceTerms body;      ///< of [E; W; N]
  VectorXd acceleration;  ///< v' without contact forces, E v' + drift = 0, n
  VectorXd free;          ///< H acceleration + drift, m + nc
  VectorXd rate;          ///< (w, g') = H v
  VectorXd gap;           ///< g, nc
  VectorXd normal_force;  ///< p of contacts with Normal::given, 0 for the others, nc
};

ContactTerms contact_terms(const FrictionalSystem& system, const VectorXd& q, const VectorXd& v,
                           double t);

/// Gaps and speeds of at most this size are zero at one state: the tolerances, or 16 roundings of
/// the largest term of g and of H v where these are larger, far from the origin or at high speeds.
struct ZeroBounds {
  VectorXd gap;    ///< nc
  VectorXd speed;  ///< of (w, g'), m + nc

  /// Whether a contact slides with w.
  bool slides(const ContactPoint& contact, const VectorXd& w) const {
    return w.size() > 0 && w.norm() > speed.segment(contact.first, contact.components).maxCoeff();
  }
};
ZeroBounds zero_bounds(const FrictionalSystem& system, const ContactRows& rows, const VectorXd& q,
                       const VectorXd& v, double gap_tolerance, double speed_tolerance);

/// A unit in the last place of the largest term of each gap, nc.
VectorXd gap_roundings(const FrictionalSystem& system, const ContactRows& rows, const VectorXd& q);

/// T v + the restoring rate of the invariants, nq.
VectorXd restored_rate(const System& system, const VectorXd& q, const VectorXd& v);

/// A contact in a contact problem, with its slip direction if it slips.
struct ActiveContact {
  Index which = 0;                     ///< index in FrictionalSystem::contacts
  std::optional<VectorXd> slipping{};  ///< unit vector w/|w|
};

/// Entries of (w, g') of these contacts: sliding rows first, then normal rows, as in the problems
/// below.
std::vector<Index> rows_of(const FrictionalSystem& system,
                           const std::vector<ActiveContact>& active);

/// The contact problem A_aa r + b_a of the active contacts. `free` (m + nc): accelerations of all
/// contacts without reactions, or velocities for an impact. `given` (nc): p of contacts with
/// Normal::given. `compliance` (m + nc, or empty): NonsmoothOptions::compliance.
ContactProblem contact_problem_of(const FrictionalSystem& system, const ContactRows& rows,
                                  const VectorXd& free, const VectorXd& given,
                                  const std::vector<ActiveContact>& active,
                                  const VectorXd& compliance = {});

/// r of all contacts (m + nc) from r of the active ones, zero elsewhere.
VectorXd reaction_of_all(const FrictionalSystem& system, const std::vector<ActiveContact>& active,
                         const VectorXd& reaction);

/// (λ, p) from r = (−λ, p): the order and the signs of Motion::lambda.
VectorXd forces_of(const FrictionalSystem& system, const VectorXd& reaction);

}  // namespace rigidlimit
