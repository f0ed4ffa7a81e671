#include "rigidlimit/contact/contact_branch.hpp"
#include "rigidlimit/contact/slip_directions.hpp"

namespace rigidlimit {

namespace {

/// The branch of contact i in the known solution.
Branch branch_of(const ContactProblem::Contact& contact, const ContactSolution& known,
                 std::size_t i) {
  const Index m = known.reaction.size() - static_cast<Index>(known.modes.size());
  Branch branch{.mode = known.modes[i]};
  if (known.reaction(m + static_cast<Index>(i)) < 0.0) branch.sign = -1.0;
  if (contact.normal == ContactProblem::Normal::unilateral) branch.sign = 1.0;
  if (branch.mode == ContactMode::slip && contact.components > 0) {
    const VectorXd u_t = known.rate.segment(contact.first, contact.components);
    if (contact.slipping) {
      branch.direction.head(contact.components) = *contact.slipping;
    } else if (contact.friction > 0.0 && u_t.norm() > 0.0) {
      branch.begins = true;
      branch.direction.head(contact.components) = u_t.normalized();
    }
  }
  return branch;
}

}  // namespace

std::optional<ContactSolution> continued_solution(const ContactProblem& problem,
                                                  const ContactSolution& known, double tolerance) {
  std::vector<Branch> choice;
  for (std::size_t i = 0; i < known.modes.size(); ++i)
    choice.push_back(branch_of(problem.contacts[i], known, i));
  const auto directed = directions_near(problem, choice, tolerance);
  if (!directed) return std::nullopt;
  const auto r = admissible_reaction(problem, *directed, tolerance);
  if (!r) return std::nullopt;
  return ContactSolution{
      .reaction = *r, .rate = problem.delassus * *r + problem.free, .modes = known.modes};
}

}  // namespace rigidlimit
