#include "rigidlimit/solvers/solve_input.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {
namespace {

void check_start(const std::string& name, double t0, const VectorXd& y0) {
  if (y0.size() == 0) throw InputError(fmt::format("{}: y0 is empty", name));
  if (!std::isfinite(t0)) throw InputError(fmt::format("{}: t0 = {} is not finite", name, t0));
  for (Index i = 0; i < y0.size(); ++i)
    if (!std::isfinite(y0(i)))
      throw InputError(fmt::format("{}: y0[{}] = {} is not finite", name, i, y0(i)));
}

void check_grid(double t0, const std::vector<double>& times) {
  if (times.empty()) throw InputError("the grid of output times is empty");
  double before = -std::numeric_limits<double>::infinity();
  for (const double t : times) {
    if (!std::isfinite(t)) throw InputError(fmt::format("output time {} is not finite", t));
    if (t <= before)
      throw InputError(fmt::format("output times must increase: {} follows {}", t, before));
    before = t;
  }
  if (times.front() < t0)
    throw InputError(fmt::format("output time {} lies before t0 = {}", times.front(), t0));
}

void check_positive(const char* what, double value) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw InputError(fmt::format("{} = {} must be positive and finite", what, value));
}

void check_not_negative(const char* what, double value) {
  if (!(value >= 0.0) || !std::isfinite(value))
    throw InputError(fmt::format("{} = {} must be finite and not negative", what, value));
}

void check_options(const SolveOptions& options, Index n, bool fixed_step_possible) {
  check_positive("rtol", options.rtol);
  check_positive("atol", options.atol);
  for (const double atol : options.atol_of) check_positive("atol_of", atol);
  if (!options.atol_of.empty() && static_cast<Index>(options.atol_of.size()) != n)
    throw InputError(fmt::format("atol_of has {} entries, but the problem has {} components",
                                 options.atol_of.size(), n));
  if (options.max_steps < 1)
    throw InputError(fmt::format("max_steps = {} must be at least 1", options.max_steps));
  check_not_negative("initial_step", options.initial_step);
  check_not_negative("fixed_step", options.fixed_step);
  check_not_negative("max_step", options.max_step);
  if (options.fixed_step > 0.0 && !fixed_step_possible)
    throw InputError(
        fmt::format("fixed_step = {}: this method has no equal steps", options.fixed_step));
}

void check_consistent(const DaeProblem& problem, const SolveOptions& options, Work& work) {
  const Index n = problem.y0.size();
  VectorXd r(n);
  MatrixXd at_zero(n, n), at_one(n, n);
  problem.residual(problem.t0, problem.y0, problem.yp0, r);
  problem.jacobian(problem.t0, problem.y0, problem.yp0, 0.0, at_zero);
  problem.jacobian(problem.t0, problem.y0, problem.yp0, 1.0, at_one);
  work.rhs_evaluations += 1;
  work.jacobian_evaluations += 2;

  // 1000 u: the rounding of a few dozen operations in r, with a margin.
  const double share = options.rtol + 1e3 * std::numeric_limits<double>::epsilon();
  const VectorXd atol = absolute_tolerances(options, n);
  const VectorXd w = share * problem.y0.cwiseAbs() + atol;
  const VectorXd wp = share * problem.yp0.cwiseAbs() + atol;
  const VectorXd bound = at_zero.cwiseAbs() * w + (at_one - at_zero).cwiseAbs() * wp;
  for (Index i = 0; i < n; ++i)
    if (!(std::abs(r(i)) <= bound(i)))
      throw InputError(fmt::format(
          "{}: the start is not consistent: residual {} is {:.6g}, but the tolerances allow {:.3g}",
          problem.name, i, r(i), bound(i)));
}

}  // namespace

VectorXd absolute_tolerances(const SolveOptions& options, Index n) {
  if (options.atol_of.empty()) return VectorXd::Constant(n, options.atol);
  return Eigen::Map<const VectorXd>(options.atol_of.data(), n);
}

void check_start_and_options(const std::string& name, double t0, const VectorXd& y0,
                             const std::vector<double>& times, const SolveOptions& options,
                             bool fixed_step_possible) {
  check_start(name, t0, y0);
  check_grid(t0, times);
  check_options(options, y0.size(), fixed_step_possible);
}

void check_sparse_jacobian(const std::string& name, Index n, const SparseJacobian& jacobian) {
  const SparsePattern& pattern = jacobian.pattern;
  if (!jacobian.values)
    throw InputError(fmt::format("{}: the sparse Jacobian has no values", name));
  if (pattern.size != n || static_cast<Index>(pattern.starts.size()) != n + 1 ||
      pattern.start(0) != 0 || pattern.start(n) != pattern.nonzeros())
    throw InputError(
        fmt::format("{}: the pattern of the Jacobian is not that of a {} x {} matrix", name, n, n));
  for (Index column = 0; column < n; ++column) {
    if (pattern.start(column + 1) < pattern.start(column) ||
        pattern.start(column + 1) > pattern.nonzeros())
      throw InputError(fmt::format("{}: column {} of the Jacobian's pattern ends before it begins",
                                   name, column));
    bool diagonal = false;
    Index before = -1;
    for (Index k = pattern.start(column); k < pattern.start(column + 1); ++k) {
      const Index row = pattern.row(k);
      if (row <= before || row >= n)
        throw InputError(fmt::format("{}: row {} follows {} in column {} of the Jacobian's pattern",
                                     name, row, before, column));
      diagonal = diagonal || row == column;
      before = row;
    }
    if (!diagonal)
      throw InputError(
          fmt::format("{}: the Jacobian's pattern lacks the diagonal of column {}", name, column));
  }
}

void check_mass(const std::string& name, Index n, const MatrixXd& mass,
                const std::vector<int>& index) {
  if (mass.rows() != n || mass.cols() != n)
    throw InputError(fmt::format("{}: the mass matrix is {} x {}, but y0 has {} entries", name,
                                 mass.rows(), mass.cols(), n));
  if (!mass.allFinite()) throw InputError(fmt::format("{}: the mass matrix is not finite", name));
  if (static_cast<Index>(index.size()) != n)
    throw InputError(
        fmt::format("{}: `index` has {} entries, but y0 has {}", name, index.size(), n));
  for (const int i : index)
    if (i < 0) throw InputError(fmt::format("{}: index {} is negative", name, i));
}

void check_input(const DaeProblem& problem, const std::vector<double>& times,
                 const SolveOptions& options, Work& work) {
  if (!problem.residual) throw InputError(fmt::format("{}: no residual", problem.name));
  if (!problem.jacobian) throw InputError(fmt::format("{}: no Jacobian", problem.name));
  check_start(problem.name, problem.t0, problem.y0);
  const Index n = problem.y0.size();
  if (problem.yp0.size() != n)
    throw InputError(
        fmt::format("{}: yp0 has {} entries, but y0 has {}", problem.name, problem.yp0.size(), n));
  if (static_cast<Index>(problem.differential.size()) != n)
    throw InputError(fmt::format("{}: `differential` has {} entries, but y0 has {}", problem.name,
                                 problem.differential.size(), n));
  check_start(problem.name + ", y'", problem.t0, problem.yp0);
  check_grid(problem.t0, times);
  check_options(options, problem.y0.size(), false);
  check_consistent(problem, options, work);
}

}  // namespace rigidlimit
