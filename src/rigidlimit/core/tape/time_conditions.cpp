#include "rigidlimit/core/tape/time_conditions.hpp"

#include <algorithm>
#include <functional>

#include "rigidlimit/core/sign_changes.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"

namespace rigidlimit {
namespace {

enum Arguments : unsigned { none = 0, time_alone = 1, other = 2 };

struct Number {
  Expression value = 0;
  unsigned depends = none;
};

bool is_condition(Operation operation) {
  return operation == Operation::less || operation == Operation::less_equal ||
         operation == Operation::equal || operation == Operation::abs;
}

/// Decides the result of condition number k, in the order of the tape, of the operands a and b (0
/// for an absolute value).
using Decide =
    std::function<Expression(std::size_t k, Operation, const Expression& a, const Expression& b)>;

/// The results of the tape, with its conditions of the time as `decide` says.
ExpressionVector replayed(const Tape& tape, const ExpressionVector& inputs, std::uint32_t time,
                          const Decide& decide) {
  std::vector<Number> memory(tape.size);
  for (std::size_t i = 0; i < tape.constants.size(); ++i) memory[i].value = tape.constants[i];
  for (std::uint32_t i = 0; i < tape.inputs; ++i)
    memory[tape.first_input() + i] = {inputs(static_cast<Index>(i)),
                                      i == time ? time_alone : other};
  std::size_t conditions = 0;
  for (const std::vector<Instruction>& steps : {tape.prelude, tape.body})
    for (const Instruction& step : steps) {
      const int operands = operands_of(step.operation);
      const Number a = memory[step.a], b = operands > 1 ? memory[step.b] : Number{},
                   c = operands > 2 ? memory[step.c] : Number{};
      const unsigned depends = a.depends | b.depends | c.depends;
      memory[step.to] = {is_condition(step.operation) && depends == time_alone
                             ? decide(conditions++, step.operation, a.value, b.value)
                             : applied(step.operation, a.value, b.value, c.value),
                         depends};
    }
  ExpressionVector outputs(std::ssize(tape.outputs));
  for (std::size_t i = 0; i < tape.outputs.size(); ++i)
    outputs(static_cast<Index>(i)) = memory[tape.outputs[i]].value;
  return outputs;
}

/// σ of all conditions of the time, as a tape with the same arguments.
Tape functions_of(const Tape& tape, std::uint32_t time) {
  Recording recording;
  const ExpressionVector inputs = recording.inputs(tape.inputs);
  std::vector<Expression> found;
  replayed(tape, inputs, time,
           [&](std::size_t, Operation operation, const Expression& a, const Expression& b) {
             found.push_back(a - b);
             return applied(operation, a, b, 0);
           });
  ExpressionVector sigma(std::ssize(found));
  std::ranges::copy(found, sigma.begin());
  return recording.tape(sigma);
}

class Functions {
 public:
  Functions(const Tape& tape, std::uint32_t time)
      : time_(time), values_(functions_of(tape, time), Machine::interpreter) {}

  Index count() const { return std::ssize(values_.tape().outputs); }
  VectorXd operator()(double t) const {
    VectorXd arguments = VectorXd::Zero(values_.tape().inputs), sigma(count());
    arguments(time_) = t;
    values_(into(sigma), arguments);
    return sigma;
  }

 private:
  std::uint32_t time_;
  Evaluator<double> values_;
};

Expression decided(Operation operation, const Expression& a, double sigma) {
  switch (operation) {
    case Operation::less: return sigma < 0.0 ? 1 : 0;
    case Operation::less_equal: return sigma <= 0.0 ? 1 : 0;
    case Operation::equal: return sigma == 0.0 ? 1 : 0;
    default: return sigma < 0.0 ? -a : a;
  }
}

}  // namespace

bool has_time_conditions(const Tape& tape, std::uint32_t time) {
  return Functions(tape, time).count() > 0;
}

std::vector<double> time_condition_changes(const Tape& tape, std::uint32_t time, double from,
                                           double to) {
  const Functions sigma(tape, time);
  std::vector<double> times;
  for (const SignChange& change : sign_changes(sigma.count(), std::cref(sigma), from, to))
    times.push_back(change.t);
  return times;
}

Tape with_time_conditions_at(const Tape& tape, std::uint32_t time, double t) {
  const VectorXd sigma = Functions(tape, time)(t);
  Recording recording;
  const ExpressionVector inputs = recording.inputs(tape.inputs);
  return recording.tape(
      replayed(tape, inputs, time,
               [&](std::size_t k, Operation operation, const Expression& a, const Expression&) {
                 return decided(operation, a, sigma(static_cast<Index>(k)));
               }));
}

}  // namespace rigidlimit
