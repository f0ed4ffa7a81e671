// event_driven_motion(): alternates pieces, impacts and mode decisions. Also
// the events of one instant, and the accumulation of infinitely many impacts in a finite time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/contact/contact_problem.hpp"
#include "rigidlimit/contact/event_driven/mode_decision.hpp"
#include "rigidlimit/contact/event_driven/sliding_stop.hpp"
#include "rigidlimit/contact/event_driven/smooth_piece.hpp"
#include "rigidlimit/contact/event_driven/switched_system.hpp"
#include "rigidlimit/contact/impact.hpp"
#include "rigidlimit/contact/start_check.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/visible_state.hpp"

namespace rigidlimit {
namespace {

/// Events at one instant, collected until its modes are known.
class EventLog {
 public:
  /// `forces`: FrictionalSystem::forces().
  explicit EventLog(Index forces) : forces_(forces) {}

  /// An event without impulse and without contacts.
  ContactEvent made(EventKind kind, const Instant& at) const;

  void add(ContactEvent event) { events_.push_back(std::move(event)); }
  /// Adds contact i to the event of this kind, which is created if needed; i < 0: no contact.
  void add(EventKind kind, Index i, const Instant& at);
  /// Adds the events of a change of modes. The modes of the contacts `struck` by an impact belong
  /// to the impact, without further events.
  void add_changes(const ContactStates& before, const ContactStates& after,
                   const std::vector<Index>& struck, const Instant& at);

  /// Appends all events to `events`, with the modes afterwards, and clears the log.
  void move_to(std::vector<ContactEvent>& events, const std::string& modes);

 private:
  Index forces_;
  std::vector<ContactEvent> events_;
};

/// The flights of every contact since it was last closed.
///
/// A contact that leaves an impact with g' = u and g'' = −a < 0 flies for 2u/a. If the next speeds
/// shrink like the last, u_k = ρ u_{k−1}, ρ < 1, all flights together last
///
///   S = 2 u/(a (1 − ρ)).
///
/// The contact is closed at the end of S in two cases. Either the last two ratios ρ differ by less
/// than a tenth of 1 − ρ and S is shorter than NonsmoothOptions::accumulation_time. Or the next
/// flight stays below 1e5 roundings of the gap, where impacts can no longer be located to 1e-12 s.
/// S neglects the change of a and ρ during it, a relative O(S).
class Accumulation {
 public:
  explicit Accumulation(Index contacts) : speeds_(static_cast<std::size_t>(contacts)) {}

  /// Records that contact i has left an impact with the speed u; u ≤ 0: it stays closed.
  void left(Index i, double u);
  /// Discards the flights of contact i, which is at rest or flies without an impact before.
  void forget(Index i) { speeds_[static_cast<std::size_t>(i)].clear(); }

  /// S of contact i, which has just left, if it is to be closed. `g_rate` u, `g_acceleration` −a,
  /// `gap_rounding`: a unit in the last place of the terms of the gap.
  std::optional<double> remaining(Index i, double g_acceleration, double gap_rounding,
                                  double accumulation_time) const;

  /// S with ρ = `restitution` of a contact left with the speed u, independent of earlier flights.
  /// Only if it flies no higher than 1e2 roundings of the gap, where its return cannot be detected.
  /// With ρ = 1, the single flight.
  static std::optional<double> unseen(double u, double g_acceleration, double gap_rounding,
                                      double restitution);

 private:
  std::vector<std::vector<double>> speeds_;
};

/// How contact i comes to rest: the mean of its impulses in S is the force of the closed contact.
/// The motion therefore continues as if it were already closed, without its g'.
struct Settling {
  ModeDecision closed;                       ///< modes with contact i closed
  std::function<Instant(double s)> after{};  ///< the state s later, 0 < s ≤ S; only if found
};

bool slips(const ContactState& state) {
  return state.mode == ContactMode::slip;
}

bool turned_back(const ContactState& old, const ContactState& now) {
  return slips(old) && slips(now) && old.direction.size() > 0 && now.direction.size() > 0 &&
         old.direction.dot(now.direction) < 0.0;
}

ContactEvent EventLog::made(EventKind kind, const Instant& at) const {
  return {.t = at.t,
          .kind = kind,
          .contacts = {},
          .q = at.q,
          .v_before = at.v,
          .v_after = at.v,
          .impulse = VectorXd::Zero(forces_),
          .modes = {}};
}

void EventLog::add(EventKind kind, Index i, const Instant& at) {
  auto same = std::find_if(events_.begin(), events_.end(),
                           [&](const ContactEvent& event) { return event.kind == kind; });
  if (same == events_.end()) same = events_.insert(events_.end(), made(kind, at));
  if (i >= 0) same->contacts.push_back(i);
}

void EventLog::add_changes(const ContactStates& before, const ContactStates& after,
                           const std::vector<Index>& struck, const Instant& at) {
  for (std::size_t k = 0; k < after.size(); ++k) {
    const ContactState& old = before[k];
    const ContactState& now = after[k];
    const auto i = static_cast<Index>(k);
    if (std::find(struck.begin(), struck.end(), i) != struck.end()) continue;
    if (old.closed() && !now.closed()) add(EventKind::detachment, i, at);
    if (!old.closed() && now.closed()) add(EventKind::touch, i, at);
    if (slips(old) && now.mode == ContactMode::stick) add(EventKind::stick, i, at);
    if (old.mode == ContactMode::stick && slips(now)) add(EventKind::slip, i, at);
    if (turned_back(old, now)) add(EventKind::reversal, i, at);
  }
}

void EventLog::move_to(std::vector<ContactEvent>& events, const std::string& modes) {
  for (ContactEvent& event : events_) {
    event.modes = modes;
    events.push_back(std::move(event));
  }
  events_.clear();
}

/// Speeds are known to about 1e-11 of themselves: a smaller decrease is that of an elastic contact.
constexpr double least_decrease = 1e-9;

void Accumulation::left(Index i, double u) {
  std::vector<double>& speeds = speeds_[static_cast<std::size_t>(i)];
  if (!(u > 0.0)) {
    speeds.clear();
    return;
  }
  if (speeds.size() == 3) speeds.erase(speeds.begin());
  speeds.push_back(u);
}

std::optional<double> Accumulation::remaining(Index i, double g_acceleration, double gap_rounding,
                                              double accumulation_time) const {
  const std::vector<double>& u = speeds_[static_cast<std::size_t>(i)];
  if (u.size() < 3 || !(g_acceleration < 0.0)) return std::nullopt;
  const double before = u[1] / u[0], ratio = u[2] / u[1], a = -g_acceleration;
  if (!(1.0 - ratio > least_decrease) || std::abs(ratio - before) > 0.1 * (1.0 - ratio))
    return std::nullopt;
  const double left = 2.0 * u[2] / (a * (1.0 - ratio));
  const double height = u[2] * u[2] / (2.0 * a);
  if (left < accumulation_time || height < 1e5 * gap_rounding) return left;
  return std::nullopt;
}

std::optional<double> Accumulation::unseen(double u, double g_acceleration, double gap_rounding,
                                           double restitution) {
  const double a = -g_acceleration;
  if (!(u > 0.0 && a > 0.0) || u * u / (2.0 * a) > 1e2 * gap_rounding) return std::nullopt;
  return 2.0 * u / a / (restitution < 1.0 ? 1.0 - restitution : 1.0);
}

Settling settling_of(const FrictionalSystem& system, const ContactStates& states, const Instant& at,
                     Index i, const NonsmoothOptions& options) {
  const ContactTerms terms = contact_terms(system, at.q, at.v, at.t);
  const Index row = system.smooth.m + i;
  Instant still = at;
  still.v -= terms.response.col(row) * (terms.rate(row) / terms.delassus(row, row));
  Settling settling{.closed = decide_modes(system, still, states, options)};
  if (!settling.closed.found) return settling;
  const VectorXd acceleration =
      piece_rate(system, settling.closed.states, still.q, still.v, still.t, options.compliance)
          .acceleration;
  settling.after = [&system, &options, at, still, acceleration,
                    modes = settling.closed.states](double s) {
    VectorXd q_rate(system.smooth.nq);
    system.smooth.in<double>().coordinate_rate(still.q, still.v + 0.5 * s * acceleration, q_rate);
    Instant later{.t = at.t + s,
                  .q = configuration_within(system, modes, still.q + s * q_rate),
                  .v = {},
                  .accounts = at.accounts};
    later.v = velocity_within(system, modes, later.q, at.v + s * acceleration, options.compliance);
    if (system.smooth.has_potential)
      later.accounts(2) += mechanical_energy(system.smooth, at.q, at.v) -
                           mechanical_energy(system.smooth, later.q, later.v);
    return later;
  };
  return settling;
}

/// This many consecutive events within `accumulation_time` count as an accumulation without a rule.
constexpr long accumulation_count = 400;
constexpr double accumulation_time = 1e-9;  // s

class EventDriven {
 public:
  EventDriven(const FrictionalSystem& system, const InitialState& start,
              const std::vector<double>& times, const NonsmoothOptions& options)
      : switched_(system),
        options_(options),
        times_(times),
        at_{.t = times.front(), .q = start.q, .v = start.v},
        accumulation_(system.nc()),
        log_(system.forces()) {
    motion_.motion = empty_motion(system, times);
    motion_.accounts.setConstant(3, static_cast<Index>(times.size()), std::nan(""));
  }

  NonsmoothMotion run() {
    states_.resize(static_cast<std::size_t>(system().nc()));
    begin_on_sides();
    if (!strike() || !accept(decide_modes(system(), at_, states_, options_), false)) return motion_;
    motion_.initial_modes = text_of(modes_of(states_));
    while (advance()) {
    }
    return motion_;
  }

  std::vector<std::string> start_modes() {
    states_.resize(static_cast<std::size_t>(system().nc()));
    begin_on_sides();
    if (!strike()) return {};
    return decide_modes(system(), at_, states_, options_).answers;
  }

 private:
  /// The equations of the current sides.
  const FrictionalSystem& system() const { return switched_.now(); }

  /// The rates at `at` with modes decided there; without consistent modes, of a free body.
  Switches::Rates rates_at(const Instant& at) const {
    const ModeDecision decision = decide_modes(system(), at, states_, options_);
    const PieceRate rate = piece_rate(system(), decision.found ? decision.states : states_, at.q,
                                      at.v, at.t, options_.compliance);
    return {rate.q_rate, rate.acceleration};
  }

  void begin_on_sides() {
    if (switched_.count() == 0) return;
    switched_.set_sides(system().smooth.switches->sides_at_start(
        at_.t, at_.q, at_.v,
        [this](const Sides& sides, double t, VectorIn q, VectorIn v) -> Switches::Rates {
          switched_.set_sides(sides);
          return rates_at({.t = t, .q = q, .v = v});
        }));
  }

  bool fail(Outcome outcome, const std::string& message) {
    motion_.outcome = outcome;
    motion_.message = message;
    motion_.t_reached = at_.t;
    return false;
  }

  const std::string& name(Index i) const {
    return system().contacts[static_cast<std::size_t>(i)].name;
  }
  VectorXd sliding(Index i, const VectorXd& values) const {
    const ContactPoint& contact = system().contacts[static_cast<std::size_t>(i)];
    return values.segment(contact.first, contact.components);
  }

  /// Handles the impact at at_, if a contact closes with a speed. All closed contacts take part.
  bool strike() {
    struck_.clear();
    for (int again = 0; again < 10; ++again) {
      const ContactTerms terms = contact_terms(system(), at_.q, at_.v, at_.t);
      const ZeroBounds zero = zero_bounds(system(), terms, at_, options_);
      const auto [first, closed] = contacts_of_impact(system(), terms, zero);
      if (first.empty()) return true;
      const std::vector<Impact> answers =
          impacts(system(), at_.q, at_.v, closed,
                  {.speed_tolerance = options_.speed_tolerance, .compliance = options_.compliance});
      if (answers.empty())
        return fail(Outcome::no_consistent_mode,
                    fmt::format("no impulse of contact {} satisfies the impact law, {}",
                                name(first.front()), text_of(system().smooth, at_)));
      if (answers.size() > 1) motion_.notes.push_back(note_of_several(answers));
      if (const std::string loss = elastic_loss(system(), answers.front()); !loss.empty())
        return fail(Outcome::no_consistent_mode,
                    fmt::format("{}, {}", loss, text_of(system().smooth, at_)));
      record_impact(answers.front(), first, zero);
    }
    return fail(
        Outcome::event_accumulation,
        fmt::format("contact {} has repeated impacts at the same time, {}",
                    struck_.empty() ? "?" : name(struck_.front()), text_of(system().smooth, at_)));
  }

  std::string note_of_several(const std::vector<Impact>& answers) const {
    std::vector<std::string> velocities;
    for (const Impact& answer : answers)
      velocities.push_back(fmt::format(
          "({:.6g})", fmt::join(visible_velocities(system().smooth, answer.velocity), ", ")));
    const bool open = std::any_of(answers.begin(), answers.end(), [](auto& a) { return a.open; });
    return fmt::format(
        "t = {:.12g}: several solutions: {} velocities after the impact {}{}, v = "
        "{}; the first is used",
        at_.t, answers.size(), several_solutions,
        open ? ", and all values between some of them" : "", fmt::join(velocities, ", "));
  }

  void record_impact(const Impact& impact, const std::vector<Index>& closing,
                     const ZeroBounds& zero) {
    ContactEvent event = log_.made(EventKind::impact, at_);
    event.v_after = impact.velocity;
    event.impulse = forces_of(system(), impact.reaction);
    std::ranges::set_union(impact.pressed, closing, std::back_inserter(event.contacts));
    at_.v = impact.velocity;
    struck_ = event.contacts;
    if (impact.plastic)
      motion_.notes.push_back(
          fmt::format("t = {:.12g}: a restitution that would add energy is ignored", at_.t));
    if (impact.cut)
      motion_.notes.push_back(
          fmt::format("t = {:.12g}: the iteration of an impact was ended as plastic", at_.t));
    for (const Index i : event.contacts) {
      const Index row = system().smooth.m + i;
      accumulation_.left(i, impact.rate(row) > zero.speed(row) ? impact.rate(row) : 0.0);
    }
    log_.add(std::move(event));
  }

  /// Adopts the decided modes, and records the changes.
  bool accept(const ModeDecision& decision, bool tell) {
    if (!decision.found)
      return fail(Outcome::no_consistent_mode,
                  fmt::format("no modes of the contacts {}satisfy the laws{}, {}", contacts_at(at_),
                              motion_.initial_modes.empty()
                                  ? " at the start"
                                  : fmt::format(" (before: {})", text_of(modes_of(states_))),
                              text_of(system().smooth, at_)));
    motion_.notes.insert(motion_.notes.end(), decision.notes.begin(), decision.notes.end());
    const ContactStates before = std::exchange(states_, decision.states);
    if (!leave_switches()) return false;
    if (tell) log_.add_changes(before, states_, struck_, at_);
    pieces_.stiff = pieces_.stiff && modes_of(before) == modes_of(states_);
    for (Index i = 0; i < system().nc(); ++i)
      if (states_[static_cast<std::size_t>(i)].closed()) accumulation_.forget(i);
    log_.move_to(motion_.events, text_of(modes_of(states_)));
    const Index known = motion_.event_accounts.cols();
    const auto events = static_cast<Index>(motion_.events.size());
    motion_.event_accounts.conservativeResize(3, events);
    motion_.event_accounts.rightCols(events - known).colwise() = at_.accounts;
    return true;
  }

  /// Changes the sides of switches that are zero here and that the motion with the decided modes
  /// leaves to the other side: a contact that slips back from rest. If both sides drive the motion
  /// back, it cannot leave the switch, and ends.
  bool leave_switches() {
    const Sides kept = switched_.sides();
    for (int again = 0; again < 4; ++again) {
      const PieceRate rate = rate_here();
      const double size =
          std::max({rate.terms.acceleration.cwiseAbs().maxCoeff(),
                    rate.acceleration.cwiseAbs().maxCoeff(), rate.q_rate.cwiseAbs().maxCoeff()});
      const std::vector<Index> left =
          switched_.left_at_once(at_.t, at_.q, at_.v, rate.q_rate, rate.acceleration, size);
      if (left.empty()) return true;
      for (const Index k : left) switched_.flip(k);
      const ModeDecision decision = decide_modes(system(), at_, states_, options_);
      if (!decision.found) break;
      states_ = decision.states;
    }
    switched_.set_sides(kept);
    return fail(Outcome::no_consistent_mode,
                fmt::format("{}, {}", stays_on_a_switch, text_of(system().smooth, at_)));
  }

  /// The closed contacts: "wall, floor ".
  std::string contacts_at(const Instant& at) const {
    const ContactTerms terms = contact_terms(system(), at.q, at.v, at.t);
    const std::vector<bool> touching =
        in_contact(system(), terms, zero_bounds(system(), terms, at, options_));
    std::string names;
    for (Index i = 0; i < system().nc(); ++i)
      if (touching[static_cast<std::size_t>(i)]) names += name(i) + " ";
    return names;
  }

  /// Projects the state onto the constraints of the modes, fills the grid at this time, and
  /// integrates the next piece with its end event. false: the motion has ended.
  bool advance() {
    at_.q = configuration_within(system(), states_, at_.q);
    at_.v = velocity_within(system(), states_, at_.q, at_.v, options_.compliance);
    if (!close_accumulations()) return false;
    while (next_ < times_.size() && times_[next_] <= at_.t) write(at_);
    if (next_ == times_.size()) return end_with(Outcome::success, "");
    if (static_cast<long>(motion_.events.size()) > options_.max_events)
      return fail(Outcome::event_accumulation,
                  fmt::format("more than {} events, the last of contact {}, {}",
                              options_.max_events, last_contact(), text_of(system().smooth, at_)));
    if (events_accumulate())
      return fail(
          Outcome::event_accumulation,
          fmt::format("{} events in {:.3g} s, the last of contact {}, {}", accumulation_count,
                      accumulation_time, last_contact(), text_of(system().smooth, at_)));
    const auto instant = switched_.next_instant(at_.t, times_.back());
    if (instant && are_inseparable(instant->t, at_.t)) return switch_at(*instant);
    PieceEnd end = run_piece(switched_, states_, at_, times_until(instant), options_, pieces_,
                             [&](const Instant& reached) {
                               if (!instant || reached.t < instant->t) write(reached);
                             });
    at_ = end.at;
    if (!nothing_passed_through()) return false;
    if (end.outcome == Outcome::success && instant) return switch_at(*instant);
    if (end.outcome == Outcome::success) return end_with(Outcome::success, "");
    if (end.outcome != Outcome::stopped_at_root)
      return fail(end.outcome,
                  fmt::format("{}; modes {}, {}", end.message, text_of(modes_of(states_)),
                              text_of(system().smooth, at_)));
    return handle_event(end);
  }

  /// The output times ahead, up to the instant of a switch, which is the last one.
  std::vector<double> times_until(const std::optional<Switches::Instant>& instant) const {
    const auto begin = times_.begin() + static_cast<std::ptrdiff_t>(next_);
    std::vector<double> ahead(
        begin, instant ? std::lower_bound(begin, times_.end(), instant->t) : times_.end());
    if (!instant) return ahead;
    while (!ahead.empty() && are_inseparable(ahead.back(), instant->t)) ahead.pop_back();
    ahead.push_back(instant->t);
    return ahead;
  }

  /// Handles the instant of switches that depend on time alone.
  bool switch_at(const Switches::Instant& instant) {
    at_.t = instant.t;
    for (const Index k : instant.which) switched_.flip(k);
    log_.add(EventKind::time_switch, -1, at_);
    return strike() && accept(decide_modes(system(), at_, states_, options_), true);
  }

  /// Checks that no contact closed undetected, at the samples and at the end of the piece.
  bool nothing_passed_through() {
    if (penetrated_.empty() && depth_at(at_) > 0.0) penetrated_ = penetration(at_);
    return penetrated_.empty() || fail(Outcome::inadmissible_state, penetrated_);
  }

  /// m: the largest penetration of a free contact beyond ten times the bound of a zero gap, or 0.
  double depth_at(const Instant& at, Index* which = nullptr) const {
    const ContactTerms terms = contact_terms(system(), at.q, at.v, at.t);
    const ZeroBounds zero = zero_bounds(system(), terms, at, options_);
    double depth = 0.0;
    for (Index i = 0; i < system().nc(); ++i) {
      if (states_[static_cast<std::size_t>(i)].closed()) continue;
      if (-terms.gap(i) <= std::max(10.0 * zero.gap(i), depth)) continue;
      depth = -terms.gap(i);
      if (which != nullptr) *which = i;
    }
    return depth;
  }

  std::string penetration(const Instant& at) const {
    Index which = 0;
    const double depth = depth_at(at, &which);
    return fmt::format(
        "contact {} is penetrated by {:.3g} m, because its closing was not detected, {}",
        name(which), depth, text_of(system().smooth, at));
  }

  bool end_with(Outcome outcome, const std::string& message) { return fail(outcome, message); }

  /// Handles the end of a piece: impacts first, then the modes.
  bool handle_event(PieceEnd& end) {
    if (only_swung(end)) return true;
    const auto is = [](PieceEndKind kind) {
      return [kind](const PieceEndCause& cause) { return cause.kind == kind; };
    };
    const bool switches = std::ranges::any_of(end.causes, is(PieceEndKind::switches));
    bool kink = std::ranges::any_of(end.causes, is(PieceEndKind::kink));
    if (switches) kink = flip(end.causes) || kink;
    if (kink) log_.add(EventKind::kink, -1, at_);
    if (!strike()) return false;
    end.at = at_;
    return struck_.empty() && !switches
               ? accept(decide_modes_after(system(), end, states_, options_), true)
               : accept(decide_modes(system(), at_, states_, options_), true);
  }

  /// Changes the sides of these switches. Whether the forces or their rates change with them: a
  /// switch of the gap of a free contact changes neither.
  bool flip(const std::vector<PieceEndCause>& causes) {
    constexpr double moment = 1e-6, relative = 1e-10;  // s; a change of the rate by 1e-4 of a force
    const auto ahead = [this, moment, rate = rate_here()] {
      return piece_rate(system(), states_, at_.q + moment * rate.q_rate,
                        at_.v + moment * rate.acceleration, at_.t + moment, options_.compliance);
    };
    const PieceRate before = ahead();
    for (const PieceEndCause& cause : causes)
      if (cause.kind == PieceEndKind::switches) switched_.flip(cause.which);
    const PieceRate after = ahead();
    const auto differ = [](const VectorXd& a, const VectorXd& b) {
      return a.size() > 0 && (a - b).cwiseAbs().maxCoeff() >
                                 relative * (a.cwiseAbs().maxCoeff() + b.cwiseAbs().maxCoeff());
    };
    return differ(before.acceleration, after.acceleration) ||
           differ(before.reaction, after.reaction);
  }

  PieceRate rate_here() const {
    return piece_rate(system(), states_, at_.q, at_.v, at_.t, options_.compliance);
  }

  /// In space: a contact has turned, or its forward component has vanished although |w| has not.
  /// The motion continues in its new direction. true: there is no other event.
  bool only_swung(PieceEnd& end) {
    const ContactTerms terms = contact_terms(system(), at_.q, at_.v, at_.t);
    const ZeroBounds zero = zero_bounds(system(), terms, at_, options_);
    std::vector<PieceEndCause> others;
    for (const PieceEndCause& cause : end.causes) {
      const bool sliding_ends = cause.kind == PieceEndKind::stops ||
                                cause.kind == PieceEndKind::swings ||
                                cause.kind == PieceEndKind::slows;
      if (!sliding_ends) {
        others.push_back(cause);
        continue;
      }
      if (cause.kind == PieceEndKind::slows && cause.level == stopping_speed && stop(cause.which)) {
        others.push_back({PieceEndKind::stops, cause.which, -1});
        continue;
      }
      ContactState& state = states_[static_cast<std::size_t>(cause.which)];
      const VectorXd w = sliding(cause.which, terms.rate);
      state.begins = state.begins && cause.kind == PieceEndKind::swings;
      if (zero.slides(system().contacts[static_cast<std::size_t>(cause.which)], w))
        state.direction = w / w.norm();
      else
        others.push_back({PieceEndKind::stops, cause.which, -1});
    }
    end.causes = std::move(others);
    return end.causes.empty();
  }

  /// Continues to the instant when contact i stops to slide, if nothing else happens before.
  bool stop(Index i) {
    std::optional<Instant> stopped = sliding_stop(system(), states_, at_, i, options_.compliance);
    if (!stopped || penetrates(*stopped)) return false;
    if (const auto instant = switched_.next_instant(at_.t, times_.back());
        instant && instant->t <= stopped->t)
      return false;
    if (system().smooth.has_potential)
      stopped->accounts(1) += mechanical_energy(system().smooth, at_.q, at_.v) -
                              mechanical_energy(system().smooth, stopped->q, stopped->v);
    while (next_ < times_.size() && times_[next_] < stopped->t) {
      Instant between = at_;
      const double part = (times_[next_] - at_.t) / (stopped->t - at_.t);
      between.q += part * (stopped->q - at_.q);
      between.v += part * (stopped->v - at_.v);
      between.t = times_[next_];
      write(between);
    }
    at_ = *std::move(stopped);
    return true;
  }

  /// Closes each contact with very short flights at the end of all of them. A closed contact
  /// affects the others, so that the search restarts after each.
  bool close_accumulations() {
    long closings_left = 10 * system().nc();
    for (Index i = 0; i < system().nc();) {
      const std::size_t events = motion_.events.size();
      if (!close_accumulation(i)) return false;
      i = motion_.events.size() != events && --closings_left > 0 ? 0 : i + 1;
    }
    struck_.clear();
    return true;
  }

  bool close_accumulation(Index i) {
    if (states_[static_cast<std::size_t>(i)].closed()) return true;
    const PieceRate rate = piece_rate(system(), states_, at_.q, at_.v, at_.t, options_.compliance);
    const double g_acceleration =
        (rate.terms.free + rate.terms.delassus * rate.reaction)(system().smooth.m + i);
    const ZeroBounds zero = zero_bounds(system(), rate.terms, at_, options_);
    if (rate.terms.gap(i) > zero.gap(i)) return true;
    const double rounding = gap_roundings(system(), rate.terms, at_.q)(i);
    const double speed = rate.terms.rate(system().smooth.m + i);
    // At a lower speed it does not fly: a detachment has a speed of the size of rounding.
    const auto unseen =
        speed > zero.speed(system().smooth.m + i)
            ? Accumulation::unseen(speed, g_acceleration, rounding,
                                   system().contacts[static_cast<std::size_t>(i)].restitution)
            : std::nullopt;
    auto left = unseen;
    if (!left && std::find(struck_.begin(), struck_.end(), i) != struck_.end())
      left = accumulation_.remaining(i, g_acceleration, rounding, options_.accumulation_time);
    return !left || close(i, *left, unseen.has_value());
  }

  /// Closes contact i after the time `left`, unless another contact closes before. Closes it at
  /// once if its flights can no longer be resolved.
  bool close(Index i, double left, bool unseen) {
    const Settling settling = settling_of(system(), states_, at_, i, options_);
    if (!settling.closed.found) return accept(settling.closed, false);
    if (penetrates(settling.after(left))) {
      if (!unseen) return true;
      left = 0.0;
    }
    while (next_ < times_.size() && times_[next_] < at_.t + left)
      write(settling.after(times_[next_] - at_.t), settling.closed.states);
    at_ = settling.after(left);
    log_.add(EventKind::accumulation, i, at_);
    states_ = settling.closed.states;
    return strike() && accept(decide_modes(system(), at_, states_, options_), false);
  }

  bool penetrates(const Instant& at) const {
    const ContactTerms terms = contact_terms(system(), at.q, at.v, at.t);
    const ZeroBounds zero = zero_bounds(system(), terms, at, options_);
    for (Index i = 0; i < system().nc(); ++i)
      if (system().contacts[static_cast<std::size_t>(i)].normal == Normal::unilateral &&
          terms.gap(i) < -0.1 * zero.gap(i))
        return true;
    return false;
  }

  void write(const Instant& reached) { write(reached, states_); }
  void write(const Instant& reached, const ContactStates& states) {
    const auto column = static_cast<Index>(next_++);
    motion_.motion.q.col(column) = reached.q;
    motion_.motion.v.col(column) = reached.v;
    motion_.motion.lambda.col(column) = forces_within(system(), states, reached, options_);
    motion_.accounts.col(column) = reached.accounts;
    if (penetrated_.empty() && depth_at(reached) > 0.0) penetrated_ = penetration(reached);
  }

  bool events_accumulate() const {
    const auto count = static_cast<long>(motion_.events.size());
    return count > accumulation_count &&
           at_.t - motion_.events[static_cast<std::size_t>(count - accumulation_count)].t <
               accumulation_time;
  }

  std::string last_contact() const {
    if (motion_.events.empty() || motion_.events.back().contacts.empty()) return "?";
    return name(motion_.events.back().contacts.front());
  }

  SwitchedSystem switched_;
  const NonsmoothOptions& options_;
  const std::vector<double>& times_;
  Instant at_;
  ContactStates states_;
  Accumulation accumulation_;
  NonsmoothMotion motion_;
  PieceHistory pieces_{motion_.work};
  std::size_t next_ = 0;       ///< output
  std::vector<Index> struck_;  ///< contacts of the last impact, until the next piece
  std::string penetrated_;     ///< the first penetration
  EventLog log_;               ///< of the current instant
};

}  // namespace

NonsmoothMotion event_driven_motion(const FrictionalSystem& system, const InitialState& start,
                                    const std::vector<double>& times,
                                    const NonsmoothOptions& options) {
  check_motion_input(system, start, times);
  check_options(system, options);
  if (auto refused = inadmissible_start(system, start, times, options)) return *refused;
  return EventDriven(system, start, times, options).run();
}

std::vector<std::string> modes_at_start(const FrictionalSystem& system, const InitialState& start,
                                        const NonsmoothOptions& options) {
  const std::vector<double> times{0.0, 1.0};  // of a motion; its start alone matters
  check_motion_input(system, start, times);
  check_options(system, options);
  if (inadmissible_start(system, start, times, options)) return {};
  return EventDriven(system, start, times, options).start_modes();
}

bool tells_several_solutions(const std::string& note) {
  return note.find(several_solutions) != std::string::npos;
}

}  // namespace rigidlimit
