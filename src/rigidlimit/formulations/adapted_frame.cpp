#include "rigidlimit/formulations/adapted_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/small_inverse.hpp"
#include "rigidlimit/mechanics/decompositions.hpp"

namespace rigidlimit {

AdaptedFrame::AdaptedFrame(const System& system, const VectorXd& start,
                           const AdaptedOptions& options)
    : system_(system),
      contacts_(contact_basis(system, start)),
      start_(start),
      natural_(options.natural && system.natural_velocities && !contacts_.redundant()) {
  reset();
}

void AdaptedFrame::reset() {
  if (!natural_) choose(start_);
}

AdaptedFrame::Held AdaptedFrame::held_at(const VectorXd& q) const {
  const Index n = system_.n, ne = system_.ne, m = system_.m;
  MatrixXd rows(ne + m, n), M(n, n);
  system_.in<double>().constraints(q, rows);
  system_.in<double>().mass_matrix(q, M);
  if (ne == 0) return {MatrixXd::Identity(n, n), std::move(M), std::move(rows)};
  const MatrixXd Z = kernel_basis(rows.topRows(ne));
  return {Z, Z.transpose() * M * Z, rows.bottomRows(m) * Z};
}

void AdaptedFrame::require_same_combination(const MatrixXd& contacts) const {
  // What 1e-9 of contact_basis() leaves undecided at the start, and a thousandfold for the way.
  const MatrixXd left = contacts - contacts_.combination * contacts(contacts_.rows, Eigen::all);
  const double change = left.cwiseAbs().maxCoeff() / contacts.cwiseAbs().maxCoeff();
  if (!(change <= 1e-6))
    throw InputError(fmt::format(
        "redundant contacts must depend on each other in the same way along the whole motion; a "
        "row of G is off its combination of the others by {:.3g} of the largest entry",
        change));
}

void AdaptedFrame::choose(const VectorXd& q) {
  const Held held = held_at(q);
  if (contacts_.redundant() && held.contacts.allFinite()) require_same_combination(held.contacts);
  const MatrixXd independent = held.contacts(contacts_.rows, Eigen::all);
  const MatrixXd L = held.inertia.llt().matrixL();
  const MatrixXd scaled = L.triangularView<Eigen::Lower>().solve(independent.transpose());
  rows_ = kernel_basis(scaled.transpose()).transpose() * L.transpose() * held.Z.transpose();
}

template <class S>
void AdaptedFrame::write(VectorInOf<S> q, MatrixOutOf<S> B) const {
  const Index free = this->free(), ne = system_.ne;
  system_.in<S>().constraints(q, B.bottomRows(ne + system_.m));
  if (contacts_.redundant())
    for (Index i = 0; i < rank(); ++i)  // I increases: nothing is overwritten that is still needed
      B.row(free + ne + i) = B.row(free + ne + contacts_.rows[static_cast<std::size_t>(i)]).eval();
  if (natural_)
    system_.in<S>().quasi_velocities(q, B.topRows(free));
  else
    B.topRows(free) = rows_.cast<S>();
}

template <class S>
void AdaptedFrame::drift(VectorInOf<S> q, VectorInOf<S> q_rate, VectorInOf<S> v,
                         VectorOutOf<S> change) const {
  const Index free = this->free(), ne = system_.ne;
  system_.in<S>().constraint_drift(q, q_rate, v, change.tail(ne + system_.m));
  if (contacts_.redundant())
    for (Index i = 0; i < rank(); ++i)
      change(free + ne + i) = change(free + ne + contacts_.rows[static_cast<std::size_t>(i)]);
  if (natural_)
    system_.in<S>().quasi_velocity_drift(q, q_rate, v, change.head(free));
  else
    change.head(free).setZero();
}

template <class S>
MatrixX<S> AdaptedFrame::at(VectorInOf<S> q) const {
  MatrixX<S> B(rows(), system_.n);
  write<S>(q, B);
  return B.topRows(system_.n);
}

double AdaptedFrame::condition(const VectorXd& q) const {
  const Index free = this->free();
  if (free == 0 || rank() == 0) return 1.0;
  const Held held = held_at(q);
  MatrixXd B(free + rank(), held.Z.cols());
  B.topRows(free) = at<double>(q).topRows(free) * held.Z;
  B.bottomRows(rank()) = held.contacts(contacts_.rows, Eigen::all);
  const MatrixXd gram = B * held.inertia.llt().solve(B.transpose());
  const MatrixXd coupling = gram.topRightCorner(free, rank());
  const MatrixXd inner =
      coupling.transpose() * gram.topLeftCorner(free, free).llt().solve(coupling);
  const MatrixXd L = gram.bottomRightCorner(rank(), rank()).llt().matrixL();
  const auto half = L.triangularView<Eigen::Lower>();
  const MatrixXd left = half.solve(inner);
  const MatrixXd squares = half.solve(left.transpose());
  if (!squares.allFinite()) return std::numeric_limits<double>::infinity();
  const double sigma = std::sqrt(std::max(0.0, symmetric_eigenvalues(squares).maxCoeff()));
  if (!(sigma < 1.0)) return std::numeric_limits<double>::infinity();
  return std::sqrt((1.0 + sigma) / (1.0 - sigma));
}

namespace {

template <class T>
VectorXd rounded(VectorInOf<T> x) {
  VectorXd y(x.size());
  for (Index i = 0; i < x.size(); ++i) y(i) = static_cast<double>(x(i));
  return y;
}

/// v = B⁻¹ (u, 0, w_I), w_I = 0 unless it stands in the state.
template <class T>
VectorX<T> velocity_of(const AdaptedFrame& frame, bool sliding_in_state, VectorInOf<T> y) {
  const System& system = frame.system();
  VectorX<T> adapted = VectorX<T>::Zero(system.n), v(system.n);
  adapted.head(frame.free()) = y.segment(system.nq, frame.free());
  if (sliding_in_state)
    adapted.tail(frame.rank()) = y.segment(system.nq + frame.free(), frame.rank());
  SmallInverse<T> inverse;
  inverse.compute(frame.at<T>(y.head(system.nq)));
  inverse.solve(adapted, v);
  return v;
}

template <class T>
void write_output(const AdaptedFrame& frame, bool sliding_in_state, VectorInOf<T> y,
                  VectorOutOf<T> output) {
  const Index nq = frame.system().nq, n = frame.system().n, m = frame.system().m;
  output.head(nq) = y.head(nq);
  output.segment(nq, n) = velocity_of<T>(frame, sliding_in_state, y);
  if (!sliding_in_state) return;
  output.segment(nq + n, m) = y.tail(m);
  const VectorX<T> independent = y.segment(nq + frame.free(), frame.rank());
  output.tail(m) = frame.contacts().combination.cast<T>() * independent;
}

template <class T>
bool choose_anew(AdaptedFrame& frame, bool sliding_in_state, double condition_bound,
                 VectorOutOf<T> y, MatrixOut change) {
  if (frame.natural()) return false;
  const Index nq = frame.system().nq, n = frame.system().n, free = frame.free();
  const VectorXd q = rounded<T>(y.head(nq));
  if (condition_bound > 0.0 && frame.condition(q) <= condition_bound) return false;
  const VectorX<T> v = velocity_of<T>(frame, sliding_in_state, y);
  SmallInverse<double> before;
  before.compute(frame.at<double>(q));
  frame.choose(q);
  y.segment(nq, free) = frame.at<T>(y.head(nq)).topRows(free) * v;

  MatrixXd velocities(n, n);  // B⁻¹ of the old frame: column k is v at (u, 0, w_I) = e_k
  before.solve(MatrixXd::Identity(n, n), velocities);
  const MatrixXd turn = frame.at<double>(q).topRows(free) * velocities;
  change.setIdentity();
  change.block(nq, nq, free, free) = turn.leftCols(free);
  if (sliding_in_state)
    change.block(nq, nq + free, free, frame.rank()) = turn.rightCols(frame.rank());
  return true;
}

}  // namespace

template <class T>
std::shared_ptr<AdaptedFrame> frame_at(const System& system, VectorInOf<T> q,
                                       const AdaptedOptions& options) {
  return std::make_shared<AdaptedFrame>(system, rounded<T>(q), options);
}

template <class T>
MovingCoordinatesOf<T> adapted_coordinates(std::shared_ptr<AdaptedFrame> frame,
                                           bool sliding_in_state) {
  const System& system = frame->system();
  MovingCoordinatesOf<T> coordinates;
  coordinates.reset = [frame] { frame->reset(); };
  coordinates.output_size = system.nq + system.n + (sliding_in_state ? 2 * system.m : 0);
  coordinates.output = [frame, sliding_in_state](const T&, VectorInOf<T> y, VectorOutOf<T> output) {
    write_output<T>(*frame, sliding_in_state, y, output);
  };
  coordinates.rechoose = [frame, sliding_in_state](double condition_bound, VectorOutOf<T> y,
                                                   MatrixOut change) {
    return choose_anew<T>(*frame, sliding_in_state, condition_bound, y, change);
  };
  return coordinates;
}

template void AdaptedFrame::write<double>(VectorIn, MatrixOut) const;
template void AdaptedFrame::write<Quad>(VectorInOf<Quad>, MatrixOutOf<Quad>) const;
template void AdaptedFrame::write<Directions>(VectorInOf<Directions>,
                                              MatrixOutOf<Directions>) const;
template void AdaptedFrame::drift<double>(VectorIn, VectorIn, VectorIn, VectorOut) const;
template void AdaptedFrame::drift<Quad>(VectorInOf<Quad>, VectorInOf<Quad>, VectorInOf<Quad>,
                                        VectorOutOf<Quad>) const;
template void AdaptedFrame::drift<Directions>(VectorInOf<Directions>, VectorInOf<Directions>,
                                              VectorInOf<Directions>,
                                              VectorOutOf<Directions>) const;
template MatrixX<double> AdaptedFrame::at<double>(VectorIn) const;
template MatrixX<Quad> AdaptedFrame::at<Quad>(VectorInOf<Quad>) const;
template std::shared_ptr<AdaptedFrame> frame_at<double>(const System&, VectorIn,
                                                        const AdaptedOptions&);
template std::shared_ptr<AdaptedFrame> frame_at<Quad>(const System&, VectorInOf<Quad>,
                                                      const AdaptedOptions&);
template MovingCoordinatesOf<double> adapted_coordinates(std::shared_ptr<AdaptedFrame>, bool);
template MovingCoordinatesOf<Quad> adapted_coordinates(std::shared_ptr<AdaptedFrame>, bool);

}  // namespace rigidlimit
