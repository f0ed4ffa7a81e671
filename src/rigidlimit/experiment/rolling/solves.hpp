// The rigid solves of a rolling study, and the common grids of both sides.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "rigidlimit/experiment/pair/compliant_pair.hpp"
#include "rigidlimit/experiment/pair/predicted_terms.hpp"
#include "rigidlimit/experiment/pair/rigid_side.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/formulations/piecewise.hpp"
#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// One rigid motion at its tolerances, on Solves::times.
struct RigidSolve {
  const RigidSolver* solver = nullptr;
  double rtol = 0.0;
  double atol = 0.0;
  RigidMotion result = {};
};

/// A rigid solver of the study and its reference.
struct JudgedRigid {
  std::size_t solve = 0;      ///< index into Solves::rigid
  std::size_t reference = 0;  ///< index into Solves::rigid
};

struct Solves {
  InitialState rigid_start;
  const char* rigid_method = "";           ///< rigid_method_for()
  std::vector<std::vector<double>> grids;  ///< one for each ε
  std::vector<double> times;               ///< of the rigid side (rigid_times)
  /// Crossings of switches by the rigid motion, and the reason if some are unknown because the
  /// motion ends early.
  std::vector<PiecewiseMotion::Crossing> crossings;
  std::string no_crossings;
  std::vector<double> switching_times() const;  ///< s, of the crossings
  VectorXd rigid_work;  ///< ∫ of the power without potential along the rigid motion, on `times`, J
  std::vector<RigidSolve> rigid;
  std::vector<JudgedRigid> judged;
  Windows windows;                    ///< of every comparison
  std::vector<Motion> off_reference;  ///< distance_from_reference() of `judged`, once they are done
  /// By law. Empty until the rigid side is done, and without a use for them.
  std::map<std::string, PredictedTerms, std::less<>> predicted;
  /// Of Against::composite, likewise; nullptr: there is none, for this reason.
  std::shared_ptr<const StudySeries> series;
  std::string no_series;
};

PairAxes axes_of(const RollingStudy& study);
/// Of a pair of axes_of(study).
const LawInfo& law_of_pair(const RollingStudy& study, const CompliantPair& pair);
const OdeMethod& method_of_pair(const RollingStudy& study, const CompliantPair& pair);

/// The positions of up to eight of `count` values of ε, the largest and the smallest among them, of
/// which figures show motions.
std::vector<std::size_t> drawn_epsilons(std::size_t count);
/// Whether figures show the motions: of the first compliant solver, at one of drawn_epsilons().
bool is_drawn(const RollingStudy& study, const CompliantPair& pair);
/// Whether a store keeps the samples of these motions ([output] samples): with `automatic` all if
/// at most `most_whole_pairs` pairs are solved, else those of figures.
bool keeps_motion(const RollingStudy& study, const CompliantPair& pair);
inline constexpr std::size_t most_whole_pairs = 200;

std::vector<SwitchCrossing> switch_crossings(const Solves& solves);
/// The same of a study. Throws InputError if the motion slides along a switch or ends early.
std::vector<SwitchCrossing> switch_crossings(const RollingStudy& study);

/// The rigid solves and all grids; nothing is run but to locate switches.
Solves planned_solves(const RollingStudy& study);

/// A study with at least this many values of ε is an ensemble.
inline constexpr std::size_t least_ensemble = 101;

/// The times of all results that do not depend on ε: rigid motions, their work, the outer terms.
/// The union of the grids of all ε, in which each grid is contained bit by bit. For an ensemble in
/// double the union would have hundreds of thousands of times. There the result is a uniform grid
/// that is fine enough for Interpolation to give the rigid motion from `start` within 1e-12 of its
/// largest entries, or the union if the motion is not smooth enough. `method`: rigid_method_for().
std::vector<double> rigid_times(const RollingStudy& study, const InitialState& start,
                                const std::string& method,
                                const std::vector<std::vector<double>>& grids);

}  // namespace rigidlimit
