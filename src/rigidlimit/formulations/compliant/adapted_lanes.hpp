// Eight rolling motions of one system side by side, rigid and compliant, in adapted variables.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "rigidlimit/core/lane_rate.hpp"
#include "rigidlimit/formulations/compliant/adapted_frame.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/mechanics/equations.hpp"

namespace rigidlimit {

/// One of eight motions: its start, and the contact of the compliant motion.
struct LaneMember {
  InitialState start;
  ViscoelasticLaw law;
  VectorXd eta0;  ///< scaled spring deflection at the start, m
};
using LaneMembers = std::array<LaneMember, Pack::lanes>;

/// The frames of eight starts (adapted_frame.hpp) with one row order. Each lane has its own rows S.
class LaneFrames {
 public:
  /// Throws InputError for redundant contacts, and if the starts need different row orders of the
  /// elimination: then they belong into different groups.
  LaneFrames(const System& system, const LaneMembers& members);

  const System& system() const { return system_; }
  bool natural() const { return frames_.front()->natural(); }
  std::size_t free() const { return static_cast<std::size_t>(frames_.front()->free()); }
  std::size_t rank() const { return static_cast<std::size_t>(frames_.front()->rank()); }
  const AdaptedTapes& tapes() const { return *tapes_; }
  /// R of the lanes, column by column; natural: empty.
  const std::vector<Pack>& parameters() const { return R_; }

  /// Rows S and row order of the starts.
  void reset();
  /// (u, w) of the starts' velocities, one below the other.
  std::vector<Pack> adapted_starts() const;

  /// v (n) of (q, u, w). false: in some lane the row order is not valid.
  bool write_velocities(const Pack* state, Pack* v) const;
  /// Chooses a row order that is valid at (q, u, w), if the present one is nearly invalid there.
  void order_at(const Pack* state);
  /// New rows S at the q of the first of `count` states (q, u, w, …) of this stride, and all states
  /// in them: exactly, through v. Natural: nothing changes.
  void choose(Pack* states, std::size_t count, std::size_t stride, bool compliant);

 private:
  void take_tapes();
  /// The least |pivot| of v at (q, u, w), over lanes, in parts of its value at the choice.
  double share_of_pivots(const Pack* state, Pack* v) const;
  void take_pivots(const Pack* state);
  /// An order of the elimination at (q, u, w). Throws InputError if no common one is good.
  void choose_order(const Pack* state);

  System system_;
  std::array<InitialState, Pack::lanes> starts_;
  std::vector<std::shared_ptr<AdaptedFrame>> frames_;
  const AdaptedTapes* tapes_ = nullptr;
  std::vector<Pack> R_, S_;
  std::vector<Pack> pivots_;  ///< |pivot| at the choice of the order
  mutable std::vector<Pack> results_;
  std::vector<Pack> state_;
};

/// A problem whose outputs are (q, v, λ, g): the first `coordinates` entries of q, all of v, the
/// contact forces, and the positions of joints, ε² (η − η(0)) of their rows.
struct LaneProblem {
  std::unique_ptr<LaneRate> rate;
  std::vector<Pack> y0;
};

/// Rolling with the spring and damper of each member at ε, y = (q, u, w, η) (adapted.hpp). The
/// frames are shared with the rate: one solve at a time.
LaneProblem compliant_lanes(const std::shared_ptr<LaneFrames>& frames, const LaneMembers& members,
                            double epsilon, Index coordinates);

/// Rigid rolling, y = (q, u) (rigid_reduced.hpp), with the multiplier Λ from w' = 0:
/// G M⁻¹Gᵀ Λ = w' at λ = 0. The members' velocities roll.
LaneProblem rigid_lanes(const std::shared_ptr<LaneFrames>& frames, const LaneMembers& members,
                        Index coordinates);

}  // namespace rigidlimit
