// Switches of the equations: the comparisons a < b and the |a| in them that depend on the motion.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "rigidlimit/core/evaluator.hpp"
#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// +1 or −1 for each switching function: its sign.
using Sides = std::vector<int>;

/// The equations of a system are smooth as long as every switching function σ(q, v, t) keeps its
/// sign: σ = a − b of a condition a < b or a ≤ b, σ = a of |a|. Conditions in more than one tape,
/// of a force and of its derivative, are one switch. a = b switches nothing.
///
/// On a piece between two switches the equations are those of with(sides), which are smooth and go
/// on beyond the switch. A jump of the force at σ = 0 is a jump of v' and Λ there, while q and v
/// are continuous (docs/theory.md, section 14). Threads may share an object.
class Switches {
 public:
  /// `times` (s, increasing): instants besides at which the author's force is not smooth.
  explicit Switches(const RecordedSystem& system, std::vector<double> times = {});

  Index count() const { return std::ssize(of_time_); }
  bool empty() const { return of_time_.empty() && times_.empty(); }
  /// σ_k is a function of t alone.
  bool depends_on_time_alone(Index k) const { return of_time_[static_cast<std::size_t>(k)]; }
  bool depends_on_state() const;

  VectorXd values(double t, VectorIn q, VectorIn v) const;  ///< σ, one for each switch
  /// dσ/ds along (t + s t', q + s q', v + s v').
  VectorXd rates(double t, VectorIn q, VectorIn v, double t_rate, VectorIn q_rate,
                 VectorIn v_rate) const;

  /// The signs of σ at a state; where σ is 0 (to rounding), the sign that it takes along the motion
  /// with the velocities q' and v' there.
  Sides sides_at(double t, VectorIn q, VectorIn v, VectorIn q_rate, VectorIn v_rate) const;

  /// One instant at which switches that depend on time alone change sign, `which` of them; of the
  /// author's own instants none.
  struct Instant {
    double t = 0.0;
    std::vector<Index> which{};
  };
  /// Those in (0, end), increasing: σ < 0 and σ ≥ 0 on the two sides, located to the last bit. Two
  /// changes of one switch within end/100 000 may be missed.
  std::vector<Instant> instants(double end) const;

  /// The system with every condition as it is where the σ have these signs: smooth, without
  /// switches. Made once for each `sides`.
  const System& with(const System& system, const Sides& sides) const;

 private:
  std::vector<double> times_;
  std::vector<bool> of_time_;              ///< by switch
  std::vector<std::uint64_t> low_, high_;  ///< by switch: keys of a and b in σ = a − b
  std::shared_ptr<const Evaluator<double>> values_, rates_;
  mutable std::mutex guard_;
  mutable std::map<Sides, System> pieces_;
};

/// The switches of a system, or nullptr where its equations are smooth.
std::shared_ptr<const Switches> switches_of(const RecordedSystem& system,
                                            std::vector<double> times = {});

}  // namespace rigidlimit
