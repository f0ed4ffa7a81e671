// The compiled part of a tape: its operations without constants.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

/// 128-bit hash of a text or a form (FNV-1a). It distinguishes accidental changes, but does not
/// resist deliberate collisions.
struct ContentKey {
  std::uint64_t high = 0, low = 0;
  auto operator<=>(const ContentKey&) const = default;
};

ContentKey key_of(std::string_view bytes);
/// 32 hexadecimal digits.
std::string text_of(ContentKey key);

/// The body of a tape in static single assignment. A value is an input, a constant or the result of
/// a step, and has one number:
///
///   inputs 0, …, inputs − 1;   steps inputs, inputs + 1, …;   constants first_constant, …
///
/// Constants are numbered in the order of first use; the operands of + and · are ordered by number.
/// Tapes of one system with other parameter values therefore have the same form, unless a value is
/// special: a slope of 0 removes a term, and two equal masses share one constant.
struct TapeForm {
  static constexpr std::uint32_t first_constant = 1u << 31;

  struct Step {
    Operation operation = Operation::add;
    std::uint32_t a = 0, b = 0, c = 0;  ///< unused ones are 0
  };
  std::uint32_t inputs = 0;
  std::vector<Step> steps;
  std::vector<std::uint32_t> outputs;
  /// Places of the constants, derived or not, in the memory of the tape. Not part of the key.
  std::vector<std::uint32_t> constants;

  static bool is_constant(std::uint32_t value) { return value >= first_constant; }
};

TapeForm form_of(const Tape& tape);
/// A tape of this form with these constants, as many as the form has.
Tape tape_of(const TapeForm& form, const std::vector<double>& constants);
ContentKey key_of(const TapeForm& form);
/// The part of a tape that computes the constants of its form, in their order; it reads no input.
Tape constants_tape(const Tape& tape, const TapeForm& form);

}  // namespace rigidlimit
