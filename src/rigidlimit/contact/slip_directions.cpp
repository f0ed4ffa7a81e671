#include "rigidlimit/contact/slip_directions.hpp"

#include <cmath>
#include <numbers>

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {

namespace {

/// A choice with its open directions at these angles.
class Directed {
 public:
  Directed(const ContactProblem& problem, const std::vector<Branch>& choice, double tolerance)
      : problem_(problem), choice_(choice), tolerance_(tolerance) {
    for (std::size_t i = 0; i < choice.size(); ++i)
      if (choice[i].begins && problem.contacts[i].components == 2) open_.push_back(i);
  }

  Index count() const { return static_cast<Index>(open_.size()); }

  /// The angles of the directions of the choice.
  VectorXd angles() const {
    VectorXd angles(count());
    for (std::size_t k = 0; k < open_.size(); ++k)
      angles(static_cast<Index>(k)) =
          std::atan2(choice_[open_[k]].direction(1), choice_[open_[k]].direction(0));
    return angles;
  }

  /// The angles of u_t if these contacts are frictionless; empty: no solution.
  std::optional<VectorXd> frictionless() const {
    std::vector<Branch> choice = choice_;
    for (const std::size_t i : open_) choice[i].direction.setZero();
    const auto u = slip_of(choice);
    if (!u) return std::nullopt;
    VectorXd angles(count());
    for (Index k = 0; k < count(); ++k) angles(k) = std::atan2((*u)(1, k), (*u)(0, k));
    return angles;
  }

  std::vector<Branch> at(const VectorXd& angles) const {
    std::vector<Branch> choice = choice_;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      const double angle = angles(static_cast<Index>(k));
      choice[open_[k]].direction = {std::cos(angle), std::sin(angle)};
    }
    return choice;
  }

  /// u_t of the open contacts, 2 × count; empty if the equations are inconsistent.
  std::optional<MatrixXd> slip_of(const std::vector<Branch>& choice) const {
    const auto reactions = reactions_of(problem_, choice, tolerance_);
    if (!reactions) return std::nullopt;
    const VectorXd u = problem_.delassus * reactions->particular + problem_.free;
    MatrixXd slip(2, count());
    for (std::size_t k = 0; k < open_.size(); ++k)
      slip.col(static_cast<Index>(k)) = u.segment<2>(problem_.contacts[open_[k]].first);
    return slip;
  }

  /// d × u_t of each; NaN where there is none.
  VectorXd across(const VectorXd& angles) const {
    VectorXd across = VectorXd::Constant(count(), std::nan(""));
    if (const auto u = slip_of(at(angles)))
      for (Index k = 0; k < count(); ++k)
        across(k) = std::cos(angles(k)) * (*u)(1, k) - std::sin(angles(k)) * (*u)(0, k);
    return across;
  }

 private:
  const ContactProblem& problem_;
  const std::vector<Branch>& choice_;
  double tolerance_;
  std::vector<std::size_t> open_;
};

/// An offset, so that no interval ends at the zeros of symmetric problems.
constexpr double off_the_axes = 0.0137;

/// The zero of the single d × u_t between two angles with opposite signs. At a pole, some angle
/// near it, which the laws reject.
double bracketed(const Directed& directed, double low, double high, double at_low) {
  for (int i = 0; i < 200 && high - low > 1e-16 * std::abs(high); ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    const double value = directed.across(VectorXd::Constant(1, middle))(0);
    if (std::isnan(value)) return middle;
    if ((value > 0.0) == (at_low > 0.0)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return 0.5 * (low + high);
}

std::vector<VectorXd> angles_of_one(const Directed& directed) {
  constexpr int points = 96;
  std::vector<VectorXd> found;
  double before = directed.across(VectorXd::Constant(1, off_the_axes))(0);
  for (int i = 1; i <= points; ++i) {
    const double low = off_the_axes + 2.0 * std::numbers::pi * (i - 1) / points;
    const double high = off_the_axes + 2.0 * std::numbers::pi * i / points;
    const double now = directed.across(VectorXd::Constant(1, high))(0);
    if ((before > 0.0) != (now > 0.0) && !std::isnan(before) && !std::isnan(now))
      found.push_back(VectorXd::Constant(1, bracketed(directed, low, high, before)));
    before = now;
  }
  return found;
}

/// Newton's method with finite differences and step halving; empty: no convergence.
std::optional<VectorXd> refined(const Directed& directed, VectorXd angles) {
  const Index k = directed.count();
  VectorXd value = directed.across(angles);
  for (int iteration = 0; iteration < 40 && value.allFinite(); ++iteration) {
    MatrixXd slope(k, k);
    constexpr double increment = 1e-7;
    for (Index j = 0; j < k; ++j)
      slope.col(j) =
          (directed.across(angles + increment * VectorXd::Unit(k, j)) - value) / increment;
    const VectorXd step = -LuFactors<double>(slope).solve(value);
    if (!step.allFinite()) return std::nullopt;
    double fraction = std::min(1.0, 0.7 / step.cwiseAbs().maxCoeff());
    VectorXd next = directed.across(angles + fraction * step);
    while (fraction > 1e-3 && !(next.norm() < value.norm())) {
      fraction *= 0.5;
      next = directed.across(angles + fraction * step);
    }
    // No further decrease: either round-off or no solution. The laws are checked later.
    if (!(next.norm() < value.norm())) return angles;
    angles += fraction * step;
    value = next;
  }
  return value.allFinite() ? std::optional(angles) : std::nullopt;
}

std::vector<VectorXd> angles_of_several(const Directed& directed) {
  const int k = static_cast<int>(directed.count());
  std::vector<VectorXd> starts, found;
  if (k > 3) {
    if (const auto start = directed.frictionless()) starts.push_back(*start);
  } else {
    const int each = k == 2 ? 8 : 5, all = k == 2 ? 64 : 125;
    for (int s = 0; s < all; ++s) {
      VectorXd start(k);
      for (int j = 0, rest = s; j < k; ++j, rest /= each)
        start(j) = off_the_axes + 2.0 * std::numbers::pi * (rest % each) / each;
      starts.push_back(start);
    }
  }
  for (const VectorXd& start : starts)
    if (const auto angles = refined(directed, start)) found.push_back(*angles);
  return found;
}

}  // namespace

std::vector<std::vector<Branch>> with_directions(const ContactProblem& problem,
                                                 const std::vector<Branch>& choice,
                                                 double tolerance) {
  const Directed directed(problem, choice, tolerance);
  if (directed.count() == 0) return {choice};
  std::vector<std::vector<Branch>> all;
  for (const VectorXd& angles :
       directed.count() == 1 ? angles_of_one(directed) : angles_of_several(directed))
    all.push_back(directed.at(angles));
  return all;
}

std::optional<std::vector<Branch>> directions_near(const ContactProblem& problem,
                                                   const std::vector<Branch>& choice,
                                                   double tolerance) {
  const Directed directed(problem, choice, tolerance);
  if (directed.count() == 0) return choice;
  const auto angles = refined(directed, directed.angles());
  if (!angles) return std::nullopt;
  return directed.at(*angles);
}

}  // namespace rigidlimit
