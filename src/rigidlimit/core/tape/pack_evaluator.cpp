#include "rigidlimit/core/tape/pack_evaluator.hpp"

#include <atomic>
#include <cmath>

#include "rigidlimit/core/tape/evaluator.hpp"

#pragma GCC diagnostic ignored "-Wpedantic"  // labels as values, as in core/tape/evaluator.hpp
#pragma GCC diagnostic ignored "-Wpsabi"     // of functions that are always inlined

namespace rigidlimit {
namespace {

/// A pack as the compiler's vector type: each operation becomes four, two or one instructions,
/// depending on the target.
using Eight [[gnu::vector_size(64), gnu::may_alias]] = double;
static_assert(sizeof(Eight) == sizeof(Pack));

constexpr Eight zeros = {0, 0, 0, 0, 0, 0, 0, 0};
constexpr Eight ones = {1, 1, 1, 1, 1, 1, 1, 1};

/// Inlined into functions for each instruction set.
[[gnu::always_inline]] inline Eight sqrt(Eight a) {
  for (int i = 0; i < 8; ++i) a[i] = std::sqrt(a[i]);
  return a;
}

/// Non-arithmetic functions.
void call(const Instruction& step, char* memory) {
  const auto at = [memory](std::uint32_t place) -> Pack& {
    return *reinterpret_cast<Pack*>(memory + place);
  };
  const Pack a = at(step.a), b = at(step.b);
  Pack& to = at(step.to);
#define RIGIDLIMIT_CASE(name, ...) \
  case Operation::name: to = name(a); return;
  switch (step.operation) {
    RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_CASE)
    case Operation::atan2: to = atan2(a, b); return;
    default: to = pow(a, b[0]);
  }
#undef RIGIDLIMIT_CASE
}

#define RIGIDLIMIT_TARGET
#define RIGIDLIMIT_STEPS run_sse2
#include "rigidlimit/core/tape/pack_steps.inc"
#undef RIGIDLIMIT_TARGET
#undef RIGIDLIMIT_STEPS
#if defined(__x86_64__)
#define RIGIDLIMIT_TARGET [[gnu::target("avx2")]]
#define RIGIDLIMIT_STEPS run_avx2
#include "rigidlimit/core/tape/pack_steps.inc"
#undef RIGIDLIMIT_TARGET
#undef RIGIDLIMIT_STEPS
#define RIGIDLIMIT_TARGET [[gnu::target("avx512f,avx512dq,avx512vl")]]
#define RIGIDLIMIT_STEPS run_avx512
#include "rigidlimit/core/tape/pack_steps.inc"
#undef RIGIDLIMIT_TARGET
#undef RIGIDLIMIT_STEPS
#endif

/// A product and the only sum that reads it, fused into one step: storing and reloading costs more
/// than the arithmetic. It rounds twice, like two steps.
constexpr int last = static_cast<int>(Operation::select);
constexpr auto product_plus = static_cast<Operation>(last + 1);   // a b + c
constexpr auto product_minus = static_cast<Operation>(last + 2);  // a b − c
constexpr auto minus_product = static_cast<Operation>(last + 3);  // c − a b

/// Whether `second` is the only reader of the product of `first` and overwrites it.
bool make_pair(const Instruction& first, const Instruction& second) {
  const bool sum = second.operation == Operation::add || second.operation == Operation::subtract;
  return first.operation == Operation::multiply && sum && second.to == first.to &&
         (second.a == first.to) != (second.b == first.to);
}
Instruction pair_of(const Instruction& first, const Instruction& second) {
  const bool product_first = second.a == first.to;
  const Operation operation = second.operation == Operation::add ? product_plus
                              : product_first                    ? product_minus
                                                                 : minus_product;
  return {.operation = operation,
          .to = second.to,
          .a = first.a,
          .b = first.b,
          .c = product_first ? second.b : second.a};
}

/// The body with fused pairs, offsets in bytes, and an end marker.
std::vector<Instruction> steps_of(const Tape& tape) {
  std::vector<Instruction> steps;
  for (const Instruction& next : tape.body)
    if (!steps.empty() && make_pair(steps.back(), next))
      steps.back() = pair_of(steps.back(), next);
    else
      steps.push_back(next);
  for (Instruction& step : steps)
    for (std::uint32_t* const place : {&step.to, &step.a, &step.b, &step.c})
      *place *= static_cast<std::uint32_t>(sizeof(Pack));
  steps.push_back({.operation = Operation::constant});
  return steps;
}

/// Constants and derived constants as doubles.
std::vector<double> constants_of(const Tape& tape) {
  std::vector<double> all;
  Tape only_constants = tape;
  only_constants.body.clear();
  only_constants.outputs.resize(tape.first_input());
  for (std::uint32_t i = 0; i < tape.first_input(); ++i) only_constants.outputs[i] = i;
  const Evaluator<double> evaluate(std::move(only_constants), Machine::interpreter);
  evaluate([&all](std::size_t, double x) { all.push_back(x); });
  return all;
}

/// Lanes of the registers of these instructions.
int lanes_of(VectorInstructions instructions) {
  return instructions == VectorInstructions::sse2   ? 2
         : instructions == VectorInstructions::avx2 ? 4
                                                    : 8;
}

}  // namespace

VectorInstructions best_vector_instructions() {
#if defined(__x86_64__)
  static const VectorInstructions best =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl")
          ? VectorInstructions::avx512
      : __builtin_cpu_supports("avx2") ? VectorInstructions::avx2
                                       : VectorInstructions::sse2;
  return best;
#else
  return VectorInstructions::sse2;
#endif
}

PackEvaluator::PackEvaluator(Tape tape, VectorInstructions instructions, Machine machine)
    : tape_(std::move(tape)),
      steps_(steps_of(tape_)),
      constants_(constants_of(tape_)),
      run_(run_sse2) {
  static std::atomic<std::uint64_t> made{0};
  number_ = ++made;
  instructions = std::min(instructions, best_vector_instructions());
  if (machine == Machine::code && !tape_.body.empty()) {
    const TapeForm form = form_of(tape_);
    for (const std::uint32_t place : form.constants) read_.push_back(constants_[place]);
    code_ = code_of(form, lanes_of(instructions));
  }
#if defined(__x86_64__)
  if (instructions == VectorInstructions::avx2) run_ = run_avx2;
  if (instructions == VectorInstructions::avx512) run_ = run_avx512;
#endif
}

Pack* PackEvaluator::prepared_memory() const {
  struct Memory {
    std::vector<Pack> places;
    std::uint64_t owner = 0;
  };
  static thread_local Memory memory;
  if (memory.owner != number_) {
    if (memory.places.size() < tape_.size) memory.places.resize(tape_.size);
    if (!code_ || !code_->function())  // code is never removed
      for (std::size_t i = 0; i < constants_.size(); ++i) memory.places[i] = constants_[i];
    memory.owner = number_;
  }
  return memory.places.data();
}

void PackEvaluator::run(Pack* memory, Pack* results) const {
  if (code_) {
    if (const CodeFunction function = code_->function()) {
      const double* const inputs = reinterpret_cast<double*>(memory + tape_.first_input());
      return function(read_.data(), inputs, reinterpret_cast<double*>(results), code_->functions());
    }
  }
  run_(steps_.data(), reinterpret_cast<char*>(memory));
  for (const std::uint32_t place : tape_.outputs) *results++ = memory[place];
}

}  // namespace rigidlimit
