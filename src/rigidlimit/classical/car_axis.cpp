#include <cmath>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/mechanism.hpp"

namespace rigidlimit {
namespace {

/// A car's axis on two springs. The left wheel rolls on even ground; the ground under the right one
/// oscillates. q = (x_l, y_l, x_r, y_r) of the ends of the axis. Stiff through eps, which scales
/// the mass.
struct CarAxis final : Mechanism {
  explicit CarAxis(double square_root) : Mechanism(4, 2, true), eps(square_root) {}
  static constexpr double L = 1.0, L0 = 0.5, M = 10.0, omega = 10.0, gravity = 1.0;
  double eps;

  double half_mass() const { return M * eps * eps / 2.0; }

  /// Height and distance of the right wheel.
  static std::array<Expression, 2> wheel(const Expression& t) {
    // Divides by 10 instead of multiplying by 0.1: the start is consistent only if r ω = 1, in 113
    // bits too.
    const Expression y = sin(omega * t) / 10.0;
    return {sqrt(L * L - y * y), y};
  }

  void mass(const ExpressionVector&, ExpressionMatrix& out) const override {
    out.diagonal().setConstant(half_mass());
  }

  void force(const Expression& t, const ExpressionVector& q, const ExpressionVector&,
             ExpressionVector& F) const override {
    const auto [xb, yb] = wheel(t);
    F << spring(q[0], q[1]), spring(q[2] - xb, q[3] - yb);
  }

  /// The signs change +Gᵀ λ of the source to −Gᵀ λ.
  void constraint(const Expression& t, const ExpressionVector& q,
                  ExpressionVector& g) const override {
    const auto [xb, yb] = wheel(t);
    const Expression dx = q[0] - q[2], dy = q[1] - q[3];
    g[0] = -(xb * q[0] + yb * q[1]);
    g[1] = L * L - dx * dx - dy * dy;
  }

 private:
  Vector<Expression, 2> spring(const Expression& x, const Expression& y) const {
    const Expression length = sqrt(x * x + y * y);
    return {(L0 - length) * x / length, (L0 - length) * y / length - half_mass() * gravity};
  }
};

ClassicalEntry car_axis_entry(const char* name, const char* title, ConstraintLevel level) {
  return {
      .name = name,
      .title = title,
      .source =
          "Schneider (1991); Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), caraxis",
      .dae = true,
      .index = 3 - static_cast<int>(level),
      .parameters = {{"eps", 1e-2, "square root of the mass that the springs carry", positive}},
      .make = [name, level](const std::vector<double>& values) {
        ClassicalProblem problem{
            .name = name,
            .unknowns = {"xl", "yl", "xr", "yr", "xl'", "yl'", "xr'", "yr'", "lambda1", "lambda2"},
            .end = 3.0,
            .tolerance = {.rtol = 1e-6, .atol = std::vector<double>(10, 1e-6)}};
        set_mechanism(problem, std::make_shared<CarAxis>(values[0]), level,
                      printed({"0", "0.5", "1", "0.5", "-0.5", "0", "-0.5", "0"}));
        problem.published = {
            {.source = "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), caraxis: GAMD in "
                       "quadruple precision",
             .values = printed({"0.493455784275402809122e-1", "0.496989460230171153861e0",
                                "0.104174252488542151681e1", "0.373911027265361256927e0",
                                "-0.770583684040972357970e-1", "0.744686658723778553466e-2",
                                "0.175568157537232222276e-1", "0.770341043779251976443e0",
                                "-0.473688659084893324729e-2", "-0.110468033125734368808e-2"}),
             .confirmed = {12, 12, 14, 13, 11, 9, 10, 12, 12, 11}},
            {.source = "Test Set for IVP Solvers, caraxis.F, revision 1.2 (2006)",
             .values =
                 printed({"0.4934557842755629e-1", "0.4969894602303324e0", "0.1041742524885400e1",
                          "0.3739110272652214e0", "-0.7705836840321485e-1", "0.7446866596327776e-2",
                          "0.1755681574942899e-1", "0.7703410437794031e0", "-0.4736886750784630e-2",
                          "-0.1104680411345730e-2"}),
             .confirmed = {12, 12, 13, 12, 11, 9, 9, 12, 7, 7}}};
        return problem;
      }};
}

}  // namespace

ClassicalEntry car_axis() {
  return car_axis_entry("car_axis", "Car axis on a bumpy road, index 3", ConstraintLevel::position);
}
ClassicalEntry car_axis_index_2() {
  return car_axis_entry("car_axis_index_2", "Car axis on a bumpy road, constraints on velocities",
                        ConstraintLevel::velocity);
}

}  // namespace rigidlimit
