#include "rigidlimit/core/tape/jet_evaluator.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/tape/operation_name.hpp"
#include "rigidlimit/core/tape/pack_evaluator.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // of functions that are always inlined

namespace rigidlimit {
namespace {

constexpr Index block = 8;  // sums computed side by side

/// Numbers of a tape in static single assignment: constants, inputs, results of steps.
using Number = std::size_t;

/// Numbers of order 0 that the recurrences read, and the factors of their sums.
struct Needs {
  enum class Form { itself, reciprocal, half_reciprocal };
  std::map<std::pair<Number, Form>, Index> kept;
  struct Sum {
    Number left, right;
    bool derivative;  ///< left factors are j a_j
    auto operator<=>(const Sum&) const = default;
  };
  std::map<Sum, Index> sums;

  template <class Key>
  static Index place(std::map<Key, Index>& places, const Key& key) {
    return places.try_emplace(key, static_cast<Index>(places.size())).first->second;
  }
};

/// Records the coefficient of order k of every number of a tape.
///
/// A sine and a cosine of the same number are made together, so that the number of steps and their
/// order differ from those of the tape.
class Recorder {
 public:
  /// `kept` and `sums` are the arguments of the tape for the numbers in `needs`. Without them the
  /// recording only collects the needs, with an unknown for each.
  Recorder(Needs& needs, const ExpressionVector* kept, const ExpressionVector* sums,
           const Expression& reciprocal_order)
      : needs_(needs), kept_(kept), sums_(sums), one_over_k_(reciprocal_order) {}

  void record(const Tape& tape, const ExpressionVector& x, const ExpressionVector& x_0) {
    std::vector<Number> at(tape.size);  // by place of the tape's memory
    for (std::size_t i = 0; i < tape.constants.size(); ++i)
      at[i] = add({.start = tape.constants[i], .next = 0.0, .constant = true});
    for (const Instruction& step : tape.prelude) at[step.to] = add(constant_of(step, at));
    for (Index i = 0; i < x_0.size(); ++i)
      at[tape.first_input() + static_cast<std::size_t>(i)] =
          add({.start = x_0(i), .next = i < x.size() ? x(i) : Expression(0.0)});
    for (const Instruction& step : tape.body)
      at[step.to] = result_of(step, at[step.a], at[step.b], at[step.c]);
    for (const std::uint32_t place : tape.outputs) outputs_.push_back(at[place]);
  }

  const std::optional<Operation>& missing() const { return missing_; }
  Expression output_at_start(std::size_t i) const { return values_[outputs_[i]].start; }
  Expression output(std::size_t i) const { return values_[outputs_[i]].next; }
  Expression next(Number i) const { return values_[i].next; }
  Expression at_start(Number i, Needs::Form form) const {
    const Expression& x = values_[i].start;
    return form == Needs::Form::itself ? x : 1.0 / (form == Needs::Form::reciprocal ? x : x + x);
  }

 private:
  struct Value {
    Expression start;  ///< order 0
    Expression next;   ///< order k; the constant 0 if it does not vary
    bool constant = false;
  };

  Number add(const Value& value) {
    values_.push_back(value);
    return values_.size() - 1;
  }
  Value constant_of(const Instruction& step, const std::vector<Number>& at) const {
    return {.start = applied(step.operation, values_[at[step.a]].start, values_[at[step.b]].start,
                             values_[at[step.c]].start),
            .next = 0.0,
            .constant = true};
  }
  bool varies(Number i) const { return !is_zero(values_[i].next); }

  Expression kept(Number i, Needs::Form form = Needs::Form::itself) {
    if (values_[i].constant) return at_start(i, form);
    const Index place = Needs::place(needs_.kept, {i, form});
    return kept_ ? (*kept_)(place) : unknown(unknown_kept_, place);
  }
  Expression sum(Number left, Number right, bool derivative = false) {
    if (!derivative && right < left) std::swap(left, right);
    const Index place = Needs::place(needs_.sums, {left, right, derivative});
    return sums_ ? (*sums_)(place) : unknown(unknown_sums_, place);
  }
  /// A later recording with arguments in these places simplifies the same expressions.
  static Expression unknown(std::vector<Expression>& all, Index place) {
    if (place == static_cast<Index>(all.size())) all.push_back(Recording::current().unknowns(1)(0));
    return all[static_cast<std::size_t>(place)];
  }

  Number result_of(const Instruction& step, Number a, Number b, Number c) {
    const auto start =
        applied(step.operation, values_[a].start, values_[b].start, values_[c].start);
    const Number to = values_.size();
    switch (step.operation) {
      case Operation::add: return add({start, next(a) + next(b)});
      case Operation::subtract: return add({start, next(a) - next(b)});
      case Operation::negate: return add({start, -next(a)});
      case Operation::multiply: return add({start, product(a, b)});
      default: break;
    }
    if (!varies(a) && !varies(b) && !varies(c)) return add({start, 0.0});
    using Form = Needs::Form;
    add({start, next(a)});
    Expression& next_of = values_[to].next;  // valid: nothing is added below, except in sine()
    switch (step.operation) {
      case Operation::divide:
        if (varies(b)) next_of = next(a) - kept(to) * next(b) - sum(b, to);
        next_of = next_of * kept(b, Form::reciprocal);
        break;
      case Operation::sqrt:
        next_of = (next(a) - sum(to, to)) * kept(to, Form::half_reciprocal);
        break;
      case Operation::exp: next_of = next(a) * kept(to) + sum(a, to, true) * one_over_k_; break;
      case Operation::log:
        next_of = (next(a) - sum(to, a, true) * one_over_k_) * kept(a, Form::reciprocal);
        break;
      case Operation::sin: return sine_and_cosine(a, to).first;
      case Operation::cos: return sine_and_cosine(a, to).second;
      default:
        if (!missing_) missing_ = step.operation;
    }
    return to;
  }

  Expression product(Number a, Number b) {
    if (!varies(a) && !varies(b)) return 0.0;
    if (!varies(a)) return kept(a) * next(b);
    if (!varies(b)) return next(a) * kept(b);
    if (a == b) return 2.0 * (kept(a) * next(a)) + sum(a, a);
    return kept(a) * next(b) + next(a) * kept(b) + sum(a, b);
  }

  /// The pair of a; `to`, the last number, becomes its sine if the pair is new.
  std::pair<Number, Number> sine_and_cosine(Number a, Number to) {
    const auto [found, is_new] = pairs_.try_emplace(a, to, to + 1);
    const auto [s, c] = found->second;
    if (!is_new) return found->second;
    values_[s].start = applied(Operation::sin, values_[a].start, 0.0, 0.0);
    add({applied(Operation::cos, values_[a].start, 0.0, 0.0), next(a)});
    values_[s].next = next(a) * kept(c) + sum(a, c, true) * one_over_k_;
    values_[c].next = -(next(a) * kept(s) + sum(a, s, true) * one_over_k_);
    return found->second;
  }

  Needs& needs_;
  const ExpressionVector *kept_, *sums_;
  std::vector<Expression> unknown_kept_, unknown_sums_;
  Expression one_over_k_;  ///< 1/k
  std::vector<Value> values_;
  std::vector<Number> outputs_;
  std::map<Number, std::pair<Number, Number>> pairs_;
  std::optional<Operation> missing_;
};

Index rounded_up(Index count) {
  return (count + block - 1) / block * block;
}

/// (x_0, r) -> z_0, kept numbers; and the needs.
Tape start_tape(const Tape& tape, Index varying, Index outputs, Needs& needs,
                std::optional<Operation>& missing) {
  Recording recording;
  const ExpressionVector x_0 = recording.inputs(tape.inputs);
  const ExpressionVector x = recording.unknowns(varying);
  Recorder recorder(needs, nullptr, nullptr, recording.unknowns(1)(0));
  recorder.record(tape, x, x_0);
  missing = recorder.missing();
  ExpressionVector results(outputs + static_cast<Index>(needs.kept.size()));
  for (Index i = 0; i < outputs; ++i)
    results(i) = recorder.output_at_start(static_cast<std::size_t>(i));
  for (const auto& [key, place] : needs.kept)
    results(outputs + place) = recorder.at_start(key.first, key.second);
  return recording.tape(results);
}

/// (kept numbers, x_k, sums, k, 1/k) -> z_k, left factors, right factors, each in whole blocks.
Tape next_tape(const Tape& tape, Index varying, Index outputs, Needs& needs) {
  Recording recording;
  const Index width = rounded_up(static_cast<Index>(needs.sums.size()));
  const ExpressionVector kept = recording.inputs(static_cast<Index>(needs.kept.size()));
  const ExpressionVector x = recording.inputs(varying);
  const ExpressionVector sums = recording.inputs(width);
  const ExpressionVector orders = recording.inputs(2);
  Recorder recorder(needs, &kept, &sums, orders(1));
  recorder.record(tape, x, recording.unknowns(tape.inputs));
  const Index first = rounded_up(outputs);
  ExpressionVector results = ExpressionVector::Zero(first + 2 * width);
  for (Index i = 0; i < outputs; ++i) results(i) = recorder.output(static_cast<std::size_t>(i));
  for (const auto& [sum, place] : needs.sums) {
    const Expression left = recorder.next(sum.left);
    results(first + place) = sum.derivative ? orders(0) * left : left;
    results(first + width + place) = recorder.next(sum.right);
  }
  return recording.tape(results);
}

// The registers of each instruction set, in a class: as a template argument a type loses its
// attributes. A wider vector would be split through memory.
struct Sse2 {
  using Vector [[gnu::vector_size(16), gnu::may_alias, gnu::aligned(8)]] = double;
};
struct Avx2 {
  using Vector [[gnu::vector_size(32), gnu::may_alias, gnu::aligned(8)]] = double;
};
struct Avx512 {
  using Vector [[gnu::vector_size(64), gnu::may_alias, gnu::aligned(8)]] = double;
};

/// sums_i = Σ_{j=1}^{k−1} left_j,i right_k−j,i; row j of the factors begins at (j − 1) stride.
/// Inlined into functions for each instruction set; the results are bit-identical.
template <class Instructions>
[[gnu::always_inline]] inline void add_up(Index width, int k, const double* left,
                                          const double* right, Index stride, double* sums) {
  using Vector = typename Instructions::Vector;
  constexpr Index lanes = sizeof(Vector) / sizeof(double), vectors = block / lanes;
  const auto at = [](const double* x) __attribute__((always_inline)) {
    return *reinterpret_cast<const Vector*>(x);
  };
  for (Index i = 0; i < width; i += block) {
    Vector sum[vectors] = {};
    for (int j = 1; j < k; ++j) {
      const double* const a = left + (j - 1) * stride + i;
      const double* const b = right + (k - j - 1) * stride + i;
#pragma GCC unroll 4
      for (Index n = 0; n < vectors; ++n) sum[n] += at(a + n * lanes) * at(b + n * lanes);
    }
#pragma GCC unroll 4
    for (Index n = 0; n < vectors; ++n) *reinterpret_cast<Vector*>(sums + i + n * lanes) = sum[n];
  }
}
using AddUp = void (*)(Index, int, const double*, const double*, Index, double*);

void add_up_sse2(Index width, int k, const double* left, const double* right, Index stride,
                 double* sums) {
  add_up<Sse2>(width, k, left, right, stride, sums);
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] void add_up_avx2(Index width, int k, const double* left,
                                         const double* right, Index stride, double* sums) {
  add_up<Avx2>(width, k, left, right, stride, sums);
}
[[gnu::target("avx512f,avx512dq,avx512vl")]] void add_up_avx512(Index width, int k,
                                                                const double* left,
                                                                const double* right, Index stride,
                                                                double* sums) {
  add_up<Avx512>(width, k, left, right, stride, sums);
}
#endif

AddUp best_add_up() {
#if defined(__x86_64__)
  switch (best_vector_instructions()) {
    case VectorInstructions::avx512: return add_up_avx512;
    case VectorInstructions::avx2: return add_up_avx2;
    case VectorInstructions::sse2: break;
  }
#endif
  return add_up_sse2;
}

}  // namespace

JetEvaluator::JetEvaluator(const Tape& tape, Index varying, Index outputs)
    : inputs_(tape.inputs), varying_(varying), outputs_(outputs) {
  Needs needs;
  std::optional<Operation> missing;
  Tape start = start_tape(tape, varying, outputs, needs, missing);
  if (missing) {
    missing_ = name_of(*missing);
    return;
  }
  sums_ = static_cast<Index>(needs.sums.size());
  width_ = rounded_up(sums_);
  kept_ = static_cast<Index>(needs.kept.size());
  start_ = std::make_unique<const Evaluator<double>>(std::move(start));
  next_ = std::make_unique<const Evaluator<double>>(next_tape(tape, varying, outputs, needs));
}

Jets::Jets(const JetEvaluator& evaluator, int highest)
    : evaluator_(&evaluator),
      at_sums_(rounded_up(evaluator.outputs_ + evaluator.kept_ + evaluator.varying_)),
      at_coefficients_(at_sums_ - evaluator.varying_),
      at_start_(at_coefficients_ - evaluator.kept_ - evaluator.outputs_),
      at_rows_(rounded_up(at_sums_ + evaluator.width_ + 2)),
      stride_(rounded_up(evaluator.outputs_) + 2 * evaluator.width_),
      factors_(rounded_up(evaluator.outputs_)),
      arguments_(static_cast<std::size_t>(evaluator.inputs_), 0.0),
      memory_(static_cast<std::size_t>((at_rows_ + highest * stride_) / block)) {}

const double* Jets::start() {
  double* const results = place(at_start_);
  evaluator_->start_->evaluate(arguments_.data(), results);
  return results;
}

const double* Jets::next(int k) {
  static const AddUp add_up_best = best_add_up();
  double* const sums = place(at_sums_);
  const Index width = evaluator_->width_;
  add_up_best(width, k, row(1) + factors_, row(1) + factors_ + width, stride_, sums);
  sums[width] = k;
  sums[width + 1] = 1.0 / k;
  evaluator_->next_->evaluate(place(at_coefficients_ - evaluator_->kept_), row(k));
  return row(k);
}

}  // namespace rigidlimit
