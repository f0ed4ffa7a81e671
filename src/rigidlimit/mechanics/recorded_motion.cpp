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
  Index rolling() const { return nq + free(); }
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

enum class Kind { compliant, rolling };

/// Puts the equations of a system together, for one order of the rows of B = [S; G].
class MotionRecorder {
 public:
  MotionRecorder(const RecordedSystem& system, const Shape& shape, const Chart& order)
      : system_(system), shape_(shape), order_(order.begin(), order.begin() + shape.n) {}

  /// compliant_rates() or rolling_rates(), which has no λ.
  ExpressionVector rates(Kind kind, const ExpressionVector& state,
                         const ExpressionVector& lambda) const {
    return kind == Kind::compliant ? compliant_rates(state, lambda) : rolling_rates(state);
  }

  /// (q, u, w, λ) -> (q', u', w').
  ExpressionVector compliant_rates(const ExpressionVector& state,
                                   const ExpressionVector& lambda) const {
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
    return inlined(system_.mass_matrix, q).reshaped(shape_.n, shape_.n);
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

/// Made once, whoever asks first.
template <class Made>
class Lazy {
 public:
  template <class Make>
  const Made& made(const Make& make) const {
    std::call_once(once_,
                   [&] { value_.reset(new const Made(make())); });  // in place: nothing moves
    return *value_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const Made> value_;
};

/// The tapes of one kind of motion and one order of the rows.
class RateTapes {
 public:
  RateTapes(Kind kind, const RecordedSystem& system, const Shape& shape, const Chart& order)
      : kind_(kind), shape_(shape), recorder_(system, shape, order) {}

  Index state_size() const { return kind_ == Kind::compliant ? shape_.moving() : shape_.rolling(); }
  Index lambda_size() const { return kind_ == Kind::compliant ? shape_.m : 0; }

  /// (state, λ) -> rates, and the pivots behind them.
  const Evaluator<double>& rates() const {
    return rates_.made([this] {
      return tape([this](const ExpressionVector& state, const ExpressionVector& lambda) {
        return joined(
            {recorder_.rates(kind_, state, lambda), recorder_.pivots(state.head(shape_.nq))});
      });
    });
  }
  /// (state, λ) -> rates.
  const PackEvaluator& packs() const {
    return packs_.made([this] {
      return tape([this](const ExpressionVector& state, const ExpressionVector& lambda) {
        return recorder_.rates(kind_, state, lambda);
      });
    });
  }
  /// (state, λ) -> ∂ rates/∂ state.
  const Evaluator<double>& jacobian() const {
    return jacobian_.made([this] {
      return tape([this](const ExpressionVector& state, const ExpressionVector& lambda) {
        return jacobian_of(recorder_.rates(kind_, state, lambda), state);
      });
    });
  }

 private:
  template <class Function>
  Tape tape(const Function& function) const {
    return tape_of(function, state_size(), lambda_size());
  }

  Kind kind_;
  Shape shape_;
  MotionRecorder recorder_;
  Lazy<Evaluator<double>> rates_, jacobian_;
  Lazy<PackEvaluator> packs_;
};

/// Both kinds of motion with one order of the rows.
struct Variant {
  Variant(const RecordedSystem& system, const Shape& shape, const Chart& order)
      : compliant(Kind::compliant, system, shape, order),
        rolling(Kind::rolling, system, shape, order) {}

  const RateTapes& of(Kind kind) const { return kind == Kind::compliant ? compliant : rolling; }

  RateTapes compliant, rolling;
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

/// Additions and multiplications of a tape. A sine, or another function, is some twenty of them.
Index operations_of(const Tape& tape) {
  Index count = 0;
  for (const Instruction& step : tape.body) {
    const bool function = (step.operation >= Operation::exp && step.operation <= Operation::tanh) ||
                          step.operation == Operation::atan2 || step.operation == Operation::power;
    count += function ? 20 : 1;
  }
  return count;
}

/// The usual order of the rows is the one of a configuration that nobody would choose. Another one
/// is taken at a state, by its own pivots, where a usual pivot has shrunk to a quarter: which
/// one depends on the state alone, not on what was computed before.
class RecordedMotion final : public QuasiVelocityEquations {
 public:
  RecordedMotion(std::shared_ptr<const RecordedSystem> system, const Shape& shape)
      : system_(std::move(system)), shape_(shape) {}

  void rates(const double* state, const double* lambda, double* rate) const override {
    write_rates(Kind::compliant, state, lambda, rate);
  }
  void rates(const Chart& chart, const Pack* state, const Pack* lambda, Pack* rate) const override {
    write_packs(Kind::compliant, chart, state, lambda, rate);
  }
  void rolling_rates(const double* state, double* rate) const override {
    write_rates(Kind::rolling, state, nullptr, rate);
  }
  void rolling_rates(const Chart& chart, const Pack* state, Pack* rate) const override {
    write_packs(Kind::rolling, chart, state, nullptr, rate);
  }

  Chart response(const double* state, MatrixOut P) const override {
    P.topRows(shape_.nq).setZero();
    auto rows = P.bottomRows(shape_.n);
    response_.made([this] {
      return tape_of([this](const ExpressionVector& q) { return recorder().response(q); },
                     shape_.nq);
    })(into(rows), numbers(state, shape_.nq));
    return chart(state);
  }
  Chart chart(const double* state) const override {
    const Usual& usual = this->usual();
    bool large = true;
    usual.pivots([&](std::size_t i, double x) { large = large && usual.is_large(i, x); },
                 numbers(state, shape_.nq));
    return large ? usual.order : order_at(state);
  }

  Index operations() const override {
    return operations_of(usual().variant.compliant.packs().tape());
  }
  void jacobian(const double* state, const double* lambda, MatrixOut J) const override {
    write_jacobian(Kind::compliant, state, lambda, J);
  }
  void rolling_jacobian(const double* state, MatrixOut J) const override {
    write_jacobian(Kind::rolling, state, nullptr, J);
  }

 private:
  /// The tapes of the usual order, and what of its pivots is large enough.
  struct Usual {
    Usual(const RecordedSystem& system, const Shape& shape, const Chart& usual_order,
          const VectorXd& configuration)
        : order(usual_order),
          variant(system, shape, usual_order),
          pivots(tape_of(
              [&](const ExpressionVector& q) {
                return MotionRecorder(system, shape, usual_order).pivots(q);
              },
              shape.nq)) {
      pivots([this](std::size_t, double x) { least.push_back(0.25 * std::abs(x)); }, configuration);
    }
    bool is_large(std::size_t i, double pivot) const { return std::abs(pivot) >= least[i]; }

    Chart order;
    Variant variant;
    Evaluator<double> pivots;  ///< of q
    std::vector<double> least;
  };

  template <class T>
  static std::span<const T> numbers(const T* first, Index count) {
    return {first, static_cast<std::size_t>(count)};
  }

  void write_rates(Kind kind, const double* state, const double* lambda, double* rate) const {
    if (written(usual().variant.of(kind), state, lambda, rate)) return;
    written(variant(order_at(state)).of(kind), state, lambda, rate);
  }
  /// Whether the pivots are large enough, as the usual ones go.
  bool written(const RateTapes& tapes, const double* state, const double* lambda,
               double* rate) const {
    const Usual& usual = this->usual();
    const auto count = static_cast<std::size_t>(tapes.state_size());
    bool large = true;
    tapes.rates()(
        [&](std::size_t i, double x) {
          if (i < count)
            rate[i] = x;
          else
            large = large && usual.is_large(i - count, x);
        },
        numbers(state, tapes.state_size()), numbers(lambda, tapes.lambda_size()));
    return large;
  }
  void write_packs(Kind kind, const Chart& chart, const Pack* state, const Pack* lambda,
                   Pack* rate) const {
    const RateTapes& tapes = variant(chart).of(kind);
    tapes.packs()(rate, numbers(state, tapes.state_size()), numbers(lambda, tapes.lambda_size()));
  }
  void write_jacobian(Kind kind, const double* state, const double* lambda, MatrixOut J) const {
    const RateTapes& tapes = variant(chart(state)).of(kind);
    tapes.jacobian()(into(J), numbers(state, tapes.state_size()),
                     numbers(lambda, tapes.lambda_size()));
  }

  /// For what does not depend on an order.
  MotionRecorder recorder() const { return {*system_, shape_, Chart{}}; }

  /// In which elimination with partial pivoting takes the rows of B at q.
  Chart order_at(const double* state) const {
    MatrixXd B(shape_.n, shape_.n);
    frame_.made([this] {
      return tape_of([this](const ExpressionVector& q) { return recorder().frame(q); }, shape_.nq);
    })(into(B), numbers(state, shape_.nq));
    return pivoted_order(std::move(B));
  }

  const Usual& usual() const {
    return usual_.made([this] {
      VectorXd q(shape_.nq);
      for (Index i = 0; i < q.size(); ++i)
        q(i) = 0.31 * std::cos(1.7 * static_cast<double>(i) + 0.31);
      return Usual(*system_, shape_, order_at(q.data()), q);
    });
  }
  const Variant& variant(const Chart& order) const {
    if (order == usual().order) return usual().variant;
    const std::scoped_lock lock(guard_);
    auto& found = others_[order];
    if (!found) found = std::make_unique<const Variant>(*system_, shape_, order);
    return *found;
  }

  std::shared_ptr<const RecordedSystem> system_;
  Shape shape_;
  Lazy<Evaluator<double>> frame_, response_;
  Lazy<Usual> usual_;
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
