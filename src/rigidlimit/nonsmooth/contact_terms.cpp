#include "rigidlimit/nonsmooth/contact_terms.hpp"

#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

struct FactoredRows {
  ContactRows contacts;
  MatrixXd constraints;  ///< [E; W]
  Inertia<double> inertia;
};

FactoredRows factored_rows(const FrictionalSystem& system, const VectorXd& q) {
  const System& smooth = system.smooth;
  FactoredRows all{
      .contacts = {}, .constraints = MatrixXd(smooth.ne + smooth.m, smooth.n), .inertia = {}};
  smooth.in<double>().constraints(q, all.constraints);
  ContactRows& contacts = all.contacts;
  contacts.rows.resize(system.forces(), smooth.n);
  contacts.rows.topRows(smooth.m) = all.constraints.bottomRows(smooth.m);
  MatrixXd normal(system.nc(), smooth.n);
  system.in<double>().normal_rows(q, normal);
  contacts.rows.bottomRows(system.nc()) = normal;
  all.inertia.compute(smooth, q, all.constraints);
  contacts.response = all.inertia.solve(MatrixXd(contacts.rows.transpose()));
  const MatrixXd A = contacts.rows * contacts.response;
  contacts.delassus = 0.5 * (A + A.transpose());
  return all;
}

}  // namespace

ContactRows contact_rows(const FrictionalSystem& system, const VectorXd& q) {
  return factored_rows(system, q).contacts;
}

ContactTerms contact_terms(const FrictionalSystem& system, const VectorXd& q, const VectorXd& v,
                           double t) {
  const System& smooth = system.smooth;
  const Equations<double>& equations = smooth.in<double>();
  FactoredRows all = factored_rows(system, q);
  ContactTerms terms;
  static_cast<ContactRows&>(terms) = std::move(all.contacts);

  VectorXd q_rate(smooth.nq), drift(smooth.ne + smooth.m), force(smooth.n);
  equations.coordinate_rate(q, v, q_rate);
  equations.constraint_drift(q, q_rate, v, drift);
  equations.force(q, v, t, force);
  const VectorXd held =
      -drift.head(smooth.ne) - exact_constraint_recovery * (all.constraints.topRows(smooth.ne) * v);
  terms.acceleration.resize(smooth.n);
  all.inertia.solve(force, held, terms.acceleration);

  VectorXd contact_drift(system.forces()), normal_drift(system.nc());
  system.normal_drift(q, v, normal_drift);
  contact_drift << drift.tail(smooth.m), normal_drift;
  terms.free = terms.rows * terms.acceleration + contact_drift;
  terms.rate = terms.rows * v;
  terms.gap.resize(system.nc());
  system.in<double>().gap(q, terms.gap);
  terms.normal_force.resize(system.nc());
  system.in<double>().normal_force(q, v, t, terms.normal_force);
  for (Index i = 0; i < system.nc(); ++i)
    if (system.contacts[static_cast<std::size_t>(i)].normal != Normal::given)
      terms.normal_force(i) = 0.0;
  return terms;
}

VectorXd restored_rate(const System& system, const VectorXd& q, const VectorXd& v) {
  VectorXd rate(system.nq), restoring(system.nq);
  system.in<double>().coordinate_rate(q, v, rate);
  system.in<double>().restoring_rate(q, restoring);
  return rate + restoring;
}

std::vector<Index> rows_of(const FrictionalSystem& system,
                           const std::vector<ActiveContact>& active) {
  std::vector<Index> rows;
  for (const ActiveContact& one : active) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(one.which)];
    for (Index k = 0; k < contact.components; ++k) rows.push_back(contact.first + k);
  }
  for (const ActiveContact& one : active) rows.push_back(system.smooth.m + one.which);
  return rows;
}

ContactProblem contact_problem_of(const FrictionalSystem& system, const ContactRows& rows,
                                  const VectorXd& free, const VectorXd& given,
                                  const std::vector<ActiveContact>& active,
                                  const VectorXd& compliance) {
  const std::vector<Index> chosen = rows_of(system, active);
  ContactProblem problem{
      .delassus = rows.delassus(chosen, chosen), .free = free(chosen), .contacts = {}};
  if (compliance.size() > 0) problem.compliance = compliance(chosen);
  Index first = 0;
  for (const ActiveContact& one : active) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(one.which)];
    ContactProblem::Contact row{.first = first,
                                .components = contact.components,
                                .friction = contact.friction,
                                .slipping = one.slipping};
    switch (contact.normal) {
      case Normal::given:
        row.normal = ContactProblem::Normal::given;
        row.given_force = given(one.which);
        break;
      case Normal::bilateral: row.normal = ContactProblem::Normal::bilateral; break;
      case Normal::unilateral: row.normal = ContactProblem::Normal::unilateral; break;
    }
    problem.contacts.push_back(row);
    first += contact.components;
  }
  return problem;
}

VectorXd reaction_of_all(const FrictionalSystem& system, const std::vector<ActiveContact>& active,
                         const VectorXd& reaction) {
  VectorXd all = VectorXd::Zero(system.forces());
  all(rows_of(system, active)) = reaction;
  return all;
}

VectorXd forces_of(const FrictionalSystem& system, const VectorXd& reaction) {
  VectorXd forces = reaction;
  forces.head(system.smooth.m) *= -1.0;
  return forces;
}

}  // namespace rigidlimit
