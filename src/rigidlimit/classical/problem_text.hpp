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
  /// A number that the source prints as a decimal. See ClassicalProblem::as_printed.
  struct Coefficient {
    PlacedText name;
    double value = 0.0;
  };
  struct Unknown {
    PlacedText name;
    std::string label;  ///< name in tables; empty: `name`
    PlacedText start;   ///< of parameters; empty: `exact` at t0
    double atol = 0.0;  ///< in the unit of the unknown; 0: a hundredth of rtol
  };
  struct Published {
    std::string source;
    std::vector<PlacedText> values;  ///< as printed, one for each unknown; "-": not given
    std::vector<double> confirmed;   ///< whole numbers, as PublishedSolution::confirmed
    PlacedText whole;                ///< place of errors about the lists
  };

  std::vector<Parameter> parameters;
  std::vector<Coefficient> coefficients;
  std::vector<NamedFormula> lets;  ///< of y and t
  std::vector<Unknown> unknowns;   ///< y, N
  std::vector<PlacedText> rate;    ///< f, of y and t, N
  /// M, N × N, of parameters: a regular matrix, or one whose rows are 0 or independent. A row of 0
  /// is a constraint 0 = f_i. Empty: the identity.
  std::vector<std::vector<PlacedText>> mass;
  std::vector<PlacedText> exact;  ///< the solution, of t, N; empty: none is known
  double t0 = 0.0;
  PlacedText end;  ///< of parameters
  double rtol = 1e-6;
  std::vector<Published> published;

  PlacedText whole;  ///< place of errors about missing parts
};

/// A problem with a singular M is a DAE of index 1: the derivatives of its constraints, with the
/// other rows, must determine y'. This ODE in the same unknowns is its independent formulation.
///
/// With coefficients, the problem also has ClassicalProblem::as_printed: parameters, coefficients,
/// starts and the interval as decimals. They exclude `mass` and comparisons.
///
/// Comparisons of t alone give ClassicalProblem::pieces; those of the unknowns are listed in the
/// entry.
///
/// Throws InputError, with file, line and column, for invalid formulas, names that are unknown,
/// defined twice, in a cycle or reserved, wrong numbers of formulas or published values, and more
/// than 1000 unknowns. make() of the entry throws it for an end before t0, a start that misses a
/// constraint, an M of another form, and an index above 1.
ClassicalEntry entry_of(ProblemText text);

}  // namespace rigidlimit
