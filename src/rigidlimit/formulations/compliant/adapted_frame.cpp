#include "rigidlimit/formulations/compliant/adapted_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/small_factors.hpp"
#include "rigidlimit/mechanics/tangent_system.hpp"

namespace rigidlimit {
namespace {

/// x <- X⁻¹ x.
template <class T, class Right>
void solve(const MatrixX<T>& X, Right& x) {
  SmallLu<T> lu;
  lu.compute(X);
  lu.solve_in_place(x);
}

}  // namespace

AdaptedFrame::AdaptedFrame(const System& system, const VectorXd& start,
                           const AdaptedOptions& options)
    : system_(system),
      contacts_(contact_basis(system, start)),
      start_(start),
      natural_(options.natural && system.natural_velocities && !contacts_.redundant()) {
  if (natural_) take_as_usual(start_);
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
  return {Z, congruent<double>(M, Z), rows.bottomRows(m).lazyProduct(Z)};
}

void AdaptedFrame::require_same_combination(const MatrixXd& contacts) const {
  // The tolerance 1e-9 of contact_basis() at the start, times a thousand for changes along the
  // motion.
  const MatrixXd left =
      contacts - contacts_.combination.lazyProduct(contacts(contacts_.rows, Eigen::all));
  const double change = left.cwiseAbs().maxCoeff() / contacts.cwiseAbs().maxCoeff();
  if (!(change <= 1e-6))
    throw InputError(fmt::format(
        "the linear dependence of redundant contacts must be constant along the motion; a row of G "
        "deviates from its combination of the others by {:.3g} of the largest entry",
        change));
}

void AdaptedFrame::choose(const VectorXd& q) {
  const Held held = held_at(q);
  if (contacts_.redundant() && held.contacts.allFinite()) require_same_combination(held.contacts);
  const MatrixXd independent = held.contacts(contacts_.rows, Eigen::all);
  if (system_.recorded->lifted_mass) {
    const MatrixXd response = symmetric_solve(held.inertia, MatrixXd(independent.transpose()));
    rows_ = held.Z.lazyProduct(kernel_basis(response.transpose())).transpose();
  } else {
    const MatrixXd L = cholesky_factor(held.inertia);
    const MatrixXd scaled = lower_solve(L, independent.transpose());
    const MatrixXd back = held.Z.lazyProduct(L);
    rows_ = back.lazyProduct(kernel_basis(scaled.transpose())).transpose();
  }
  R_.setIdentity(system_.n, system_.n);
  solve(with_held_rows(rows_, q), R_);
  take_as_usual(q);
}

MatrixXd AdaptedFrame::with_held_rows(const MatrixXd& S, const VectorXd& q) const {
  const Index n = system_.n, ne = system_.ne;
  MatrixXd rows(ne + system_.m, n), B(n, n);
  system_.in<double>().constraints(q, rows);
  B.topRows(free()) = S;
  B.middleRows(free(), ne) = rows.topRows(ne);
  for (Index i = 0; i < rank(); ++i)
    B.row(free() + ne + i) = rows.row(ne + contacts_.rows[static_cast<std::size_t>(i)]);
  return B;
}

MatrixXd AdaptedFrame::at(const VectorXd& q) const {
  if (!natural_) return with_held_rows(rows_, q);
  MatrixXd S(free(), system_.n);
  system_.in<double>().quasi_velocities(q, S);
  return with_held_rows(S, q);
}

const AdaptedTapes& AdaptedFrame::ordered_tapes(const double* q) const {
  const Index held = system_.n - free();
  MatrixXd X = at(VectorXd::Map(q, system_.nq));
  if (!natural_) X = (X.bottomRows(held) * R_).rightCols(held).eval();
  return system_.tapes->adapted(
      {.contacts = contacts_.rows, .natural = natural_, .order = pivoted_order(std::move(X))});
}

/// For a constant frame [E; G_I] R is [0 I] here: the rows need no reordering.
void AdaptedFrame::take_as_usual(const VectorXd& q) {
  usual_ = &ordered_tapes(q.data());
  least_pivot_.clear();
  usual_->pivots()([this](std::size_t, double x) { least_pivot_.push_back(0.25 * std::abs(x)); }, q,
                   parameters());
}

const AdaptedTapes& AdaptedFrame::tapes_at(const double* q) const {
  bool large = true;
  usual_->pivots()([&](std::size_t i, double x) { large = large && is_large(i, x); },
                   std::span(q, static_cast<std::size_t>(system_.nq)), parameters());
  return large ? *usual_ : ordered_tapes(q);
}

template <class T>
VectorX<T> AdaptedFrame::adapted(VectorInOf<T> q, VectorInOf<T> v) const {
  VectorX<T> rows(system_.ne + system_.m), result(free() + rank());
  MatrixX<T> held(system_.ne + system_.m, system_.n);
  system_.in<T>().constraints(q, held);
  rows = held * v;
  if (natural_) {
    MatrixX<T> S(free(), system_.n);
    system_.in<T>().quasi_velocities(q, S);
    result.head(free()) = S * v;
  } else {  // S v: the first of R⁻¹ v
    VectorX<T> in_R = v;
    solve(MatrixX<T>(R_.cast<T>()), in_R);
    result.head(free()) = in_R.head(free());
  }
  for (Index i = 0; i < rank(); ++i)
    result(free() + i) = rows(system_.ne + contacts_.rows[static_cast<std::size_t>(i)]);
  return result;
}

template <class T>
VectorX<T> AdaptedFrame::velocity(VectorInOf<T> q, VectorInOf<T> adapted) const {
  const auto n = static_cast<std::size_t>(system_.n);
  VectorX<T> v(system_.n);
  with_tapes(q.data(), [&](const AdaptedTapes& tapes, const auto& rest) {
    tapes.velocity<T>()(
        [&](std::size_t i, const T& x) {
          if (i < n)
            v(static_cast<Index>(i)) = x;
          else
            rest(i - n, x);
        },
        q, adapted, parameters());
  });
  return v;
}

void AdaptedFrame::write_velocities(std::span<const Pack> states, Pack* v) const {
  const auto n = static_cast<std::size_t>(system_.n);
  static thread_local std::vector<Pack> results;
  const auto evaluate = [&](const AdaptedTapes& tapes) {
    const PackEvaluator& tape = tapes.velocity_packs();
    results.resize(tape.tape().outputs.size());
    tape(results.data(), states, parameters());
    std::copy_n(results.begin(), n, v);
  };
  evaluate(usual_tapes());
  std::array<double, Pack::lanes> pivot;
  for (std::size_t i = n; i < results.size(); ++i) {
    results[i].store(pivot.data());
    for (std::size_t k = 0; k < Pack::lanes; ++k) {
      if (is_large(i - n, pivot[k])) continue;
      VectorXd q(system_.nq);
      for (Index j = 0; j < q.size(); ++j) q(j) = states[static_cast<std::size_t>(j)][k];
      return evaluate(ordered_tapes(q.data()));
    }
  }
}

namespace {

/// The condition number of [I K; 0 I], K the change of u with one of w = G_I v by contact impulses:
/// for B = [S; G_I] on ker E, with `free` rows S, and an indefinite inertia.
double condition_of_push(const MatrixXd& B, Index free, const MatrixXd& inertia) {
  const Index rank = B.rows() - free;
  const MatrixXd response = symmetric_solve(inertia, MatrixXd(B.bottomRows(rank).transpose()));
  const MatrixXd pushed = B.lazyProduct(response);
  const MatrixXd K = pushed.topRows(free).lazyProduct(inverse_of(pushed.bottomRows(rank)));
  if (!K.allFinite()) return std::numeric_limits<double>::infinity();
  const MatrixXd squares = K.transpose().lazyProduct(K);
  const double sigma = 0.5 * std::sqrt(std::max(0.0, symmetric_eigenvalues(squares).maxCoeff()));
  const double root = std::sqrt(1.0 + sigma * sigma) + sigma;
  return root * root;
}

}  // namespace

double AdaptedFrame::condition(const VectorXd& q) const {
  const Index free = this->free();
  if (free == 0 || rank() == 0) return 1.0;
  const Held held = held_at(q);
  MatrixXd B(free + rank(), held.Z.cols());
  B.topRows(free) = at(q).topRows(free).lazyProduct(held.Z);
  B.bottomRows(rank()) = held.contacts(contacts_.rows, Eigen::all);
  if (system_.recorded->lifted_mass) return condition_of_push(B, free, held.inertia);
  const MatrixXd gram = B.lazyProduct(cholesky_solve(held.inertia, B.transpose()));
  const MatrixXd coupling = gram.topRightCorner(free, rank());
  const MatrixXd inner =
      coupling.transpose().lazyProduct(cholesky_solve(gram.topLeftCorner(free, free), coupling));
  const MatrixXd L = cholesky_factor(gram.bottomRightCorner(rank(), rank()));
  const MatrixXd left = lower_solve(L, inner);
  const MatrixXd squares = lower_solve(L, left.transpose());
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

/// Of y = (q, u, w_I, …), or (q, u) with w = 0.
template <class T>
VectorX<T> velocity_in(const AdaptedFrame& frame, bool compliant, VectorInOf<T> y) {
  const Index nq = frame.system().nq;
  VectorX<T> adapted = VectorX<T>::Zero(frame.free() + frame.rank());
  const Index given = compliant ? adapted.size() : frame.free();
  adapted.head(given) = y.segment(nq, given);
  return frame.velocity<T>(y.head(nq), adapted);
}

template <class T>
void write_output(const AdaptedFrame& frame, const std::optional<DeflectionMap>& deflection,
                  VectorInOf<T> y, VectorOutOf<T> output) {
  const Index nq = frame.system().nq, n = frame.system().n, m = frame.system().m;
  const Index r = frame.rank(), moving = nq + frame.free() + r;
  output.head(nq) = y.head(nq);
  output.segment(nq, n) = velocity_in<T>(frame, deflection.has_value(), y);
  if (!deflection) return;
  const MatrixX<T> H = deflection->combination.cast<T>();
  const VectorX<T> w = y.segment(moving - r, r), zeta = y.segment(moving, r);
  output.segment(nq + n, m) = deflection->offset.cast<T>() + H.lazyProduct(zeta);
  output.tail(m) = H.lazyProduct(w);
}

/// write_output for eight states.
class OutputOfEight {
 public:
  OutputOfEight(std::shared_ptr<const AdaptedFrame> frame,
                const std::optional<DeflectionMap>& deflection)
      : frame_(std::move(frame)), deflection_(deflection) {}

  void operator()(const Pack* y, Pack* output) {
    const auto nq = static_cast<std::size_t>(frame_->system().nq);
    const auto n = static_cast<std::size_t>(frame_->system().n);
    const auto free = static_cast<std::size_t>(frame_->free());
    const auto r = static_cast<std::size_t>(frame_->rank());
    std::copy_n(y, nq, output);
    state_.assign(nq + free + r, Pack(0.0));
    std::copy_n(y, nq + free + (deflection_ ? r : 0), state_.begin());
    frame_->write_velocities(state_, output + nq);
    if (!deflection_) return;
    const Pack *const w = y + nq + free, *const zeta = w + r;
    const MatrixXd& H = deflection_->combination;
    const auto m = static_cast<std::size_t>(H.rows());
    for (std::size_t i = 0; i < m; ++i) {
      const auto row = static_cast<Index>(i);
      Pack &eta = output[nq + n + i], &sliding = output[nq + n + m + i];
      eta = deflection_->offset(row);
      sliding = 0.0;
      for (std::size_t j = 0; j < r; ++j) {
        const Pack factor(H(row, static_cast<Index>(j)));
        eta += factor * zeta[j];
        sliding += factor * w[j];
      }
    }
  }

 private:
  std::shared_ptr<const AdaptedFrame> frame_;
  std::optional<DeflectionMap> deflection_;
  std::vector<Pack> state_;
};

template <class T>
bool choose_anew(AdaptedFrame& frame, bool compliant, double condition_bound, MatrixOutOf<T> states,
                 MatrixOut change) {
  if (frame.natural()) return false;
  const Index nq = frame.system().nq, n = frame.system().n;
  const Index free = frame.free(), r = frame.rank();
  const VectorXd q = rounded<T>(states.col(0).head(nq));
  if (condition_bound > 0.0 && frame.condition(q) <= condition_bound) return false;
  MatrixX<T> v(n, states.cols());
  for (Index k = 0; k < states.cols(); ++k)
    v.col(k) = velocity_in<T>(frame, compliant, states.col(k));
  MatrixXd velocities = MatrixXd::Identity(n, n);  // column k: v at (u, 0, w_I) = e_k
  solve(frame.at(q), velocities);
  frame.choose(q);
  for (Index k = 0; k < states.cols(); ++k)
    states.col(k).segment(nq, free) = frame.adapted<T>(states.col(k).head(nq), v.col(k)).head(free);

  const MatrixXd turn = frame.at(q).topRows(free).lazyProduct(velocities);
  change.setIdentity();
  change.block(nq, nq, free, free) = turn.leftCols(free);
  if (compliant) change.block(nq, nq + free, free, r) = turn.rightCols(r);
  return true;
}

}  // namespace

template <class T>
std::shared_ptr<AdaptedFrame> frame_at(const System& system, VectorInOf<T> q,
                                       const AdaptedOptions& options) {
  return std::make_shared<AdaptedFrame>(system, rounded<T>(q), options);
}

template <class T>
MovingCoordinatesOf<T> adapted_coordinates(const std::shared_ptr<AdaptedFrame>& frame,
                                           const std::optional<DeflectionMap>& deflection) {
  const System& system = frame->system();
  const bool compliant = deflection.has_value();
  MovingCoordinatesOf<T> coordinates;
  coordinates.reset = [frame] { frame->reset(); };
  coordinates.output_size = system.nq + system.n + (compliant ? 2 * system.m : 0);
  coordinates.output = [frame, deflection](const T&, VectorInOf<T> y, VectorOutOf<T> output) {
    write_output<T>(*frame, deflection, y, output);
  };
  if constexpr (std::is_same_v<T, double>)
    coordinates.output_of_eight = OutputOfEight(frame, deflection);
  coordinates.rechoose = [frame, compliant](double condition_bound, MatrixOutOf<T> states,
                                            MatrixOut change) {
    return choose_anew<T>(*frame, compliant, condition_bound, states, change);
  };
  return coordinates;
}

template VectorX<double> AdaptedFrame::adapted(VectorIn, VectorIn) const;
template VectorX<Quad> AdaptedFrame::adapted(VectorInOf<Quad>, VectorInOf<Quad>) const;
template VectorX<double> AdaptedFrame::velocity(VectorIn, VectorIn) const;
template VectorX<Quad> AdaptedFrame::velocity(VectorInOf<Quad>, VectorInOf<Quad>) const;
template std::shared_ptr<AdaptedFrame> frame_at<double>(const System&, VectorIn,
                                                        const AdaptedOptions&);
template std::shared_ptr<AdaptedFrame> frame_at<Quad>(const System&, VectorInOf<Quad>,
                                                      const AdaptedOptions&);
template MovingCoordinatesOf<double> adapted_coordinates(const std::shared_ptr<AdaptedFrame>&,
                                                         const std::optional<DeflectionMap>&);
template MovingCoordinatesOf<Quad> adapted_coordinates(const std::shared_ptr<AdaptedFrame>&,
                                                       const std::optional<DeflectionMap>&);

}  // namespace rigidlimit
