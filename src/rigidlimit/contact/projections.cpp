#include "rigidlimit/contact/projections.hpp"

#include <algorithm>
#include <cmath>

namespace rigidlimit {

namespace {

using Contact = ContactProblem::Contact;

/// r with its u = A r + b.
struct Iterate {
  const MatrixXd& A;
  VectorXd r, u;

  void move(Index row, double to) {
    u += A.col(row) * (to - r(row));
    r(row) = to;
  }
};

/// Stable step of each row: 1/A_ii for the normal, 1/trace for the sliding rows.
double bearable(const MatrixXd& A, Index first, Index count) {
  const double mobility = A.block(first, first, count, count).trace();
  return mobility > 0.0 ? 1.0 / mobility : 0.0;
}

void project(const Contact& contact, Index normal, Iterate& now) {
  const double rho_n = bearable(now.A, normal, 1);
  double p = contact.given_force;
  if (contact.normal != ContactProblem::Normal::given) p = now.r(normal) - rho_n * now.u(normal);
  if (contact.normal == ContactProblem::Normal::unilateral) p = std::max(0.0, p);
  now.move(normal, p);
  if (contact.components == 0) return;
  const double rim = contact.friction * std::abs(p);
  const double rho_t = bearable(now.A, contact.first, contact.components);
  VectorXd r_t = now.r.segment(contact.first, contact.components) -
                 rho_t * now.u.segment(contact.first, contact.components);
  if (contact.slipping) {
    r_t = -rim * *contact.slipping;
  } else if (r_t.norm() > rim) {
    r_t *= rim / r_t.norm();
  }
  for (Index k = 0; k < contact.components; ++k) now.move(contact.first + k, r_t(k));
}

/// The mode suggested by r and u.
ContactMode suggested(const Contact& contact, Index normal, const Iterate& now) {
  if (contact.normal == ContactProblem::Normal::unilateral &&
      !(now.r(normal) - bearable(now.A, normal, 1) * now.u(normal) > 0.0))
    return ContactMode::free;
  const double rim = contact.friction * std::abs(now.r(normal));
  if (contact.slipping || contact.components == 0 || !(rim > 0.0)) return ContactMode::slip;
  const VectorXd r_t = now.r.segment(contact.first, contact.components) -
                       bearable(now.A, contact.first, contact.components) *
                           now.u.segment(contact.first, contact.components);
  return r_t.norm() > rim ? ContactMode::slip : ContactMode::stick;
}

}  // namespace

std::optional<ContactSolution> solution_by_projections(const ContactProblem& problem,
                                                       double tolerance, int max_sweeps) {
  const std::size_t nc = problem.contacts.size();
  const Index m = problem.free.size() - static_cast<Index>(nc);
  Iterate now{.A = problem.delassus, .r = VectorXd::Zero(problem.free.size()), .u = problem.free};
  std::vector<ContactMode> tried;
  for (int sweep = 1; sweep <= max_sweeps; ++sweep) {
    for (std::size_t i = 0; i < nc; ++i)
      project(problem.contacts[i], m + static_cast<Index>(i), now);
    if (sweep % 10 != 0) continue;
    ContactSolution guess{.reaction = now.r, .rate = now.u, .modes = {}};
    for (std::size_t i = 0; i < nc; ++i)
      guess.modes.push_back(suggested(problem.contacts[i], m + static_cast<Index>(i), now));
    // Retries the same modes only after directions of slip have had time to converge.
    if (guess.modes == tried && sweep % 500 != 0) continue;
    tried = guess.modes;
    if (const auto answer = continued_solution(problem, guess, tolerance)) return answer;
  }
  return std::nullopt;
}

}  // namespace rigidlimit
