// An initial value problem as plain data, ready to be written as source code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/problem.hpp"
#include "rigidlimit/core/tape/rate_tapes.hpp"

namespace rigidlimit {

/// Values of the library at a state near the start, which a written file must reproduce.
struct CheckValues {
  double t = 0.0;
  VectorXd y;
  VectorXd f;
  VectorXd row_sums;  ///< of ∂f/∂y, that is J·1
};

/// The solution at t1, and a bound of its error that two solves give.
struct ReferenceEnd {
  VectorXd y;
  VectorXd error;
};

struct WrittenProblem {
  std::string name;
  std::string title;
  std::vector<std::string> facts;  ///< source, law, parameters: a line of the head comment each

  std::vector<std::string> names;  ///< of the components of y, N
  std::vector<std::string> units;  ///< N; empty where none is declared

  RateTapes equations;                       ///< of (y, t), or of (y, t, parameters)
  std::vector<std::string> parameter_names;  ///< numbers that a caller may change
  VectorXd parameters;                       ///< their values in the check and the reference
  double t0 = 0.0;
  double t1 = 0.0;
  VectorXd y0;
  MatrixXd mass;           ///< M of M y' = f; 0 × 0: the unit matrix
  std::vector<int> index;  ///< with M, of each component (MassProblemOf::index); empty: all 0

  CheckValues check;
  std::string reference_text;  ///< how the reference was computed, or why there is none
  std::optional<ReferenceEnd> reference;

  Index size() const { return y0.size(); }
};

/// A problem without names of its components and without reference. The check values are those of
/// its tapes. Throws InputError if its equations are not recorded.
WrittenProblem written(const OdeProblem& problem, double t1);

/// f and J·1 of `problem` at a state near its start, where no component is special: each is changed
/// by up to a thousandth of its size and of one unit, at a third of the interval to t1. Throws
/// std::runtime_error if they are not finite.
CheckValues check_values(const OdeProblem& problem, double t1);

}  // namespace rigidlimit
