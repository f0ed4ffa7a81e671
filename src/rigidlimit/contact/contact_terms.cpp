#include "rigidlimit/contact/contact_terms.hpp"

#include <limits>

#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

ContactRows contact_rows(const FrictionalSystem& system, const VectorXd& q) {
  return contact_terms(system, q, VectorXd::Zero(system.smooth.n), 0.0);
}

ContactTerms contact_terms(const FrictionalSystem& system, const VectorXd& q, const VectorXd& v,
                           double t) {
  const System& smooth = system.smooth;
  ContactTerms terms;
  BalanceTerms& body = terms.body;
  smooth.tapes->contact_balance().terms(t, q, v, body);
  terms.rows = body.rows().bottomRows(system.forces());
  terms.inertia.compute(body.mass(), body.rows().topRows(smooth.ne));
  terms.response = terms.inertia.solve(MatrixXd(terms.rows.transpose()));
  const MatrixXd A = terms.rows * terms.response;
  terms.delassus = 0.5 * (A + A.transpose());

  const VectorXd held =
      -body.drift().head(smooth.ne) - exact_constraint_recovery * body.velocity().head(smooth.ne);
  terms.acceleration.resize(smooth.n);
  terms.inertia.solve(body.force(), held, terms.acceleration);
  terms.free = terms.rows * terms.acceleration + body.drift().tail(system.forces());
  terms.rate = body.velocity().tail(system.forces());
  terms.gap = body.gap();
  terms.normal_force = body.normal_force();
  for (Index i = 0; i < system.nc(); ++i)
    if (system.contacts[static_cast<std::size_t>(i)].normal != Normal::given)
      terms.normal_force(i) = 0.0;
  return terms;
}

VectorXd gap_roundings(const FrictionalSystem& system, const ContactRows& rows, const VectorXd& q) {
  constexpr double unit = std::numeric_limits<double>::epsilon();
  if (system.smooth.nq != system.smooth.n)
    return VectorXd::Constant(system.nc(), unit * q.cwiseAbs().maxCoeff());
  return unit *
         (rows.rows.bottomRows(system.nc()) * q.asDiagonal()).cwiseAbs().rowwise().maxCoeff();
}

ZeroBounds zero_bounds(const FrictionalSystem& system, const ContactRows& rows, const VectorXd& q,
                       const VectorXd& v, double gap_tolerance, double speed_tolerance) {
  constexpr double roundings = 16.0;
  constexpr double unit = std::numeric_limits<double>::epsilon();
  const VectorXd speeds = unit * (rows.rows * v.asDiagonal()).cwiseAbs().rowwise().maxCoeff();
  return {.gap = (roundings * gap_roundings(system, rows, q)).cwiseMax(gap_tolerance),
          .speed = (roundings * speeds).cwiseMax(speed_tolerance)};
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
