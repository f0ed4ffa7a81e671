#include "rigidlimit/nonsmooth/smooth_piece.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "rigidlimit/nonsmooth/admissible_margin.hpp"
#include "rigidlimit/nonsmooth/modes_text.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {
namespace {

/// Outputs asked of one solve: a grid of many thousand times is not copied for every piece.
constexpr std::size_t most_outputs_at_once = 256;

struct Piece {
  const FrictionalSystem& system;
  const ContactStates& states;
  const NonsmoothOptions& options;
  std::vector<PieceEndCause> ends;
  VectorXd shifts{};  ///< of the functions of the ends, see shifts_of()

  VectorXd q(VectorIn y) const { return y.head(system.smooth.nq); }
  VectorXd v(VectorIn y) const { return y.tail(system.smooth.n); }
  PieceRate rate(double t, VectorIn y) const {
    return piece_rate(system, states, q(y), v(y), t, options.compliance);
  }
};

/// The function of one end, from all that is known at the state.
double value_of(const Piece& piece, const PieceEndCause& end, const PieceRate& rate,
                const VectorXd& kinks) {
  if (end.kind == PieceEndKind::kink) return kinks(end.which);
  if (end.kind == PieceEndKind::exhausted)  // of no contact: its `which` is -1
    return admissible_margin(piece.system, piece.states, rate);
  const FrictionalSystem& system = piece.system;
  const ContactPoint& contact = system.contacts[static_cast<std::size_t>(end.which)];
  const ContactState& state = piece.states[static_cast<std::size_t>(end.which)];
  const double p = rate.reaction(system.smooth.m + end.which);
  switch (end.kind) {
    case PieceEndKind::closes: return rate.terms.gap(end.which);
    case PieceEndKind::opens: return p;
    case PieceEndKind::turns: return p * state.push;
    case PieceEndKind::slips:
      return contact.friction * std::abs(p) -
             rate.reaction.segment(contact.first, contact.components).norm();
    default: break;
  }
  const VectorXd w = rate.terms.rate.segment(contact.first, contact.components);
  if (end.kind == PieceEndKind::slows) return w.norm() - end.level;
  const double forward = w.dot(state.direction);
  return end.kind == PieceEndKind::stops ? forward : forward - 0.5 * w.norm();
}

/// What a force must fall below its bound by, where it begins at its bound: a contact that bears
/// nothing, or all that it can, for a whole piece would end it by rounding. 1e-9 of the forces;
/// zero where a force has room, so that its end is located exactly.
VectorXd shifts_of(const Piece& piece, const PieceRate& rate) {
  const VectorXd none = VectorXd::Zero(piece.system.kink_count);
  VectorXd shifts = VectorXd::Zero(static_cast<Index>(piece.ends.size()));
  if (rate.terms.free.size() == 0) return shifts;
  const double mobility = std::max(rate.terms.delassus.diagonal().maxCoeff(), 1e-300);
  const double size = 1e-9 * std::max(rate.reaction.cwiseAbs().maxCoeff(),
                                      rate.terms.free.cwiseAbs().maxCoeff() / mobility);
  for (Index i = 0; i < shifts.size(); ++i) {
    const PieceEndCause& end = piece.ends[static_cast<std::size_t>(i)];
    const bool force = end.kind == PieceEndKind::opens || end.kind == PieceEndKind::slips ||
                       end.kind == PieceEndKind::exhausted;
    if (force && std::abs(value_of(piece, end, rate, none)) <= size) shifts(i) = 2.0 * size;
  }
  return shifts;
}

/// The first step, where a contact has just been left and comes back soon: its flight, which a
/// longer step would not see. 0: none has.
double first_step(const Piece& piece, const PieceRate& rate) {
  double step = std::numeric_limits<double>::infinity();
  const VectorXd acceleration = rate.terms.free + rate.terms.delassus * rate.reaction;
  for (const PieceEndCause& end : piece.ends) {
    if (end.kind != PieceEndKind::closes) continue;
    const Index row = piece.system.smooth.m + end.which;
    const double u = rate.terms.rate(row), a = -acceleration(row);
    if (rate.terms.gap(end.which) <= piece.options.gap_tolerance && u > 0.0 && a > 0.0)
      step = std::min(step, 2.0 * u / a);
  }
  return std::isfinite(step) ? step : 0.0;
}

OdeProblem ode_of(const std::shared_ptr<const Piece>& piece, const Instant& start) {
  OdeProblem problem;
  problem.name = "a piece of a rigid motion";
  problem.t0 = start.t;
  const Index nq = piece->system.smooth.nq, n = piece->system.smooth.n;
  problem.y0.resize(nq + n);
  problem.y0 << start.q, start.v;
  problem.rhs = [piece, nq, n](double t, VectorIn y, VectorOut dydt) {
    const PieceRate rate = piece->rate(t, y);
    dydt.head(nq) = rate.q_rate;
    dydt.tail(n) = rate.acceleration;
  };
  RootFunctions roots;
  roots.count = static_cast<Index>(piece->ends.size());
  for (const PieceEndCause& end : piece->ends) roots.directions.push_back(end.direction);
  roots.values = [piece](double t, VectorIn y, VectorOut values) {
    const PieceRate rate = piece->rate(t, y);
    VectorXd kinks(piece->system.kink_count);
    if (kinks.size() > 0) piece->system.kinks(piece->q(y), kinks);
    for (Index i = 0; i < values.size(); ++i)
      values(i) = piece->shifts(i) +
                  value_of(*piece, piece->ends[static_cast<std::size_t>(i)], rate, kinks);
  };
  roots.reached = [](double, const std::vector<int>&, VectorOut) { return false; };
  if (roots.count > 0) problem.roots = std::make_shared<const RootFunctions>(std::move(roots));
  return problem;
}

void add(Work& sum, const Work& part) {
  sum.steps += part.steps;
  sum.rejected_steps += part.rejected_steps;
  sum.rhs_evaluations += part.rhs_evaluations;
}

Instant instant_of(const FrictionalSystem& system, double t, const VectorXd& y) {
  return {.t = t, .q = y.head(system.smooth.nq), .v = y.tail(system.smooth.n)};
}

/// The last column that is filled, or the start.
Instant last_known(const FrictionalSystem& system, const Solution& solution, const Instant& start) {
  Instant last = start;
  for (std::size_t k = 0; k < solution.times.size() && solution.times[k] <= solution.t_reached; ++k)
    last = instant_of(system, solution.times[k], solution.states.col(static_cast<Index>(k)));
  return last;
}

void tell_outputs(const FrictionalSystem& system, const Solution& solution, bool stopped,
                  const std::function<void(const Instant&)>& output) {
  for (std::size_t k = 0; k < solution.times.size(); ++k) {
    const double t = solution.times[k];
    if (t > solution.t_reached || (stopped && t == solution.t_reached)) return;
    output(instant_of(system, t, solution.states.col(static_cast<Index>(k))));
  }
}

}  // namespace

std::vector<PieceEndCause> possible_ends(const FrictionalSystem& system,
                                         const ContactStates& states, bool redundant) {
  std::vector<PieceEndCause> ends;
  bool any_closed = false;
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
    const ContactState& state = states[static_cast<std::size_t>(i)];
    any_closed = any_closed || state.closed();
    if (!state.closed()) {
      ends.push_back({PieceEndKind::closes, i, -1});
      continue;
    }
    if (contact.normal != Normal::unilateral && has_friction(contact))
      ends.push_back({PieceEndKind::turns, i, state.mode == ContactMode::slip ? -1 : 0});
    if (state.mode == ContactMode::slip && state.direction.size() > 0) {
      ends.push_back({PieceEndKind::stops, i, -1});
      if (contact.components > 1) {
        ends.push_back({PieceEndKind::swings, i, -1});
        for (const double level : {1e-2, 1e-4, 1e-6, 1e-7})
          ends.push_back({PieceEndKind::slows, i, -1, level});
      }
    }
    if (redundant) continue;
    if (contact.normal == Normal::unilateral) ends.push_back({PieceEndKind::opens, i, -1});
    if (state.mode == ContactMode::stick) ends.push_back({PieceEndKind::slips, i, -1});
  }
  if (redundant) ends.push_back({PieceEndKind::exhausted, -1, -1});
  if (any_closed)
    for (Index k = 0; k < system.kink_count; ++k) ends.push_back({PieceEndKind::kink, k, 0});
  return ends;
}

PieceEnd run_piece(const FrictionalSystem& system, const ContactStates& states,
                   const Instant& start, const std::vector<double>& times,
                   const NonsmoothOptions& options, Work& work,
                   const std::function<void(const Instant&)>& output) {
  const PieceRate rate = piece_rate(system, states, start.q, start.v, start.t, options.compliance);
  const auto piece = std::make_shared<Piece>(
      Piece{system, states, options, possible_ends(system, states, rate.redundant)});
  piece->shifts = shifts_of(*piece, rate);
  SolveOptions solve;
  solve.initial_step = first_step(*piece, rate);
  solve.rtol = options.rtol;
  solve.atol = options.atol;
  solve.stop_requested = options.stop_requested;
  const OdeMethod& method = *find_ode_method(options.method);

  PieceEnd end{.outcome = Outcome::success, .message = {}, .at = start, .causes = {}};
  for (std::size_t first = 0; first < times.size(); first += most_outputs_at_once) {
    const std::size_t last = std::min(times.size(), first + most_outputs_at_once);
    const std::vector<double> grid(times.begin() + static_cast<std::ptrdiff_t>(first),
                                   times.begin() + static_cast<std::ptrdiff_t>(last));
    solve.max_steps = std::max(1L, options.max_steps - work.steps - work.rejected_steps);
    const Solution solution = method.solve(ode_of(piece, end.at), grid, solve);
    add(work, solution.work);
    solve.initial_step = 0.0;
    const bool stopped = solution.outcome == Outcome::stopped_at_root;
    tell_outputs(system, solution, stopped, output);
    end.at = last_known(system, solution, end.at);
    end.outcome = solution.outcome;
    end.message = solution.message;
    if (stopped) {
      end.at = instant_of(system, solution.t_reached, solution.stopped_at);
      for (const Root& root : solution.roots)
        end.causes.push_back(piece->ends[static_cast<std::size_t>(root.which)]);
    }
    if (end.outcome != Outcome::success) return end;
  }
  return end;
}

}  // namespace rigidlimit
