// From what an author wrote to QuasiVelocityEquations. Include it in one translation unit a system
// only, compiled with -O3: what is small here must be unrolled.
#pragma once

#include "rigidlimit/mechanics/quasi_velocity_equations.hpp"
#include "rigidlimit/mechanics/system.hpp"

namespace rigidlimit {

/// Solves the k × k system X x = b for the columns of b, X symmetric positive definite, by L D Lᵀ:
/// nothing to pivot, nothing to branch on.
template <class S, int k, int columns>
void solve_definite(Matrix<S, k, k>& X, Matrix<S, k, columns>& b) {
  Vector<S, k> inverse;  // of D
  for (int j = 0; j < k; ++j) {
    inverse(j) = S(1) / X(j, j);
    for (int i = j + 1; i < k; ++i) {
      const S factor = X(i, j) * inverse(j);
      for (int l = j + 1; l <= i; ++l) X(i, l) -= factor * X(l, j);
      for (int c = 0; c < columns; ++c) b(i, c) -= factor * b(j, c);
    }
  }
  for (int j = k - 1; j >= 0; --j)  // column j of X holds L D
    for (int c = 0; c < columns; ++c) {
      for (int i = j + 1; i < k; ++i) b(j, c) -= X(i, j) * b(i, c);
      b(j, c) *= inverse(j);
    }
}

/// The one implementation of QuasiVelocityEquations.
template <MechanicalSystem Sys>
requires HasQuasiVelocities<Sys>
class QuasiVelocityEquationsOf final : public QuasiVelocityEquations {
  static constexpr int nq = Sys::nq, n = Sys::n, m = Sys::m, free = n - m;
  static_assert(exact_rows<Sys> == 0 && invariant_count<Sys> == 0 && !HasTimeDependentForce<Sys>);
  static_assert(n <= static_cast<int>(std::tuple_size_v<Chart>));

 public:
  explicit QuasiVelocityEquationsOf(const Sys& sys) : sys_(sys) {
    for (const double salt : {0.31, 0.83}) find_nonzeros(salt);
  }

  void rates(const double* state, const double* lambda, double* rate) const override {
    write_rates(chart_at(state), state, lambda, rate);
  }
  void rates(const Chart& chart, const Pack* state, const Pack* lambda, Pack* rate) const override {
    write_rates(chart, state, lambda, rate);
  }
  void rolling_rates(const double* state, double* rate) const override {
    write_rolling_rates(chart_at(state), state, rate);
  }
  void rolling_rates(const Chart& chart, const Pack* state, Pack* rate) const override {
    write_rolling_rates(chart, state, rate);
  }

  Chart response(const double* state, MatrixOut P) const override {
    const Vector<double, nq> q = Eigen::Map<const Vector<double, nq>>(state);
    const Matrix<double, n, n> B = frame(q);
    const Matrix<double, n, m> X =
        accelerations(q, Matrix<double, n, m>(B.bottomRows(m).transpose()));
    P.topRows(nq).setZero();
    P.bottomRows(n).noalias() = B.lazyProduct(X);
    return chart_at(state);
  }
  Chart chart(const double* state) const override { return chart_at(state); }

  void jacobian(const double* state, const double* lambda, MatrixOut J) const override {
    using D = Dual<double, nq + n>;
    std::array<D, nq + n> y, f;
    std::array<D, m> force;
    for (int i = 0; i < nq + n; ++i) y[i] = D::variable(state[i], i);
    for (int i = 0; i < m; ++i) force[i] = D(lambda[i]);
    write_rates(chart_at(state), y.data(), force.data(), f.data());
    write_derivatives(f, J);
  }
  void rolling_jacobian(const double* state, MatrixOut J) const override {
    using D = Dual<double, nq + free>;
    std::array<D, nq + free> y, f;
    for (int i = 0; i < nq + free; ++i) y[i] = D::variable(state[i], i);
    write_rolling_rates(chart_at(state), y.data(), f.data());
    write_derivatives(f, J);
  }

  /// What rates() does, in any numbers.
  template <class S>
  void write_rates(const Chart& chart, const S* state, const S* lambda, S* rate) const {
    const Moving<S> at =
        moving(chart, state, Vector<S, n>(Eigen::Map<const Vector<S, n>>(state + nq)));
    Vector<S, n> F = force(sys_, at.q, at.v, S(0));
    for (int p = 0; p < places_; ++p) {
      const auto [i, k] = place_[p];
      if (i >= free) F(k) -= at.B(i, k).value * lambda[i - free];
    }
    for (int i = 0; i < nq; ++i) rate[i] = at.q_rate(i);
    for (int i = 0; i < n; ++i) rate[nq + i] = S(0);
    add_frame_rate<S>(at, accelerations(at.q, F), n, rate + nq);
  }

 private:
  /// What both kinds of motion need at a state: S and G carry their rates along q'.
  template <class S>
  struct Moving {
    Vector<S, nq> q;
    Vector<S, n> v;
    Vector<S, nq> q_rate;
    Matrix<Dual<S, 1>, n, n> B;
  };

  struct Place {
    int row, column;
  };

  /// An entry of B is left out of products if it and its derivatives are zero at two configurations
  /// that nobody would choose.
  void find_nonzeros(double salt) {
    using D = Dual<double, nq>;
    Vector<double, nq> q;
    for (int i = 0; i < nq; ++i) q(i) = salt * std::cos(1.7 * i + salt);
    const Matrix<D, n, n> B = frame(as_variables<D>(q));
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        bool known = false;
        for (int p = 0; p < places_; ++p)
          known = known || (place_[p].row == i && place_[p].column == k);
        if (!known && !(B(i, k).value == 0.0 && gradient(B(i, k)).isZero(0.0)))
          place_[places_++] = {i, k};
      }
  }

  template <class S>
  Matrix<S, n, n> frame(const Vector<S, nq>& q) const {
    Matrix<S, n, n> B;
    B.template topRows<free>() = sys_.quasi_velocities(q);
    B.template bottomRows<m>() = sys_.constraint(q);
    return B;
  }

  /// M⁻¹ forces.
  template <class S, int columns>
  Matrix<S, n, columns> accelerations(const Vector<S, nq>& q, Matrix<S, n, columns> forces) const {
    if constexpr (HasInverseMass<Sys>) {
      for (int c = 0; c < columns; ++c)
        forces.col(c) = sys_.accelerations(q, Vector<S, n>(forces.col(c)));
    } else {
      Matrix<S, n, n> M = mass_matrix(sys_, q);
      solve_definite(M, forces);
    }
    return forces;
  }

  /// The order in which elimination with partial pivoting takes the rows of B; nothing where it is
  /// not needed.
  Chart chart_at(const double* state) const {
    Chart order{};
    if constexpr (!HasVelocityOfQuasiVelocities<Sys>) {
      Matrix<double, n, n> B =
          frame(Vector<double, nq>(Eigen::Map<const Vector<double, nq>>(state)));
      for (int i = 0; i < n; ++i) order[i] = static_cast<std::int8_t>(i);
      for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
          if (std::abs(B(i, k)) > std::abs(B(best, k))) best = i;
        std::swap(order[k], order[best]);
        B.row(k).swap(B.row(best));
        for (int i = k + 1; i < n; ++i) B.row(i) -= B(i, k) / B(k, k) * B.row(k);
      }
    }
    return order;
  }

  /// B⁻¹ b, rows taken in that order.
  template <class S>
  static Vector<S, n> solved(const Chart& order, const Matrix<S, n, n>& B, const Vector<S, n>& b) {
    Matrix<S, n, n> X;
    Vector<S, n> x, inverse;
    for (int i = 0; i < n; ++i) {
      X.row(i) = B.row(order[i]);
      x(i) = b(order[i]);
    }
    for (int k = 0; k < n; ++k) {
      inverse(k) = S(1) / X(k, k);
      for (int i = k + 1; i < n; ++i) {
        const S factor = X(i, k) * inverse(k);
        for (int j = k + 1; j < n; ++j) X(i, j) -= factor * X(k, j);
        x(i) -= factor * x(k);
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      for (int j = k + 1; j < n; ++j) x(k) -= X(k, j) * x(j);
      x(k) *= inverse(k);
    }
    return x;
  }

  template <class S>
  Vector<S, n> velocity(const Chart& chart, const Vector<S, nq>& q, const Vector<S, n>& uw) const {
    if constexpr (HasVelocityOfQuasiVelocities<Sys>)
      return sys_.velocity(q, Vector<S, free>(uw.template head<free>()),
                           ContactVector<Sys, S>(uw.template tail<m>()));
    else
      return solved(chart, frame(q), uw);
  }

  template <class S>
  Moving<S> moving(const Chart& chart, const S* state, const Vector<S, n>& uw) const {
    Moving<S> at;
    at.q = Eigen::Map<const Vector<S, nq>>(state);
    at.v = velocity(chart, at.q, uw);
    at.q_rate = coordinate_rate(sys_, at.q, at.v);
    at.B = frame(Vector<Dual<S, 1>, nq>(along(at.q, at.q_rate)));
    return at;
  }

  /// rate += B a + B' v, the first `rows` of it.
  template <class S>
  void add_frame_rate(const Moving<S>& at, const Vector<S, n>& a, int rows, S* rate) const {
    for (int p = 0; p < places_; ++p) {
      const auto [i, k] = place_[p];
      if (i < rows) rate[i] += at.B(i, k).value * a(k) + at.B(i, k).derivative[0] * at.v(k);
    }
  }

  template <class S>
  void write_rolling_rates(const Chart& chart, const S* state, S* rate) const {
    Vector<S, n> uw = Vector<S, n>::Zero();
    for (int i = 0; i < free; ++i) uw(i) = state[nq + i];
    const Moving<S> at = moving(chart, state, uw);
    Matrix<S, n, 1 + m> forces = Matrix<S, n, 1 + m>::Zero();  // [F, Gᵀ]
    forces.col(0) = force(sys_, at.q, at.v, S(0));
    for (int p = 0; p < places_; ++p) {
      const auto [i, k] = place_[p];
      if (i >= free) forces(k, 1 + i - free) = at.B(i, k).value;
    }
    const Matrix<S, n, 1 + m> solved = accelerations(at.q, forces);
    Matrix<S, m, m> A = Matrix<S, m, m>::Zero();
    Vector<S, m> lambda = Vector<S, m>::Zero();
    for (int p = 0; p < places_; ++p) {
      const auto [i, k] = place_[p];
      if (i < free) continue;
      lambda(i - free) += at.B(i, k).value * solved(k, 0) + at.B(i, k).derivative[0] * at.v(k);
      for (int j = 0; j < m; ++j) A(i - free, j) += at.B(i, k).value * solved(k, 1 + j);
    }
    solve_definite(A, lambda);
    Vector<S, n> a = solved.col(0);
    for (int j = 0; j < m; ++j)
      for (int k = 0; k < n; ++k) a(k) -= solved(k, 1 + j) * lambda(j);
    for (int i = 0; i < nq; ++i) rate[i] = at.q_rate(i);
    for (int i = 0; i < free; ++i) rate[nq + i] = S(0);
    add_frame_rate(at, a, free, rate + nq);
  }

  template <class D, std::size_t size>
  static void write_derivatives(const std::array<D, size>& f, MatrixOut J) {
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = 0; k < size; ++k)
        J(static_cast<Index>(i), static_cast<Index>(k)) = f[i].derivative[k];
  }

  Sys sys_;
  std::array<Place, n * n> place_{};  ///< where B is not zero
  int places_ = 0;
};

}  // namespace rigidlimit
