// Equations y' = f(t, y), written once as a template on the scalar, as an OdeProblem with
// derivatives by automatic differentiation.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "rigidlimit/classical/problem.hpp"
#include "rigidlimit/core/dual.hpp"

namespace rigidlimit {

/// What a file of this room writes down:
///
///   static constexpr int size                       N
///   static constexpr bool autonomous                f does not depend on t
///   template <class S> void rate(const S& t, const S* y, S* dydt) const
///
/// Plain arrays, not Eigen's vectors: those of 21 dual numbers each would take minutes to compile.
template <class E>
concept OdeEquations = requires(const E& e, const double* in, double* out) {
  { E::size } -> std::convertible_to<int>;
  { E::autonomous } -> std::convertible_to<bool>;
  e.rate(*in, in, out);
};

/// ∂f/∂y at (t, y), N × N.
template <OdeEquations E>
void differentiate(const E& equations, double t, VectorIn y, MatrixOut dfdy) {
  using D = Dual<double, E::size>;
  std::array<D, E::size> x, f;
  for (int i = 0; i < E::size; ++i) x[static_cast<std::size_t>(i)] = D::variable(y(i), i);
  equations.rate(D(t), x.data(), f.data());
  for (int i = 0; i < E::size; ++i)
    for (int k = 0; k < E::size; ++k)
      dfdy(i, k) = f[static_cast<std::size_t>(i)].derivative[static_cast<std::size_t>(k)];
}

/// ∂f/∂t at (t, y), N.
template <OdeEquations E>
void differentiate_in_time(const E& equations, double t, VectorIn y, VectorOut dfdt) {
  using D = Dual<double, 1>;
  std::array<D, E::size> x, f;
  for (int i = 0; i < E::size; ++i) x[static_cast<std::size_t>(i)] = D(y(i));
  equations.rate(D::variable(t, 0), x.data(), f.data());
  for (int i = 0; i < E::size; ++i) dfdt(i) = f[static_cast<std::size_t>(i)].derivative[0];
}

/// The problem in the real numbers T, from y0 at t0.
template <class T, OdeEquations E>
OdeProblemOf<T> ode_of(const E& equations, std::string name, double t0, const VectorX<T>& y0) {
  OdeProblemOf<T> problem;
  problem.name = std::move(name);
  problem.t0 = t0;
  problem.y0 = y0;
  problem.rhs = [equations](const T& t, VectorInOf<T> y, VectorOutOf<T> dydt) {
    equations.rate(t, y.data(), dydt.data());
  };
  problem.jacobian = [equations](double t, VectorIn y, MatrixOut dfdy) {
    differentiate(equations, t, y, dfdy);
  };
  if constexpr (!E::autonomous)
    problem.time_derivative = [equations](double t, VectorIn y, VectorOut dfdt) {
      differentiate_in_time(equations, t, y, dfdt);
    };
  return problem;
}

/// Writes the problem in both precisions, from the doubles y0: real and quad of `problem`, whose
/// other fields are set already.
template <OdeEquations E>
void set_equations(ClassicalProblem& problem, const E& equations, const std::vector<double>& y0) {
  const auto in = [&]<class T>(ClassicalIn<T>& side) {
    VectorX<T> start(E::size);
    for (int i = 0; i < E::size; ++i) start(i) = T(y0[static_cast<std::size_t>(i)]);
    side.ode = ode_of<T>(equations, problem.name, problem.t0, start);
    side.complete = [](const T&, VectorInOf<T> y) -> VectorX<T> { return y; };
  };
  in(problem.real);
  in(problem.quad);
}

/// Writes ClassicalProblem::as_printed, after set_equations: `equations` hold their coefficients in
/// 113 bits, y0 are the printed decimals too.
template <class E>
void set_as_printed(ClassicalProblem& problem, const E& equations, const std::vector<double>& y0) {
  problem.as_printed = problem.quad.ode;
  for (std::size_t i = 0; i < y0.size(); ++i)
    problem.as_printed->y0(static_cast<Index>(i)) = as_printed<Quad>(y0[i]);
  problem.as_printed->rhs = [equations](const Quad& t, VectorInOf<Quad> y, VectorOutOf<Quad> dydt) {
    equations.rate(t, y.data(), dydt.data());
  };
}

}  // namespace rigidlimit
