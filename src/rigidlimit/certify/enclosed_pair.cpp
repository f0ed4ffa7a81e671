#include "rigidlimit/certify/enclosed_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "rigidlimit/certify/enclosed_motion.hpp"
#include "rigidlimit/certify/enclosed_motions.hpp"
#include "rigidlimit/certify/recorded_pair.hpp"
#include "rigidlimit/certify/room_for_steps.hpp"
#include "rigidlimit/core/tape/recorded_elimination.hpp"

namespace rigidlimit {
namespace {

using V = RecordedPair::V;

/// The equations of both motions, and their q, v and λ.
struct EnclosedTapes {
  explicit EnclosedTapes(const EnclosureQuestion& question)
      : system(*question.pair.system),
        pair(system, question.pair.explicit_time),
        motions(question.pair),
        N(pair.size()),
        m(system.m) {
    motions.check_stiffness();
    start = tape_of(
        [&](V given) -> ExpressionMatrix {
          const ExpressionVector all = pair.start(given), y = all.head(N);
          return joined(all, prepared(y));
        },
        N);
    rigid.rates = tape_of([&](V y, V) -> ExpressionMatrix { return pair.rates(y); }, N, 1);
    rigid.slopes =
        tape_of([&](V y, V) -> ExpressionMatrix { return jacobian_of(pair.rates(y), y); }, N, 1);
    rigid.slow = N;
    const auto position = [&](V y) -> ExpressionVector { return y.head(system.nq); };
    compliant_values = tape_of(
        [&](V z, V epsilon) -> ExpressionMatrix {
          const ExpressionVector y = z.head(N), f = z.segment(N, m), eta = z.tail(m);
          return joined(position(y), pair.velocity(y, f * epsilon(0)),
                        ExpressionVector(product(force_of(motions.stiffness), eta) +
                                         product(force_of(motions.damping), f)));
        },
        N + 2 * m, 1);
    rigid_values = tape_of(
        [&](V y, V) -> ExpressionMatrix {
          return joined(position(y), ExpressionVector(y.segment(system.nq, system.n)),
                        product(force_of(motions.stiffness), prepared(y)));
        },
        N, 1);
  }

  /// X H in the active Recording.
  ExpressionMatrix force_of(const MatrixXd& X) const {
    if (motions.combination.empty()) return recorded(X);
    return product_of_matrices(recorded(X), matrix_of<Expression>(motions.combination));
  }

  /// (HᵀC H)⁻¹Λ.
  ExpressionVector prepared(V y) const {
    return solved_definite(of_independent(motions.stiffness, motions.combination),
                           ExpressionMatrix(pair.load(y)));
  }

  /// HᵀC H, rounded.
  MatrixXd independent_stiffness() const {
    if (motions.combination.empty()) return motions.stiffness;
    const MatrixXd H = matrix_of<double>(motions.combination);
    return H.transpose() * motions.stiffness * H;
  }

  /// The compliant motion, with f and η as fast variables or, not `split`, all variables as slow
  /// ones.
  SlowFastEquation compliant(double epsilon, bool split) const {
    const auto rates = [&](V z, V e) -> ExpressionVector {
      const ExpressionVector y = z.head(N), f = z.segment(N, m), eta = z.tail(m), w = f * e(0);
      const ExpressionMatrix C = of_independent(motions.stiffness, motions.combination),
                             D = of_independent(motions.damping, motions.combination);
      const ExpressionVector load = pair.load(y, w) - product(C, eta) - product(D, f);
      ExpressionVector all = joined(pair.rates(y, w), product(pair.slip(y).delassus, load), f);
      if (!split) all.tail(2 * m) /= e(0);
      return all;
    };
    const Index size = N + 2 * m;
    return {.slow = split ? N : size,
            .contacts = split ? m : 0,
            .rates = tape_of([&](V z, V e) -> ExpressionMatrix { return rates(z, e); }, size, 1),
            .slopes = tape_of(
                [&](V z, V e) -> ExpressionMatrix { return jacobian_of(rates(z, e), z); }, size, 1),
            .stiffness = independent_stiffness(),
            .epsilon = epsilon};
  }

  const RecordedSystem& system;
  RecordedPair pair;
  const MotionPair& motions;
  Index N, m;
  Tape start;  ///< (q, v[, t]) -> (y, w, C⁻¹Λ)
  SlowFastEquation rigid;
  Tape compliant_values, rigid_values;  ///< (z, ε) -> (q, v, λ)
};

/// The defects that bound the errors far below the difference of order ε².
double tolerance_for(double epsilon) {
  return std::min(1e-17, 1e-9 * epsilon * epsilon);
}

/// Encloses both motions on common steps.
class PairSteps {
 public:
  PairSteps(const EnclosureQuestion& question, const EnclosedTapes& tapes)
      : question_(question),
        tapes_(tapes),
        tolerance_(tolerance_for(question.epsilon)),
        compliant_values_(tapes.compliant_values),
        rigid_values_(tapes.rigid_values) {
    const Index N = tapes.N, m = tapes.m;
    BallVector given(N);
    given.head(tapes.system.nq) = balls(question.pair.q);
    given.segment(tapes.system.nq, tapes.system.n) = balls(question.pair.v);
    if (question.pair.explicit_time) given(N - 1) = Ball(question.pair.t);
    start_.resize(N + 2 * m);
    Evaluator<Ball>(tapes.start)(into(start_), given);
    for (Index i = 0; i < m; ++i) {
      start_(N + i) = question.sliding ? start_(N + i) / Ball(question.epsilon) : Ball(0);
      if (question.deflection.size() > 0) start_(N + m + i) = Ball(question.deflection(i));
    }
  }

  EnclosedPair::Motions enclosed(bool split) const {
    EnclosedMotion compliant(tapes_.compliant(question_.epsilon, split), start_, tolerance_),
        rigid(tapes_.rigid, start_.head(tapes_.N), tolerance_);
    const double end = question_.pair.end;
    EnclosedPair::Motions motions{.end = Ball(end)};
    Ball time = 0;
    double length = std::min(question_.epsilon, end);
    while (time.lower() < end) {
      question_.pair.go_on_from(time.lower());
      length = std::min(length, (Ball(end) - time).upper());
      std::optional<EnclosedMotion::Step> of_compliant, of_rigid;
      double next = 0.5 * length;
      std::string reason = "no step encloses the motion";
      try {
        of_compliant = compliant.step(length, next);
        double rigid_next = next;
        if (of_compliant) of_rigid = rigid.step(length, rigid_next);
        next = std::min(next, rigid_next);
      } catch (const std::domain_error& error) {
        reason = error.what();
        next = 0.5 * length;
      }
      if (of_rigid) {
        motions.steps.push_back(step(time, *of_compliant, *of_rigid));
        require_room(motions.steps.size(), values_in(motions.steps.back()), EnclosedMotion::order,
                     time.middle(), end);
        compliant.accept(*of_compliant);
        rigid.accept(*of_rigid);
        time += Ball(length);
      } else if (next < shortest * question_.epsilon) {
        throw std::domain_error(reason);
      }
      length = next;
    }
    return motions;
  }

 private:
  static constexpr double shortest = 1e-4;  // step, in units of ε

  static std::size_t values_in(const EnclosedPair::Motions::Step& step) {
    std::size_t count = 0;
    for (const auto* parts : {&step.compliant, &step.rigid, &step.difference})
      for (const std::vector<TaylorModel>& part : *parts) count += part.size();
    return count;
  }

  EnclosedPair::Motions::Step step(const Ball& begin, const EnclosedMotion::Step& compliant,
                                   const EnclosedMotion::Step& rigid) const {
    EnclosedPair::Motions::Step step{.begin = begin, .half = Ball(compliant.half)};
    step.compliant = values_of(compliant_values_, compliant.values);
    step.rigid = values_of(rigid_values_, rigid.values);
    for (std::size_t k = 0; k < step.difference.size(); ++k)
      for (std::size_t i = 0; i < step.rigid[k].size(); ++i)
        step.difference[k].push_back(step.compliant[k][i] - step.rigid[k][i]);
    return step;
  }

  std::array<std::vector<TaylorModel>, 3> values_of(const Evaluator<TaylorModel>& evaluator,
                                                    const std::vector<TaylorModel>& z) const {
    std::vector<TaylorModel> all(evaluator.tape().outputs.size());
    evaluator([&all](std::size_t i, const TaylorModel& x) { all[i] = x; }, z,
              std::vector{TaylorModel(question_.epsilon)});
    const auto v = all.begin() + tapes_.system.nq, lambda = v + tapes_.system.n;
    return {std::vector(all.begin(), v), std::vector(v, lambda), std::vector(lambda, all.end())};
  }

  const EnclosureQuestion& question_;
  const EnclosedTapes& tapes_;
  double tolerance_;
  BallVector start_;  ///< (y, f, η)
  Evaluator<TaylorModel> compliant_values_, rigid_values_;
};

}  // namespace

/// Where the contact is not much faster than the motion, its variables are slow ones too.
EnclosedPair::EnclosedPair(const EnclosureQuestion& question) {
  const EnclosedTapes tapes(question);
  const PairSteps steps(question, tapes);
  constexpr double resolved = 1e-3;  // ε whose layer may limit the steps
  try {
    motions_ = std::make_shared<const Motions>(steps.enclosed(true));
  } catch (const std::domain_error&) {
    if (question.epsilon < resolved) throw;
    motions_ = std::make_shared<const Motions>(steps.enclosed(false));
  }
}

int EnclosedPair::steps() const {
  return static_cast<int>(motions_->steps.size());
}

std::vector<Index> EnclosedPair::Motions::rows_of(Quantity quantity, Index row) const {
  if (row >= 0) return {row};
  std::vector<Index> all(steps.front().difference[static_cast<std::size_t>(quantity)].size());
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::size_t EnclosedPair::Motions::first_from(double time) const {
  std::size_t k = 0;
  while (k + 1 < steps.size() && (steps[k].begin + Ball(2) * steps[k].half).upper() <= time) ++k;
  return k;
}

std::vector<StepPart> EnclosedPair::Motions::parts_from(double time) const {
  std::vector<StepPart> parts;
  const std::size_t first = first_from(time);
  for (std::size_t k = first; k < steps.size(); ++k) {
    const Ball &half = steps[k].half, middle = steps[k].begin + half;
    parts.push_back(
        {k, k == first ? Ball(time) - middle : -half, k + 1 == steps.size() ? end - middle : half});
  }
  return parts;
}

Enclosure EnclosedPair::largest(Quantity quantity, Index row, double from) const {
  const std::vector<Index> rows = motions_->rows_of(quantity, row);
  const auto [low, high] = greatest(motions_->parts_from(from), [&](std::size_t k, const Ball& s) {
    const Motions::Models& models = motions_->difference(k, quantity);
    BallVector values(std::ssize(rows));
    for (Index i = 0; i < values.size(); ++i)
      values(i) = models[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])].at(s);
    return values;
  });
  return {low.lower(), high.upper()};
}

Enclosure EnclosedPair::mean_square(Quantity quantity, Index row, double from) const {
  const std::vector<Motions::Step>& steps = motions_->steps;
  Ball sum = 0, length = 0;
  for (const auto& [k, begin, end] : motions_->parts_from(from)) {
    const TaylorModel::Domain domain(EnclosedMotion::order, -steps[k].half, steps[k].half);
    length += end - begin;
    for (const Index i : motions_->rows_of(quantity, row)) {
      const TaylorModel& d = motions_->difference(k, quantity)[static_cast<std::size_t>(i)];
      const TaylorModel integral = (d * d).on(domain).integral(Ball(0));
      sum += integral.at(end) - integral.at(begin);
    }
  }
  const Ball mean = sum / length;
  return {sqrt(Ball(std::max(0.0, mean.lower()))).lower(), sqrt(Ball(mean.upper())).upper()};
}

std::array<BallVector, 3> EnclosedPair::Motions::at(Side side, double t) const {
  const Step& step = steps[first_from(t)];
  const Ball s = Ball(t) - step.begin - step.half;
  std::array<BallVector, 3> values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Models& models = (step.*side)[k];
    values[k].resize(std::ssize(models));
    std::ranges::transform(models, values[k].begin(),
                           [&s](const TaylorModel& x) { return x.at(s); });
  }
  return values;
}

DistanceBounds EnclosedPair::Motions::distance(const Motion& motion, const Motion& rest,
                                               Side side) const {
  DistanceBounds bounds{motion, motion};
  const auto values_of = [](auto& of) { return std::array{&of.q, &of.v, &of.lambda}; };
  const auto given = values_of(motion), rests = values_of(rest);
  const auto least = values_of(bounds.least), most = values_of(bounds.most);
  for (std::size_t c = 0; c < motion.times.size(); ++c) {
    const std::array<BallVector, 3> values = at(side, motion.times[c]);
    const auto column = static_cast<Index>(c);
    for (std::size_t k = 0; k < values.size(); ++k)
      for (Index i = 0; i < given[k]->rows(); ++i) {
        Ball distance = values[k](i) - Ball((*given[k])(i, column));
        if (rests[k]->size() > 0) distance -= Ball((*rests[k])(i, column));
        (*least[k])(i, column) = std::max(0.0, abs(distance).lower());
        (*most[k])(i, column) = distance.magnitude().upper();
      }
  }
  return bounds;
}

DistanceBounds EnclosedPair::compliant_distance(const Motion& motion, const Motion& rest) const {
  return motions_->distance(motion, rest, &Motions::Step::compliant);
}

DistanceBounds EnclosedPair::rigid_distance(const Motion& motion, const Motion& rest) const {
  return motions_->distance(motion, rest, &Motions::Step::rigid);
}

std::array<double, 3> EnclosedPair::radii() const {
  std::array<double, 3> radii{};
  for (const Motions::Step& step : motions_->steps) {
    for (const Motions::Side side : {&Motions::Step::compliant, &Motions::Step::rigid})
      for (std::size_t k = 0; k < radii.size(); ++k)
        for (const TaylorModel& x : (step.*side)[k])
          radii[k] = std::max(radii[k], x.width().upper());
  }
  return radii;
}

}  // namespace rigidlimit
