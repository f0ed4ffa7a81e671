#include "rigidlimit/core/tape/expression.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace rigidlimit {
namespace {

thread_local Recording* innermost = nullptr;

/// The rounding error of a + b in double, by Knuth's two-sum.
double lost_by_sum(double a, double b) {
  const double sum = a + b, part_of_b = sum - a;
  return (a - (sum - part_of_b)) + (b - part_of_b);
}

/// a op b if double computes it exactly, so that every type of number gives the same result.
std::optional<double> exact(Operation operation, double a, double b) {
  if (operation == Operation::abs) return std::abs(a);
  const auto if_exact = [](double x, double rest) {
    return std::isfinite(x) && rest == 0.0 ? std::optional(x) : std::nullopt;
  };
  // Below this size the residual that fma computes may underflow.
  const auto tiny = [](double x) { return x != 0.0 && std::abs(x) < 1e-250; };
  switch (operation) {
    case Operation::add: return if_exact(a + b, lost_by_sum(a, b));
    case Operation::subtract: return if_exact(a - b, lost_by_sum(a, -b));
    case Operation::multiply:
      if (a != 0.0 && b != 0.0 && (a * b == 0.0 || tiny(a * b))) return std::nullopt;
      return if_exact(a * b, std::fma(a, b, -(a * b)));
    case Operation::divide:
      if (a != 0.0 && (a / b == 0.0 || tiny(a) || tiny(a / b))) return std::nullopt;
      return if_exact(a / b, std::fma(a / b, b, -a));
    case Operation::sqrt:
      if (tiny(a)) return std::nullopt;
      return if_exact(std::sqrt(a), std::fma(std::sqrt(a), std::sqrt(a), -a));
    case Operation::negate: return -a;
#define RIGIDLIMIT_CASE(name, symmetry, x0, y0, ...) \
  case Operation::name: return a == (x0) ? std::optional<double>(y0) : std::nullopt;
      RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
#define RIGIDLIMIT_CASE(name, condition) \
  case Operation::name: return condition ? 1.0 : 0.0;
      RIGIDLIMIT_CONDITIONS(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
    default: return std::nullopt;
  }
}

}  // namespace

/// The expression of an operation to which no simplification below applies.
Expression recorded(Operation operation, const Expression& a, const Expression& b = 0,
                    const Expression& c = 0) {
  const int operands = operands_of(operation);
  if (a.is_constant() && (operands < 2 || b.is_constant()) && operands < 3)
    if (const auto known = exact(operation, a.constant(), b.constant())) return *known;
  Recording& recording = Recording::current();
  Recording::Node node{.operation = operation, .abc = {recording.place_of(a)}};
  if (operands > 1) node.abc[1] = recording.place_of(b);
  if (operands > 2) node.abc[2] = recording.place_of(c);
  const bool commutes = operation == Operation::add || operation == Operation::multiply;
  if (commutes && node.abc[1] < node.abc[0]) std::swap(node.abc[0], node.abc[1]);
  return recording.at(recording.place_of(node));
}

/// y of x = −y.
static std::optional<Expression> negated(const Expression& x) {
  return innermost == nullptr ? std::nullopt : innermost->operand_of_negation(x);
}

static bool is(const Expression& x, double constant) {
  return x.is_constant() && x.constant() == constant;
}

Expression operator+(const Expression& a, const Expression& b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (const auto y = negated(b)) return a - *y;
  if (const auto x = negated(a)) return b - *x;
  return recorded(Operation::add, a, b);
}

Expression operator-(const Expression& a, const Expression& b) {
  if (is(b, 0)) return a;
  if (is(a, 0)) return -b;
  if (!a.is_constant() && a.node_ == b.node_) return 0;
  if (const auto y = negated(b)) return a + *y;
  if (const auto x = negated(a)) return -(*x + b);
  return recorded(Operation::subtract, a, b);
}

Expression operator*(const Expression& a, const Expression& b) {
  if (is(a, 0) || is(b, 0)) return 0;
  if (is(a, 1)) return b;
  if (is(b, 1)) return a;
  if (is(a, -1)) return -b;
  if (is(b, -1)) return -a;
  if (const auto x = negated(a)) return -(*x * b);
  if (const auto y = negated(b)) return -(a * *y);
  return recorded(Operation::multiply, a, b);
}

Expression operator/(const Expression& a, const Expression& b) {
  if (is(a, 0) && !is(b, 0)) return 0;
  if (is(b, 1)) return a;
  if (is(b, -1)) return -a;
  if (const auto x = negated(a)) return -(*x / b);
  if (const auto y = negated(b)) return -(a / *y);
  return recorded(Operation::divide, a, b);
}

Expression operator-(const Expression& a) {
  if (const auto x = negated(a)) return *x;
  return recorded(Operation::negate, a);
}

Expression sqrt(const Expression& a) {
  return recorded(Operation::sqrt, a);
}

enum class Symmetry { none, even, odd };

#define RIGIDLIMIT_DEFINE(name, symmetry, ...)                         \
  Expression name(const Expression& a) {                               \
    constexpr Symmetry kind = Symmetry::symmetry;                      \
    const auto x = kind == Symmetry::none ? std::nullopt : negated(a); \
    if (x) return kind == Symmetry::odd ? -name(*x) : name(*x);        \
    return recorded(Operation::name, a);                               \
  }
RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_DEFINE)
#undef RIGIDLIMIT_DEFINE

Expression atan2(const Expression& y, const Expression& x) {
  return recorded(Operation::atan2, y, x);
}
Expression pow(const Expression& x, double p) {
  if (p == 0.0) return 1;
  if (p == 1.0) return x;
  return recorded(Operation::power, x, p);
}

Condition operator<(const Expression& a, const Expression& b) {
  return Condition(recorded(Operation::less, a, b));
}
Condition operator<=(const Expression& a, const Expression& b) {
  return Condition(recorded(Operation::less_equal, a, b));
}
Condition operator==(const Expression& a, const Expression& b) {
  return Condition(recorded(Operation::equal, a, b));
}

Condition operator!(const Condition& a) {
  return Condition(select(a, 0, 1));
}
Condition operator&&(const Condition& a, const Condition& b) {
  return Condition(select(a, b.value_, 0));
}
Condition operator||(const Condition& a, const Condition& b) {
  return Condition(select(a, 1, b.value_));
}

Expression select(const Condition& condition, const Expression& yes, const Expression& no) {
  const Expression& known = condition.value_;
  if (known.is_constant()) return known.constant() != 0.0 ? yes : no;
  if (!yes.is_constant() && yes.node_ == no.node_) return yes;
  if (yes.is_constant() && is(no, yes.constant())) return yes;
  return recorded(Operation::select, known, yes, no);
}

Expression applied(Operation operation, const Expression& a, const Expression& b,
                   const Expression& c) {
  switch (operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return a * b;
    case Operation::divide: return a / b;
    case Operation::negate: return -a;
#define RIGIDLIMIT_CASE(name, ...) \
  case Operation::name: return name(a);
      RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
    case Operation::select: return select(Condition(a), b, c);
    default: return recorded(operation, a, b, c);  // the other operations have no rules
  }
}

bool is_zero(const ExpressionMatrix& A) {
  return std::ranges::all_of(A.reshaped(), [](const Expression& x) { return is_zero(x); });
}

// --- Recording

bool Recording::Node::operator==(const Node& other) const {
  // Compares bits, so that 0 differs from −0 and a NaN equals itself.
  return operation == other.operation && abc == other.abc &&
         std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(other.value);
}

std::size_t Recording::Hash::operator()(const Node& node) const {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: mixes bits
  std::uint64_t h = static_cast<std::uint64_t>(node.operation);
  for (const std::uint64_t part :
       {std::uint64_t{node.abc[0]}, std::uint64_t{node.abc[1]}, std::uint64_t{node.abc[2]},
        std::bit_cast<std::uint64_t>(node.value)})
    h = (h ^ part ^ (h >> 29)) * factor;
  return h ^ (h >> 32);
}

Recording::Recording() : outer_(std::exchange(innermost, this)) {}
Recording::~Recording() {
  innermost = outer_;
}

Recording& Recording::current() {
  if (innermost == nullptr)
    throw std::logic_error("an expression is evaluated without a recording tape");
  return *innermost;
}

std::uint32_t Recording::place_of(const Node& node) {
  const auto [found, is_new] = places_.try_emplace(node, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return found->second;
}

std::uint32_t Recording::place_of(const Expression& x) {
  if (!x.is_constant()) return x.node_;
  return place_of(Node{.operation = Operation::constant, .value = x.constant()});
}

Expression Recording::at(std::uint32_t place) const {
  Expression x;
  if (nodes_[place].operation == Operation::constant)
    x.value_ = nodes_[place].value;
  else
    x.node_ = place;
  return x;
}

std::optional<Expression> Recording::operand_of_negation(const Expression& x) const {
  if (x.is_constant()) return std::nullopt;
  const Node& node = nodes_[x.node_];
  if (node.operation != Operation::negate) return std::nullopt;
  return at(node.abc[0]);
}

Expression Recording::input() {
  return at(place_of(Node{.operation = Operation::input, .abc = {input_count_++}}));
}

ExpressionVector Recording::unknowns(Index count) {
  ExpressionVector all(count);
  for (Expression& x : all)
    x = at(place_of(Node{.operation = Operation::input, .abc = {unknown_count_++, 1}}));
  return all;
}

ExpressionVector Recording::inputs(Index count) {
  ExpressionVector all(count);
  for (Expression& x : all) x = input();
  return all;
}

}  // namespace rigidlimit
