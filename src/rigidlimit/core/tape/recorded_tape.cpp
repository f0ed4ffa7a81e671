// From a recording to a tape, and back: selects the needed nodes and assigns their places.
#include <algorithm>
#include <bit>
#include <stdexcept>

#include "rigidlimit/core/tape/expression.hpp"

namespace rigidlimit {
namespace {

/// Allocates places for numbers of limited lifetime.
class WorkPlaces {
 public:
  explicit WorkPlaces(std::uint32_t first) : end_(first) {}
  std::uint32_t take() {
    if (free_.empty()) return end_++;
    const std::uint32_t place = free_.back();
    free_.pop_back();
    return place;
  }
  void give_back(std::uint32_t place) { free_.push_back(place); }
  std::uint32_t end() const { return end_; }

 private:
  std::vector<std::uint32_t> free_;
  std::uint32_t end_;
};

}  // namespace

/// The nodes that the outputs need, operands first, in the order of recording. Authors write
/// related terms together, so that few numbers are live at a time and adjacent steps are mostly
/// independent.
std::vector<std::uint32_t> Recording::needed(const ExpressionMatrix& outputs) const {
  std::vector<bool> wanted(nodes_.size(), false);
  for (const Expression& output : outputs.reshaped())
    if (!output.is_constant()) wanted[output.node_] = true;
  for (std::size_t node = nodes_.size(); node-- > 0;)
    if (wanted[node])
      for (const std::uint32_t operand : nodes_[node].operands()) wanted[operand] = true;
  std::vector<std::uint32_t> order;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node)
    if (wanted[node]) order.push_back(node);
  return order;
}

bool Recording::depends_on_unknowns(const ExpressionMatrix& outputs) const {
  return std::ranges::any_of(needed(outputs), [this](std::uint32_t node) {
    return nodes_[node].operation == Operation::input && nodes_[node].abc[1] != 0;
  });
}

/// Assigns every needed node a place in the tape's memory, and writes its instruction.
class Recording::Writer {
 public:
  Writer(const Recording& recording, const ExpressionMatrix& outputs)
      : nodes_(recording.nodes_),
        outputs_(outputs),
        place_(nodes_.size(), 0),
        last_(nodes_.size(), 0) {
    tape_.inputs = recording.input_count_;
    sort(recording.needed(outputs));
    write_prelude();
    write_body();
    for (const Expression& output : outputs_.reshaped())
      tape_.outputs.push_back(output.is_constant() ? constant_at(output.constant())
                                                   : place_[output.node_]);
  }
  Tape tape() && { return std::move(tape_); }

 private:
  /// Classifies nodes: constants, derived constants, arguments, and nodes that depend on arguments.
  void sort(const std::vector<std::uint32_t>& order) {
    std::vector<bool> fixed(nodes_.size(), false);
    for (const std::uint32_t node : order) {
      const Node& of = nodes_[node];
      if (of.operation == Operation::constant) place_[node] = constant_at(of.value);
      if (of.operation == Operation::input && of.abc[1] != 0)
        throw std::logic_error("a tape needs an unknown that has no value");
      if (of.operation == Operation::input) arguments_.push_back(node);
      fixed[node] = of.operation != Operation::input;
      for (const std::uint32_t operand : of.operands()) fixed[node] = fixed[node] && fixed[operand];
      if (operands_of(of.operation) > 0) (fixed[node] ? derived_ : varying_).push_back(node);
    }
    for (const Expression& output : outputs_.reshaped())
      if (output.is_constant()) constant_at(output.constant());
  }

  void write_prelude() {
    auto next = static_cast<std::uint32_t>(tape_.constants.size());
    tape_.derived = static_cast<std::uint32_t>(derived_.size());
    for (const std::uint32_t node : derived_) {
      place_[node] = next++;
      tape_.prelude.push_back(instruction(node));
    }
    for (const std::uint32_t node : arguments_) place_[node] = next + nodes_[node].abc[0];
  }

  void write_body() {
    for (std::size_t step = 0; step < varying_.size(); ++step)
      for (const std::uint32_t operand : nodes_[varying_[step]].operands()) last_[operand] = step;
    for (const Expression& output : outputs_.reshaped())
      if (!output.is_constant()) last_[output.node_] = varying_.size();  // read at the end
    const std::uint32_t first = tape_.first_input() + tape_.inputs;
    WorkPlaces work(first);
    for (std::size_t step = 0; step < varying_.size(); ++step) {
      const std::uint32_t node = varying_[step];
      // A number may take the place of an operand that is not read again.
      for (const std::uint32_t operand : nodes_[node].operands())
        if (place_[operand] >= first && last_[operand] == step) {
          work.give_back(place_[operand]);
          last_[operand] = varying_.size();  // only once if it is both operands
        }
      place_[node] = work.take();
      tape_.body.push_back(instruction(node));
    }
    tape_.size = work.end();
  }

  Instruction instruction(std::uint32_t node) const {
    const Node& of = nodes_[node];
    const int operands = operands_of(of.operation);
    return {.operation = of.operation,
            .to = place_[node],
            .a = place_[of.abc[0]],
            .b = operands > 1 ? place_[of.abc[1]] : place_[of.abc[0]],
            .c = operands > 2 ? place_[of.abc[2]] : place_[of.abc[0]]};
  }

  std::uint32_t constant_at(double value) {
    const auto next = static_cast<std::uint32_t>(tape_.constants.size());
    const auto [found, is_new] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), next);
    if (is_new) tape_.constants.push_back(value);
    return found->second;
  }

  const std::vector<Node>& nodes_;
  const ExpressionMatrix& outputs_;
  Tape tape_;
  std::unordered_map<std::uint64_t, std::uint32_t> constants_;  ///< place by bits
  std::vector<std::uint32_t> derived_, arguments_, varying_;    ///< nodes
  std::vector<std::uint32_t> place_;                            ///< by node
  std::vector<std::size_t> last_;  ///< by node: the step of the body that reads it last
};

Tape Recording::tape(const ExpressionMatrix& outputs) const {
  return Writer(*this, outputs).tape();
}

ExpressionVector inlined(const Tape& tape, const ExpressionVector& arguments) {
  ExpressionVector memory(tape.size);
  for (std::size_t i = 0; i < tape.constants.size(); ++i)
    memory(static_cast<Index>(i)) = tape.constants[i];
  memory.segment(tape.first_input(), arguments.size()) = arguments;
  for (const std::vector<Instruction>& steps : {tape.prelude, tape.body})
    for (const Instruction& step : steps)
      memory(step.to) = applied(step.operation, memory(step.a), memory(step.b), memory(step.c));
  ExpressionVector results(static_cast<Index>(tape.outputs.size()));
  for (Index i = 0; i < results.size(); ++i)
    results(i) = memory(tape.outputs[static_cast<std::size_t>(i)]);
  return results;
}

}  // namespace rigidlimit
