#include "rigidlimit/experiment/friction/friction_motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

/// The event of a rigid motion that corresponds to a root of a kink; empty: none.
std::optional<CompliantEvent> event_of(const CompliantKink& kink, const Root& root) {
  const bool up = root.direction > 0;
  switch (kink.kind) {
    case CompliantKink::Kind::contact:
      return CompliantEvent{root.t, up ? EventKind::touch : EventKind::detachment, kink.which};
    case CompliantKink::Kind::rim:
      return CompliantEvent{root.t, up ? EventKind::slip : EventKind::stick, kink.which};
    case CompliantKink::Kind::geometry:
    case CompliantKink::Kind::switches: return CompliantEvent{root.t, EventKind::kink, -1};
    case CompliantKink::Kind::sign: break;
  }
  return std::nullopt;
}

std::vector<CompliantEvent> events_of(const FrictionalSystem& system,
                                      const std::vector<Root>& roots) {
  const std::vector<CompliantKink> kinks = kinks_of(system);
  std::vector<CompliantEvent> events;
  for (const Root& root : roots)
    if (const auto event = event_of(kinks.at(static_cast<std::size_t>(root.which)), root))
      events.push_back(*event);
  return events;
}

SolveOptions options_of(const FrictionStudy& study, bool tighter,
                        const std::function<bool()>& stop_requested) {
  const FrictionSolvers& s = study.solvers;
  const double factor = tighter ? s.tighten : 1.0;
  SolveOptions options;
  options.rtol = factor * s.rtol;
  options.atol = factor * s.atol;
  options.max_steps = s.max_steps;
  options.stop_requested = stop_requested;
  return options;
}

/// A motion that contradicts its law at a sample has failed, with the sample as its reason. The
/// errors of gap and gap rate are a thousand tolerances of q and v: far above those of a motion
/// that has met its contacts, far below a contact that it has missed.
void check_law(const FrictionStudy& study, const FrictionalLaw& law, double epsilon,
               const SolveOptions& options, CompliantMotion& one) {
  if (one.outcome != Outcome::success) return;
  const Motion& motion = one.motion.rounded;
  const double size = std::max(motion.q.cwiseAbs().maxCoeff(), motion.v.cwiseAbs().maxCoeff());
  const double error = 1e3 * (options.atol + options.rtol * size);
  const std::string violation =
      violation_of_law(study.model, study.initial, law, epsilon, motion, error);
  if (violation.empty()) return;
  one.outcome = Outcome::inadmissible_state;
  one.message = violation;
}

/// The kind of rigid event that corresponds to a change of a compliant contact.
EventKind compliant_word(EventKind kind) {
  if (kind == EventKind::impact) return EventKind::touch;
  return kind == EventKind::reversal ? EventKind::stick : kind;
}

}  // namespace

CompliantMotion solve_compliant(const FrictionStudy& study, const ComparedLaw& compared,
                                const std::string& solver, double epsilon, bool tighter,
                                const std::vector<double>& times,
                                const std::function<bool()>& stop_requested) {
  CompliantMotion one;
  try {
    const SolveOptions options = options_of(study, tighter, stop_requested);
    const FrictionalLaw law = law_of(study, compared);
    MotionProblem<OdeProblem> problem =
        frictional_compliant(study.model, study.initial, law, epsilon,
                             study.solvers.locate_kinks ? Closing::located : Closing::crossed);
    if (!study.solvers.locate_kinks) problem.problem.roots = nullptr;
    const Solution solution = find_ode_method(solver)->solve(problem.problem, times, options);
    static_cast<SolveEnd&>(one) = solution;
    one.motion = problem.motion(solution);
    one.events = events_of(study.model, solution.roots);
    one.roots = static_cast<int>(solution.roots.size());
    check_law(study, law, epsilon, options, one);
  } catch (const InputError& error) {
    one.outcome = Outcome::solver_error;
    one.message = error.what();
  }
  return one;
}

double matched_time(const ContactEvent& event, const std::vector<CompliantEvent>& events) {
  double nearest = std::numeric_limits<double>::quiet_NaN();
  for (const CompliantEvent& other : events) {
    const bool kink = event.kind == EventKind::kink;
    if (other.kind != compliant_word(event.kind)) continue;
    if (!kink && std::ranges::find(event.contacts, other.contact) == event.contacts.end()) continue;
    if (!(std::abs(other.t - event.t) >= std::abs(nearest - event.t))) nearest = other.t;
  }
  return nearest;
}

namespace {

/// All texts, each followed by a zero, one number per byte.
MatrixXd word_bytes(const std::vector<std::string>& texts) {
  std::vector<double> bytes;
  for (const std::string& text : texts) {
    for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
    bytes.push_back(0.0);
  }
  return Eigen::Map<const MatrixXd>(bytes.data(), 1, static_cast<Index>(bytes.size()));
}

std::vector<std::string> texts_in(const MatrixXd& bytes) {
  std::vector<std::string> texts;
  std::string next;
  for (const double number : bytes.reshaped()) {
    const int byte = whole_number(number, "a byte of a text", 255);
    if (byte != 0) {
      next += static_cast<char>(byte);
      continue;
    }
    texts.push_back(std::move(next));
    next.clear();
  }
  return texts;
}

/// The sizes of one column of "events".
struct EventLayout {
  Index nc, nq, n, forces;

  explicit EventLayout(const FrictionalSystem& system)
      : nc(system.nc()), nq(system.smooth.nq), n(system.smooth.n), forces(system.forces()) {}
  Index rows() const { return 2 + nc + nq + 2 * n + forces; }
};

VectorXd event_column(const ContactEvent& event, const EventLayout& at) {
  VectorXd column(at.rows());
  VectorXd order = VectorXd::Zero(at.nc);
  for (std::size_t k = 0; k < event.contacts.size(); ++k)
    order(event.contacts[k]) = static_cast<double>(k + 1);
  column << event.t, static_cast<double>(event.kind), order, event.q, event.v_before, event.v_after,
      event.impulse;
  return column;
}

ContactEvent event_in(const VectorXd& column, const EventLayout& at) {
  ContactEvent event;
  event.t = column(0);
  event.kind = event_kind_of(column(1));
  const VectorXd order = column.segment(2, at.nc);
  for (Index k = 1; k <= at.nc; ++k)
    for (Index c = 0; c < at.nc; ++c)
      if (order(c) == static_cast<double>(k)) event.contacts.push_back(c);
  Index next = 2 + at.nc;
  const auto take = [&](Index size) {
    const VectorXd part = column.segment(next, size);
    next += size;
    return part;
  };
  event.q = take(at.nq);
  event.v_before = take(at.n);
  event.v_after = take(at.n);
  event.impulse = take(at.forces);
  return event;
}

}  // namespace

MotionSizes sizes_of(const FrictionalSystem& system) {
  return {.q = system.smooth.nq,
          .v = system.smooth.n,
          .forces = system.forces(),
          .contacts = system.nc()};
}

SolveRecord record_of(const NonsmoothMotion& motion, const FrictionalSystem& system) {
  SolveRecord record{motion};
  add(PreciseMotion(motion.motion), record);
  const EventLayout layout(system);
  MatrixXd events(layout.rows(), static_cast<Index>(motion.events.size()));
  std::vector<std::string> words{motion.initial_modes};
  for (std::size_t k = 0; k < motion.events.size(); ++k) {
    events.col(static_cast<Index>(k)) = event_column(motion.events[k], layout);
    words.push_back(motion.events[k].modes);
  }
  words.insert(words.end(), motion.notes.begin(), motion.notes.end());
  add(std::move(events), "events", record);
  add(word_bytes(words), "words", record);
  if (motion.accounts.size() == 0) return record;
  add(motion.accounts, "accounts", record);
  add(motion.event_accounts, "event_accounts", record);
  return record;
}

NonsmoothMotion nonsmooth_motion_of(SolveRecord record, const FrictionalSystem& system,
                                    const std::vector<double>& times) {
  NonsmoothMotion motion;
  static_cast<SolveEnd&>(motion) = record;
  motion.motion = take_precise_motion(sizes_of(system), times, record).rounded;
  const EventLayout layout(system);
  const MatrixXd events = record.take_optional("events", layout.rows(), any_size);
  const std::vector<std::string> words = texts_in(record.take_optional("words", 1, any_size));
  std::size_t next = 0;
  const auto word = [&] { return next < words.size() ? words[next++] : std::string(); };
  motion.initial_modes = word();
  const Index accounts = EnergyAccounts::RowsAtCompileTime;
  motion.accounts = record.take_optional("accounts", accounts, std::ssize(times));
  if (motion.accounts.size() > 0 && events.cols() > 0)
    motion.event_accounts = record.take("event_accounts", accounts, events.cols());
  for (const auto& column : events.colwise()) {
    motion.events.push_back(event_in(column, layout));
    motion.events.back().modes = word();
  }
  while (next < words.size()) motion.notes.push_back(word());
  return motion;
}

}  // namespace rigidlimit
