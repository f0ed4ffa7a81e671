// The problems of a rolling study, to be written as source code.
#pragma once

#include <functional>
#include <string>

#include "rigidlimit/core/codegen/written_problem.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"

namespace rigidlimit {

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
/// The reference solves the recorded equations in 113 bits by Radau IIA of variable order at rtol
/// 1e-20. Its error is the distance to another formulation (the other variables, not recorded) by 9
/// stages, in 113 bits, and the rounding to double.
///
/// Throws InputError for forces with switches, for a law without spring (its right-hand side is not
/// recorded), for an ε that is not positive, and for a free law of other equations.
WrittenProblem contact_source(const RollingStudy& study, const ContactSourceOptions& options);

}  // namespace rigidlimit
