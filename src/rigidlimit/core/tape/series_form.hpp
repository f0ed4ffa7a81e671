// A tape prepared for power series of its arguments.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

/// A computation in static single assignment, in which every function y = f(a, b) has its slopes
/// ∂f/∂a and ∂f/∂b as further values: the coefficients of y then follow from y' = f_a a' + f_b b',
/// whatever f is. A value is a constant, an input or the result of a step, numbered in this order.
///
/// A coefficient of y depends on lower coefficients of its slopes only, so that a slope may stand
/// behind its function. Integer powers are products.
struct SeriesForm {
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Step {
    Operation operation = Operation::add;
    std::uint32_t a = 0, b = 0, c = 0;             ///< operands
    std::uint32_t slope_a = none, slope_b = none;  ///< of a function; slope_b: of atan2
  };
  /// A derived constant is computed in the numbers of the series.
  std::vector<double> constants;
  std::vector<Quad> quad_constants;
  std::uint32_t inputs = 0;
  std::vector<Step> steps;
  std::vector<std::uint32_t> outputs;

  template <class T>
  const std::vector<T>& constants_in() const {
    if constexpr (std::is_same_v<T, double>)
      return constants;
    else
      return quad_constants;
  }
  std::uint32_t first_input() const { return static_cast<std::uint32_t>(constants.size()); }
  std::uint32_t first_step() const { return first_input() + inputs; }
  std::uint32_t values() const { return first_step() + static_cast<std::uint32_t>(steps.size()); }
};

/// Whether the operation has slopes in a SeriesForm. The others have recurrences of their own.
bool has_slope(Operation operation);

SeriesForm series_form(const Tape& tape);

}  // namespace rigidlimit
