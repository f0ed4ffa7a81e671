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
       "Look at the row: its status says whether the solver is to blame. Otherwise the constant "
       "is too small for this start and contact, or the physics has changed.",
       "rigidlimit run FILE.toml --format csv"},
      {name_of(BoundState::undecided), bound, "The bound lies within the error bar of a row.",
       "error - error bar <= K eps^p < error + error bar. Counts as not held.",
       "Tighten the tolerances, so that the error bar shrinks.",
       "rigidlimit check FILE.toml --set solvers.rtol=1e-13"},
      {name_of(BoundState::unknown), bound,
       "A row of the interval failed, or its error bar is not known.",
       "The error or its bar is NaN. Counts as not held.",
       "Mend the failed solve: its outcome stands in the reason.", "rigidlimit explain failed"},
      {name_of(BoundState::outside), bound, "No row lies in the bound's interval of eps.",
       "bound.epsilon holds none of the study's eps; the table says \"not judged\". Counts as not "
       "held: a gate that sees nothing is open.",
       "Widen bound.epsilon, or add eps.", "rigidlimit check FILE.toml --set epsilon.to=1e-4"},
      {"not judged", bound, "The same as outside: no row lies in the bound's interval of eps.",
       "bound.epsilon holds none of the study's eps. Counts as not held.",
       "Widen bound.epsilon, or add eps.", "rigidlimit explain outside"},
  };
}

std::vector<Explanation> explained_studies() {
  return {
      {name_of(BoundState::held), study,
       "Everything that was expected is confirmed, for every pair of solvers. Of a bound: error + "
       "error bar <= K eps^p in every row of its interval.",
       "Every [[expect]] has the verdict confirmed and every [[bound]] is held. Exit status 0.",
       "Nothing.", "rigidlimit check experiments/convergence/*.toml"},
      {"not held", study, "Something that was expected is not confirmed.",
       "At least one [[expect]] has another verdict than confirmed, one [[bound]] is not held, or "
       "there are no rows to judge. Exit status 1.",
       "The lines below it name each broken expectation with its verdict: explain that one.",
       "rigidlimit explain pre-asymptotic"},
      {"nothing expected", study, "The study, or this law of it, states no expectation.",
       "There is no [[expect]] and no [[bound]] for it. Exit status 0 of run; check refuses.",
       "State what theory says.", "rigidlimit help study-files"},
      {"interrupted", study,
       "Ctrl-C, or a solve that was asked to stop. What was finished is kept.",
       "Exit status 130. Nothing is judged. Also an outcome: \"failed: interrupted\".",
       "Run it again: it continues.", "rigidlimit run FILE.toml"},
      {"does not converge, as expected", study,
       "A law's negative control: its errors do not tend to zero, as the study says.",
       "convergence = \"none\" is confirmed: the fitted order is 0 within the tolerance, or the "
       "errors grow.",
       "Nothing: a check that called this law converged would be broken.",
       "rigidlimit describe inertial"},
      {"exact, as expected", study, "The law gives the rigid motion itself, at any eps.",
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
