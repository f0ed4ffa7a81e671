// The parsed formulas of a system written as text.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "rigidlimit/core/formula_names.hpp"
#include "rigidlimit/systems/text/system_text.hpp"

namespace rigidlimit {

/// The formulas of a list, without their places.
using Formulas = std::vector<Formula>;

/// A SystemText with parsed formulas. The values of its names are in slots:
///
///   [ parameters | coordinates | velocities | t | lets ]
class SystemFormulas {
 public:
  /// Throws InputError as entry_of() does.
  explicit SystemFormulas(SystemText of);

  SystemText text;
  FormulaNames names;
  Index nq = 0, n = 0, m = 0, ne = 0;
  bool lagrange_coordinates = true;
  /// A row, a rate or a gap depends on t or has a part without velocities: the system has a clock
  /// (docs/theory.md, section 16), a coordinate and a velocity behind those of the text.
  bool moving = false;

  Formulas q_start, v_start, rates;
  Formulas kinetic_coenergy, potential, dissipation, applied_force;  // at most 1 of the first three
  Formulas mass_matrix, force, constraint, exact_constraint, quasi_velocities, invariants;
  Formulas gap, normal_force, friction, restitution, kinks;  // of the first four one per contact
  std::vector<Formulas> gap_scale, sliding_scale;            // one per contact; at most 1 in each
  std::size_t motion_parameters = 0;  ///< listed first, then those of contacts

  std::size_t first_q() const { return text.parameters.size(); }
  std::size_t first_v() const { return first_q() + static_cast<std::size_t>(nq); }
  std::size_t time() const { return first_v() + static_cast<std::size_t>(n); }

  /// One value per parameter: defaults for omitted contact parameters.
  std::vector<double> all_values(std::vector<double> values) const {
    for (std::size_t i = values.size(); i < text.parameters.size(); ++i)
      values.push_back(text.parameters[i].info.default_value);
    return values;
  }

  /// The parameters and the values that depend only on them, in double.
  std::vector<double> constants(const std::vector<double>& values) const {
    return names.constants(all_values(values));
  }

 private:
  void require_sizes() const;
  /// Moves the parameters used only by friction, restitution and normal forces without work to the
  /// end.
  void part_parameters();
  void name_components();
  Formulas read_all(const std::vector<PlacedText>& formulas, unsigned may_depend);
  /// One formula, or none.
  Formulas read_one(const PlacedText& formula, unsigned may_depend);
  void read_formulas();
  bool is_moving() const;
  void require_count(const std::vector<PlacedText>& formulas, Index wanted, const char* why) const;
  void require_counts() const;
};

/// Adds the names in a formula, and in the formulas of `let` that it needs.
void add_names(const SystemText& text, const PlacedText& formula, std::set<std::string>& to);

/// Those of all formulas except starts, friction, restitution and normal forces.
std::set<std::string> names_of_motion(const SystemText& text);

}  // namespace rigidlimit
