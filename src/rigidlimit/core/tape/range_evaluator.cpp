#include "rigidlimit/core/tape/range_evaluator.hpp"

#include <boost/numeric/interval.hpp>
#include <cmath>
#include <limits>
#include <numbers>

namespace rigidlimit {
namespace {

namespace bi = boost::numeric;
/// Bounds rounded to nearest: the ranges guide a search, and prove nothing.
using Interval =
    bi::interval<double,
                 bi::interval_lib::policies<bi::interval_lib::save_state_nothing<
                                                bi::interval_lib::rounded_transc_exact<double>>,
                                            bi::interval_lib::checking_base<double>>>;

Interval everything() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {-infinity, infinity};
}

Interval truth(bool certain, bool impossible) {
  if (certain) return {1.0, 1.0};
  return impossible ? Interval{0.0, 0.0} : Interval{0.0, 1.0};
}

Interval power_range(const Interval& a, double exponent) {
  if (exponent == std::round(exponent) && std::abs(exponent) < 1e6) {
    const int n = static_cast<int>(exponent);
    return n >= 0 ? pow(a, n) : Interval(1.0) / pow(a, -n);
  }
  if (a.lower() < 0.0) return everything();
  return bi::hull(Interval(std::pow(a.lower(), exponent)), Interval(std::pow(a.upper(), exponent)));
}

/// The angle of (x, y): y first, as in std::atan2.
Interval angle(const Interval& y, const Interval& x) {
  constexpr double right = 0.5 * std::numbers::pi;
  if (x.lower() > 0.0) return atan(y / x);
  if (y.lower() > 0.0) return right - atan(x / y);
  if (y.upper() < 0.0) return -right - atan(x / y);
  return {-std::numbers::pi, std::numbers::pi};
}

Interval chosen_range(const Interval& condition, const Interval& yes, const Interval& no) {
  if (condition.lower() > 0.0 || condition.upper() < 0.0) return yes;
  return condition.lower() == 0.0 && condition.upper() == 0.0 ? no : bi::hull(yes, no);
}

/// x itself, or all numbers if x is an empty set or has a bound that is NaN.
Interval bounded(const Interval& x) {
  return x.lower() <= x.upper() ? x : everything();
}

Interval value(const Instruction& step, const Interval& a, const Interval& b, const Interval& c) {
  switch (step.operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return step.a == step.b ? Interval(0.0) : a - b;
    case Operation::multiply: return step.a == step.b ? square(a) : a * b;
    case Operation::divide: return a / b;
    case Operation::negate: return -a;
    case Operation::sqrt: return sqrt(a);
    case Operation::exp: return exp(a);
    case Operation::log: return log(a);
    case Operation::sin: return sin(a);
    case Operation::cos: return cos(a);
    case Operation::tan: return tan(a);
    case Operation::asin: return asin(a);
    case Operation::acos: return acos(a);
    case Operation::atan: return atan(a);
    case Operation::sinh: return sinh(a);
    case Operation::cosh: return cosh(a);
    case Operation::tanh: return tanh(a);
    case Operation::abs: return abs(a);
    case Operation::atan2: return angle(a, b);
    case Operation::power: return power_range(a, b.lower());
    case Operation::less: return truth(a.upper() < b.lower(), a.lower() >= b.upper());
    case Operation::less_equal: return truth(a.upper() <= b.lower(), a.lower() > b.upper());
    case Operation::equal:
      return truth(a.lower() == b.upper() && a.upper() == b.lower(),
                   a.upper() < b.lower() || a.lower() > b.upper());
    case Operation::select: return chosen_range(a, b, c);
    case Operation::constant:
    case Operation::input: break;
  }
  return everything();
}

}  // namespace

Ranges RangeEvaluator::operator()(const Ranges& box) const {
  std::vector<Interval> memory(tape_.size, Interval(0.0));
  for (std::size_t i = 0; i < tape_.constants.size(); ++i) memory[i] = tape_.constants[i];
  for (Index i = 0; i < box.low.size(); ++i)
    memory[tape_.first_input() + static_cast<std::size_t>(i)] =
        box.low(i) <= box.high(i) ? Interval(box.low(i), box.high(i)) : everything();
  for (const std::vector<Instruction>* steps : {&tape_.prelude, &tape_.body})
    for (const Instruction& step : *steps)
      memory[step.to] = bounded(value(step, memory[step.a], memory[step.b], memory[step.c]));
  Ranges results{VectorXd(std::ssize(tape_.outputs)), VectorXd(std::ssize(tape_.outputs))};
  for (std::size_t i = 0; i < tape_.outputs.size(); ++i) {
    results.low(static_cast<Index>(i)) = memory[tape_.outputs[i]].lower();
    results.high(static_cast<Index>(i)) = memory[tape_.outputs[i]].upper();
  }
  return results;
}

}  // namespace rigidlimit
