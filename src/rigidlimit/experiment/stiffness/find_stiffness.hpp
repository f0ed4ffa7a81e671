// The contact stiffness that keeps compliant motion within a wanted distance of ideal rolling.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/experiment/stiffness/engine_settings.hpp"
#include "rigidlimit/experiment/stiffness/method_costs.hpp"
#include "rigidlimit/result/result.hpp"

namespace rigidlimit {

/// The largest ε that is tried.
inline constexpr double softest_epsilon = 1e3;

/// A measured distance at one ε.
struct MeasuredError {
  double error = std::numeric_limits<double>::quiet_NaN();
  double bar = std::numeric_limits<double>::quiet_NaN();  ///< solver, reference and sampling error
  std::string status;                                     ///< Row::status
  std::optional<ProvedInterval> proved = std::nullopt;    ///< of the error, if it is proved

  double most() const { return proved ? proved->upper : error + bar; }
};

/// The distances for all wanted errors at one ε.
struct StiffnessTrial {
  double epsilon = 0.0;
  std::vector<MeasuredError> errors;
};

/// The power law K ε^p of one distance, which gives the first guess.
struct ErrorLaw {
  double coefficient = std::numeric_limits<double>::quiet_NaN();  ///< K
  double order = std::numeric_limits<double>::quiet_NaN();        ///< p
  bool predicted = false;  ///< by the expansion; else fitted to the study's ε
};

/// The damper of independent rows beside one that couples them, and its errors in a solve.
struct CheckedDamper {
  VectorXd damping;  ///< of the rows, N s/m (diagonal_damping_of)
  ContactTimes times;
  StiffnessTrial trial;
  bool holds = false;  ///< every error with its bar is at most the wanted one
};

/// A question to the search.
struct StiffnessQuestion {
  std::vector<WantedError> wanted;
  std::vector<const OdeMethod*> methods = {};  ///< whose cost at the contact is measured
  const Engine* engine = nullptr;              ///< whose settings are wanted
  EngineBody body = {};
};

struct StiffnessResult {
  PairStudy study;  ///< at the ε that was found, one law and one pair of solvers
  std::vector<WantedError> wanted;
  std::vector<ErrorLaw> laws;  ///< one for each wanted error
  std::string no_prediction;   ///< why K is fitted; empty if every K is predicted
  std::vector<StiffnessTrial> trials;
  std::optional<std::size_t> found;  ///< the trial with the softest contact that keeps every error
  std::string reason;                ///< why none was found
  bool interrupted = false;
  // Of the found contact:
  FoundContact contact;
  ContactTimes times;
  std::optional<CheckedDamper> diagonal;  ///< of a damper that couples rows
  std::vector<MethodCost> costs;
  EngineAnswer engine;
  std::string no_settings = {};  ///< why the engine has none for these rows

  double epsilon() const { return trials[*found].epsilon; }
};

/// The first ε follows from K ε^p = size, with K and p of the expansion, or fitted to the study's ε
/// where none is predicted. Up to six solves correct it, until every error with its bar is below
/// its wanted size and one of them is within 10 %. With an engine the law of the engine takes the
/// place of the study's, and a contact below its floor is not found; rows that the contact of the
/// engine does not have are answered with the study's own law and `no_settings`.
///
/// Throws InputError for a study of several laws, without a contact stiffness or damping, or one
/// that compares no motions, and for the cost of methods in a friction study.
StiffnessResult find_stiffness(const PairStudy& study, const StiffnessQuestion& question,
                               const RunOptions& options);

Result in_tables(StiffnessResult found);

}  // namespace rigidlimit
