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

std::optional<EnclosedMotion::Step> EnclosedMotion::step(double length, double& next) const {
  next = 0.5 * length;
  const Index N = equation_.slow, m = equation_.contacts, size = equation_.size();
  const Ball half(0.5 * length), epsilon(equation_.epsilon);
  const auto polynomial = collocation_.polynomial(end_.value, half);
  if (!polynomial) return std::nullopt;
  Step result{.half = 0.5 * length};
  BallVector defect(size), jump(size);
  double share = 0.0, longest = length;  // share: of the tolerance
  {
    const TaylorModel::Domain domain(order, -half, half);
    for (Index i = 0; i < size; ++i)
      result.values.push_back(TaylorModel::polynomial(domain, polynomial->row(i).transpose()));
    std::vector<TaylorModel> rates(static_cast<std::size_t>(size));
    rates_([&rates](std::size_t i, const TaylorModel& x) { rates[i] = x; }, result.values,
           std::vector{TaylorModel(epsilon)});
    for (Index i = 0; i < size; ++i) {
      const auto k = static_cast<std::size_t>(i);
      defect(i) =
          (rates[k] - TaylorModel(equation_.scale(i)) * result.values[k].slope()).chebyshev_bound();
      const Ball scale = std::max(Ball(1), result.values[k].range().magnitude());
      share = std::max(share, (defect(i) / scale).upper() * (i < N ? length : 1.0) / tolerance_);
    }
    constexpr double safety = 0.8, largest = 4.0, least = 0.1;
    const double factor = safety * std::pow(share, -1.0 / Collocation::degree);
    if (share > 1.0) {
      next = length * std::clamp(factor, least, safety);
      return std::nullopt;
    }
    longest = length * std::min(factor, largest);
    result.end.value.resize(size);
    for (Index i = 0; i < size; ++i) {
      const TaylorModel& x = result.values[static_cast<std::size_t>(i)];
      result.end.value(i) = x.at(half);
      jump(i) = end_.value(i) - x.at(-half);
    }
  }
  const BallVector slow_jump = jump.head(N), fast_jump = jump.tail(2 * m);
  constexpr double factor = 1e3;
  BallVector tube =
      BallVector::Constant(size, Ball(std::max({factor * tolerance_, factor * end_.slow.upper(),
                                                factor * end_.fast.upper()})));
  constexpr int tries = 4;
  constexpr double most_growth = 0.1;  // Ω is too inaccurate
  for (int k = 0; k < tries; ++k) {
    const TaylorModel::Domain domain(slope_order, -half, half);
    const Decoupled error(domain, slopes_in(domain, *polynomial, tube), equation_, half);
    const BallMatrix turned = error.begin.flow * end_.spread;
    const BallMatrix frame = balls(frame_for(middles(turned))), back = inverse(frame);
    RateComparison compared{.epsilon = epsilon, .length = Ball(length)};
    compared.growth = row_norm(back * error.growth * error.forward * frame);
    if (!((compared.growth * Ball(length)).upper() < most_growth)) return std::nullopt;
    BallVector slow_defect = defect.head(N), begin = slow_jump;
    if (m > 0) {
      result.end.norm.emplace(error.fast_middle, energy_of(error.fast_middle, equation_.stiffness));
      const DecayingNorm& norm = *result.end.norm;
      compared.decay = norm.decay(error.fast);
      if (!(compared.decay.lower() > 0.0)) return std::nullopt;
      slow_defect += magnitudes(error.shift) * defect.tail(2 * m) / epsilon;
      begin -= error.begin.shift * fast_jump;
      BallVector fast_begin = fast_jump;
      if (end_.norm) {
        const BallMatrix moved = end_.shift - error.begin.shift;
        begin += moved * end_.fast_error();
        fast_begin += around(row_sums((end_.slave - error.begin.slave) * end_.spread) * end_.slow);
        compared.fast = norm.relative_to(*end_.norm) * end_.fast;
      }
      compared.fast += norm.size(fast_begin - error.begin.slave * begin);
      compared.to_slow =
          row_norm(back * error.backward * error.coupling * norm.components().asDiagonal());
      compared.to_fast = norm.size(around(row_sums(error.residual * error.forward * frame)));
      compared.fast_defect =
          norm.size(around(defect.tail(2 * m) + epsilon * magnitudes(error.slave) * slow_defect));
    }
    compared.slow_defect = row_norm(back * error.backward * around(slow_defect));
    compared.slow = row_norm(back * turned) * end_.slow + row_norm(back * error.begin.flow * begin);
    const auto bounds = compared.bounds();
    if (!bounds) return std::nullopt;
    BallVector errors(size);
    errors.head(N) = row_sums(error.forward * frame) * bounds->slow;
    if (m > 0) {
      errors.tail(2 * m) = result.end.norm->components() * bounds->fast +
                           row_sums(error.slave * error.forward * frame) * bounds->slow;
      errors.head(N) += magnitudes(error.shift) * errors.tail(2 * m);
    }
    if (!below(errors, tube)) {
      tube = Ball(4) * magnitudes(errors);
      continue;
    }
    for (Index i = 0; i < size; ++i) {
      TaylorModel& x = result.values[static_cast<std::size_t>(i)];
      x.set_coefficient(0, x.coefficient(0) + Ball::around_zero(errors(i)));
    }
    result.end.spread = error.end.flow * frame;
    result.end.shift = error.end.shift;
    result.end.slave = error.end.slave;
    result.end.slow = bounds->slow;
    result.end.fast = bounds->fast_at_end;
    next = longest;
    return result;
  }
  return std::nullopt;
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
