// Formulas in the usual notation, read from text and evaluated in doubles or recorded.
//
//   sum       product (('+' | '-') product)*
//   product   signed (('*' | '/') signed)*
//   signed    ('+' | '-') signed | power
//   power     primary ('^' signed)?              −x^2 = −(x^2), x^2^3 = x^(2^3)
//   primary   whole ('.' ('x' | 'y' | 'z'))?    a component of a vector
//   whole     number | name | name '(' sum (',' sum)* ')' | '(' sum ')'
//             | '[' sum ',' sum ',' sum ']'        a vector
//             | 'if' '(' condition ',' sum ',' sum ')'
//             | 'table' '(' sum (',' point ',' value)+ ')'
//   condition compared ('and' compared)* | compared ('or' compared)*
//   compared  sum ('<' | '<=' | '>' | '>=' | '==' | '!=') sum
//
// Functions: sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign, atan2(y, x), min(a,
// b), max(a, b); pi. table(x, x1, y1, x2, y2, …) is piecewise linear in x through the points (x_i,
// y_i), which are numbers or parameters, x_i increasing, and constant beyond them. Formulas have
// only arithmetic: no loops, no assignments and no other functions.
//
// Vectors have three components. They are added, multiplied and divided by numbers, and chosen by
// `if`; dot(a, b) = a.x b.x + (a.y b.y + a.z b.z), norm(a) = sqrt(dot(a, a)), cross(a, b),
// rotate(p0, p1, p2, p3, a) = R(p) a and rotate_back(p0, p1, p2, p3, a) = R(p)ᵀ a for Euler
// parameters p, a unit quaternion with the real part p0 (for |p| ≠ 1, R(p) is |p|² times a
// rotation). A formula that is a vector is three formulas of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rigidlimit/core/placed_text.hpp"
#include "rigidlimit/core/tape/expression.hpp"
#include "rigidlimit/core/units.hpp"

namespace rigidlimit {

/// Dependence of a value besides parameters; for several values, the union.
enum Dependence : unsigned {
  on_nothing = 0,
  on_coordinates = 1,
  on_velocities = 2,
  on_time = 4,
};

/// Meaning of the name of a number, or of a component of a vector: an index among the values of a
/// formula.
struct FormulaSymbol {
  std::size_t slot = 0;
  unsigned depends = on_nothing;
};
/// Names of numbers, with one symbol, and of vectors, with three.
using FormulaSymbols = std::map<std::string, std::vector<FormulaSymbol>, std::less<>>;

/// A comparison of a formula: the condition of an `if`, or the whole of abs, sign, min, max and
/// table. The formula is not smooth where the comparison changes.
struct FormulaSwitch {
  std::string text;               ///< "t < 2", "abs(x)"
  std::string key;                ///< of the formula
  std::string where;              ///< file, line and column of `text`; empty: from a caller
  unsigned depends = on_nothing;  ///< union of the Dependence of its operands, without constants
};

/// A part of a formula as text, with its unit.
struct FormulaTerm {
  std::optional<Unit> unit{};  ///< empty: unknown, as of a plain number that is added, and of 0
  std::string text{};
  unsigned depends = on_nothing;
  int rank = 3;                      ///< 1: a sum, 2: a product, 3: neither
  bool is_zero = false;              ///< the number 0, or a product with it: of every unit
  std::vector<FormulaTerm> terms{};  ///< of a sum
};

/// A parsed formula. x^2 is x·x, up to x^8; other exponents are constants.
class Formula {
 public:
  Formula() = default;
  /// Throws InputError, with the place, the text found and the expected text. Errors are invalid
  /// syntax, names not in `symbols`, dependence on more than `may_depend`, vectors in the place of
  /// numbers and numbers in that of vectors, more than 100 levels of nesting and more than 10 000
  /// operations.
  Formula(const PlacedText& text, const FormulaSymbols& symbols, unsigned may_depend);
  /// One formula of a number, or three of a vector, the first with the switches of all. Throws as
  /// above.
  static std::vector<Formula> components(const PlacedText& text, const FormulaSymbols& symbols,
                                         unsigned may_depend);
  /// A `condition` of the grammar, with the value 1 where it holds and 0 elsewhere. Throws as
  /// above.
  static Formula condition(const PlacedText& text, const FormulaSymbols& symbols,
                           unsigned may_depend);

  unsigned depends() const { return depends_; }
  std::size_t operations() const { return steps_.size(); }
  /// The comparisons that depend on more than parameters, inner ones first.
  const std::vector<FormulaSwitch>& switches() const { return switches_; }
  /// `slots` are the values of the symbols; unused ones are not read.
  double value(std::span<const double> slots) const;
  /// Records the formula. `constants`: the slots in double of constant symbols (exponents).
  Expression expression(std::span<const Expression> slots, std::span<const double> constants) const;
  /// The formula as a term. `complaints`: sums, comparisons and functions of terms whose units do
  /// not fit. Numbers without a name fit every unit.
  FormulaTerm term(std::span<const FormulaTerm> slots, std::span<const double> constants,
                   std::vector<std::string>& complaints) const;

 private:
  enum class Code : std::uint8_t {
    number,
    slot,
    add,
    subtract,
    multiply,
    divide,
    negate,
    power,
    call,
    atan2,
    minimum,
    maximum,
    table,
    less,
    less_equal,
    equal,
    no,
    both,
    either,
    select
  };
  struct Step {
    Code code = Code::number;
    std::uint32_t index = 0;  ///< of a slot, a function, a constant
    double value = 0.0;       ///< value of a number; number of points of a table
  };
  /// A number that a part of the text computes.
  struct Part {
    std::vector<Step> steps;  ///< operands first
    unsigned depends = on_nothing;
  };
  void take(const Part& part);
  class Parser;
  template <class T>
  class Machine;
  class TermMachine;
  static std::string name_of_function(std::size_t index);

  std::vector<Step> steps_;         ///< operands first
  std::vector<Formula> constants_;  ///< exponents, and the points of tables
  std::vector<FormulaSwitch> switches_;
  unsigned depends_ = on_nothing;
  std::string where_;  ///< for messages about values
};

/// A name is a letter and further letters, digits and '_', at most 80 characters.
bool is_name(const std::string& text);
inline constexpr const char* rule_of_names =
    "must begin with a letter and contain only letters, digits and '_', at most 80 characters";

/// The names in a text, each once; the text need not be a formula.
std::vector<std::string> names_in(const std::string& text);

/// Whether this name is reserved in formulas: a function, "pi", "t", "if", "and", "or".
bool is_formula_word(const std::string& name);

}  // namespace rigidlimit
