#include "problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid/rigid_semi_explicit.hpp"
#include "rigidlimit/solvers/catalogue.hpp"
#include "rigidlimit/solvers/radau/radau_iia.hpp"

namespace rigidlimit::python {

namespace {

/// For a unit "m/s", "m": the unit of its integral over time.
std::string integral_unit(const std::string& rate) {
  if (rate.empty() || rate == "1") return rate.empty() ? "" : "s";
  return rate.ends_with("/s") ? rate.substr(0, rate.size() - 2) : rate + " s";
}

/// A study of the same contact from another start, with the damping of the whole study.
std::shared_ptr<const RollingStudy> from_start(const RollingStudy& study, const InitialState& start,
                                               const VectorXd& eta0) {
  auto other = std::make_shared<RollingStudy>(study);
  other->contact.damping = law_of(study).damping;
  other->contact.damping_ratio.reset();
  other->contact.preparation = ContactSpec::Preparation::given;
  other->contact.deflection = eta0;
  other->initial = start;
  other->contacts = contact_basis(study.model, start.q);
  return other;
}

/// Every formulation needs E v = 0 at its start.
void require_exact_rows(const System& model, const VectorXd& q, const VectorXd& v) {
  if (model.ne == 0) return;
  MatrixXd rows(model.ne + model.m, model.n);
  model.in<double>().constraints(q, rows);
  const double violation = (rows.topRows(model.ne) * v).cwiseAbs().maxCoeff();
  if (!(violation <= 1e-10 * (1.0 + v.cwiseAbs().maxCoeff())))
    throw InputError(fmt::format("y0 violates an exact constraint by {:.3g}", violation));
}

}  // namespace

std::shared_ptr<const RollingStudy> rolling_study(const ReadExperiment& read) {
  const Experiment& experiment = read.experiment;
  std::shared_ptr<const RollingStudy> study = rigidlimit::rolling_study(experiment);
  if (!study)
    throw InputError(
        "is a friction study, sweep or benchmark; only a rolling study has these problems",
        experiment.name);
  if (study->model.switches)
    throw InputError("has a force with switches, which no single ODE describes", experiment.name);
  return study;
}

Components components_of(const SystemInfo& info) {
  Components all;
  for (const auto* components : {&info.coordinates, &info.velocities})
    for (const Component& component : *components) {
      all.names.push_back(component.name);
      all.units.push_back(component.unit);
    }
  return all;
}

std::string force_unit(const std::string& velocity) {
  if (velocity == "m/s") return "N";
  if (velocity == "rad/s") return "N m";
  return velocity.empty() ? "" : fmt::format("W/({})", velocity);
}

void add_multipliers(const RollingStudy& study, const std::string& exact,
                     const std::string& contact,
                     const std::function<std::string(const std::string&)>& of_contact,
                     Components& components) {
  for (Index k = 1; k <= study.model.ne; ++k) {
    components.names.push_back(fmt::format("{}{}", exact, k));
    components.units.emplace_back();
  }
  for (const Index row : contact_basis(study.model, study.initial.q).rows) {
    components.names.push_back(fmt::format("{}{}", contact, row + 1));
    components.units.push_back(
        of_contact(study.system->info.contacts.at(static_cast<std::size_t>(row)).unit));
  }
}

Problem::Problem(ProblemData data)
    : data_(std::move(data)), components_(components_of(data_.study->system->info)) {
  const RollingStudy& study = *data_.study;
  if (data_.law) {
    motion_ = compliant_problem(study, *data_.law, Formulation::natural, data_.epsilon);
    if (!data_.law->has_spring()) return;
    for (Index k = 0; k < study.model.m; ++k) {
      components_.names.push_back(fmt::format("eta{}", k + 1));
      components_.units.push_back(
          integral_unit(study.system->info.contacts.at(static_cast<std::size_t>(k)).unit));
    }
  } else if (data_.form == RigidOde::eliminated) {
    motion_ = rigid_eliminated(study.model, data_.start);
  } else {
    MotionProblem<MassProblemOf<double>> rigid = rigid_semi_explicit(study.model, data_.start);
    mass_ = std::move(rigid.problem.mass);
    index_ = std::move(rigid.problem.index);
    motion_ = {std::move(rigid.problem), std::move(rigid.motion)};
    add_multipliers(study, "k", "lambda", force_unit, components_);
  }
}

std::unique_ptr<Problem> Problem::with_start(const VectorXd& y0) const {
  if (mass_.size() > 0)
    throw InputError("the multipliers of this form depend on its start: change that of the study");
  if (y0.size() != ode().y0.size())
    throw InputError(
        fmt::format("y0 has {} components; this problem has {}", y0.size(), ode().y0.size()));
  if (!y0.allFinite()) throw InputError("y0 is not finite");
  const System& model = data_.study->model;
  require_exact_rows(model, y0.head(model.nq), y0.segment(model.nq, model.n));
  ProblemData other = data_;
  other.start = {y0.head(model.nq), y0.segment(model.nq, model.n), data_.start.t};
  VectorXd eta0 = VectorXd::Zero(model.m);
  if (data_.law && data_.law->has_spring()) eta0 = y0.tail(model.m);
  other.study = from_start(*data_.study, other.start, eta0);
  return std::make_unique<Problem>(std::move(other));
}

std::unique_lock<std::mutex> Problem::held() const {
  std::unique_lock lock(use_, std::try_to_lock);
  if (!lock) throw InputError("another thread is using this problem: make one for each thread");
  return lock;
}

VectorXd Problem::rhs(double t, VectorIn y) const {
  VectorXd rate(y.size());
  ode().rhs(t, y, rate);
  return rate;
}

MatrixXd Problem::jacobian(double t, VectorIn y) const {
  if (!ode().jacobian) throw InputError("has no dense Jacobian", ode().name);
  MatrixXd rates(y.size(), y.size());
  ode().jacobian(t, y, rates);
  return rates;
}

void Problem::require(const std::string& method) const {
  std::vector<std::string> known{"radau_iia"};
  if (mass_.size() == 0) known = names_of_ode_methods();
  if (std::ranges::count(known, method) == 0)
    throw InputError(
        fmt::format("'{}' is not a method for this problem{}", method, suggestion(method, known)),
        "method");
  const std::string refusal = refusal_of(*find_ode_method(method), ode());
  if (!refusal.empty()) throw InputError(fmt::format("{} {}", method, refusal), "method");
}

Solved Problem::solve(const std::string& method, const std::vector<double>& times,
                      const SolveOptions& options) const {
  Solution solution;
  if (mass_.size() == 0)
    solution = find_ode_method(method)->solve(ode(), times, options);
  else
    solution = solve_radau_iia(MassProblemOf<double>{ode(), mass_, index_}, times, options, {});
  Motion motion = motion_.motion(solution);
  return {std::move(solution), std::move(motion)};
}

}  // namespace rigidlimit::python
