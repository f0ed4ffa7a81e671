#include "rigidlimit/contact/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {

namespace {

/// The law at one configuration.
struct Law {
  const FrictionalSystem& system;
  const ContactRows& rows;
  const ImpactOptions& options;
  ZeroBounds zero;
  std::vector<ActiveContact> active;

  /// All solutions of one phase from velocities u, r of all contacts and the modes of the active
  /// ones; `given`: normal impulses.
  std::vector<ContactSolution> phase(const VectorXd& u, const VectorXd* given) const {
    ContactProblem problem = contact_problem_of(system, rows, u, VectorXd::Zero(system.nc()),
                                                active, options.compliance);
    for (std::size_t k = 0; given != nullptr && k < active.size(); ++k) {
      if (problem.contacts[k].normal != ContactProblem::Normal::unilateral) continue;
      problem.contacts[k].normal = ContactProblem::Normal::given;
      problem.contacts[k].given_force = (*given)(active[k].which);
    }
    std::vector<ContactSolution> answers = solve_contact_problem(problem);
    for (ContactSolution& answer : answers)
      answer.reaction = reaction_of_all(system, active, answer.reaction);
    return answers;
  }

  /// Columns: possible changes of r while the contacts keep their modes, and slipping ones their
  /// direction.
  MatrixXd changes_of(const ContactSolution& plastic) const {
    const std::vector<bool> pressed_rows = rows_with_impulse(rows, plastic.reaction);
    const Index forces = plastic.reaction.size();
    MatrixXd changes(forces, 0);
    const auto add = [&](const VectorXd& column) {
      changes.conservativeResize(Eigen::NoChange, changes.cols() + 1);
      changes.rightCols(1) = column;
    };
    for (std::size_t k = 0; k < active.size(); ++k) {
      const ContactPoint& contact = system.contacts[static_cast<std::size_t>(active[k].which)];
      const Index normal = system.smooth.m + active[k].which;
      const double p = plastic.reaction(normal);
      if (plastic.modes[k] == ContactMode::free || !pressed_rows[static_cast<std::size_t>(normal)])
        continue;
      VectorXd pressed = VectorXd::Unit(forces, normal);
      if (plastic.modes[k] == ContactMode::slip)
        pressed.segment(contact.first, contact.components) =
            plastic.reaction.segment(contact.first, contact.components) / p;
      add(pressed);
      for (Index c = 0; plastic.modes[k] == ContactMode::stick && c < contact.components; ++c)
        add(VectorXd::Unit(forces, contact.first + c));
    }
    return changes;
  }

  /// Whether unilateral contacts press, and friction is inside its disc up to rounding of r.
  bool is_admissible(const VectorXd& r, double rounding) const {
    for (const ActiveContact& one : active) {
      const ContactPoint& contact = system.contacts[static_cast<std::size_t>(one.which)];
      const double p = r(system.smooth.m + one.which);
      const double friction = r.segment(contact.first, contact.components).norm();
      if (contact.normal == Normal::unilateral && p < -rounding) return false;
      if (friction > contact.friction * std::abs(p) + rounding) return false;
    }
    return true;
  }

  /// The ends of the segments through the plastic r along which the velocity is constant.
  std::vector<VectorXd> segment_ends(const ContactSolution& plastic) const {
    std::vector<VectorXd> ends;
    const MatrixXd changes = changes_of(plastic);
    const VectorXd& r = plastic.reaction;
    const double size = r.norm(), rounding = 1e-12 * size;
    if (changes.cols() == 0) return ends;
    const MatrixXd still = changes * numerical_kernel(rows.response * changes, 1e-10);
    for (const auto& column : still.colwise())
      for (const double sign : {1.0, -1.0}) {
        const VectorXd way = sign / column.norm() * column;
        double reached = 0.0, beyond = 1e3 * size;  // admissible r are convex
        for (int k = 0; k < 60; ++k) {
          const double middle = 0.5 * (reached + beyond);
          (is_admissible(r + middle * way, rounding) ? reached : beyond) = middle;
        }
        if (reached > 1e-6 * size) ends.emplace_back(r + reached * way);
      }
    return ends;
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
          u(system.smooth.m + one.which) < -zero.speed(system.smooth.m + one.which))
        return false;
    return true;
  }
};

/// e = 1, or no restitution at all, and no friction.
bool is_elastic(const ContactPoint& contact) {
  const bool returns = contact.normal == Normal::bilateral || contact.restitution == 1.0;
  return returns && (contact.components == 0 || contact.friction == 0.0);
}

/// The change of kinetic energy by r: rᵀu_before + ½ rᵀA r = ½ rᵀ(u_before + u_after).
ImpactWork work_of(const Law& law, const VectorXd& u_before, const VectorXd& r) {
  const MatrixXd& A = law.rows.delassus;
  const VectorXd size = r.cwiseAbs();
  return {.change = r.dot(u_before) + 0.5 * r.dot(A * r),
          .rounding = contact_tolerance *
                      (size.dot(u_before.cwiseAbs()) + 0.5 * size.dot(A.cwiseAbs() * size))};
}

/// The restitution phase of a round from `so_far` with the impulses `plastic` before it.
std::vector<Impact> rebounds(const Law& law, const VectorXd& u_before, const Impact& so_far,
                             const VectorXd& plastic) {
  const auto velocities = [&](const VectorXd& r) {
    return VectorXd(u_before + law.rows.delassus * r);
  };
  const bool last = so_far.rounds >= law.options.max_rounds;
  const VectorXd after = so_far.reaction + plastic;
  const VectorXd given = law.returned(plastic);
  std::vector<VectorXd> returned;
  if (last || given.maxCoeff() == 0.0)
    returned.emplace_back(VectorXd::Zero(after.size()));
  else
    for (const ContactSolution& back : law.phase(velocities(after), &given))
      returned.push_back(back.reaction);
  std::vector<Impact> ends;
  for (const VectorXd& back : returned) {
    const bool raises = work_of(law, so_far.rate, plastic + back).raises();
    const VectorXd all = raises ? after : VectorXd(after + back);
    ends.push_back({.velocity = {},
                    .reaction = all,
                    .rate = velocities(all),
                    .rounds = so_far.rounds + 1,
                    .cut = last,
                    .plastic = so_far.plastic || raises,
                    .open = so_far.open});
  }
  return ends;
}

/// The results of one round from `so_far`, admissible or not.
std::vector<Impact> round_from(const Law& law, const VectorXd& u_before, const Impact& so_far) {
  std::vector<Impact> ends;
  for (const ContactSolution& plastic :
       law.phase(u_before + law.rows.delassus * so_far.reaction, nullptr))
    std::ranges::move(rebounds(law, u_before, so_far, plastic.reaction), std::back_inserter(ends));
  const auto less = [](const Impact& a, const Impact& b) {
    return a.reaction.squaredNorm() < b.reaction.squaredNorm();
  };
  if (so_far.rounds > 0 && !ends.empty())
    ends = {*std::min_element(ends.begin(), ends.end(), less)};
  return ends;
}

/// The first round from `start` with the other plastic impulses that have the same velocity. An end
/// of a segment whose restitution would increase the energy is invalid: it is moved closer.
std::vector<Impact> open_rebounds(const Law& law, const VectorXd& u_before, Impact start) {
  start.open = true;
  std::vector<Impact> ends;
  for (const ContactSolution& plastic : law.phase(u_before, nullptr)) {
    if (law.returned(plastic.reaction).maxCoeff() == 0.0) continue;
    for (const VectorXd& other : law.segment_ends(plastic))
      for (double part = 1.0; part > 1e-3; part *= 0.5) {
        const VectorXd r = plastic.reaction + part * (other - plastic.reaction);
        std::vector<Impact> reached = rebounds(law, u_before, start, r);
        if (std::ranges::any_of(reached, &Impact::plastic)) continue;
        std::ranges::move(reached, std::back_inserter(ends));
        break;
      }
  }
  return ends;
}

/// Adds `impact` unless its velocities are already in `known`.
void keep_impact(const Impact& impact, double scale, std::vector<Impact>& known) {
  for (const Impact& other : known)
    if ((other.rate - impact.rate).cwiseAbs().maxCoeff() <= 1e-9 * scale) return;
  known.push_back(impact);
}

}  // namespace

std::vector<bool> rows_with_impulse(const ContactRows& rows, const VectorXd& reaction) {
  const VectorXd size =
      rows.delassus.diagonal().cwiseMax(0.0).cwiseSqrt().cwiseProduct(reaction.cwiseAbs());
  std::vector<bool> with;
  for (const double one : size) with.push_back(one > contact_tolerance * size.maxCoeff());
  return with;
}

std::string elastic_loss(const FrictionalSystem& system, const Impact& impact) {
  if (impact.work.is_zero()) return {};
  std::string names;
  for (const Index i : impact.pressed) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
    if (!is_elastic(contact)) return {};
    names += (names.empty() ? "" : ", ") + contact.name;
  }
  return fmt::format(
      "an elastic impact without friction (contact {}) changes the energy by {:.3g} J, beyond its "
      "rounding of {:.1g} J{}",
      names, impact.work.change, impact.work.rounding,
      impact.cut ? ": a plastic phase ended its rounds" : "");
}

ContactsOfImpact contacts_of_impact(const FrictionalSystem& system, const ContactTerms& terms,
                                    const ZeroBounds& zero) {
  ContactsOfImpact who;
  for (Index i = 0; i < system.nc(); ++i) {
    const Normal normal = system.contacts[static_cast<std::size_t>(i)].normal;
    const bool touches = terms.gap(i) <= zero.gap(i);
    if (normal == Normal::bilateral || touches) who.closed.push_back(i);
    const Index row = system.smooth.m + i;
    if (normal == Normal::unilateral && touches && terms.rate(row) < -zero.speed(row))
      who.closing.push_back(i);
  }
  return who;
}

std::vector<Impact> impacts(const FrictionalSystem& system, const VectorXd& q,
                            const VectorXd& velocity, const std::vector<Index>& closed,
                            const ImpactOptions& options) {
  const ContactRows rows = contact_rows(system, q);
  Law law{.system = system,
          .rows = rows,
          .options = options,
          .zero = zero_bounds(system, rows, q, velocity, 0.0, options.speed_tolerance),
          .active = {}};
  for (const Index i : closed)
    if (system.contacts[static_cast<std::size_t>(i)].normal != Normal::given)
      law.active.push_back({.which = i});
  const VectorXd before = rows.rows * velocity;
  const double scale = std::max(before.cwiseAbs().maxCoeff(), options.speed_tolerance);
  const Impact start{
      .velocity = {}, .reaction = VectorXd::Zero(system.forces()), .rate = before, .rounds = 0};
  std::vector<Impact> ends;
  const auto follow = [&](std::vector<Impact> reached) {
    while (!reached.empty()) {
      std::vector<Impact> next;
      for (const Impact& end : reached)
        keep_impact(end, scale, end.cut || law.admissible(end.rate) ? ends : next);
      reached.clear();
      for (const Impact& so_far : next)
        std::ranges::move(round_from(law, before, so_far), std::back_inserter(reached));
    }
  };
  follow(round_from(law, before, start));
  follow(open_rebounds(law, before, start));
  for (Impact& end : ends) {
    end.work = work_of(law, before, end.reaction);
    const std::vector<bool> with = rows_with_impulse(rows, end.reaction);
    for (Index i = 0; i < system.nc(); ++i)
      if (with[static_cast<std::size_t>(system.smooth.m + i)]) end.pressed.push_back(i);
    end.velocity = velocity + rows.response * end.reaction;
    end.rate = rows.rows * end.velocity;
  }
  return ends;
}

}  // namespace rigidlimit
