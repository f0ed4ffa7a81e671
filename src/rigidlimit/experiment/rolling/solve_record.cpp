#include "rigidlimit/experiment/rolling/solve_record.hpp"

namespace rigidlimit {

namespace {

void add(std::string name, MatrixXd values, SolveRecord& record) {
  record.samples.push_back({std::move(name), std::move(values)});
}

void add(Motion motion, const std::string& suffix, SolveRecord& record) {
  if (motion.times.empty()) return;
  add("q" + suffix, std::move(motion.q), record);
  add("v" + suffix, std::move(motion.v), record);
  add("lambda" + suffix, std::move(motion.lambda), record);
}

void add(PreciseMotion motion, SolveRecord& record) {
  add(std::move(motion.rounded), "", record);
  add(std::move(motion.rest), ".rest", record);
}

/// A successful solve has a motion, in both parts or none.
Motion take_motion(const std::string& suffix, bool needed, const System& system,
                   const std::vector<double>& times, SolveRecord& record) {
  const Index count = std::ssize(times);
  const auto take = [&](const char* name, Index rows) {
    return needed ? record.take(name + suffix, rows, count)
                  : record.take_optional(name + suffix, rows, count);
  };
  Motion motion{.times = {}, .q = take("q", system.nq)};
  needed = motion.q.cols() > 0;
  motion.v = take("v", system.n);
  motion.lambda = take("lambda", system.m);
  if (needed) motion.times = times;
  return motion;
}

PreciseMotion take_precise_motion(const System& system, const std::vector<double>& times,
                                  SolveRecord& record) {
  const bool needed =
      record.outcome == Outcome::success && record.samples_hash.empty() && !times.empty();
  PreciseMotion motion(take_motion("", needed, system, times, record));
  motion.rest = take_motion(".rest", false, system, times, record);
  return motion;
}

}  // namespace

SolveRecord record_of(RigidMotion motion) {
  SolveRecord record{
      .outcome = motion.outcome, .message = std::move(motion.message), .work = motion.work};
  add("multiplier_tested", MatrixXd::Constant(1, 1, motion.multiplier_tested), record);
  add(std::move(motion.motion), record);
  return record;
}

RigidMotion rigid_motion_of(SolveRecord record, const System& system,
                            const std::vector<double>& times) {
  const MatrixXd tested = record.take_optional("multiplier_tested", 1, 1);
  return {.outcome = record.outcome,
          .message = record.message,
          .multiplier_tested = tested.size() == 0 || tested(0, 0) != 0.0,
          .work = record.work,
          .motion = take_precise_motion(system, times, record)};
}

SolveRecord record_of(CompliantMotion motion) {
  SolveRecord record{.outcome = motion.outcome,
                     .message = std::move(motion.message),
                     .t_reached = motion.t_reached,
                     .last_step = motion.last_step,
                     .work = motion.work};
  add(std::move(motion.motion), record);
  if (motion.crossings.size() > 0) add("crossings", motion.crossings, record);
  if (EnergyBalance& energy = motion.energy; energy.mechanical.size() > 0) {
    add("energy.mechanical", energy.mechanical.transpose(), record);
    add("energy.spring", energy.spring.transpose(), record);
    add("energy.work", energy.work.transpose(), record);
    add("energy.damper", energy.damper.transpose(), record);
  }
  return record;
}

CompliantMotion compliant_motion_of(SolveRecord record, const System& system,
                                    const std::vector<double>& times) {
  const bool has_energy = record.has("energy.mechanical");
  const auto account = [&](const char* name) -> VectorXd {
    return has_energy ? VectorXd(record.take(name, 1, std::ssize(times)).reshaped()) : VectorXd();
  };
  return {.outcome = record.outcome,
          .message = record.message,
          .t_reached = record.t_reached,
          .last_step = record.last_step,
          .work = record.work,
          .motion = take_precise_motion(system, times, record),
          .crossings = record.take_optional("crossings", any_size, 1).reshaped(),
          .energy = {.mechanical = account("energy.mechanical"),
                     .spring = account("energy.spring"),
                     .work = account("energy.work"),
                     .damper = account("energy.damper")}};
}

}  // namespace rigidlimit
