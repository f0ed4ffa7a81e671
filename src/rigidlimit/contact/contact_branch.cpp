#include "rigidlimit/contact/contact_branch.hpp"

#include <cmath>

#include "rigidlimit/contact/contact_laws.hpp"
#include "rigidlimit/contact/least_in_cones.hpp"
#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {

namespace {

using Contact = ContactProblem::Contact;

/// r = R x + r0 and the rows E of a choice.
struct BranchEquations {
  MatrixXd R;
  VectorXd r0;
  std::vector<Index> rows;
};

/// For each unknown the row of u that it makes zero: the normal row for p, its own row for r_t.
std::vector<Index> branch_rows(const ContactProblem& problem, const std::vector<Branch>& choice,
                               Index m) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    if (choice[i].mode == ContactMode::free) continue;
    if (choice[i].mode == ContactMode::stick)
      for (Index k = 0; k < contact.components; ++k) rows.push_back(contact.first + k);
    if (contact.normal != ContactProblem::Normal::given) rows.push_back(m + static_cast<Index>(i));
  }
  return rows;
}

BranchEquations equations_of(const ContactProblem& problem, const std::vector<Branch>& choice) {
  const Index size = problem.free.size(), m = size - static_cast<Index>(choice.size());
  BranchEquations equations{
      .R = {}, .r0 = VectorXd::Zero(size), .rows = branch_rows(problem, choice, m)};
  const Index unknowns = static_cast<Index>(equations.rows.size());
  equations.R = MatrixXd::Zero(size, unknowns);
  for (Index j = 0; j < unknowns; ++j) {
    const Index row = equations.rows[static_cast<std::size_t>(j)];
    equations.R(row, j) = 1.0;
    if (row < m) continue;
    const auto i = static_cast<std::size_t>(row - m);
    const Contact& contact = problem.contacts[i];
    if (choice[i].mode == ContactMode::slip)
      equations.R.col(j).segment(contact.first, contact.components) =
          -contact.friction * choice[i].sign * choice[i].direction.head(contact.components);
  }
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    if (contact.normal != ContactProblem::Normal::given) continue;
    equations.r0(m + static_cast<Index>(i)) = contact.given_force;
    if (choice[i].mode == ContactMode::slip)
      equations.r0.segment(contact.first, contact.components) =
          -contact.friction * std::abs(contact.given_force) *
          choice[i].direction.head(contact.components);
  }
  return equations;
}

/// Below this fraction of the largest pivot of the equilibrated equations, contacts count as
/// redundant: A is known to round-off times the condition of M.
constexpr double rank_threshold = 1e-12;

/// The inequalities of a choice on r = r0 + B y, u = u0 + A B y, in units of the scales.
std::vector<Cone> cones_of(const ContactProblem& problem, const std::vector<Branch>& choice,
                           const BranchReactions& reactions, const ContactScales& scale) {
  const VectorXd u0 = problem.delassus * reactions.particular + problem.free;
  const MatrixXd U = problem.delassus * reactions.internal;
  const MatrixXd& B = reactions.internal;
  const Index m = u0.size() - static_cast<Index>(choice.size());
  std::vector<Cone> cones;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const Index normal = m + static_cast<Index>(i), first = contact.first, k = contact.components;
    const bool unilateral = contact.normal == ContactProblem::Normal::unilateral;
    if (choice[i].mode == ContactMode::free) {
      cones.push_back(
          {U.row(normal) / scale.rate * scale.reaction, u0(normal) / scale.rate, {}, {}});
      continue;
    }
    const double grip = choice[i].sign * contact.friction;
    const Eigen::RowVectorXd pressure = choice[i].sign * B.row(normal);
    const double pressed = choice[i].sign * reactions.particular(normal) / scale.reaction;
    if (choice[i].mode == ContactMode::stick) {
      cones.push_back({grip * B.row(normal), grip * reactions.particular(normal) / scale.reaction,
                       B.middleRows(first, k),
                       reactions.particular.segment(first, k) / scale.reaction});
    } else if (unilateral || contact.friction > 0.0) {
      cones.push_back({pressure, pressed, {}, {}});
    }
    if (choice[i].mode == ContactMode::slip && choice[i].begins) {
      const Eigen::RowVectorXd s = choice[i].direction.head(k).transpose();
      cones.push_back({s * U.middleRows(first, k) / scale.rate * scale.reaction,
                       s.dot(u0.segment(first, k)) / scale.rate,
                       {},
                       {}});
    }
  }
  return cones;
}

}  // namespace

std::optional<BranchReactions> reactions_of(const ContactProblem& problem,
                                            const std::vector<Branch>& choice, double tolerance) {
  BranchEquations equations = equations_of(problem, choice);
  const Index unknowns = equations.R.cols(), size = equations.R.rows();
  BranchReactions reactions{.particular = equations.r0, .internal = MatrixXd(size, 0)};
  if (unknowns == 0) return reactions;
  const MatrixXd AR = problem.delassus * equations.R;
  const VectorXd start = problem.delassus * equations.r0 + problem.free;
  MatrixXd K(unknowns, unknowns);
  VectorXd right(unknowns), weight(unknowns);
  for (Index j = 0; j < unknowns; ++j) {
    const Index row = equations.rows[static_cast<std::size_t>(j)];
    K.row(j) = AR.row(row);
    right(j) = -start(row);
    const double mobility = problem.delassus(row, row);
    weight(j) = mobility > 0.0 ? 1.0 / std::sqrt(mobility) : 1.0;
  }
  K = weight.asDiagonal() * K * weight.asDiagonal();
  right.array() *= weight.array();
  const AllSolutions all = all_solutions(K, right, rank_threshold);
  const VectorXd& x = all.particular;
  const double magnitude = right.cwiseAbs().maxCoeff() + (K.cwiseAbs() * x.cwiseAbs()).maxCoeff();
  if (!x.allFinite() || (K * x - right).cwiseAbs().maxCoeff() > tolerance * magnitude)
    return std::nullopt;
  reactions.particular += equations.R * VectorXd(weight.asDiagonal() * x);
  if (all.kernel.cols() > 0)
    reactions.internal = equations.R * MatrixXd(weight.asDiagonal() * all.kernel);
  return reactions;
}

std::optional<VectorXd> admissible_reaction(const ContactProblem& problem,
                                            const std::vector<Branch>& choice, double tolerance) {
  const std::optional<BranchReactions> reactions = reactions_of(problem, choice, tolerance);
  if (!reactions) return std::nullopt;
  VectorXd r = reactions->particular;
  if (reactions->internal.cols() > 0) {
    const ContactScales scale = scales_of(problem, r);
    VectorXd weight = VectorXd::Ones(r.size());
    if (problem.compliance.size() > 0 && problem.compliance.maxCoeff() > 0.0)
      weight = problem.compliance / problem.compliance.maxCoeff();
    // A negligible part of the identity selects where the measure is semidefinite.
    const VectorXd measure = (weight.array() + 1e-13).matrix();
    const MatrixXd WB = measure.asDiagonal() * reactions->internal;
    const std::optional<VectorXd> y =
        least_in_cones(reactions->internal.transpose() * WB, WB.transpose() * r / scale.reaction,
                       cones_of(problem, choice, *reactions, scale));
    if (!y) return std::nullopt;
    r += reactions->internal * *y * scale.reaction;
  }
  // p and λ of an open contact, and p < 0 from round-off, are kept, so that the laws are checked
  // unmodified.
  if (!(law_violation(problem, r) <= tolerance)) return std::nullopt;
  return r;
}

}  // namespace rigidlimit
