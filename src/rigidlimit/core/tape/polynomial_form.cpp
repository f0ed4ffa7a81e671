#include "rigidlimit/core/tape/polynomial_form.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rigidlimit {
namespace {

void add_term(Polynomial& sum, const Monomial& monomial, const Rational& coefficient) {
  const auto [at, is_new] = sum.try_emplace(monomial, coefficient);
  if (!is_new) at->second += coefficient;
  if (at->second == 0) sum.erase(at);
}

Polynomial sum_of(Polynomial a, const Polynomial& b, int sign) {
  for (const auto& [monomial, coefficient] : b)
    add_term(a, monomial, sign > 0 ? coefficient : Rational(-coefficient));
  return a;
}

Monomial product_of(const Monomial& a, const Monomial& b) {
  Monomial product;
  auto x = a.begin(), y = b.begin();
  while (x != a.end() || y != b.end()) {
    if (y == b.end() || (x != a.end() && x->first < y->first)) {
      product.push_back(*x++);
    } else if (x == a.end() || y->first < x->first) {
      product.push_back(*y++);
    } else {
      if (const int power = x->second + y->second; power != 0)
        product.emplace_back(x->first, power);
      ++x, ++y;
    }
  }
  return product;
}

Polynomial product_of(const Polynomial& a, const Polynomial& b) {
  constexpr std::size_t most = 4000;
  if (a.size() * b.size() > 100 * most) throw std::length_error("a polynomial is too long");
  Polynomial product;
  for (const auto& [x, p] : a)
    for (const auto& [y, q] : b) add_term(product, product_of(x, y), p * q);
  if (product.size() > most) throw std::length_error("a polynomial is too long");
  return product;
}

}  // namespace

Polynomial constant_polynomial(const Rational& x) {
  return x == 0 ? Polynomial{} : Polynomial{{{}, x}};
}

PolynomialForm::PolynomialForm(const Tape& tape) {
  std::vector<Polynomial> memory(tape.size);
  for (std::size_t k = 0; k < tape.constants.size(); ++k)
    if (std::isfinite(tape.constants[k]))
      memory[k] = constant_polynomial(Rational(tape.constants[k]));
    else  // its own atom
      memory[k] = atom(Operation::constant, {constant_polynomial(static_cast<long>(k))});
  for (const Instruction& step : tape.prelude) memory[step.to] = value_of(tape, step, memory);
  for (std::uint32_t k = 0; k < tape.inputs; ++k)
    memory[tape.first_input() + k] =
        atom(Operation::input, {constant_polynomial(static_cast<long>(k))});
  for (const Instruction& step : tape.body) memory[step.to] = value_of(tape, step, memory);
  for (const std::uint32_t place : tape.outputs) results_.push_back(memory[place]);
}

Polynomial PolynomialForm::value_of(const Tape& tape, const Instruction& step,
                                    const std::vector<Polynomial>& memory) {
  const Polynomial &a = memory[step.a], &b = memory[step.b];
  switch (step.operation) {
    case Operation::add: return sum_of(a, b, 1);
    case Operation::subtract: return sum_of(a, b, -1);
    case Operation::negate: return sum_of({}, a, -1);
    case Operation::multiply: return product_of(a, b);
    case Operation::divide: return product_of(a, inverse(b));
    case Operation::power: return power(a, tape.constants[step.b]);
    default: break;
  }
  std::vector<Polynomial> operands{a, b, memory[step.c]};
  operands.resize(static_cast<std::size_t>(operands_of(step.operation)));
  return atom(step.operation, std::move(operands));
}

Polynomial PolynomialForm::atom(Operation operation, std::vector<Polynomial> operands,
                                double exponent) {
  const auto next = static_cast<std::uint32_t>(atoms_.size());
  const auto at = atoms_.try_emplace({operation, std::move(operands), exponent}, next).first;
  return {{{{at->second, 1}}, Rational(1)}};
}

/// Of a monomial exactly; of a sum by an atom.
Polynomial PolynomialForm::inverse(const Polynomial& a) {
  if (a.size() != 1) return atom(Operation::divide, {constant_polynomial(1), a});
  Monomial monomial = a.begin()->first;
  for (auto& [atom, power] : monomial) power = -power;
  return {{monomial, 1 / a.begin()->second}};
}

Polynomial PolynomialForm::power(const Polynomial& a, double exponent) {
  constexpr double highest = 8.0;
  if (std::abs(exponent) > highest || exponent != std::floor(exponent))
    return atom(Operation::power, {a}, exponent);
  const Polynomial factor = exponent < 0.0 ? inverse(a) : a;
  Polynomial product = constant_polynomial(1);
  for (int k = 0; k < static_cast<int>(std::abs(exponent)); ++k)
    product = product_of(product, factor);
  return product;
}

std::optional<std::vector<Rational>> exact_combination(
    const std::vector<Polynomial>& target, const std::vector<std::vector<Polynomial>>& basis) {
  // One linear equation for each component and monomial: coefficients, then the right-hand side.
  const std::size_t unknowns = basis.size();
  std::map<std::pair<std::size_t, Monomial>, std::vector<Rational>> equations;
  const auto enter = [&](const std::vector<Polynomial>& of, std::size_t column) {
    for (std::size_t i = 0; i < of.size(); ++i)
      for (const auto& [monomial, coefficient] : of[i]) {
        auto& row = equations[{i, monomial}];
        row.resize(unknowns + 1);
        row[column] = coefficient;
      }
  };
  for (std::size_t k = 0; k < unknowns; ++k) enter(basis[k], k);
  enter(target, unknowns);

  std::vector<std::vector<Rational>> reduced;  // with a unit pivot each
  std::vector<std::size_t> pivots;
  for (auto& [of, row] : equations) {
    for (std::size_t k = 0; k < reduced.size(); ++k) {
      const Rational factor = row[pivots[k]];
      if (factor == 0) continue;
      for (std::size_t j = 0; j <= unknowns; ++j) row[j] -= factor * reduced[k][j];
    }
    const auto pivot = std::ranges::find_if(row, [](const Rational& x) { return x != 0; });
    if (pivot == row.end()) continue;
    const auto column = static_cast<std::size_t>(pivot - row.begin());
    if (column == unknowns) return std::nullopt;  // 0 = 1
    const Rational scale = *pivot;
    for (Rational& x : row) x /= scale;
    pivots.push_back(column);
    reduced.push_back(row);
  }
  std::vector<Rational> x(unknowns);  // free unknowns: 0
  for (std::size_t k = reduced.size(); k-- > 0;) {
    Rational rest = reduced[k][unknowns];
    for (std::size_t j = 0; j < unknowns; ++j)
      if (j != pivots[k]) rest -= reduced[k][j] * x[j];
    x[pivots[k]] = rest;
  }
  return x;
}

}  // namespace rigidlimit
