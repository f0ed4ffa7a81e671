#include <cmath>
#include <limits>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/mechanism.hpp"

namespace rigidlimit {
namespace {

/// A unit mass on a weightless rod of length 1: q = (x, y), y upwards; λ is the pull of the rod.
struct Pendulum final : Mechanism {
  explicit Pendulum(double g) : Mechanism(2, 1, true), gravity(g) {}
  double gravity;

  void mass(const ExpressionVector&, ExpressionMatrix& M) const override {
    M(0, 0) = M(1, 1) = 1.0;
  }
  void force(const Expression&, const ExpressionVector&, const ExpressionVector&,
             ExpressionVector& F) const override {
    F[0] = 0.0;
    F[1] = -gravity;
  }
  void constraint(const Expression&, const ExpressionVector& q,
                  ExpressionVector& g) const override {
    g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
  }
};

template <class T>
struct JacobiFunctions {
  T sn, cn, dn;
};

/// Jacobi's elliptic functions at K − u, K their quarter period, for the modulus k = √½. By the
/// arithmetic-geometric mean: Abramowitz & Stegun 16.4, 17.6.
template <class T>
JacobiFunctions<T> jacobi_from_quarter_period(const T& u) {
  using std::asin, std::cos, std::ldexp, std::sin, std::sqrt;
  T a[12] = {T(1)}, c[12] = {sqrt(T(0.5))};
  T b = c[0];  // the complementary modulus is k too
  int last = 0;
  // Quadratic convergence: c falls below the square root of the round-off before its square does.
  while (c[last] * c[last] > std::numeric_limits<T>::epsilon() && last < 11) {
    const T mean = (a[last] + b) / 2;
    c[last + 1] = (a[last] - b) / 2;
    b = sqrt(T(a[last] * b));
    a[++last] = mean;
  }
  const T K = acos(T(-1)) / (2 * a[last]);
  T phi = ldexp(T(a[last] * (K - u)), last);
  for (int i = last; i > 0; --i) phi = (phi + asin(T(c[i] * sin(phi) / a[i]))) / 2;
  const T sn = sin(phi);
  return {sn, cos(phi), sqrt(T(1 - sn * sn / 2))};
}

/// (x, y, x', y') after the time t from rest at (1, 0): with θ the angle from below, sin(θ/2) =
/// k sn(K − ω t), θ' = −2 k ω cn(K − ω t), k = sin(π/4).
template <class T>
Vector<T, 4> swing(double gravity, const T& t) {
  using std::sqrt;
  const T omega = sqrt(T(gravity)), k = sqrt(T(0.5));
  const auto [sn, cn, dn] = jacobi_from_quarter_period(T(omega * t));
  const T s = k * sn, x = 2 * s * dn, y = 2 * s * s - 1, rate = -2 * k * omega * cn;
  return {x, y, T(-rate * y), T(rate * x)};
}

constexpr const char* pendulum_source =
    "Hairer & Wanner, Solving ODEs II, VII.1; closed form: Whittaker, Analytical Dynamics, section "
    "44";

const std::vector<ClassicalParameter>& parameters() {
  static const std::vector<ClassicalParameter> all = {
      {"gravity", 1.0, "acceleration, m/s^2, of a rod of 1 m", positive}};
  return all;
}

ClassicalProblem pendulum(const char* name, double gravity, ConstraintLevel level) {
  ClassicalProblem problem{.name = name,
                           .unknowns = {"x", "y", "x'", "y'", "lambda"},
                           .end = 10.0,
                           .tolerance = {.rtol = 1e-6, .atol = std::vector<double>(5, 1e-6)}};
  set_mechanism(problem, std::make_shared<Pendulum>(gravity), level, printed({"1", "0", "0", "0"}));
  const auto closed_form = [gravity]<class T>(ClassicalIn<T>& side) {
    // λ = v² − g y, and v² = −2 g y.
    side.exact = [gravity](const T& t) -> VectorX<T> {
      const Vector<T, 4> y = swing(gravity, t);
      VectorX<T> all(5);
      all << y, T(-3 * gravity * y(1));
      return all;
    };
  };
  closed_form(problem.real);
  closed_form(problem.quad);
  return problem;
}

ClassicalEntry entry_of_index(const char* name, const char* title, ConstraintLevel level) {
  return {.name = name,
          .title = title,
          .source = pendulum_source,
          .dae = true,
          .index = 3 - static_cast<int>(level),
          .parameters = parameters(),
          .make = [name, level](const std::vector<double>& values) {
            return pendulum(name, values[0], level);
          }};
}

}  // namespace

ClassicalEntry pendulum_index_3() {
  return entry_of_index("pendulum_index_3", "Pendulum, constraint on the length",
                        ConstraintLevel::position);
}
ClassicalEntry pendulum_index_2() {
  return entry_of_index("pendulum_index_2", "Pendulum, constraint on the velocity along the rod",
                        ConstraintLevel::velocity);
}
ClassicalEntry pendulum_index_1() {
  return entry_of_index("pendulum_index_1",
                        "Pendulum, constraint on the acceleration along the rod",
                        ConstraintLevel::acceleration);
}

ClassicalEntry pendulum_ode() {
  return {.name = "pendulum_ode",
          .title = "Pendulum as an ODE, with the rod force eliminated",
          .source = pendulum_source,
          .parameters = parameters(),
          .make = [](const std::vector<double>& values) {
            ClassicalProblem problem =
                pendulum("pendulum_ode", values[0], ConstraintLevel::acceleration);
            problem.unknowns.pop_back();
            problem.tolerance.atol.pop_back();
            problem.implicit.reset();
            problem.constraints = {};
            const auto as_ode = [gravity = values[0]]<class T>(ClassicalIn<T>& side) {
              side.dae.reset();
              side.complete = [](const T&, VectorInOf<T> y) -> VectorX<T> { return y; };
              side.exact = [gravity](const T& t) -> VectorX<T> { return swing(gravity, t); };
            };
            as_ode(problem.real);
            as_ode(problem.quad);
            return problem;
          }};
}

}  // namespace rigidlimit
