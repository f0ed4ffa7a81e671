#include "rigidlimit/core/tape/tape_form.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

namespace rigidlimit {
namespace {

/// FNV-1a, 128 bits (Fowler, Noll, Vo).
class Fnv {
 public:
  void byte(std::uint8_t x) {
    state_ ^= x;
    state_ *= prime;
  }
  void word(std::uint32_t x) {
    for (int shift = 0; shift < 32; shift += 8) byte(static_cast<std::uint8_t>(x >> shift));
  }
  ContentKey key() const {
    return {static_cast<std::uint64_t>(state_ >> 64), static_cast<std::uint64_t>(state_)};
  }

 private:
  __extension__ using Word = unsigned __int128;
  static constexpr Word prime = (Word{1} << 88) + 0x13b;
  Word state_ = (Word{0x6c62272e07bb0142u} << 64) + 0x62b821756295c58du;
};

class Former {
 public:
  explicit Former(const Tape& tape) : tape_(tape), value_at_(tape.size, 0) {
    form_.inputs = tape.inputs;
    for (std::uint32_t i = 0; i < tape.inputs; ++i) value_at_[tape.first_input() + i] = i;
    for (const Instruction& instruction : tape.body) add(instruction);
    for (const std::uint32_t place : tape.outputs) form_.outputs.push_back(value(place));
  }
  TapeForm form() && { return std::move(form_); }

 private:
  void add(const Instruction& instruction) {
    const int operands = operands_of(instruction.operation);
    TapeForm::Step step{.operation = instruction.operation, .a = value(instruction.a)};
    if (operands > 1) step.b = value(instruction.b);
    if (operands > 2) step.c = value(instruction.c);
    const bool commutes = step.operation == Operation::add ||
                          step.operation == Operation::multiply ||
                          step.operation == Operation::equal;
    if (commutes && step.b < step.a) std::swap(step.a, step.b);
    value_at_[instruction.to] = form_.inputs + static_cast<std::uint32_t>(form_.steps.size());
    form_.steps.push_back(step);
  }

  std::uint32_t value(std::uint32_t place) {
    if (place >= tape_.first_input()) return value_at_[place];
    const auto next = static_cast<std::uint32_t>(form_.constants.size());
    const auto [found, is_new] = constant_at_.try_emplace(place, next);
    if (is_new) form_.constants.push_back(place);
    return TapeForm::first_constant + found->second;
  }

  const Tape& tape_;
  TapeForm form_;
  std::vector<std::uint32_t> value_at_;  ///< by place: the value stored there
  std::unordered_map<std::uint32_t, std::uint32_t> constant_at_;
};

}  // namespace

ContentKey key_of(std::string_view bytes) {
  Fnv hash;
  for (const char c : bytes) hash.byte(static_cast<std::uint8_t>(c));
  return hash.key();
}

std::string text_of(ContentKey key) {
  return fmt::format("{:016x}{:016x}", key.high, key.low);
}

TapeForm form_of(const Tape& tape) {
  return Former(tape).form();
}

Tape tape_of(const TapeForm& form, const std::vector<double>& constants) {
  const auto count = static_cast<std::uint32_t>(constants.size());
  Tape tape;
  tape.constants = constants;
  tape.inputs = form.inputs;
  tape.size = count + form.inputs + static_cast<std::uint32_t>(form.steps.size());
  const auto place = [count](std::uint32_t value) {
    return TapeForm::is_constant(value) ? value - TapeForm::first_constant : count + value;
  };
  std::uint32_t next = count + form.inputs;
  for (const TapeForm::Step& step : form.steps)
    tape.body.push_back({.operation = step.operation,
                         .to = next++,
                         .a = place(step.a),
                         .b = operands_of(step.operation) > 1 ? place(step.b) : place(step.a),
                         .c = operands_of(step.operation) > 2 ? place(step.c) : place(step.a)});
  for (const std::uint32_t value : form.outputs) tape.outputs.push_back(place(value));
  return tape;
}

ContentKey key_of(const TapeForm& form) {
  Fnv hash;
  hash.word(form.inputs);
  hash.word(static_cast<std::uint32_t>(form.steps.size()));
  for (const TapeForm::Step& step : form.steps)
    for (const std::uint32_t x :
         {static_cast<std::uint32_t>(step.operation), step.a, step.b, step.c})
      hash.word(x);
  for (const std::uint32_t output : form.outputs) hash.word(output);
  return hash.key();
}

Tape constants_tape(const Tape& tape, const TapeForm& form) {
  Tape constants = tape;
  constants.body.clear();
  constants.outputs = form.constants;
  return constants;
}

}  // namespace rigidlimit
