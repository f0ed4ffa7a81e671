// Evaluates a tape for eight arguments at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rigidlimit/core/codegen/tape_code.hpp"
#include "rigidlimit/core/pack.hpp"
#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

/// Vector instructions used to run a tape: all that the processor has, unless a test selects fewer.
/// The results are bit-identical.
enum class VectorInstructions : std::uint8_t { sse2, avx2, avx512 };

/// The widest set of this processor, detected once.
VectorInstructions best_vector_instructions();

/// A tape with its constants in packs. Immutable: threads may share it. Machine code evaluates it
/// if available (core/codegen/tape_code.hpp), else an interpreter: the results are bit-identical.
class PackEvaluator {
 public:
  explicit PackEvaluator(Tape tape, VectorInstructions instructions = best_vector_instructions(),
                         Machine machine = Machine::code);

  const Tape& tape() const { return tape_; }
  bool is_compiled() const { return code_ && code_->function(); }

  /// Writes the results at the arguments, those of `parts` one after the other, packs or doubles.
  /// Allocates nothing once its thread has evaluated a tape of this size.
  template <class... Part>
  void operator()(Pack* results, const Part&... parts) const {
    // First: a search for code may evaluate tapes, in the same memory.
    if (code_ && !code_->function()) code_->interpreted();
    Pack* const memory = prepared_memory();
    Pack* next = memory + tape_.first_input();
    const auto put = [&next](const auto& part) {
      for (const auto& x : part) *next++ = Pack(x);
    };
    (put(parts), ...);
    run(memory, results);
  }

 private:
  using Run = void (*)(const Instruction* steps, char* memory);

  /// Memory of this thread, with the constants in place.
  Pack* prepared_memory() const;
  /// Computes the results for the arguments in `memory`.
  void run(Pack* memory, Pack* results) const;

  Tape tape_;
  std::vector<Instruction> steps_;  ///< with offsets in bytes, and an end marker
  std::vector<double> constants_;   ///< constants, then derived constants
  std::vector<double> read_;        ///< constants that machine code reads, in its order
  std::shared_ptr<const TapeCode> code_;
  Run run_;
  std::uint64_t number_;  ///< id shared with copies; marks the owner of the constants in a memory
};

}  // namespace rigidlimit
