#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
namespace {

using V = const ExpressionVector&;

constexpr Index moving = 11;    ///< unknowns with a rate: (x, y, z, θ, φ), their rates, and β'
constexpr Index following = 6;  ///< the others: ψ and ξ of both contacts, and two multipliers
constexpr Index all_unknowns = moving + following;

/// Two conical wheels on an axle, pulled along a straight track at a given speed. Each wheel
/// touches a rail of circular profile in one point, and creeps there: its contact force has a
/// tangential part, by Kalker's linear theory for small creepage and limited by Coulomb's law.
///
/// x (lateral), y (up), z (along the track) are the displacement of the axle's centre (m) in a
/// frame that moves with the nominal speed, θ and φ its yaw and roll (rad). β' is the deviation of
/// its spin (rad/s). A contact point is at ξ (m) along the axle and at the angle ψ (rad) around it.
/// λ is in units of 10 kN. λ₁ belongs to the right contact and λ₂ to the left one, as in the
/// source.
struct Wheelset {
  double friction, speed;

  static constexpr double mass = 16.08, gravity = 9.81, spin_inertia = 0.0605, inertia = 0.366,
                          radius = 0.1, spring = 6400.0, spring_arm = 0.19, cone = 0.0262,
                          half_gauge = 0.1506, rail_radius = 0.06, multiplier_unit = 1e4;
  /// Of the contact ellipse: shear modulus, Poisson's ratio, integrals, and Kalker's coefficients.
  static constexpr double shear = 7.92e10, poisson = 0.28, E = 1.3537956, g = 0.7115218,
                          C11 = 4.72772197, C22 = 4.27526987, C23 = 1.97203505;
  static constexpr double pi = 3.1415926;  ///< as in the source

  double nominal_spin() const { return speed / radius; }
};

/// One contact of the wheelset at its 17 unknowns.
struct Contact {
  Contact(const Wheelset& wheelset, V y, Index at, double side_)
      : set(wheelset), psi(y[at]), xi(y[at + 1]), side(side_) {
    const Expression sp = sin(y[4]), cp = cos(y[4]), st = sin(y[3]), ct = cos(y[3]);
    const Expression ss = sin(psi), cs = cos(psi);
    // The source writes |ξ| and derails beyond its profiles; here a wheel stays on its side, and
    // the square root below ends with the profile of the rail.
    slope = -side * tan(Expression(Wheelset::cone));
    R = Wheelset::radius + slope * (xi - side * Wheelset::half_gauge);
    out = xi * cp + R * sp * cs;
    up = xi * sp - R * cp * cs;
    back = R * ss;
    const Expression beside = side * (y[0] + ct * out - st * back) - Wheelset::half_gauge -
                              Wheelset::rail_radius * sin(Expression(Wheelset::cone));
    rail_slope =
        -side * beside / sqrt(Wheelset::rail_radius * Wheelset::rail_radius - beside * beside);
    angle = atan(((slope * cp - sp * cs) * ct + ss * st) / (slope * sp + cs * cp));
    // Parallel normals: the rail's tangent plane contains both tangents of the wheel.
    parallel = {rail_slope * (slope * sp + cp * cs) + slope * ct * cp - ct * sp * cs + st * ss,
                slope * st * cp - st * sp * cs - ct * ss};
    row << rail_slope, -1.0, 0.0, -rail_slope * (st * out + ct * back), -out - rail_slope * ct * up;
  }

  /// Creep force and its moments about the axes of θ, φ and β for the normal force N.
  void creep(V y, const Expression& N) {
    const Expression sp = sin(y[4]), cp = cos(y[4]), st = sin(y[3]), ct = cos(y[3]);
    const Expression ss = sin(psi), cs = cos(psi), sa = sin(angle), ca = cos(angle);
    // The source turns the axes of creep by this angle, not by θ.
    const Expression turned = y[3] / ca, sT = sin(turned), cT = cos(turned);
    const Expression spin = set.nominal_spin() + y[10];
    // Velocity of the wheel at the contact, and the mean velocity of wheel and point of contact.
    const Expression turning1 = -spin * R * (sT * cs + cT * sp * ss) -
                                y[8] * (sT * out + cT * back) - y[9] * cT * up,
                     turning2 = spin * R * cp * ss + y[9] * out,
                     turning3 = -spin * R * (cT * cs - sT * sp * ss) -
                                y[8] * (cT * out - sT * back) + y[9] * sT * up;
    const Expression along = set.speed + y[7];
    const Expression w1 = turning1 + y[5], w2 = turning2 + y[6], w3 = turning3 + along;
    const Expression r1 = turning1 - y[5], r2 = turning2 - y[6], r3 = turning3 - along;
    const Expression rolling = 0.5 * sqrt(r1 * r1 + r2 * r2 + r3 * r3);
    const Expression creepage1 = (sT * w1 + cT * w3) / rolling,
                     creepage2 = (cT * ca * w1 - sa * w2 - sT * ca * w3) / rolling,
                     spinning = (sa * spin + ca * y[8]) / rolling;
    // Mean curvatures of wheel and rail, and the size of the contact ellipse (m).
    const Expression curvature =
        0.5 / (R * sqrt(1.0 + slope * slope)) + 0.5 / Wheelset::rail_radius;
    const Expression size =
        pow(3.0 * abs(N) * (1.0 - Wheelset::poisson) * Wheelset::E /
                (2.0 * Wheelset::pi * curvature * Wheelset::shear * std::sqrt(Wheelset::g)),
            1.0 / 3.0);
    const Expression limit = set.friction * N, stiffness = Wheelset::shear * size * size / limit;
    const Expression linear1 = stiffness * Wheelset::C11 * creepage1,
                     linear2 =
                         stiffness * (Wheelset::C22 * creepage2 + Wheelset::C23 * size * spinning);
    const Expression share1 = tanh(linear1), share2 = tanh(linear2);
    const Expression square = share1 * share1 + share2 * share2;
    beyond = square - 1.0;
    const Expression scale = limit / sqrt(select(square > 1.0, square, 1.0));
    const Expression T1 = -scale * share1, T2 = -scale * share2;
    force = {sT * T1 + cT * ca * T2, -sa * T2, cT * T1 - sT * ca * T2};
    moment = {-(xi * st + back * ct * cp) * force[0] - back * sp * force[1] +
                  (back * st * cp - xi * ct) * force[2],
              out * force[1] - up * (ct * force[0] - st * force[2]),
              -R * (cs * st + ss * ct * sp) * force[0] + back * cp * force[1] -
                  R * (cs * ct - ss * st * sp) * force[2]};
  }

  const Wheelset& set;
  Expression psi, xi;
  double side;                         ///< sign of ξ
  Expression R, slope;                 ///< radius of the wheel here (m), and its derivative in ξ
  Expression out, up, back;            ///< the contact point from the centre, without yaw (m)
  Expression rail_slope, angle;        ///< slope of the rail and angle of the wheel here
  std::array<Expression, 2> parallel;  ///< 0 if wheel and rail have one tangent plane
  Vector<Expression, 5> row;           ///< row · v = 0: the contact stays closed
  std::array<Expression, 3> force, moment;
  Expression beyond;  ///< > 0 where Coulomb's limit cuts the creep force: f has a kink at 0
};

/// All equations at the 17 unknowns.
struct WheelsetEquations {
  WheelsetEquations(const Wheelset& set, V y)
      : left(set, y, 11, -1.0), right(set, y, 13, 1.0), f(moving) {
    // The pushes of both contacts, resolved along the normals of the wheels.
    const Vector<Expression, 5> push =
        Wheelset::multiplier_unit * (y[15] * right.row + y[16] * left.row);
    const auto normal_force = [&](const Contact& at, const Contact& other) -> Expression {
      return (push[0] * cos(other.angle) - push[1] * sin(other.angle)) /
             sin(at.angle - other.angle);
    };
    left.creep(y, normal_force(left, right));
    right.creep(y, normal_force(right, left));
    std::array<Expression, 3> F, M;
    for (std::size_t k = 0; k < 3; ++k) {
      F[k] = left.force[k] + right.force[k];
      M[k] = left.moment[k] + right.moment[k];
    }
    const Expression sp = sin(y[4]), cp = cos(y[4]), spin = set.nominal_spin() + y[10];
    const Expression springs =
        -2.0 * Wheelset::spring_arm * Wheelset::spring_arm * Wheelset::spring * y[3];
    constexpr double I1 = Wheelset::spin_inertia, I2 = Wheelset::inertia, m = Wheelset::mass;
    f.head(5) = y.segment(5, 5);
    f[5] = (F[0] + push[0] - 2.0 * Wheelset::spring * y[0]) / m;
    f[6] = (F[1] + push[1]) / m - Wheelset::gravity;
    f[7] = (F[2] + push[2] - 2.0 * Wheelset::spring * y[2]) / m;
    f[8] = ((2.0 * I2 - I1) * y[8] * y[9] * sp - I1 * spin * y[9] + M[0] + cp * springs + push[3]) /
           (I2 * cp);
    f[9] = (I1 * spin * y[8] * cp + (I1 - I2) * y[8] * y[8] * sp * cp + M[1] + push[4]) / I2;
    f[10] = (M[2] + sp * springs) / I1 - y[8] * y[9] * cp - sp * f[8];
  }

  /// Parallel normals of both contacts, left then right.
  ExpressionVector parallel() const {
    ExpressionVector g(4);
    g << left.parallel[0], left.parallel[1], right.parallel[0], right.parallel[1];
    return g;
  }
  /// The contacts stay closed, right then left, as the multipliers.
  ExpressionVector closed(V y) const {
    ExpressionVector g(2);
    g << right.row.dot(y.segment(5, 5)), left.row.dot(y.segment(5, 5));
    return g;
  }
  /// Its time derivative, with the rates of ψ and ξ that keep the normals parallel.
  ExpressionVector closing(V y) const {
    const ExpressionVector p = y.head(5), v = y.segment(5, 5), q = y.segment(11, 4);
    const ExpressionVector g = parallel();
    // ∂g/∂q of each contact is [a b; c 0]: ψ from the second equation.
    const std::array<Index, 4> order{1, 0, 3, 2};
    const ExpressionVector rate =
        eliminated(jacobian_of(g, q), -tangents_of(g, p, v), order).x.col(0);
    return tangents_of(closed(y), joined(p, v, q), joined(v, f.segment(5, 5), rate));
  }

  Contact left, right;
  ExpressionVector f;  ///< rates of the first unknowns (11)
};

/// f and what must vanish: all equations of index 2.
ExpressionVector wheelset_rate(const Wheelset& set, V y) {
  const WheelsetEquations at(set, y);
  return joined(at.f, at.parallel(), at.closed(y));
}

/// f, and what vanishes at the unknowns that follow from the others: index 1.
ExpressionVector index_1_rate(const Wheelset& set, V y) {
  const WheelsetEquations at(set, y);
  return joined(at.f, at.parallel(), at.closing(y));
}

/// The unknowns that follow from (x, …, β'), by Newton's method from one fixed guess.
class Following {
 public:
  Following(const Wheelset& set, VectorXd guess)
      : guess_(std::move(guess)),
        rate_(tape_of([&](V y) { return index_1_rate(set, y); }, all_unknowns)),
        quad_rate_(rate_.tape()),
        newton_(tape_of(
            [&](V y) {
              const ExpressionVector r = inlined(rate_.tape(), y);
              return ExpressionMatrix(
                  jacobian_of(ExpressionVector(r.tail(following)), y.tail(following)));
            },
            all_unknowns)),
        kinks_(tape_of(
            [&](V y) {
              const WheelsetEquations at(set, y);
              ExpressionVector k(2);
              k << at.left.beyond, at.right.beyond;
              return k;
            },
            all_unknowns)) {}

  /// All unknowns, and the 17 values of index_1_rate there. NaN if Newton's method fails.
  template <class T>
  VectorX<T> all(VectorInOf<T> y, VectorX<T>& rate) const {
    VectorXd rounded(all_unknowns), r(all_unknowns);
    rounded << VectorX<T>(y).template cast<double>(), guess_;
    LuFactors<double> lu;
    MatrixXd J(following, following);
    double before = std::numeric_limits<double>::infinity();
    // The unknowns are of the order 1e-4 to 0.1. Quadratic convergence to the rounding.
    for (int i = 0;; ++i) {
      rate_(into(r), rounded);
      newton_(into(J), rounded);
      lu.compute(J);
      const VectorXd step = lu.solve(VectorXd(r.tail(following)));
      const double size = step.cwiseAbs().maxCoeff();
      if (!(size < 1.0) || i == 50) {
        rate = VectorX<T>::Constant(all_unknowns, std::numeric_limits<T>::quiet_NaN());
        return rate;
      }
      if (size < 1e-9 && size >= 0.1 * before) break;
      rounded.tail(following) -= step;
      before = size;
      if (size == 0.0) break;
    }
    VectorX<T> complete(all_unknowns);
    complete << VectorX<T>(y), rounded.tail(following).template cast<T>();
    rate.resize(all_unknowns);
    if constexpr (std::is_same_v<T, double>) {
      rate_(into(rate), complete);
    } else {
      // Each step gains the digits of a double.
      for (int i = 0; i < 4; ++i) {
        quad_rate_(into(rate), complete);
        if (i == 3) break;
        const VectorXd left = VectorX<T>(rate.tail(following) * T(0x1p60)).template cast<double>();
        complete.tail(following) -= VectorXd(lu.solve(left)).template cast<T>() * T(0x1p-60);
      }
    }
    return complete;
  }

  /// ∂f/∂y with the other unknowns as functions of y.
  void jacobian(VectorIn y, MatrixOut dfdy) const {
    VectorXd rate;
    const VectorXd complete = all<double>(y, rate);
    MatrixXd J(all_unknowns, all_unknowns);
    const Evaluator<double>& derivative = jacobian_.made([this] {
      return tape_of([this](V x) { return jacobian_of(inlined(rate_.tape(), x), x); },
                     all_unknowns);
    });
    derivative(into(J), complete);
    const MatrixXd slopes = LuFactors<double>(J.bottomRightCorner(following, following))
                                .solve(MatrixXd(J.bottomLeftCorner(following, moving)));
    dfdy = J.topLeftCorner(moving, moving) - J.topRightCorner(moving, following) * slopes;
  }

  void kinks(VectorIn all_of_y, VectorOut values) const { kinks_(into(values), all_of_y); }

  const Evaluator<double>& rate() const { return rate_; }

 private:
  VectorXd guess_;
  Evaluator<double> rate_;
  Evaluator<Quad> quad_rate_;
  Evaluator<double> newton_, kinks_;
  Lazy<Evaluator<double>> jacobian_;
};

/// Sets both formulations: the DAE of index 2 in 17 unknowns, and the ODE for the first 11 of them
/// in which all others are solved for.
void set_wheelset(ClassicalProblem& problem, const Wheelset& set,
                  const std::vector<PrintedNumber>& start, VectorXd guess) {
  const auto solved = std::make_shared<const Following>(set, std::move(guess));
  const auto dae = std::make_shared<const RecordedOde>(
      all_unknowns, 0,
      [&](const Expression&, V y, V, ExpressionVector& f) { f = wheelset_rate(set, y); });
  const auto in = [&]<class T>(ClassicalIn<T>& side) {
    side.ode.name = problem.name;
    side.ode.t0 = problem.t0;
    side.ode.y0 = VectorX<T>::Zero(moving);
    for (Index i = 0; i < 5; ++i)
      side.ode.y0(i) = static_cast<T>(start[static_cast<std::size_t>(i)].value());
    side.ode.rhs = [solved](const T&, VectorInOf<T> y, VectorOutOf<T> dydt) {
      VectorX<T> rate;
      solved->all<T>(y, rate);
      dydt = rate.head(moving);
    };
    side.ode.jacobian = [solved](double, VectorIn y, MatrixOut dfdy) { solved->jacobian(y, dfdy); };
    side.ode.roots = std::make_shared<const RootFunctions>(
        RootFunctions{.count = 2, .values = [solved](double, VectorIn y, VectorOut values) {
                        VectorXd rate;
                        solved->kinks(solved->all<double>(y, rate), values);
                      }});
    side.complete = [solved](const T&, VectorInOf<T> y) -> VectorX<T> {
      VectorX<T> rate;
      return solved->all<T>(y, rate);
    };
    MassProblemOf<T> with_mass;
    static_cast<OdeProblemOf<T>&>(with_mass) =
        ode_of<T>(dae, problem.name, problem.t0, side.complete(T(problem.t0), side.ode.y0));
    with_mass.roots = std::make_shared<const RootFunctions>(RootFunctions{
        .count = 2,
        .values = [solved](double, VectorIn y, VectorOut values) { solved->kinks(y, values); }});
    with_mass.mass = MatrixXd::Zero(all_unknowns, all_unknowns);
    with_mass.mass.diagonal().head(moving).setOnes();
    with_mass.index.assign(all_unknowns, 0);
    for (std::size_t i = moving; i < all_unknowns; ++i) with_mass.index[i] = i < 15 ? 1 : 2;
    side.dae = std::move(with_mass);
  };
  in(problem.real);
  in(problem.quad);
  problem.implicit = implicit_form(*problem.real.dae);
  // Without roots: IDA stops at steps of 1e-17 s after some of them at a tolerance of 1e-9, and
  // crosses the kinks with the same error.
  problem.constraints = [solved, rate = dae->rate<double>()](double t, VectorIn y) {
    VectorXd velocity(all_unknowns), acceleration(all_unknowns), all(following + 2);
    rate(into(velocity), std::span(&t, 1), y, VectorXd());
    solved->rate()(into(acceleration), y);
    all << velocity.tail(following), acceleration.tail(2);
    return all;
  };
}

std::vector<PublishedSolution> wheelset_values() {
  return {
      {.source =
           "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), wheel: DASSL, rtol = atol = "
           "1e-9, no error control of the multipliers",
       .values = printed({"0.86355386965811e-2", "0.13038281022727e-4", "-0.93635784016818e-4",
                          "-0.13642299804033e-1", "0.15292895005422e-2", "-0.76985374142666e-1",
                          "-0.25151106429207e-3", "0.20541188079539e-2", "-0.23904837703692e0",
                          "-0.13633468454173e-1", "-0.24421377661131e0", "-0.33666751972196e-3",
                          "-0.15949425684022e0", "0.37839614386969e-3", "0.14173214964613e0",
                          "-0.10124044903201e-1", "-0.56285630573753e-2"}),
       .confirmed = {7, 5, 6, 6, 7, 5, 5, 5, 6, 5, 6, 6, 8, 6, 8, 8, 7}},
      // The difference is the mass matrix of the start, which this source keeps for all times.
      {.source = "SciMLBenchmarks.jl, wheelset, with a frozen mass matrix",
       .values = printed({"0.008625913329", "1.300604717e-5", "-9.286563574e-5", "-0.01368852992",
                          "0.001527584938", "-0.07828871857", "-0.0002552330083", "0.002114371962",
                          "-0.2372545428", "-0.01386428313", "-0.244689276", "-0.0003378318737",
                          "-0.1594844548", "0.0003796552539", "0.1417421342", "-0.0101125458",
                          "-0.005640206327"}),
       .confirmed = {2, 2, 2, 2, 2, 1, 1, 1, 2, 1, 2, 2, 4, 2, 4, 2, 2}}};
}

}  // namespace

ClassicalEntry wheelset() {
  return {.name = "wheelset",
          .title = "Wheelset on a straight track: hunting with creep forces, index 2",
          .source =
              "Simeon, Fuehrer and Rentrop (1991), Surv. Math. Ind. 1, 1-37; Mazzia & Magherini, "
              "Test Set for IVP Solvers 2.4 (2008), wheel",
          .dae = true,
          .index = 2,
          .parameters = {{"friction", 0.12, "coefficient of friction of wheel and rail", positive},
                         {"speed", 30.0, "nominal speed, m/s", positive}},
          .make = [](const std::vector<double>& values) {
            ClassicalProblem problem{
                .name = "wheelset",
                .unknowns = {"x", "y", "z", "theta", "phi", "x'", "y'", "z'", "theta'", "phi'",
                             "beta'", "psiL", "xiL", "psiR", "xiR", "lambda1", "lambda2"},
                .end = 10.0,
                .tolerance = {.rtol = 1e-6,
                              .atol = {1e-8, 1e-11, 1e-10, 1e-8, 1e-9, 1e-7, 1e-10, 1e-9, 1e-7,
                                       1e-8, 1e-7, 1e-10, 1e-8, 1e-10, 1e-8, 1e-8, 1e-8}}};
            // Near the contacts and multipliers that the source prints for its start.
            VectorXd guess(following);
            guess << -7.4122e-6, -0.152136, 7.5634e-6, 0.149064, -8.3593e-3, -7.4144e-3;
            set_wheelset(
                problem, {.friction = values[0], .speed = values[1]},
                printed({"0.14941e-2", "0.40089e-6", "0.11241e-5", "-0.28573e-3", "0.26459e-3"}),
                guess);
            problem.published = wheelset_values();
            return problem;
          }};
}

}  // namespace rigidlimit
