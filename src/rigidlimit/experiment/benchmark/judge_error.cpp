#include "rigidlimit/experiment/benchmark/judge_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "rigidlimit/experiment/plan/solve_archive.hpp"

namespace rigidlimit {

namespace {

/// −log10 x, at most the digits of a double.
double digits(double x) {
  return -std::log10(std::max(x, 0.5 * std::numeric_limits<double>::epsilon()));
}

}  // namespace

GroupError judged(const MatrixXd& found, const BenchmarkReference& reference, std::size_t g) {
  GroupError result;
  if (reference.values.empty()) return result;
  const MatrixXd& y = reference.values[g];
  result.reference_error = reference.error[g];
  if (found.size() == 0 || !found.allFinite()) return result;
  if (found.rows() != y.rows() || found.cols() != y.cols())
    throw DamagedRecord(fmt::format("a stored result is {} × {}, and its reference {} × {}",
                                    found.rows(), found.cols(), y.rows(), y.cols()));
  const Eigen::ArrayXXd e = (found - y).array().abs();
  const Eigen::ArrayXXd size = y.array().abs();
  result.error = e.maxCoeff();
  result.mixed = digits((e / (size + 1.0)).maxCoeff());
  const double least = reference.error[g];
  if ((size > least).any()) result.scd = digits((size > least).select(e / size, 0.0).maxCoeff());
  result.status = result.error < reference_factor * result.reference_error
                      ? TrialStatus::reference_limited
                      : TrialStatus::ok;
  return result;
}

}  // namespace rigidlimit
