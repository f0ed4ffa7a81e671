// A recorded computation: a straight-line program without branches, for any type of number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rigidlimit/core/tape/operation.hpp"

namespace rigidlimit {

/// memory[to] = operation(memory[a], memory[b], memory[c]).
struct Instruction {
  Operation operation = Operation::add;
  std::uint32_t to = 0, a = 0, b = 0, c = 0;
};

/// Plain data, made by Recording::tape(). The memory of `size` numbers is
///
///   [ constants | derived constants | inputs | work ]
///
/// The first two are the same at every evaluation: `prelude` computes the derived constants, for
/// instance 1/3, which each type of number rounds differently. `body` is the program of an
/// evaluation, in an order that keeps few numbers live at a time; their places are reused.
struct Tape {
  std::vector<double> constants;
  std::uint32_t derived = 0;  ///< number of derived constants
  std::uint32_t inputs = 0;
  std::uint32_t size = 0;  ///< of the memory

  std::vector<Instruction> prelude;
  std::vector<Instruction> body;
  std::vector<std::uint32_t> outputs;  ///< places of the results once the body has run

  std::uint32_t first_input() const {
    return static_cast<std::uint32_t>(constants.size()) + derived;
  }
  /// Whether result number i is the constant 0 at all arguments.
  bool is_zero(std::size_t i) const {
    return outputs[i] < constants.size() && constants[outputs[i]] == 0.0;
  }
};

}  // namespace rigidlimit
