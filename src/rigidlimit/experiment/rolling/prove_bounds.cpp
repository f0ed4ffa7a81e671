#include "rigidlimit/experiment/rolling/prove_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/experiment/proof/study_proof.hpp"

namespace rigidlimit {
namespace {

/// The rows that a report speaks of.
const std::vector<Row>* rows_of(const BoundReport& report, const std::vector<Series>& all) {
  const auto at = std::ranges::find_if(all, [&](const Series& series) {
    if (series.rows.empty()) return false;
    const Row& row = series.rows.front();
    return row.law.name == report.spec.law && row.measure == report.spec.measure &&
           row.rigid_solver == report.rigid_solver &&
           row.compliant_solver == report.compliant_solver;
  });
  return at == all.end() ? nullptr : &at->rows;
}

/// A row outside of | error − K ε² | ≤ K₃ ε³ by more than its error bar: the theorem, or the row,
/// is wrong. Empty: there is none.
std::string contradiction(const std::vector<Row>& rows, const ErrorTheorem& theorem) {
  for (const Row& row : rows) {
    if (row.failed() || row.epsilon > theorem.largest_epsilon) continue;
    const double low = theorem.at_least(row.epsilon), high = theorem.at_most(row.epsilon);
    if (row.model_error() + row.floor() < low || row.model_error() - row.floor() > high)
      return fmt::format(
          "the program contradicts itself: the theorem has an error of {} to {} at ε = "
          "{:.4g}, and the row {:.6g} ± {:.0e}. One of the two is wrong; please report it",
          rounded_down(low, 6), rounded_up(high, 6), row.epsilon, row.model_error(), row.floor());
  }
  return {};
}

/// The judgement of the rows, replaced by that of the theorem where the rows allow it.
void combine(const ProvedClaim& claim, const std::string& contradiction,
             BoundJudgement& judgement) {
  const bool has_numbers =
      judgement.state != BoundState::unknown && judgement.state != BoundState::outside;
  if (claim.state == ProofState::proved && judgement.state == BoundState::broken) {
    judgement.reason = "the program contradicts itself: the bound is a theorem for all ε, and " +
                       judgement.reason + ". One of the two is wrong; please report it";
  } else if (!contradiction.empty()) {
    judgement.state = BoundState::broken;
    judgement.reason = contradiction;
  } else if (claim.state == ProofState::refuted) {
    judgement.state = BoundState::broken;
    judgement.reason = claim.reason;
    judgement.worst.reset();  // no row shows it
  } else if (claim.state == ProofState::open) {
    if (judgement.state > BoundState::undecided) return;  // the rows have a graver reason
    judgement.state = BoundState::undecided;
    judgement.reason = "not proved: " + claim.reason;
    judgement.worst.reset();
  } else if (has_numbers) {  // an error bar that is too large to decide decides nothing here
    judgement.state = BoundState::held;
    judgement.reason = "proved for all ε";
  }
}

}  // namespace

bool prove_bounds(const RunOptions& options, RollingResult& result) {
  std::optional<StudyProof> proof;
  for (BoundReport& report : result.bounds) {
    if (report.spec.proof != BoundSpec::Proof::all) continue;
    if (!proof) proof = study_proof(consumers::theorem, result.study, 0.0, options);
    const std::vector<Row>* rows = rows_of(report, result.series);
    const ErrorTheorem* theorem = theorem_of(*proof, report.spec.measure);
    combine(judged_for_all(*proof, report.spec),
            rows != nullptr && theorem != nullptr ? contradiction(*rows, *theorem) : "",
            report.judgement);
    report.proved = report.held();
  }
  return !proof || !proof->interrupted;
}

}  // namespace rigidlimit
