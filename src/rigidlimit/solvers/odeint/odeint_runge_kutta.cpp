#include "rigidlimit/solvers/odeint/odeint_runge_kutta.hpp"

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include "rigidlimit/solvers/odeint/odeint_stepper.hpp"

namespace rigidlimit {
namespace {

namespace odeint = boost::numeric::odeint;
using odeint_support::State;

template <class Pair>
Solution solve_pair(const OdeProblem& problem, const std::vector<double>& times,
                    const SolveOptions& options) {
  using Controller = odeint::controlled_runge_kutta<Pair>;
  const auto make = [](double atol, double rtol) {
    // 0: Odeint's default would add rtol h |y'| to the tolerance.
    return Controller(typename Controller::error_checker_type(atol, rtol, 1.0, 0.0));
  };
  return odeint_support::solve(problem, times, options, true, Pair().error_order(), make);
}

}  // namespace

Solution solve_runge_kutta_fehlberg78(const OdeProblem& problem, const std::vector<double>& times,
                                      const SolveOptions& options) {
  return solve_pair<odeint::runge_kutta_fehlberg78<State>>(problem, times, options);
}

Solution solve_dopri5(const OdeProblem& problem, const std::vector<double>& times,
                      const SolveOptions& options) {
  return solve_pair<odeint::runge_kutta_dopri5<State>>(problem, times, options);
}

}  // namespace rigidlimit
