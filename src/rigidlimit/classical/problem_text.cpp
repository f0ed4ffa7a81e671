#include "rigidlimit/classical/problem_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/core/tape/time_conditions.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;
using FormulaList = std::vector<Formula>;

constexpr std::size_t most_unknowns = 1000;
constexpr double consistent = 1e-9;  ///< residual of a constraint, relative to its terms' scale
constexpr double singular = 1e-12;   ///< reciprocal condition of the matrix of y'
constexpr std::size_t most_pieces = 1000;
constexpr double latest_end = 1e20;

/// In place of a published value.
constexpr const char* not_given = "-";

std::string label_of(const ProblemText::Unknown& unknown) {
  return unknown.label.empty() ? unknown.name.text : unknown.label;
}

/// Slots: [ parameters | coefficients | y | t | named formulas ].
class ReadProblem {
 public:
  explicit ReadProblem(ProblemText of) : text(std::move(of)) {
    require_counts();
    for (const auto& parameter : text.parameters) names.define(parameter.name, on_nothing);
    for (const auto& one : text.coefficients) names.define(one.name, on_nothing);
    for (const auto& unknown : text.unknowns) names.define(unknown.name, on_coordinates);
    names.define_time();
    names.read_lets(text.lets, on_coordinates | on_time);
    for (const auto& unknown : text.unknowns)
      start.push_back(unknown.start.text.empty() ? Formula()
                                                 : names.read(unknown.start, on_nothing));
    end = names.read(text.end, on_nothing);
    for (const PlacedText& f : text.rate) rate.push_back(names.read(f, on_coordinates | on_time));
    for (const auto& row : text.mass)
      for (const PlacedText& entry : row) mass.push_back(names.read(entry, on_nothing));
    for (const PlacedText& y : text.exact) exact.push_back(names.read(y, on_time));
    if (!text.coefficients.empty() && (!text.mass.empty() || !names.switches().empty()))
      refuse(text.coefficients.front().name,
             "a problem with mass or a comparison has no coefficients; make it a named formula in "
             "[problem.let]");
  }

  Index size() const { return std::ssize(text.unknowns); }

  /// Number of parameters and coefficients.
  std::size_t given() const { return text.parameters.size() + text.coefficients.size(); }
  /// The values that depend only on these parameters, and the coefficients.
  std::vector<double> constants(std::vector<double> parameters) const {
    for (const auto& one : text.coefficients) parameters.push_back(one.value);
    return names.constants(parameters);
  }

  /// f at (t, y) with these constants. `c`: the parameters and coefficients, or empty.
  ExpressionVector rate_at(const std::vector<double>& constants, const Expression& t, V y,
                           V c) const {
    const std::size_t first = given();
    std::vector<Expression> slots(constants.begin(), constants.end());
    std::copy(c.begin(), c.end(), slots.begin());
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

  /// The closed form at t; `slots` are the constants, `value` evaluates a formula.
  template <class R, class Value>
  VectorX<R> exact_at(std::vector<R> slots, const R& t, const Value& value) const {
    slots[given() + text.unknowns.size()] = t;
    names.add_lets(slots, on_nothing | on_time, value);
    VectorX<R> y(size());
    for (Index i = 0; i < y.size(); ++i) y(i) = value(exact[static_cast<std::size_t>(i)], slots);
    return y;
  }

  ProblemText text;
  FormulaNames names;
  Formula end;
  FormulaList start, rate, mass, exact;

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
    std::set<std::string> labels;
    for (const auto& unknown : text.unknowns) {
      if (unknown.start.text.empty() && text.exact.empty())
        refuse(unknown.name, "start: missing; give it, or the closed form `exact` of the problem");
      if (!labels.insert(label_of(unknown)).second)
        refuse(unknown.name, fmt::format("two unknowns have the label '{}'", label_of(unknown)));
    }
    for (const auto& published : text.published) require_published(published);
  }

  void require_published(const ProblemText::Published& published) const {
    const std::size_t n = text.unknowns.size();
    if (published.values.size() != n)
      refuse(published.whole, fmt::format("values: {} numbers, but there are {} unknowns",
                                          published.values.size(), n));
    if (!published.confirmed.empty() && published.confirmed.size() != n)
      refuse(published.whole, fmt::format("confirmed: {} numbers, but there are {} unknowns",
                                          published.confirmed.size(), n));
    for (const PlacedText& value : published.values) try {
        if (value.text != not_given) PrintedNumber{value.text}.value();
      } catch (const InputError& error) {
        refuse(value, error.what());
      }
  }
};

std::vector<PublishedSolution> published_in(const ProblemText& text) {
  std::vector<PublishedSolution> all;
  for (const auto& published : text.published) {
    PublishedSolution& one = all.emplace_back();
    one.source = published.source;
    for (const PlacedText& value : published.values)
      one.values.push_back({value.text == not_given ? "" : value.text});
    one.confirmed.assign(published.confirmed.begin(), published.confirmed.end());
    one.confirmed.resize(text.unknowns.size(), 0);
  }
  return all;
}

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

/// y' of M y' = f with the derivatives of its constraints in place of their rows. `rate`: f as a
/// tape of (t, y).
void explicit_rate(const Tape& rate, const MatrixXd& M, const Expression& t, V y,
                   ExpressionVector& dydt) {
  ExpressionVector f = inlined(rate, joined(ExpressionVector::Constant(1, t), y));
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

/// Replaces ClassicalIn::begin for constraints that may jump at t0. Newton's iteration for y:
/// M (y − before) = 0 in the rows of M, f_i(t0, y) = 0 in the others.
void set_begin(ClassicalProblem& problem, const std::shared_ptr<const ReadProblem>& read,
               const std::shared_ptr<const RecordedOde>& f, const MatrixXd& M) {
  const auto in = [&]<class T>(ClassicalIn<T>& side) {
    side.begin = [read, f, M, t0 = problem.t0](VectorInOf<T> before) -> VectorX<T> {
      constexpr int most_steps = 50;
      const std::vector<bool> constraint = constraint_rows(M);
      VectorX<T> y = before, value(before.size());
      MatrixXd in_y(M.rows(), M.cols());
      double last = std::numeric_limits<double>::infinity();
      for (int step = 0; step < most_steps; ++step) {
        const T t(t0);
        const VectorXd rounded = y.template cast<double>();
        f->rate<T>()(into(value), std::span(&t, 1), y, VectorX<T>());
        f->jacobian()(into(in_y), std::span(&t0, 1), rounded, VectorXd());
        MatrixXd X = M;
        VectorX<T> residual = M.template cast<T>() * (y - before);
        for (Index i = 0; i < M.rows(); ++i)
          if (constraint[static_cast<std::size_t>(i)]) {
            X.row(i) = in_y.row(i);
            residual(i) = value(i);
          }
        const VectorXd change =
            LuFactors<double>(X).solve(VectorXd(residual.template cast<double>()));
        const double size = change.norm();
        // At the rounding of T the changes stop to shrink.
        if (size <=
                64.0 * static_cast<double>(std::numeric_limits<T>::epsilon()) * rounded.norm() ||
            (size >= last && size <= consistent * (1.0 + rounded.norm())))
          return y;
        y -= change.template cast<T>();
        last = size;
      }
      refuse(read->text.whole,
             fmt::format("at the switch t = {:.6g} no state was found that satisfies the "
                         "constraints (rows of mass that are 0) after the switch",
                         t0));
    };
  };
  in(problem.real);
  in(problem.quad);
}

/// A problem with the values of its parameters.
class PosedText {
 public:
  PosedText(std::shared_ptr<const ReadProblem> read, const std::vector<double>& values)
      : read_(std::move(read)),
        constants_(read_->constants(values)),
        coefficients_(read_->text.coefficients.empty()
                          ? std::vector<double>()
                          : std::vector<double>(
                                constants_.begin(),
                                constants_.begin() + static_cast<std::ptrdiff_t>(read_->given()))),
        M_(mass_of(*read_, constants_)),
        rate_(tape_of([this](V t, V y, V c) { return read_->rate_at(constants_, t(0), y, c); }, 1,
                      read_->size(), std::ssize(coefficients_))),
        end_(read_->end.value(constants_)) {
    const ProblemText& text = read_->text;
    if (!(end_ > text.t0)) refuse(text.end, "must be after t0");
    if (!(end_ <= latest_end)) refuse(text.end, fmt::format("must be <= {:g}", latest_end));
    const VectorXd exact = text.exact.empty() ? VectorXd() : exact_at(text.t0);
    for (std::size_t i = 0; i < text.unknowns.size(); ++i)
      y0_.push_back(starts_exactly(i) ? exact(static_cast<Index>(i))
                                      : read_->start[i].value(constants_));
  }

  ClassicalProblem problem() const {
    const ProblemText& text = read_->text;
    if (M_.size() > 0)  // a comparison that changes at t0 is as after it
      require_index_1(*read_, M_, *recorded(rate_between(text.t0, borders(end_)[1])), text.t0,
                      Eigen::Map<const VectorXd>(y0_.data(), read_->size()));
    ClassicalProblem problem = with(rate_, recorded(rate_), text.t0, end_);
    if (!read_->exact.empty()) set_exact(problem);
    if (problem.as_printed) set_printed_time(problem);
    problem.published = published_in(text);
    if (has_time_conditions(rate_, time))
      problem.pieces = [posed = *this](double end) { return posed.pieces(end); };
    return problem;
  }

 private:
  static constexpr std::uint32_t time = 0;  ///< argument of rate_

  std::shared_ptr<const RecordedOde> recorded(const Tape& rate) const {
    return std::make_shared<const RecordedOde>(
        read_->size(), 0, [&](const Expression& t, V y, V, ExpressionVector& f) {
          f = inlined(rate, joined(ExpressionVector::Constant(1, t), y));
        });
  }

  /// M y' = f from y0 at t0; f as a tape, and recorded.
  ClassicalProblem with(const Tape& rate, const std::shared_ptr<const RecordedOde>& f, double t0,
                        double end) const {
    const ProblemText& text = read_->text;
    ClassicalProblem problem{.name = text.name, .t0 = t0, .end = end};
    problem.tolerance.rtol = text.rtol;
    for (const ProblemText::Unknown& unknown : text.unknowns) {
      problem.unknowns.push_back(label_of(unknown));
      problem.tolerance.atol.push_back(unknown.atol > 0.0 ? unknown.atol : 0.01 * text.rtol);
    }
    set_equations(
        problem,
        [&](const Expression& t, V y, V c, ExpressionVector& dydt) {
          if (c.size() == 0)
            explicit_rate(rate, M_, t, y, dydt);
          else
            dydt = inlined(rate, joined(ExpressionVector::Constant(1, t), y, c));
        },
        y0_, coefficients_);
    if (has_constraints(M_)) set_dae(problem, f, M_);
    return problem;
  }

  /// The borders of the pieces: t0, the instants, and `end`.
  std::vector<double> borders(double end) const {
    std::vector<double> all{read_->text.t0};
    if (has_time_conditions(rate_, time))
      std::ranges::copy(time_condition_changes(rate_, time, all.front(), end),
                        std::back_inserter(all));
    all.push_back(end);
    return all;
  }
  /// f between two borders.
  Tape rate_between(double from, double to) const {
    return with_time_conditions_at(rate_, time, from + 0.5 * (to - from));
  }

  std::vector<ClassicalProblem> pieces(double end) const {
    const std::vector<double> at = borders(end);
    const std::size_t switches = at.size() - 2;
    if (switches > most_pieces)
      refuse(read_->text.whole, fmt::format("switches {} times from t = {} to {}; the limit is {}",
                                            switches, at.front(), end, most_pieces));
    std::vector<ClassicalProblem> all;
    for (std::size_t k = 0; switches > 0 && k <= switches; ++k) {
      const Tape rate = rate_between(at[k], at[k + 1]);
      const auto f = recorded(rate);
      all.push_back(with(rate, f, at[k], at[k + 1]));
      if (k > 0 && has_constraints(M_)) set_begin(all.back(), read_, f, M_);
    }
    return all;
  }

  void set_exact(ClassicalProblem& problem) const {
    problem.real.exact = [posed = *this](double t) { return posed.exact_at(t); };
    problem.quad.exact = [evaluator = std::make_shared<const Evaluator<Quad>>(exact_tape()),
                          size = read_->size()](const Quad& t) {
      VectorX<Quad> y(size);
      (*evaluator)(into(y), std::span(&t, 1));
      return y;
    };
    const VectorX<Quad> start = problem.quad.exact(Quad(problem.t0));
    for (std::size_t i = 0; i < y0_.size(); ++i) {
      if (!starts_exactly(i)) continue;
      const auto k = static_cast<Index>(i);
      problem.quad.ode.y0(k) = start(k);
      if (problem.quad.dae) problem.quad.dae->y0(k) = start(k);
      if (problem.as_printed) problem.as_printed->y0(k) = start(k);
    }
  }

  bool starts_exactly(std::size_t i) const { return read_->text.unknowns[i].start.text.empty(); }

  VectorXd exact_at(double t) const {
    return read_->exact_at(constants_, t,
                           [](const Formula& f, const auto& at) { return f.value(at); });
  }
  /// The closed form as a tape of t.
  Tape exact_tape() const {
    return tape_of(
        [this](V t) {
          return read_->exact_at(
              std::vector<Expression>(constants_.begin(), constants_.end()), t(0),
              [this](const Formula& f, const auto& at) { return f.expression(at, constants_); });
        },
        1);
  }

  /// A printed end is not a double either, and the solution changes there. as_printed takes time in
  /// a unit in which both ends of the interval are those doubles.
  void set_printed_time(ClassicalProblem& problem) const {
    const Quad t0(problem.t0), printed_t0 = as_printed<Quad>(problem.t0);
    const Quad unit = (as_printed<Quad>(problem.end) - printed_t0) / (Quad(problem.end) - t0);
    if (unit == 1 && printed_t0 == t0) return;
    problem.as_printed->rhs = [rate = problem.as_printed->rhs, t0, printed_t0, unit](
                                  const Quad& t, VectorInOf<Quad> y, VectorOutOf<Quad> dydt) {
      rate(Quad(printed_t0 + (t - t0) * unit), y, dydt);
      dydt *= unit;
    };
  }

  std::shared_ptr<const ReadProblem> read_;
  std::vector<double> constants_;
  std::vector<double> coefficients_;  ///< c: parameters and coefficients; empty without the latter
  MatrixXd M_;
  Tape rate_;  ///< f of (t, y, c)
  double end_;
  std::vector<double> y0_;
};

/// Whether a row of M is 0 with the default parameters.
bool is_dae(const ReadProblem& read) {
  std::vector<double> values;
  for (const auto& parameter : read.text.parameters) values.push_back(parameter.info.default_value);
  return has_constraints(mass_of(read, read.constants(std::move(values))));
}

}  // namespace

ClassicalEntry entry_of(ProblemText text) {
  const auto read = std::make_shared<const ReadProblem>(std::move(text));
  const bool dae = is_dae(*read);
  ClassicalEntry entry{.name = read->text.name,
                       .title = read->text.title,
                       .source = read->text.source,
                       .dae = dae,
                       .index = dae ? 1 : 0,
                       .make = [read](const std::vector<double>& values) {
                         return PosedText(read, values).problem();
                       }};
  for (const FormulaSwitch& one : read->names.switches())
    if ((one.depends & on_coordinates) != 0) entry.switches_of_unknowns.push_back(one);
  for (const auto& parameter : read->text.parameters) entry.parameters.push_back(parameter.info);
  return with_checked_parameters(std::move(entry));
}

}  // namespace rigidlimit
