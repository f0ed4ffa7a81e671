// The names in the formulas of one text: parameters, variables, the time, and named formulas.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rigidlimit/core/formula.hpp"
#include "rigidlimit/core/placed_text.hpp"

namespace rigidlimit {

/// Throws InputError with the key and the place of the text.
[[noreturn]] void refuse(const PlacedText& at, const std::string& what);

/// `name` in place of a formula of other names, of a number or a vector.
struct NamedFormula {
  PlacedText name, formula;
};

/// Gives each name the next slot of the values of the formulas. Call define(), then define_time(),
/// then read_lets(): the named formulas have the last slots. Throws InputError for invalid,
/// reserved and repeated names, for formulas that define each other, and beyond 20 000 operations.
class FormulaNames {
 public:
  void define(const PlacedText& name, unsigned depends);
  /// A name that is not subject to the rule of names: "x'".
  void define(const PlacedText& at, const std::string& name, unsigned depends);
  void define_time();
  /// In any order; they depend on `may_depend` at most.
  void read_lets(const std::vector<NamedFormula>& lets, unsigned may_depend);

  Formula read(const PlacedText& formula, unsigned may_depend);
  /// Formula::condition().
  Formula read_condition(const PlacedText& condition, unsigned may_depend);

  /// The comparisons of all formulas read so far.
  const std::vector<FormulaSwitch>& switches() const { return switches_; }

  std::size_t slot_count() const { return first_let_ + lets_.size(); }
  /// Fills in the slots of the named formulas that depend only on `known`: value(formula, slots).
  template <class T, class Value>
  void add_lets(std::vector<T>& slots, unsigned known, const Value& value) const {
    for (std::size_t k = 0; k < lets_.size(); ++k)
      if ((lets_[k].depends() & ~known) == 0) slots[first_let_ + k] = value(lets_[k], slots);
  }
  /// The names of the named formulas, in the order of their slots; of a vector a: a.x, a.y, a.z.
  const std::vector<std::string>& names_of_lets() const { return let_names_; }
  /// The values that depend only on these first slots; NaN for the others.
  std::vector<double> constants(const std::vector<double>& first) const;

 private:
  void add_let(const std::string& name, const PlacedText& formula, unsigned may_depend);
  /// Counts a formula of this text.
  Formula added(Formula made, const PlacedText& text);

  FormulaSymbols symbols_;
  std::size_t first_let_ = 0;
  std::vector<Formula> lets_;  ///< of numbers, each after those that it needs
  std::vector<std::string> let_names_;
  std::vector<FormulaSwitch> switches_;
  std::size_t operations_ = 0;
};

}  // namespace rigidlimit
