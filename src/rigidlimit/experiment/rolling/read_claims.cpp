#include "rigidlimit/experiment/rolling/read_claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/experiment/proof/study_proof.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"

namespace rigidlimit {

namespace {

/// Measures of single components are computed for the claims that name them.
void add_component(const Measure& measure, RollingStudy& study) {
  if (!measure.component.empty() &&
      std::ranges::find(study.components, measure) == study.components.end())
    study.components.push_back(measure);
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

StepsSpec read_steps_expectation(Section section, RollingStudy& study) {
  StepsSpec spec;
  if (study.solvers.steps > 0)
    section.fail("quantity",
                 fmt::format("steps: with solvers.steps = {} every solve has equal steps, which do "
                             "not depend on epsilon; remove solvers.steps",
                             study.solvers.steps));
  rolling_keys::steps({.study = &study}).read(section, spec);
  if (!section.has("growth_at_most") && !section.has("growth_at_least"))
    section.missing("growth_at_most", "a number, or growth_at_least");
  if (spec.at_least > spec.at_most)
    section.fail("growth_at_least",
                 fmt::format("exceeds growth_at_most = {}: no growth is in between", spec.at_most));
  const bool has_interval = section.has("epsilon");
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
  rolling_keys::expectation({.study = &study, .begin = &begin}).read(section, e);
  add_component(e.measure, study);
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

void require_proof(const Section& section, const RollingStudy& study, const BoundTable& bound) {
  if (bound.proof == BoundSpec::Proof::rows && !study.solvers.certified)
    section.fail("proved", "needs solvers.certified = true, which bounds the error in each row");
  if (bound.proof == BoundSpec::Proof::rows && !is_enclosed(bound.measure.quantity))
    section.fail("proved",
                 fmt::format("no enclosure of \"{}\" is computed; certified rows bound q, "
                             "v and lambda",
                             quantity_name(bound.measure)));
  if (bound.proof != BoundSpec::Proof::all) return;
  if (const std::string obstacle = obstacle_to_theorem(consumers::theorem, study);
      !obstacle.empty())
    section.fail("proved", fmt::format("no theorem holds for all ε: {}", obstacle));
  if (!find_law(bound.law)->is_viscoelastic())
    section.fail("proved", fmt::format("no theorem holds for the law {}", bound.law));
  if (bound.solver_error)
    section.fail("proved", "\"all\" is about the exact motions, and not about a solver_error");
}

}  // namespace

std::vector<BoundSpec> read_bounds(Section section, RollingStudy& study, GivenBegin& begin) {
  BoundTable table;
  rolling_keys::bound({.study = &study, .begin = &begin}).read(section, table);
  add_component(table.measure, study);
  require_proof(section, study, table);
  section.finish();
  return table.bounds();
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
