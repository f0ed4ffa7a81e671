#include "rigidlimit/solvers/odeint/odeint_bulirsch_stoer.hpp"

#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>

#include "rigidlimit/solvers/odeint/odeint_stepper.hpp"

namespace rigidlimit {

Solution solve_bulirsch_stoer(const OdeProblem& problem, const std::vector<double>& times,
                              const SolveOptions& options) {
  using Controller = boost::numeric::odeint::bulirsch_stoer<odeint_support::State>;
  const auto make = [](double atol, double rtol) {
    return Controller(atol, rtol, 1.0, 0.0);  // 0: as in odeint_runge_kutta.cpp
  };
  // 7: the estimate of the first column (k = 4: a difference of orders 8 and 10)
  return odeint_support::solve(problem, times, options, false, 7, make);
}

}  // namespace rigidlimit
