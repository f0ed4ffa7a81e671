// The classical and the contact problems, to be written as source code.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/core/codegen/written_problem.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

struct ClassicalSourceOptions {
  bool with_reference = true;
  bool in_quad = true;                        ///< false: all solves of the reference in double
  std::function<bool()> stop_requested = {};  ///< ends the solves of the reference
};

/// The problem with these parameter values: y' = f(t, y), or M y' = f(t, y) of a DAE. The reference
/// is certified_reference() (experiment/benchmark/benchmark_references.hpp), its error the largest
/// distance between its solves in 113 bits (or in double), and the rounding to double.
WrittenProblem classical_source(const ClassicalEntry& entry, const std::vector<double>& parameters,
                                const ClassicalSourceOptions& options);

struct ContactSourceOptions {
  bool rigid = false;  ///< ideal rolling without multipliers; `law` and `epsilon` are unused
  Formulation variables = Formulation::natural;  ///< rigid: (q, v), or (q, u)
  const LawInfo* law = nullptr;                  ///< nullptr: the first law of the study
  double epsilon = 1e-3;
  bool free_law = false;  ///< compliant, natural: ε, β, C and D are parameters of the equations
  bool with_reference = true;
  std::function<bool()> stop_requested = {};  ///< ends the solves of the reference
};

/// The problem from the start of the study to its end time. The equations keep the adapted
/// coordinates of the start.
///
/// The reference solves the recorded equations in 113 bits by Radau IIA at rtol
/// 1e-20. Its error is the distance to another formulation (the other variables, not recorded) by 9
/// stages, in 113 bits, and the rounding to double.
///
/// Throws InputError for forces with switches, for a law without spring (its right-hand side is not
/// recorded), for an ε that is not positive, and for a free law of other equations.
WrittenProblem contact_source(const RollingStudy& study, const ContactSourceOptions& options);

/// Texts of a command line; empty or nullopt: the default.
struct ProblemChoice {
  std::string name;                    ///< a classical problem, or a study file
  std::vector<std::string> overrides;  ///< "KEY=VALUE" of a file, "PARAMETER=NUMBER" of a problem
  std::string side = {};               ///< "compliant", "rigid"
  std::string variables = {};          ///< "natural", "adapted"
  std::string law = {};                ///< of the study; its first one
  std::optional<double> epsilon = {};  ///< 1e-3
  bool free_law = false;               ///< epsilon, beta, C and D are arguments
  std::string reference = {};          ///< "quad", "double" (classical problems), "none"
  std::function<bool()> stop_requested = {};  ///< ends the solves of the reference
};

/// Throws InputError for an unknown name, for choices that the problem does not have, and for
/// equations that are not recorded as one right-hand side.
WrittenProblem problem_to_write(const ProblemChoice& choice, const SystemCatalogue& systems);

}  // namespace rigidlimit
