// A recorded computation: straight from arguments to results, without branches, in any numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rigidlimit/core/operation.hpp"

namespace rigidlimit {

/// memory[to] = operation(memory[a], memory[b], memory[c]).
struct Instruction {
  Operation operation = Operation::add;
  std::uint32_t to = 0, a = 0, b = 0, c = 0;
};

/// Plain data, made by Recording::tape(). A memory of `size` numbers holds
///
///   [ constants | derived constants | inputs | work ]
///
/// of which the first two are the same at every evaluation: `prelude` computes the derived
/// constants, 1/3 say, which each kind of number rounds in its own way. `body` is what an
/// evaluation does, in an order in which few numbers are alive at a time; their places are used
/// again.
struct Tape {
  std::vector<double> constants;
  std::uint32_t derived = 0;  ///< how many follow the constants
  std::uint32_t inputs = 0;
  std::uint32_t size = 0;  ///< of the memory

  std::vector<Instruction> prelude;
  std::vector<Instruction> body;
  std::vector<std::uint32_t> outputs;  ///< places of the results once the body has run

  std::uint32_t first_input() const {
    return static_cast<std::uint32_t>(constants.size()) + derived;
  }
  /// Whether results number i is the constant 0 at all arguments.
  bool is_zero(std::size_t i) const {
    return outputs[i] < constants.size() && constants[outputs[i]] == 0.0;
  }
};

}  // namespace rigidlimit
