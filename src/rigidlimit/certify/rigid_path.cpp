#include "rigidlimit/certify/rigid_path.hpp"

#include "rigidlimit/certify/room_for_steps.hpp"

namespace rigidlimit {
namespace {

constexpr Index order = 20;
constexpr double path_tolerance = 1e-10;    // of Φ and α
constexpr double centre_tolerance = 1e-18;  // of y, whose errors the steps multiply

/// A vector x = centre + Ψ b.
class Parallelepiped {
 public:
  explicit Parallelepiped(const BallVector& x) : centre_(x.size()), b_(x.size()) {
    for (Index i = 0; i < x.size(); ++i) {
      centre_(i) = x(i).centre();
      b_(i) = x(i) - centre_(i);
    }
  }

  const BallVector& centre() const { return centre_; }
  BallVector error(const MatrixXd& frame) const { return balls(frame) * b_; }

  /// x = moved + transported b, in the coordinates of another frame.
  void advance(const BallVector& moved, const BallMatrix& transported,
               const BallMatrix& inverse_frame) {
    BallVector rest(moved.size());
    for (Index i = 0; i < moved.size(); ++i) {
      centre_(i) = moved(i).centre();
      rest(i) = moved(i) - centre_(i);
    }
    b_ = BallMatrix(inverse_frame * transported) * b_ + inverse_frame * rest;
  }

 private:
  BallVector centre_, b_;
};

/// (J Φ, J α + f, J α₁ + f₁) of x = (Φ, α, α₁) and fields that begin with J, N × N, f and f₁, on a
/// domain that contains that of x.
std::vector<TaylorModel> linear_rates(const std::vector<TaylorModel>& all_fields,
                                      const std::vector<TaylorModel>& x, Index N) {
  const auto at = [](const std::vector<TaylorModel>& all, Index i) -> const TaylorModel& {
    return all[static_cast<std::size_t>(i)];
  };
  std::vector<TaylorModel> fields;
  for (Index i = 0; i < N * N + 2 * N; ++i)
    fields.push_back(at(all_fields, i).on(x.front().domain()));
  std::vector<TaylorModel> rates(x.size());
  for (Index column = 0; column < N + 2; ++column)
    for (Index i = 0; i < N; ++i) {
      TaylorModel& rate = rates[static_cast<std::size_t>(column * N + i)];
      if (column >= N) rate = at(fields, column * N + i);
      for (Index j = 0; j < N; ++j)
        if (!at(fields, j * N + i).is_zero() && !at(x, column * N + j).is_zero())
          rate += at(fields, j * N + i) * at(x, column * N + j);
    }
  return rates;
}

/// (α + Z η)_q, and (α + Z η)_r + S η'.
EnclosedStep leading_errors(const PathStep& step, const PairTapes& tapes) {
  const TaylorModel::Domain domain(order, step.length);
  const auto field = [&](std::size_t i) { return step.fields.values[i].on(domain); };
  EnclosedStep result{step.length, {}};
  const auto N = static_cast<std::size_t>(tapes.size), nq = static_cast<std::size_t>(tapes.nq),
             n = static_cast<std::size_t>(tapes.n);
  for (std::size_t i = 0; i < nq + n; ++i) {
    result.values.push_back(step.linear.values[N * N + i] + field(N * N + 2 * N + i));
    if (i >= nq) result.values.back() += field(N * N + 3 * N + i - nq);
  }
  return result;
}

}  // namespace

PathStep::Values PathStep::at(const Ball& s) const {
  const BallVector x = linear.at(s), f = fields.at(s);
  Values values;
  values.y = motion.at(s);
  const Index N = values.y.size();
  values.transition = x.head(N * N).reshaped(N, N);
  values.alpha = x.segment(N * N, N) + values.transition * alpha_error;
  values.alpha1 = x.tail(N) + values.transition * alpha1_error;
  values.slope = f.head(N * N).reshaped(N, N);
  values.load = f.tail(f.size() - N * N - 3 * N - velocities);
  return values;
}

BallVector PathStep::errors(const Ball& s) const {
  const Index N = alpha_error.size();
  const BallMatrix transition = linear.at(s).head(N * N).reshaped(N, N);
  BallVector result = leading.at(s);
  result += BallVector(transition * alpha_error).head(result.size());
  return result;
}

RigidPath::RigidPath(const PairTapes& tapes, const BallVector& y, const BallVector& alpha,
                     const BallVector& alpha1, const Ball& end,
                     const std::function<void(double reached)>& before_step) {
  const Index N = tapes.size;
  const ModelFunction rigid = function_of(tapes.rigid), fields = function_of(tapes.fields);
  Parallelepiped motion(y), second(alpha), third(alpha1);
  MatrixXd frame = MatrixXd::Identity(N, N);
  Ball time = 0;
  while (time < end) {
    before_step(time.middle());
    PathStep next;
    next.begin = time;
    next.frame = frame;
    next.velocities = tapes.n;
    next.alpha_error = second.error(frame);
    next.alpha1_error = third.error(frame);
    const EnclosedStep centre =
        enclosed_step(rigid, motion.centre(), end - time, order, centre_tolerance);
    next.motion = enclosed_step(rigid, motion.centre() + motion.error(frame), centre.length, order,
                                centre_tolerance);
    next.fields = {next.motion.length, fields(next.motion.values)};
    BallVector start(N * N + 2 * N);
    start << BallMatrix(BallMatrix::Identity(N, N)).reshaped(), second.centre(), third.centre();
    next.linear = enclosed_step(
        [&](const std::vector<TaylorModel>& x) { return linear_rates(next.fields.values, x, N); },
        start, next.motion.length, order, path_tolerance);
    next.length = next.linear.length;
    next.leading = leading_errors(next, tapes);
    const BallVector at_end = next.linear.at(next.length);
    next.transported = BallMatrix(at_end.head(N * N).reshaped(N, N)) * balls(frame);
    frame = middles(next.transported);
    const BallMatrix back = inverse(balls(frame));
    motion.advance(centre.at(next.length), next.transported, back);
    second.advance(at_end.segment(N * N, N), next.transported, back);
    third.advance(at_end.tail(N), next.transported, back);
    time += next.length;
    const std::size_t values = next.motion.values.size() + next.fields.values.size() +
                               next.linear.values.size() + next.leading.values.size();
    steps_.push_back(std::move(next));
    require_room(steps_.size(), values, order, time.middle(), end.middle());
  }
}

}  // namespace rigidlimit
