#include "rigidlimit/classical/ode_of.hpp"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

Tape rate_tape(Index size, Index coefficients, const OdeEquations& equations) {
  return tape_of(
      [&](V t, V y, V c) {
        ExpressionVector dydt(size);
        equations(t(0), y, c, dydt);
        return dydt;
      },
      1, size, coefficients);
}

template <class T>
VectorX<T> rounded(const std::vector<double>& numbers) {
  return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size())).cast<T>();
}

}  // namespace

RecordedOde::RecordedOde(Index size, Index coefficients, const OdeEquations& equations,
                         OdeDerivative derivative)
    : size_(size),
      coefficients_(coefficients),
      derivative_(std::move(derivative)),
      rate_(rate_tape(size, coefficients, equations)),
      quad_rate_(rate_.tape()) {}

template <>
const Evaluator<double>& RecordedOde::rate() const {
  return rate_;
}
template <>
const Evaluator<Quad>& RecordedOde::rate() const {
  return quad_rate_;
}
const PackEvaluator& RecordedOde::packs() const {
  return packs_.made([this] { return rate_.tape(); });
}
const Evaluator<double>& RecordedOde::jacobian() const {
  return jacobian_.made([this] {
    return tape_of(
        [this](V t, V y, V c) {
          return derivative_ ? derivative_(t(0), y)
                             : jacobian_of(inlined(rate_.tape(), joined(t, y, c)), y);
        },
        1, size_, coefficients_);
  });
}
const Evaluator<double>& RecordedOde::time_derivative() const {
  return time_derivative_.made([this] {
    return tape_of(
        [this](V t, V y, V c) { return jacobian_of(inlined(rate_.tape(), joined(t, y, c)), t); }, 1,
        size_, coefficients_);
  });
}
bool RecordedOde::explicit_time() const {
  const Tape& tape = time_derivative().tape();
  for (std::size_t i = 0; i < tape.outputs.size(); ++i)
    if (!tape.is_zero(i)) return true;
  return false;
}

RateTapes RecordedOde::with(const VectorXd& c) const {
  const auto in_state_and_time = [&](const Tape& tape) {
    return tape_of(
        [&](V y, V t) -> ExpressionMatrix {
          ExpressionVector constants(c.size());
          std::copy(c.begin(), c.end(), constants.begin());
          return inlined(tape, joined(t, y, constants));
        },
        size_, 1);
  };
  return {.rate = in_state_and_time(rate_.tape()),
          .jacobian = in_state_and_time(jacobian().tape())};
}

template <class T>
OdeProblemOf<T> ode_of(const std::shared_ptr<const RecordedOde>& recorded, const std::string& name,
                       double t0, const VectorX<T>& y0, const VectorX<T>& c) {
  OdeProblemOf<T> problem;
  problem.name = name;
  problem.t0 = t0;
  problem.y0 = y0;
  const auto one = [recorded, c](const T& t, VectorInOf<T> y, VectorOutOf<T> dydt) {
    recorded->rate<T>()(into(dydt), std::span(&t, 1), y, c);
  };
  problem.rhs = one;
  // For double the cast is a reference to c.
  const VectorXd rounded_c =
      c.template cast<double>();  // NOLINT(performance-unnecessary-copy-initialization)
  if constexpr (std::is_same_v<T, double>) {
    problem.rhs = {one, [recorded, c, size = static_cast<std::size_t>(y0.size())](
                            const Pack& t, const Pack* y, Pack* dydt) {
                     recorded->packs()(dydt, std::span(&t, 1), std::span(y, size), c);
                   }};
    problem.recorded = [recorded, c] { return recorded->with(c); };
  }
  problem.jacobian = [recorded, rounded_c](double t, VectorIn y, MatrixOut dfdy) {
    recorded->jacobian()(into(dfdy), std::span(&t, 1), y, rounded_c);
  };
  if (recorded->explicit_time())
    problem.time_derivative = [recorded, rounded_c](double t, VectorIn y, VectorOut dfdt) {
      recorded->time_derivative()(into(dfdt), std::span(&t, 1), y, rounded_c);
    };
  return problem;
}
template OdeProblemOf<double> ode_of(const std::shared_ptr<const RecordedOde>&, const std::string&,
                                     double, const VectorX<double>&, const VectorX<double>&);
template OdeProblemOf<Quad> ode_of(const std::shared_ptr<const RecordedOde>&, const std::string&,
                                   double, const VectorX<Quad>&, const VectorX<Quad>&);

void set_equations(ClassicalProblem& problem, const OdeEquations& equations,
                   const std::vector<double>& y0, const std::vector<double>& coefficients) {
  const auto recorded = std::make_shared<const RecordedOde>(
      static_cast<Index>(y0.size()), static_cast<Index>(coefficients.size()), equations);
  const auto in = [&]<class T>(ClassicalIn<T>& side) {
    side.ode =
        ode_of<T>(recorded, problem.name, problem.t0, rounded<T>(y0), rounded<T>(coefficients));
    side.complete = [](const T&, VectorInOf<T> y) -> VectorX<T> { return y; };
  };
  in(problem.real);
  in(problem.quad);
  if (coefficients.empty()) return;
  const auto printed_decimals = [](const std::vector<double>& numbers) {
    return VectorX<Quad>(rounded<double>(numbers).unaryExpr(&as_printed<Quad>));
  };
  problem.as_printed = ode_of<Quad>(recorded, problem.name, problem.t0, printed_decimals(y0),
                                    printed_decimals(coefficients));
}

DaeProblem implicit_form(const MassProblemOf<double>& problem) {
  DaeProblem implicit;
  implicit.name = problem.name;
  implicit.t0 = problem.t0;
  implicit.y0 = problem.y0;
  const Index size = problem.y0.size();
  VectorXd f(size);
  problem.rhs(problem.t0, problem.y0, f);
  implicit.yp0 = VectorXd::Zero(size);
  for (Index i = 0; i < size; ++i) {
    implicit.differential.push_back(problem.mass(i, i) != 0.0);
    if (implicit.differential.back()) implicit.yp0(i) = f(i) / problem.mass(i, i);
  }
  implicit.residual = [problem](double t, VectorIn y, VectorIn yp, VectorOut r) {
    problem.rhs(t, y, r);
    r = problem.mass.diagonal().cwiseProduct(yp) - r;
  };
  implicit.jacobian = [problem](double t, VectorIn y, VectorIn, double alpha, MatrixOut J) {
    problem.jacobian(t, y, J);
    J = -J;
    J.diagonal() += alpha * problem.mass.diagonal();
  };
  implicit.algebraic_variables_untested =
      *std::max_element(problem.index.begin(), problem.index.end()) == 2;
  return implicit;
}

}  // namespace rigidlimit
