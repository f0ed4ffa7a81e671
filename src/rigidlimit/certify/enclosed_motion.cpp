#include "rigidlimit/certify/enclosed_motion.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "rigidlimit/certify/model_matrix.hpp"

namespace rigidlimit {
namespace {

constexpr Index slope_order = 10;  // of the models of ∂F

BallVector row_sums(const BallMatrix& X) {
  BallVector sums = BallVector::Zero(X.rows());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) sums(i) += X(i, j).magnitude();
  return sums;
}

/// The largest row sum: the norm of X for the maximum norm.
Ball row_norm(const BallMatrix& X) {
  Ball result = 0;
  for (const Ball& sum : row_sums(X)) result = std::max(result, sum.magnitude());
  return result;
}

// Power series in s with matrices as coefficients, to a few digits.
using MatrixSeries = std::vector<MatrixXd>;

MatrixSeries series_of(const ModelMatrix& X) {
  MatrixSeries all;
  for (Index k = 0; k < slope_order; ++k) all.push_back(X.coefficient(k));
  return all;
}

/// The coefficient of s^k of X Y.
MatrixXd product_at(const MatrixSeries& X, const MatrixSeries& Y, std::size_t k) {
  MatrixXd sum = MatrixXd::Zero(X.front().rows(), Y.front().cols());
  for (std::size_t i = 0; i <= k; ++i) sum += X[i] * Y[k - i];
  return sum;
}

/// X with X' = −X J or, `forward`, X' = J X, and X(0) = 1.
MatrixSeries flow_of(const MatrixSeries& J, bool forward) {
  MatrixSeries X{MatrixXd::Identity(J.front().rows(), J.front().rows())};
  for (std::size_t k = 0; k + 1 < J.size(); ++k)
    X.emplace_back((forward ? product_at(J, X, k) : MatrixXd(-product_at(X, J, k))) /
                   static_cast<double>(k + 1));
  return X;
}

/// L with J L + R = ε (L' + L Y) by iteration from ε = 0.
MatrixSeries slaved(const MatrixSeries& J, const MatrixSeries& R, const MatrixSeries& Y,
                    double epsilon) {
  const LuFactors<double> first(J.front());
  constexpr int iterations = 4;
  MatrixSeries L(J.size(), MatrixXd::Zero(R.front().rows(), R.front().cols())), next = L;
  for (int i = 0; i < iterations; ++i) {
    for (std::size_t k = 0; k < L.size(); ++k) {
      MatrixXd right = epsilon * product_at(L, Y, k) - R[k];
      if (k + 1 < L.size()) right += epsilon * static_cast<double>(k + 1) * L[k + 1];
      for (std::size_t j = 1; j <= k; ++j) right -= J[j] * next[k - j];
      next[k] = first.solve(right);
    }
    std::swap(L, next);
  }
  return L;
}

/// The equation of the error δ of a solution, e δ' = (∂F) δ + r, in variables of which each hardly
/// acts on the other (Chang 1972):
///
///   p = δy − S δf,   S = [0 ε K],   K ≈ ∂F_y/∂f,      h = δf − L p,
///   p' = Y p + G h + r_p,            Y = ∂F_y/∂y + G L,   G = [∂F_y/∂f − K, ε ((∂F_y/∂y) K − K')],
///   ε h' = B h + H p + r_h,          B = ∂F_f/∂f + (∂F_f/∂y) S − ε L G,
///                                    H = (∂F_f/∂f) L + (∂F_f/∂y)(1 + S L) − ε (L' + L Y),
///
/// where δf stands for the fast variables (f, η), r_p = r_y − K r_η, r_h = r_f − ε L r_p. L makes H
/// small. Ω' ≈ −Ω Y, so that Ω p hardly changes.
struct Decoupled {
  Decoupled(const TaylorModel::Domain& domain, const ModelMatrix& J,
            const SlowFastEquation& equation, const Ball& half) {
    const Index N = equation.slow, m = equation.contacts;
    const TaylorModel epsilon(equation.epsilon);
    const ModelMatrix slow = J.block(0, 0, N, N), to_slow = J.block(0, N, N, m),
                      to_fast = J.block(N, 0, 2 * m, N), fast_to_fast = J.block(N, N, 2 * m, 2 * m);
    const ModelMatrix K = ModelMatrix::polynomial(domain, series_of(to_slow));
    const ModelMatrix S = joined_columns(ModelMatrix(N, m), epsilon * K),
                      G = joined_columns(to_slow - K, epsilon * (slow * K - K.slope()));
    ModelMatrix L(2 * m, N), Y = slow;
    if (m > 0) {
      L = ModelMatrix::polynomial(domain, slaved(series_of(fast_to_fast), series_of(to_fast),
                                                 series_of(slow), equation.epsilon));
      Y = slow + G * L;
    }
    const ModelMatrix Omega = ModelMatrix::polynomial(domain, flow_of(series_of(Y), false)),
                      Theta = ModelMatrix::polynomial(domain, flow_of(series_of(Y), true));
    growth = (Omega.slope() + Omega * Y).range();
    backward = Omega.range();
    forward = inverse_range(Omega, Theta);
    coupling = G.range();
    const ModelMatrix B = fast_to_fast + to_fast * S - epsilon * (L * G);
    fast = B.range();
    fast_middle = B.coefficient(0);
    residual =
        (fast_to_fast * L + to_fast + to_fast * (S * L) - epsilon * (L.slope() + L * Y)).range();
    shift = S.range();
    slave = L.range();
    begin = {Omega.at(-half), S.at(-half), L.at(-half)};
    end = {inverse(Omega.at(half)), S.at(half), L.at(half)};
  }

  BallMatrix growth;                                  ///< Ω' + Ω Y
  BallMatrix backward, forward;                       ///< Ω, Ω⁻¹
  BallMatrix coupling, residual, fast, shift, slave;  ///< G, H, B, S, L
  MatrixXd fast_middle;                               ///< of B
  struct {
    BallMatrix flow, shift, slave;
  } begin, end;  ///< Ω, S, L at the begin, and Ω⁻¹, S, L at the end

 private:
  /// Ω⁻¹ = Θ (Ω Θ)⁻¹ on the whole step.
  static BallMatrix inverse_range(const ModelMatrix& Omega, const ModelMatrix& Theta) {
    const Index size = Omega.rows();
    BallMatrix rest = (Omega * Theta).range() - BallMatrix::Identity(size, size);
    const Ball e = row_norm(rest);
    if (!(e.upper() < 0.5)) throw std::domain_error("the step is too long for its slopes");
    rest.setConstant(Ball::around_zero(e / (Ball(1) - e)));
    return Theta.range() * (BallMatrix::Identity(size, size) + rest);
  }
};

/// Columns for X c, |c_i| ≤ 1: X itself, or, where it is nearly singular, the orthonormal ones of
/// Gram and Schmidt, of the longest column of X first, times the extents of that set (Lohner 1987).
MatrixXd frame_for(const MatrixXd& X) {
  constexpr double largest_condition = 1e5, least_extent = 1e-4;
  const MatrixXd inverse = inverse_of(X);
  if (inverse.allFinite() &&
      X.cwiseAbs().rowwise().sum().maxCoeff() * inverse.cwiseAbs().rowwise().sum().maxCoeff() <
          largest_condition)
    return X;
  const Index size = X.rows();
  MatrixXd rest = X, Q(size, size);
  for (Index k = 0; k < size; ++k) {
    Index longest = 0;
    if (!(rest.colwise().norm().maxCoeff(&longest) > 0.0)) rest.setIdentity();
    VectorXd column = rest.col(longest);
    for (int twice = 0; twice < 2; ++twice)
      for (Index i = 0; i < k; ++i) column -= Q.col(i).dot(column) * Q.col(i);
    Q.col(k) = column.normalized();
    rest -= (Q.col(k) * (Q.col(k).transpose() * rest)).eval();
    rest.col(longest).setZero();
  }
  const VectorXd extents = (Q.transpose() * X).cwiseAbs().rowwise().sum();
  return Q * extents.cwiseMax(least_extent * extents.maxCoeff()).asDiagonal();
}

/// f₁ᵀA⁻¹f₁ + ηᵀC η for J = [… −A C; 1 0].
MatrixXd energy_of(const MatrixXd& J, const MatrixXd& C) {
  const Index m = C.rows();
  MatrixXd energy = MatrixXd::Zero(2 * m, 2 * m);
  energy.topLeftCorner(m, m) = C * inverse_of(-J.topRightCorner(m, m));
  energy.topLeftCorner(m, m) =
      (0.5 * (energy.topLeftCorner(m, m) + energy.topLeftCorner(m, m).transpose())).eval();
  energy.bottomRightCorner(m, m) = C;
  return energy;
}

/// ≥ |c| and g on the whole step and at its end.
struct ErrorBounds {
  Ball slow, fast, fast_at_end;
};

/// c' ≤ μ c + α g + r, ε g' ≤ a c − κ g + s.
struct RateComparison {
  Ball growth = 0, to_slow = 0, slow_defect = 0;  ///< μ, α, r
  Ball to_fast = 0, decay = 0, fast_defect = 0;   ///< a, κ, s
  Ball epsilon = 0, length = 0;
  Ball slow = 0, fast = 0;  ///< c and g at the begin

  /// With P ≥ c on the step: g ≤ e^(−κ t/ε) g₀ + (a P + s)/κ, and P follows from the integral of
  /// that.
  std::optional<ErrorBounds> bounds() const {
    const Ball amplified = exp(growth * length);
    const bool has_fast = !arb_is_zero(decay.get());
    const Ball relaxed = has_fast ? Ball(1) / decay : Ball(0);
    const Ball feedback = Ball(1) - amplified * to_slow * length * to_fast * relaxed;
    if (!(feedback.lower() > 0.0)) return std::nullopt;
    ErrorBounds result;
    result.slow = (amplified *
                   (slow + to_slow * relaxed * (epsilon * fast + length * fast_defect) +
                    length * slow_defect) /
                   feedback)
                      .magnitude();
    const Ball driven = (to_fast * result.slow + fast_defect) * relaxed;
    result.fast = (fast + driven).magnitude();
    result.fast_at_end = (exp(-decay * length / epsilon) * fast + driven).magnitude();
    return result;
  }
};

}  // namespace

EnclosedMotion::EnclosedMotion(SlowFastEquation equation, const BallVector& start, double tolerance)
    : equation_(std::move(equation)),
      tolerance_(tolerance),
      collocation_(equation_),
      rates_(equation_.rates),
      slopes_(equation_.slopes) {
  const Index N = equation_.slow;
  end_.value = start;
  end_.spread = BallMatrix::Identity(N, N);
}

/// z̃ on −half ≤ s ≤ half.
struct EnclosedMotion::Approximation {
  Ball half, length;
  BallMatrix polynomial;            ///< coefficients of s^k, a row for each component
  std::vector<TaylorModel> values;  ///< z̃(s)
  BallVector defect;                ///< ≥ |F(z̃) − e z̃'|
  BallVector jump;                  ///< z̃ of the step before less z̃(−half)
  BallVector end;                   ///< z̃(half)
};

/// The error δ on a step, in the variables of `Decoupled`: p = Ω⁻¹ Ψ c and h = δf − L p. Its bounds
/// are those of the comparison system of c and |h|_V. Each part returns false if it has no bound.
class EnclosedMotion::ErrorOnStep {
 public:
  ErrorOnStep(const Decoupled& error, const SlowFastEquation& equation, const Step::End& before,
              const Approximation& z)
      : error_(error),
        equation_(equation),
        before_(before),
        z_(z),
        turned_(error.begin.flow * before.spread),
        frame_(balls(frame_for(middles(turned_)))),
        back_(inverse(frame_)),
        slow_defect_(z.defect.head(equation.slow)),
        begin_(z.jump.head(equation.slow)),
        compared_{.epsilon = Ball(equation.epsilon), .length = z.length} {}

  /// μ, for a flow Ω that is accurate enough.
  bool compare_growth() {
    constexpr double most_growth = 0.1;
    compared_.growth = row_norm(back_ * error_.growth * error_.forward * frame_);
    return (compared_.growth * z_.length).upper() < most_growth;
  }

  /// κ, the couplings of c and h, and h at the begin: with the jump of z̃ and the changes of S, L
  /// and V.
  bool compare_fast() {
    const Index fast = 2 * equation_.contacts;
    const Ball& epsilon = compared_.epsilon;
    norm_.emplace(error_.fast_middle, energy_of(error_.fast_middle, equation_.stiffness));
    compared_.decay = norm_->decay(error_.fast);
    if (!(compared_.decay.lower() > 0.0)) return false;
    const BallVector fast_jump = z_.jump.tail(fast);
    slow_defect_ += magnitudes(error_.shift) * z_.defect.tail(fast) / epsilon;
    begin_ -= error_.begin.shift * fast_jump;
    BallVector fast_begin = fast_jump;
    if (before_.norm) {
      const BallMatrix moved = before_.shift - error_.begin.shift;
      begin_ += moved * before_.fast_error();
      fast_begin +=
          around(row_sums((before_.slave - error_.begin.slave) * before_.spread) * before_.slow);
      compared_.fast = norm_->relative_to(*before_.norm) * before_.fast;
    }
    compared_.fast += norm_->size(fast_begin - error_.begin.slave * begin_);
    compared_.to_slow =
        row_norm(back_ * error_.backward * error_.coupling * norm_->components().asDiagonal());
    compared_.to_fast = norm_->size(around(row_sums(error_.residual * error_.forward * frame_)));
    compared_.fast_defect = norm_->size(
        around(z_.defect.tail(fast) + epsilon * magnitudes(error_.slave) * slow_defect_));
    return true;
  }

  /// Bounds of c and |h|_V, after all other parts: c at the begin, with the jump of z̃ and the
  /// changes of S and Ψ.
  std::optional<ErrorBounds> bounds() {
    compared_.slow_defect = row_norm(back_ * error_.backward * around(slow_defect_));
    compared_.slow =
        row_norm(back_ * turned_) * before_.slow + row_norm(back_ * error_.begin.flow * begin_);
    return compared_.bounds();
  }

  /// ≥ |δ| on the step.
  BallVector errors(const ErrorBounds& bounds) const {
    const Index N = equation_.slow, m = equation_.contacts;
    BallVector errors(equation_.size());
    errors.head(N) = row_sums(error_.forward * frame_) * bounds.slow;
    if (m > 0) {
      errors.tail(2 * m) = norm_->components() * bounds.fast +
                           row_sums(error_.slave * error_.forward * frame_) * bounds.slow;
      errors.head(N) += magnitudes(error_.shift) * errors.tail(2 * m);
    }
    return errors;
  }

  Step::End end(const ErrorBounds& bounds) const {
    return {.value = z_.end,
            .spread = error_.end.flow * frame_,
            .shift = error_.end.shift,
            .slave = error_.end.slave,
            .slow = bounds.slow,
            .fast = bounds.fast_at_end,
            .norm = norm_};
  }

 private:
  const Decoupled& error_;
  const SlowFastEquation& equation_;
  const Step::End& before_;
  const Approximation& z_;
  BallMatrix turned_;               ///< Ω⁻¹ Ψ of the step before, times Ω at the begin
  BallMatrix frame_, back_;         ///< Ψ, Ψ⁻¹
  BallVector slow_defect_, begin_;  ///< of p: ≥ |r_p|, and p at the begin
  std::optional<DecayingNorm> norm_{};
  RateComparison compared_;
};

std::optional<EnclosedMotion::Step> EnclosedMotion::step(double length, double& next) const {
  next = 0.5 * length;
  std::optional<Approximation> z = approximation(length);
  if (!z) return std::nullopt;
  const double share = share_of_tolerance(*z);
  constexpr double safety = 0.8, largest = 4.0, least = 0.1;
  const double factor = safety * std::pow(share, -1.0 / Collocation::degree);
  if (share > 1.0) {
    next = length * std::clamp(factor, least, safety);
    return std::nullopt;
  }
  constexpr double times_error = 1e3;
  BallVector tube = BallVector::Constant(
      equation_.size(), Ball(std::max({times_error * tolerance_, times_error * end_.slow.upper(),
                                       times_error * end_.fast.upper()})));
  constexpr int tries = 4;
  for (int k = 0; k < tries; ++k) {
    std::optional<Bounded> error = error_in(tube, *z);
    if (!error) return std::nullopt;
    if (below(error->errors, tube)) {
      next = length * std::min(factor, largest);
      for (std::size_t i = 0; i < z->values.size(); ++i) {
        TaylorModel& x = z->values[i];
        const Ball& bound = error->errors(static_cast<Index>(i));
        x.set_coefficient(0, x.coefficient(0) + Ball::around_zero(bound));
      }
      return Step{0.5 * length, std::move(z->values), std::move(error->end)};
    }
    tube = Ball(4) * magnitudes(error->errors);
  }
  return std::nullopt;
}

/// None if the collocation has no solution.
std::optional<EnclosedMotion::Approximation> EnclosedMotion::approximation(double length) const {
  const Index size = equation_.size();
  const Ball half(0.5 * length);
  std::optional<BallMatrix> polynomial = collocation_.polynomial(end_.value, half);
  if (!polynomial) return std::nullopt;
  Approximation z{.half = half,
                  .length = Ball(length),
                  .polynomial = std::move(*polynomial),
                  .values = {},
                  .defect = BallVector(size),
                  .jump = BallVector(size),
                  .end = BallVector(size)};
  const TaylorModel::Domain domain(order, -half, half);
  for (Index i = 0; i < size; ++i)
    z.values.push_back(TaylorModel::polynomial(domain, z.polynomial.row(i).transpose()));
  std::vector<TaylorModel> rates(z.values.size());
  rates_([&rates](std::size_t i, const TaylorModel& x) { rates[i] = x; }, z.values,
         std::vector{TaylorModel(Ball(equation_.epsilon))});
  for (Index i = 0; i < size; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const TaylorModel& x = z.values[k];
    z.defect(i) = (rates[k] - TaylorModel(equation_.scale(i)) * x.slope()).chebyshev_bound();
    z.jump(i) = end_.value(i) - x.at(-half);
    z.end(i) = x.at(half);
  }
  return z;
}

/// The largest ratio of a defect to its tolerance.
double EnclosedMotion::share_of_tolerance(const Approximation& z) const {
  double share = 0.0;
  for (Index i = 0; i < equation_.size(); ++i) {
    const Ball scale = std::max(Ball(1), z.values[static_cast<std::size_t>(i)].range().magnitude());
    const double time = i < equation_.slow ? z.length.middle() : 1.0;
    share = std::max(share, (z.defect(i) / scale).upper() * time / tolerance_);
  }
  return share;
}

/// The bounds that the equations of δ give in a tube around z̃; none if they give none.
std::optional<EnclosedMotion::Bounded> EnclosedMotion::error_in(const BallVector& tube,
                                                                const Approximation& z) const {
  const TaylorModel::Domain domain(slope_order, -z.half, z.half);
  const Decoupled decoupled(domain, slopes_in(domain, z.polynomial, tube), equation_, z.half);
  ErrorOnStep error(decoupled, equation_, end_, z);
  if (!error.compare_growth()) return std::nullopt;
  if (equation_.contacts > 0 && !error.compare_fast()) return std::nullopt;
  const std::optional<ErrorBounds> bounds = error.bounds();
  if (!bounds) return std::nullopt;
  return Bounded{error.errors(*bounds), error.end(*bounds)};
}

/// ∂F on the tube of these radii around a polynomial.
ModelMatrix EnclosedMotion::slopes_in(const TaylorModel::Domain& domain,
                                      const BallMatrix& polynomial, const BallVector& tube) const {
  const Index size = equation_.size();
  std::vector<TaylorModel> z;
  for (Index i = 0; i < size; ++i) {
    BallVector coefficients = polynomial.row(i).transpose();
    coefficients(0) += Ball::around_zero(tube(i));
    z.push_back(TaylorModel::polynomial(domain, coefficients));
  }
  ModelMatrix J(size, size);
  slopes_(
      [&](std::size_t k, const TaylorModel& x) {
        J(static_cast<Index>(k) % size, static_cast<Index>(k) / size) = x;
      },
      z, std::vector{TaylorModel(Ball(equation_.epsilon))});
  return J;
}

BallVector EnclosedMotion::Step::End::fast_error() const {
  return around(norm->components() * fast + row_sums(slave * spread) * slow);
}

}  // namespace rigidlimit
