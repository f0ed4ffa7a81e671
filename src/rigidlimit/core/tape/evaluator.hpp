// Evaluates a tape in the numbers T.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "rigidlimit/core/codegen/tape_code.hpp"
#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/core/tape/number_operators.hpp"
#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

/// A tape with its constants in the numbers T: double, Quad, or any scalar with the functions of
/// core/tape/expression.hpp. Immutable: threads may share it. In double, machine code evaluates it
/// if available (core/codegen/tape_code.hpp), else an interpreter: the results are bit-identical.
template <class T>
class Evaluator {
 public:
  explicit Evaluator(Tape tape, [[maybe_unused]] Machine machine = Machine::code)
      : tape_(std::move(tape)) {
    constants_.resize(tape_.first_input());
    std::transform(tape_.constants.begin(), tape_.constants.end(), constants_.begin(),
                   [](double x) { return T(x); });
    run(tape_.prelude, constants_.data());
    if constexpr (has_code)
      if (machine == Machine::code && !tape_.body.empty()) {
        const TapeForm form = form_of(tape_);
        for (const std::uint32_t place : form.constants) read_.push_back(constants_[place]);
        code_ = code_of(form, 1);
      }
  }

  const Tape& tape() const { return tape_; }
  bool is_compiled() const { return code_ && code_->function(); }

  /// Computes the results at the arguments, those of `parts` one after the other, and passes each
  /// to `take(i, x)`, i = 0, 1, … Allocates nothing once its thread has evaluated a tape of this
  /// size. `take` must not evaluate anything in the same numbers.
  template <class Take, class... Part>
  void operator()(const Take& take, const Part&... parts) const {
    static thread_local std::vector<T> memory;
    if constexpr (has_code)
      if (code_) {
        if (const CodeFunction function = code_->function())
          return run_code(function, memory, take, parts...);
        code_->interpreted();
      }
    if (memory.size() < tape_.size) memory.resize(tape_.size);
    [[maybe_unused]] T* next = std::copy(constants_.begin(), constants_.end(), memory.data());
    ((next = std::copy(parts.begin(), parts.end(), next)), ...);
    run(tape_.body, memory.data());
    for (std::size_t i = 0; i < tape_.outputs.size(); ++i) take(i, memory[tape_.outputs[i]]);
  }

  /// The same from and into contiguous numbers, as many as the tape has inputs and outputs. Machine
  /// code copies nothing.
  void evaluate(const T* arguments, T* results) const {
    if constexpr (has_code)
      if (code_)
        if (const CodeFunction function = code_->function())
          return function(read_.data(), arguments, results, code_->functions());
    (*this)([results](std::size_t i, const T& x) { results[i] = x; },
            std::span<const T>(arguments, tape_.inputs));
  }

 private:
  static constexpr bool has_code = std::is_same_v<T, double>;

  template <class Take, class... Part>
  void run_code(CodeFunction function, std::vector<T>& memory, const Take& take,
                const Part&... parts) const {
    const std::size_t size = tape_.inputs + tape_.outputs.size();
    if (memory.size() < size) memory.resize(size);
    [[maybe_unused]] T* next = memory.data();
    ((next = std::copy(parts.begin(), parts.end(), next)), ...);
    const T* const results = memory.data() + tape_.inputs;
    function(read_.data(), memory.data(), memory.data() + tape_.inputs, code_->functions());
    for (std::size_t i = 0; i < tape_.outputs.size(); ++i) take(i, results[i]);
  }

  void run(std::span<const Instruction> steps, T* memory) const;

  Tape tape_;
  std::vector<T> constants_;  ///< constants, then derived constants
  std::vector<T> read_;       ///< constants that machine code reads, in its order
  std::shared_ptr<const TapeCode> code_;
};

/// A `take` for Evaluator that writes results into a matrix or vector, column by column.
template <class To>
class Into {
 public:
  explicit Into(To& to) : to_(to) {}
  template <class X>
  void operator()(std::size_t, const X& x) const {
    if (row_ == to_.rows()) {
      row_ = 0;
      ++column_;
    }
    to_(row_++, column_) = x;
  }

 private:
  To& to_;
  mutable Index row_ = 0, column_ = 0;  ///< of the next result; cheaper than a division
};
template <class To>
auto into(To& to) {
  return Into<To>(to);
}

// Each operation jumps directly to the next one (labels as values, of GCC and Clang). Branch
// prediction is better with thirty separate jumps than with one shared jump: twice as fast in
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
#define RIGIDLIMIT_LABEL(name, ...) &&name,
#define RIGIDLIMIT_VALUE(name, operands, value) RIGIDLIMIT_DO(name, value)
#define RIGIDLIMIT_CALL(name, ...) RIGIDLIMIT_DO(name, name(a))
#define RIGIDLIMIT_WHERE(name, condition) RIGIDLIMIT_DO(name, T((condition) ? 1 : 0))

template <class T>
void Evaluator<T>::run(std::span<const Instruction> steps, T* memory) const {
  RIGIDLIMIT_USE_STANDARD_FUNCTIONS
  __extension__ static const void* const label[] = {
      &&none, &&none,  // constants and arguments are not steps
      RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_LABEL) RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_LABEL) && angle,
      &&power, RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_LABEL) && choice};
  const Instruction* step = steps.data();
  const Instruction* const end = step + steps.size();
  RIGIDLIMIT_NEXT
  RIGIDLIMIT_ARITHMETIC(RIGIDLIMIT_VALUE)
  RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_CALL)
  RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_WHERE)
  RIGIDLIMIT_DO(angle, atan2(a, b))
  RIGIDLIMIT_DO(power, T(pow(a, tape_.constants[step->b])))
  RIGIDLIMIT_DO(choice, a != T(0) ? b : memory[step->c])
none:
  return;
}
#undef RIGIDLIMIT_DO
#undef RIGIDLIMIT_NEXT
#undef RIGIDLIMIT_LABEL
#undef RIGIDLIMIT_VALUE
#undef RIGIDLIMIT_CALL
#undef RIGIDLIMIT_WHERE
#pragma GCC diagnostic pop

// Only evaluator.cpp instantiates this: every other file would compile the functions of 113 bits.
extern template void Evaluator<double>::run(std::span<const Instruction>, double*) const;
extern template void Evaluator<Quad>::run(std::span<const Instruction>, Quad*) const;

/// The results of a tape that reads no input, in the numbers T.
template <class T>
std::vector<T> results_of_constants(const Tape& tape) {
  std::vector<T> results(tape.outputs.size());
  const std::vector<T> unread(tape.inputs, T(0));
  Evaluator<T>(tape, Machine::interpreter).evaluate(unread.data(), results.data());
  return results;
}

}  // namespace rigidlimit
