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

Motion take_motion(const std::string& suffix, const std::vector<double>& times,
                   SolveRecord& record) {
  Motion motion{.times = {},
                .q = record.take("q" + suffix),
                .v = record.take("v" + suffix),
                .lambda = record.take("lambda" + suffix)};
  if (motion.q.cols() > 0) motion.times = times;
  return motion;
}

PreciseMotion take_precise_motion(const std::vector<double>& times, SolveRecord& record) {
  PreciseMotion motion(take_motion("", times, record));
  motion.rest = take_motion(".rest", times, record);
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

RigidMotion rigid_motion_of(SolveRecord record, const std::vector<double>& times) {
  const MatrixXd tested = record.take("multiplier_tested");
  return {.outcome = record.outcome,
          .message = record.message,
          .multiplier_tested = tested.size() == 0 || tested(0, 0) != 0.0,
          .work = record.work,
          .motion = take_precise_motion(times, record)};
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

CompliantMotion compliant_motion_of(SolveRecord record, const std::vector<double>& times) {
  const auto account = [&record](const char* name) {
    return VectorXd(record.take(name).reshaped());
  };
  return {.outcome = record.outcome,
          .message = record.message,
          .t_reached = record.t_reached,
          .last_step = record.last_step,
          .work = record.work,
          .motion = take_precise_motion(times, record),
          .crossings = record.take("crossings").reshaped(),
          .energy = {.mechanical = account("energy.mechanical"),
                     .spring = account("energy.spring"),
                     .work = account("energy.work"),
                     .damper = account("energy.damper")}};
}

}  // namespace rigidlimit
