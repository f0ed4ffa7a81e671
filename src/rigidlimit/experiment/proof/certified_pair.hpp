// Bounds of the model error of a rolling study at one ε, and of the errors of its solvers.
#pragma once

#include <functional>
#include <string>

#include "rigidlimit/certify/enclosed_pair.hpp"
#include "rigidlimit/experiment/judge/difference.hpp"
#include "rigidlimit/experiment/pair/compliant_pair.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"

namespace rigidlimit {

/// Why the motions of a study are not enclosed (docs/certified.md): an option that the enclosures
/// do not cover, or dependent rows. Empty: they may be.
std::string obstacle_to_enclosure(const RollingStudy& study);

/// Why dependent contact rows have no proof: no constant H makes G = H G_I an identity of the
/// equations. Empty: one does, or the rows are independent.
std::string obstacle_in_rows(const RollingStudy& study);

/// The motions of the viscoelastic law and of rolling: a pair without its ε. `proof` describes it
/// for RunOptions::on_proof.
MotionPair motion_pair(const RollingStudy& study, const MatrixXd& stiffness,
                       const MatrixXd& damping, const RunOptions& options,
                       const std::string& proof);

/// Both motions of the viscoelastic law at ε. Throws std::domain_error with the reason if they
/// cannot be enclosed, and ProofStopped.
EnclosedPair certified_pair(const RollingStudy& study, double epsilon, const RunOptions& options);

EnclosureReport report_on(const EnclosedPair& pair, double epsilon);

/// Enclosed motions and solves of them. Keeps references to the enclosed pair and the windows.
class CertifiedDistances {
 public:
  CertifiedDistances(const EnclosedPair& pair, const PreciseMotion& compliant,
                     const PreciseMotion& rigid, const Windows& windows);

  std::optional<ProvedSizes> sizes(const Measure& measure) const;

 private:
  const EnclosedPair& pair_;
  const Windows& windows_;
  DistanceBounds compliant_, rigid_;  ///< of the solves
};

}  // namespace rigidlimit
