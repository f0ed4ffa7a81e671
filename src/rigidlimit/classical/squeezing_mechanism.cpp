#include <cmath>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/mechanism.hpp"

namespace rigidlimit {
namespace {

/// Andrews' squeezing mechanism: seven rigid bodies in a plane, driven by a motor, with a spring. q
/// = (β, Θ, γ, Φ, δ, Ω, ε), rad; letters of lengths (m), masses (kg) and moments of inertia (kg m²)
/// as in the sources.
struct SqueezingMechanism final : Mechanism {
  explicit SqueezingMechanism(double torque) : Mechanism(7, 6, false), motor(torque) {}
  double motor;  ///< drive torque, N m

  static constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050,
                          m6 = 0.00706, m7 = 0.05498;
  static constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5,
                          I6 = 5.667e-7, I7 = 1.912e-5;
  static constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014,
                          yc = 0.072;
  static constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092,
                          ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02,
                          ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449,
                          zf = 0.02, zt = 0.04, fa = 0.01421;
  static constexpr double c0 = 4530.0, l0 = 0.07785;  ///< N/m, m: the spring

  void mass(const ExpressionVector& q, ExpressionMatrix& M) const override {
    const auto both = [&M](Index i, Index k, const Expression& value) {
      M(i, k) = M(k, i) = value;
    };
    const Expression cos_theta = cos(q[1]), sin_phi = sin(q[3]), sin_omega = sin(q[5]);
    const double e1 = e - ea, f1 = zf - fa;
    M(0, 0) = m1 * ra * ra + m2 * (rr * rr + da * da - 2.0 * da * rr * cos_theta) + I1 + I2;
    both(0, 1, m2 * (da * da - da * rr * cos_theta) + I2);
    M(1, 1) = m2 * da * da + I2;
    M(2, 2) = m3 * (sa * sa + sb * sb) + I3;
    M(3, 3) = m4 * e1 * e1 + I4;
    both(3, 4, m4 * (e1 * e1 + zt * e1 * sin_phi) + I4);
    M(4, 4) =
        m4 * (zt * zt + e1 * e1 + 2.0 * zt * e1 * sin_phi) + m5 * (ta * ta + tb * tb) + I4 + I5;
    M(5, 5) = m6 * f1 * f1 + I6;
    both(5, 6, m6 * (f1 * f1 - u * f1 * sin_omega) + I6);
    M(6, 6) =
        m6 * (f1 * f1 + u * u - 2.0 * u * f1 * sin_omega) + m7 * (ua * ua + ub * ub) + I6 + I7;
  }

  void force(const Expression&, const ExpressionVector& q, const ExpressionVector& v,
             ExpressionVector& F) const override {
    const Expression cos_gamma = cos(q[2]), sin_gamma = sin(q[2]);
    // Along the spring, from the point C to the point D of the third body, and how D turns.
    const Expression dx = xb + sc * sin_gamma + sd * cos_gamma - xc,
                     dy = yb + sd * sin_gamma - sc * cos_gamma - yc;
    const Expression length = sqrt(dx * dx + dy * dy), pull = -c0 * (length - l0) / length;
    const Expression turn_x = sc * cos_gamma - sd * sin_gamma,
                     turn_y = sd * cos_gamma + sc * sin_gamma;
    const Expression crank = m2 * da * rr * sin(q[1]), left = m4 * zt * (e - ea) * cos(q[3]),
                     right = m6 * u * (zf - fa) * cos(q[5]);
    F[0] = motor - crank * v[1] * (v[1] + 2.0 * v[0]);
    F[1] = crank * v[0] * v[0];
    F[2] = pull * (dx * turn_x + dy * turn_y);
    F[3] = left * v[4] * v[4];
    F[4] = -left * v[3] * (v[3] + 2.0 * v[4]);
    F[5] = -right * v[6] * v[6];
    F[6] = right * v[5] * (v[5] + 2.0 * v[6]);
  }

  /// Three loops close at the crank pin.
  void constraint(const Expression&, const ExpressionVector& q,
                  ExpressionVector& g) const override {
    const Expression pin_x = rr * cos(q[0]) - d * cos(q[0] + q[1]),
                     pin_y = rr * sin(q[0]) - d * sin(q[0] + q[1]);
    const Expression left = q[3] + q[4], right = q[5] + q[6];
    g[0] = pin_x - ss * sin(q[2]) - xb;
    g[1] = pin_y + ss * cos(q[2]) - yb;
    g[2] = pin_x - e * sin(left) - zt * cos(q[4]) - xa;
    g[3] = pin_y + e * cos(left) - zt * sin(q[4]) - ya;
    g[4] = pin_x - zf * cos(right) - u * sin(q[6]) - xa;
    g[5] = pin_y - zf * sin(right) + u * cos(q[6]) - ya;
  }
};

PublishedSolution psides() {
  return {
      .source =
          "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), andrews: PSIDE on a "
          "Cray C90, rtol = atol = 1e-14",
      .values = printed({"0.1581077119629904e2",  "-0.1575637105984298e2", "0.4082224013073101e-1",
                         "-0.5347301163226948e0", "0.5244099658805304e0",  "0.5347301163226948e0",
                         "0.1048080741042263e1",  "0.1139920302151208e4",  "-0.1424379294994111e4",
                         "0.1103291221937134e2",  "0.1929337464421385e2",  "0.5735699284790808e0",
                         "-0.1929337464421385e2", "0.3231791658026955e0",  "-0.2463176316945196e5",
                         "0.5185037701610329e5",  "0.3241025686413781e6",  "0.5667493645176213e6",
                         "0.1674362929479361e5",  "-0.5667493645176222e6", "0.9826520791458422e4",
                         "0.1991753333731910e3",  "-0.2975531228015052e2", "0.2306654119098399e2",
                         "0.3145271365475927e2",  "0.2264249232082739e2",  "0.1161740700019673e2"}),
      .confirmed = {10, 10, 9, 10, 11, 10, 12, 10, 9, 7, 7, 7, 7, 7,
                    8,  5,  7, 6,  6,  6,  5,  7,  7, 6, 6, 6, 5}};
}

ClassicalEntry squeezing_mechanism_entry(const char* name, const char* title,
                                         ConstraintLevel level) {
  return {.name = name,
          .title = title,
          .source =
              "Schiehlen (ed.), Multibody Systems Handbook (1990); Hairer & Wanner, Solving ODEs "
              "II, VII.7",
          .dae = true,
          .index = 3 - static_cast<int>(level),
          .parameters = {{"motor", 0.033, "drive torque, N m", any_finite}},
          .make = [name, level](const std::vector<double>& values) {
            ClassicalProblem problem{
                .name = name,
                .unknowns = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"},
                .end = 0.03};
            for (const char* mark : {"'", "''"})
              for (std::size_t i = 0; i < 7; ++i)
                problem.unknowns.push_back(problem.unknowns[i] + mark);
            for (int k = 1; k <= 6; ++k) problem.unknowns.push_back("lambda" + std::to_string(k));
            // Angles, velocities, accelerations, multipliers: 1, 1e3, 1e6, 100 and a millionth of
            // it.
            problem.tolerance.atol.assign(27, 1e-6);
            for (std::size_t i = 7; i < 27; ++i)
              problem.tolerance.atol[i] = i < 14 ? 1e-3 : i < 21 ? 1.0 : 1e-4;
            // With angles of 31 digits the loops close to within the rounding of their lengths.
            set_mechanism(
                problem, std::make_shared<SqueezingMechanism>(values[0]), level,
                printed({"-0.0617138900142764496358948458001", "0",
                         "0.455279819163070380255912382449", "0.222668390165885884674473185609",
                         "0.487364979543842550225598953530", "-0.222668390165885884674473185609",
                         "1.23054744454982119249735015568", "0", "0", "0", "0", "0", "0", "0"}));
            problem.published = {psides()};
            return problem;
          }};
}

}  // namespace

ClassicalEntry squeezing_mechanism() {
  return squeezing_mechanism_entry("squeezing_mechanism", "Andrews' squeezing mechanism, index 3",
                                   ConstraintLevel::position);
}
ClassicalEntry squeezing_mechanism_index_2() {
  return squeezing_mechanism_entry("squeezing_mechanism_index_2",
                                   "Andrews' squeezing mechanism, constraints on velocities",
                                   ConstraintLevel::velocity);
}

}  // namespace rigidlimit
