#include "rigidlimit/experiment/pair/compliant_side.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/compliant/adapted.hpp"
#include "rigidlimit/formulations/compliant/compliant.hpp"
#include "rigidlimit/formulations/piecewise.hpp"
#include "rigidlimit/mechanics/closed_joints.hpp"
#include "rigidlimit/mechanics/contact_pencil.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/small_factors.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

/// Λ(0) with the internal forces of a spring that starts with `load` (η0).
VectorXd multiplier_for(const RollingStudy& study, const VectorXd& load) {
  const InitialState start = rigid_start(study);
  const auto kkt = solve_kkt<double>(system_at_start(study.model, start), study.contacts, start.q,
                                     start.v, start.t);
  return selected_multiplier(study.contacts, study.contact.stiffness, load, kkt.multiplier);
}

MatrixXd damping_for_ratio(const RollingStudy& study, double ratio) {
  const MatrixXd A = delassus(study.model, study.initial.q);
  const MatrixXd& C = study.contact.stiffness;
  if (!study.contacts.redundant()) return ratio * critical_damping(A, C);
  return (2.0 * ratio * (C.diagonal().array() / A.diagonal().array()).sqrt()).matrix().asDiagonal();
}

}  // namespace

bool is_consistent(const System& system, const InitialState& state) {
  const double sliding = sliding_velocity(system, state).cwiseAbs().maxCoeff();
  return sliding <= 1e-13 * state.v.cwiseAbs().maxCoeff();
}

InitialState rigid_start(const RollingStudy& study) {
  InitialState start = study.initial;
  start.v = projected_velocity<double>(study.model, study.contacts, start.q, start.v);
  return start;
}

ViscoelasticLaw law_of(const RollingStudy& study) {
  const ContactSpec& contact = study.contact;
  ViscoelasticLaw law{.stiffness = contact.stiffness,
                      .damping = contact.damping,
                      .damping_exponent = contact.damping_exponent};
  if (contact.damping_ratio) law.damping = damping_for_ratio(study, *contact.damping_ratio);
  return law;
}

ViscoelasticLaw law_of(const RollingStudy& study, const LawInfo& law) {
  ViscoelasticLaw contact = law_of(study);
  if (!law.has_damper) contact.damping.setZero(study.model.m, study.model.m);
  return contact;
}

std::optional<Ringing> ringing_of(const RollingStudy& study, double epsilon) {
  const MatrixXd A = delassus(study.model, study.initial.q);
  double fastest = 0.0, slowest_decay = std::numeric_limits<double>::infinity();
  for (const std::string& name : study.contact.laws) {
    const LawInfo& info = *find_law(name);
    if (!info.has_spring()) continue;
    const ViscoelasticLaw law = law_of(study, info);
    // With t in units of ε.
    const MatrixXd damping = std::pow(epsilon, 1.0 - law.damping_exponent) * law.damping;
    for (const std::complex<double> s : contact_pencil_rates(A, law.stiffness, damping)) {
      if (!(std::abs(s.imag()) > std::abs(s.real()))) continue;
      fastest = std::max(fastest, std::abs(s.imag()));
      slowest_decay = std::min(slowest_decay, s.real() < 0.0 ? -s.real() : 0.0);
    }
  }
  if (fastest == 0.0) return std::nullopt;
  constexpr double decayed = 18.0;  // exp(−18) = 1.5e-8 of the first amplitude
  return Ringing{.period = 2.0 * std::numbers::pi / fastest * epsilon,
                 .duration = decayed / slowest_decay * epsilon};
}

VectorXd initial_deflection(const RollingStudy& study) {
  const VectorXd unloaded = VectorXd::Zero(study.model.m);
  switch (study.contact.preparation) {
    case ContactSpec::Preparation::given: return study.contact.deflection;
    case ContactSpec::Preparation::prepared:
      return symmetric_solve(study.contact.stiffness, multiplier_for(study, unloaded));
    case ContactSpec::Preparation::unloaded: break;
  }
  return unloaded;
}

bool moves_start(const RollingStudy& study) {
  return study.model.np > 0 && study.contact.preparation == ContactSpec::Preparation::prepared;
}

namespace {

/// The v (n) of least kinetic energy with these rates [E; G] v (ne + m).
template <class T>
VectorX<T> velocity_of_rates(const RollingStudy& study, const VectorX<T>& q,
                             const VectorX<T>& rates) {
  const MatrixX<T> K = kkt_matrix<T>(study.model, study.contacts, q);
  VectorX<T> x = VectorX<T>::Zero(K.rows());
  x.tail(K.rows() - study.model.n) = independent_entries<T>(study.model, study.contacts, rates);
  SmallLu<T> lu;
  lu.compute(K);
  lu.solve_in_place(x);
  return x.head(study.model.n);
}

template <class T>
VectorX<T> rates_at(const System& system, const VectorX<T>& q, const VectorX<T>& v) {
  MatrixX<T> rows(system.ne + system.m, system.n);
  system.in<T>().constraints(q, rows);
  return rows * v;
}

}  // namespace

template <class T>
InitialStateOf<T> compliant_start(const RollingStudy& study, double epsilon,
                                  InitialStateOf<T> start) {
  if (!moves_start(study)) return start;
  const System& model = study.model;
  const VectorX<T> wanted =
      (T(epsilon) * T(epsilon)) * initial_deflection(study).tail(model.np).cast<T>();
  const std::optional<VectorX<T>> q = coordinates_with<T>(model, start.q, wanted);
  if (!q)
    throw InputError(
        fmt::format("at epsilon = {} no start near carries Lambda(0): the joints cannot open by "
                    "eps^2 C^-1 Lambda(0) = [{:.6g}]; use smaller values of epsilon",
                    epsilon, fmt::join(wanted.template cast<double>().eval(), ", ")));
  const VectorX<T> before = rates_at<T>(model, start.q, start.v);
  start.v += velocity_of_rates<T>(study, *q, before - rates_at<T>(model, *q, start.v));
  start.q = *q;
  return start;
}

template InitialStateOf<double> compliant_start(const RollingStudy&, double,
                                                InitialStateOf<double>);
template InitialStateOf<Quad> compliant_start(const RollingStudy&, double, InitialStateOf<Quad>);

StartShift start_shift(const RollingStudy& study, const InitialState& start) {
  if (!moves_start(study)) return {};
  const System& model = study.model;
  const VectorXd opening = initial_deflection(study).tail(model.np);
  StartShift shift{VectorXd(model.nq), VectorXd(model.n)};
  model.in<double>().coordinate_rate(start.q, velocity_of_joints<double>(model, start.q, opening),
                                     shift.q);
  VectorXd drift(model.ne + model.m);
  model.in<double>().constraint_drift(start.q, shift.q, start.v, drift);
  shift.v = velocity_of_rates<double>(study, start.q, -drift);
  return shift;
}

VectorXd multiplier_at_start(const RollingStudy& study) {
  return multiplier_for(study, initial_deflection(study));
}

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
std::function<TruncatedExpansion(const std::vector<double>&, int)> truncated_expansion(
    const RollingStudy& study, const LawInfo& info, Formulation formulation, double epsilon) {
  if (moves_start(study)) return {};  // its start has terms of every order
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
  const InitialState start = compliant_start(study, epsilon, study.initial);
  auto motion = formulation == Formulation::adapted
                    ? compliant_adapted(study.model, start, law, epsilon, eta0)
                    : compliant_ode(study.model, start, law, epsilon, eta0);
  motion.problem.expansion = truncated_expansion(study, info, formulation, epsilon);
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
      truncated_expansion(study, law, study.solvers.settings_of(solver).formulation, 1.0);
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
