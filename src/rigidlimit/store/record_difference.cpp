#include "rigidlimit/store/record_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigidlimit {

namespace {

/// Relative to the largest finite entry; NaN if the two cannot be compared.
double largest_difference(const MatrixXd& a, const MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::nan("");
  double scale = 0.0, apart = 0.0;
  for (Index k = 0; k < a.size(); ++k) {
    const double x = a.data()[k], y = b.data()[k];
    if (std::isnan(x) != std::isnan(y)) return std::nan("");
    if (std::isnan(x)) continue;
    scale = std::max({scale, std::abs(x), std::abs(y)});
    apart = std::max(apart, std::abs(x - y));
  }
  return apart > 0.0 ? apart / scale : 0.0;
}

}  // namespace

std::optional<RecordDifference> difference_between(const SolveRecord& kept,
                                                   const SolveRecord& other) {
  if (same_result(kept, other)) return std::nullopt;
  if (kept.outcome != other.outcome)
    return RecordDifference{fmt::format("the outcome was {} and is now {}", name_of(kept.outcome),
                                        name_of(other.outcome)),
                            std::nan("")};
  if (!kept.samples_hash.empty() && hash_of_samples(kept) != hash_of_samples(other))
    return RecordDifference{"its samples differ (their hash is stored)", std::nan("")};
  RecordDifference worst{"its samples are equal, but its counts or messages differ", 0.0};
  for (const NamedSamples& samples : kept.samples) {
    const auto twin = std::ranges::find(other.samples, samples.name, &NamedSamples::name);
    if (twin == other.samples.end())
      return RecordDifference{samples.name + " is missing", std::nan("")};
    const double apart = largest_difference(samples.values, twin->values);
    if (std::isnan(apart))
      return RecordDifference{samples.name + " has another size or other missing values", apart};
    if (apart > worst.largest)
      worst = {fmt::format("{} differs by up to {:.2g} of its largest entry", samples.name, apart),
               apart};
  }
  return worst;
}

std::string description_of(const SolveIdentity& solve) {
  std::string text = name_of(solve.kind);
  if (!solve.law.empty()) text += ", " + solve.law;
  text += ", " + solve.solver;
  if (!std::isnan(solve.epsilon)) text += fmt::format(", eps = {:.6g}", solve.epsilon);
  return text + (solve.tighter ? ", the tighter solve" : "");
}

}  // namespace rigidlimit
