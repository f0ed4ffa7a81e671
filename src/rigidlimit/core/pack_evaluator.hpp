// What a tape computes for eight arguments at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rigidlimit/core/pack.hpp"
#include "rigidlimit/core/tape.hpp"
#include "rigidlimit/core/tape_code.hpp"

namespace rigidlimit {

/// The instructions that a tape is run with: all that the processor has, unless a test asks for
/// less. The results are the same bits with all of them.
enum class VectorInstructions : std::uint8_t { sse2, avx2, avx512 };

/// The widest of this processor, found out once.
VectorInstructions best_vector_instructions();

/// A pack that fills a line of the cache.
struct alignas(64) PackPlace {
  Pack pack;
};

/// A tape with its constants in packs. Never changes: threads may share it. By machine code where
/// there is some (core/tape_code.hpp), else by an interpreter: the same bits.
class PackEvaluator {
 public:
  explicit PackEvaluator(Tape tape, VectorInstructions instructions = best_vector_instructions(),
                         Machine machine = Machine::code);

  const Tape& tape() const { return tape_; }
  bool is_compiled() const { return code_ && code_->function(); }

  /// Writes the results at the arguments, which are those of `parts` one after the other, packs or
  /// doubles. Allocates nothing once its thread knows tapes of this size.
  template <class... Part>
  void operator()(Pack* results, const Part&... parts) const {
    PackPlace* const memory = prepared_memory();
    PackPlace* next = memory + tape_.first_input();
    const auto put = [&next](const auto& part) {
      for (const auto& x : part) (next++)->pack = Pack(x);
    };
    (put(parts), ...);
    run(memory, results);
  }

 private:
  using Run = void (*)(const Instruction* steps, char* memory);

  /// Of this thread, with the constants where they are read there.
  PackPlace* prepared_memory() const;
  /// Of the arguments in the memory.
  void run(PackPlace* memory, Pack* results) const;

  Tape tape_;
  std::vector<Instruction> steps_;  ///< with places in bytes, and an end
  std::vector<double> constants_;   ///< and the derived ones
  std::vector<double> read_;        ///< those that code reads, in its order
  std::shared_ptr<const TapeCode> code_;
  Run run_;
  std::uint64_t number_;  ///< of this evaluator and its copies: whose constants a memory holds
};

}  // namespace rigidlimit
