// The theorem of a rolling study, and its claims judged by it.
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/certify/pair_proof.hpp"
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

/// An order or a bound of the study.
struct ProvedClaim {
  std::string text;  ///< "q sup all: order 2"
  ProofState state = ProofState::open;
  std::string reason{};
};

struct StudyProof {
  RollingStudy study;
  std::vector<ProvedConstant> constants;
  std::vector<ProvedClaim> claims;
  int steps = 0;        ///< of the enclosed rigid motion
  std::string assumed;  ///< what the theorem relies on

  bool interrupted = false;

  bool proves_something() const;
};

/// Why no theorem for all ε holds for a study; empty: there may be one.
std::string obstacle_to_theorem(const RollingStudy& study);

/// The bound on its interval of ε, at most the largest ε of the study.
ProvedClaim judged_for_all(const StudyProof& proof, const BoundSpec& bound);

/// Proves the constants of q and v for all ε up to `largest_epsilon` (0: the largest of the study),
/// and judges the study's orders and bounds of the model error in the sup norm that concern them.
/// An order is refuted if another one is proved. A bound K ε^p is proved or refuted on all of its
/// interval, not at the ε of the study only.
///
/// Throws InputError for a study to which the theorem does not apply: another law, β ≠ 1, switches,
/// a given deflection, a tangent lift, a composite.
StudyProof study_proof(const RollingStudy& study, double largest_epsilon,
                       const RunOptions& options = {});

}  // namespace rigidlimit
