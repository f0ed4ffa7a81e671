#include "rigidlimit/experiment/proof/study_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>

#include "rigidlimit/certify/bound_theorem.hpp"
#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/core/departure.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/proof/certified_pair.hpp"

namespace rigidlimit {
namespace {

const ProofResult* result_of(const StudyProof& proof, const Measure& measure) {
  const auto at = std::ranges::find(proof.constants, measure, &ProvedConstant::measure);
  return at == proof.constants.end() ? nullptr : &at->result;
}

/// Why the theorems are not about this error; empty: one is.
std::string why_without_theorem(const Measure& measure) {
  if (!measure.component.empty())
    return "the theorems are about the largest of all components, not about one";
  if (measure.quantity == Quantity::lambda)
    return "the theorems are about q and v, not about the multipliers λ";
  if (measure.quantity == Quantity::gap)
    return "the theorems are about q and v, not about the gap of joints";
  if (measure.norm != Norm::sup) return "the theorems are about the sup norm, not about a mean";
  if (measure.quantity == Quantity::v && measure.window == Window::all)
    return "in the initial layer v has the order 1; the theorem of v is about the window `after`";
  return {};
}

std::string why_without_theorem(const std::string& law) {
  return law == law_of_theorem ? "" : fmt::format("the theorems are not about the law {}", law);
}

/// The error is K ε² + …: of the order 2 if K > 0, else of a higher one.
void judge_order(const Expectation& expected, const ErrorTheorem& theorem, ProvedClaim& claim) {
  const bool is_two = theorem.lower > 0.0, agrees = expected.distance(2.0) <= expected.within;
  claim.reason = is_two ? "the order is 2" : "K may be 0, and then the order is larger than 2";
  if (is_two || (expected.at_least && agrees))
    claim.state = agrees ? ProofState::proved : ProofState::refuted;
}

/// The claim of an expectation about the errors.
ProvedClaim judged_errors(const ExpectationSpec& expected, const ProofResult* result) {
  const bool has_no_kind =
      expected.convergence == Convergence::exact || expected.convergence == Convergence::bounded;
  const std::string measure = text_of(expected.measure);
  ProvedClaim claim{
      .text = expected.at_least
                  ? fmt::format("{}: order at least {:g}", measure, *expected.at_least)
              : expected.order
                  ? fmt::format("{}: order {:g}", measure, *expected.order)
                  : fmt::format("{}: convergence \"{}\"", measure, name_of(expected.convergence))};
  claim.reason = why_without_theorem(expected.law.value_or(law_of_theorem));
  if (claim.reason.empty()) claim.reason = why_without_theorem(expected.measure);
  if (claim.reason.empty() && has_no_kind)
    claim.reason = "no theorem is about an error that is exact or bounded";
  if (!claim.reason.empty() || result == nullptr) return claim;
  if (!result->theorem) {
    claim.reason = result->reason;
    return claim;
  }
  const ErrorTheorem& theorem = *result->theorem;
  switch (expected.convergence) {
    case Convergence::of_order: judge_order(expected.expected_order(), theorem, claim); break;
    case Convergence::none:
      claim.state = ProofState::refuted;
      claim.reason = "the error tends to 0 as ε² or faster";
      break;
    case Convergence::exact:
    case Convergence::bounded: break;
  }
  return claim;
}

/// "error/ε²": the error over the power of a bound K ε^p.
std::string text_of_quotient(double power) {
  if (power == 0.0) return "the error";
  if (power == 1.0) return "error/ε";
  return power == 2.0 ? "error/ε²" : fmt::format("error/ε^{:.6g}", power);
}

/// A number > `limit`, rounded down to as many digits, at least six, as it needs to be above it.
std::string text_above(double x, double limit) {
  int digits = 6;
  std::string text = rounded_down(x, digits);
  while (digits < 17 && !(std::stod(text) > limit)) text = rounded_down(x, ++digits);
  return text;
}

ProvedClaim judged_bound(const BoundSpec& spec, const ProofResult& result, double largest) {
  const auto [from, to] = std::minmax(spec.bound.from, spec.bound.to);
  const bool is_open = std::isinf(to);
  ProvedClaim claim{.text =
                        fmt::format("{}: error ≤ {}", text_of(spec.measure), text_of(spec.bound))};
  if (is_open) claim.text += fmt::format(" for ε ≤ {:g}, the largest of the study", largest);
  if (!result.theorem) {
    claim.reason = result.reason;
    return claim;
  }
  const BoundProof proof = judged({.constant = spec.bound.constant,
                                   .power = spec.bound.power,
                                   .from = from,
                                   .to = is_open ? largest : to},
                                  *result.theorem);
  const std::string where =
      proof.epsilon == 0.0 ? "for ε → 0" : fmt::format("at ε = {:.3g}", proof.epsilon);
  const std::string quotient = text_of_quotient(spec.bound.power);
  const double K = spec.bound.constant;
  switch (proof.state) {
    case BoundProof::State::proved: claim.state = ProofState::proved; break;
    case BoundProof::State::refuted:
      claim.state = ProofState::refuted;
      claim.reason = std::isinf(proof.quotient)
                         ? fmt::format("{} {} grows without limit: the error is K₂ ε² with K₂ > 0",
                                       where, quotient)
                         : fmt::format("{} {} ≥ {} > K = {}", where, quotient,
                                       text_above(proof.quotient, K), K);
      break;
    case BoundProof::State::open:
      claim.reason = fmt::format("{} it is proved that {} ≤ {}, not that it is ≤ K = {}", where,
                                 quotient, rounded_up(proof.quotient, 9), K);
      break;
    case BoundProof::State::beyond:
      claim.reason = fmt::format(
          "the theorem ends at ε = {:g}, and the claim does not; --largest-epsilon asks for more",
          result.theorem->largest_epsilon);
      break;
  }
  return claim;
}

}  // namespace

std::string obstacle_to_theorem(const ProblemConsumer& consumer, const RollingStudy& study) {
  if (std::string refusal = refusal_of(consumer, study); !refusal.empty()) return refusal;
  return obstacle_in_rows(study);
}

const ErrorTheorem* theorem_of(const StudyProof& proof, const Measure& measure) {
  const ProofResult* result = result_of(proof, measure);
  return result != nullptr && result->theorem ? &*result->theorem : nullptr;
}

ProvedClaim judged_for_all(const StudyProof& proof, const BoundSpec& bound) {
  const ProofResult* result =
      bound.law == law_of_theorem && bound.subject == BoundSpec::Subject::model_error
          ? result_of(proof, bound.measure)
          : nullptr;
  if (result != nullptr) return judged_bound(bound, *result, proof.study.epsilons.front());
  const bool of_solver = bound.subject == BoundSpec::Subject::solver_error;
  std::string why =
      of_solver ? "the theorems are about the model error" : why_without_theorem(bound.law);
  if (why.empty()) why = why_without_theorem(bound.measure);
  return {.text = fmt::format("{}: {} ≤ {}", text_of(bound.measure),
                              of_solver ? "solver error" : "error", text_of(bound.bound)),
          .reason = std::move(why)};
}

namespace {

std::vector<ProvedConstant> constants_of(const PairTheorem& theorem) {
  return {{{.quantity = Quantity::q, .window = Window::all}, theorem.q},
          {{.quantity = Quantity::q, .window = Window::after}, theorem.q_after},
          {{.quantity = Quantity::v, .window = Window::after}, theorem.v_after}};
}

/// Every claim of the study, in the order of the file.
std::vector<ProvedClaim> judged_claims(const StudyProof& proof) {
  const RollingStudy& study = proof.study;
  std::vector<ProvedClaim> claims;
  for (const ExpectationSpec& expected : study.expectations) {
    const ProofResult* result = expected.law.value_or(law_of_theorem) == law_of_theorem
                                    ? result_of(proof, expected.measure)
                                    : nullptr;
    if (expected.judges_errors()) claims.push_back(judged_errors(expected, result));
    if (expected.ratio)
      claims.push_back({.text = fmt::format("{}: ratio {:g} of measured and predicted error",
                                            text_of(expected.measure), *expected.ratio),
                        .reason = "the predicted constant is computed without a proof"});
  }
  for (const StepsSpec& steps : study.steps)
    claims.push_back({.text = fmt::format("steps of the law {}", steps.law),
                      .reason = "no theorem is about the work of a solver"});
  for (const BoundSpec& bound : study.bounds) claims.push_back(judged_for_all(proof, bound));
  return claims;
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

std::vector<ProvedClaim> claims_before_proof(const RollingStudy& study) {
  StudyProof proof{.study = study, .constants = constants_of({}), .claims = {}, .assumed = {}};
  return judged_claims(proof);
}

double first_epsilon(const RollingStudy& study, double largest_epsilon) {
  return largest_epsilon > 0.0 ? largest_epsilon : study.epsilons.front();
}

namespace {

/// Why the rigid motion may leave the range of a coordinate; empty: it does not.
std::string departure_of(const RollingStudy& study, const PairTheorem& theorem) {
  for (const VectorXd& q : {theorem.least, theorem.most})
    if (q.size() > 0)
      if (const std::string left = departure(study.system->info.coordinates, {study.initial.t}, q);
          !left.empty())
        return "the rigid motion may leave the range of " + left.substr(0, left.find(' '));
  return {};
}

/// Keeps what was tried, and tells RunOptions::on_proof the stage of the proof.
class TrialRecorder {
 public:
  TrialRecorder(double largest, const RunOptions& options)
      : options_(options), most_(epsilons_to_try(largest).size()) {}

  void begin(double epsilon) {
    current_ = epsilon;
    begin_ = Clock::now();
    const std::string before =
        tried_.empty() ? "" : fmt::format(", {:.3g} s for those before", spent_);
    stage_ = fmt::format("the proof at eps0 = {:g} (value {} of at most {}{})", epsilon,
                         tried_.size() + 1, most_, before);
    tell(0.0);
  }
  void end(int proved, const std::string& reason) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    tried_.push_back({.epsilon = current_, .seconds = seconds, .proved = proved, .reason = reason});
    spent_ += seconds;
    current_ = 0.0;
  }
  /// The proof ends without an answer for the ε₀ that is tried, if any.
  void give_up(const std::string& reason) {
    if (current_ > 0.0) end(0, reason);
  }
  void tell(double part) const {
    if (options_.on_proof) options_.on_proof(stage_, part);
  }
  const std::vector<TriedEpsilon>& tried() const { return tried_; }

 private:
  using Clock = std::chrono::steady_clock;
  const RunOptions& options_;
  std::size_t most_;
  std::string stage_ = "the enclosure of the rigid motion";
  std::vector<TriedEpsilon> tried_;
  Clock::time_point begin_{};
  double current_ = 0.0, spent_ = 0.0;  ///< 0: none is tried; s
};

}  // namespace

StudyProof study_proof(const ProblemConsumer& consumer, const RollingStudy& study,
                       double largest_epsilon, const RunOptions& options) {
  if (const std::string obstacle = obstacle_to_theorem(consumer, study); !obstacle.empty())
    throw InputError("has no theorem: " + obstacle + " (docs/certified.md)");
  const ViscoelasticLaw law = law_of(study);
  PairTheorem theorem;
  TrialRecorder trials(first_epsilon(study, largest_epsilon), options);
  StudyProof proof{
      .study = study,
      .constants = {},
      .claims = {},
      .assumed = "the proof in docs/certified.md, Arb, the compiler and IEEE 754 arithmetic"};
  try {
    ProofQuestion question{
        .pair = motion_pair(study, law.stiffness, law.damping, options, ""),
        .prepared = study.contact.preparation == ContactSpec::Preparation::prepared,
        .after = study.after,
        .largest_epsilon = first_epsilon(study, largest_epsilon),
        .on_begin = [&trials](double epsilon) { trials.begin(epsilon); },
        .on_end = [&trials](const EpsilonTrial& one) { trials.end(one.proved, one.reason); }};
    question.pair.on_part = [&trials](double part) { trials.tell(part); };
    theorem = proved(question);
  } catch (const ProofStopped& stopped) {
    proof.interrupted = true;
    trials.give_up(stopped.what());
    for (ProofResult* result : {&theorem.q, &theorem.q_after, &theorem.v_after})
      result->reason = stopped.what();
  } catch (const std::domain_error& error) {
    trials.give_up(error.what());
    for (ProofResult* result : {&theorem.q, &theorem.q_after, &theorem.v_after})
      result->reason = error.what();
  }
  proof.steps = theorem.steps;
  proof.tried = trials.tried();
  if (const std::string left = departure_of(study, theorem); !left.empty())
    for (ProofResult* result : {&theorem.q, &theorem.q_after, &theorem.v_after})
      *result = {.theorem = {}, .reason = left};
  proof.constants = constants_of(theorem);
  proof.claims = judged_claims(proof);
  return proof;
}

}  // namespace rigidlimit
