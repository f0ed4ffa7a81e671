#include "rigidlimit/certify/layer_sum.hpp"

#include <algorithm>
#include <stdexcept>

namespace rigidlimit {

/// It grows with ε where θ ≥ k ε.
Ball decayed(const Ball& theta, int k, const Ball& largest_epsilon) {
  Ball epsilon = largest_epsilon;
  if (k > 0 && !(theta.lower() >= k * largest_epsilon.upper())) {
    if (!(theta.lower() > 0.0)) throw std::domain_error("the layer has not decayed");
    epsilon = theta / Ball(k);
  }
  return (exp(-theta / epsilon) / pow(epsilon, Ball(k))).magnitude();
}

FastBound FastBound::after(const Ball& time, const Ball& kappa, const Ball& settled,
                           const Ball& largest_epsilon) const {
  const Ball shortest = time.lower();
  const Ball left = rest * exp(-kappa * shortest / largest_epsilon) + settled;
  return {layer, Ball((decay + kappa * shortest).lower()),
          std::min(std::max(rest, settled), Ball(left.upper()))};
}

void LayerSum::change_frame(const BallMatrix& change) {
  for (BallVector* x : {&bound, &single, &twice}) *x = magnitudes(BallMatrix(change * *x));
}

/// ∫ p κ λ/ε ≤ p (λ before − λ behind), and s grows to the larger one of s and p: the sum is
/// Abel's.
LayerSum LayerSum::after(const BallVector& p, const BallVector& q, const BallVector& rest,
                         const Ball& layer) const {
  LayerSum next{.bound = {}, .single = larger(single, p), .twice = larger(twice, q)};
  next.bound = magnitudes(bound + rest + (next.single - single) * layer +
                          (next.twice - twice) * (layer * layer));
  return next;
}

}  // namespace rigidlimit
