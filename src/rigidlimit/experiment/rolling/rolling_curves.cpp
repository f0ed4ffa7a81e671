#include "rigidlimit/experiment/rolling/rolling_curves.hpp"

#include <cmath>
#include <utility>

#include "rigidlimit/core/stop_request.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

MatrixXd sliding_along(const System& system, const PreciseMotion& motion) {
  MatrixXd sliding(system.m, motion.rounded.q.cols());
  for (Index k = 0; k < sliding.cols(); ++k) sliding.col(k) = sliding_at(system, motion, k);
  return sliding;
}

MatrixXd energy_error(const System& system, const Motion& motion, const VectorXd& work) {
  MatrixXd error(1, motion.q.cols());
  const double start = mechanical_energy(system, motion.q.col(0), motion.v.col(0));
  for (Index k = 0; k < motion.q.cols(); ++k)
    error(k) = mechanical_energy(system, motion.q.col(k), motion.v.col(k)) - start - work(k);
  return error;
}

void add_rigid(const RollingStudy& study, const Solves& solves, const JudgedRigid& judged,
               std::vector<Curve>& curves) {
  const RigidSolve& solve = solves.rigid[judged.solve];
  if (solve.result.outcome != Outcome::success) return;
  const Motion& motion = solve.result.motion.rounded;
  Curve curve{"rigid", "", solve.solver->name, std::nan(""), "sliding", grid_hash(solves.times),
              {}};
  curve.values = sliding_along(study.model, solve.result.motion);
  curves.push_back(curve);
  curve.name = "energy_error";
  curve.values = energy_error(study.model, motion, solves.rigid_work);
  curves.push_back(std::move(curve));
}

void add_compliant(const RollingStudy& study, const Solves& solves, const CompliantPair& pair,
                   std::vector<Curve>& curves) {
  Curve curve{"compliant",
              law_of_pair(study, pair).name,
              study.solvers.compliant[pair.solver],
              study.epsilons[pair.epsilon],
              "sliding",
              grid_hash(solves.grids[pair.epsilon]),
              {}};
  if (pair.base.outcome == Outcome::success) {
    curve.values = sliding_along(study.model, pair.base.motion);
    curves.push_back(curve);
  }
  if (const CompliantMotion& tighter = pair.tighter;
      tighter.outcome == Outcome::success && tighter.energy.mechanical.size() > 0) {
    curve.name = "energy_defect";
    curve.values = tighter.energy.defect().transpose();
    curves.push_back(std::move(curve));
  }
}

void add_predicted(const RollingStudy& study, const Solves& solves, const std::string& law,
                   std::size_t e, std::vector<Curve>& curves) {
  const auto found = solves.predicted.find(law);
  if (found == solves.predicted.end() || !found->second.terms) return;
  const LeadingTerms& terms = *found->second.terms;
  const double epsilon = study.epsilons[e];
  const std::vector<double>& times = solves.grids[e];
  const std::string grid = grid_hash(times);
  const auto add = [&](const std::string& prefix, const Motion& motion) {
    for (const Quantity quantity : quantities_of(study.system->info))
      curves.push_back({"predicted", law, "", epsilon, prefix + name_of(quantity), grid,
                        values_of(motion, quantity)});
  };
  add("", terms.at(epsilon, times, times.front()));
  add("composite.", terms.known(epsilon, times));
}

}  // namespace

std::vector<Curve> curves_of(const RollingStudy& study, const Solves& solves,
                             const PairTasks& pairs) {
  std::vector<Curve> curves;
  for (const JudgedRigid& judged : solves.judged) add_rigid(study, solves, judged, curves);
  if (study.kept_samples == KeptSamples::none) return curves;  // their times are not stored
  try {
    for (const std::size_t e : drawn_epsilons(study.epsilons.size()))
      for (std::size_t law = 0; law < study.contact.laws.size(); ++law) {
        add_compliant(study, solves, pairs.find(law, 0, e), curves);
        add_predicted(study, solves, study.contact.laws[law], e, curves);
      }
  } catch (const Stopped&) {  // the terms of a contact that rings take long: the rows are kept
  }
  return curves;
}

}  // namespace rigidlimit
