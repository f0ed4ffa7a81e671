#include "rigidlimit/experiment/rolling/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/comparison.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/plan/solve_plan.hpp"
#include "rigidlimit/experiment/proof/certified_pair.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/composite.hpp"

namespace rigidlimit {

namespace {

/// Rounding of a λ that vanishes: the force that changes the momentum by its rounding in one
/// interval.
double force_rounding(const RollingStudy& study, const PreciseMotion& rigid) {
  const VectorXd q = rigid.rounded.q.col(0), v = rigid.rounded.v.col(0);
  const double speed = v.cwiseAbs().maxCoeff();
  if (!(speed > 0.0)) return 0.0;
  const double kinetic = mechanical_energy(study.model, q, v) -
                         mechanical_energy(study.model, q, VectorXd::Zero(v.size()));
  const double momentum = 2.0 * kinetic / speed;
  return rounding_of(rigid, rigid).v / speed * momentum / rigid.rounded.times.back();
}

/// Rounding of the positions of joints that are evaluated from coordinates: their largest change if
/// each coordinate changes by four units in its last place.
double position_rounding(const RollingStudy& study, const MatrixXd& q) {
  constexpr double share = 1e-9, ulps = 4.0 * std::numeric_limits<double>::epsilon();
  const System& system = study.model;
  VectorXd here(system.np), there(system.np);
  double largest = 0.0;
  for (Index k = 0; k < q.cols() && system.np > 0; ++k) {
    system.in<double>().positions(q.col(k), here);
    VectorXd change = VectorXd::Zero(system.np);
    for (Index i = 0; i < q.rows(); ++i) {
      VectorXd moved = q.col(k);
      moved(i) += share * std::abs(moved(i));
      system.in<double>().positions(moved, there);
      change += (there - here).cwiseAbs();
    }
    if (system.np > 0) largest = std::max(largest, change.maxCoeff());
  }
  return ulps / share * largest;
}

/// ‖first − second solve‖ as a fraction of the error of the first, for an ideal method: 1 − θ with
/// tolerances × θ, 1 − 2^(−p) with half the step size, p the order, and 1 with one more order of an
/// expansion.
double share_of_difference(const RollingStudy& study, const OdeMethod& method) {
  if (method.function == solve_composite_6) return 1.0;
  if (study.solvers.steps == 0) return 1.0 - study.solvers.tighten;
  return 1.0 - std::ldexp(1.0, -method.order);
}

}  // namespace

std::vector<Measure> measures_of(const RollingStudy& study) {
  std::vector<Measure> measures =
      measures_of(quantities_of(study.system->info), rolling_norms, rolling_windows);
  measures.insert(measures.end(), study.components.begin(), study.components.end());
  return measures;
}

std::string comparison_settings(const RollingStudy& study) {
  std::string words =
      fmt::format("after={} against={}{} tighten={}", study.after, name_of(study.against),
                  study.composite_order ? fmt::format(" order={}", *study.composite_order) : "",
                  study.solvers.tighten);
  if (study.solvers.certified) words += " certified";
  for (const Measure& m : study.components)
    words += fmt::format(" component={}[{}] {} {}", name_of(m.quantity), m.row, name_of(m.norm),
                         name_of(m.window));
  return words;
}

Motion distance_from_reference(const Solves& solves, const JudgedRigid& rigid) {
  const RigidMotion& judged = solves.rigid[rigid.solve].result;
  const RigidMotion& reference = solves.rigid[rigid.reference].result;
  const bool known = judged.outcome == Outcome::success && reference.outcome == Outcome::success;
  return known ? difference(judged.motion, reference.motion) : Motion{};
}

namespace {

/// Data common to the comparisons of one pair with several rigid motions.
struct OnGrid {
  const std::vector<double>& times;  ///< of the ε of the pair
  Interpolation between;             ///< from Solves::times
  Windows windows;                   ///< with the crossings of the compliant motion
  DifferenceCurve leading;  ///< predicted leading terms on [0, T]; without times if there are none
  DifferenceCurve after;    ///< the same on the window "after"
  std::optional<EnclosedPair> proved;  ///< of a certified study
};

/// Predicted terms in both windows; without times if there are none.
std::pair<Motion, Motion> leading_motions(const RollingStudy& study, const Solves& solves,
                                          const CompliantPair& pair) {
  const std::vector<double>& times = solves.grids[pair.epsilon];
  const double epsilon = study.epsilons[pair.epsilon];
  if (solves.series)
    return {solves.series->remainder(epsilon, times),
            solves.series->remainder(epsilon, times, study.after)};
  const PredictedTerms& predicted = solves.predicted.find(law_of_pair(study, pair).name)->second;
  if (!predicted.terms || study.composite_order) return {};
  return {predicted.terms->at(epsilon, times, times.front()),
          predicted.terms->at(epsilon, times, study.after)};
}

Comparison against(const RollingStudy& study, const Solves& solves, std::size_t judged,
                   const OnGrid& there, const CompliantPair& pair, const RunOptions& options) {
  const std::vector<double>& times = there.times;
  const RigidMotion& rigid = solves.rigid[solves.judged[judged].solve].result;
  Differences d;
  PreciseMotion model;
  if (rigid.outcome == Outcome::success) {
    const PreciseMotion there_rigid = interpolated(rigid.motion, there.between, times);
    model = solves.series ? precise_difference(pair.base.motion, there_rigid)
                          : PreciseMotion(difference(pair.base.motion, there_rigid));
    d.model = model.rounded;
    d.rounding = rounding_of(pair.base.motion, rigid.motion);
    d.rounding.lambda = std::max(d.rounding.lambda, force_rounding(study, rigid.motion));
    if (!law_of_pair(study, pair).has_spring())
      d.rounding.gap = position_rounding(study, pair.base.motion.rounded.q);
  }
  if (is_finished(pair.tighter.outcome))
    d.solver = difference(pair.base.motion, pair.tighter.motion);
  if (const Motion& off = solves.off_reference[judged]; !off.times.empty())
    d.reference = interpolated(off, there.between, times);
  if (study.composite_order && (!solves.series || rigid.outcome != Outcome::success)) {
    d.model = Motion{};
  } else if (solves.series) {
    const double epsilon = study.epsilons[pair.epsilon];
    d.model = difference(model, solves.series->deviation(epsilon, times));
    const TermSizes own = solves.series->rounding(epsilon);
    d.rounding.q += own.q;
    d.rounding.v += own.v;
    d.rounding.lambda += own.lambda;
    d.rounding.gap += own.gap;
  }
  const ErrorMeasures errors(std::move(d), there.windows,
                             share_of_difference(study, method_of_pair(study, pair)),
                             options.stop_requested);
  const std::vector<Measure> measures = measures_of(study);
  Comparison comparison = compared(errors, measures, [&](Window window) -> const DifferenceCurve& {
    return window == Window::after ? there.after : there.leading;
  });
  if (there.proved && rigid.outcome == Outcome::success && is_finished(pair.base.outcome)) {
    const CertifiedDistances distances(*there.proved, pair.base.motion, rigid.motion,
                                       there.windows);
    for (std::size_t k = 0; k < comparison.sizes.size(); ++k)
      comparison.sizes[k].proved = distances.sizes(measures[k]);
  }
  return comparison;
}

/// The enclosed motions of a certified study, and CompliantPair::enclosure.
std::optional<EnclosedPair> enclosed(const RollingStudy& study, CompliantPair& pair,
                                     const RunOptions& options) {
  if (!study.solvers.certified || !law_of_pair(study, pair).is_viscoelastic()) return std::nullopt;
  const double epsilon = study.epsilons[pair.epsilon];
  try {
    EnclosedPair motions = certified_pair(study, epsilon, options);
    pair.enclosure = report_on(motions, epsilon);
    return motions;
  } catch (const std::domain_error& error) {
    pair.enclosure = {.epsilon = epsilon, .reason = error.what()};
    return std::nullopt;
  }
}

}  // namespace

void compare(const RollingStudy& study, const Solves& solves, CompliantPair& pair,
             const RunOptions& options) {
  if (pair.tighter.outcome == Outcome::success) pair.energy = pair.tighter.energy.sizes();
  if (!is_finished(pair.base.outcome)) return;
  auto [leading, after] = leading_motions(study, solves, pair);
  const std::vector<double>& times = solves.grids[pair.epsilon];
  Windows windows = solves.windows;
  for (const CompliantEvent& event : pair.base.events) windows.breaks.push_back(event.t);
  const OnGrid there{
      .times = times,
      .between = Interpolation(solves.times, times),
      .windows = windows,
      .leading = DifferenceCurve(std::move(leading), windows, options.stop_requested),
      .after = DifferenceCurve(std::move(after), windows, options.stop_requested),
      .proved = enclosed(study, pair, options)};
  for (std::size_t k = 0; k < solves.judged.size(); ++k)
    pair.against.push_back(against(study, solves, k, there, pair, options));
}

}  // namespace rigidlimit
