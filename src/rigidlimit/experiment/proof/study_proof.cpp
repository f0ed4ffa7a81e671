#include "rigidlimit/experiment/proof/study_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/proof/certified_pair.hpp"

namespace rigidlimit {
namespace {

constexpr const char* law_name = "viscoelastic";

const ProofResult* result_of(const StudyProof& proof, const Measure& measure) {
  const auto at = std::ranges::find(proof.constants, measure, &ProvedConstant::measure);
  return at == proof.constants.end() ? nullptr : &at->result;
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

std::string obstacle_to_theorem(const RollingStudy& study) {
  if (std::string obstacle = obstacle_to_proof(study); !obstacle.empty()) return obstacle;
  if (const double beta = study.contact.damping_exponent; beta != 1.0)
    return fmt::format("contact.damping_exponent is {}, and the theorem needs 1", beta);
  if (study.contact.preparation == ContactSpec::Preparation::given)
    return "contact.deflection is given, and the theorem needs an unloaded or prepared spring";
  return {};
}

ProvedClaim judged_for_all(const StudyProof& proof, const BoundSpec& bound) {
  if (const ProofResult* result = result_of(proof, bound.measure))
    return judged_bound(bound, *result, proof.study.epsilons.front());
  return {.text = text_of(bound.measure), .reason = "no theorem is about this number"};
}

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
  if (const std::string obstacle = obstacle_to_theorem(study); !obstacle.empty())
    throw InputError("has no theorem: " + obstacle + " (docs/certified.md)");
  const ViscoelasticLaw law = law_of(study);
  const double largest = study.epsilons.front();
  PairTheorem theorem;
  bool interrupted = false;
  try {
    theorem =
        proved({.pair = motion_pair(study, law.stiffness, law.damping, options.stop_requested),
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
    if (bound.law == law_name && bound.subject == BoundSpec::Subject::model_error &&
        result_of(theorem, bound.measure) != nullptr)
      proof.claims.push_back(judged_for_all(proof, bound));
  return proof;
}

}  // namespace rigidlimit
