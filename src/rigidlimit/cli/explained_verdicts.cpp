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
      "The tail is settled where, over the smallest eps that are evidence ({} at least, 3 of 3), "
      "every neighbour order lies within the tolerance ({:g} unless `within` says otherwise) of "
      "their common fit p, whose standard error sigma is no larger than that.",
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
                  " Confirmed: settled, not about to leave the order, and |p - expected| <= "
                  "within. Of a ratio: |ratio - expected| <= ratio_within at the smallest eps, and "
                  "not growing there. Of \"none\": order 0, or growth. Of \"exact\": no error "
                  "exceeds its error bars tenfold.",
              "rigidlimit check experiments/convergence/knife_edge.toml"),
      verdict(
          Verdict::refuted, "The error follows a clean order, and it is another one.",
          settled_tail() +
              " Refuted: settled, and |p - expected| > within + 2 sigma + what the error bars "
              "can have moved p. The order must not drift towards the expected one: its drift, "
              "with the error bar of the drift, continued to the square of the smallest eps, does "
              "not reach it, and measured/predicted does not move towards 1. An order that is too "
              "high is refuted as well: the leading term vanishes there. Of a ratio: its limit "
              "lies elsewhere, and three ratios stand still.",
          "rigidlimit run experiments/start/knife_edge_inconsistent.toml --set epsilon.to=1e-5"),
      verdict(Verdict::settled, "The error follows a clean order; none was expected.",
              settled_tail() + " There is no [[expect]] for this quantity, norm and window.",
              "rigidlimit help study-files"),
      verdict(Verdict::pre_asymptotic,
              "The neighbour orders still move towards the expected one: eps is not small enough.",
              "The last differences of the neighbour orders have one sign and shrink, or exceed "
              "what the error bars can do. Continued to eps -> 0 they arrive within the "
              "tolerance of the expected order, or pass it. Where the tail looks settled, the "
              "distance must at least halve over as many decades again, the drift of the order "
              "must reach the expected one by the square of the smallest eps, or "
              "measured/predicted must move towards 1.",
              "rigidlimit run FILE.toml --set epsilon.to=1e-6"),
      verdict(Verdict::floor_limited,
              "Too few rows are evidence, and their solver, reference or sampling error took the "
              "others: the reason counts them.",
              fmt::format(
                  "A row is evidence if its error is at least {:g} times the larger of its "
                  "solver, reference and sampling errors. Fewer than {} rows are (3 of 3); with "
                  "those at the floor there would be enough. The flags of the rows say which error "
                  "it was: explain solver_limited, reference_limited, sampling_limited.",
                  evidence_factor, fit.min_points),
              "rigidlimit run FILE.toml --set solvers.rtol=1e-13 --set time.samples=4001"),
      verdict(Verdict::diverging, "The error grows as eps shrinks.",
              "p < -max(within, 3 sigma) where no negative order is expected; without a settled "
              "tail the smaller half of the eps must grow too, and no trend may lead out of it.",
              "rigidlimit run experiments/realisation/realisations.toml --set "
              "'contact.law=[\"inertial\"]'"),
      verdict(Verdict::inconclusive, "None of the other verdicts can be given.",
              fmt::format("Failed solves, fewer than {} rows of evidence (3 of 3) for another "
                          "reason than the floor, neighbour orders that scatter, or a settled "
                          "order that is about to be left.",
                          fit.min_points),
              "rigidlimit run FILE.toml --set epsilon.count=13"),
  };
}

}  // namespace rigidlimit
