#include "rigidlimit/core/tape/series_form.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "rigidlimit/core/codegen/tape_statements.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/tape/tape_form.hpp"

namespace rigidlimit {
namespace {

constexpr int highest_product = 32;  // of the integer powers that become products

/// a^p by repeated squaring, p > 0.
Expression term_product(const Expression& a, int p) {
  if (p == 1) return a;
  const Expression half = term_product(a, p / 2);
  return p % 2 == 0 ? half * half : half * half * a;
}

Expression power_of(const Expression& a, double p) {
  const double size = std::abs(p);
  if (size != std::round(size) || size == 0.0 || size > highest_product) return pow(a, p);
  const Expression product = term_product(a, static_cast<int>(size));
  return p > 0.0 ? product : 1.0 / product;
}

/// A function, its operands, and its slopes.
struct Function {
  Expression y, slope_a, slope_b;
};

/// Replays a tape in the current recording, with integer powers as products; the functions in it.
struct Replay {
  explicit Replay(const Tape& tape) {
    std::vector<Expression> at(tape.size);
    std::copy(tape.constants.begin(), tape.constants.end(), at.begin());
    for (std::uint32_t i = 0; i < tape.inputs; ++i)
      at[tape.first_input() + i] = Recording::current().input();
    for (const Instruction& i : tape.prelude) add(i, at);
    for (const Instruction& i : tape.body) add(i, at);
    for (const std::uint32_t place : tape.outputs) outputs.push_back(at[place]);
  }

  std::vector<Expression> outputs;
  std::vector<Function> functions;

 private:
  void add(const Instruction& i, std::vector<Expression>& at) {
    const int operands = operands_of(i.operation);
    const Expression a = at[i.a], b = operands > 1 ? at[i.b] : Expression(),
                     c = operands > 2 ? at[i.c] : Expression();
    Expression& y = at[i.to];
    if (i.operation == Operation::power) {
      y = power_of(a, b.constant());
      return;
    }
    y = applied(i.operation, a, b, c);
    if (!has_slope(i.operation) || y.is_constant()) return;
    const auto slope = [&y](const Expression& x) {
      if (x.is_constant()) return Expression(0.0);
      return jacobian_of(ExpressionVector::Constant(1, y), ExpressionVector::Constant(1, x))(0, 0);
    };
    functions.push_back(
        {y, slope(a), i.operation == Operation::atan2 ? slope(b) : Expression(0.0)});
  }
};

/// The results of a tape, then (y, slope_a, slope_b) of each of its functions.
Tape with_slopes(const Tape& tape, std::size_t results) {
  Recording recording;
  Replay replay(tape);
  replay.outputs.resize(results);
  for (const Function& f : replay.functions)
    replay.outputs.insert(replay.outputs.end(), {f.y, f.slope_a, f.slope_b});
  const Index count = std::ssize(replay.outputs);
  return recording.tape(
      ExpressionMatrix(Eigen::Map<ExpressionVector>(replay.outputs.data(), count)));
}

}  // namespace

bool has_slope(Operation operation) {
  switch (operation) {
#define RIGIDLIMIT_CASE(name, ...) case Operation::name:
    RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
    case Operation::atan2: return true;
    default: return false;
  }
}

SeriesForm series_form(const Tape& tape) {
  const std::size_t results = tape.outputs.size();
  // A slope may contain functions with slopes of their own, such as the cosine of a sine.
  Tape whole = with_slopes(tape, results);
  for (bool complete = false; !complete;) {
    Tape next = with_slopes(whole, results);
    complete = next.outputs.size() == whole.outputs.size();
    whole = std::move(next);
  }

  const TapeForm form = form_of(whole);
  const Tape constants_of_form = constants_tape(whole, form);
  SeriesForm series{.constants = results_of_constants<double>(constants_of_form),
                    .quad_constants = results_of_constants<Quad>(constants_of_form),
                    .inputs = form.inputs,
                    .steps = {},
                    .outputs = {}};
  const std::uint32_t constants = series.first_input();
  const auto number = [&](std::uint32_t value) {
    return TapeForm::is_constant(value) ? value - TapeForm::first_constant : constants + value;
  };
  for (const TapeForm::Step& step : form.steps)
    series.steps.push_back({.operation = step.operation,
                            .a = number(step.a),
                            .b = number(step.b),
                            .c = number(step.c)});
  for (std::size_t i = 0; i < results; ++i) series.outputs.push_back(number(form.outputs[i]));
  for (std::size_t i = results; i < form.outputs.size(); i += 3) {
    const std::uint32_t y = number(form.outputs[i]);
    if (y < series.first_step()) continue;  // it has been simplified to an input or a constant
    SeriesForm::Step& step = series.steps.at(y - series.first_step());
    step.slope_a = number(form.outputs[i + 1]);
    step.slope_b = number(form.outputs[i + 2]);
  }
  for (const SeriesForm::Step& step : series.steps)
    if (has_slope(step.operation) && step.slope_a == SeriesForm::none)
      throw std::logic_error("a function of a tape has no slope");
  return series;
}

}  // namespace rigidlimit
