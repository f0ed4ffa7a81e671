#include <array>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"

namespace rigidlimit {
namespace {

/// Adds rate · y[from] to dydt[row].
struct Linear {
  int row, from;
  double rate;
};

constexpr std::array<Linear, 19> linear = {{
    {0, 0, -1.71},  {0, 1, 0.43},   {0, 2, 8.32},  {1, 0, 1.71},  {1, 1, -8.75},
    {2, 2, -10.03}, {2, 3, 0.43},   {2, 4, 0.035}, {3, 1, 8.32},  {3, 2, 1.71},
    {3, 3, -1.12},  {4, 4, -1.745}, {4, 5, 0.43},  {4, 6, 0.43},  {5, 3, 0.69},
    {5, 4, 1.71},   {5, 5, -0.43},  {5, 6, 0.69},  {6, 6, -1.81},
}};

/// Schäfer's high irradiance response of a plant: eight reactants, of which six are the red and the
/// far-red form of phytochrome in three places. c: the rate of each entry of `linear`, the rate at
/// which the first reactant is produced, and that of the one nonlinear reaction.
struct Hires {
  void operator()(const Expression&, const ExpressionVector& y, const ExpressionVector& c,
                  ExpressionVector& dydt) const {
    const Expression made = c[linear.size()], bound = c[linear.size() + 1] * (y[5] * y[7]);
    dydt.setZero();
    dydt[0] += made;
    dydt[5] -= bound;
    dydt[6] += bound;
    Index i = 0;
    for (const Linear& term : linear) dydt[term.row] += c[i++] * y[term.from];
    dydt[7] = -dydt[6];
  }
};

}  // namespace

ClassicalEntry hires() {
  return {
      .name = "hires",
      .title = "HIRES: light-driven morphogenesis, 8 reactants",
      .source = "Schäfer (1975), J. Math. Biol. 2, 41-56; Hairer & Wanner, Solving ODEs II, IV.10",
      .parameters = {{"binding", 280.0, "rate of the nonlinear reaction", positive}},
      .make = [](const std::vector<double>& values) {
        ClassicalProblem problem{
            .name = "hires",
            .unknowns = {"Pr", "Pfr", "PrX", "PfrX", "PrX'", "PfrX'", "PfrX'E", "E"},
            .end = 321.8122,
            .tolerance = {.rtol = 1e-6, .atol = std::vector<double>(8, 1e-10)}};
        std::vector<double> coefficients;
        for (const Linear& term : linear) coefficients.push_back(term.rate);
        coefficients.insert(coefficients.end(), {0.0007, values[0]});
        set_equations(problem, Hires{}, {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057}, coefficients);
        // The end time is not a double either, and the solution changes there: use time in units in
        // which it is one.
        problem.as_printed->rhs = [rate = problem.as_printed->rhs,
                                   unit = Quad(as_printed<Quad>(problem.end) / problem.end)](
                                      const Quad& t, VectorInOf<Quad> y, VectorOutOf<Quad> dydt) {
          rate(t, y, dydt);
          dydt *= unit;
        };
        problem.published = {
            {.source = "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), hires: RADAU5 on "
                       "a Cray C90, rtol = atol = 1.1e-18, round-off 1.01e-19",
             .values =
                 printed({"0.7371312573325668e-3", "0.1442485726316185e-3", "0.5888729740967575e-4",
                          "0.1175651343283149e-2", "0.2386356198831331e-2", "0.6238968252742796e-2",
                          "0.2849998395185769e-2", "0.2850001604814231e-2"}),
             .confirmed = {16, 16, 16, 16, 15, 16, 16, 16}}};
        return problem;
      }};
}

}  // namespace rigidlimit
