// An initial value problem written as text, and its catalogue entry.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/core/formula_names.hpp"

namespace rigidlimit {

/// Formulas (core/formula.hpp) of M y' = f(t, y), y(t0) = y0. Empty fields are not stated.
struct ProblemText {
  std::string name, title, source;

  struct Parameter {
    PlacedText name;
    ClassicalParameter info;
  };
  struct Unknown {
    PlacedText name;
    PlacedText start;   ///< of parameters
    double atol = 0.0;  ///< in the unit of the unknown; 0: a hundredth of rtol
  };

  std::vector<Parameter> parameters;
  std::vector<NamedFormula> lets;  ///< of y and t
  std::vector<Unknown> unknowns;   ///< y, N
  std::vector<PlacedText> rate;    ///< f, of y and t, N
  /// M, N × N, of parameters: a regular matrix, or one whose rows are 0 or independent. A row of 0
  /// is a constraint 0 = f_i. Empty: the identity.
  std::vector<std::vector<PlacedText>> mass;
  std::vector<PlacedText> exact;  ///< the solution, of t, N; empty: none is known
  double t0 = 0.0, end = 1.0;
  double rtol = 1e-6;

  PlacedText whole;  ///< place of errors about missing parts
};

/// A problem with a singular M is a DAE of index 1: the derivatives of its constraints, with the
/// other rows, must determine y'. This ODE in the same unknowns is its independent formulation.
///
/// Comparisons of t alone give ClassicalProblem::pieces; those of the unknowns are listed in the
/// entry.
///
/// Throws InputError, with file, line and column, for invalid formulas, names that are unknown,
/// defined twice, in a cycle or reserved, wrong numbers of formulas, and more than 1000 unknowns.
/// make() of the entry throws it for a start that misses a constraint, an M of another form, and an
/// index above 1.
ClassicalEntry entry_of(ProblemText text);

}  // namespace rigidlimit
