#include "rigidlimit/asymptotics/frictional/impact_expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "rigidlimit/asymptotics/frictional/piece_flow.hpp"
#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/interpolation.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
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

namespace {

bool is_free(const std::string& modes) {
  return modes.find("stick") == std::string::npos && modes.find("slip") == std::string::npos;
}

/// Whether the forces of a free body differ on the two sides of an event by more than 1e-6 of
/// themselves. The sides are 1e-7 s away: far above the error of the event's time.
bool force_jumps(const ContactEvent& event, const FrictionalSystem& system) {
  constexpr double distance = 1e-7;
  VectorXd q_rate(system.smooth.nq);
  system.smooth.in<double>().coordinate_rate(event.q, event.v_after, q_rate);
  const VectorXd a = contact_terms(system, event.q, event.v_after, event.t).acceleration;
  const auto beside = [&](double s) {
    return VectorXd(contact_terms(system, event.q + s * q_rate, event.v_after + s * a, event.t + s)
                        .acceleration);
  };
  const VectorXd before = beside(-distance), after = beside(distance);
  return (after - before).cwiseAbs().maxCoeff() > 1e-6 * after.cwiseAbs().maxCoeff();
}

/// Why an event has no formula; empty: it has one.
std::string without_formula(const ContactEvent& event, const FrictionalSystem& system,
                            bool separate) {
  if (event.kind == EventKind::kink || event.kind == EventKind::time_switch)
    return force_jumps(event, system)
               ? fmt::format("no formula for a force that jumps, at t = {:.6g} s", event.t)
               : "";
  if (event.kind != EventKind::impact || !separate || event.contacts.size() != 1 ||
      !is_free(event.modes))
    return fmt::format("no formula for the event '{}' at t = {:.6g} s", text_of(event, system),
                       event.t);
  const ContactPoint& contact = system.contacts[static_cast<std::size_t>(event.contacts.front())];
  if (contact.restitution == 0.0) return "no formula for plastic impacts";
  if (contact.components > 1) return "no formula for impacts in space";
  return "";
}

}  // namespace

ImpactExpansion::ImpactExpansion(const FrictionalLimit& limit) : system_(limit.system) {
  const FrictionalLaw& law = limit.law;
  if (law.friction != FrictionalLaw::Friction::projected || !(law.tangential_power > 1.0))
    throw InputError("no formula for impacts with this law of friction");
  const NonsmoothMotion& motion = limit.rigid;
  if (!is_free(motion.initial_modes))
    throw InputError("no formula for the springs of unilateral contacts that are closed");
  const std::vector<CompliantContact> laws = compliant_contacts(system_, limit.start, law, 1.0);
  const bool accumulates = std::ranges::any_of(motion.events, [&](const ContactEvent& event) {
    return event.kind == EventKind::accumulation && event.t <= limit.end;
  });
  double begin = 0.0;
  VectorXd q = limit.start.q, v = limit.start.v, terms = VectorXd::Zero(q.size() + v.size());
  for (std::size_t k = 0; k < motion.events.size() && motion.events[k].t <= limit.end; ++k) {
    const ContactEvent& event = motion.events[k];
    const bool separate =
        event.t - begin > limit.neighbours &&
        (k + 1 == motion.events.size() || motion.events[k + 1].t - event.t > limit.neighbours);
    end_ = without_formula(event, system_, separate);
    // Before an accumulation there are infinitely many.
    if (accumulates && std::ssize(shifts_) == limit.most_events)
      end_ = "no formula for infinitely many impacts";
    if (!end_.empty()) break;
    if (event.kind == EventKind::kink || event.kind == EventKind::time_switch) continue;
    flights_.push_back(flight(begin, event.t, q, v, terms));
    try {
      terms =
          through(event, k, q_and_v(flights_.back().q.rightCols(1), flights_.back().v.rightCols(1)),
                  laws[static_cast<std::size_t>(event.contacts.front())]);
    } catch (const InputError& error) {
      end_ = fmt::format("{}, at t = {:.6g} s", error.what(), event.t);
      break;
    }
    begin = event.t;
    q = event.q;
    v = event.v_after;
  }
  if (impacts_.empty()) throw InputError(end_.empty() ? "no impact in the motion" : end_);
  if (end_.empty()) flights_.push_back(flight(begin, limit.end, q, v, terms));
}

VectorXd ImpactExpansion::coordinate_rate(const VectorXd& q, const VectorXd& v) const {
  VectorXd rate(q.size());
  system_.smooth.in<double>().coordinate_rate(q, v, rate);
  return rate;
}

ImpactExpansion::Flight ImpactExpansion::flight(double begin, double end, const VectorXd& q,
                                                const VectorXd& v, const VectorXd& terms) const {
  const ContactStates free(system_.contacts.size());
  const VectorXd none;
  const PieceFlow flow(system_, free, none, 1e-3 * (end - begin));
  const Index size = terms.size();
  OdeProblem problem;
  problem.name = "flight";
  problem.t0 = begin;
  problem.y0 = q_and_v(q_and_v(q, v), terms);
  problem.rhs = [&](double t, VectorIn in, VectorOut out) {
    const VectorXd y = in.head(size);
    out << flow.rate(t, y), flow.jacobian(t, y) * in.tail(size);
  };
  Flight made{.begin = begin, .end = end};
  constexpr int intervals = 64;
  for (int k = 1; k <= intervals; ++k) made.nodes.push_back(begin + (end - begin) * k / intervals);
  SolveOptions options;
  options.rtol = 1e-10;
  options.atol = 1e-12;
  options.max_steps = 20000;
  const Solution solution =
      find_ode_method("runge_kutta_fehlberg78")->solve(problem, made.nodes, options);
  if (solution.outcome != Outcome::success)
    throw InputError(fmt::format("the terms of a flight end with {}", name_of(solution.outcome)));
  made.nodes.insert(made.nodes.begin(), begin);
  MatrixXd all(size, intervals + 1);
  all << terms, solution.states.bottomRows(size);
  made.q = all.topRows(q.size());
  made.v = all.bottomRows(v.size());
  return made;
}

/// (q₁, v₁) after an impact.
VectorXd ImpactExpansion::through(const ContactEvent& event, std::size_t index,
                                  const VectorXd& before, const CompliantContact& law) {
  const Index nq = event.q.size(), n = event.v_before.size(), c = event.contacts.front();
  const VectorXd q1 = before.head(nq), v1 = before.tail(n);
  const auto free_acceleration = [&](const VectorXd& v) {
    return VectorXd(contact_terms(system_, event.q, v, event.t).acceleration);
  };
  const auto gap_at = [&](double s) {
    VectorXd gaps(system_.nc());
    system_.geometry->gap(event.q + s * q1, gaps);
    return gaps(c);
  };
  const double scale = q1.cwiseAbs().maxCoeff(), h = scale > 0.0 ? 1e-5 / scale : 0.0;
  const double g1 = scale > 0.0 ? (gap_at(h) - gap_at(-h)) / (2.0 * h) : 0.0;
  const double g_rate =
      contact_rows(system_, event.q).rows.row(system_.smooth.m + c).dot(event.v_before);
  const double shift = -g1 / g_rate;
  shifts_.push_back({.event = index, .time = shift, .order = 1});

  const VectorXd before_rate = coordinate_rate(event.q, event.v_before);
  const VectorXd q_closed = q1 + shift * before_rate;
  const VectorXd v_closed = v1 + shift * free_acceleration(event.v_before);
  const auto passage = std::make_shared<const ImpactPassage>(system_, law, c, event.t);
  const ImpactPassage::Exit limit = passage->pass(event.q, event.v_before, 0.0);
  const double off = (limit.v - event.v_after).cwiseAbs().maxCoeff();
  if (!(off <= 1e-6 * event.v_before.cwiseAbs().maxCoeff()))
    throw InputError(
        fmt::format("the limit of the compliant impact at t = {:.6g} s differs from the "
                    "rigid one by {:.3g} in v",
                    event.t, off));
  // One small parameter: the start of the impact and ε itself.
  const double step =
      1e-4 / std::max({1.0, q_closed.cwiseAbs().maxCoeff(), v_closed.cwiseAbs().maxCoeff()});
  const auto exit_velocity = [&](double s) {
    return passage->pass(event.q + s * q_closed, event.v_before + s * v_closed, s).v;
  };
  const VectorXd v_exit = (exit_velocity(step) - exit_velocity(-step)) / (2.0 * step);
  impacts_.push_back({.t = event.t,
                      .shift = shift,
                      .q = event.q,
                      .v_before = event.v_before,
                      .v_after = event.v_after,
                      .q1_before = q1,
                      .q1_closed = q_closed,
                      .passage = passage,
                      .tau = limit.tau});
  return q_and_v(q_closed + limit.q - shift * coordinate_rate(event.q, event.v_after),
                 v_exit - shift * free_acceleration(event.v_after));
}

LeadingOrders ImpactExpansion::sup_orders(Part part) const {
  const double none = std::nan("");
  return {.q = end_.empty() ? 1.0 : none,
          .v = end_.empty() && part == Part::away ? 1.0 : none,
          .lambda = none};
}

Motion ImpactExpansion::leading(double epsilon, const std::vector<double>& times, Part) const {
  const System& smooth = system_.smooth;
  const auto count = static_cast<Index>(times.size());
  Motion motion{.times = times,
                .q = MatrixXd::Constant(smooth.nq, count, std::nan("")),
                .v = MatrixXd::Constant(smooth.n, count, std::nan("")),
                .lambda = MatrixXd::Constant(system_.forces(), count, std::nan(""))};
  const auto column = [&](double t) { return std::ranges::lower_bound(times, t) - times.begin(); };
  for (const Flight& f : flights_) {
    const Index from = column(f.begin);
    const Index to = &f == &flights_.back() && end_.empty() ? count : column(f.end);
    if (from >= to) continue;
    const Interpolation between(f.nodes, {times.begin() + from, times.begin() + to});
    motion.q.middleCols(from, to - from) = epsilon * between(f.q);
    motion.v.middleCols(from, to - from) = epsilon * between(f.v);
  }
  if (!end_.empty()) return motion;
  for (const Passed& i : impacts_) {
    // Between the first of the two closings and the end of the compliant contact.
    const double closed = i.t + epsilon * i.shift;
    const Index from = column(std::min(i.t, closed));
    const Index to = column(std::max(i.t, closed + epsilon * i.tau));
    const Index touched = std::clamp(column(closed), from, to);
    const VectorXd before = coordinate_rate(i.q, i.v_before),
                   after = coordinate_rate(i.q, i.v_after);
    std::vector<double> taus;
    for (Index k = touched; k < to; ++k)
      if (const double tau = (times[static_cast<std::size_t>(k)] - closed) / epsilon; tau > 0.0)
        taus.push_back(tau);
    const MatrixXd path = i.passage->pass(i.q, i.v_before, 0.0, taus).path;
    const Index first = to - std::ssize(taus);
    for (Index k = from; k < to; ++k) {
      const double since = times[static_cast<std::size_t>(k)] - i.t;
      const VectorXd compliant = k < first
                                     ? VectorXd(epsilon * i.q1_before + since * before)
                                     : VectorXd(epsilon * (i.q1_closed + path.col(k - first)));
      motion.q.col(k) = compliant - since * (since < 0.0 ? before : after);
    }
  }
  return motion;
}

}  // namespace rigidlimit
