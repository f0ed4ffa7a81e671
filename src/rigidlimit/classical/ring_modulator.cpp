#include <cmath>

#include "rigidlimit/classical/entries.hpp"
#include "rigidlimit/classical/ode_of.hpp"

namespace rigidlimit {
namespace {

/// Horneber's circuit that mixes a low and a high frequency with a ring of four diodes. y₁ … y₇ are
/// voltages (V), y₈ … y₁₅ currents (A) through inductances.
struct RingModulator {
  double Cs;  ///< F; 0 would make it a DAE

  static constexpr double C = 1.6e-8, Cp = 1e-8, R = 25e3, Rp = 50.0, Lh = 4.45, Ls1 = 2e-3,
                          Ls2 = 5e-4, Ls3 = 5e-4, Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50.0,
                          Rc = 600.0;

  /// The current (A) through a diode at the voltage U.
  static Expression diode(const Expression& U) {
    return 40.67286402e-9 * (exp(17.7493332 * U) - 1.0);
  }

  void operator()(const Expression& t, const ExpressionVector& y, const ExpressionVector&,
                  ExpressionVector& f) const {
    const Expression low = 0.5 * sin(2e3 * M_PI * t), high = 2.0 * sin(2e4 * M_PI * t);
    const Expression q1 = diode(y[2] - y[4] - y[6] - high), q2 = diode(y[5] - y[3] - y[6] - high),
                     q3 = diode(y[3] + y[4] + y[6] + high), q4 = diode(y[6] - y[2] - y[5] + high);
    f[0] = (y[7] + 0.5 * (y[10] - y[9]) + y[13] - y[0] / R) / C;
    f[1] = (y[8] + 0.5 * (y[12] - y[11]) + y[14] - y[1] / R) / C;
    f[2] = (y[9] - q1 + q4) / Cs;
    f[3] = (q2 - q3 - y[10]) / Cs;
    f[4] = (y[11] + q1 - q3) / Cs;
    f[5] = (q4 - q2 - y[12]) / Cs;
    f[6] = (q1 + q2 - q3 - q4 - y[6] / Rp) / Cp;
    f[7] = -y[0] / Lh;
    f[8] = -y[1] / Lh;
    f[9] = (0.5 * y[0] - y[2] - Rg2 * y[9]) / Ls2;
    f[10] = (y[3] - 0.5 * y[0] - Rg3 * y[10]) / Ls3;
    f[11] = (0.5 * y[1] - y[4] - Rg2 * y[11]) / Ls2;
    f[12] = (y[5] - 0.5 * y[1] - Rg3 * y[12]) / Ls3;
    f[13] = (low - y[0] - (Ri + Rg1) * y[13]) / Ls1;
    f[14] = (-y[1] - (Rc + Rg1) * y[14]) / Ls1;
  }
};

}  // namespace

ClassicalEntry ring_modulator() {
  return {
      .name = "ring_modulator",
      .title = "Ring modulator: a circuit of 15 unknowns with fast and slow oscillations",
      .source =
          "Horneber (1976), Analyse nichtlinearer RLCÜ-Netzwerke; Mazzia & Magherini, Test "
          "Set for IVP Solvers 2.4 (2008), ringmod",
      .parameters = {{"Cs", 2e-12, "capacitance of the diodes, F", positive}},
      .make = [](const std::vector<double>& values) {
        ClassicalProblem problem{
            .name = "ring_modulator",
            .unknowns = {"U1", "U2", "U3", "U4", "U5", "U6", "U7", "I1", "I2", "I3", "I4", "I5",
                         "I6", "I7", "I8"},
            .end = 1e-3,
            .tolerance = {.rtol = 1e-6, .atol = std::vector<double>(15, 1e-9)}};
        for (std::size_t i = 0; i < 7; ++i) problem.tolerance.atol[i] = 1e-6;
        set_equations(problem, RingModulator{values[0]}, std::vector<double>(15, 0.0));
        problem.published = {
            {.source = "Mazzia & Magherini, Test Set for IVP Solvers 2.4 (2008), ringmod: RADAU, "
                       "rtol = atol = 1e-12, 23541 steps",
             .values = printed(
                 {"-0.2339057358486745e-1", "-0.7367485485540825e-2", "0.2582956709291169e0",
                  "-0.4064465721283450e0", "-0.4039455665149794e0", "0.2607966765422943e0",
                  "0.1106761861269975e0", "0.2939904342435596e-6", "-0.2840029933642329e-7",
                  "0.7267198267264553e-3", "0.7929487196960840e-3", "-0.7255283495698965e-3",
                  "-0.7941401968526521e-3", "0.7088495416976114e-4", "0.2390059075236570e-4"}),
             .confirmed = {10, 10, 9, 9, 9, 9, 11, 12, 9, 11, 11, 11, 11, 10, 10}}};
        return problem;
      }};
}

}  // namespace rigidlimit
