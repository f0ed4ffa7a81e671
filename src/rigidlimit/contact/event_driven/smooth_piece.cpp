#include "rigidlimit/contact/event_driven/smooth_piece.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "rigidlimit/contact/contact_problem.hpp"
#include "rigidlimit/contact/event_driven/fixed_modes.hpp"
#include "rigidlimit/contact/event_driven/piece_jacobian.hpp"
#include "rigidlimit/contact/event_driven/sliding_stop.hpp"
#include "rigidlimit/contact/event_driven/stiffness_watch.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/work_sum.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

double smallest_margin(const FrictionalSystem& system, const ContactStates& states,
                       const VectorXd& reaction) {
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
    const ContactState& state = states[static_cast<std::size_t>(i)];
    if (!state.closed()) continue;
    const double p = reaction(system.smooth.m + i);
    if (contact.normal == Normal::unilateral) least = std::min(least, p);
    if (state.mode == ContactMode::stick)
      least = std::min(least, contact.friction * std::abs(p) -
                                  reaction.segment(contact.first, contact.components).norm());
  }
  return least;
}

/// Reactions of the modes without effect on the motion, orthonormal columns: A (R z) = 0 at held
/// rows.
MatrixXd idle_reactions(const FrictionalSystem& system, const ContactStates& states,
                        const PieceRate& rate) {
  const MatrixXd R = reaction_directions(system, states, rate.terms.rate);
  return R * numerical_kernel(rate.terms.response * R, 1e-10);
}

/// The largest, over all reactions that give the same motion, of the smallest of p of unilateral
/// contacts and μ |p| − |λ| of sticking ones, newton. Exact with one redundancy; with several, the
/// value of the least reaction.
double admissible_margin(const FrictionalSystem& system, const ContactStates& states,
                         const PieceRate& rate) {
  const auto margin = [&](const VectorXd& reaction) {
    return smallest_margin(system, states, reaction);
  };
  const double of_least = margin(rate.reaction);
  const MatrixXd idle = idle_reactions(system, states, rate);
  if (idle.cols() != 1) return of_least;
  // The minimum of concave functions is maximised along a line: bracketing, then golden section.
  const VectorXd direction = idle.col(0) / idle.col(0).cwiseAbs().maxCoeff();
  const auto along = [&](double x) { return margin(rate.reaction + x * direction); };
  const double size = std::max(1e-300, 4.0 * rate.reaction.cwiseAbs().maxCoeff());
  double low = -size, high = size;
  while (along(2.0 * low) > along(low) && low > -1e6 * size) low *= 2.0;
  while (along(2.0 * high) > along(high) && high < 1e6 * size) high *= 2.0;
  low *= 2.0;
  high *= 2.0;
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = along(a), at_b = along(b);
  for (int k = 0; k < 90; ++k) {
    if (at_a > at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = along(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = along(b);
    }
  }
  return std::max({of_least, at_a, at_b});
}

/// Outputs per solve: a grid of many thousand times is not copied for every piece.
constexpr std::size_t most_outputs_at_once = 256;

struct Piece {
  const SwitchedSystem& switched;
  const FrictionalSystem& system;
  const ContactStates& states;
  const NonsmoothOptions& options;
  std::vector<PieceEndCause> ends;
  VectorXd shifts{};  ///< of the end functions, see shifts_of()

  double account_unit = 1.0;  ///< J, of the accounts behind (q, v)

  Index size() const { return system.smooth.nq + system.smooth.n; }
  VectorXd q(VectorIn y) const { return y.head(system.smooth.nq); }
  VectorXd v(VectorIn y) const { return y.segment(system.smooth.nq, system.smooth.n); }
  PieceRate rate(double t, VectorIn y) const {
    return piece_rate(system, states, q(y), v(y), t, options.compliance);
  }
};

/// The functions of kinks and switches at a state.
struct Corners {
  VectorXd kinks, switches;

  Corners(const Piece& piece, double t, const VectorXd& q, const VectorXd& v)
      : kinks(piece.system.kink_count), switches(piece.switched.values(t, q, v)) {
    if (kinks.size() > 0) piece.system.kinks(q, kinks);
  }
};

/// The function of one end event, from the rates at the state.
double value_of(const Piece& piece, const PieceEndCause& end, const PieceRate& rate,
                const Corners& corners) {
  if (end.kind == PieceEndKind::kink) return corners.kinks(end.which);
  if (end.kind == PieceEndKind::switches) return corners.switches(end.which);
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

/// Distance by which a force must fall below its bound if it begins at its bound. Otherwise
/// rounding would end a piece in which a contact carries no load, or its full load. 1e-9 of the
/// forces; zero if a force has a margin, so that its end is located exactly. Similarly for the
/// decrease of w of a contact that slips from rest, a hundred roundings of the velocities, and for
/// a switch on which the motion rests.
VectorXd shifts_of(const Piece& piece, const Instant& start, const PieceRate& rate) {
  const Corners corners(piece, start.t, start.q, start.v);
  const VectorXd switch_roundings = piece.switched.roundings(start.t, start.q, start.v);
  VectorXd shifts = VectorXd::Zero(static_cast<Index>(piece.ends.size()));
  double size = 0.0, rounding = 0.0;
  if (rate.terms.free.size() > 0) {
    const double mobility = std::max(rate.terms.delassus.diagonal().maxCoeff(), 1e-300);
    size = 1e-9 * std::max(rate.reaction.cwiseAbs().maxCoeff(),
                           rate.terms.free.cwiseAbs().maxCoeff() / mobility);
    rounding = 1e2 * std::numeric_limits<double>::epsilon() *
               (rate.terms.rows.cwiseAbs() * start.v.cwiseAbs()).maxCoeff();
  }
  for (Index i = 0; i < shifts.size(); ++i) {
    const PieceEndCause& end = piece.ends[static_cast<std::size_t>(i)];
    const bool force = end.kind == PieceEndKind::opens || end.kind == PieceEndKind::slips ||
                       end.kind == PieceEndKind::exhausted;
    const double bound = force                                ? size
                         : end.kind == PieceEndKind::stops    ? rounding
                         : end.kind == PieceEndKind::switches ? switch_roundings(end.which)
                                                              : 0.0;
    if (bound > 0.0 && std::abs(value_of(piece, end, rate, corners)) <= bound)
      shifts(i) = 2.0 * bound;
  }
  return shifts;
}

/// First step after a contact has just opened and returns soon: the duration of its flight, which a
/// longer step would miss. 0: no such contact.
double first_step(const Piece& piece, const Instant& start, const PieceRate& rate) {
  const ZeroBounds zero = zero_bounds(piece.system, rate.terms, start, piece.options);
  double step = std::numeric_limits<double>::infinity();
  const VectorXd acceleration = rate.terms.free + rate.terms.delassus * rate.reaction;
  for (const PieceEndCause& end : piece.ends) {
    if (end.kind != PieceEndKind::closes) continue;
    const Index row = piece.system.smooth.m + end.which;
    const double u = rate.terms.rate(row), a = -acceleration(row);
    if (rate.terms.gap(end.which) <= zero.gap(end.which) && u > 0.0 && a > 0.0)
      step = std::min(step, 2.0 * u / a);
  }
  return std::isfinite(step) ? step : 0.0;
}

constexpr Index integrals = 2;  ///< (work, slip) behind the states of the motion

/// −κᵀe: the power of the surfaces that move (docs/theory.md, section 16).
double surface_power(const System& smooth, const PieceRate& rate) {
  if (smooth.exact_rates().isZero(0.0)) return 0.0;
  const BalanceTerms& body = rate.terms.body;
  VectorXd right(smooth.n + smooth.ne);
  right << body.force() + rate.terms.rows.transpose() * rate.reaction,
      body.rows().topRows(smooth.ne) * rate.acceleration;
  const VectorXd kappa = rate.terms.inertia.solve_whole(right).col(0).tail(smooth.ne);
  return -kappa.dot(smooth.exact_rates());
}

/// The powers of (work, slip): of the forces without potential and of the surfaces that move, and
/// of friction.
Eigen::Vector2d powers(const Piece& piece, double t, VectorIn y, const PieceRate& rate) {
  const System& smooth = piece.system.smooth;
  const Index m = smooth.m;
  const double slip = -rate.reaction.head(m).dot(rate.terms.rate.head(m));
  if (!smooth.has_potential) return {0.0, slip};
  double work =
      non_conservative_power(smooth, piece.q(y), piece.v(y), t) + surface_power(smooth, rate);
  for (Index i = 0; i < piece.system.nc(); ++i)
    if (piece.system.contacts[static_cast<std::size_t>(i)].normal != Normal::unilateral)
      work += rate.reaction(m + i) * rate.terms.rate(m + i);
  return {work, slip};
}

/// Whether t is an argument of an operation of a tape, or a result, where t is its last input.
bool reads_time(const Tape& tape) {
  const std::uint32_t t = tape.first_input() + tape.inputs - 1;
  for (const std::vector<Instruction>* steps : {&tape.prelude, &tape.body})
    for (const Instruction& step : *steps) {
      const int operands = operands_of(step.operation);
      if (step.a == t || (operands > 1 && step.b == t) || (operands > 2 && step.c == t))
        return true;
    }
  return std::ranges::find(tape.outputs, t) != tape.outputs.end();
}

bool is_driven(const FrictionalSystem& system) {
  const RecordedSystem& recorded = *system.smooth.recorded;
  return system.smooth.explicit_time || recorded.clock >= 0 || reads_time(recorded.normal_force);
}

/// In this unit the absolute tolerance of the integrals is a part of an energy of the piece at each
/// step: 1e-9, so that the tolerance of the motion, about 1e-12, determines the steps. Its error
/// estimate is blind to forces of t: that of Fehlberg's pair compares stages at the ends of the
/// step and is exactly zero for v' = f(t). Then the steps grow to the distance of the output times.
/// The integrals, products of f and v, have an estimate: with 1e-12 they determine the steps.
double account_unit(const Piece& piece, const Instant& start) {
  VectorXd force(piece.system.smooth.n);
  piece.system.smooth.in<double>().force(start.q, start.v, start.t, force);
  const double energy = kinetic_energy(piece.system.smooth, start.q, start.v) +
                        force.cwiseAbs().maxCoeff();  // over a metre, or a radian
  const double part = is_driven(piece.system) ? 1e-12 : 1e-9;
  return (energy > 0.0 && std::isfinite(energy) ? energy : 1.0) * part / piece.options.atol;
}

/// RootFunctions::may_return: of gaps and of switches on which the motion does not rest.
std::vector<bool> may_return(const Piece& piece, const RootFunctions::Part& part) {
  const Index size = piece.size();
  Ranges at{VectorXd(1 + size), VectorXd(1 + size)}, rates = at;
  at.low << part.t0, part.low.head(size);
  at.high << part.t1, part.high.head(size);
  rates.low << 1.0, part.rate_low.head(size);
  rates.high << 1.0, part.rate_high.head(size);
  const std::vector<bool> of_system = (*piece.system.return_check)(at, rates);
  std::vector<bool> of_ends;
  for (std::size_t i = 0; i < piece.ends.size(); ++i) {
    const PieceEndCause& end = piece.ends[i];
    const Index which = end.kind == PieceEndKind::closes     ? end.which
                        : end.kind == PieceEndKind::switches ? piece.system.nc() + end.which
                                                             : -1;
    of_ends.push_back(which >= 0 && piece.shifts(static_cast<Index>(i)) == 0.0 &&
                      of_system[static_cast<std::size_t>(which)]);
  }
  return of_ends;
}

/// y = (q, v, work, slip), the integrals in their unit and from zero on. ∂f/∂y lacks their rows,
/// because no rate depends on them.
OdeProblem ode_of(const std::shared_ptr<const Piece>& piece, const Instant& start) {
  OdeProblem problem;
  problem.name = "a piece of a rigid motion";
  problem.t0 = start.t;
  const Index nq = piece->system.smooth.nq, n = piece->system.smooth.n;
  problem.y0.resize(nq + n + integrals);
  problem.y0 << start.q, start.v, start.accounts.head(integrals) / piece->account_unit;
  problem.rhs = [piece, nq, n](double t, VectorIn y, VectorOut dydt) {
    const PieceRate rate = piece->rate(t, y);
    dydt.head(nq) = rate.q_rate;
    dydt.segment(nq, n) = rate.acceleration;
    dydt.tail(integrals) = powers(*piece, t, y, rate) / piece->account_unit;
  };
  problem.jacobian = [piece](double t, VectorIn y, MatrixOut J) {
    J.setZero();
    piece_jacobian(piece->system, piece->states, piece->q(y), piece->v(y), t,
                   piece->options.compliance, J.topLeftCorner(piece->size(), piece->size()));
  };
  RootFunctions roots;
  roots.count = static_cast<Index>(piece->ends.size());
  for (const PieceEndCause& end : piece->ends) roots.directions.push_back(end.direction);
  roots.values = [piece](double t, VectorIn y, VectorOut values) {
    const PieceRate rate = piece->rate(t, y);
    const Corners corners(*piece, t, piece->q(y), piece->v(y));
    for (Index i = 0; i < values.size(); ++i)
      values(i) = piece->shifts(i) +
                  value_of(*piece, piece->ends[static_cast<std::size_t>(i)], rate, corners);
  };
  roots.may_return = [piece](const RootFunctions::Part& part) { return may_return(*piece, part); };
  roots.reached = [](double, const std::vector<int>&, VectorOut) { return false; };
  if (roots.count > 0) problem.roots = std::make_shared<const RootFunctions>(std::move(roots));
  return problem;
}

Instant instant_of(const Piece& piece, double t, const VectorXd& y, double jumped) {
  const Eigen::Vector2d integral = piece.account_unit * y.tail(integrals);
  return {.t = t, .q = piece.q(y), .v = piece.v(y), .accounts = {integral(0), integral(1), jumped}};
}

/// The last filled column, or the start.
Instant last_known(const Piece& piece, const Solution& solution, const Instant& start) {
  Instant last = start;
  for (std::size_t k = 0; k < solution.times.size() && solution.times[k] <= solution.t_reached; ++k)
    last = instant_of(piece, solution.times[k], solution.states.col(static_cast<Index>(k)),
                      start.accounts(2));
  return last;
}

/// Passes the reached columns to `output`; for a piece that ends at a root, those before it.
/// Returns their number.
std::size_t pass_outputs(const Piece& piece, const Solution& solution, bool stopped, double jumped,
                         const std::function<void(const Instant&)>& output) {
  const double end =
      stopped ? solution.t_reached - event_resolution(solution.t_reached)
              : std::nextafter(solution.t_reached, std::numeric_limits<double>::infinity());
  std::size_t k = 0;
  for (; k < solution.times.size() && solution.times[k] < end; ++k)
    output(
        instant_of(piece, solution.times[k], solution.states.col(static_cast<Index>(k)), jumped));
  return k;
}

}  // namespace

ZeroBounds zero_bounds(const FrictionalSystem& system, const ContactRows& rows, const Instant& at,
                       const NonsmoothOptions& options) {
  return zero_bounds(system, rows, at.q, at.v, options.gap_tolerance, options.speed_tolerance);
}

double event_resolution(double t) {
  return std::max(1e-12, 8.0 * std::numeric_limits<double>::epsilon() * std::abs(t));
}

std::vector<PieceEndCause> possible_ends(const SwitchedSystem& switched,
                                         const ContactStates& states, bool redundant) {
  const FrictionalSystem& system = switched.now();
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
        for (const double level : {1e-2, 1e-4, 1e-6, stopping_speed, 1.2e-8})
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
  for (Index k = 0; k < switched.count(); ++k)
    if (!switched.depends_on_time_alone(k)) ends.push_back({PieceEndKind::switches, k, -1});
  return ends;
}

namespace {

/// Whether a contact slips from rest with a direction that depends on w: ∂(w/|w|)/∂w is unbounded
/// there.
bool begins_in_space(const ContactStates& states) {
  return std::any_of(states.begin(), states.end(), [](const ContactState& state) {
    return state.begins && state.direction.size() > 1;
  });
}

/// One solve, by the method in use. If only stability limits its steps, history.stiff is set and
/// the solution ends there with Outcome::interrupted.
Solution solved(const std::shared_ptr<const Piece>& piece, const Instant& start,
                const std::vector<double>& grid, double first_step, PieceHistory& history) {
  const NonsmoothOptions& options = piece->options;
  SolveOptions solve;
  solve.initial_step = first_step;
  solve.rtol = options.rtol;
  solve.atol = options.atol;
  solve.stop_requested = options.stop_requested;
  solve.max_steps =
      std::max(1L, options.max_steps - history.work.steps - history.work.rejected_steps);
  OdeProblem problem = ode_of(piece, start);
  const std::string stiff_method = options.stiff_method;
  history.stiff = !stiff_method.empty() && (history.stiff || begins_in_space(piece->states));
  const OdeMethod& method = *find_ode_method(history.stiff ? stiff_method : options.method);
  std::unique_ptr<StiffnessWatch> watch;
  if (!method.stiff && !stiff_method.empty())
    watch = std::make_unique<StiffnessWatch>(problem, solve);
  Solution solution = method.solve(problem, grid, solve);
  add(history.work, solution.work);
  history.taken_over = watch && watch->stiff();
  history.stiff = history.stiff || history.taken_over;
  return solution;
}

}  // namespace

PieceEnd run_piece(const SwitchedSystem& switched, const ContactStates& states,
                   const Instant& start, const std::vector<double>& times,
                   const NonsmoothOptions& options, PieceHistory& history,
                   const std::function<void(const Instant&)>& output) {
  const FrictionalSystem& system = switched.now();
  const PieceRate rate = piece_rate(system, states, start.q, start.v, start.t, options.compliance);
  const auto piece = std::make_shared<Piece>(
      Piece{switched, system, states, options, possible_ends(switched, states, rate.redundant)});
  piece->shifts = shifts_of(*piece, start, rate);
  piece->account_unit = account_unit(*piece, start);
  double step = first_step(*piece, start, rate);

  PieceEnd end{.outcome = Outcome::success, .message = {}, .at = start, .causes = {}};
  for (std::size_t next = 0; next < times.size();) {
    const std::size_t last = std::min(times.size(), next + most_outputs_at_once);
    const std::vector<double> grid(times.begin() + static_cast<std::ptrdiff_t>(next),
                                   times.begin() + static_cast<std::ptrdiff_t>(last));
    const Solution solution = solved(piece, end.at, grid, step, history);
    const bool stopped = solution.outcome == Outcome::stopped_at_root;
    next += pass_outputs(*piece, solution, stopped, start.accounts(2), output);
    end.at = last_known(*piece, solution, end.at);
    end.outcome = solution.outcome;
    end.message = solution.message;
    if (stopped) {
      end.at = instant_of(*piece, solution.t_reached, solution.stopped_at, start.accounts(2));
      for (const Root& root : solution.roots)
        end.causes.push_back(piece->ends[static_cast<std::size_t>(root.which)]);
    }
    if (end.outcome != Outcome::success && !std::exchange(history.taken_over, false)) return end;
    if (next > 0) step = 0.0;
  }
  return end;
}

}  // namespace rigidlimit
