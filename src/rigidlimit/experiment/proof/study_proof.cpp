#include "rigidlimit/experiment/proof/study_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"

namespace rigidlimit {
namespace {

constexpr const char* law_name = "viscoelastic";

void require_theorem(const RollingStudy& study, const ViscoelasticLaw& law) {
  const auto refuse = [](const std::string& reason) {
    throw InputError("has no theorem: " + reason + " (docs/certified.md)");
  };
  if (std::ranges::find(study.contact.laws, law_name) == study.contact.laws.end())
    refuse("it is for the viscoelastic law");
  if (law.damping_exponent != 1.0)
    refuse(fmt::format("contact.damping_exponent is {}, and the theorem needs 1",
                       law.damping_exponent));
  if (study.against != Against::rigid)
    refuse("the reference is a composite expansion, not the rigid motion");
  if (study.tangent) refuse("its system is a tangent lift, whose mass matrix is indefinite");
  if (study.contacts.redundant()) refuse("its contacts are redundant");
  if (study.model.switches) refuse("its equations have switches");
  if (study.contact.preparation == ContactSpec::Preparation::given)
    refuse("contact.deflection is given, and the theorem needs an unloaded or prepared spring");
}

const ProofResult* result_of(const PairTheorem& theorem, const Measure& measure) {
  if (measure.norm != Norm::sup || !measure.component.empty()) return nullptr;
  if (measure.quantity == Quantity::q)
    return measure.window == Window::all ? &theorem.q : &theorem.q_after;
  if (measure.quantity == Quantity::v && measure.window == Window::after) return &theorem.v_after;
  return nullptr;
}

ProvedClaim judged_order(const ExpectationSpec& expected, const ProofResult& result) {
  ProvedClaim claim{.text =
                        fmt::format("{}: order {:g}", text_of(expected.measure), *expected.order)};
  if (!result.theorem) {
    claim.reason = result.reason;
  } else if (!(result.theorem->lower > 0.0)) {
    claim.reason = "K may be 0, and then the order is larger than 2";
  } else {
    const bool right = std::abs(*expected.order - 2.0) <= expected.within;
    claim.state = right ? ProofState::proved : ProofState::refuted;
    claim.reason = "the order is 2";
  }
  return claim;
}

/// K ε^p against K₂ ε² ± K₃ ε³. Over ε^p the sum of two powers has no maximum inside an interval,
/// so that its ends decide.
ProvedClaim judged_bound(const BoundSpec& spec, const ProofResult& result, double largest) {
  ProvedClaim claim{.text =
                        fmt::format("{}: error ≤ {}", text_of(spec.measure), text_of(spec.bound))};
  if (!result.theorem) {
    claim.reason = result.reason;
    return claim;
  }
  const ErrorTheorem& theorem = *result.theorem;
  const double from = std::min(spec.bound.from, spec.bound.to),
               to = std::min(std::max(spec.bound.from, spec.bound.to), largest);
  const double end = std::min(to, theorem.largest_epsilon);
  constexpr double tiny = 1e-12;  // for ε → 0
  const double begin = std::max(from, tiny);
  for (const double epsilon : {begin, end})
    if (epsilon <= end && theorem.at_least(epsilon) > spec.bound.limit(epsilon)) {
      claim.state = ProofState::refuted;
      claim.reason =
          fmt::format("at ε = {:.3g} the error is at least {:.6g}, and the limit is {:.6g}",
                      epsilon, theorem.at_least(epsilon), spec.bound.limit(epsilon));
      return claim;
    }
  const bool below = theorem.at_most(begin) <= spec.bound.limit(begin) &&
                     theorem.at_most(end) <= spec.bound.limit(end);
  if (!below)
    claim.reason = fmt::format("proved is at most {:.6g} at ε = {:.3g}, and the limit is {:.6g}",
                               theorem.at_most(end), end, spec.bound.limit(end));
  else if (to > theorem.largest_epsilon * (1.0 + 1e-9))
    claim.reason = fmt::format("proved for ε ≤ {:g} only", theorem.largest_epsilon);
  else
    claim.state = ProofState::proved;
  return claim;
}

}  // namespace

const char* name_of(ProofState state) {
  switch (state) {
    case ProofState::proved: return "proved";
    case ProofState::refuted: return "refuted";
    case ProofState::open: break;
  }
  return "open";
}

bool StudyProof::proves_something() const {
  return std::ranges::any_of(constants, [](const ProvedConstant& constant) {
    return constant.result.theorem.has_value();
  });
}

StudyProof study_proof(const RollingStudy& study, double largest_epsilon,
                       const RunOptions& options) {
  const ViscoelasticLaw law = law_of(study);
  require_theorem(study, law);
  const double largest = study.epsilons.front();
  PairTheorem theorem;
  bool interrupted = false;
  try {
    theorem = proved({.pair = {.system = study.model.recorded,
                               .explicit_time = study.model.explicit_time,
                               .stiffness = law.stiffness,
                               .damping = law.damping,
                               .q = study.initial.q,
                               .v = study.initial.v,
                               .t = study.initial.t,
                               .end = study.time.end,
                               .stop_requested = options.stop_requested},
                      .prepared = study.contact.preparation == ContactSpec::Preparation::prepared,
                      .after = study.after,
                      .largest_epsilon = largest_epsilon > 0.0 ? largest_epsilon : largest});
  } catch (const ProofStopped& stopped) {
    interrupted = true;
    for (ProofResult* result : {&theorem.q, &theorem.q_after, &theorem.v_after})
      result->reason = stopped.what();
  } catch (const std::domain_error& error) {
    for (ProofResult* result : {&theorem.q, &theorem.q_after, &theorem.v_after})
      result->reason = error.what();
  }
  StudyProof proof{
      .study = study,
      .constants = {},
      .claims = {},
      .steps = theorem.steps,
      .assumed = "the proof in docs/certified.md, Arb, the compiler and IEEE 754 arithmetic",
      .interrupted = interrupted};
  for (const Measure& measure : {Measure{.quantity = Quantity::q, .window = Window::all},
                                 Measure{.quantity = Quantity::q, .window = Window::after},
                                 Measure{.quantity = Quantity::v, .window = Window::after}})
    proof.constants.push_back({measure, *result_of(theorem, measure)});
  for (const ExpectationSpec& expected : study.expectations)
    if (const ProofResult* result = result_of(theorem, expected.measure);
        result != nullptr && expected.order && expected.concerns({law_name, {}}, expected.measure))
      proof.claims.push_back(judged_order(expected, *result));
  for (const BoundSpec& bound : study.bounds)
    if (const ProofResult* result = result_of(theorem, bound.measure);
        result != nullptr && bound.law == law_name &&
        bound.subject == BoundSpec::Subject::model_error)
      proof.claims.push_back(judged_bound(bound, *result, largest));
  return proof;
}

}  // namespace rigidlimit
