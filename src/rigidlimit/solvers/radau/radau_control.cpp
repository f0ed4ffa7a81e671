#include "rigidlimit/solvers/radau/radau_control.hpp"

#include <algorithm>
#include <cmath>

namespace rigidlimit {
namespace {

// Hairer & Wanner's constants except the largest growth.
constexpr double safety = 0.9;
constexpr double least_factor = 0.2;
constexpr double most_factor = 8.0;

}  // namespace

double RadauStepControl::proposed(double h, double error, int stages, int iterations,
                                  int most_iterations) const {
  const double floor = std::max(error, 1e-10);
  const double exponent = 1.0 / (stages + 1.0);
  // Many iterations: the next step should be shorter.
  const double cautious =
      safety * std::min(1.0, (1.0 + 2.0 * most_iterations) / (iterations + 2.0 * most_iterations));
  double factor = cautious * std::pow(floor, -exponent);
  if (h_before_ > 0.0 && error < 1.0) {  // extrapolates the trend of the last two errors
    const double trend = h / h_before_ * std::pow(error_before_ / (floor * floor), exponent);
    factor = std::min(factor, safety * trend);
  }
  factor = std::clamp(factor, least_factor, may_grow_ || error >= 1.0 ? most_factor : 1.0);
  return h * factor;
}

double RadauStepControl::bounded(double h_new, double h, double contraction) const {
  if (contraction > 0.0 && contraction < 1.0)
    h_new = std::min(h_new, h * std::sqrt(wanted_contraction_ / contraction));
  return bounded_steps_ > 0 ? std::min(h_new, 0.8 * failed_) : h_new;
}

void RadauStepControl::iteration_failed(double h) {
  failed_ = h;
  bounded_steps_ = 6;  // the next accepted step is the first of them
}

void RadauStepControl::accepted(double h, double error) {
  if (bounded_steps_ > 0) --bounded_steps_;
  h_before_ = h;
  error_before_ = std::max(0.01, error);  // a chance small error must not limit the next step
  may_grow_ = true;
}

bool RadauStepControl::error_defies_step(double h, double error, int stages) const {
  // Half the exponent, because a faster turning motion makes the error fall less than h^(s+1).
  return h_before_ > 0.0 && h < 0.9 * h_before_ && error > 0.01 &&
         error > error_before_ * std::pow(h / h_before_, 0.5 * (stages + 1));
}

int radau_stages_for(double rtol, int most) {
  const double digits = -std::log10(rtol);
  int stages = 3;
  while (stages + 2 <= most && digits > 0.8 * (stages + 1)) stages += 2;
  return stages;
}

}  // namespace rigidlimit
