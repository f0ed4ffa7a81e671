#include "rigidlimit/core/codegen/written_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"

namespace rigidlimit {

CheckValues check_values(const OdeProblem& problem, double t1) {
  const Index size = problem.y0.size();
  CheckValues check{.t = problem.t0 + (t1 - problem.t0) / 3.0,
                    .y = problem.y0,
                    .f = VectorXd(size),
                    .row_sums = {}};
  for (Index i = 0; i < size; ++i)
    check.y(i) += 1e-3 * (1.0 + std::abs(check.y(i))) * std::cos(static_cast<double>(i) + 0.5);
  MatrixXd J(size, size);
  if (problem.coordinates) problem.coordinates->reset();
  problem.rhs(check.t, check.y, check.f);
  problem.jacobian(check.t, check.y, J);
  check.row_sums = J.rowwise().sum();
  if (!check.f.allFinite() || !J.allFinite())
    throw std::runtime_error("the equations are not finite near the start");
  return check;
}

WrittenProblem written(const OdeProblem& problem, double t1) {
  if (!problem.recorded) throw InputError("the equations are not recorded", problem.name);
  OdeProblem evaluated;
  WrittenProblem result{
      .name = problem.name,
      .title = "an initial value problem",
      .facts = {},
      .names = {},
      .units = std::vector<std::string>(static_cast<std::size_t>(problem.y0.size())),
      .equations = problem.recorded(),
      .parameter_names = {},
      .parameters = {},
      .t0 = problem.t0,
      .t1 = t1,
      .y0 = problem.y0,
      .mass = {},
      .index = {},
      .check = {},
      .reference_text = "not computed",
      .reference = {}};
  for (Index i = 1; i <= problem.y0.size(); ++i) result.names.push_back(fmt::format("y{}", i));
  evaluated.t0 = problem.t0;
  evaluated.y0 = problem.y0;
  evaluated.rhs = [rate = std::make_shared<const Evaluator<double>>(result.equations.rate)](
                      double t, VectorIn y, VectorOut f) { (*rate)(into(f), y, std::span(&t, 1)); };
  evaluated.jacobian =
      [jacobian = std::make_shared<const Evaluator<double>>(result.equations.jacobian)](
          double t, VectorIn y, MatrixOut J) { (*jacobian)(into(J), y, std::span(&t, 1)); };
  result.check = check_values(evaluated, t1);
  return result;
}

}  // namespace rigidlimit
