#include "rigidlimit/experiment/pair/compliant_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rigidlimit {

std::string message_of_failure(const std::vector<CompliantSolve>& solves, const Row& row) {
  const auto at = std::ranges::find_if(solves, [&](const CompliantSolve& s) {
    return s.outcome != Outcome::success && s.law == row.law && s.solver == row.compliant_solver &&
           s.epsilon == row.epsilon;
  });
  return at == solves.end() ? "" : at->message;
}

std::vector<CompliantPair> PairAxes::pairs() const {
  std::vector<CompliantPair> all;
  for (std::size_t e = epsilons.size(); e-- > 0;)
    for (std::size_t law = 0; law < laws.size(); ++law)
      for (std::size_t solver = 0; solver < solvers.size(); ++solver)
        all.push_back({.law = law, .solver = solver, .epsilon = e});
  return all;
}

std::size_t PairAxes::position(std::size_t law, std::size_t solver, std::size_t epsilon) const {
  return ((epsilons.size() - 1 - epsilon) * laws.size() + law) * solvers.size() + solver;
}

CompliantSolve PairAxes::solve(const CompliantPair& pair, bool tighter) const {
  const CompliantMotion& motion = tighter ? pair.tighter : pair.base;
  return {motion,  laws[pair.law], solvers[pair.solver], epsilons[pair.epsilon],
          tighter, motion.roots};
}

Row PairAxes::row(const CompliantPair& pair, const std::string& rigid_solver) const {
  return {.law = laws[pair.law],
          .rigid_solver = rigid_solver,
          .compliant_solver = solvers[pair.solver],
          .epsilon = epsilons[pair.epsilon],
          .measure = {},
          .work = pair.base.work};
}

std::string PairAxes::title(const CompliantPair& pair) const {
  return fmt::format("{}ε = {:.4g}, {}", laws.size() > 1 ? text_of(laws[pair.law]) + ", " : "",
                     epsilons[pair.epsilon], solvers[pair.solver]);
}

void add(MatrixXd values, std::string name, SolveRecord& record) {
  record.samples.push_back({std::move(name), std::move(values)});
}

namespace {

void add(Motion motion, const std::string& suffix, SolveRecord& record) {
  if (motion.times.empty()) return;
  add(std::move(motion.q), "q" + suffix, record);
  add(std::move(motion.v), "v" + suffix, record);
  add(std::move(motion.lambda), "lambda" + suffix, record);
  if (motion.gap.size() > 0) add(std::move(motion.gap), "gap" + suffix, record);
}

Motion take_motion(const std::string& suffix, bool needed, const MotionSizes& sizes,
                   const std::vector<double>& times, SolveRecord& record) {
  const Index count = std::ssize(times);
  const auto take = [&](const char* name, Index rows) {
    return needed ? record.take(name + suffix, rows, count)
                  : record.take_optional(name + suffix, rows, count);
  };
  Motion motion{.times = {}, .q = take("q", sizes.q), .v = {}, .lambda = {}};
  needed = motion.q.cols() > 0;
  motion.v = take("v", sizes.v);
  motion.lambda = take("lambda", sizes.forces);
  if (sizes.gap > 0) motion.gap = take("gap", sizes.gap);
  if (needed) motion.times = times;
  return motion;
}

}  // namespace

void add(PreciseMotion motion, SolveRecord& record) {
  add(std::move(motion.rounded), "", record);
  add(std::move(motion.rest), ".rest", record);
}

PreciseMotion take_precise_motion(const MotionSizes& sizes, const std::vector<double>& times,
                                  SolveRecord& record) {
  const bool needed =
      record.outcome == Outcome::success && record.samples_hash.empty() && !times.empty();
  PreciseMotion motion(take_motion("", needed, sizes, times, record));
  motion.rest = take_motion(".rest", false, sizes, times, record);
  return motion;
}

EventKind event_kind_of(double stored) {
  if (!(stored >= 0.0 && stored <= static_cast<double>(EventKind::time_switch)))
    throw DamagedRecord(fmt::format("an event has the unknown kind {}", stored));
  return static_cast<EventKind>(stored);
}

SolveRecord record_of(CompliantMotion motion) {
  SolveRecord record{motion};
  add(std::move(motion.motion), record);
  if (!motion.events.empty()) {
    MatrixXd events(3, std::ssize(motion.events));
    for (Index k = 0; k < events.cols(); ++k) {
      const CompliantEvent& event = motion.events[static_cast<std::size_t>(k)];
      events.col(k) << event.t, static_cast<double>(event.kind), static_cast<double>(event.contact);
    }
    add(std::move(events), "events", record);
  }
  if (motion.roots > 0) add(MatrixXd::Constant(1, 1, motion.roots), "kinks", record);
  if (EnergyBalance& energy = motion.energy; energy.mechanical.size() > 0) {
    add(energy.mechanical.transpose(), "energy.mechanical", record);
    add(energy.spring.transpose(), "energy.spring", record);
    add(energy.work.transpose(), "energy.work", record);
    add(energy.damper.transpose(), "energy.damper", record);
  }
  return record;
}

CompliantMotion compliant_motion_of(SolveRecord record, const MotionSizes& sizes,
                                    const std::vector<double>& times) {
  CompliantMotion motion{record, take_precise_motion(sizes, times, record)};
  const MatrixXd events = record.take_optional("events", 3, any_size);
  for (const auto& column : events.colwise()) {
    if (!(column(2) >= -1.0 && column(2) < static_cast<double>(sizes.contacts)))  // −1: none
      throw DamagedRecord(fmt::format("an event has the unknown contact {}", column(2)));
    motion.events.push_back({.t = column(0),
                             .kind = event_kind_of(column(1)),
                             .contact = static_cast<Index>(column(2))});
  }
  const MatrixXd kinks = record.take_optional("kinks", 1, 1);
  motion.roots = kinks.size() > 0 ? whole_number(kinks(0, 0), "kinks") : 0;
  if (!record.has("energy.mechanical")) return motion;
  const auto account = [&](const char* name) {
    return VectorXd(record.take(name, 1, std::ssize(times)).reshaped());
  };
  motion.energy = {.mechanical = account("energy.mechanical"),
                   .spring = account("energy.spring"),
                   .work = account("energy.work"),
                   .damper = account("energy.damper")};
  return motion;
}

// Numbers of a measure in a record.
constexpr Index without_bounds = 7, with_bounds = 13;
/// In place of the bounds, which are >= 0 or NaN, of a quantity that is not enclosed.
constexpr double not_enclosed = -1.0;

SolveRecord comparison_record(const CompliantPair& pair) {
  SolveRecord record{
      {.outcome = Outcome::success, .message = pair.enclosure ? pair.enclosure->reason : ""}};
  for (const Comparison& one : pair.against) {
    const bool proved =
        std::ranges::any_of(one.sizes, [](const ErrorSizes& s) { return s.proved.has_value(); });
    MatrixXd sizes(proved ? with_bounds : without_bounds, std::ssize(one.sizes));
    for (Index k = 0; k < sizes.cols(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      const ErrorSizes& s = one.sizes[at];
      sizes.col(k).head(without_bounds) << s.model, s.solver, s.reference, s.sampling, s.rounding,
          one.predicted[at].value, one.predicted[at].sampling_error;
      if (const auto& p = s.proved)
        sizes.col(k).tail(with_bounds - without_bounds) << p->lower, p->upper, p->solver,
            p->least_solver, p->reference, p->least_reference;
      else if (proved)
        sizes.col(k).tail(with_bounds - without_bounds).setConstant(not_enclosed);
    }
    record.samples.push_back({fmt::format("sizes.{}", record.samples.size()), std::move(sizes)});
  }
  if (const auto& e = pair.enclosure)
    record.samples.push_back(
        {"enclosure", Eigen::Vector4d(static_cast<double>(e->steps), e->q, e->v, e->lambda)});
  if (const auto& e = pair.energy)
    record.samples.push_back(
        {"energy",
         (VectorXd(5) << e->mechanical, e->spring, e->work, e->damper, e->defect).finished()});
  return record;
}

void take_comparison(const SolveRecord& record, std::size_t measures, double epsilon,
                     CompliantPair& pair) {
  pair.against.clear();
  for (const NamedSamples& samples : record.samples) {
    const MatrixXd& x = samples.values;
    const bool is_energy = samples.name == "energy", is_enclosure = samples.name == "enclosure";
    const Index rows = is_energy                 ? 5
                       : is_enclosure            ? 4
                       : x.rows() == with_bounds ? with_bounds
                                                 : without_bounds;
    const Index columns = is_energy || is_enclosure ? 1 : static_cast<Index>(measures);
    if (x.rows() != rows || x.cols() != columns)
      throw DamagedRecord(fmt::format("the samples {} are {} × {} and not {} × {}", samples.name,
                                      x.rows(), x.cols(), rows, columns));
    if (is_enclosure) {
      pair.enclosure = {.epsilon = epsilon,
                        .steps = whole_number(x(0), "steps of an enclosure"),
                        .q = x(1),
                        .v = x(2),
                        .lambda = x(3),
                        .reason = record.message};
      continue;
    }
    if (is_energy) {
      pair.energy = {x(0), x(1), x(2), x(3), x(4)};
      continue;
    }
    Comparison& one = pair.against.emplace_back();
    for (const auto& column : x.colwise()) {
      one.sizes.push_back({column(0), column(1), column(2), column(3), column(4)});
      if (rows == with_bounds && column(7) != not_enclosed)
        one.sizes.back().proved =
            ProvedSizes{column(7), column(8), column(9), column(10), column(11), column(12)};
      one.predicted.push_back({column(5), column(6)});
    }
  }
}

}  // namespace rigidlimit
