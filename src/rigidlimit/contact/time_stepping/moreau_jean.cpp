// Moreau and Jean's time stepping. One step of size h from (q, v) at t:
//
//   q_m = q + h/2 T(q) v,   H, M, F and g at q_m, t + h/2
//   v⁺  = v + h M⁻¹ F + M⁻¹ Hᵀ r      contacts with g(q_m) ≤ 0 take part
//   q⁺  = q_m + h/2 T(q_m) v⁺
//
// F is taken at the middle of the step in q and t, and is explicit in v: θ = 1/2 for the free
// flight under forces without v, which then has order 2. Every step with a contact has order 1 at
// best. The impulses r of the step satisfy the laws of contact/contact_problem.hpp with
//
//   u = (w⁺, g'⁺ + e min(g', 0)),   w⁺ and g'⁺ at the end of the step, g' at its beginning:
//
// This is Newton's restitution, and Coulomb's friction against the velocity at the end. If normal
// and tangential impulses interact, the law differs from Poisson's (contact/impact.hpp), and with
// e > 0 it can increase the energy; if the normal passes through the centre, they agree. A contact
// pressed in the step before may be open by no more than the effect of forces in a step, g ≤ 8 h²
// max |accelerations|. Then it stays, with u_n = g'⁺ + g/h. Otherwise each step along the tangent
// of a curved surface would open it, and forces would alternate between zero and twice their value.
// Penetration, O(h) after an impact, is not corrected: that would throw the bodies apart.
//
// If the modes of the step before still give a solution, it is used without a search for others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "rigidlimit/contact/contact_problem.hpp"
#include "rigidlimit/contact/contact_terms.hpp"
#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/contact/start_check.hpp"
#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

/// One step from t to t + h.
struct StepTaken {
  double t = 0.0, h = 0.0;
  const VectorXd& q;  ///< in its middle
  const VectorXd& v_before;
  const VectorXd& v_after;
  const VectorXd& reaction;   ///< impulses r = (−λ, p) of all contacts
  const ContactTerms& terms;  ///< in its middle
  const std::vector<ActiveContact>& active;
  const std::vector<ContactMode>& modes;  ///< of the active contacts
};

/// Compares each step with the previous one. Event times are the starts of steps, exact to h.
///
/// A contact has an impact if it closed before and its normal impulse exceeds that of forces in a
/// step, A_nn p > 8 h max |accelerations without reactions| + speed_tolerance: one event 'impact'
/// for all contacts at once. Other changes are 'touch' and 'detachment', 'stick', 'slip',
/// 'reversal', and 'kink' if a kink function changes its sign. Bounces too weak to distinguish from
/// rest are not listed.
class StepEvents {
 public:
  StepEvents(const FrictionalSystem& system, const InitialState& start,
             const NonsmoothOptions& options);

  void note(const StepTaken& step);

  /// Whether a contact had an impact in the last step.
  bool was_impact() const { return was_impact_; }
  const std::string& initial_modes() const { return initial_modes_; }
  std::vector<ContactEvent> take() { return std::move(events_); }
  long dropped() const { return dropped_; }  ///< events beyond NonsmoothOptions::max_events

 private:
  void add(const StepTaken& step, EventKind kind, std::vector<Index> contacts);
  std::vector<ContactMode> modes_after(const StepTaken& step) const;
  std::vector<Index> struck(const StepTaken& step) const;
  void note_kinks(const StepTaken& step);
  void note_change(const StepTaken& step, Index contact, ContactMode now);

  const FrictionalSystem& system_;
  const NonsmoothOptions& options_;
  std::vector<ContactMode> modes_;
  VectorXd slip_;  ///< w of the step before
  VectorXd kinks_;
  bool first_ = true;
  bool was_impact_ = false;
  std::string initial_modes_;
  std::vector<ContactEvent> events_;
  long dropped_ = 0;
};

VectorXd kinks_at(const FrictionalSystem& system, const VectorXd& q) {
  VectorXd kinks(system.kink_count);
  if (system.kink_count > 0) system.kinks(q, kinks);
  return kinks;
}

/// Change of the speed of a contact by forces in one step.
double ordinary_change(const StepTaken& step) {
  return 8.0 * step.h * step.terms.free.cwiseAbs().maxCoeff();
}

StepEvents::StepEvents(const FrictionalSystem& system, const InitialState& start,
                       const NonsmoothOptions& options)
    : system_(system),
      options_(options),
      modes_(static_cast<std::size_t>(system.nc()), ContactMode::free),
      slip_(VectorXd::Zero(system.smooth.m)),
      kinks_(kinks_at(system, start.q)) {}

std::vector<ContactMode> StepEvents::modes_after(const StepTaken& step) const {
  std::vector<ContactMode> modes(modes_.size(), ContactMode::free);
  const VectorXd rate = step.terms.rows * step.v_after;
  for (std::size_t k = 0; k < step.active.size(); ++k) {
    const Index i = step.active[k].which;
    const bool leaves =
        system_.contacts[static_cast<std::size_t>(i)].normal == Normal::unilateral &&
        rate(system_.smooth.m + i) > options_.speed_tolerance + ordinary_change(step);
    if (!leaves) modes[static_cast<std::size_t>(i)] = step.modes[k];
  }
  return modes;
}

std::vector<Index> StepEvents::struck(const StepTaken& step) const {
  std::vector<Index> all;
  for (const ActiveContact& one : step.active) {
    const Index row = system_.smooth.m + one.which;
    if (system_.contacts[static_cast<std::size_t>(one.which)].normal != Normal::given &&
        step.terms.delassus(row, row) * step.reaction(row) >
            ordinary_change(step) + options_.speed_tolerance)
      all.push_back(one.which);
  }
  return all;
}

void StepEvents::add(const StepTaken& step, EventKind kind, std::vector<Index> contacts) {
  if (static_cast<long>(events_.size()) >= options_.max_events) {
    ++dropped_;
    return;
  }
  const bool impact = kind == EventKind::impact;
  events_.push_back(
      {.t = step.t,
       .kind = kind,
       .contacts = std::move(contacts),
       .q = step.q,
       .v_before = step.v_before,
       .v_after = impact ? step.v_after : step.v_before,
       .impulse = impact ? forces_of(system_, step.reaction) : VectorXd::Zero(system_.forces()),
       .modes = text_of(modes_)});
}

void StepEvents::note_kinks(const StepTaken& step) {
  const VectorXd kinks = kinks_at(system_, step.q);
  for (Index k = 0; k < kinks.size(); ++k)
    if (!first_ && (kinks(k) > 0.0) != (kinks_(k) > 0.0)) add(step, EventKind::kink, {});
  kinks_ = kinks;
}

void StepEvents::note_change(const StepTaken& step, Index contact, ContactMode now) {
  const ContactMode before = modes_[static_cast<std::size_t>(contact)];
  const ContactPoint& point = system_.contacts[static_cast<std::size_t>(contact)];
  const auto slip = [&](const VectorXd& w) { return w.segment(point.first, point.components); };
  const VectorXd w = step.terms.rows.topRows(system_.smooth.m) * step.v_after;
  const bool turned =
      before == ContactMode::slip && now == ContactMode::slip && slip(w).dot(slip(slip_)) < 0.0;
  modes_[static_cast<std::size_t>(contact)] = now;
  if (turned) add(step, EventKind::reversal, {contact});
  if (before == now) return;
  if (before == ContactMode::free) {
    add(step, EventKind::touch, {contact});
  } else {
    add(step,
        now == ContactMode::free    ? EventKind::detachment
        : now == ContactMode::stick ? EventKind::stick
                                    : EventKind::slip,
        {contact});
  }
}

void StepEvents::note(const StepTaken& step) {
  const std::vector<ContactMode> now = modes_after(step);
  const std::vector<Index> hit = struck(step);
  was_impact_ = !hit.empty();
  if (first_) {
    std::vector<ContactMode> at_start = now;
    for (const Index i : hit) at_start[static_cast<std::size_t>(i)] = ContactMode::free;
    initial_modes_ = text_of(at_start);
    if (hit.empty()) modes_ = now;
  }
  note_kinks(step);
  if (!hit.empty()) {
    modes_ = now;
    add(step, EventKind::impact, hit);
  } else {
    for (std::size_t i = 0; i < now.size(); ++i)
      if (!first_) note_change(step, static_cast<Index>(i), now[i]);
  }
  slip_ = step.terms.rows.topRows(system_.smooth.m) * step.v_after;
  first_ = false;
}

constexpr std::size_t most_notes = 20;

/// The contacts of one step, and u without reactions.
struct StepContacts {
  std::vector<ActiveContact> active;
  VectorXd free;
};

/// `pressed` (m + nc): the impulses of the previous step.
StepContacts contacts_of(const FrictionalSystem& system, const ContactTerms& terms,
                         const VectorXd& pressed, double h, double tolerance) {
  StepContacts contacts{.active = {}, .free = terms.rate + h * (terms.rows * terms.acceleration)};
  const double near = tolerance + 8.0 * h * h * terms.free.cwiseAbs().maxCoeff();
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& contact = system.contacts[static_cast<std::size_t>(i)];
    const Index row = system.smooth.m + i;
    const double gap = terms.gap(i);
    const bool stays =
        contact.normal == Normal::bilateral ||
        (contact.normal == Normal::unilateral && pressed(row) > 0.0 && gap > 0.0 && gap <= near);
    if (contact.normal != Normal::unilateral || stays || gap <= tolerance)
      contacts.active.push_back({.which = i});
    if (contact.normal == Normal::unilateral)
      contacts.free(row) += contact.restitution * std::min(terms.rate(row), 0.0);
    if (stays) contacts.free(row) += gap / h;
  }
  return contacts;
}

/// Of several solutions, the one of least rᵀ A r, the least jump of the velocity: contacts that
/// could jam without having closed do so only if they must.
const ContactSolution& chosen(const std::vector<ContactSolution>& answers, const MatrixXd& A) {
  const auto jump = [&A](const ContactSolution& answer) {
    return answer.reaction.dot(A * answer.reaction);
  };
  return *std::min_element(answers.begin(), answers.end(),
                           [&](const auto& a, const auto& b) { return jump(a) < jump(b); });
}

class Stepping {
 public:
  Stepping(const FrictionalSystem& system, const InitialState& start,
           const std::vector<double>& times, double step, const NonsmoothOptions& options)
      : system_(system),
        options_(options),
        times_(times),
        q_(start.q),
        v_(start.v),
        reaction_(VectorXd::Zero(system.forces())),
        steps_(std::max(1L, std::lround((times.back() - times.front()) / step))),
        h_((times.back() - times.front()) / static_cast<double>(steps_)),
        events_(system, start, options) {
    result_.motion = empty_motion(system, times);
  }

  NonsmoothMotion run() {
    result_.outcome = Outcome::success;
    for (step_ = 0; step_ < steps_ && result_.outcome == Outcome::success; ++step_) {
      t_ = time_of(step_);
      if (options_.stop_requested && options_.stop_requested()) {
        end(Outcome::interrupted, "interrupted");
      } else {
        advance();
      }
    }
    const bool whole = result_.outcome == Outcome::success;
    constexpr double beyond = std::numeric_limits<double>::infinity();
    if (whole) t_ = times_.back();
    store_until(whole ? beyond : std::nextafter(t_, beyond), q_, v_);
    result_.t_reached = t_;
    result_.initial_modes = events_.initial_modes();
    result_.events = events_.take();
    if (events_.dropped() > 0)
      result_.notes.push_back(fmt::format("{} more events are not listed", events_.dropped()));
    return std::move(result_);
  }

 private:
  double time_of(long step) const { return times_.front() + h_ * static_cast<double>(step); }

  void end(Outcome outcome, const std::string& why) {
    result_.outcome = outcome;
    result_.message = why;
  }

  /// Fills columns up to t, the end of the step to (q, v): linear over the step, with its forces.
  void store_until(double t, const VectorXd& q, const VectorXd& v) {
    while (column_ < times_.size() && times_[column_] < t) {
      // Below zero: a time left from a step with an impact, which has no forces; the step is now
      // over.
      const double part = std::max(0.0, (times_[column_] - t_) / h_);
      const auto k = static_cast<Index>(column_++);
      result_.motion.q.col(k) = q_ + part * (q - q_);
      result_.motion.v.col(k) = v_ + part * (v - v_);
      result_.motion.lambda.col(k) = forces_of(system_, reaction_) / h_;
    }
  }

  void advance() {
    const VectorXd q_m = q_ + 0.5 * h_ * restored_rate(system_.smooth, q_, v_);
    const ContactTerms terms = contact_terms(system_, q_m, v_, t_ + 0.5 * h_);
    const auto [active, free] = contacts_of(system_, terms, reaction_, h_, options_.gap_tolerance);
    if (!free.allFinite() || !terms.delassus.allFinite())
      return end(Outcome::not_finite, fmt::format("t = {}: the state or its forces are not finite, "
                                                  "{}",
                                                  t_, text_of_state(system_.smooth, q_, v_)));
    const ContactProblem problem = contact_problem_of(system_, terms, free, h_ * terms.normal_force,
                                                      active, options_.compliance);
    ++result_.work.steps;
    ++result_.work.rhs_evaluations;
    if (!answer(problem, active)) return;
    reaction_ = reaction_of_all(system_, active, answer_.reaction);
    const VectorXd v_next =
        without_underflow(v_ + h_ * terms.acceleration + terms.response * reaction_);
    events_.note({.t = t_,
                  .h = h_,
                  .q = q_m,
                  .v_before = v_,
                  .v_after = v_next,
                  .reaction = reaction_,
                  .terms = terms,
                  .active = active,
                  .modes = answer_.modes});
    const VectorXd q_next = q_m + 0.5 * h_ * restored_rate(system_.smooth, q_m, v_next);
    if (!events_.was_impact()) store_until(time_of(step_ + 1), q_next, v_next);
    q_ = q_next;
    v_ = v_next;
  }

  /// A velocity of a contact that sticks shrinks by a factor in each step. Far below the rounding
  /// of the motion, 1e-16 of its largest speed, it is zero before products of three would
  /// underflow.
  VectorXd without_underflow(VectorXd v) {
    constexpr double nothing = 1e-100;
    speed_ = std::max(speed_, v.cwiseAbs().maxCoeff());
    return (v.array().abs() < nothing * speed_).select(0.0, v);
  }

  /// Finds answer_ from the modes of the previous step if they still hold, else from all; false:
  /// none.
  bool answer(const ContactProblem& problem, const std::vector<ActiveContact>& active) {
    const std::string names = names_of(system_, active);
    if (names == answered_ && !answer_.modes.empty())
      if (auto same = continued_solution(problem, answer_)) {
        answer_ = *std::move(same);
        return true;
      }
    const auto all = solve_contact_problem(problem);
    if (all.empty()) {
      end(Outcome::no_consistent_mode,
          fmt::format(
              "t = {}: no impulse of the closed contacts ({}) satisfies the contact laws, {}", t_,
              names, text_of_state(system_.smooth, q_, v_)));
      return false;
    }
    note_several(all.size(), active);
    answer_ = chosen(all, problem.delassus);
    answered_ = names;
    return true;
  }

  void note_several(std::size_t count, const std::vector<ActiveContact>& active) {
    if (count < 2 || result_.notes.size() >= most_notes) return;
    result_.notes.push_back(fmt::format("t = {}: {} solutions of the contacts {}", t_, count,
                                        names_of(system_, active)));
  }

  const FrictionalSystem& system_;
  const NonsmoothOptions& options_;
  const std::vector<double>& times_;
  VectorXd q_, v_;
  VectorXd reaction_;       ///< of the step before
  ContactSolution answer_;  ///< of the step before, of the contacts `answered_`
  std::string answered_;
  long steps_, step_ = 0;
  double h_, t_ = 0.0, speed_ = 0.0;  ///< speed: the largest |v_i| so far
  std::size_t column_ = 0;
  StepEvents events_;
  NonsmoothMotion result_;
};

}  // namespace

NonsmoothMotion moreau_jean_motion(const FrictionalSystem& system, const InitialState& start,
                                   const std::vector<double>& times, double step,
                                   const NonsmoothOptions& options) {
  check_motion_input(system, start, times);
  if (!(step > 0.0) || !std::isfinite(step))
    throw InputError(fmt::format("the step {} is not > 0", step));
  if (auto refused = inadmissible_start(system, start, times, options)) return *std::move(refused);
  return Stepping(system, start, times, step, options).run();
}

}  // namespace rigidlimit
