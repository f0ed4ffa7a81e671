// The motion outside the layer, to any order.
#pragma once

#include <vector>

#include "rigidlimit/asymptotics/contact_series.hpp"

namespace rigidlimit {

/// The outer motion q = Σ ε^k q_k(t), v, η and λ likewise, k = 0 … order, as Taylor polynomials on
/// consecutive intervals. With x_{k,i} the coefficient of ε^k (t − t_n)^i, up to the total degree
/// k + i ≤ N, the orders solve (docs/theory.md, section 13)
///
///   q' = T v,   M v' = F − Eᵀκ − G_Iᵀμ,   E v = 0,   G_I v = ε² η',   μ = C_r η + ε D_r η',
///
/// each power of ε at the price of one derivative by t. All k and i of an interval have the same
/// matrix [M Rᵀ; R 0], R = [E; G_I], at its start.
template <class T>
class OuterPath {
 public:
  /// From (q_k, v_k)(t0), a column for each k, to `end`; λ_0 includes the constant `internal` (m).
  /// Throws InputError if the matrix is singular
  /// or the motion leaves the region where the equations are analytic.
  OuterPath(const EquationForms& forms, const ActingContacts<T>& contacts, double t0,
            const MatrixX<T>& q, const MatrixX<T>& v, VectorX<T> internal, double end);

  int order() const { return order_; }
  double end() const { return end_; }
  Index intervals() const { return std::ssize(pieces_); }

  /// (q_k, v_k, λ_k, η_k) at t: nq + n + m + r.
  VectorX<T> at(double t, int k) const;
  /// d/dt of it.
  VectorX<T> rate_at(double t, int k) const;
  /// The Taylor coefficient i of (q_k, v_k, λ_k, η_k) at t0.
  VectorX<T> start_coefficient(int k, int i) const;

 private:
  struct Piece {
    T t = 0, length = 0;
    /// Of each order k: nq + n + m + r rows, N − k + 1 columns.
    std::vector<MatrixX<T>> coefficients;
  };
  const Piece& piece_at(double t) const;
  Piece piece(const EquationForms& forms, const ActingContacts<T>& contacts, const T& t,
              const MatrixX<T>& q, const MatrixX<T>& v, const T& longest) const;

  int order_;
  double end_;
  VectorX<T> internal_;
  std::vector<Piece> pieces_;
};

extern template class OuterPath<double>;
extern template class OuterPath<Quad>;

}  // namespace rigidlimit
