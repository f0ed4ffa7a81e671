#include "rigidlimit/core/codegen/tape_code.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "rigidlimit/core/codegen/tape_compiler.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/core/tape/pack_evaluator.hpp"

namespace rigidlimit {
namespace {

/// Registry of this process, like the loader's list of libraries.
struct Known {
  using Key = std::pair<ContentKey, int>;  // form and lanes
  std::mutex guard;
  std::map<Key, CodeFunction> builtin;
  std::map<Key, std::shared_ptr<const TapeCode>> codes;
};

Known& known() {
  static Known all;
  return all;
}

CodeFunction builtin_code(ContentKey key, int lanes) {
  Known& all = known();
  const std::scoped_lock lock(all.guard);
  const auto found = all.builtin.find({key, lanes});
  return found == all.builtin.end() ? nullptr : found->second;
}

thread_local const CodeCollector::Take* collecting = nullptr;

/// Numbers of order 1 of both signs, with occasional extreme values.
class Numbers {
 public:
  explicit Numbers(bool odd) : odd_(odd) {}
  double next() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    constexpr std::array odd{0.0, -0.0, infinity, -infinity, none, 1e300, -1e-310, 1.0};
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    if (odd_ && (state_ >> 61) == 0) return odd[(state_ >> 40) % odd.size()];
    return 4.0 * (static_cast<double>(state_ >> 11) * 0x1p-53) - 2.0;
  }

 private:
  bool odd_;
  std::uint64_t state_ = 1;
};

// Thresholds in operations on doubles. A processor interprets about 500 of them per microsecond,
// and a third of that on packs. Loading code takes half a millisecond; compiling a tape takes 30
// ms, and 0.1 ms per step. Compiling when interpreting has cost as much as the compilation costs at
// most twice the optimum, whatever follows.
constexpr std::uint64_t worth_a_look = 500'000;
std::uint64_t worth_compiling(std::size_t steps) {
  return 15'000'000 + 50'000 * static_cast<std::uint64_t>(steps);
}
std::uint64_t cost_of(std::size_t steps, int lanes) {
  constexpr std::uint64_t call = 10;
  return (steps + call) * (lanes == 1 ? 1 : 3);
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

std::vector<double> interpreted(const Tape& tape, int lanes, const std::vector<double>& inputs) {
  std::vector<double> results;
  if (lanes == 1) {
    const Evaluator<double> evaluate(tape, Machine::interpreter);
    evaluate([&results](std::size_t, double x) { results.push_back(x); }, inputs);
    return results;
  }
  const PackEvaluator evaluate(tape, VectorInstructions::sse2, Machine::interpreter);
  std::vector<Pack> packs(tape.inputs), found(tape.outputs.size());
  for (std::size_t i = 0; i < packs.size(); ++i)
    packs[i] = Pack::load(inputs.data() + i * Pack::lanes);
  evaluate(found.data(), packs);
  results.resize(found.size() * Pack::lanes);
  for (std::size_t i = 0; i < found.size(); ++i) found[i].store(results.data() + i * Pack::lanes);
  return results;
}

}  // namespace

bool computes(CodeFunction function, const TapeForm& form, int lanes) {
  const std::size_t width = lanes == 1 ? 1 : Pack::lanes;
  for (int trial = 0; trial < (lanes == 1 ? 8 : 2); ++trial) {
    Numbers numbers(trial % 2 == 1);
    std::vector<double> constants(form.constants.size()), inputs(form.inputs * width);
    for (double& x : constants) x = numbers.next();
    for (int skipped = 0; skipped < 7 * trial; ++skipped) numbers.next();
    for (double& x : inputs) x = numbers.next();
    std::vector<double> results(form.outputs.size() * width);
    function(constants.data(), inputs.data(), results.data(), functions_of_code(lanes));
    const std::vector<double> wanted = interpreted(tape_of(form, constants), lanes, inputs);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!same_bits(results[i], wanted[i])) return false;
  }
  return true;
}

void offer(std::span<const BuiltinCode> codes) {
  Known& all = known();
  const std::scoped_lock lock(all.guard);
  for (const BuiltinCode& code : codes)
    all.builtin.try_emplace({code.key, code.lanes}, code.function);
}

TapeCode::TapeCode(TapeForm form, int lanes)
    : form_(std::move(form)), lanes_(lanes), functions_(functions_of_code(lanes)) {
  use(builtin_code(key_of(form_), lanes));
}

void TapeCode::use(CodeFunction found) const {
  if (found && functions_ && computes(found, form_, lanes_))
    function_.store(found, std::memory_order_release);
}

void TapeCode::sampled() const {
  const std::uint64_t more = sample * cost_of(form_.steps.size(), lanes_);
  const std::uint64_t sum = operations_.fetch_add(more, std::memory_order_relaxed) + more;
  int tried = 0;
  if (sum > worth_a_look && tried_.compare_exchange_strong(tried, 1))
    return use(TapeCompiler::from_environment().kept(form_, lanes_));
  tried = 1;
  if (sum > worth_compiling(form_.steps.size()) && tried_.compare_exchange_strong(tried, 2))
    use(TapeCompiler::from_environment().made(form_, lanes_));
}

std::shared_ptr<const TapeCode> code_of(const TapeForm& form, int lanes) {
  if (collecting) (*collecting)(form, lanes != 1);
  if (std::getenv("RIGIDLIMIT_INTERPRET")) return nullptr;
  const ContentKey key = key_of(form);
  Known& all = known();
  {
    const std::scoped_lock lock(all.guard);
    const auto found = all.codes.find({key, lanes});
    if (found != all.codes.end()) return found->second;
  }
  auto made = std::make_shared<const TapeCode>(form, lanes);
  const std::scoped_lock lock(all.guard);
  return all.codes.try_emplace({key, lanes}, std::move(made)).first->second;
}

CodeCollector::CodeCollector(Take take) : take_(std::move(take)) {
  collecting = &take_;
}
CodeCollector::~CodeCollector() {
  collecting = nullptr;
}

}  // namespace rigidlimit
