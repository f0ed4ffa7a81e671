#include "rigidlimit/core/codegen/tape_statements.hpp"

#include <set>

#include "rigidlimit/core/tape/evaluator.hpp"

namespace rigidlimit {
namespace {

std::set<std::uint32_t> inputs_read(const TapeForm& form) {
  std::set<std::uint32_t> read(form.outputs.begin(), form.outputs.end());
  for (const TapeForm::Step& step : form.steps) {
    const int count = operands_of(step.operation);
    read.insert(step.a);
    if (count > 1) read.insert(step.b);
    if (count > 2) read.insert(step.c);
  }
  read.erase(read.lower_bound(form.inputs), read.end());
  return read;
}

}  // namespace

void write_statements(const TapeForm& form, StatementWriter& writer) {
  for (const std::uint32_t i : inputs_read(form)) writer.input(i);
  const auto size = form.inputs + static_cast<std::uint32_t>(form.steps.size());
  std::vector<std::vector<std::uint32_t>> outputs(size);
  for (std::uint32_t i = 0; i < form.outputs.size(); ++i)
    if (const std::uint32_t value = form.outputs[i]; TapeForm::is_constant(value))
      writer.output(i, value);
    else
      outputs[value].push_back(i);
  for (std::uint32_t value = 0; value < size; ++value) {
    if (value >= form.inputs) writer.step(value, form.steps[value - form.inputs]);
    for (const std::uint32_t i : outputs[value]) writer.output(i, value);
  }
}

std::vector<double> constants_of(const Tape& tape, const TapeForm& form) {
  return results_of_constants<double>(constants_tape(tape, form));
}

}  // namespace rigidlimit
