// Derivatives of recorded expressions, recorded themselves.
#include <utility>

#include "rigidlimit/core/tape/expression.hpp"

namespace rigidlimit {
namespace {

/// An operation with its operands and result: y = operation(a, b, c).
struct Step {
  Operation operation;
  Expression a, b, c, y;
};

/// dy/da of a function of one argument.
Expression slope_of(const Step& step) {
  const auto& [operation, a, p, none, y] = step;
  switch (operation) {
    case Operation::negate: return -1;
    case Operation::sqrt: return 0.5 / y;
    case Operation::power: return p.constant() * pow(a, p.constant() - 1);
#define RIGIDLIMIT_CASE(name, symmetry, x0, y0, slope, ...) \
  case Operation::name: return slope;
      RIGIDLIMIT_FUNCTIONS(RIGIDLIMIT_CASE)
#undef RIGIDLIMIT_CASE
    default: return 0;  // conditions
  }
}

/// The change of one number in all directions: index and value of the nonzero entries.
using Change = std::vector<std::pair<Index, Expression>>;

/// rule(x_k, z_k) in all directions of x or z.
template <class Rule>
Change merged(const Change& x, const Change& z, const Rule& rule) {
  Change all;
  const auto keep = [&](Index k, const Expression& value) {
    if (!is_zero(value)) all.emplace_back(k, value);
  };
  auto a = x.begin();
  auto b = z.begin();
  while (a != x.end() || b != z.end())
    if (b == z.end() || (a != x.end() && a->first < b->first)) {
      keep(a->first, rule(a->second, 0));
      ++a;
    } else if (a == x.end() || b->first < a->first) {
      keep(b->first, rule(0, b->second));
      ++b;
    } else {
      keep(a->first, rule(a->second, b->second));
      ++a;
      ++b;
    }
  return all;
}

/// dy from the changes of a, b, c.
Change change_of(const Step& step, const Change& da, const Change& db, const Change& dc) {
  const auto& [operation, a, b, c, y] = step;
  using E = const Expression&;
  switch (operation) {
    case Operation::add: return merged(da, db, [](E x, E z) { return x + z; });
    case Operation::subtract: return merged(da, db, [](E x, E z) { return x - z; });
    case Operation::multiply:
      return merged(da, db, [&a = a, &b = b](E x, E z) { return x * b + a * z; });
    case Operation::divide:
      return merged(da, db, [&b = b, &y = y](E x, E z) { return (x - y * z) / b; });
    case Operation::atan2:
      return merged(da, db,
                    [&a = a, &b = b](E x, E z) { return (b * x - a * z) / (b * b + a * a); });
    case Operation::select:
      return merged(db, dc, [&a = a](E x, E z) { return select(Condition(a), x, z); });
    default:
      if (da.empty()) return {};
      return merged(da, {}, [slope = slope_of(step)](E x, E) { return slope * x; });
  }
}

/// Contribution of each operand to the adjoint, for the weight w of y.
std::array<Expression, 3> shares_of(const Step& step, const Expression& w) {
  const auto& [operation, a, b, c, y] = step;
  switch (operation) {
    case Operation::add: return {w, w, 0};
    case Operation::subtract: return {w, -w, 0};
    case Operation::multiply: return {w * b, w * a, 0};
    case Operation::divide: return {w / b, -(w * y / b), 0};
    case Operation::atan2: {
      const Expression scaled = w / (b * b + a * a);
      return {scaled * b, -(scaled * a), 0};
    }
    case Operation::select: return {0, select(Condition(a), w, 0), select(Condition(a), 0, w)};
    default: return {w * slope_of(step), 0, 0};
  }
}

}  // namespace

/// Traverses the nodes that the outputs need, operands first, and backwards.
class Recording::Sweep {
 public:
  explicit Sweep(const ExpressionMatrix& outputs)
      : recording_(current()),
        order_(recording_.needed(outputs)),
        size_(recording_.nodes_.size()) {}

  const std::vector<std::uint32_t>& order() const { return order_; }
  std::size_t size() const { return size_; }  ///< size of the recording at the start of the sweep

  /// nullptr for a constant.
  static const std::uint32_t* place_of(const Expression& x) {
    return x.is_constant() ? nullptr : &x.node_;
  }
  Node node(std::uint32_t place) const { return recording_.nodes_[place]; }
  Expression at(std::uint32_t place) const { return recording_.at(place); }
  Step step(std::uint32_t place) const {
    const Node of = node(place);
    std::array<Expression, 3> abc;
    for (std::size_t i = 0; i < of.operands().size(); ++i) abc[i] = at(of.abc[i]);
    return {of.operation, abc[0], abc[1], abc[2], at(place)};
  }

 private:
  Recording& recording_;
  std::vector<std::uint32_t> order_;
  std::size_t size_;
};

ExpressionMatrix tangents_of(const ExpressionVector& outputs, const ExpressionVector& inputs,
                             const ExpressionMatrix& directions) {
  const Recording::Sweep sweep(outputs);
  std::vector<Change> change(sweep.size());
  std::vector<bool> is_input(sweep.size(), false);
  for (Index i = 0; i < inputs.size(); ++i)
    if (const auto* place = Recording::Sweep::place_of(inputs(i))) {
      is_input[*place] = true;
      for (Index k = 0; k < directions.cols(); ++k)
        if (!is_zero(directions(i, k))) change[*place].emplace_back(k, directions(i, k));
    }
  for (const std::uint32_t place : sweep.order()) {
    const Recording::Node of = sweep.node(place);
    if (operands_of(of.operation) > 0 && !is_input[place])
      change[place] =
          change_of(sweep.step(place), change[of.abc[0]], change[of.abc[1]], change[of.abc[2]]);
  }
  ExpressionMatrix T = ExpressionMatrix::Zero(outputs.size(), directions.cols());
  for (Index i = 0; i < outputs.size(); ++i)
    if (const auto* place = Recording::Sweep::place_of(outputs(i)))
      for (const auto& [k, value] : change[*place]) T(i, k) = value;
  return T;
}

ExpressionMatrix jacobian_of(const ExpressionVector& outputs, const ExpressionVector& inputs) {
  return tangents_of(outputs, inputs, ExpressionMatrix::Identity(inputs.size(), inputs.size()));
}

ExpressionVector gradient_of(const Expression& output, const ExpressionVector& inputs) {
  const Recording::Sweep sweep(ExpressionVector::Constant(1, output));
  std::vector<Expression> adjoint(sweep.size());  // ∂output/∂node
  std::vector<bool> varies(sweep.size(), false);
  for (const Expression& x : inputs)
    if (const auto* place = Recording::Sweep::place_of(x)) varies[*place] = true;
  for (const std::uint32_t place : sweep.order()) {
    const Recording::Node of = sweep.node(place);
    for (const std::uint32_t operand : of.operands())
      if (varies[operand]) varies[place] = true;
  }
  if (const auto* place = Recording::Sweep::place_of(output)) adjoint[*place] = 1;
  for (auto place = sweep.order().rbegin(); place != sweep.order().rend(); ++place) {
    const Recording::Node of = sweep.node(*place);
    if (!varies[*place]) continue;
    const std::array<Expression, 3> shares = shares_of(sweep.step(*place), adjoint[*place]);
    for (std::size_t i = 0; i < of.operands().size(); ++i)
      if (varies[of.abc[i]]) adjoint[of.abc[i]] += shares[i];
  }
  return inputs.unaryExpr([&](const Expression& x) {
    const auto* place = Recording::Sweep::place_of(x);
    return place ? adjoint[*place] : Expression(0);
  });
}

ExpressionMatrix substituted(const ExpressionMatrix& outputs, const ExpressionVector& inputs,
                             const ExpressionVector& values) {
  const Recording::Sweep sweep(outputs);
  std::vector<Expression> anew(sweep.size());
  std::vector<bool> is_input(sweep.size(), false);
  for (Index i = 0; i < inputs.size(); ++i)
    if (const auto* place = Recording::Sweep::place_of(inputs(i))) {
      is_input[*place] = true;
      anew[*place] = values(i);
    }
  for (const std::uint32_t place : sweep.order()) {
    const Recording::Node of = sweep.node(place);
    if (is_input[place]) continue;
    anew[place] = operands_of(of.operation) == 0
                      ? sweep.at(place)
                      : applied(of.operation, anew[of.abc[0]], anew[of.abc[1]], anew[of.abc[2]]);
  }
  return outputs.unaryExpr([&](const Expression& y) {
    const auto* place = Recording::Sweep::place_of(y);
    return place ? anew[*place] : y;
  });
}

}  // namespace rigidlimit
