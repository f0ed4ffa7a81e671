#include "rigidlimit/nonsmooth/impact.hpp"

#include <algorithm>

namespace rigidlimit {

namespace {

/// The law at one configuration.
struct Law {
  const FrictionalSystem& system;
  const ContactRows& rows;
  const ImpactOptions& options;
  std::vector<ActiveContact> active;

  /// All answers r (of all contacts) of one phase from velocities u; `given`: normal impulses.
  std::vector<VectorXd> phase(const VectorXd& u, const VectorXd* given) const {
    ContactProblem problem = contact_problem_of(system, rows, u, VectorXd::Zero(system.nc()),
                                                active, options.compliance);
    for (std::size_t k = 0; given != nullptr && k < active.size(); ++k) {
      if (problem.contacts[k].normal != ContactProblem::Normal::unilateral) continue;
      problem.contacts[k].normal = ContactProblem::Normal::given;
      problem.contacts[k].given_force = (*given)(active[k].which);
    }
    std::vector<VectorXd> answers;
    for (const ContactSolution& answer : solve_contact_problem(problem))
      answers.push_back(reaction_of_all(system, active, answer.reaction));
    return answers;
  }

  /// e p of each contact (nc).
  VectorXd returned(const VectorXd& reaction) const {
    VectorXd impulse(system.nc());
    for (Index i = 0; i < system.nc(); ++i)
      impulse(i) = system.contacts[static_cast<std::size_t>(i)].restitution *
                   std::max(0.0, reaction(system.smooth.m + i));
    return impulse;
  }

  bool admissible(const VectorXd& u) const {
    for (const ActiveContact& one : active)
      if (system.contacts[static_cast<std::size_t>(one.which)].normal == Normal::unilateral &&
          u(system.smooth.m + one.which) < -options.speed_tolerance)
        return false;
    return true;
  }
};

/// What r does to the kinetic energy: ½ rᵀ(u_before + u_after).
double work_of(const Law& law, const VectorXd& u_before, const VectorXd& r) {
  return r.dot(u_before) + 0.5 * r.dot(law.rows.delassus * r);
}

/// One round from `so_far`: what it ends in, admissible or not.
std::vector<Impact> round_from(const Law& law, const VectorXd& u_before, const Impact& so_far) {
  const auto velocities = [&](const VectorXd& r) {
    return VectorXd(u_before + law.rows.delassus * r);
  };
  const bool last = so_far.rounds >= law.options.max_rounds;
  std::vector<Impact> ends;
  for (const VectorXd& plastic : law.phase(velocities(so_far.reaction), nullptr)) {
    const VectorXd after = so_far.reaction + plastic;
    const VectorXd given = law.returned(plastic);
    std::vector<VectorXd> returned = {VectorXd::Zero(after.size())};
    if (!last && given.maxCoeff() > 0.0) returned = law.phase(velocities(after), &given);
    for (const VectorXd& back : returned) {
      const VectorXd of_round = plastic + back;
      const bool raises = work_of(law, so_far.rate, of_round) > 0.0;
      const VectorXd all = raises ? after : VectorXd(after + back);
      ends.push_back({.velocity = {},
                      .reaction = all,
                      .rate = velocities(all),
                      .rounds = so_far.rounds + 1,
                      .cut = last,
                      .plastic = so_far.plastic || raises});
    }
  }
  const auto less = [](const Impact& a, const Impact& b) {
    return a.reaction.squaredNorm() < b.reaction.squaredNorm();
  };
  if (so_far.rounds > 0 && !ends.empty())
    ends = {*std::min_element(ends.begin(), ends.end(), less)};
  return ends;
}

/// Adds `impact` unless its velocities are known.
void keep(const Impact& impact, double scale, std::vector<Impact>& known) {
  for (const Impact& other : known)
    if ((other.rate - impact.rate).cwiseAbs().maxCoeff() <= 1e-9 * scale) return;
  known.push_back(impact);
}

}  // namespace

ContactsOfImpact contacts_of_impact(const FrictionalSystem& system, const ContactTerms& terms,
                                    double gap_tolerance, double speed_tolerance) {
  ContactsOfImpact who;
  for (Index i = 0; i < system.nc(); ++i) {
    const Normal normal = system.contacts[static_cast<std::size_t>(i)].normal;
    const bool touches = terms.gap(i) <= gap_tolerance;
    if (normal == Normal::bilateral || touches) who.closed.push_back(i);
    if (normal == Normal::unilateral && touches &&
        terms.rate(system.smooth.m + i) < -speed_tolerance)
      who.closing.push_back(i);
  }
  return who;
}

std::vector<Impact> impacts(const FrictionalSystem& system, const VectorXd& q,
                            const VectorXd& velocity, const std::vector<Index>& closed,
                            const ImpactOptions& options) {
  const ContactRows rows = contact_rows(system, q);
  Law law{.system = system, .rows = rows, .options = options, .active = {}};
  for (const Index i : closed)
    if (system.contacts[static_cast<std::size_t>(i)].normal != Normal::given)
      law.active.push_back({.which = i});
  const VectorXd before = rows.rows * velocity;
  const double scale = std::max(before.cwiseAbs().maxCoeff(), options.speed_tolerance);
  std::vector<Impact> ends, open = {{.velocity = {},
                                     .reaction = VectorXd::Zero(system.forces()),
                                     .rate = before,
                                     .rounds = 0}};
  while (!open.empty()) {
    std::vector<Impact> next;
    for (const Impact& so_far : open)
      for (const Impact& end : round_from(law, before, so_far))
        keep(end, scale, end.cut || law.admissible(end.rate) ? ends : next);
    open = std::move(next);
  }
  for (Impact& end : ends) {
    end.velocity = velocity + rows.response * end.reaction;
    end.rate = rows.rows * end.velocity;
  }
  return ends;
}

}  // namespace rigidlimit
