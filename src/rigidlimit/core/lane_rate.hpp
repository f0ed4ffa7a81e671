// Right-hand sides of eight problems in standard slow-fast form, one in each lane of a pack.
#pragma once

#include <cstddef>
#include <vector>

#include "rigidlimit/core/pack.hpp"

namespace rigidlimit {

/// Eight problems of one form, in y = (x, w, η) with sizes N_x, m and m, as in BatchedRate
/// (core/batched_rate.hpp). There the lanes are stages of one problem; here lane k is problem k,
/// and all are at one time t:
///
///   x' = X(x, w, t) − P_x(x) λ,   w' = W(x, w, t) − P_w(x) λ,   η' = κ w,   λ = C η + D w.
///
/// Each lane has its own C, D and κ, which may be arbitrarily large. With m = 0 there are only slow
/// components.
class LaneRate {
 public:
  LaneRate(std::size_t slow_size, std::size_t fast_size)
      : slow(slow_size),
        fast(fast_size),
        stiffness(fast_size * fast_size),
        damping(fast_size * fast_size) {}
  LaneRate(const LaneRate&) = delete;
  LaneRate& operator=(const LaneRate&) = delete;
  virtual ~LaneRate() = default;

  const std::size_t slow;       ///< N_x
  const std::size_t fast;       ///< m
  std::vector<Pack> stiffness;  ///< C, m × m by columns
  std::vector<Pack> damping;    ///< D, m × m by columns
  Pack deflection_rate = 0.0;   ///< κ

  std::size_t size() const { return slow + 2 * fast; }

  /// (x', w') (N_x + m) at (x, w) and λ (m).
  virtual void rates(double t, const Pack* state, const Pack* lambda, Pack* rate) const = 0;
  /// P = [P_x; P_w] at (x, w), (N_x + m) × m by columns. Called for each step in its middle, also
  /// with m = 0: may choose equations that are valid near it.
  virtual void response(const Pack* state, Pack* P) = 0;

  /// Number of the outputs of a state, …
  virtual std::size_t outputs() const = 0;
  /// … and their values at y. false: the variables are not valid there in some lane.
  virtual bool write_outputs(double t, const Pack* y, Pack* outputs) = 0;
  /// Whether the variables change along the motion.
  virtual bool moves() const { return false; }
  /// Called between steps if so, with `count` states y, one after the other, of which the first is
  /// the present one: may choose other variables near it, and writes all states in them.
  virtual void move_variables(Pack* /*states*/, std::size_t /*count*/) {}
};

}  // namespace rigidlimit
