// Switches of the equations: the comparisons a < b and the |a| that depend on the motion.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// Sign of each switching function: +1 or −1.
using Sides = std::vector<int>;

/// The equations of a system are smooth as long as every switching function σ(q, v, t) keeps its
/// sign: σ = a − b for a condition a < b or a ≤ b, σ = a for |a|. A condition that occurs in
/// several tapes, of a force and of its derivative, is one switch. a = b is not a switch. Gaps and
/// given normal forces of contacts belong to the equations.
///
/// Between two switches the equations are those of with(sides), which are smooth and extend beyond
/// the switch. At σ = 0 a jump of the force is a jump of v' and Λ; q and v are continuous
/// (docs/theory.md, section 14). Threads may share an object.
class Switches {
 public:
  /// `times` (s, increasing): further instants at which the author's force is not smooth.
  explicit Switches(const RecordedSystem& system, std::vector<double> times = {});

  Index count() const { return std::ssize(of_time_); }
  bool empty() const { return of_time_.empty() && times_.empty(); }
  /// σ_k is a function of t alone.
  bool depends_on_time_alone(Index k) const { return of_time_[static_cast<std::size_t>(k)]; }
  bool depends_on_state() const;

  VectorXd values(double t, VectorIn q, VectorIn v) const;  ///< σ, one for each switch
  const Tape& tape() const { return values_->tape(); }      ///< (t, q, v) -> σ
  /// dσ/ds along (t + s t', q + s q', v + s v').
  VectorXd rates(double t, VectorIn q, VectorIn v, double t_rate, VectorIn q_rate,
                 VectorIn v_rate) const;

  /// Within the rounding of a state of order 1, the side is undetermined.
  static bool is_zero(double sigma) { return std::abs(sigma) <= 1e-14; }
  /// The signs of σ at a state. If σ is 0 (to rounding), its sign just after, along the rates q'
  /// and v'.
  Sides sides_at(double t, VectorIn q, VectorIn v, VectorIn q_rate, VectorIn v_rate) const;

  /// q' and v' of the motion at one state and time, of the equations with these sides; no sides:
  /// of the equations as they are.
  struct Rates {
    VectorXd q, v;
  };
  using RatesAt = std::function<Rates(const Sides& sides, double t, VectorIn q, VectorIn v)>;
  /// The sides of a motion that begins at (t, q, v). A switch that depends on the motion and is
  /// zero there has the side to which the motion of that side goes: at the corner of a table, the
  /// slope of the side that the motion enters. If there is none, or more than eight switches are
  /// zero, the sides are those of the equations as they are.
  Sides sides_at_start(double t, VectorIn q, VectorIn v, const RatesAt& rates) const;

  /// One instant at which switches that depend on time alone change sign. `which` lists them; it is
  /// empty for an instant given by the author.
  struct Instant {
    double t = 0.0;
    std::vector<Index> which{};
  };
  /// The instants in (0, end), increasing, located to the last bit: σ < 0 on one side, σ ≥ 0 on the
  /// other. Two changes of one switch within end/100 000 may be missed.
  /// Made once for each `end`.
  const std::vector<Instant>& instants(double end) const;

  /// The system with every condition fixed by these signs of σ: smooth, without switches. Made once
  /// for each `sides`.
  const System& with(const System& system, const Sides& sides) const;

 private:
  std::vector<Instant> located_instants(double end) const;

  std::vector<double> times_;
  std::vector<bool> of_time_;              ///< by switch
  std::vector<std::uint64_t> low_, high_;  ///< by switch: keys of a and b in σ = a − b
  std::shared_ptr<const Evaluator<double>> values_, rates_;
  mutable std::mutex guard_;
  mutable std::map<Sides, System> pieces_;
  mutable std::map<double, std::vector<Instant>> instants_;
};

/// Reason of a motion that ends on a switch.
inline constexpr const char* stays_on_a_switch =
    "the motion stays on a switch of the forces, because both sides drive it back. Is a contact "
    "meant? A force that jumps with a velocity and stops it is dry friction: state it as a contact "
    "([[system.contacts]]) in a friction study";

/// Whether two times are so close that no solver can step between them.
bool are_inseparable(double a, double b);

/// Whether a row, a gap or the rate of a coordinate has a condition that depends on t.
bool surfaces_switch(const RecordedSystem& system);

/// The switches of a system, or nullptr if its equations are smooth.
std::shared_ptr<const Switches> switches_of(const RecordedSystem& system,
                                            std::vector<double> times = {});

}  // namespace rigidlimit
