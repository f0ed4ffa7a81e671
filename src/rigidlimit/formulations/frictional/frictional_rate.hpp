// The right-hand side of formulations/frictional/frictional_compliant.hpp.
#pragma once

#include <algorithm>
#include <vector>

#include "rigidlimit/formulations/frictional/frictional_forces.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"

namespace rigidlimit {

/// Positions of the parts of y = (q, v, η, w, γ, h), followed by the marks of closed contacts and
/// the sides of switches (mechanics/switches.hpp).
struct FrictionalShape {
  FrictionalShape(const FrictionalSystem& system, const FrictionalLaw& law, Closing closing);

  Index nq, n, ne, m, nc;
  Index springs = 0;     ///< entries of η: m, or 0 for the regularised law
  Index unilateral = 0;  ///< number of unilateral contacts: entries of γ and of h
  Index bilateral = 0;
  Index marks = 0;     ///< unilateral contacts, if their closings are located; else 0
  Index switches = 0;  ///< of the equations, if they are located; else 0

  std::vector<Index> held{};  ///< rows of [E; W; N] that are R = [E; N_b]
  VectorXd recovery{};        ///< recovery rate of each row, 1/s: damps its velocity

  Index held_count() const { return ne + bilateral; }
  Index normal_at() const { return ne + m; }  ///< first row of N in [E; W; N]
  Index deflection_at() const { return nq + n; }
  Index sliding_at() const { return nq + n + springs; }
  Index gap_at() const { return sliding_at() + m; }
  Index gap_rate_at() const { return gap_at() + unilateral; }
  Index mark_at() const { return gap_rate_at() + unilateral; }
  Index side_at() const { return mark_at() + marks; }
  Index size() const { return side_at() + switches; }
};

/// The equations and their workspace. The body is constrained by its exact rows and its bilateral
/// contacts, R = [E; N_b]:
///
///   [ M  Rᵀ ] [ a ]   [ force ]
///   [ R  0  ] [ κ ] = [ rate  ],   κ = (κ_E, −p_b).
class FrictionalRate {
 public:
  FrictionalRate(const FrictionalSystem& system, const InitialState& start,
                 const FrictionalLaw& law, double epsilon, Closing closing);

  /// f(t, y). Not finite if the normal forces of bilateral contacts cannot be solved for.
  void operator()(double t, VectorIn y, VectorOut f);

  /// Computes all forces and accelerations at (t, y), for the accessors below.
  void balance(double t, VectorIn y);

  const FrictionalSystem& system() const { return system_; }
  /// The smooth equations of the sides in the last state of balance(): y, like a mark, has the side
  /// of each switch as a state without a rate, so that a step evaluates one side alone.
  const System& piece() const { return *piece_; }
  const FrictionalShape& shape() const { return shape_; }
  const std::vector<CompliantContact>& contacts() const { return contacts_; }
  double epsilon() const { return epsilon_; }

  /// Whether unilateral contact c is closed at y: γ < 0, or, for a located closing, its mark is
  /// set. The mark is a state without a rate: a root of the closing sets it to 1, a root of the
  /// opening to 0. The steps of a flight thus pass g = 0 without the jump of the force, and a
  /// located contact has its whole force from g = 0 on.
  bool closed(const CompliantContact& c, VectorIn y) const;

  // Results of the last balance().
  const VectorXd& friction() const { return lambda_; }            ///< λ (m)
  const VectorXd& normal_forces() const { return p_; }            ///< p (nc)
  const VectorXd& accelerations() const { return x_; }            ///< (a, κ), n + ne + nb
  const Inertia<double>& inertia() const { return inertia_; }     ///< constrained by R
  double effective_mass(Index i) const { return mass_(i); }       ///< for contact i if unilateral
  const VectorXd& deflection_rates() const { return eta_rate_; }  ///< η', none if regularised
  const BalanceTerms& terms() const { return terms_; }            ///< of [E; W; N]
  const Balance& tapes() const { return piece().tapes->contact_balance(); }
  /// (z, κ_z), the inertia's response to Nᵀ of contact i, n + ne + nb.
  const VectorXd& response(Index i) const { return responses_[static_cast<std::size_t>(i)]; }
  /// Response of (a, κ) to m forces λ, (n + ne + nb) × m; only with bilateral contacts.
  const MatrixXd& friction_response() const { return friction_response_; }
  /// ∂λ/∂p_b, m × nb.
  const MatrixXd& friction_slope() const { return slope_; }

 private:
  void choose_piece(VectorIn y);
  void write_known_normal_forces(VectorIn y);
  void write_friction(VectorIn y);
  void write_load();
  bool couple(VectorIn y);
  bool newton(VectorIn y, const VectorXd& free_force, const MatrixXd& B);
  bool contraction(VectorIn y, const VectorXd& free_force, const MatrixXd& B);
  VectorXd defect(VectorIn y, const VectorXd& free_force, const MatrixXd& B);
  VectorXd bilateral_forces() const;
  void set_bilateral_forces(const VectorXd& p);

  std::shared_ptr<const FrictionalSystem> shared_;  ///< copies have the same pieces
  const FrictionalSystem& system_ = *shared_;
  FrictionalShape shape_;
  const System* piece_ = &system_.smooth;
  Sides sides_;  ///< of piece_; empty: the equations as they are
  std::vector<CompliantContact> contacts_;
  double epsilon_;

  BalanceTerms terms_;
  VectorXd lambda_, eta_rate_, p_, mass_;
  VectorXd right_, x_;
  std::vector<VectorXd> responses_;
  MatrixXd friction_response_, slope_;
  Inertia<double> inertia_;
};

}  // namespace rigidlimit
