// The motion outside the layer, to any order.
#pragma once

#include <functional>
#include <vector>

#include "rigidlimit/asymptotics/contact_series.hpp"

namespace rigidlimit {

/// The outer motion q = Σ μ^k q_k(t), v, η and λ likewise, k = 0 … order, as Taylor polynomials on
/// consecutive intervals. With x_{k,i} the coefficient of μ^k (t − t_n)^i, up to the total degree
/// k + i ≤ N, the orders solve (docs/theory.md, section 13)
///
///   q' = T v,   M v' = F − Eᵀκ − G_Iᵀ(C_r η + D_r w/μ),   E v = 0,   G_I v = w,
///   w = μ² η' (β = 1), w = μ η' (β = 2),
///
/// each power of μ at the price of one derivative by t. All k and i of an interval have the same
/// matrix [M Rᵀ; R 0], R = [E; G_I], at its start.
template <class T>
class OuterPath {
 public:
  /// From the state q, v (and η, which only β = 2 uses) at the time t, all of them series of the
  /// orders 0 … `order`, to `end`. λ_0 includes the constant `internal` (m). Where the time depends
  /// on μ, the terms of the path are those at the fixed times t_0 and behind:
  ///
  ///   Σ_k μ^k x_k(t_0 + Σ_{j ≥ 1} t_j μ^j) = the given series.
  ///
  /// Throws InputError if the matrix is singular, the motion leaves the region where the equations
  /// are analytic, it takes more than 20 000 intervals (a stiff body), or `stop_requested` is true.
  OuterPath(const EquationForms& forms, const ActingContacts<T>& contacts,
            const StartSeries<T>& start, int order, VectorX<T> internal, double end,
            const std::function<bool()>& stop_requested = {});

  int order() const { return order_; }
  double end() const { return end_; }
  Index intervals() const { return std::ssize(pieces_); }

  /// (q_k, v_k, λ_k, η_k) at t: nq + n + m + r.
  VectorX<T> at(double t, int k) const;
  /// d/dt of it.
  VectorX<T> rate_at(double t, int k) const;
  /// The Taylor coefficients of (q_k, v_k, λ_k, η_k) at t, a column for each degree 0 … `degree`.
  MatrixX<T> expanded(const T& t, int k, int degree) const;

 private:
  struct Piece {
    T t = 0, length = 0;
    /// Of each order k: nq + n + m + r rows, N − k + 1 columns.
    std::vector<MatrixX<T>> coefficients;
  };
  const Piece& piece_at(const T& t) const;
  Piece piece(const EquationForms& forms, const ActingContacts<T>& contacts,
              const StartSeries<T>& start, const T& longest) const;

  int order_;
  double end_;
  VectorX<T> internal_;
  std::vector<Piece> pieces_;
};

extern template class OuterPath<double>;
extern template class OuterPath<Quad>;

}  // namespace rigidlimit
