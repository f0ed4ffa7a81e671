#include "rigidlimit/contact/contact_laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

using Contact = ContactProblem::Contact;

double normal_violation(const Contact& contact, double p, double u_n, const ContactScales& scale) {
  switch (contact.normal) {
    case ContactProblem::Normal::unilateral:
      return std::abs(std::min(p / scale.reaction, u_n / scale.rate));
    case ContactProblem::Normal::bilateral: return std::abs(u_n) / scale.rate;
    case ContactProblem::Normal::given: return std::abs(p - contact.given_force) / scale.reaction;
  }
  return 0.0;
}

double friction_violation(const Contact& contact, double p, const VectorXd& lambda,
                          const VectorXd& u_t, const ContactScales& scale) {
  const double rim = contact.friction * std::abs(p) / scale.reaction;
  if (contact.slipping) return (lambda / scale.reaction - rim * *contact.slipping).norm();
  VectorXd projected = lambda / scale.reaction + u_t / scale.rate;
  if (projected.norm() > rim) projected *= rim / projected.norm();
  return (lambda / scale.reaction - projected).norm();
}

}  // namespace

ContactScales scales_of(const ContactProblem& problem, const VectorXd& reaction) {
  if (reaction.size() == 0) return {};
  const MatrixXd& A = problem.delassus;
  const double rate = (problem.free.cwiseAbs() + A.cwiseAbs() * reaction.cwiseAbs()).maxCoeff();
  const double mobility = A.diagonal().maxCoeff();
  double force = reaction.cwiseAbs().maxCoeff();
  if (mobility > 0.0) force = std::max(force, rate / mobility);
  return {.rate = rate > 0.0 ? rate : 1.0, .reaction = force > 0.0 ? force : 1.0};
}

double law_violation(const ContactProblem& problem, const VectorXd& reaction) {
  if (!reaction.allFinite()) return std::numeric_limits<double>::infinity();
  const VectorXd rate = problem.delassus * reaction + problem.free;
  const ContactScales scale = scales_of(problem, reaction);
  const Index nc = static_cast<Index>(problem.contacts.size()), m = reaction.size() - nc;
  double largest = 0.0;
  for (Index i = 0; i < nc; ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const double p = reaction(m + i);
    largest = std::max(largest, normal_violation(contact, p, rate(m + i), scale));
    const VectorXd lambda = -reaction.segment(contact.first, contact.components);
    const VectorXd u_t = rate.segment(contact.first, contact.components);
    largest = std::max(largest, friction_violation(contact, p, lambda, u_t, scale));
  }
  return largest;
}

void check_contact_problem(const ContactProblem& problem) {
  const Index nc = static_cast<Index>(problem.contacts.size());
  Index rows = 0;
  for (const Contact& contact : problem.contacts) rows += contact.components;
  const Index size = rows + nc;
  if (problem.delassus.rows() != size || problem.delassus.cols() != size ||
      problem.free.size() != size)
    throw InputError(fmt::format(
        "contact problem: A is {} x {} and b has {} entries, but the {} contacts need {}",
        problem.delassus.rows(), problem.delassus.cols(), problem.free.size(), nc, size));
  if (!problem.delassus.allFinite() || !problem.free.allFinite())
    throw InputError("contact problem: an entry of A or b is not finite");
  if (problem.compliance.size() != 0 &&
      (problem.compliance.size() != size ||
       !(problem.compliance.minCoeff() >= 0.0 && problem.compliance.maxCoeff() > 0.0)))
    throw InputError(
        fmt::format("contact problem: the compliance needs {} entries >= 0, not all 0", size));
  Index next = 0;
  for (Index i = 0; i < nc; ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const auto refuse = [i](const std::string& why) {
      throw InputError(fmt::format("contact {} of the contact problem: {}", i, why));
    };
    if (contact.first != next || contact.components < 0 || contact.components > 2)
      refuse(fmt::format("its {} sliding rows begin at {}: they must be 0 to 2 and begin at {}",
                         contact.components, contact.first, next));
    next += contact.components;
    if (!(contact.friction >= 0.0) || !std::isfinite(contact.friction))
      refuse(fmt::format("friction = {} is not >= 0", contact.friction));
    if (!std::isfinite(contact.given_force))
      refuse(fmt::format("its normal force {} is not finite", contact.given_force));
    if (contact.slipping && (contact.slipping->size() != contact.components ||
                             !(std::abs(contact.slipping->norm() - 1.0) <= 1e-9)))
      refuse("its direction of slipping is not a unit vector of its sliding rows");
  }
}

}  // namespace rigidlimit
