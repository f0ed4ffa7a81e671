// What a tape computes, in the numbers T.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "rigidlimit/core/dual.hpp"
#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/tape.hpp"

namespace rigidlimit {

/// A tape with its constants in the numbers T: double, Quad, derivatives (Dual) of them; any
/// scalar that has the functions of core/dual.hpp. Never changes: threads may share it.
template <class T>
class Evaluator {
 public:
  explicit Evaluator(Tape tape) : tape_(std::move(tape)) {
    constants_.resize(tape_.first_input());
    std::transform(tape_.constants.begin(), tape_.constants.end(), constants_.begin(),
                   [](double x) { return T(x); });
    run(tape_.prelude, constants_.data());
  }

  const Tape& tape() const { return tape_; }

  /// Computes the results at the arguments, which are those of `parts` one after the other, and
  /// hands each to `take(i, x)`, i = 0, 1, … Allocates nothing once its thread knows tapes of
  /// this size. `take` must not evaluate anything in the same numbers.
  template <class Take, class... Part>
  void operator()(const Take& take, const Part&... parts) const {
    static thread_local std::vector<T> memory;
    if (memory.size() < tape_.size) memory.resize(tape_.size);
    [[maybe_unused]] T* next = std::copy(constants_.begin(), constants_.end(), memory.data());
    ((next = std::copy(parts.begin(), parts.end(), next)), ...);
    run(tape_.body, memory.data());
    for (std::size_t i = 0; i < tape_.outputs.size(); ++i) take(i, memory[tape_.outputs[i]]);
  }

 private:
  void run(std::span<const Instruction> steps, T* memory) const;

  Tape tape_;
  std::vector<T> constants_;  ///< and the derived ones
};

/// A `take` for Evaluator that writes results into a matrix or vector, column by column.
template <class To>
auto into(To& to) {
  return [&to, rows = static_cast<std::size_t>(to.rows())](std::size_t i, const auto& x) {
    to(static_cast<Index>(i % rows), static_cast<Index>(i / rows)) = x;
  };
}

// Each operation jumps to the next one itself (labels as values, of GCC and Clang): a processor
// foresees thirty jumps of one kind each better than one of all kinds, by a factor of two in
// double.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#define RIGIDLIMIT_NEXT    \
  if (step == end) return; \
  goto* label[static_cast<std::size_t>(step->operation)];
#define RIGIDLIMIT_DO(name, value)                                       \
  name : {                                                               \
    [[maybe_unused]] const T &a = memory[step->a], &b = memory[step->b]; \
    memory[step->to] = value;                                            \
    ++step;                                                              \
    RIGIDLIMIT_NEXT                                                      \
  }

template <class T>
void Evaluator<T>::run(std::span<const Instruction> steps, T* memory) const {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp;
  using std::log, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  __extension__ static const void* const label[] = {
      &&nothing, &&nothing, &&sum,     &&difference, &&product, &&quotient, &&negative,
      &&root,    &&power_e, &&log_e,   &&sine,       &&cosine,  &&tangent,  &&arcsine,
      &&arccos,  &&arctan,  &&sine_h,  &&cosine_h,   &&tan_h,   &&modulus,  &&angle,
      &&power,   &&less,    &&at_most, &&equal,      &&choice};  // in the order of Operation
  const Instruction* step = steps.data();
  const Instruction* const end = step + steps.size();
  RIGIDLIMIT_NEXT
  RIGIDLIMIT_DO(sum, a + b)
  RIGIDLIMIT_DO(difference, a - b)
  RIGIDLIMIT_DO(product, a * b)
  RIGIDLIMIT_DO(quotient, a / b)
  RIGIDLIMIT_DO(negative, -a)
  RIGIDLIMIT_DO(root, sqrt(a))
  RIGIDLIMIT_DO(power_e, exp(a))
  RIGIDLIMIT_DO(log_e, log(a))
  RIGIDLIMIT_DO(sine, sin(a))
  RIGIDLIMIT_DO(cosine, cos(a))
  RIGIDLIMIT_DO(tangent, tan(a))
  RIGIDLIMIT_DO(arcsine, asin(a))
  RIGIDLIMIT_DO(arccos, acos(a))
  RIGIDLIMIT_DO(arctan, atan(a))
  RIGIDLIMIT_DO(sine_h, sinh(a))
  RIGIDLIMIT_DO(cosine_h, cosh(a))
  RIGIDLIMIT_DO(tan_h, tanh(a))
  RIGIDLIMIT_DO(modulus, abs(a))
  RIGIDLIMIT_DO(angle, atan2(a, b))
  RIGIDLIMIT_DO(power, T(pow(a, tape_.constants[step->b])))
  RIGIDLIMIT_DO(less, T(a < b ? 1 : 0))
  RIGIDLIMIT_DO(at_most, T(a <= b ? 1 : 0))
  RIGIDLIMIT_DO(equal, T(a == b ? 1 : 0))
  RIGIDLIMIT_DO(choice, plain_value(a) != 0 ? b : memory[step->c])
nothing:  // constants and arguments are no steps
  return;
}
#undef RIGIDLIMIT_DO
#undef RIGIDLIMIT_NEXT
#pragma GCC diagnostic pop

}  // namespace rigidlimit
