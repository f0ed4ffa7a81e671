// The smooth pieces of a frictional system with switches, and the sides of the current one.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "rigidlimit/contact/event_driven/fixed_modes.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"

namespace rigidlimit {

/// The equations between two switches (mechanics/switches.hpp). Their smooth forms extend beyond
/// the switch, so that no step evaluates the other side. Without switches the only piece is the
/// system itself.
class SwitchedSystem {
 public:
  explicit SwitchedSystem(const FrictionalSystem& whole) : whole_(whole), now_(&whole) {}
  SwitchedSystem(const SwitchedSystem&) = delete;
  SwitchedSystem& operator=(const SwitchedSystem&) = delete;

  /// The equations of the current sides.
  const FrictionalSystem& now() const { return *now_; }
  const Sides& sides() const { return sides_; }
  void set_sides(Sides sides);
  void flip(Index which);

  /// Number of switches.
  Index count() const { return whole_.smooth.switches ? whole_.smooth.switches->count() : 0; }
  bool depends_on_time_alone(Index k) const {
    return whole_.smooth.switches->depends_on_time_alone(k);
  }
  /// sides_k σ_k: positive in the piece. One for each switch.
  VectorXd values(double t, VectorIn q, VectorIn v) const;
  /// sides_k dσ_k/dt along a motion with these rates.
  VectorXd rates(double t, VectorIn q, VectorIn v, VectorIn q_rate, VectorIn v_rate) const;
  /// Of each switch: the rounding of σ at a state, the sum of |∂σ/∂x| times a hundred units in the
  /// last place of |x|, and at least 1e-14, over the arguments x = t, q, v.
  VectorXd roundings(double t, VectorIn q, VectorIn v) const;

  /// The zero switches that the motion with these rates leaves on the other side, with a rate above
  /// 1e-9 of Σ |∂σ/∂x| `size`; `size`: of the terms of the rates.
  std::vector<Index> left_at_once(double t, VectorIn q, VectorIn v, VectorIn q_rate,
                                  VectorIn v_rate, double size) const;

  /// The first instant after t at which switches of t alone change. Empty: none before `end`.
  std::optional<Switches::Instant> next_instant(double t, double end) const;

 private:
  /// Σ |∂σ/∂x| d over the arguments x, one for each switch.
  VectorXd change(double t, VectorIn q, VectorIn v, const VectorXd& d) const;

  const FrictionalSystem& whole_;
  const FrictionalSystem* now_;
  Sides sides_;
  std::map<Sides, FrictionalSystem> pieces_;
};

}  // namespace rigidlimit
