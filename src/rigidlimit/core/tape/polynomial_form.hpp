// The results of a tape as polynomials with exact coefficients, to show identities between them.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/tape/tape.hpp"

namespace rigidlimit {

using Rational = boost::multiprecision::cpp_rational;

/// Products of powers of atoms, an atom being an input or the value of an operation that is no
/// polynomial, such as sin(2 x).
using Monomial = std::vector<std::pair<std::uint32_t, int>>;  ///< (atom, power ≠ 0), by atom
using Polynomial = std::map<Monomial, Rational>;              ///< coefficients ≠ 0

/// Expands a tape. Equal polynomials are equal for all arguments; the converse fails where an
/// identity of atoms, such as cos² + sin² = 1, is needed. Constants are the doubles of the tape,
/// exactly.
class PolynomialForm {
 public:
  /// Throws std::length_error if a polynomial exceeds some 4000 terms.
  explicit PolynomialForm(const Tape& tape);

  const Polynomial& result(std::size_t output) const { return results_[output]; }

 private:
  /// Operation, operands, and the exponent of a power.
  using Atom = std::tuple<Operation, std::vector<Polynomial>, double>;

  Polynomial value_of(const Tape& tape, const Instruction& step,
                      const std::vector<Polynomial>& memory);
  Polynomial atom(Operation operation, std::vector<Polynomial> operands, double exponent = 0.0);
  Polynomial inverse(const Polynomial& a);
  Polynomial power(const Polynomial& a, double exponent);

  std::map<Atom, std::uint32_t> atoms_;
  std::vector<Polynomial> results_;
};

/// x with Σ_k x_k basis_k = target in every component, for all values of the atoms; empty: no such
/// numbers. All vectors have the same size.
std::optional<std::vector<Rational>> exact_combination(
    const std::vector<Polynomial>& target, const std::vector<std::vector<Polynomial>>& basis);

/// The constant polynomial.
Polynomial constant_polynomial(const Rational& x);

/// x as a number of any kind: quotient of two sums of doubles.
template <class T>
T number_of(const Rational& x) {
  using boost::multiprecision::cpp_int;
  const auto sum = [](cpp_int rest) {
    T all(0.0);
    while (rest != 0) {
      const double part = static_cast<double>(rest);
      all += T(part);
      rest -= cpp_int(part);
    }
    return all;
  };
  const cpp_int above = numerator(x), below = denominator(x);
  return below == 1 ? sum(above) : sum(above) / sum(below);
}

/// The rows of a matrix.
using RationalRows = std::vector<std::vector<Rational>>;

/// The matrix in numbers of any kind; 0 × 0 without rows.
template <class T>
MatrixX<T> matrix_of(const RationalRows& rows) {
  const Index n = std::ssize(rows), m = rows.empty() ? 0 : std::ssize(rows.front());
  MatrixX<T> X(n, m);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < m; ++j)
      X(i, j) = number_of<T>(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
  return X;
}

}  // namespace rigidlimit
