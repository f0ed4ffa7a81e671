#include "rigidlimit/experiment/rolling/compliant_side.hpp"

#include <fmt/format.h>

#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/experiment/rolling/contact_data.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {
namespace {

/// The columns of both formulations begin with (q, v, η), and G v follows in adapted variables. In
/// natural variables G v = G(q) v, and λ = C η + (D/ε) G v needs one more term of q and v.
TruncatedExpansion expanded_states(const SeriesExpansion<double>& expansion, bool adapted,
                                   double epsilon, const std::vector<double>& times, int order) {
  const auto columns = [adapted](const CompliantStates<double>& x) {
    const Index parts[] = {x.q.rows(), x.v.rows(), x.eta.rows(), adapted ? x.w.rows() : 0};
    MatrixXd all(parts[0] + parts[1] + parts[2] + parts[3], x.q.cols());
    all << x.q, x.v, x.eta, x.w.topRows(parts[3]);
    return all;
  };
  CompliantStates<double> states = expansion.states(epsilon, times, 0, order);
  const CompliantStates<double> next = expansion.states(epsilon, times, order + 1, order + 1);
  if (!adapted) {
    states.q += next.q;
    states.v += next.v;
  }
  return {.states = columns(states), .omitted = columns(next).cwiseAbs().rowwise().maxCoeff()};
}

/// OdeProblem::expansion of the compliant problem; empty: the motion of the law has no expansion.
std::function<TruncatedExpansion(const std::vector<double>&, int)> expansion_of(
    const RollingStudy& study, const LawInfo& info, Formulation formulation, double epsilon) {
  if (!info.is_viscoelastic() || study.contact.damping_exponent != 1.0 || study.model.switches)
    return {};
  return [model = study.model, start = study.initial, law = law_of(study, info),
          eta0 = initial_deflection(study), formulation,
          epsilon](const std::vector<double>& times, int order) {
    const SeriesExpansion<double> expansion(model, start, law, eta0, order + 1, times.back());
    return expanded_states(expansion, formulation == Formulation::adapted, epsilon, times, order);
  };
}

}  // namespace

MotionProblem<OdeProblem> compliant_problem(const RollingStudy& study, const LawInfo& info,
                                            Formulation formulation, double epsilon) {
  const ViscoelasticLaw law = law_of(study, info);
  if (info.realisation)
    return realised(study.model, study.initial, *info.realisation, law.damping, epsilon);
  const VectorXd eta0 = initial_deflection(study);
  auto motion = formulation == Formulation::adapted
                    ? compliant_adapted(study.model, study.initial, law, epsilon, eta0)
                    : compliant_ode(study.model, study.initial, law, epsilon, eta0);
  motion.problem.expansion = expansion_of(study, info, formulation, epsilon);
  return motion;
}

std::string refusal_of(const RollingStudy& study, const LawInfo& law, const std::string& solver) {
  const OdeMethod& method = *find_ode_method(solver);
  if (!needs_a_form(method)) return "";
  const MatrixXd one = MatrixXd::Identity(study.model.m, study.model.m);
  const ViscoelasticLaw unit{.stiffness = one, .damping = one};
  const VectorXd eta0 = VectorXd::Zero(study.model.m);
  const bool adapted = study.solvers.settings_of(solver).formulation == Formulation::adapted;
  auto specimen = law.realisation ? realised(study.model, study.initial, *law.realisation, one, 1.0)
                  : adapted       ? compliant_adapted(study.model, study.initial, unit, 1.0, eta0)
                                  : compliant_ode(study.model, study.initial, unit, 1.0, eta0);
  specimen.problem.expansion =
      expansion_of(study, law, study.solvers.settings_of(solver).formulation, 1.0);
  const std::string refusal = refusal_of(method, specimen.problem);
  if (refusal.empty()) return "";
  return fmt::format(
      "{} {} ({}, law {}{})", solver, refusal, study.system->info.name, law.name,
      law.realisation ? "" : fmt::format(", {} variables", adapted ? "adapted" : "natural"));
}

SolveOptions solve_options(const RollingStudy& study, Tolerance tolerance,
                           const std::function<bool()>& stop_requested) {
  SolveOptions options;
  options.rtol = tolerance.rtol;
  options.atol = tolerance.atol;
  options.max_steps = study.solvers.max_steps;
  options.stop_requested = stop_requested;
  return options;
}

}  // namespace rigidlimit
