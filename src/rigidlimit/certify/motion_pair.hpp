// The two motions that a proof compares.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/stop_request.hpp"
#include "rigidlimit/core/tape/polynomial_form.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {

/// Rolling, and a viscoelastic contact with ε² η' = w = G v, λ = C η + (D/ε) w, from one start.
/// Redundant contacts are G = H G_I with independent rows G_I and a constant H (m × r), for all q:
/// η = H η_I, and G_I has the stiffness HᵀC H and the damping HᵀD H.
struct MotionPair {
  std::shared_ptr<const RecordedSystem> system;  ///< smooth, of the independent contacts
  bool explicit_time = false;                    ///< its force depends on t
  MatrixXd stiffness, damping;                   ///< C, D, of all contacts; C symmetric
  RationalRows combination{};                    ///< H, exactly; empty: 1
  VectorXd q, v;                                 ///< start
  double t = 0.0;                                ///< time of the start, s
  double end = 0.0;                              ///< length of the interval, s
  std::function<bool()> stop_requested{};        ///< called now and then; empty: never stop
  std::function<void(double)> on_part{};         ///< called with the proved part of the interval

  void check_for_stop() const;  ///< throws ProofStopped
  /// The motions are enclosed up to t + reached. Throws ProofStopped.
  void go_on_from(double reached) const;
  /// Throws std::domain_error unless C is symmetric to the last bit: solutions with C read one of
  /// its triangles.
  void check_stiffness() const;
};

/// A proof was stopped on request.
struct ProofStopped : Stopped {};

inline void MotionPair::check_stiffness() const {
  if (stiffness != stiffness.transpose())
    throw std::domain_error("the stiffness C is not symmetric to the last bit");
}

inline void MotionPair::check_for_stop() const {
  if (stop_requested && stop_requested()) throw ProofStopped();
}

inline void MotionPair::go_on_from(double reached) const {
  check_for_stop();
  if (on_part) on_part(reached / end);
}

}  // namespace rigidlimit
