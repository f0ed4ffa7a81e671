// Explanations of the results of bounds, laws and studies.
#include "rigidlimit/cli/explanations.hpp"
#include "rigidlimit/convergence/bound.hpp"

namespace rigidlimit {

namespace {

constexpr const char* bound = "state of a bound";
constexpr const char* study = "result of a study";

std::vector<Explanation> explained_bounds() {
  return {
      {name_of(BoundState::broken), bound, "An error is larger than the bound allows.",
       "error - error bar > K eps^p in the row that is named, within the bound's eps.",
       "Check the status of the row: a limited status points to the solver. Otherwise the "
       "constant is too small for this start and contact, or the physics has changed.",
       "rigidlimit run FILE.toml --format csv"},
      {name_of(BoundState::undecided), bound, "The bound lies within the error bar of a row.",
       "error - error bar <= K eps^p < error + error bar. Counts as not held.",
       "Tighten the tolerances to reduce the error bar.",
       "rigidlimit check FILE.toml --set solvers.rtol=1e-13"},
      {name_of(BoundState::unknown), bound,
       "A row of the interval failed, or its error bar is unknown.",
       "The error or its bar is NaN. Counts as not held.",
       "Correct the failed solve; the reason names its outcome.", "rigidlimit explain failed"},
      {name_of(BoundState::outside), bound, "No row lies in the bound's interval of eps.",
       "bound.epsilon contains none of the study's eps; the table says \"not judged\". Counts as "
       "not held, because a bound without rows checks nothing.",
       "Widen bound.epsilon, or add eps.", "rigidlimit check FILE.toml --set epsilon.to=1e-4"},
      {"steps_broken", "state of a claim on steps",
       "The steps of a solver grow more or less than the [[expect]] states.",
       "(steps at the smallest eps - steps at the largest) / decades of eps exceeds "
       "growth_at_most or is below growth_at_least.",
       "Use the adapted variables, or correct the limit.",
       "rigidlimit run FILE.toml --set 'solvers.formulation=\"adapted\"'"},
      {"steps_unknown", "state of a claim on steps", "A solve in the interval of eps failed.",
       "One of the first solves has another outcome than success. Counts as not held.",
       "Correct the failed solve, or choose epsilon in the [[expect]] without it.",
       "rigidlimit explain max_steps"},
      {"not judged", bound, "The same as outside: no row lies in the bound's interval of eps.",
       "bound.epsilon contains none of the study's eps. Counts as not held.",
       "Widen bound.epsilon, or add eps.", "rigidlimit explain outside"},
  };
}

std::vector<Explanation> explained_studies() {
  return {
      {name_of(BoundState::held), study,
       "Every expectation is confirmed, for every pair of solvers. For a bound: error + error bar "
       "<= K eps^p in every row of its interval.",
       "Every [[expect]] has the verdict confirmed and every [[bound]] is held. Exit status 0.",
       "Nothing.", "rigidlimit check experiments/convergence/*.toml"},
      {"not held", study, "An expectation is not confirmed or a bound is not held.",
       "At least one [[expect]] has another verdict than confirmed, one [[bound]] is not held, or "
       "there are no rows to judge. Exit status 1.",
       "Explain the verdict of each failed expectation, listed in the lines below.",
       "rigidlimit explain pre-asymptotic"},
      {"nothing expected", study, "The study, or this law of the study, states no expectation.",
       "It has no [[expect]] and no [[bound]]. Exit status 0 of run; check rejects the file.",
       "Add an [[expect]] with the order that theory predicts.", "rigidlimit help study-files"},
      {"interrupted", study,
       "The run was stopped, by Ctrl-C or by a stop request. Finished solves are stored.",
       "Exit status 130. Nothing is judged. Also an outcome: \"failed: interrupted\".",
       "Repeat the command: it continues.", "rigidlimit run FILE.toml"},
      {"does not converge, as expected", study,
       "Negative control of a law: its errors do not tend to zero, as the study expects.",
       "convergence = \"none\" is confirmed: the fitted order is 0 within the tolerance, or the "
       "errors grow.",
       "Nothing. A convergent result would indicate a broken check.",
       "rigidlimit describe inertial"},
      {"exact, as expected", study, "The law gives the rigid motion at every eps.",
       "convergence = \"exact\" is confirmed: no error exceeds its error bars tenfold, and error + "
       "bar <= within at every eps.",
       "Nothing.", "rigidlimit describe baumgarte"},
  };
}

}  // namespace

std::vector<Explanation> explained_bounds_and_studies() {
  std::vector<Explanation> all = explained_bounds();
  for (Explanation& e : explained_studies()) all.push_back(std::move(e));
  return all;
}

}  // namespace rigidlimit
