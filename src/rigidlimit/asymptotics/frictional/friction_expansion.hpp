// Leading terms of compliant − rigid motion with bounded friction (docs/theory.md, section 10.8).
#pragma once

#include <memory>
#include <vector>

#include "rigidlimit/asymptotics/frictional/friction_layer.hpp"
#include "rigidlimit/asymptotics/frictional/friction_terms.hpp"
#include "rigidlimit/asymptotics/frictional/piece_flow.hpp"

namespace rigidlimit {

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

/// The pieces of the rigid motion up to its end. Throws InputError with the reason if a contact has
/// a unilateral normal, or if an event is neither an end of slipping nor a planar beginning of it.
std::vector<ModePiece> mode_pieces(const FrictionalLimit& limit);

/// Terms of the projected law with κ = 1 and given or bilateral normals. Each start of a mode with
/// loaded or unloaded springs has a layer. The outer terms (q_k, v_k) ε^k begin with k = 2, or with
/// k = 1 after a start that slips from rest, whose missing impulse slipping keeps.
class FrictionExpansion final : public FrictionTerms {
 public:
  /// Throws InputError with the reason if the motion has no formula.
  explicit FrictionExpansion(const FrictionalLimit& limit);

  LeadingOrders sup_orders(Part part) const override;

  /// Leading terms at `times`, a column each: q ε or ε², v ε (away from events without layers: ε or
  /// ε²), and (λ, p) in order 1.
  Motion leading(double epsilon, const std::vector<double>& times, Part part) const override;

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
  void add(const Piece& piece, double epsilon, const std::vector<double>& times, Part part,
           Index first, Motion& motion) const;

  const FrictionalSystem& system_;
  VectorXd stiffness_, damping_;  ///< C, D of each row of W
  VectorXd compliance_;
  std::vector<Piece> pieces_;
  int order_ = 2;  ///< of the outer terms
  // Outer terms at the start of the piece that begins.
  VectorXd q_start_, v_start_;
  double shift_ = 0.0;
};

}  // namespace rigidlimit
