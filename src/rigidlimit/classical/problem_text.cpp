#include "rigidlimit/classical/problem_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;
using Formulas = std::vector<Formula>;

constexpr std::size_t most_unknowns = 1000;
constexpr double consistent = 1e-9;  ///< residual of a constraint, relative to its terms' scale
constexpr double singular = 1e-12;   ///< reciprocal condition of the matrix of y'

/// Slots: [ parameters | y | t | named formulas ].
class ReadProblem {
 public:
  explicit ReadProblem(ProblemText of) : text(std::move(of)) {
    require_counts();
    for (const auto& parameter : text.parameters) names.define(parameter.name, on_nothing);
    for (const auto& unknown : text.unknowns) names.define(unknown.name, on_coordinates);
    names.define_time();
    names.read_lets(text.lets, on_coordinates | on_time);
    for (const auto& unknown : text.unknowns)
      start.push_back(names.read(unknown.start, on_nothing));
    for (const PlacedText& f : text.rate) rate.push_back(names.read(f, on_coordinates | on_time));
    for (const auto& row : text.mass)
      for (const PlacedText& entry : row) mass.push_back(names.read(entry, on_nothing));
    for (const PlacedText& y : text.exact) exact.push_back(names.read(y, on_time));
  }

  Index size() const { return std::ssize(text.unknowns); }

  /// f at (t, y) with these parameters.
  ExpressionVector rate_at(const std::vector<double>& constants, const Expression& t, V y) const {
    const std::size_t first = text.parameters.size();
    std::vector<Expression> slots(constants.begin(), constants.end());
    std::copy(y.begin(), y.end(), slots.begin() + static_cast<std::ptrdiff_t>(first));
    slots[first + static_cast<std::size_t>(y.size())] = t;
    names.add_lets(slots, on_coordinates | on_time, [&](const Formula& let, const auto& at) {
      return let.expression(at, constants);
    });
    ExpressionVector f(size());
    for (std::size_t i = 0; i < rate.size(); ++i)
      f(static_cast<Index>(i)) = rate[i].expression(slots, constants);
    return f;
  }

  ProblemText text;
  FormulaNames names;
  Formulas start, rate, mass, exact;

 private:
  void require_counts() const {
    const std::size_t n = text.unknowns.size();
    if (n == 0) refuse(text.whole, "has no unknowns");
    if (n > most_unknowns)
      refuse(text.whole, fmt::format("{} unknowns; the limit is {}", n, most_unknowns));
    const auto require = [&](const std::vector<PlacedText>& list, const char* key) {
      if (list.size() != n)
        refuse(list.empty() ? text.whole : list.front(),
               fmt::format("{} has {} formulas, but there are {} unknowns", key, list.size(), n));
    };
    require(text.rate, "rate");
    if (!text.exact.empty()) require(text.exact, "exact");
    if (!text.mass.empty() && text.mass.size() != n)
      refuse(text.whole,
             fmt::format("mass has {} rows, but there are {} unknowns", text.mass.size(), n));
    for (const auto& row : text.mass) require(row, "a row of mass");
    if (!(text.end > text.t0)) refuse(text.whole, "end must be after t0");
  }
};

/// M; an empty matrix: the identity.
MatrixXd mass_of(const ReadProblem& read, const std::vector<double>& constants) {
  const Index n = read.size();
  MatrixXd M(read.mass.empty() ? 0 : n, read.mass.empty() ? 0 : n);
  for (Index i = 0; i < M.rows(); ++i)
    for (Index k = 0; k < n; ++k)
      M(i, k) = read.mass[static_cast<std::size_t>(i * n + k)].value(constants);
  return M;
}

std::vector<bool> constraint_rows(const MatrixXd& M) {
  std::vector<bool> rows;
  for (Index i = 0; i < M.rows(); ++i) rows.push_back(M.row(i).isZero(0.0));
  return rows;
}

bool has_constraints(const MatrixXd& M) {
  return std::ranges::count(constraint_rows(M), true) > 0;
}

/// y' of M y' = f with the derivatives of its constraints in place of their rows.
void explicit_rate(const ReadProblem& read, const std::vector<double>& constants, const MatrixXd& M,
                   const Expression& t, V y, ExpressionVector& dydt) {
  ExpressionVector f = read.rate_at(constants, t, y);
  if (M.size() == 0) {
    dydt = f;
    return;
  }
  if (!has_constraints(M)) {
    dydt = product(inverse_of(M).cast<Expression>(), f);
    return;
  }
  const std::vector<bool> constraint = constraint_rows(M);
  ExpressionMatrix X = M.cast<Expression>();
  const ExpressionMatrix in_y = jacobian_of(f, y);
  const ExpressionMatrix in_t = jacobian_of(f, ExpressionVector::Constant(1, t));
  for (Index i = 0; i < M.rows(); ++i)
    if (constraint[static_cast<std::size_t>(i)]) {
      X.row(i) = in_y.row(i);
      f(i) = -in_t(i, 0);
    }
  dydt = solved_by_pivoting(X, f);
}

/// Refuses a start that misses a constraint, and a problem whose rows do not determine y' there.
void require_index_1(const ReadProblem& read, const MatrixXd& M, const RecordedOde& f, double t0,
                     const VectorXd& y0) {
  const Index n = read.size();
  MatrixXd X = M, in_y(n, n);
  VectorXd value(n);
  f.rate<double>()(into(value), std::span(&t0, 1), y0, VectorXd());
  f.jacobian()(into(in_y), std::span(&t0, 1), y0, VectorXd());
  const std::vector<bool> constraint = constraint_rows(M);
  for (Index i = 0; i < n; ++i) {
    if (!constraint[static_cast<std::size_t>(i)]) continue;
    X.row(i) = in_y.row(i);
    const double scale = 1.0 + in_y.row(i).cwiseAbs().dot(y0.cwiseAbs());
    if (!(std::abs(value(i)) <= consistent * scale))
      refuse(read.text.rate[static_cast<std::size_t>(i)],
             fmt::format("is a constraint, since its row of mass is 0, but the start gives {:.3g}",
                         value(i)));
  }
  const VectorXd squares = symmetric_eigenvalues(X * X.transpose());
  if (squares(0) <= singular * singular * squares(n - 1))
    refuse(read.text.whole,
           "the rows of mass and the derivatives of the constraints do not determine the rates at "
           "the start: the index is above 1, or rows of mass depend on each other. Replace a "
           "constraint by its derivative");
}

/// The problem as a DAE, for an M with rows of 0.
void set_dae(ClassicalProblem& problem, const std::shared_ptr<const RecordedOde>& f,
             const MatrixXd& M) {
  std::vector<int> index;
  for (Index k = 0; k < M.cols(); ++k) index.push_back(M.col(k).isZero(0.0) ? 1 : 0);
  const auto in = [&]<class T>(ClassicalIn<T>& side) {
    MassProblemOf<T> dae;
    static_cast<OdeProblemOf<T>&>(dae) = ode_of<T>(f, problem.name, problem.t0, side.ode.y0);
    dae.mass = M;
    dae.index = index;
    side.dae = std::move(dae);
  };
  in(problem.real);
  in(problem.quad);
  const auto constraint = constraint_rows(M);
  problem.constraints = [rate = f->rate<double>(), constraint](double t, VectorIn y) {
    VectorXd all(y.size());
    rate(into(all), std::span(&t, 1), y, VectorXd());
    VectorXd g(std::ranges::count(constraint, true));
    Index next = 0;
    for (Index i = 0; i < all.size(); ++i)
      if (constraint[static_cast<std::size_t>(i)]) g(next++) = all(i);
    return g;
  };
}

ClassicalProblem made(const std::shared_ptr<const ReadProblem>& shared,
                      const std::vector<double>& values) {
  const ReadProblem& read = *shared;
  const ProblemText& text = read.text;
  const std::vector<double> constants = read.names.constants(values);
  ClassicalProblem problem{.name = text.name, .t0 = text.t0, .end = text.end};
  problem.tolerance.rtol = text.rtol;
  std::vector<double> y0;
  for (std::size_t i = 0; i < text.unknowns.size(); ++i) {
    problem.unknowns.push_back(text.unknowns[i].name.text);
    problem.tolerance.atol.push_back(text.unknowns[i].atol > 0.0 ? text.unknowns[i].atol
                                                                 : 0.01 * text.rtol);
    y0.push_back(read.start[i].value(constants));
  }
  const MatrixXd M = mass_of(read, constants);
  const auto f = std::make_shared<const RecordedOde>(
      read.size(), 0, [&](const Expression& t, V y, V, ExpressionVector& dydt) {
        dydt = read.rate_at(constants, t, y);
      });
  if (M.size() > 0)
    require_index_1(read, M, *f, text.t0, Eigen::Map<const VectorXd>(y0.data(), read.size()));
  set_equations(
      problem,
      [&](const Expression& t, V y, V, ExpressionVector& dydt) {
        explicit_rate(read, constants, M, t, y, dydt);
      },
      y0);
  if (has_constraints(M)) set_dae(problem, f, M);
  if (!read.exact.empty())
    problem.real.exact = [shared, constants](double t) {
      std::vector<double> slots = constants;
      slots[shared->text.parameters.size() + shared->text.unknowns.size()] = t;
      shared->names.add_lets(slots, on_nothing | on_time,
                             [](const Formula& let, const auto& at) { return let.value(at); });
      VectorXd y(shared->size());
      for (Index i = 0; i < y.size(); ++i)
        y(i) = shared->exact[static_cast<std::size_t>(i)].value(slots);
      return y;
    };
  return problem;
}

/// Whether a row of M is 0 with the default parameters.
bool is_dae(const ReadProblem& read) {
  std::vector<double> values;
  for (const auto& parameter : read.text.parameters) values.push_back(parameter.info.default_value);
  return has_constraints(mass_of(read, read.names.constants(values)));
}

}  // namespace

ClassicalEntry entry_of(ProblemText text) {
  const auto read = std::make_shared<const ReadProblem>(std::move(text));
  const bool dae = is_dae(*read);
  ClassicalEntry entry{
      .name = read->text.name,
      .title = read->text.title,
      .source = read->text.source,
      .dae = dae,
      .index = dae ? 1 : 0,
      .make = [read](const std::vector<double>& values) { return made(read, values); }};
  for (const auto& parameter : read->text.parameters) entry.parameters.push_back(parameter.info);
  return with_checked_parameters(std::move(entry));
}

}  // namespace rigidlimit
