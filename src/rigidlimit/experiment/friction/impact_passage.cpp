#include "rigidlimit/experiment/friction/impact_passage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

ImpactPassage::Exit ImpactPassage::pass(const VectorXd& q, const VectorXd& v, double epsilon,
                                        const std::vector<double>& taus) const {
  const Index nq = q.size(), n = v.size(), normal = system_.smooth.m + contact_, slide = law_.first;
  const bool rubs = law_.components > 0 && law_.friction > 0.0;
  const auto terms_at = [&](double tau, VectorIn y) {
    return contact_terms(system_, q + epsilon * y.head(nq), y.segment(nq, n), t_ + epsilon * tau);
  };
  const auto push = [&](const ContactTerms& terms, VectorIn y) {
    return -(law_.normal_stiffness * y(nq + n) +
             law_.normal_damping / std::sqrt(terms.delassus(normal, normal)) * terms.rate(normal));
  };
  const double start_slip = rubs ? contact_rows(system_, q).rows.row(slide).dot(v) : 0.0;
  // +1 or −1: it slips in this direction; 0: it sticks.
  double direction = !rubs || std::abs(start_slip) < 1e-8 ? 0.0 : start_slip > 0.0 ? 1.0 : -1.0;
  OdeProblem problem;
  problem.name = "impact";
  problem.y0 = VectorXd::Zero(nq + n + 1);
  problem.y0.segment(nq, n) = v;
  const auto reaction = [&](const ContactTerms& terms, VectorIn y) {
    VectorXd r = VectorXd::Zero(system_.forces());
    r(normal) = push(terms, y);
    if (rubs && direction != 0.0) r(slide) = -law_.friction * r(normal) * direction;
    if (rubs && direction == 0.0)
      r(slide) = -(terms.delassus(slide, normal) * r(normal) + epsilon * terms.free(slide)) /
                 terms.delassus(slide, slide);
    return r;
  };
  problem.rhs = [&](double tau, VectorIn y, VectorOut rate) {
    const ContactTerms terms = terms_at(tau, y);
    rate << terms.body.coordinate_rate(),
        epsilon * terms.acceleration + terms.response * reaction(terms, y), terms.rate(normal);
  };
  const auto roots = std::make_shared<RootFunctions>();
  roots->count = 2;
  roots->directions = {-1, 0};
  roots->values = [&](double tau, VectorIn y, VectorOut values) {
    const ContactTerms terms = terms_at(tau, y);
    values << push(terms, y), direction == 0.0 ? 1.0 : terms.rate(slide);
  };
  roots->reached = [&](double, const std::vector<int>& crossed, VectorOut) {
    if (crossed[1] != 0) direction = 0.0;
    return crossed[0] == 0;
  };
  problem.roots = roots;
  const double period =
      1.0 / std::sqrt(law_.normal_stiffness * contact_rows(system_, q).delassus(normal, normal));
  std::vector<double> grid;
  for (const double tau : taus)
    if (tau < 50.0 * period) grid.push_back(tau);
  grid.push_back(50.0 * period);
  SolveOptions options;
  options.rtol = 1e-12;
  options.atol = 1e-13;
  options.max_steps = 100000;
  const Solution solution =
      find_ode_method("runge_kutta_fehlberg78")->solve(problem, grid, options);
  if (solution.outcome != Outcome::stopped_at_root)
    throw InputError(
        fmt::format("no formula for an impact whose force lasts ({})", name_of(solution.outcome)));
  const VectorXd y = solution.stopped_at;
  const double tau = solution.t_reached;
  const ContactTerms terms = terms_at(tau, y);
  // Without the last forces, which end with the contact: w' of a contact that stuck.
  if (rubs && direction == 0.0 &&
      std::abs(terms.delassus(slide, normal)) >
          1e-9 * std::sqrt(terms.delassus(slide, slide) * terms.delassus(normal, normal)))
    throw InputError("no formula for an impact that couples its normal and tangential forces");
  Exit exit{.q = y.head(nq) - tau * terms.body.coordinate_rate(),
            .v = y.segment(nq, n) - epsilon * tau * terms.acceleration,
            .tau = tau,
            .path = MatrixXd(nq, std::ssize(taus))};
  for (Index k = 0; k < std::ssize(taus); ++k) {
    const double at = taus[static_cast<std::size_t>(k)];
    if (at < tau)
      exit.path.col(k) = solution.states.col(k).head(nq);
    else
      exit.path.col(k) = exit.q + at * terms.body.coordinate_rate();
  }
  return exit;
}

}  // namespace rigidlimit
