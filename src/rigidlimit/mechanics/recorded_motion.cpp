#include "rigidlimit/mechanics/recorded_motion.hpp"

#include <map>
#include <mutex>

#include "rigidlimit/core/evaluator.hpp"
#include "rigidlimit/core/pack_evaluator.hpp"
#include "rigidlimit/core/recorded_elimination.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"

namespace rigidlimit {
namespace {

using Chart = QuasiVelocityEquations::Chart;

/// nq, n, m, and whether there are invariants.
struct Shape {
  Index nq, n, m;
  bool invariants;

  Index free() const { return n - m; }
  Index moving() const { return nq + n; }
  Index rolling() const { return nq + n - m; }
};

ExpressionVector joined(std::initializer_list<ExpressionVector> parts) {
  Index size = 0;
  for (const ExpressionVector& part : parts) size += part.size();
  ExpressionVector all(size);
  Index next = 0;
  for (const ExpressionVector& part : parts) {
    all.segment(next, part.size()) = part;
    next += part.size();
  }
  return all;
}

/// Puts the tapes of a system together. For one order of the rows of B = [S; G].
class MotionRecorder {
 public:
  MotionRecorder(const RecordedSystem& system, const Shape& shape, const Chart& order)
      : system_(system), shape_(shape), order_(order.begin(), order.begin() + shape.n) {}

  /// (q, u, w, λ) -> (q', u', w').
  ExpressionVector rates(const ExpressionVector& state, const ExpressionVector& lambda) const {
    const At at = at_state(state);
    const ExpressionVector push = product(at.B.bottomRows(shape_.m).transpose(), lambda);
    const ExpressionVector a = solved_definite(at.M, at.F - push);
    return joined({at.q_rate, product(at.B, a) + at.drift});
  }

  /// (q, u) -> (q', u') of rolling: w = 0, and λ keeps it so,
  /// G M⁻¹Gᵀ λ = G M⁻¹F + (∂q G[q']) v.
  ExpressionVector rolling_rates(const ExpressionVector& state) const {
    const Index m = shape_.m, free = shape_.free();
    const At at = at_state(joined({state, ExpressionVector::Zero(m)}));
    const ExpressionMatrix G = at.B.bottomRows(m);
    ExpressionMatrix forces(shape_.n, 1 + m);
    forces << at.F, G.transpose();
    const ExpressionMatrix accelerations = solved_definite(at.M, forces);
    const ExpressionMatrix response = accelerations.rightCols(m);
    const ExpressionVector lambda = solved_definite(
        product_of_matrices(G, response), product(G, accelerations.col(0)) + at.drift.tail(m));
    const ExpressionVector a = accelerations.col(0) - product(response, lambda);
    return joined({at.q_rate, product(at.B.topRows(free), a) + at.drift.head(free)});
  }

  /// q -> B M⁻¹Gᵀ (n × m).
  ExpressionMatrix response(const ExpressionVector& q) const {
    const ExpressionMatrix B = frame(q);
    return product_of_matrices(B,
                               solved_definite(mass_matrix(q), B.bottomRows(shape_.m).transpose()));
  }

  /// q -> B.
  ExpressionMatrix frame(const ExpressionVector& q) const {
    ExpressionMatrix B(shape_.n, shape_.n);
    B.topRows(shape_.free()) =
        inlined(system_.quasi_velocities, q).reshaped(shape_.free(), shape_.n);
    B.bottomRows(shape_.m) = inlined(system_.constraints, q).reshaped(shape_.m, shape_.n);
    return B;
  }

  /// q -> what the elimination of B divides by (n).
  ExpressionVector pivots(const ExpressionVector& q) const {
    return eliminated(frame(q), ExpressionVector::Zero(shape_.n), order_).pivots;
  }

 private:
  struct At {
    ExpressionVector q_rate, drift, F;
    ExpressionMatrix B, M;
  };

  ExpressionMatrix mass_matrix(const ExpressionVector& q) const {
    // Of a tape that may name accelerations, which it does not depend on.
    const ExpressionVector unused =
        ExpressionVector::Zero(system_.mass_matrix.inputs - static_cast<std::uint32_t>(shape_.nq));
    return inlined(system_.mass_matrix, joined({q, unused})).reshaped(shape_.n, shape_.n);
  }

  At at_state(const ExpressionVector& state) const {
    const ExpressionVector q = state.head(shape_.nq);
    At at;
    at.B = frame(q);
    at.M = mass_matrix(q);
    const ExpressionVector v = eliminated(at.B, state.tail(shape_.n), order_).x;
    at.q_rate = inlined(system_.coordinate_rate, joined({q, v}));
    if (shape_.invariants) at.q_rate += inlined(system_.restoring_rate, q);
    at.drift = joined({inlined(system_.quasi_velocity_drift, joined({q, at.q_rate, v})),
                       inlined(system_.constraint_drift, joined({q, at.q_rate, v}))});
    at.F = inlined(system_.force, joined({q, v, ExpressionVector::Zero(1)}));
    return at;
  }

  const RecordedSystem& system_;
  Shape shape_;
  std::vector<Index> order_;
};

/// All tapes of one order of the rows, each made when it is asked for first.
class Variant {
 public:
  Variant(std::shared_ptr<const RecordedSystem> system, const Shape& shape, const Chart& order)
      : system_(std::move(system)), shape_(shape), order_(order) {}

  /// (q, u, w, λ) -> (q', u', w') and the pivots.
  const Evaluator<double>& rates() const {
    return rates_.made([&] { return rates_tape(true); });
  }
  const PackEvaluator& pack_rates() const {
    return pack_rates_.made([&] { return rates_tape(false); });
  }
  const Evaluator<double>& jacobian() const {
    return jacobian_.made([&] {
      return tape_of(
          [&](const ExpressionVector& state, const ExpressionVector& lambda) {
            return jacobian_of(recorder().rates(state, lambda), state);
          },
          shape_.moving(), shape_.m);
    });
  }

  /// (q, u) -> (q', u') and the pivots.
  const Evaluator<double>& rolling() const {
    return rolling_.made([&] { return rolling_tape(true); });
  }
  const PackEvaluator& pack_rolling() const {
    return pack_rolling_.made([&] { return rolling_tape(false); });
  }
  const Evaluator<double>& rolling_jacobian() const {
    return rolling_jacobian_.made([&] {
      return tape_of(
          [&](const ExpressionVector& state) {
            return jacobian_of(recorder().rolling_rates(state), state);
          },
          shape_.rolling());
    });
  }

  /// q -> the pivots.
  const Evaluator<double>& pivots() const {
    return pivots_.made([&] {
      return tape_of(
          [&](const ExpressionVector& q) -> ExpressionMatrix { return recorder().pivots(q); },
          shape_.nq);
    });
  }

 private:
  /// Made once, whoever asks first.
  template <class Evaluation>
  class Lazy {
   public:
    template <class Make>
    const Evaluation& made(const Make& make) const {
      std::call_once(once_, [&] { value_ = std::make_unique<const Evaluation>(make()); });
      return *value_;
    }

   private:
    mutable std::once_flag once_;
    mutable std::unique_ptr<const Evaluation> value_;
  };

  MotionRecorder recorder() const { return {*system_, shape_, order_}; }
  Tape rates_tape(bool with_pivots) const {
    return tape_of(
        [&](const ExpressionVector& state, const ExpressionVector& lambda) -> ExpressionMatrix {
          const ExpressionVector rates = recorder().rates(state, lambda);
          return with_pivots ? joined({rates, recorder().pivots(state.head(shape_.nq))}) : rates;
        },
        shape_.moving(), shape_.m);
  }
  Tape rolling_tape(bool with_pivots) const {
    return tape_of(
        [&](const ExpressionVector& state) -> ExpressionMatrix {
          const ExpressionVector rates = recorder().rolling_rates(state);
          return with_pivots ? joined({rates, recorder().pivots(state.head(shape_.nq))}) : rates;
        },
        shape_.rolling());
  }

  std::shared_ptr<const RecordedSystem> system_;
  Shape shape_;
  Chart order_;
  Lazy<Evaluator<double>> rates_, rolling_, jacobian_, rolling_jacobian_, pivots_;
  Lazy<PackEvaluator> pack_rates_, pack_rolling_;
};

/// The order in which elimination with partial pivoting takes the rows of B.
Chart pivoted_order(MatrixXd B) {
  Chart order{};
  const Index n = B.rows();
  const auto at = [&order](Index i) -> std::int8_t& { return order[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < n; ++i) at(i) = static_cast<std::int8_t>(i);
  for (Index k = 0; k < n; ++k) {
    Index best = k;
    for (Index i = k + 1; i < n; ++i)
      if (std::abs(B(i, k)) > std::abs(B(best, k))) best = i;
    std::swap(at(k), at(best));
    B.row(k).swap(B.row(best));
    for (Index i = k + 1; i < n; ++i) B.row(i) -= B(i, k) / B(k, k) * B.row(k);
  }
  return order;
}

/// Takes the results of a tape column by column.
auto into(MatrixOut& J) {
  return [&J](std::size_t i, double x) {
    J(static_cast<Index>(i) % J.rows(), static_cast<Index>(i) / J.rows()) = x;
  };
}

/// The usual order of the rows is the one of a configuration that nobody would choose. Another one
/// is taken at a state, by its own pivots, where a usual pivot has shrunk to a quarter: which
/// one depends on the state alone, not on what was computed before.
class RecordedMotion final : public QuasiVelocityEquations {
 public:
  RecordedMotion(std::shared_ptr<const RecordedSystem> system, const Shape& shape)
      : system_(std::move(system)),
        shape_(shape),
        frame_(tape_of(
            [&](const ExpressionVector& q) { return MotionRecorder(*system_, shape, {}).frame(q); },
            shape.nq)),
        response_(tape_of(
            [&](const ExpressionVector& q) {
              return MotionRecorder(*system_, shape, {}).response(q);
            },
            shape.nq)),
        usual_order_(pivoted_order(frame_at(generic().data()))),
        usual_(system_, shape, usual_order_),
        least_pivots_(shape.n) {
    const VectorXd q = generic();
    usual_.pivots()([&](std::size_t i, double x) { least(i) = 0.25 * std::abs(x); }, q);
  }

  void rates(const double* state, const double* lambda, double* rate) const override {
    const auto y = numbers(state, shape_.moving()), force = numbers(lambda, shape_.m);
    if (taken(usual_.rates(), rate, y.size(), y, force)) return;
    taken(variant(order_at(state)).rates(), rate, y.size(), y, force);
  }
  void rates(const Chart& chart, const Pack* state, const Pack* lambda, Pack* rate) const override {
    variant(chart).pack_rates()(rate, numbers(state, shape_.moving()), numbers(lambda, shape_.m));
  }
  void rolling_rates(const double* state, double* rate) const override {
    const auto y = numbers(state, shape_.rolling());
    if (taken(usual_.rolling(), rate, y.size(), y)) return;
    taken(variant(order_at(state)).rolling(), rate, y.size(), y);
  }
  void rolling_rates(const Chart& chart, const Pack* state, Pack* rate) const override {
    variant(chart).pack_rolling()(rate, numbers(state, shape_.rolling()));
  }

  Chart response(const double* state, MatrixOut P) const override {
    P.topRows(shape_.nq).setZero();
    response_(
        [&](std::size_t i, double x) {
          const auto row = static_cast<Index>(i) % shape_.n,
                     column = static_cast<Index>(i) / shape_.n;
          P(shape_.nq + row, column) = x;
        },
        numbers(state, shape_.nq));
    return chart(state);
  }
  Chart chart(const double* state) const override {
    bool usual = true;
    usual_.pivots()([&](std::size_t i, double x) { usual = usual && std::abs(x) >= least(i); },
                    numbers(state, shape_.nq));
    return usual ? usual_order_ : order_at(state);
  }

  Index operations() const override {
    return static_cast<Index>(usual_.pack_rates().tape().body.size());
  }
  void jacobian(const double* state, const double* lambda, MatrixOut J) const override {
    variant(chart(state))
        .jacobian()(into(J), numbers(state, shape_.moving()), numbers(lambda, shape_.m));
  }
  void rolling_jacobian(const double* state, MatrixOut J) const override {
    variant(chart(state)).rolling_jacobian()(into(J), numbers(state, shape_.rolling()));
  }

 private:
  template <class T>
  static std::span<const T> numbers(const T* first, Index count) {
    return {first, static_cast<std::size_t>(count)};
  }
  /// Writes the first `count` results; whether the pivots behind them are large enough.
  template <class... Part>
  bool taken(const Evaluator<double>& evaluate, double* results, std::size_t count,
             const Part&... parts) const {
    bool large = true;
    evaluate(
        [&](std::size_t i, double x) {
          if (i < count)
            results[i] = x;
          else
            large = large && std::abs(x) >= least(i - count);
        },
        parts...);
    return large;
  }

  VectorXd generic() const {
    VectorXd q(shape_.nq);
    for (Index i = 0; i < q.size(); ++i)
      q(i) = 0.31 * std::cos(1.7 * static_cast<double>(i) + 0.31);
    return q;
  }
  MatrixXd frame_at(const double* state) const {
    MatrixXd B(shape_.n, shape_.n);
    frame_([&](std::size_t i, double x) { B.data()[i] = x; }, numbers(state, shape_.nq));
    return B;
  }
  Chart order_at(const double* state) const { return pivoted_order(frame_at(state)); }

  const Variant& variant(const Chart& order) const {
    if (order == usual_order_) return usual_;
    const std::scoped_lock lock(guard_);
    auto& found = others_[order];
    if (!found) found = std::make_unique<const Variant>(system_, shape_, order);
    return *found;
  }

  double& least(std::size_t i) { return least_pivots_(static_cast<Index>(i)); }
  double least(std::size_t i) const { return least_pivots_(static_cast<Index>(i)); }

  std::shared_ptr<const RecordedSystem> system_;
  Shape shape_;
  Evaluator<double> frame_, response_;
  Chart usual_order_;
  Variant usual_;
  VectorXd least_pivots_;
  mutable std::mutex guard_;
  mutable std::map<Chart, std::unique_ptr<const Variant>> others_;
};

}  // namespace

std::shared_ptr<const QuasiVelocityEquations> quasi_velocity_equations(const System& system) {
  constexpr auto most = static_cast<Index>(std::tuple_size_v<Chart>);
  if (!system.natural_velocities || system.ne > 0 || system.explicit_time || system.n > most)
    return nullptr;
  return std::make_shared<RecordedMotion>(
      system.recorded,
      Shape{.nq = system.nq, .n = system.n, .m = system.m, .invariants = system.ni > 0});
}

}  // namespace rigidlimit
