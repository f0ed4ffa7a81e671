#include "rigidlimit/contact/contact_problem.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "rigidlimit/contact/contact_branch.hpp"
#include "rigidlimit/contact/contact_laws.hpp"
#include "rigidlimit/contact/slip_directions.hpp"

namespace rigidlimit {

namespace {

/// Gauss-Seidel sweeps over the contacts, each reaction projected onto its law. Every tenth sweep
/// the modes suggested by r and u are solved exactly (continued_solution()). Empty: none found
/// within `max_sweeps`, although one may exist.
std::optional<ContactSolution> solution_by_projections(const ContactProblem& problem,
                                                       double tolerance, int max_sweeps = 20000);

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
    if (auto answer = continued_solution(problem, guess, tolerance)) return answer;
  }
  return std::nullopt;
}

using Contact = ContactProblem::Contact;

/// About a second of linear systems.
constexpr double most_choices = 1e5;

/// Branches of a contact, modes with more freedom of the reaction first: of equal solutions the
/// first is kept.
std::vector<Branch> branches_of(const Contact& contact) {
  std::vector<double> signs = {1.0};
  if (contact.normal == ContactProblem::Normal::bilateral && contact.friction > 0.0)
    signs.push_back(-1.0);
  if (contact.normal == ContactProblem::Normal::given && contact.given_force < 0.0) signs = {-1.0};
  std::vector<Branch> branches;
  for (const double sign : signs) {
    const Branch slip{.mode = ContactMode::slip, .sign = sign};
    const bool no_friction =
        contact.components == 0 || contact.friction == 0.0 ||
        (contact.normal == ContactProblem::Normal::given && contact.given_force == 0.0);
    if (contact.slipping) {
      branches.push_back(slip);
      branches.back().direction.head(contact.components) = *contact.slipping;
    } else if (no_friction) {
      branches.push_back(slip);
    } else {
      branches.push_back({.mode = ContactMode::stick, .sign = sign});
      for (const double way : {1.0, -1.0}) {
        branches.push_back(slip);
        branches.back().begins = true;
        branches.back().direction(0) = way;
        if (contact.components == 2) break;  // its direction is searched for
      }
    }
  }
  if (contact.normal == ContactProblem::Normal::unilateral)
    branches.push_back({.mode = ContactMode::free});
  return branches;
}

double measure(const ContactProblem& problem, const VectorXd& r) {
  if (problem.compliance.size() == 0) return r.squaredNorm();
  return r.dot(problem.compliance.cwiseProduct(r));
}

/// Adds a solution unless its u is known; of two with the same u, the one of smaller measure is
/// kept.
void keep_answer(const ContactProblem& problem, const std::vector<Branch>& choice,
                 const VectorXd& r, double tolerance, std::vector<ContactSolution>& answers) {
  ContactSolution answer{.reaction = r, .rate = problem.delassus * r + problem.free, .modes = {}};
  for (const Branch& branch : choice) answer.modes.push_back(branch.mode);
  const double near = 1e3 * tolerance * scales_of(problem, r).rate;
  for (ContactSolution& known : answers) {
    if ((known.rate - answer.rate).cwiseAbs().maxCoeff() > near) continue;
    const double before = measure(problem, known.reaction), now = measure(problem, r);
    if (now < before * (1.0 - 1e3 * tolerance)) known = answer;
    return;
  }
  answers.push_back(answer);
}

/// Advances to the next choice of one branch per contact; false at the end.
bool next_choice(const std::vector<std::vector<Branch>>& branches,
                 std::vector<std::size_t>& which) {
  for (std::size_t i = which.size(); i-- > 0;) {
    if (++which[i] < branches[i].size()) return true;
    which[i] = 0;
  }
  return false;
}

double choices_of(const std::vector<std::vector<Branch>>& branches) {
  double choices = 1.0;
  for (const std::vector<Branch>& of_one : branches) choices *= static_cast<double>(of_one.size());
  return choices;
}

/// All solutions with one of these branches for each contact, of which each has at least one.
std::vector<ContactSolution> answers_among(const ContactProblem& problem,
                                           const std::vector<std::vector<Branch>>& branches,
                                           double tolerance) {
  std::vector<ContactSolution> answers;
  std::vector<std::size_t> which(branches.size(), 0);
  do {
    std::vector<Branch> choice(branches.size());
    for (std::size_t i = 0; i < choice.size(); ++i) choice[i] = branches[i][which[i]];
    for (const std::vector<Branch>& directed : with_directions(problem, choice, tolerance))
      if (const auto r = admissible_reaction(problem, directed, tolerance))
        keep_answer(problem, directed, *r, tolerance, answers);
  } while (next_choice(branches, which));
  return answers;
}

/// All solutions for contacts that interact.
std::vector<ContactSolution> coupled_answers(const ContactProblem& problem, double tolerance) {
  std::vector<std::vector<Branch>> branches;
  for (const Contact& contact : problem.contacts) branches.push_back(branches_of(contact));
  if (choices_of(branches) <= most_choices) return answers_among(problem, branches, tolerance);
  std::vector<ContactSolution> answers;
  if (const auto one = solution_by_projections(problem, tolerance)) answers.push_back(*one);
  return answers;
}

/// Groups of interacting contacts: the connected components of A.
std::vector<std::vector<Index>> groups_of(const ContactProblem& problem) {
  const Index nc = static_cast<Index>(problem.contacts.size()), m = problem.free.size() - nc;
  const MatrixXd& A = problem.delassus;
  std::vector<Index> owner(static_cast<std::size_t>(m + nc));
  for (Index i = 0; i < nc; ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    owner[static_cast<std::size_t>(m + i)] = i;
    for (Index k = 0; k < contact.components; ++k)
      owner[static_cast<std::size_t>(contact.first + k)] = i;
  }
  std::vector<Index> group(static_cast<std::size_t>(nc));
  std::iota(group.begin(), group.end(), Index{0});
  for (Index row = 0; row < A.rows(); ++row)
    for (Index col = 0; col < row; ++col) {
      // Round-off of a cancelling sum is not a coupling.
      if (std::abs(A(row, col)) <= 1e-15 * std::sqrt(std::abs(A(row, row) * A(col, col)))) continue;
      const Index a = group[static_cast<std::size_t>(owner[static_cast<std::size_t>(row)])];
      const Index b = group[static_cast<std::size_t>(owner[static_cast<std::size_t>(col)])];
      std::replace(group.begin(), group.end(), a, b);
    }
  std::vector<std::vector<Index>> groups(static_cast<std::size_t>(nc));
  for (Index i = 0; i < nc; ++i)
    groups[static_cast<std::size_t>(group[static_cast<std::size_t>(i)])].push_back(i);
  std::erase_if(groups, [](const auto& members) { return members.empty(); });
  return groups;
}

/// The rows of r of these contacts, in the order of their subproblem.
std::vector<Index> member_rows(const ContactProblem& problem, const std::vector<Index>& members) {
  const Index m = problem.free.size() - static_cast<Index>(problem.contacts.size());
  std::vector<Index> rows;
  for (const Index i : members) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    for (Index k = 0; k < contact.components; ++k) rows.push_back(contact.first + k);
  }
  for (const Index i : members) rows.push_back(m + i);
  return rows;
}

ContactProblem part_of(const ContactProblem& problem, const std::vector<Index>& members) {
  const std::vector<Index> rows = member_rows(problem, members);
  ContactProblem part{
      .delassus = problem.delassus(rows, rows), .free = problem.free(rows), .contacts = {}};
  if (problem.compliance.size() > 0) part.compliance = problem.compliance(rows);
  Index first = 0;
  for (const Index i : members) {
    part.contacts.push_back(problem.contacts[static_cast<std::size_t>(i)]);
    part.contacts.back().first = first;
    first += part.contacts.back().components;
  }
  return part;
}

}  // namespace

std::vector<ContactSolution> solve_contact_problem(const ContactProblem& problem,
                                                   double tolerance) {
  check_contact_problem(problem);
  std::vector<ContactSolution> answers = {
      {.reaction = VectorXd::Zero(problem.free.size()),
       .rate = {},
       .modes = std::vector<ContactMode>(problem.contacts.size(), ContactMode::free)}};
  for (const std::vector<Index>& members : groups_of(problem)) {
    const std::vector<Index> rows = member_rows(problem, members);
    std::vector<ContactSolution> longer;
    for (const ContactSolution& part : coupled_answers(part_of(problem, members), tolerance))
      for (ContactSolution answer : answers) {
        answer.reaction(rows) = part.reaction;
        for (std::size_t k = 0; k < members.size(); ++k)
          answer.modes[static_cast<std::size_t>(members[k])] = part.modes[k];
        longer.push_back(std::move(answer));
      }
    answers = std::move(longer);
  }
  for (ContactSolution& answer : answers)
    answer.rate = problem.delassus * answer.reaction + problem.free;
  return answers;
}

std::vector<ContactSolution> solutions_in_modes(const ContactProblem& problem,
                                                const std::vector<ContactMode>& modes,
                                                double tolerance) {
  std::vector<std::vector<Branch>> branches;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    branches.push_back(branches_of(problem.contacts[i]));
    std::erase_if(branches.back(),
                  [&](const Branch& branch) { return branch.mode != modes[i] || branch.begins; });
  }
  const double choices = choices_of(branches);
  if (choices == 0.0 || choices > most_choices) return {};
  return answers_among(problem, branches, tolerance);
}

const char* name_of(ContactMode mode) {
  switch (mode) {
    case ContactMode::free: return "free";
    case ContactMode::stick: return "stick";
    case ContactMode::slip: return "slip";
  }
  return "unknown";
}

std::string text_of(const std::vector<ContactMode>& modes) {
  std::vector<const char*> names;
  for (const ContactMode mode : modes) names.push_back(name_of(mode));
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace rigidlimit
