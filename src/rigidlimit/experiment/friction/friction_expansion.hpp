// Leading terms of compliant − rigid motion with bounded friction (docs/theory.md, section 10.8).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"
#include "rigidlimit/core/interpolation.hpp"
#include "rigidlimit/experiment/friction/friction_layer.hpp"
#include "rigidlimit/experiment/friction/friction_terms.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"

namespace rigidlimit {

/// y = (q, v) of a piece as a smooth motion y' = f(t, y). Refers to its arguments.
class PieceFlow {
 public:
  /// `step`: of difference quotients in t, s; their relative error is (step/time scale)².
  PieceFlow(const FrictionalSystem& system, const ContactStates& states, const VectorXd& compliance,
            double step)
      : system_(system), states_(states), compliance_(compliance), step_(step) {}

  VectorXd rate(double t, const VectorXd& y) const;      ///< f, nq + n
  MatrixXd jacobian(double t, const VectorXd& y) const;  ///< ∂f/∂y
  VectorXd forces(double t, const VectorXd& y) const;    ///< (λ, p), m + nc

  /// (λ, p)' and (λ, p)'' along the motion, by central differences. The states at t ± step are
  /// parabolas, whose errors of third order cancel in λ''. J: jacobian(t, y).
  std::pair<VectorXd, VectorXd> force_rates(double t, const VectorXd& y, const MatrixXd& J) const;

  /// The change of v' and of the forces if the sliding of the sticking contacts has the
  /// acceleration `w_rate` (m), and all other constraints are kept.
  struct Response {
    VectorXd acceleration;  ///< n
    VectorXd forces;        ///< of (λ, p), m + nc
  };
  Response response_to(double t, const VectorXd& y, const VectorXd& w_rate) const;

 private:
  PieceRate rate_at(double t, const VectorXd& y) const;

  const FrictionalSystem& system_;
  const ContactStates& states_;
  const VectorXd& compliance_;
  double step_;
};

/// The motion with constant modes on [begin, end].
struct ModePiece {
  double begin = 0.0, end = 0.0;           ///< s
  VectorXd q{}, v{};                       ///< at `begin`, after the event
  ContactStates states{};                  ///< one for each contact
  std::vector<bool> from_rest{};           ///< contact i slips from rest at t = 0
  std::vector<Index> stopped{};            ///< contacts that stop slipping at `begin`
  std::vector<Index> released{};           ///< contacts that begin to slip at `begin` > 0
  std::vector<std::size_t> events{};       ///< at `begin`: indices into NonsmoothMotion::events
  VectorXd force_before{}, force_after{};  ///< (λ, p) at `begin`; before: zero at the start
};

/// The pieces of side.judged up to side.end. Throws InputError with the reason if a contact has a
/// unilateral normal, or if an event is neither an end of slipping nor a planar beginning of it.
std::vector<ModePiece> mode_pieces(const FrictionStudy& study, const RigidSide& side);

/// Terms of the projected law with κ = 1 and given or bilateral normals. Each start of a mode with
/// loaded or unloaded springs has a layer. The outer terms (q_k, v_k) ε^k begin with k = 2, or with
/// k = 1 after a start that slips from rest, whose missing impulse slipping keeps.
class FrictionExpansion final : public FrictionTerms {
 public:
  /// Throws InputError with the reason if the motion has no formula.
  FrictionExpansion(const FrictionStudy& study, const RigidSide& side, const ComparedLaw& law);

  /// The order of the leading term of a measure in the sup norm; NaN: not predicted.
  double order(const Measure& measure) const override;

  /// Leading terms at `times`, a column each: q ε or ε², v ε (in the window `away` from events,
  /// where the layers have decayed, without them: ε or ε²), and (λ, p) in order 1.
  Motion leading(double epsilon, const std::vector<double>& times, Window window) const override;

 private:
  struct Piece {
    ModePiece rigid;
    std::shared_ptr<const FrictionLayer> layer{};  ///< nullptr: no elastic contact
    double shift = 0.0;                            ///< s: of its beginning, over ε²
    std::vector<double> nodes{};
    MatrixXd q{}, v{};  ///< outer terms of order `order_` at the nodes
  };

  std::shared_ptr<const FrictionLayer> layer_of(const ModePiece& piece) const;
  void begin(Piece& piece, const Piece* before);
  void solve(Piece& piece);
  VectorXd velocity_after(const Piece& piece, const VectorXd& kept) const;
  void find_shift(const Piece& before, const Piece& piece);
  std::vector<double> shifts_of_stops(const Piece& before, const ModePiece& rigid) const;
  std::vector<double> shifts_of_slips(const Piece& before, const ModePiece& rigid) const;
  VectorXd sliding_acceleration(const Piece& piece, const PieceFlow& flow, double t,
                                const VectorXd& y, const MatrixXd& J) const;
  void add(const Piece& piece, double epsilon, const std::vector<double>& times, Window window,
           Index first, Motion& motion) const;

  const FrictionStudy& study_;
  VectorXd stiffness_, damping_;  ///< C, D of each row of W
  VectorXd compliance_;
  std::vector<Piece> pieces_;
  int order_ = 2;  ///< of the outer terms
  // Outer terms at the start of the piece that begins.
  VectorXd q_start_, v_start_;
  double shift_ = 0.0;
};

}  // namespace rigidlimit
