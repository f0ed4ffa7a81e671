#include "rigidlimit/solvers/tolerance_units.hpp"

#include <memory>

#include "rigidlimit/solvers/solve_input.hpp"

namespace rigidlimit {
namespace {

/// Also where the problem has none: its output undoes the scaling.
MovingCoordinatesOf<double> scaled_coordinates(const OdeProblem& problem, const VectorXd& scale) {
  const auto inner = problem.coordinates;
  MovingCoordinatesOf<double> scaled;
  scaled.output_size = problem.output_size();
  if (!inner) {
    scaled.reset = [] {};
    scaled.output = [scale](double, VectorIn z, VectorOut out) { out = z.cwiseQuotient(scale); };
    scaled.rechoose = [](double, MatrixOut, MatrixOut) { return false; };
    return scaled;
  }
  scaled.reset = inner->reset;
  scaled.output = [inner, scale](double t, VectorIn z, VectorOut out) {
    const VectorXd y = z.cwiseQuotient(scale);
    inner->output(t, y, out);
  };
  scaled.rechoose = [inner, scale](double bound, MatrixOut states, MatrixOut change) {
    MatrixXd y = states.array().colwise() / scale.array();
    if (!inner->rechoose(bound, y, change)) return false;
    states = y.array().colwise() * scale.array();
    change = (scale.asDiagonal() * change * scale.cwiseInverse().asDiagonal()).eval();
    return true;
  };
  return scaled;
}

std::shared_ptr<const RootFunctions> scaled_roots(const std::shared_ptr<const RootFunctions>& inner,
                                                  const VectorXd& scale) {
  RootFunctions scaled = *inner;
  if (inner->values)
    scaled.values = [inner, scale](double t, VectorIn z, VectorOut values) {
      const VectorXd y = z.cwiseQuotient(scale);
      inner->values(t, y, values);
    };
  if (inner->reached)
    scaled.reached = [inner, scale](double t, const std::vector<int>& crossed, VectorOut z) {
      VectorXd y = z.cwiseQuotient(scale);
      const bool goes_on = inner->reached(t, crossed, y);
      z = scale.cwiseProduct(y);
      return goes_on;
    };
  return std::make_shared<const RootFunctions>(std::move(scaled));
}

}  // namespace

ToleranceUnits in_units_of_tolerance(const OdeProblem& problem, const SolveOptions& options) {
  ToleranceUnits made{.problem = problem, .options = options, .scale = {}};
  if (options.atol_of.empty()) return made;
  made.scale = options.atol * absolute_tolerances(options, problem.y0.size()).cwiseInverse();
  const VectorXd scale = made.scale;
  made.options.atol_of.clear();

  OdeProblem& scaled = made.problem;
  scaled = OdeProblem{};
  scaled.name = problem.name;
  scaled.t0 = problem.t0;
  scaled.y0 = scale.cwiseProduct(problem.y0);
  scaled.rhs = [f = problem.rhs, scale](double t, VectorIn z, VectorOut dzdt) {
    const VectorXd y = z.cwiseQuotient(scale);
    f(t, y, dzdt);
    dzdt = dzdt.cwiseProduct(scale).eval();
  };
  if (problem.jacobian)
    scaled.jacobian = [J = problem.jacobian, scale](double t, VectorIn z, MatrixOut dfdz) {
      const VectorXd y = z.cwiseQuotient(scale);
      J(t, y, dfdz);
      dfdz = (scale.asDiagonal() * dfdz * scale.cwiseInverse().asDiagonal()).eval();
    };
  if (problem.time_derivative)
    scaled.time_derivative = [ft = problem.time_derivative, scale](double t, VectorIn z,
                                                                   VectorOut dfdt) {
      const VectorXd y = z.cwiseQuotient(scale);
      ft(t, y, dfdt);
      dfdt = dfdt.cwiseProduct(scale).eval();
    };
  if (problem.roots) scaled.roots = scaled_roots(problem.roots, scale);
  scaled.coordinates =
      std::make_shared<const MovingCoordinatesOf<double>>(scaled_coordinates(problem, scale));
  return made;
}

}  // namespace rigidlimit
