#include "rigidlimit/certify/bound_theorem.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "rigidlimit/certify/ball.hpp"

namespace rigidlimit {
namespace {

/// (K ε² + K₃ ε³)/ε^p.
Ball over_limit(double K, double K3, const Ball& epsilon, double power) {
  return Ball(K) * pow(epsilon, Ball(2) - Ball(power)) +
         Ball(K3) * pow(epsilon, Ball(3) - Ball(power));
}

bool is_certainly_above(const Ball& a, double b) {
  return a.lower() > b;
}

bool is_certainly_at_most(const Ball& a, double b) {
  return a.upper() <= b;
}

}  // namespace

BoundProof judged(const BoundClaim& claim, const ErrorTheorem& theorem) {
  using State = BoundProof::State;
  const double C = claim.constant, p = claim.power;
  const double end = std::min(claim.to, theorem.largest_epsilon);
  if (!(claim.from <= end) || !(end > 0.0)) return {State::beyond, claim.from};

  const auto most = [&](double epsilon) {
    return over_limit(theorem.upper, theorem.remainder, Ball(epsilon), p);
  };
  const auto least = [&](double epsilon) {
    return over_limit(theorem.lower, -theorem.remainder, Ball(epsilon), p);
  };
  const auto with_quotient = [](State state, double epsilon, const Ball& over) {
    return BoundProof{state, epsilon, state == State::refuted ? over.lower() : over.upper()};
  };
  // The ends, and the largest value of K ε^(2−p) − K₃ ε^(3−p) between them.
  std::vector<double> tried{claim.from, end};
  if (p < 2.0 && theorem.remainder > 0.0)
    tried.push_back(theorem.lower * (2.0 - p) / (theorem.remainder * (3.0 - p)));
  for (const double epsilon : tried)
    if (epsilon > 0.0 && epsilon >= claim.from && epsilon <= end &&
        is_certainly_above(least(epsilon), C))
      return with_quotient(State::refuted, epsilon, least(epsilon));
  const bool to_zero = claim.from == 0.0;
  if (to_zero && ((p > 2.0 && theorem.lower > 0.0) || (p == 2.0 && theorem.lower > C)))
    return {State::refuted, 0.0, p > 2.0 ? std::numeric_limits<double>::infinity() : theorem.lower};

  if (!is_certainly_at_most(most(end), C)) return with_quotient(State::open, end, most(end));
  const bool holds_at_begin = to_zero ? p < 2.0 || (p == 2.0 && theorem.upper <= C)
                                      : is_certainly_at_most(most(claim.from), C);
  if (!holds_at_begin)
    return to_zero ? BoundProof{State::open, 0.0, theorem.upper}
                   : with_quotient(State::open, claim.from, most(claim.from));
  return end < claim.to ? BoundProof{State::beyond, end} : BoundProof{State::proved, end};
}

}  // namespace rigidlimit
