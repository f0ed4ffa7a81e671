#include "rigidlimit/experiment/friction/friction_record.hpp"

#include <algorithm>

namespace rigidlimit {

namespace {

void add_motion(const Motion& motion, SolveRecord& record) {
  if (motion.times.empty()) return;
  record.samples.push_back({"q", motion.q});
  record.samples.push_back({"v", motion.v});
  record.samples.push_back({"lambda", motion.lambda});
}

Motion take_motion(const std::vector<double>& times, SolveRecord& record) {
  Motion motion{
      .times = {}, .q = record.take("q"), .v = record.take("v"), .lambda = record.take("lambda")};
  if (motion.q.cols() > 0) motion.times = times;
  return motion;
}

/// All texts, each followed by a zero, one number per byte.
MatrixXd bytes_of(const std::vector<std::string>& texts) {
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
  for (const double byte : bytes.reshaped()) {
    if (byte != 0.0) {
      next += static_cast<char>(static_cast<unsigned char>(byte));
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

VectorXd column_of(const ContactEvent& event, const EventLayout& at) {
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
  event.kind = static_cast<EventKind>(column(1));
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

SolveRecord record_of(const NonsmoothMotion& motion, const FrictionalSystem& system) {
  SolveRecord record{.outcome = motion.outcome,
                     .message = motion.message,
                     .t_reached = motion.t_reached,
                     .work = motion.work};
  add_motion(motion.motion, record);
  const EventLayout layout(system);
  MatrixXd events(layout.rows(), static_cast<Index>(motion.events.size()));
  std::vector<std::string> words{motion.initial_modes};
  for (std::size_t k = 0; k < motion.events.size(); ++k) {
    events.col(static_cast<Index>(k)) = column_of(motion.events[k], layout);
    words.push_back(motion.events[k].modes);
  }
  words.insert(words.end(), motion.notes.begin(), motion.notes.end());
  record.samples.push_back({"events", std::move(events)});
  record.samples.push_back({"words", bytes_of(words)});
  if (motion.accounts.size() == 0) return record;
  record.samples.push_back({"accounts", motion.accounts});
  record.samples.push_back({"event_accounts", motion.event_accounts});
  return record;
}

NonsmoothMotion nonsmooth_motion_of(SolveRecord record, const FrictionalSystem& system,
                                    const std::vector<double>& times) {
  NonsmoothMotion motion;
  motion.outcome = record.outcome;
  motion.message = record.message;
  motion.t_reached = record.t_reached;
  motion.work = record.work;
  motion.motion = take_motion(times, record);
  const EventLayout layout(system);
  const MatrixXd events = record.take("events");
  const std::vector<std::string> words = texts_in(record.take("words"));
  std::size_t next = 0;
  const auto word = [&] { return next < words.size() ? words[next++] : std::string(); };
  motion.initial_modes = word();
  motion.accounts = record.take("accounts");
  motion.event_accounts = record.take("event_accounts");
  for (const auto& column : events.colwise()) {
    motion.events.push_back(event_in(column, layout));
    motion.events.back().modes = word();
  }
  while (next < words.size()) motion.notes.push_back(word());
  return motion;
}

SolveRecord record_of(const FrictionMotion& motion) {
  SolveRecord record{.outcome = motion.solve.outcome,
                     .message = motion.solve.message,
                     .t_reached = motion.solve.t_reached,
                     .work = motion.solve.work};
  add_motion(motion.motion, record);
  MatrixXd events(3, static_cast<Index>(motion.events.size()));
  for (std::size_t k = 0; k < motion.events.size(); ++k) {
    const CompliantEvent& event = motion.events[k];
    events.col(static_cast<Index>(k)) << event.t, static_cast<double>(event.kind),
        static_cast<double>(event.contact);
  }
  record.samples.push_back({"events", std::move(events)});
  record.samples.push_back({"kinks", MatrixXd::Constant(1, 1, motion.solve.roots)});
  return record;
}

void take_record(SolveRecord record, const std::vector<double>& times, FrictionMotion& motion) {
  motion.solve.outcome = record.outcome;
  motion.solve.message = record.message;
  motion.solve.t_reached = record.t_reached;
  motion.solve.work = record.work;
  motion.motion = take_motion(times, record);
  motion.events.clear();
  const MatrixXd events = record.take("events");
  for (const auto& column : events.colwise())
    motion.events.push_back({.t = column(0),
                             .kind = static_cast<EventKind>(column(1)),
                             .contact = static_cast<Index>(column(2))});
  const MatrixXd kinks = record.take("kinks");
  motion.solve.roots = kinks.size() > 0 ? static_cast<int>(kinks(0, 0)) : 0;
}

}  // namespace rigidlimit
