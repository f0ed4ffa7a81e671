// The theorem of a rolling study, and its claims judged by it.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/certify/pair_proof.hpp"
#include "rigidlimit/experiment/pair/problem_options.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"

namespace rigidlimit {

/// One constant: sup |error| = K ε² up to K₃ ε³ for all ε ≤ ε₀.
struct ProvedConstant {
  Measure measure;
  ProofResult result;
};

enum class ProofState { proved, open, refuted };

const char* name_of(ProofState state);  ///< "proved", "open", "refuted"

/// A claim of the study: an order, a ratio, a bound, a growth of steps.
struct ProvedClaim {
  std::string text;  ///< "q sup all: order 2"
  ProofState state = ProofState::open;
  std::string reason{};
};

/// A value of ε₀ that was tried.
struct TriedEpsilon {
  double epsilon = 0.0;
  double seconds = 0.0;  ///< by the clock
  int proved = 0;        ///< theorems that it gave, of three
  std::string reason{};  ///< why one is still open; empty: all are proved
};

struct StudyProof {
  RollingStudy study;
  std::vector<ProvedConstant> constants;
  std::vector<ProvedClaim> claims;
  int steps = 0;                      ///< of the enclosed rigid motion
  std::string assumed;                ///< what the theorem relies on
  std::vector<TriedEpsilon> tried{};  ///< in their order; empty: the rigid motion was not enclosed

  bool interrupted = false;

  bool proves_something() const;
};

/// The law of the theorem.
inline constexpr const char* law_of_theorem = "viscoelastic";

/// Why no theorem for all ε holds for a study; empty: there may be one.
std::string obstacle_to_theorem(const ProblemConsumer& consumer, const RollingStudy& study);

/// The theorem about this number; nullptr: there is none.
const ErrorTheorem* theorem_of(const StudyProof& proof, const Measure& measure);

/// The bound on its interval of ε; without an end, up to the largest ε of the study.
ProvedClaim judged_for_all(const StudyProof& proof, const BoundSpec& bound);

/// Every claim of the study before a proof: with the reason why no theorem is about it, or without
/// a reason if the proof may decide it.
std::vector<ProvedClaim> claims_before_proof(const RollingStudy& study);

/// The first ε₀ that study_proof() tries: `largest_epsilon`, or if it is 0 the largest of the
/// study.
double first_epsilon(const RollingStudy& study, double largest_epsilon);

/// Proves the constants of q and v for all ε up to `largest_epsilon` (0: the largest of the study),
/// and judges every claim of the study: a claim that no theorem is about is open. An order is
/// refuted if another one is proved. A bound K ε^p is proved or refuted on all of its interval, not
/// at the ε of the study only.
///
/// RunOptions::on_proof is told the stage: the rigid motion, then each ε₀ with its number among
/// those that may be tried and the seconds spent so far. A stopped proof has what was tried.
///
/// Throws InputError for a study with an option that the consumer does not cover, or with dependent
/// contact rows whose dependence is no identity of the equations.
StudyProof study_proof(const ProblemConsumer& consumer, const RollingStudy& study,
                       double largest_epsilon, const RunOptions& options = {});

}  // namespace rigidlimit
