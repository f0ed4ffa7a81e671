#include "rigidlimit/experiment/rolling/read_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <type_traits>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/experiment/proof/study_proof.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"

namespace rigidlimit {

namespace {

/// Reads `law`, optional for a study with one law.
std::string read_law(Section& section, const RollingStudy& study) {
  const std::vector<std::string>& laws = study.contact.laws;
  return section.choice("law", laws,
                        study.has_several_laws() ? std::nullopt : std::optional(laws[0]));
}

/// Reads `epsilon = [lo, hi]`, in either order; the smaller end is first.
std::pair<double, double> read_epsilon_interval(Section& section) {
  const std::vector<double> ends = section.numbers("epsilon", non_negative);
  if (ends.size() != 2)
    section.fail("epsilon",
                 fmt::format("must be the two ends of an interval, not {} numbers", ends.size()));
  return {std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
}

/// Reads the table of a claim on errors with its law and window.
template <class Claim>
void read_series_claim(const KeyTable<Claim>& table, Section& section, Claim& claim,
                       RollingStudy& study, GivenBegin& begin) {
  claim.law = read_law(section, study);
  const SystemInfo& system = study.system->info;
  std::vector<std::string> names = names_of_measures(system);
  if (std::is_same_v<Claim, ExpectationSpec>) names.emplace_back("steps");  // expects_steps()
  claim.measure = *measure_named(section.choice("quantity", names, std::nullopt), system);
  const bool has_after = section.has("after");
  if (has_after) claim.measure.window = Window::after;
  table.read(section, claim);
  if (!claim.measure.component.empty() &&
      std::ranges::find(study.components, claim.measure) == study.components.end())
    study.components.push_back(claim.measure);
  if (!has_after) return;
  if (claim.measure.window == Window::all) section.fail("after", "conflicts with window = \"all\"");
  claim.after = section.number("after", rolling_keys::begins_of_window(study), std::nullopt);
  begin.take(section, *claim.after);
  study.after = *claim.after;
}

}  // namespace

void GivenBegin::take(Section& section, double t) {
  if (first_ && first_->t != t)
    section.fail("after",
                 fmt::format("a study has a single window \"after\", which begins at t = {} in {}",
                             first_->t, first_->place));
  if (!first_) first_ = {t, section.value("after").place};
}

bool expects_steps(Section& section) {
  return section.text("quantity", std::nullopt) == "steps";
}

StepsSpec read_steps_expectation(Section section, const RollingStudy& study) {
  StepsSpec spec{.law = read_law(section, study)};
  section.has("quantity");
  if (study.solvers.steps > 0)
    section.fail("quantity",
                 fmt::format("steps: with solvers.steps = {} every solve has equal steps, which do "
                             "not depend on epsilon; remove solvers.steps",
                             study.solvers.steps));
  rolling_keys::steps().read(section, spec);
  if (!section.has("growth_at_most") && !section.has("growth_at_least"))
    section.missing("growth_at_most", "a number, or growth_at_least");
  if (spec.at_least > spec.at_most)
    section.fail("growth_at_least",
                 fmt::format("exceeds growth_at_most = {}: no growth is in between", spec.at_most));
  const bool has_interval = section.has("epsilon");
  if (has_interval) std::tie(spec.from, spec.to) = read_epsilon_interval(section);
  const auto covered =
      std::ranges::count_if(study.epsilons, [&](double e) { return spec.covers(e); });
  if (covered < 2)
    section.fail(has_interval ? "epsilon" : "quantity",
                 fmt::format("steps: a growth needs two values of epsilon; {} of the {} values of "
                             "[epsilon] {} in the interval",
                             covered, study.epsilons.size(), covered == 1 ? "is" : "are"));
  section.finish();
  for (const StepsSpec& other : study.steps)
    if (other.law == spec.law && other.from == spec.from && other.to == spec.to)
      section.fail("quantity",
                   "another [[expect]] has the same quantity and interval of epsilon; give both "
                   "limits in one");
  return spec;
}

ExpectationSpec read_expectation(Section section, RollingStudy& study, GivenBegin& begin) {
  ExpectationSpec e;
  read_series_claim(rolling_keys::expectation(), section, e, study, begin);
  if (e.ratio && !can_be_predicted(*find_law(*e.law)))
    section.fail(
        "ratio",
        fmt::format("is not valid for the law {}, which has no predicted coefficient", *e.law));
  if (e.convergence == Convergence::exact && !section.has("within"))
    section.missing("within", "a number > 0, the limit of the error");
  if (!e.judges_errors() && !e.ratio && !study.composite_order)
    section.missing("order", "any finite number");
  section.finish();
  for (const ExpectationSpec& other : study.expectations)
    if (other.law == e.law && other.measure == e.measure)
      section.fail("quantity", "another [[expect]] has the same quantity, norm and window");
  return e;
}

namespace {

/// Reads `proved`, which is true or "all".
void read_proof(Section& section, const RollingStudy& study, BoundSpec& spec) {
  if (!section.has("proved")) return;
  const std::string given = section.value("proved").toml;
  if (given == "\"all\"") {
    spec.proof = BoundSpec::Proof::all;
    if (const std::string obstacle = obstacle_to_theorem(consumers::theorem, study);
        !obstacle.empty())
      section.fail("proved", fmt::format("no theorem holds for all ε: {}", obstacle));
    if (!find_law(spec.law)->is_viscoelastic())
      section.fail("proved", fmt::format("no theorem holds for the law {}", spec.law));
    if (section.has("solver_error"))
      section.fail("proved", "\"all\" is about the exact motions, and not about a solver_error");
  } else if (section.flag("proved", false)) {
    spec.proof = BoundSpec::Proof::rows;
    if (!study.solvers.certified)
      section.fail("proved", "needs solvers.certified = true, which bounds the error in each row");
  }
}

}  // namespace

std::vector<BoundSpec> read_bounds(Section section, RollingStudy& study, GivenBegin& begin) {
  BoundSpec spec;
  read_series_claim(rolling_keys::bound(), section, spec, study, begin);
  if (section.has("epsilon"))
    std::tie(spec.bound.from, spec.bound.to) = read_epsilon_interval(section);
  read_proof(section, study, spec);
  std::vector<BoundSpec> specs;
  const bool has_ceiling = section.has("solver_error");
  if (section.has("constant") || section.has("power") || !has_ceiling) {
    spec.bound.constant = section.number("constant", positive, std::nullopt);
    spec.bound.power = section.number("power", any_finite, std::nullopt);
    specs.push_back(spec);
  }
  if (has_ceiling) {
    spec.subject = BoundSpec::Subject::solver_error;
    spec.bound.constant = section.number("solver_error", positive, std::nullopt);
    spec.bound.power = 0.0;
    specs.push_back(spec);
  }
  section.finish();
  return specs;
}

void require_prediction(Section& root, const RollingStudy& study) {
  const bool expects_ratio = std::ranges::any_of(study.expectations, [](const ExpectationSpec& e) {
    return e.ratio && find_law(*e.law)->is_viscoelastic();
  });
  const bool composite = study.against == Against::composite;
  if (!expects_ratio && !composite) return;
  const double beta = study.contact.damping_exponent;
  const auto refuse = [&](const char* section, const char* key, const char* need) {
    root.section(section).fail(
        key, fmt::format("the asymptotic expansion, which this study uses, needs {}", need));
  };
  if (composite && study.contact.laws != ContactSpec{}.laws)
    refuse("contact", "law", "the viscoelastic law");
  if (composite && beta != 1.0 && beta != 2.0)
    refuse("contact", "damping_exponent", "a damping exponent of 1 or 2");
  if (beta > 2.0) refuse("contact", "damping_exponent", "a damping exponent up to 2");
  if (beta != 1.0 && beta != 2.0 && !is_consistent(study.model, study.initial))
    refuse("initial", "v", "a start that does not slide, or a damping exponent of 1 or 2");
}

}  // namespace rigidlimit
