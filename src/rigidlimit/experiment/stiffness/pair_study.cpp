#include "rigidlimit/experiment/stiffness/pair_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/friction/read_friction_study.hpp"
#include "rigidlimit/experiment/friction/run_friction_study.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/pair/problem_options.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/formulations/frictional/frictional_forces.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

const LawInfo& law_info(const RollingStudy& study) {
  return *find_law(study.contact.laws.front());
}

RollingStudy plain(RollingStudy study) {
  if (const std::string refusal = refusal_of(consumers::stiffness, study); !refusal.empty())
    throw InputError(refusal, study.name);
  const LawInfo& law = law_info(study);
  if (!law.has_spring() && law.realisation != Realisation::viscous)
    throw InputError(fmt::format("law = \"{}\" has no contact stiffness or damping to be found; "
                                 "viscoelastic, elastic and viscous have",
                                 law.name),
                     study.name);
  if (study.time.end_only)
    throw InputError("time.grid = \"end\" compares no motions; remove it", study.name);
  study.solvers.rigid.resize(1);
  study.solvers.compliant.resize(1);
  study.expectations.clear();
  study.bounds.clear();
  study.steps.clear();
  study.kept_samples = KeptSamples::none;
  return study;
}

FrictionStudy plain(FrictionStudy study) {
  if (study.epsilons.empty() || study.compares_modes_only())
    throw InputError("compares no motions; it needs [epsilon] and time.compared > 0", study.name);
  if (study.contact.laws.size() > 1)
    throw InputError(
        "contact.friction and contact.tangential_power make several laws, and the search needs one",
        study.name);
  study.solvers.compliant.resize(1);
  study.solvers.moreau_jean.clear();
  study.inequality_draws = 0;
  study.history = {};
  study.expectations.clear();
  study.modes.clear();
  return study;
}

PairErrors errors_of_one(const RollingStudy& study, const RunOptions& options) {
  RollingResult found = run_rolling_study(study, options);
  return {.series = std::move(found.series),
          .no_prediction = std::move(found.no_prediction),
          .failure = found.failures.empty() ? "" : found.failures.front().message};
}

PairErrors errors_of_one(const FrictionStudy& study, const RunOptions& options) {
  FrictionResult found = run_friction_study(study, options);
  PairErrors errors{.series = std::move(found.series),
                    .no_prediction = std::move(found.no_prediction),
                    .failure = {}};
  for (const CompliantSolve& solve : found.solves)
    if (errors.failure.empty() && solve.outcome != Outcome::success) errors.failure = solve.message;
  return errors;
}

constexpr int samples = 100;

Motion rigid_motion(const RollingStudy& study) {
  const double end = study.time.end_at(study.epsilons.front());
  const MotionProblem<OdeProblem> rigid = rigid_eliminated(study.model, rigid_start(study));
  return rigid.motion(
      find_ode_method("radau_iia_5")
          ->solve(rigid.problem, uniform_grid(end, samples + 1), {.rtol = 1e-6, .atol = 1e-8}));
}

Motion rigid_motion(FrictionStudy study) {
  study.epsilons.clear();
  return run_friction_study(study).rigid.motion.motion;
}

/// The mean of |p| of contact i along the motion.
double mean_force(const Motion& rigid, Index row) {
  double sum = 0.0;
  Index count = 0;
  for (const double p : rigid.lambda.row(row))
    if (std::isfinite(p)) {
      sum += std::abs(p);
      ++count;
    }
  return count == 0 ? std::nan("") : sum / static_cast<double>(count);
}

FoundContact contact_at(const RollingStudy& study, double epsilon, const Motion&) {
  const LawInfo& law = law_info(study);
  const LawAt<double> at(law_of(study, law), epsilon);
  return {.rolling = {.stiffness = law.has_spring() ? MatrixXd(at.stiffness / at.deflection_scale)
                                                    : MatrixXd(),
                      .damping = at.damping},
          .frictional = {}};
}

FoundContact contact_at(const FrictionStudy& study, double epsilon, const Motion& rigid) {
  const double none = std::nan("");
  const MatrixXd A = contact_rows(study.model, study.initial.q).delassus;
  FoundContact found;
  Index i = 0;
  for (const CompliantContact& c : compliant_contacts(
           study.model, study.initial, law_of(study, study.contact.laws.front()), epsilon)) {
    const bool creeps = c.sliding_scale > 0.0, presses = c.unilateral >= 0;
    const Index row = study.model.smooth.m + i;
    found.frictional.push_back(
        {.name = study.model.contacts[static_cast<std::size_t>(i)].name,
         .friction = c.friction,
         .normal_force = mean_force(rigid, row),
         .stiffness = creeps ? none : c.stiffness / c.deflection_scale,
         .damping = creeps ? none : c.damping,
         .creep = creeps ? c.sliding_scale : none,
         .normal_stiffness = presses ? c.normal_stiffness / epsilon : none,
         .normal_damping = presses ? c.normal_damping / std::sqrt(A(row, row)) : none});
    ++i;
  }
  return found;
}

ContactTimes times_at(const RollingStudy& study, const FoundContact& contact, const Motion& rigid) {
  const auto rates_at = [&](const VectorXd& q) {
    return contact_rates(delassus(study.model, q), contact.rolling, study.contacts);
  };
  const Eigen::VectorXcd at_start = rates_at(study.initial.q);
  ContactTimes times{.decay = decay_time(at_start),
                     .period = shortest_period(at_start),
                     .largest_step = largest_step_of_order_4(at_start)};
  for (Index k = 0; k < rigid.q.cols(); ++k)
    if (const VectorXd q = rigid.q.col(k); q.allFinite())
      times.largest_step = std::min(times.largest_step, largest_step_of_order_4(rates_at(q)));
  return times;
}

/// Of each row alone, at the start: sliding with the spring and damper, or with the damper μ p/δ of
/// a law that creeps, and the normal spring and damper.
ContactTimes times_at(const FrictionStudy& study, const FoundContact& contact, const Motion&) {
  const MatrixXd A = contact_rows(study.model, study.initial.q).delassus;
  std::vector<std::complex<double>> all;
  const auto add = [&](Index row, double stiffness, double damping) {
    const MatrixXd k = MatrixXd::Constant(1, 1, stiffness), d = MatrixXd::Constant(1, 1, damping);
    for (const auto rate :
         contact_rates(A.block(row, row, 1, 1), {stiffness > 0.0 ? k : MatrixXd(), d},
                       independent_contacts(1)))
      all.push_back(rate);
  };
  for (std::size_t i = 0; i < contact.frictional.size(); ++i) {
    const FrictionalValues& c = contact.frictional[i];
    const ContactPoint& point = study.model.contacts[i];
    for (Index row = point.first; row < point.first + point.components; ++row)
      if (!std::isnan(c.stiffness))
        add(row, c.stiffness, c.damping);
      else if (c.friction * c.normal_force > 0.0)
        add(row, 0.0, c.friction * c.normal_force / c.creep);
    if (!std::isnan(c.normal_stiffness))
      add(study.model.smooth.m + static_cast<Index>(i), c.normal_stiffness, c.normal_damping);
  }
  if (all.empty()) all.emplace_back(0.0);
  const Eigen::VectorXcd rates =
      Eigen::Map<const Eigen::VectorXcd>(all.data(), static_cast<Index>(all.size()));
  return {.decay = decay_time(rates),
          .period = shortest_period(rates),
          .largest_step = largest_step_of_order_4(rates)};
}

std::string compared_law(const RollingStudy& study) {
  return law_info(study).name;
}
std::string compared_law(const FrictionStudy& study) {
  return text_of(study.contact.laws.front());
}

std::string meaning_of_epsilon(const RollingStudy& study) {
  return law_info(study).small_parameter;
}
std::string meaning_of_epsilon(const FrictionStudy& study) {
  return study.contact.laws.front().friction == FrictionalLaw::Friction::projected
             ? "stiffness C/ε^(2κ)"
             : "creep speed δ = creep ε";
}

double end_at(const RollingStudy& study, double epsilon) {
  return study.time.end_at(epsilon);
}
double end_at(const FrictionStudy& study, double /*epsilon*/) {
  return study.time.compared;
}

}  // namespace

PairStudy pair_study_of(const Experiment& experiment) {
  if (const auto study = rigidlimit::rolling_study(experiment)) return *study;
  if (const auto study = friction_study(experiment)) return *study;
  throw InputError("is a sweep or benchmark; the answer needs one study of a pair",
                   experiment.name);
}

std::optional<DiagonalDamping> diagonal_damping_of(const PairStudy& study,
                                                   const FoundContact& contact) {
  const RollingStudy* const rolling = rolling_study(study);
  const MatrixXd& d = contact.rolling.damping;
  if (!rolling || contact.rolling.stiffness.size() == 0 || d.isDiagonal(1e-14)) return std::nullopt;
  const MatrixXd A = delassus(rolling->model, rolling->initial.q);
  const MatrixXd diagonal = d.diagonal().asDiagonal();
  const auto decay = [&](double factor) {
    return (-contact_rates(A, {contact.rolling.stiffness, factor * diagonal}, rolling->contacts)
                 .real())
        .minCoeff();
  };
  // A maximum may be a kink, where a double root parts: the best of a fine grid will do.
  constexpr int points = 400;
  double best = 1.0, largest = decay(1.0);
  for (int k = 0; k <= points; ++k) {
    const double factor = std::pow(10.0, 2.0 * k / points - 1.0);
    if (const double rate = decay(factor); rate > largest) best = factor, largest = rate;
  }
  DiagonalDamping found{.study = *rolling, .damping = best * d.diagonal()};
  found.study.contact.damping_ratio.reset();
  found.study.contact.damping =
      MatrixXd((best * law_of(*rolling, law_info(*rolling)).damping.diagonal()).asDiagonal());
  return found;
}

const std::string& name_of(const PairStudy& study) {
  return std::visit([](const auto& s) -> const std::string& { return s.name; }, study);
}

const std::string& source_of(const PairStudy& study) {
  return std::visit([](const auto& s) -> const std::string& { return s.source; }, study);
}

const SystemEntry& system_of(const PairStudy& study) {
  return std::visit([](const auto& s) -> const SystemEntry& { return *s.system; }, study);
}

const RollingStudy* rolling_study(const PairStudy& study) {
  return std::get_if<RollingStudy>(&study);
}

std::string law_of(const PairStudy& study) {
  return std::visit([](const auto& s) { return compared_law(s); }, study);
}

std::string small_parameter_of(const PairStudy& study) {
  return std::visit([](const auto& s) { return meaning_of_epsilon(s); }, study);
}

std::string resolved_toml(const PairStudy& study) {
  return std::visit([](const auto& s) { return resolved_toml(s); }, study);
}

double end_of(const PairStudy& study, double epsilon) {
  return std::visit([&](const auto& s) { return end_at(s, epsilon); }, study);
}

std::vector<double>& epsilons_of(PairStudy& study) {
  return std::visit([](auto& s) -> std::vector<double>& { return s.epsilons; }, study);
}

PairStudy plain_study(PairStudy study, const std::vector<WantedError>& wanted) {
  return std::visit(
      [&](auto& s) -> PairStudy {
        auto made = plain(std::move(s));
        made.components.clear();
        for (const WantedError& one : wanted)
          if (!one.measure.component.empty()) made.components.push_back(one.measure);
        return made;
      },
      study);
}

PairErrors errors_of(const PairStudy& study, const RunOptions& options) {
  return std::visit([&](const auto& s) { return errors_of_one(s, options); }, study);
}

Motion rigid_motion_of(const PairStudy& study) {
  return std::visit([](const auto& s) { return rigid_motion(s); }, study);
}

FoundContact contact_of(const PairStudy& study, double epsilon, const Motion& rigid) {
  return std::visit([&](const auto& s) { return contact_at(s, epsilon, rigid); }, study);
}

ContactTimes times_of(const PairStudy& study, const FoundContact& contact, const Motion& rigid) {
  return std::visit([&](const auto& s) { return times_at(s, contact, rigid); }, study);
}

}  // namespace rigidlimit
