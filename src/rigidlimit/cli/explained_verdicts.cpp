// Explanations of the seven verdicts on a series of errors, also used for ratios and "no
// convergence".
#include <fmt/format.h>

#include "rigidlimit/cli/explanations.hpp"
#include "rigidlimit/convergence/verdict.hpp"

namespace rigidlimit {

namespace {

constexpr FitOptions fit{};
constexpr Expectation usual{};

/// Definition of the tail, which every verdict uses.
std::string settled_tail() {
  return fmt::format(
      "The tail is settled if, over the smallest eps that are evidence (at least {}, or 3 of 3), "
      "every neighbour order lies within the tolerance (`within`, default {:g}) of their common "
      "fit p, and the standard error sigma of the fit is not larger than the tolerance.",
      fit.min_points, usual.within);
}

Explanation verdict(Verdict word, std::string means, std::string decided, std::string example) {
  return {name_of(word),      "verdict on a series", std::move(means),
          std::move(decided), advice(word),          std::move(example)};
}

}  // namespace

std::vector<Explanation> explained_verdicts() {
  return {
      verdict(Verdict::confirmed, "The error falls as the study expects.",
              settled_tail() +
                  " Confirmed: settled, not drifting away from the order, and |p - expected| <= "
                  "within. For a ratio: |ratio - expected| <= ratio_within at the smallest eps, "
                  "and not growing there. For \"none\": order 0, or growth. For \"exact\": no "
                  "error exceeds its error bars tenfold.",
              "rigidlimit check experiments/convergence/knife_edge.toml"),
      verdict(
          Verdict::refuted, "The error follows a settled order that differs from the expected one.",
          settled_tail() +
              " Refuted: settled, and |p - expected| > within + 2 sigma + the shift of p that the "
              "error bars allow. The order must not drift towards the expected one: its drift, "
              "with the error bar of the drift, continued to the square of the smallest eps, does "
              "not reach it, and measured/predicted does not move towards 1. An order that is too "
              "high is also refuted: the leading term vanishes there. For a ratio: its limit "
              "differs from the expected one, and three ratios are constant.",
          "rigidlimit run experiments/start/knife_edge_inconsistent.toml --set epsilon.to=1e-5"),
      verdict(Verdict::settled, "The error follows a settled order; none was expected.",
              settled_tail() + " There is no [[expect]] for this quantity, norm and window.",
              "rigidlimit help study-files"),
      verdict(Verdict::pre_asymptotic,
              "The neighbour orders still move towards the expected one: eps is not small enough.",
              "The last differences of the neighbour orders have one sign and shrink, or exceed "
              "the effect of the error bars. Extrapolated to eps -> 0, the orders come within the "
              "tolerance of the expected order, or pass it. If the tail looks settled, the "
              "distance must at least halve over as many decades again, the drift of the order "
              "must reach the expected one by the square of the smallest eps, or "
              "measured/predicted must move towards 1.",
              "rigidlimit run FILE.toml --set epsilon.to=1e-6"),
      verdict(Verdict::floor_limited,
              "Too few rows are evidence, because the solver, reference or sampling error limits "
              "the others. The reason counts them.",
              fmt::format(
                  "A row is evidence if its error is at least {:g} times the largest of its "
                  "solver, reference and sampling errors. Fewer than {} rows are evidence (3 of "
                  "3); with the rows at the floor there would be enough. The statuses of the rows "
                  "name the error: explain solver_limited, reference_limited, sampling_limited.",
                  evidence_factor, fit.min_points),
              "rigidlimit run FILE.toml --set solvers.rtol=1e-13 --set time.samples=4001"),
      verdict(Verdict::diverging, "The error grows as eps shrinks.",
              "p < -max(within, 3 sigma), and no negative order is expected. Without a settled "
              "tail, the errors of the smaller half of the eps must also grow, without a trend "
              "that ends the growth.",
              "rigidlimit run experiments/realisation/realisations.toml --set "
              "'contact.law=[\"inertial\"]'"),
      verdict(Verdict::inconclusive, "None of the other verdicts applies.",
              fmt::format("Failed solves, fewer than {} rows of evidence (3 of 3) for another "
                          "reason than the floor, neighbour orders that scatter, or a settled "
                          "order with a drift away from it.",
                          fit.min_points),
              "rigidlimit run FILE.toml --set epsilon.count=13"),
  };
}

}  // namespace rigidlimit
