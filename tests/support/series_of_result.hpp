// Finds a series, or a row of a series, in a result.
#pragma once

#include <stdexcept>
#include <string>

#include "rigidlimit/experiment/rolling/rolling_result.hpp"

namespace rigidlimit::test {

/// The first series in this quantity, norm and window (and of the compliant solver and law, if they
/// are given); std::out_of_range if there is none.
inline const Series& series_of(const RollingResult& result, Quantity quantity,
                               Norm norm = Norm::sup, Window window = Window::all,
                               const std::string& compliant = "", const std::string& law = "") {
  for (const Series& series : result.series) {
    if (series.rows.empty()) continue;
    const Row& row = series.rows.front();
    if (row.measure == Measure{quantity, norm, window} &&
        (compliant.empty() || row.compliant_solver == compliant) &&
        (law.empty() || row.law.name == law))
      return series;
  }
  throw std::out_of_range("the result has no such series");
}

/// The row whose ε is nearest to `epsilon`, within rounding.
inline const Row& row_at(const RollingResult& result, double epsilon, Quantity quantity,
                         Norm norm = Norm::sup, Window window = Window::all,
                         const std::string& compliant = "") {
  for (const Row& row : series_of(result, quantity, norm, window, compliant).rows)
    if (row.epsilon > 0.999999 * epsilon && row.epsilon < 1.000001 * epsilon) return row;
  throw std::out_of_range("the series has no such epsilon");
}

}  // namespace rigidlimit::test
