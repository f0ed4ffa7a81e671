#include "rigidlimit/formulations/adapted_equations.hpp"

namespace rigidlimit {

// Products below are lazy: at these sizes the dispatch of a general product costs more than itself.

template <class T>
AdaptedEquations<T>::AdaptedEquations(std::shared_ptr<const AdaptedFrame> frame,
                                      const ViscoelasticLaw& law, double epsilon)
    : frame_(std::move(frame)),
      shape_(*frame_),
      law_(law, frame_->contacts().combination, epsilon),
      equations_(&frame_->system().template in<T>()),
      B_(frame_->rows(), shape_.n),
      drift_(frame_->rows()),
      uw_(VectorX<T>::Zero(shape_.n)),
      v_(shape_.n),
      a_(shape_.n),
      q_rate_(shape_.nq),
      restoring_(shape_.nq),
      force_(shape_.n),
      contact_force_(shape_.n),
      acting_(shape_.r),
      exact_rate_(shape_.ne) {}

template <class T>
void AdaptedEquations<T>::write_velocity(VectorInOf<T> y) {
  const auto q = y.head(shape_.nq);
  frame_->write<T>(q, B_);
  uw_.head(shape_.free) = y.segment(shape_.nq, shape_.free);
  uw_.tail(shape_.r) = y.segment(shape_.sliding_at(), shape_.r);
  inverse_.compute(B_.topRows(shape_.n));
  inverse_.solve(uw_, v_);
  equations_->coordinate_rate(q, v_, q_rate_);
  if (frame_->system().ni > 0) {
    equations_->restoring_rate(q, restoring_);
    q_rate_ += restoring_;
  }
  frame_->drift<T>(q, q_rate_, v_, drift_);
}

template <class T>
void AdaptedEquations<T>::write_free_force(const T& t, VectorInOf<T> y) {
  equations_->force(y.head(shape_.nq), v_, t, force_);
  exact_rate_ = -drift_.segment(shape_.free, shape_.ne);
}

template <class T>
void AdaptedEquations<T>::write_contact_force(VectorInOf<T> y) {
  const auto G = B_.middleRows(shape_.free + shape_.ne, shape_.r);
  acting_.noalias() = law_.acting_stiffness.lazyProduct(y.tail(shape_.m));
  acting_.noalias() += law_.acting_damping.lazyProduct(uw_.tail(shape_.r));
  contact_force_.noalias() = G.transpose().lazyProduct(acting_);
}

template <class T>
void AdaptedEquations<T>::solve_inertia(VectorInOf<T> y) {
  inertia_.compute(frame_->system(), y.head(shape_.nq));
  inertia_.solve(force_, exact_rate_, a_);
}

template <class T>
void AdaptedEquations<T>::rate(const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
  const auto& [nq, n, ne, m, free, r] = shape_;
  write_velocity(y);
  write_free_force(t, y);
  write_contact_force(y);
  force_ -= contact_force_;
  solve_inertia(y);
  f.head(nq) = q_rate_;
  f.segment(nq, free) = drift_.head(free);
  f.segment(nq, free).noalias() += B_.topRows(free).lazyProduct(a_);
  f.segment(nq + free, r) = drift_.segment(free + ne, r);
  f.segment(nq + free, r).noalias() += B_.middleRows(free + ne, r).lazyProduct(a_);
  f.tail(m).noalias() = law_.combination.lazyProduct(uw_.tail(r));
  f.tail(m) /= law_.deflection_scale;
}

template <class T>
void AdaptedEquations<T>::stiff_rate(const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
  const auto& [nq, n, ne, m, free, r] = shape_;
  rate(t, y, f);
  force_ = -contact_force_;
  exact_rate_.setZero();
  inertia_.solve(force_, exact_rate_, a_);
  f.head(nq).setZero();
  f.segment(nq, free).noalias() = B_.topRows(free).lazyProduct(a_);
}

template <class T>
void AdaptedEquations<T>::slow_rate(const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
  const auto& [nq, n, ne, m, free, r] = shape_;
  write_velocity(y);
  write_free_force(t, y);
  solve_inertia(y);
  f.head(nq) = q_rate_;
  f.segment(nq, free) = drift_.head(free);
  f.segment(nq, free).noalias() += B_.topRows(free).lazyProduct(a_);
  f.tail(r + m).setZero();
}

template <class T>
VectorX<T> AdaptedEquations<T>::inertia_load() const {
  VectorX<T> load(shape_.n + shape_.ne);
  load << force_, exact_rate_;
  return load;
}

template <class T>
MatrixX<T> AdaptedEquations<T>::response(VectorInOf<T> y) const {
  const MatrixX<T> B = frame_->at<T>(y.head(shape_.nq));
  Inertia<T> inertia;
  inertia.compute(frame_->system(), y.head(shape_.nq));
  const MatrixX<T> forces = B.bottomRows(shape_.r).transpose();
  return B * inertia.solve(forces);
}

template <class T>
void AdaptedEquations<T>::fast_block(VectorInOf<T> y, MatrixOutOf<T> J) const {
  const MatrixX<T> A = response(y).bottomRows(shape_.r);
  J.setZero();
  J.topLeftCorner(shape_.r, shape_.r) = -A * law_.acting_damping;
  J.topRightCorner(shape_.r, shape_.m) = -A * law_.acting_stiffness;
  J.bottomLeftCorner(shape_.m, shape_.r) = law_.combination / law_.deflection_scale;
}

template <class T>
void AdaptedEquations<T>::fast_coupling(VectorInOf<T> y, MatrixOutOf<T> J) const {
  const MatrixX<T> P = response(y).topRows(shape_.free);
  J.setZero();
  J.bottomLeftCorner(shape_.free, shape_.r) = -P * law_.acting_damping;
  J.bottomRightCorner(shape_.free, shape_.m) = -P * law_.acting_stiffness;
}

template class AdaptedEquations<double>;
template class AdaptedEquations<Quad>;

}  // namespace rigidlimit
