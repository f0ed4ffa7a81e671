#include "rigidlimit/mechanics/inertia.hpp"

#include "rigidlimit/mechanics/tangent_system.hpp"

namespace rigidlimit {

template <class T>
void Inertia<T>::compute(const System& system, VectorInOf<T> q) {
  if (system.ne > 0) {
    rows_.resize(system.ne + system.m, system.n);
    system.in<T>().constraints(q, rows_);
  }
  compute(system, q, rows_);
}

template <class T>
void Inertia<T>::compute(const System& system, VectorInOf<T> q, const MatrixX<T>& rows) {
  system.in<T>().mass_matrix(q, sized(system.n, system.ne).topLeftCorner(n_, n_));
  factorise(rows.topRows(ne_), ne_ > 0 || system.recorded->lifted_mass);
}

template <class T>
void Inertia<T>::compute(const Eigen::Ref<const MatrixX<T>>& M,
                         const Eigen::Ref<const MatrixX<T>>& E) {
  sized(M.rows(), E.rows()).topLeftCorner(n_, n_) = M;
  factorise(E, ne_ > 0);
}

/// The whole matrix, writable.
template <class T>
MatrixX<T>& Inertia<T>::sized(Index n, Index ne) {
  n_ = n;
  ne_ = ne;
  matrix_.setZero(n_ + ne_, n_ + ne_);
  return matrix_;
}

/// Factorises once the whole matrix holds M.
template <class T>
void Inertia<T>::factorise(const Eigen::Ref<const MatrixX<T>>& E, bool indefinite) {
  indefinite_ = indefinite;
  if (!indefinite) return cholesky_.compute(matrix_);
  matrix_.bottomLeftCorner(ne_, n_) = E;
  matrix_.topRightCorner(n_, ne_) = E.transpose();
  lu_.compute(matrix_);
}

template <class T>
MatrixX<T> Inertia<T>::solve_whole(const Eigen::Ref<const MatrixX<T>>& right) const {
  MatrixX<T> x = right;
  if (indefinite_)
    lu_.solve_in_place(x);
  else
    cholesky_.solve_in_place(x);
  return x;
}

template <class T>
MatrixX<T> Inertia<T>::solve(const Eigen::Ref<const MatrixX<T>>& forces) const {
  if (ne_ == 0) return solve_whole(forces);
  MatrixX<T> right = MatrixX<T>::Zero(n_ + ne_, forces.cols());
  right.topRows(n_) = forces;
  return solve_whole(right).topRows(n_);
}

template <class T>
void Inertia<T>::solve(VectorInOf<T> force, VectorInOf<T> rate, VectorOutOf<T> a) const {
  if (!indefinite_) {
    a = force;
    cholesky_.solve_in_place(a);
    return;
  }
  work_.resize(n_ + ne_);
  work_.head(n_) = force;
  work_.tail(ne_) = rate;
  lu_.solve_in_place(work_);
  a = work_.head(n_);
}

template class Inertia<double>;
template class Inertia<Quad>;

}  // namespace rigidlimit
