#include <cmath>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/mechanism.hpp"

namespace rigidlimit {
namespace {

/// Simeon's slider crank with an elastic connecting rod: q = (φ₁, φ₂, x₃, q₁ … q₄), the angles of
/// crank and rod (rad), the block's position (m), two lateral modes of the rod and its extension at
/// the middle and at the end (m). The crank turns at a prescribed speed. No gravity, no damping,
/// linear stiffness: the source's default.
struct SliderCrank final : Mechanism {
  explicit SliderCrank(double modulus) : Mechanism(7, 3, false), stiffness(modulus) {}
  double stiffness;  ///< Young's modulus of the rod, N/m²

  static constexpr double omega = 150.0, l1 = 0.15, l2 = 0.30, m2 = 0.151104, m3 = 0.075552,
                          J1 = 0.002727, J2 = 0.0045339259, width = 0.008, height = 0.008,
                          rho = 7870.0;
  static constexpr double pi = 3.1415927;  ///< as in the source: its results depend on it

  static constexpr double volume = width * height * l2;
  static constexpr double b13 = -volume * 16.0 / (pi * pi * pi),
                          b14 = volume * (8.0 / (pi * pi * pi) - 1.0 / pi), b24 = volume * 0.5 / pi;
  static constexpr double c1[4] = {0.0, 0.0, volume * 2.0 / 3.0, volume / 6.0};
  static constexpr double c2[4] = {volume * 2.0 / pi, 0.0, 0.0, 0.0};
  static constexpr double c12[4] = {0.0, 0.0, l2* volume / 3.0, l2* volume / 6.0};
  static constexpr double c21[4] = {l2 * volume / pi, -l2* volume * 0.5 / pi, 0.0, 0.0};

  using Elements = Vector<Expression, 4>;  ///< of the rod's four elements, or their rates
  static Expression dot(const double* c, const Elements& x) {
    return c[0] * x[0] + c[1] * x[1] + c[2] * x[2] + c[3] * x[3];
  }

  /// M_q x, K_q x and B x of the rod's elements; B is skew.
  static Elements inertia(const Elements& x) {
    const double a = rho * volume;
    return {0.5 * a * x[0], 0.5 * a * x[1], a * (8.0 * x[2] + x[3]), a * (x[2] + 2.0 * x[3])};
  }
  Elements elasticity(const Elements& x) const {
    const double a = stiffness * width * height / l2, slender = height / l2,
                 bending = a * pi * pi * pi * pi * slender * slender;
    return {bending / 24.0 * x[0], bending * 2.0 / 3.0 * x[1],
            a * (16.0 / 3.0 * x[2] - 8.0 / 3.0 * x[3]), a * (7.0 / 3.0 * x[3] - 8.0 / 3.0 * x[2])};
  }
  static Elements skew(const Elements& x) {
    return {b13 * x[2] + b14 * x[3], b24 * x[3], -b13 * x[0], -b14 * x[0] - b24 * x[1]};
  }
  static Expression product(const Elements& x, const Elements& y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];
  }

  void mass(const ExpressionVector& all, ExpressionMatrix& M) const override {
    const Elements q = all.tail<4>();
    const auto both = [&M](Index i, Index k, const Expression& value) {
      M(i, k) = M(k, i) = value;
    };
    const Expression c = cos(all[0] - all[1]), s = sin(all[0] - all[1]);
    const Elements Bq = skew(q);
    M(0, 0) = J1 + m2 * l1 * l1;
    both(0, 1, 0.5 * l1 * l2 * m2 * c + rho * l1 * (s * dot(c2, q) + c * dot(c1, q)));
    both(1, 1, J2 + product(q, inertia(q)) + 2.0 * rho * dot(c12, q));
    both(2, 2, m3);
    for (int i = 0; i < 4; ++i) {
      both(0, 3 + i, rho * l1 * (c2[i] * c - c1[i] * s));
      both(1, 3 + i, rho * (c21[i] - Bq[i]));  // qᵀ B = −(B q)ᵀ
    }
    const double a = rho * volume;
    both(3, 3, 0.5 * a);
    both(4, 4, 0.5 * a);
    both(5, 5, 8.0 * a);
    both(5, 6, a);
    both(6, 6, 2.0 * a);
  }

  void force(const Expression&, const ExpressionVector& all, const ExpressionVector& rates,
             ExpressionVector& F) const override {
    const Elements q = all.tail<4>(), v = rates.tail<4>();
    const Expression w1 = rates[0] * rates[0], w2 = rates[1] * rates[1];
    const Expression c = cos(all[0] - all[1]), s = sin(all[0] - all[1]);
    const Elements Mq = inertia(q), Kq = elasticity(q), Bv = skew(v);
    const Expression along = dot(c1, q), across = dot(c2, q);
    F[0] = -0.5 * l1 * l2 * m2 * w2 * s +
           rho * l1 *
               (w2 * (c * across - s * along) - 2.0 * rates[1] * (c * dot(c1, v) + s * dot(c2, v)));
    // v·Bv vanishes, B being skew.
    F[1] = 0.5 * l1 * l2 * m2 * w1 * s + rho * l1 * w1 * (s * along - c * across) -
           2.0 * rates[1] * (rho * dot(c12, v) + product(v, Mq));
    F[2] = 0.0;
    for (int i = 0; i < 4; ++i) {
      F[3 + i] = w2 * Mq[i] - Kq[i] +
                 rho * (w2 * c12[i] + l1 * w1 * (c * c1[i] + s * c2[i]) + 2.0 * rates[1] * Bv[i]);
    }
  }

  void constraint(const Expression& t, const ExpressionVector& q,
                  ExpressionVector& g) const override {
    const Expression length = l2 + q[6];
    g[0] = l1 * sin(q[0]) + length * sin(q[1]);
    g[1] = q[2] - l1 * cos(q[0]) - length * cos(q[1]);
    g[2] = q[0] - omega * t;
  }
};

std::vector<PublishedSolution> slider_crank_values() {
  return {
      {.source = "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), crank; acceleration of "
                 "the crank printed as 0",
       .values =
           printed({"0.1500000000000104e2",   "-0.3311734988256260e0",  "0.1697373328427860e0",
                    "0.1893192899613509e-3",  "0.2375751249879174e-4",  "-0.5323896770569702e-5",
                    "-0.8363313279112129e-5", "0.1500000000000000e3",   "0.6025346755138369e2",
                    "-0.8753116326670527e1",  "-0.3005541400289738e-1", "-0.5500431812571696e-2",
                    "0.4974111734266989e-3",  "0.1105560003626645e-2",  "",
                    "0.6488737541276957e4",   "0.2167938629509884e4",   "0.3391137060286523e2",
                    "0.1715134772216488e0",   "-0.1422449408912512e1",  "0.1003946428124810e1",
                    "-0.6232935833287916e2",  "-0.1637920993367306e3",  "0.2529857947066878e2"}),
       .confirmed = {13, 12, 11, 10, 10, 10, 10, 16, 11, 11, 9,  8,
                     7,  8,  0,  10, 10, 9,  6,  7,  6,  10, 10, 10}},
      {.source =
           "earlier releases of the Test Set, as in the driver of MEBDFI of April 2000; from data "
           "of 9 digits",
       .values = printed({"1.500000000000000e1",   "-3.311734987910881e-1", "1.697373326718410e-1",
                          "1.893192460247178e-4",  "2.375751865617931e-5",  "-5.323907988763734e-6",
                          "-8.363283141616840e-6", "1.500000000000000e2",   "6.025346682645789e1",
                          "-8.753116989887888e0",  "-3.005536801092212e-2", "-5.500488291932075e-3",
                          "4.978243404809343e-4",  "1.104933470696396e-3",  "",
                          "6.488722210234531e3",   "2.167924253080623e3",   "3.391435115267547e1",
                          "1.699107480197843e-1",  "-1.415799354959001e0",  "9.903251655235532e-1",
                          "-6.232893262533717e1",  "-1.637910131687472e2",  "2.529853213732781e1"}),
       .confirmed = {14, 9, 8, 6, 6, 5, 5, 16, 7, 7, 5, 4, 3, 3, 0, 5, 5, 4, 2, 2, 1, 5, 5, 5}}};
}

}  // namespace

ClassicalEntry slider_crank() {
  return {.name = "slider_crank",
          .title = "Slider crank with an elastic connecting rod, index 2",
          .source =
              "Simeon (1996), Math. Modelling of Systems 2, 1-18; Mazzia & Magherini, Test Set "
              "for IVP Solvers 2.4 (2008), crank: the index 2 form, linear, undamped",
          .dae = true,
          .index = 2,
          .parameters = {{"stiffness", 2e11, "Young's modulus of the rod, N/m^2", positive}},
          .make = [](const std::vector<double>& values) {
            ClassicalProblem problem{.name = "slider_crank",
                                     .unknowns = {"phi1", "phi2", "x3", "q1", "q2", "q3", "q4"},
                                     .end = 0.1};
            for (const char* mark : {"'", "''"})
              for (std::size_t i = 0; i < 7; ++i)
                problem.unknowns.push_back(problem.unknowns[i] + mark);
            for (int k = 1; k <= 3; ++k) problem.unknowns.push_back("lambda" + std::to_string(k));
            // The deformations are a thousandth of the motion or less.
            problem.tolerance.atol.assign(24, 1e-6);
            for (std::size_t i = 3; i < 14; ++i)
              problem.tolerance.atol[i] = i < 7 ? 1e-10 : i < 10 ? 1e-4 : 1e-7;
            for (std::size_t i = 14; i < 24; ++i) problem.tolerance.atol[i] = i < 17 ? 1e-2 : 1e-4;
            set_mechanism(
                problem, std::make_shared<SliderCrank>(values[0]), ConstraintLevel::velocity,
                printed({"0", "0", "4.500169330000000e-1", "0", "0", "1.033398630000000e-5",
                         "1.693279690000000e-5", "150", "-7.499576703969453e1",
                         "-2.689386719979040e-6", "4.448961125815990e-1", "4.634339319238670e-3",
                         "-1.785910760000550e-6", "-2.689386719979040e-6"}));
            problem.published = slider_crank_values();
            return problem;
          }};
}

}  // namespace rigidlimit
