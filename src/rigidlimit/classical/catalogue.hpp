// The classical problems, by name.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/classical/problem.hpp"
#include "rigidlimit/core/formula.hpp"
#include "rigidlimit/core/range.hpp"

namespace rigidlimit {

struct ClassicalParameter {
  std::string name;
  double default_value;
  std::string text;  ///< description
  Range range;
};

/// A catalogue entry.
struct ClassicalEntry {
  std::string name;    ///< key, "van_der_pol"
  std::string title;   ///< full name
  std::string source;  ///< source of the equations
  bool dae = false;
  int index = 0;  ///< differentiation index of a DAE; 0: an ODE
  std::vector<ClassicalParameter> parameters = {};

  /// The problem with these parameter values, one for each of `parameters`. Throws InputError for
  /// another number of values or a value outside its range. Published values exist only for the
  /// default values.
  std::function<ClassicalProblem(const std::vector<double>& values)> make = {};

  /// Of a problem written as text: the comparisons that depend on the unknowns. The solutions are
  /// not smooth where one changes, and no solver stops there.
  std::vector<FormulaSwitch> switches_of_unknowns = {};

  std::string definition = {};  ///< of a problem written as text: its table [problem] as TOML

  std::vector<double> default_values() const;
  ClassicalProblem make_default() const { return make(default_values()); }
};

/// All problems, ODEs first, in the order of tables.
std::span<const ClassicalEntry> classical_problems();

/// The problem of that name, nullptr if there is none.
const ClassicalEntry* find_classical_problem(std::string_view name);

/// The same for a holder that may also own a problem written as text.
std::shared_ptr<const ClassicalEntry> shared_classical_problem(std::string_view name);

}  // namespace rigidlimit
