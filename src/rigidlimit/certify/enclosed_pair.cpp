#include "rigidlimit/certify/enclosed_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "rigidlimit/certify/enclosed_motion.hpp"
#include "rigidlimit/certify/greatest.hpp"
#include "rigidlimit/certify/recorded_pair.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
namespace {

using V = RecordedPair::V;

/// The equations of both motions, and their q, v and λ.
struct MotionTapes {
  explicit MotionTapes(const EnclosureQuestion& question)
      : system(*question.pair.system), pair(system, question.pair.explicit_time) {
    const Index N = pair.size(), m = system.m;
    const ExpressionMatrix C = recorded(question.pair.stiffness),
                           D = recorded(question.pair.damping);
    start = tape_of(
        [&](V given) -> ExpressionMatrix {
          const ExpressionVector all = pair.start(given), y = all.head(N);
          return joined(all, solved_definite(C, ExpressionMatrix(pair.load(y))));
        },
        N);
    const auto compliant_rates = [&](V z, V epsilon) -> ExpressionVector {
      const ExpressionVector y = z.head(N), f = z.segment(N, m), eta = z.tail(m),
                             w = f * epsilon(0);
      const ExpressionVector load = pair.load(y, w) - product(C, eta) - product(D, f);
      return joined(pair.rates(y, w), product(pair.slip(y).delassus, load), f);
    };
    compliant.rates =
        tape_of([&](V z, V epsilon) -> ExpressionMatrix { return compliant_rates(z, epsilon); },
                N + 2 * m, 1);
    compliant.slopes = tape_of(
        [&](V z, V epsilon) -> ExpressionMatrix {
          return jacobian_of(compliant_rates(z, epsilon), z);
        },
        N + 2 * m, 1);
    compliant.slow = N;
    compliant.contacts = m;
    compliant.stiffness = question.pair.stiffness;
    compliant.epsilon = question.epsilon;
    rigid.rates = tape_of([&](V y, V) -> ExpressionMatrix { return pair.rates(y); }, N, 1);
    rigid.slopes =
        tape_of([&](V y, V) -> ExpressionMatrix { return jacobian_of(pair.rates(y), y); }, N, 1);
    rigid.slow = N;
    const auto position = [&](V y) -> ExpressionVector { return y.head(system.nq); };
    compliant_values = tape_of(
        [&](V z, V epsilon) -> ExpressionMatrix {
          const ExpressionVector y = z.head(N), f = z.segment(N, m), eta = z.tail(m);
          return joined(position(y), pair.velocity(y, f * epsilon(0)),
                        ExpressionVector(product(C, eta) + product(D, f)));
        },
        N + 2 * m, 1);
    rigid_values = tape_of(
        [&](V y, V) -> ExpressionMatrix {
          return joined(position(y), ExpressionVector(y.segment(system.nq, system.n)),
                        pair.load(y));
        },
        N, 1);
  }

  const RecordedSystem& system;
  RecordedPair pair;
  Tape start;  ///< (q, v[, t]) -> (y, w, C⁻¹Λ)
  SlowFastEquation compliant, rigid;
  Tape compliant_values, rigid_values;  ///< (z, ε) -> (q, v, λ)
};

std::array<std::vector<TaylorModel>, 3> values_of(const Evaluator<TaylorModel>& evaluator,
                                                  const std::vector<TaylorModel>& z, double epsilon,
                                                  const RecordedSystem& system) {
  std::vector<TaylorModel> all(evaluator.tape().outputs.size());
  evaluator([&all](std::size_t i, const TaylorModel& x) { all[i] = x; }, z,
            std::vector{TaylorModel(epsilon)});
  const auto v = all.begin() + system.nq, lambda = v + system.n;
  return {std::vector(all.begin(), v), std::vector(v, lambda), std::vector(lambda, all.end())};
}

/// The defects that bound the errors far below the difference of order ε².
double tolerance_for(double epsilon) {
  return std::min(1e-17, 1e-9 * epsilon * epsilon);
}

}  // namespace

EnclosedPair::EnclosedPair(const EnclosureQuestion& question) {
  const MotionTapes tapes(question);
  const Index N = tapes.compliant.slow, m = tapes.compliant.contacts;
  BallVector given(N);
  given.head(tapes.system.nq) = balls(question.pair.q);
  given.segment(tapes.system.nq, tapes.system.n) = balls(question.pair.v);
  if (question.pair.explicit_time) given(N - 1) = Ball(question.pair.t);
  BallVector start(N + 2 * m);
  Evaluator<Ball>(tapes.start)(into(start), given);
  const BallVector y = start.head(N);
  BallVector z(N + 2 * m);
  z.head(N) = y;
  for (Index i = 0; i < m; ++i) {
    z(N + i) = question.sliding ? start(N + i) / Ball(question.epsilon) : Ball(0);
    z(N + m + i) = question.deflection.size() > 0 ? Ball(question.deflection(i)) : start(N + m + i);
  }
  const double tolerance = tolerance_for(question.epsilon);
  EnclosedMotion compliant(tapes.compliant, z, tolerance), rigid(tapes.rigid, y, tolerance);
  const Evaluator<TaylorModel> compliant_values(tapes.compliant_values),
      rigid_values(tapes.rigid_values);

  Ball time = 0;
  double length = std::min(question.epsilon, question.pair.end);
  while (time.lower() < question.pair.end) {
    question.pair.check_for_stop();
    const double rest = (Ball(question.pair.end) - time).upper();
    if (rest < 1e-14 * question.pair.end) break;
    length = std::min(length, rest);
    std::optional<EnclosedMotion::Step> of_compliant, of_rigid;
    std::string reason = "no step encloses the motion";
    try {
      of_compliant = compliant.step(length);
      if (of_compliant) of_rigid = rigid.step(length);
    } catch (const std::domain_error& error) {
      reason = error.what();
      if (length < 1e-6 * question.epsilon) throw;
    }
    if (!of_rigid) {
      length *= 0.5;
      if (length < 1e-7 * question.epsilon) throw std::domain_error(reason);
      continue;
    }
    const Ball half(0.5 * length);
    Step step{.begin = time, .half = half};
    const TaylorModel::Domain domain(EnclosedMotion::order, -half, half);
    step.compliant = rigidlimit::values_of(compliant_values, of_compliant->values, question.epsilon,
                                           tapes.system);
    step.rigid =
        rigidlimit::values_of(rigid_values, of_rigid->values, question.epsilon, tapes.system);
    for (std::size_t k = 0; k < step.difference.size(); ++k)
      for (std::size_t i = 0; i < step.rigid[k].size(); ++i)
        step.difference[k].push_back(step.compliant[k][i] - step.rigid[k][i]);
    steps_.push_back(std::move(step));
    compliant.accept(*of_compliant);
    rigid.accept(*of_rigid);
    time += Ball(length);
    length = std::min(EnclosedMotion::next_length(*of_compliant),
                      EnclosedMotion::next_length(*of_rigid));
  }
}

std::vector<Index> EnclosedPair::rows_of(Quantity quantity, Index row) const {
  if (row >= 0) return {row};
  std::vector<Index> all(steps_.front().difference[static_cast<std::size_t>(quantity)].size());
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::size_t EnclosedPair::first_from(double time) const {
  std::size_t k = 0;
  while (k + 1 < steps_.size() && (steps_[k].begin + Ball(2) * steps_[k].half).upper() <= time) ++k;
  return k;
}

/// In each step, its times from this time on.
std::vector<StepPart> EnclosedPair::parts_from(double time) const {
  std::vector<StepPart> parts;
  const std::size_t first = first_from(time);
  for (std::size_t k = first; k < steps_.size(); ++k) {
    const Ball& half = steps_[k].half;
    parts.push_back({k, k == first ? (Ball(time) - steps_[k].begin - half).centre() : -half, half});
  }
  return parts;
}

Enclosure EnclosedPair::largest(Quantity quantity, Index row, double from) const {
  const std::vector<Index> rows = rows_of(quantity, row);
  const auto [low, high] = greatest(parts_from(from), [&](std::size_t k, const Ball& s) {
    const TaylorModel::Domain domain(EnclosedMotion::order, -steps_[k].half, steps_[k].half);
    const Models& models = steps_[k].difference[static_cast<std::size_t>(quantity)];
    BallVector values(std::ssize(rows));
    for (Index i = 0; i < values.size(); ++i)
      values(i) = models[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])].at(s);
    return values;
  });
  return {low.lower(), high.upper()};
}

Enclosure EnclosedPair::mean_square(Quantity quantity, Index row, double from) const {
  Ball sum = 0, length = 0;
  for (const auto& [k, begin, end] : parts_from(from)) {
    const TaylorModel::Domain domain(EnclosedMotion::order, -steps_[k].half, steps_[k].half);
    length += end - begin;
    for (const Index i : rows_of(quantity, row)) {
      const TaylorModel& d =
          steps_[k].difference[static_cast<std::size_t>(quantity)][static_cast<std::size_t>(i)];
      const TaylorModel integral = (d * d).integral(Ball(0));
      sum += integral.at(end) - integral.at(begin);
    }
  }
  const Ball mean = sum / length;
  return {sqrt(Ball(std::max(0.0, mean.lower()))).lower(), sqrt(Ball(mean.upper())).upper()};
}

EnclosedPair::Values EnclosedPair::values_at(Side side, double t) const {
  const Step& step = steps_[first_from(t)];
  const TaylorModel::Domain domain(EnclosedMotion::order, -step.half, step.half);
  const Ball s = Ball(t) - step.begin - step.half;
  Values values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Models& models = (step.*side)[k];
    values[k].resize(std::ssize(models));
    std::ranges::transform(models, values[k].begin(),
                           [&s](const TaylorModel& x) { return x.at(s); });
  }
  return values;
}

Motion EnclosedPair::distance(const Motion& motion, Side side) const {
  Motion result = motion;
  const std::array sizes{&result.q, &result.v, &result.lambda};
  for (std::size_t c = 0; c < motion.times.size(); ++c) {
    const Values values = values_at(side, motion.times[c]);
    for (std::size_t k = 0; k < sizes.size(); ++k)
      for (Index i = 0; i < sizes[k]->rows(); ++i) {
        double& x = (*sizes[k])(i, static_cast<Index>(c));
        x = (values[k](i) - Ball(x)).magnitude().upper();
      }
  }
  return result;
}

std::array<double, 3> EnclosedPair::radii() const {
  std::array<double, 3> radii{};
  for (const Step& step : steps_) {
    const TaylorModel::Domain domain(EnclosedMotion::order, -step.half, step.half);
    for (const Side side : {&Step::compliant, &Step::rigid})
      for (std::size_t k = 0; k < radii.size(); ++k)
        for (const TaylorModel& x : (step.*side)[k])
          radii[k] = std::max(radii[k], x.width().upper());
  }
  return radii;
}

}  // namespace rigidlimit
