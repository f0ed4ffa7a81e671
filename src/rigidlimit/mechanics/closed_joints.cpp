#include "rigidlimit/mechanics/closed_joints.hpp"

#include <cmath>
#include <limits>

#include "rigidlimit/mechanics/small_factors.hpp"

namespace rigidlimit {
namespace {

/// −(∂e/∂q)⁺ e (nq).
template <class T>
VectorX<T> step_to_invariants(const System& system, const VectorX<T>& q) {
  constexpr double gamma = 10.0;  // 1/s, of Equations::restoring_rate
  VectorX<T> rate(system.nq);
  system.in<T>().restoring_rate(q, rate);
  return rate / T(gamma);
}

}  // namespace

template <class T>
VectorX<T> velocity_of_joints(const System& system, VectorInOf<T> q, const VectorX<T>& rate) {
  const Index n = system.n, ne = system.ne, np = system.np;
  MatrixX<T> rows(ne + system.m, n), K = MatrixX<T>::Zero(n + ne + np, n + ne + np);
  system.in<T>().mass_matrix(q, K.topLeftCorner(n, n));
  system.in<T>().constraints(q, rows);
  K.block(n, 0, ne, n) = rows.topRows(ne);
  K.bottomLeftCorner(np, n) = rows.bottomRows(np);
  K.topRightCorner(n, ne + np) = K.bottomLeftCorner(ne + np, n).transpose();
  VectorX<T> right = VectorX<T>::Zero(n + ne + np);
  right.tail(np) = rate;
  SmallLu<T> lu;
  lu.compute(K);
  lu.solve_in_place(right);
  return right.head(n);
}

template <class T>
VectorX<T> joint_positions(const System& system, VectorInOf<T> q) {
  VectorX<T> g(system.np);
  if (system.np > 0) system.in<T>().positions(q, g);  // no such tape without joints
  return g;
}

template <class T>
std::optional<VectorX<T>> coordinates_with(const System& system, VectorX<T> q,
                                           const VectorX<T>& wanted) {
  // The rounding of a step: Newton's iteration has converged when steps are that small.
  const T rounding = T(64) * std::numeric_limits<T>::epsilon();
  for (int round = 0; round < 40; ++round) {
    VectorX<T> change = VectorX<T>::Zero(system.nq);
    if (system.np > 0) {
      const VectorX<T> v = velocity_of_joints<T>(system, q, wanted - joint_positions<T>(system, q));
      system.in<T>().coordinate_rate(q, v, change);
    }
    if (system.ni > 0) change += step_to_invariants<T>(system, q);
    q += change;
    const T size = change.cwiseAbs().maxCoeff();
    if (!(size < std::numeric_limits<double>::max())) return std::nullopt;
    if (size <= rounding * (T(1) + q.cwiseAbs().maxCoeff())) return q;
  }
  return std::nullopt;
}

template VectorX<double> velocity_of_joints(const System&, VectorInOf<double>,
                                            const VectorX<double>&);
template VectorX<Quad> velocity_of_joints(const System&, VectorInOf<Quad>, const VectorX<Quad>&);
template VectorX<double> joint_positions(const System&, VectorInOf<double>);
template VectorX<Quad> joint_positions(const System&, VectorInOf<Quad>);
template std::optional<VectorX<double>> coordinates_with(const System&, VectorX<double>,
                                                         const VectorX<double>&);
template std::optional<VectorX<Quad>> coordinates_with(const System&, VectorX<Quad>,
                                                       const VectorX<Quad>&);

}  // namespace rigidlimit
