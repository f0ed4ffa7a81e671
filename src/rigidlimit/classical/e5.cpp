#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"

namespace rigidlimit {
namespace {

/// Problem E5 of STIFF DETEST: a pyrolysis whose components differ by 20 powers of ten and more. c
/// is its slowest rate; the others are integers.
struct E5 {
  void operator()(const Expression&, const ExpressionVector& y, const ExpressionVector& c,
                  ExpressionVector& dydt) const {
    const Expression made = c[0] * y[0], first = 1.1e7 * (y[0] * y[2]),
                     second = 1.13e9 * (y[1] * y[2]), undone = 1.13e3 * y[3];
    dydt[0] = -made - first;
    dydt[1] = made - second;
    dydt[3] = first - undone;
    dydt[2] = dydt[1] - dydt[3];
  }
};

}  // namespace

ClassicalEntry e5() {
  return {.name = "e5",
          .title = "E5: a chemical pyrolysis over 13 decades of time",
          .source =
              "Enright, Hull & Lindberg (1975), BIT 15, 10-48; Hairer & Wanner, Solving ODEs II, "
              "IV.10",
          .make = [](const std::vector<double>&) {
            // 1.7e-24: Hairer & Wanner's. The smallest components end near 1e-22, the first at
            // 1e-291.
            ClassicalProblem problem{
                .name = "e5",
                .unknowns = {"A", "B", "C", "D"},
                .end = 1e13,
                .tolerance = {.rtol = 1e-6, .atol = std::vector<double>(4, 1.7e-24)}};
            set_equations(problem, E5{}, {1.76e-3, 0.0, 0.0, 0.0}, {7.89e-10});
            problem.published = {
                {.source = "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), e5: RADAU, "
                           "rtol = 1.1e-18, atol = 1.1e-40, round-off 1.01e-19; D is printed as 0",
                 .values = printed({"0.1152903278711829e-290", "0.8867655517642120e-22",
                                    "0.8854814626268838e-22", ""}),
                 .confirmed = {0, 3, 3, 0}}};
            return problem;
          }};
}

}  // namespace rigidlimit
