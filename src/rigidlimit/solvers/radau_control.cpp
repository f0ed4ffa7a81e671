#include "rigidlimit/solvers/radau_control.hpp"

#include <algorithm>
#include <cmath>

namespace rigidlimit {
namespace {

// Hairer & Wanner's constants but for the largest growth.
constexpr double safety = 0.9;
constexpr double least_factor = 0.2;
constexpr double most_factor = 8.0;

/// The smallest odd s whose steps stay long at the tolerance: an h^(2s−1) method pays for
/// rtol < 10^(−2s) or so with more steps than one of two stages more does with stage values.
int stages_for(double rtol) {
  const double digits = -std::log10(rtol);
  int stages = 3;
  while (stages < 15 && digits > 2.0 * stages - 2.0) stages += 2;
  return stages;
}

}  // namespace

double RadauStepControl::proposed(double h, double error, int stages, int iterations,
                                  int most_iterations) const {
  const double floor = std::max(error, 1e-10);
  const double exponent = 1.0 / (stages + 1.0);
  // Many iterations: the next step should be shorter.
  const double cautious =
      safety * std::min(1.0, (1.0 + 2.0 * most_iterations) / (iterations + 2.0 * most_iterations));
  double factor = cautious * std::pow(floor, -exponent);
  if (h_before_ > 0.0 && error < 1.0) {  // the trend of the last two errors goes on
    const double trend = h / h_before_ * std::pow(error_before_ / (floor * floor), exponent);
    factor = std::min(factor, safety * trend);
  }
  factor = std::clamp(factor, least_factor, may_grow_ || error >= 1.0 ? most_factor : 1.0);
  return h * factor;
}

void RadauStepControl::accepted(double h, double error) {
  h_before_ = h;
  error_before_ = std::max(0.01, error);  // a lucky error must not forbid the next step to grow
  may_grow_ = true;
}

RadauOrderControl::RadauOrderControl(int stages, double rtol)
    : least_(stages > 0 ? stages : 3),
      most_(stages > 0 ? stages : std::max(3, stages_for(rtol))),
      stages_(most_) {}

bool RadauOrderControl::change_to(int stages) {
  steps_since_change_ = 0;
  if (stages < least_ || stages > most_) return false;
  stages_ = stages;
  return true;
}

bool RadauOrderControl::accepted(double contraction, double growth) {
  ++steps_since_change_;
  if (contraction > 0.8) return change_to(stages_ - 2);
  // Hairer & Wanner (1999): Newton contracts by 0.002 and the step is steady.
  if (steps_since_change_ >= 10 && contraction < 0.002 && growth > 0.8 && growth < 1.2)
    return change_to(stages_ + 2);
  return false;
}

bool RadauOrderControl::iteration_failed() {
  return stages_ > least_ && change_to(stages_ - 2);
}

}  // namespace rigidlimit
