// Machine code for tapes: which there is, and who uses it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rigidlimit/core/tape_form.hpp"

namespace rigidlimit {

/// A function of code_function() (core/tape_source.hpp). `functions` is functions_of_code() of its
/// lanes.
using CodeFunction = void (*)(const double* constants, const double* inputs, double* results,
                              const void* functions);

/// What code of so many lanes calls: exactly what the interpreters call, so that the results are
/// theirs to the bit. nullptr where packs cannot be taken apart so (a build for wider vectors).
const void* functions_of_code(int lanes);

/// How a tape is evaluated. Both ways give the same bits.
enum class Machine : std::uint8_t {
  code,        ///< by machine code once there is some, by the interpreter until then
  interpreter  ///< never by machine code
};

/// One entry of the table that the build makes (cmake/write_tape_codes.cpp).
struct BuiltinCode {
  ContentKey key;
  int lanes;
  CodeFunction function;
};

/// Makes these known to the evaluators that are made from now on. They must stay.
void offer(std::span<const BuiltinCode> codes);

/// The code of a form, for all evaluators with tapes of this form in this process.
class TapeCode {
 public:
  TapeCode(TapeForm form, int lanes);

  /// nullptr: interpret.
  CodeFunction function() const { return function_.load(std::memory_order_acquire); }
  const void* functions() const { return functions_; }  ///< for it
  const TapeForm& form() const { return form_; }

  /// One evaluation has been interpreted. From some number on machine code is sought in the cache,
  /// and then made (core/tape_compiler.hpp): when as much time has gone into interpreting as it may
  /// take. Counts one in some sixty, without a word between threads.
  void interpreted() const {
    static thread_local unsigned calls = 0;
    if (++calls < sample) return;
    calls = 0;
    sampled();
  }

 private:
  /// A prime: evaluators that take turns are all met.
  static constexpr unsigned sample = 61;
  void sampled() const;
  void use(CodeFunction found) const;

  TapeForm form_;
  int lanes_;
  const void* functions_;
  mutable std::atomic<CodeFunction> function_{nullptr};
  mutable std::atomic<std::uint64_t> operations_{0};  ///< interpreted
  mutable std::atomic<int> tried_{0};                 ///< how far it went to find code
};

/// The same for equal forms. nullptr where RIGIDLIMIT_INTERPRET is set in the environment: for
/// whoever wants to compare.
std::shared_ptr<const TapeCode> code_of(const TapeForm& form, int lanes);

/// Whether code computes what an interpreter does, bit for bit, but that a NaN is a NaN, at some
/// ordinary and some odd arguments with odd constants.
bool computes(CodeFunction function, const TapeForm& form, int lanes);

/// While there is one, the forms of all evaluators that are made in this thread are told to it:
/// what the build compiles.
class CodeCollector {
 public:
  using Take = std::function<void(const TapeForm& form, bool packs)>;
  explicit CodeCollector(Take take);
  ~CodeCollector();
  CodeCollector(const CodeCollector&) = delete;
  CodeCollector& operator=(const CodeCollector&) = delete;

 private:
  Take take_;
};

}  // namespace rigidlimit
