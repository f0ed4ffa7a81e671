// What a study can name: the systems, the contact laws and the solvers of either side.
#pragma once

#include <string_view>
#include <vector>

#include "rigidlimit/study/system_entry.hpp"

namespace rigidlimit {

const std::vector<SystemEntry>& systems();

/// nullptr if there is none of this name.
const SystemEntry* find_system(std::string_view name);

/// A realisation of the constraint with one small parameter.
struct LawInfo {
  const char* name;
  const char* equations;
  const char* expected;  ///< sup-norm orders of (q, v, λ), consistent unloaded start
  const char* source;
};

const std::vector<LawInfo>& laws();

/// How a solver on the rigid side gets its motion.
enum class RigidForm { closed_form, index2, impulse, semi_explicit, reduced, eliminated };

/// "closed_form", "ida" (index 2), "ida_impulse" (index 1), "radau_iia_index2", "radau_iia_reduced"
/// (the reduced system in (q, u)), or the name of an ODE method, which then solves the problem with
/// the multiplier eliminated.
struct RigidSolver {
  const char* name;
  RigidForm form;
  const char* title;
};

const std::vector<RigidSolver>& rigid_solvers();
const RigidSolver* find_rigid_solver(std::string_view name);

/// All names of a catalogue, for messages.
std::vector<std::string> names_of_systems();
std::vector<std::string> names_of_laws();
std::vector<std::string> names_of_rigid_solvers();
std::vector<std::string> names_of_compliant_solvers();

}  // namespace rigidlimit
