// Tapes shared by formulations, derived from a recorded system.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/mechanics/adapted_tapes.hpp"
#include "rigidlimit/mechanics/balance.hpp"
#include "rigidlimit/mechanics/natural_tapes.hpp"

namespace rigidlimit {

/// Each is made once on first use, by any copy of the system. Threads may share it.
class MotionTapes {
 public:
  explicit MotionTapes(const std::shared_ptr<const RecordedSystem>& system)
      : system_(system),
        balance_(system, BalanceRows::sliding),
        contact_balance_(system, BalanceRows::contacts),
        natural_(system) {}

  const Balance& balance() const { return balance_; }
  const Balance& contact_balance() const { return contact_balance_; }
  const NaturalTapes& natural() const { return natural_; }
  const AdaptedTapes& adapted(const AdaptedForm& form) const;

  /// dP and d(M v | v fixed) along dq (1 + n).
  VectorXd energy_change(VectorIn q, VectorIn v, VectorIn dq) const;

 private:
  std::shared_ptr<const RecordedSystem> system_;
  Balance balance_, contact_balance_;
  NaturalTapes natural_;
  Lazy<Evaluator<double>> energy_change_;
  mutable std::mutex guard_;
  mutable std::map<AdaptedForm, std::unique_ptr<const AdaptedTapes>> adapted_;
};

}  // namespace rigidlimit
