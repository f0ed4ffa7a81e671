// The parsed formulas of a system written as text.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "rigidlimit/core/formula_names.hpp"
#include "rigidlimit/systems/text/system_text.hpp"

namespace rigidlimit {

/// Name of the gap of a joint: "gap_pin".
inline std::string name_of_gap(const std::string& joint) {
  return "gap_" + joint;
}

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

  Formulas rates;
  Formulas kinetic_coenergy, potential, dissipation, applied_force;  // at most 1 of the first three
  Formulas mass_matrix, force, constraint, exact_constraint, quasi_velocities, invariants;
  Formulas joint_parts;                                      // of text.joint_parts
  Formulas gap, normal_force, friction, restitution, kinks;  // of the first four one per contact
  std::vector<Formulas> gap_scale, sliding_scale;            // one per contact; at most 1 in each
  std::size_t motion_parameters = 0;  ///< listed first, then those of contacts
  std::vector<double> factors;        ///< SI values of 1 in the units of the parameters

  std::size_t first_q() const { return text.parameters.size(); }
  std::size_t first_v() const { return first_q() + static_cast<std::size_t>(nq); }
  std::size_t time() const { return first_v() + static_cast<std::size_t>(n); }

  /// In SI, one value per parameter: `given` ones in their units, then defaults. Formulas compute
  /// in SI; this is the only place where parameters are converted.
  std::vector<double> si_parameters(const std::vector<double>& given) const;

  /// The parameters and the values that depend only on them, in SI and double. `given`: in the
  /// units of the parameters.
  std::vector<double> constants(const std::vector<double>& given) const {
    return names.constants(si_parameters(given));
  }

  /// The start in SI, of the text's coordinates and of its velocities. A start that is a number is
  /// in the unit of its component; a formula of parameters computes in SI.
  std::vector<double> starting_coordinates(const std::vector<double>& constants) const;
  std::vector<double> starting_velocities(const std::vector<double>& constants) const;
  /// Those of friction studies.
  std::vector<double> sliding_coordinates(const std::vector<double>& constants) const;
  std::vector<double> sliding_velocities(const std::vector<double>& constants) const;

  /// Throws InputError for the first condition that the values violate, with the values, in the
  /// units of the parameters. It has no place: the values come from a caller. `given`: as in
  /// si_parameters().
  void require_conditions(const std::vector<double>& given) const;
  /// The same for the defaults, with the place of the condition.
  void require_conditions_of_defaults() const;

 private:
  /// The fault of the values; empty: the condition holds.
  std::string violation(std::size_t condition, const std::vector<double>& given) const;
  /// A start, and the factor of its number to SI; 1 for a formula.
  struct Start {
    Formula formula;
    double factor = 1.0;
  };
  Start read_start(const PlacedText& start, const std::string& unit);
  void read_starts();
  static std::vector<double> values_of(const std::vector<Start>& starts,
                                       const std::vector<double>& constants);
  /// A coefficient of friction; refuses one that depends on the motion, with the way to state it.
  Formula read_friction(const PlacedText& friction);
  void require_sizes() const;
  /// Refuses a joint whose gap would have the name of another component.
  void require_names_of_gaps() const;
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

  std::vector<Start> q_start_, v_start_, q_sliding_, v_sliding_;
  Formulas conditions_;
};

/// Adds the names in a formula, and in the formulas of `let` that it needs.
void add_names(const SystemText& text, const PlacedText& formula, std::set<std::string>& to);

/// Those of all formulas except starts, friction, restitution and normal forces.
std::set<std::string> names_of_motion(const SystemText& text);

}  // namespace rigidlimit
