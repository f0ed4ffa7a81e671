// The contact laws and the solvers of both sides that a study can name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/formulations/compliant/realisation.hpp"

namespace rigidlimit {

struct OdeMethod;  // solvers/method.hpp

/// A realisation of the constraint with one small parameter.
struct LawInfo {
  const char* name;
  const char* equations;
  const char* small_parameter;  ///< meaning of ε in this law
  const char* expected;         ///< sup-norm orders of (q, v, λ), consistent unloaded start
  const char* source;

  /// nullopt: a spring with its own deflection η, solved by compliant_ode or compliant_adapted.
  std::optional<Realisation> realisation;
  bool has_damper;  ///< D is part of it

  bool has_spring() const { return !realisation; }
  /// D ε^(−β), a damper with its own exponent: the law expanded in docs/theory.md, sections 3
  /// and 4.
  bool is_viscoelastic() const { return has_spring() && has_damper; }
};

const std::vector<LawInfo>& laws();
const LawInfo* find_law(std::string_view name);

/// The method behind a rigid solver's motion.
enum class RigidForm { closed_form, index2, impulse, semi_explicit, reduced, eliminated };

/// "closed_form", "ida" (index 2), "ida_impulse" (index 1), "radau_iia_index2", "radau_iia_reduced"
/// (the reduced system in (q, u)), or the name of an ODE method for the problem with the multiplier
/// eliminated.
struct RigidSolver {
  const char* name;
  RigidForm form;
  const char* title;
};

const std::vector<RigidSolver>& rigid_solvers();
const RigidSolver* find_rigid_solver(std::string_view name);

/// All names of a catalogue, for error messages.
std::vector<std::string> names_of_laws();
std::vector<std::string> names_of_rigid_solvers();

}  // namespace rigidlimit
