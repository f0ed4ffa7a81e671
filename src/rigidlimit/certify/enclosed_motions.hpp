// The motions of an enclosed pair as Taylor models.
#pragma once

#include <array>
#include <vector>

#include "rigidlimit/certify/enclosed_pair.hpp"
#include "rigidlimit/certify/greatest.hpp"
#include "rigidlimit/certify/taylor_model.hpp"

namespace rigidlimit {

/// Both motions and their difference, step by step.
struct EnclosedPair::Motions {
  using Models = std::vector<TaylorModel>;
  struct Step {
    Ball begin, half;  ///< times begin + half + s, |s| ≤ half
    std::array<Models, 3> compliant{}, rigid{}, difference{};  ///< q, v, λ
  };
  using Side = std::array<Models, 3> Step::*;

  /// q, v and λ of a side at a time.
  std::array<BallVector, 3> at(Side side, double t) const;
  DistanceBounds distance(const Motion& motion, const Motion& rest, Side side) const;

  const Models& difference(std::size_t step, Quantity quantity) const {
    return steps[step].difference[static_cast<std::size_t>(quantity)];
  }
  std::vector<Index> rows_of(Quantity quantity, Index row) const;
  std::size_t first_from(double time) const;  ///< the step with this time
  /// In each step, its times from this one to `end`.
  std::vector<StepPart> parts_from(double time) const;

  double end = 0.0;  ///< of both motions; the last step may end after it
  std::vector<Step> steps{};
};

}  // namespace rigidlimit
