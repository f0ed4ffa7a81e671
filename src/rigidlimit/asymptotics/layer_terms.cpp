#include "rigidlimit/asymptotics/layer_terms.hpp"

#include <utility>

#include "rigidlimit/asymptotics/layer_series.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/tape/jet_series.hpp"

namespace rigidlimit {
namespace {

using Vector = LayerTerms::Vector;

Vector constant(const VectorXd& x) {
  Vector all;
  for (const double one : x) all.emplace_back(one);
  return all;
}

Vector product(const MatrixXd& A, const Vector& x) {
  Vector y(static_cast<std::size_t>(A.rows()));
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < A.cols(); ++j)
      if (A(i, j) != 0.0)
        y[static_cast<std::size_t>(i)] += A(i, j) * x[static_cast<std::size_t>(j)];
  return y;
}

void add(Vector& x, const Vector& y, double factor = 1.0) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * y[i];
}

Vector mapped(const Vector& x, const auto& function) {
  Vector y;
  for (const LayerFunction& one : x) y.push_back(function(one));
  return y;
}

class Rungs {
 public:
  Rungs(const EquationForms& forms, const ActingContacts& contacts, const StartSeries& start,
        int order)
      : forms_(forms), contacts_(contacts), start_(start), order_(order) {
    const VectorXd q = StartSeries::term(start.q, 0, forms.nq);
    freeze(q);
    const auto series = [&](const std::shared_ptr<const SeriesForm>& form) {
      return LayerSeries(form, terms_.grid, order + 1);
    };
    mass_.emplace_back(series(forms.mass));
    rows_.emplace_back(series(forms.rows));
    rate_.emplace_back(series(forms.rate));
    force_.emplace_back(series(forms.force));
    terms_.q.push_back(constant(q));
    set(mass_[0], 0, terms_.q[0]);
    set(rows_[0], 0, terms_.q[0]);
    mass_[0].advance(0);
    rows_[0].advance(0);
  }

  LayerTerms solved() && {
    rung(-1);
    for (int k = 0; k <= order_; ++k) rung(k);
    return std::move(terms_);
  }

 private:
  /// The matrices of the layer: M, E, G at the start.
  void freeze(const VectorXd& q) {
    const Index n = forms_.n, ne = forms_.ne, r = contacts_.rank();
    const auto values = [&](const std::shared_ptr<const SeriesForm>& form, Index rows) {
      JetSeries at(form, 0, 0);
      for (Index j = 0; j < q.size(); ++j) at.input(j, 0, 0) = q(j);
      at.advance(0, 0);
      MatrixXd A(rows, n);
      for (Index j = 0; j < A.size(); ++j) A.reshaped()(j) = at.output(j, 0, 0);
      return A;
    };
    const MatrixXd M = values(forms_.mass, n), R = values(forms_.rows, ne + forms_.m);
    MatrixXd kkt = MatrixXd::Zero(n + ne, n + ne);
    kkt.topLeftCorner(n, n) = M;
    kkt.bottomLeftCorner(ne, n) = R.topRows(ne);
    kkt.topRightCorner(n, ne) = R.topRows(ne).transpose();
    const MatrixXd inverse = inverse_of(kkt);
    inertia_ = inverse.topLeftCorner(n, n);
    of_row_ = inverse.topRightCorner(n, ne);
    of_rows_alone_ = inverse.bottomRightCorner(ne, ne);
    G_.resize(r, n);
    for (Index i = 0; i < r; ++i)
      G_.row(i) = R.row(ne + contacts_.rows[static_cast<std::size_t>(i)]);
    W_ = inertia_ * G_.transpose();
    A_ = G_ * W_;
    MatrixXd B = MatrixXd::Zero(2 * r, 2 * r);
    B.topRightCorner(r, r).setIdentity();
    B.bottomLeftCorner(r, r) = -A_ * contacts_.stiffness;
    B.bottomRightCorner(r, r) = -A_ * contacts_.damping;
    terms_.grid = std::make_shared<const LayerGrid>(B, order_);
  }

  static void set(LayerSeries& series, int k, const Vector& x, Index first = 0) {
    for (std::size_t j = 0; j < x.size(); ++j)
      series.set_input(first + static_cast<Index>(j), k, x[j]);
  }

  /// Entry (i, j) of [E; G_I] or M at order k.
  const LayerFunction& row(Index i, Index j, int k) const {
    const Index ne = forms_.ne;
    const Index place = i < ne ? i : ne + contacts_.rows[static_cast<std::size_t>(i - ne)];
    return rows_[0].output(j * (ne + forms_.m) + place, k);
  }
  const LayerFunction& mass(Index i, Index j, int k) const {
    return mass_[0].output(j * forms_.n + i, k);
  }
  LayerFunction times(const LayerFunction& x, const LayerFunction& y) const {
    return terms_.grid->product(x, y);
  }

  /// From q up to k, v up to k and λ up to k − 1: q_{k+1}, η_k, λ_k, v_{k+1}.
  void rung(int k) {
    const LayerGrid& grid = *terms_.grid;
    const Index n = forms_.n, ne = forms_.ne, r = contacts_.rank();
    Vector load(static_cast<std::size_t>(n));  // ρ
    if (k >= 0) {
      advance_to(k);
      for (Index i = 0; i < n; ++i) load[static_cast<std::size_t>(i)] = force_[0].output(i, k);
    }
    for (int j = 1; j <= k + 1; ++j) subtract_known(load, k, j);

    Vector bend(static_cast<std::size_t>(ne)), turn(static_cast<std::size_t>(r));  // b and g
    for (int j = 1; j <= k + 1; ++j)
      for (Index i = 0; i < ne + r; ++i)
        for (Index l = 0; l < n; ++l) {
          const LayerFunction share = times(row(i, l, j), v(k + 1 - j, l));
          if (i < ne)
            bend[static_cast<std::size_t>(i)] -= share;
          else
            turn[static_cast<std::size_t>(i - ne)] += share;
        }
    const Vector of_bend = product(of_row_, bend);  // Y b
    add(turn, product(G_, of_bend));

    const VectorXd v0 = StartSeries::term(start_.v, k + 1, n);
    VectorXd u0 = v0;
    for (Index i = 0; i < n; ++i) u0(i) -= grid.start(of_bend[static_cast<std::size_t>(i)]);
    VectorXd x0(2 * r);
    x0 << (k >= 0 ? StartSeries::term(start_.eta, k, r) : VectorXd(VectorXd::Zero(r))), G_ * u0;
    const Vector free = product(inertia_, load);  // Π ρ
    Vector f = turn;
    const Vector slowed = product(A_ * contacts_.damping, turn), driven = product(G_, free);
    for (std::size_t i = 0; i < static_cast<std::size_t>(r); ++i)
      f.push_back(driven[i] - slowed[i]);
    const Vector x = grid.solution(x0, f);

    const Vector eta(x.begin(), x.begin() + r);
    Vector sliding(x.begin() + r, x.end());  // om = dη/dτ
    add(sliding, turn);
    Vector acting = product(contacts_.stiffness, eta);
    add(acting, product(contacts_.damping, sliding));
    Vector force = product(contacts_.force_of_deflection, eta);
    add(force, product(contacts_.force_of_sliding, sliding));

    Vector rate = free;  // u'
    add(rate, product(W_, acting), -1.0);
    Vector velocity = mapped(rate, [&](const LayerFunction& one) { return grid.integral(one); });
    add(velocity, constant(u0));
    add(velocity, of_bend);
    if (ne > 0) {
      const Vector bend_rate =
          mapped(bend, [&](const LayerFunction& one) { return grid.derivative(one); });
      add(rate, product(of_row_, bend_rate));
      Vector rest = load;
      add(rest, product(G_.transpose(), acting), -1.0);
      Vector kappa = product(of_row_.transpose(), rest);
      add(kappa, product(of_rows_alone_, bend_rate));
      kappa_.push_back(std::move(kappa));
    }
    terms_.eta.push_back(eta);
    terms_.lambda.push_back(std::move(force));
    acting_.push_back(std::move(acting));
    terms_.v.push_back(std::move(velocity));
    rate_of_v_.push_back(std::move(rate));
  }

  /// T v and F at order k; q_{k+1}, M, E and G at order k + 1.
  void advance_to(int k) {
    const LayerGrid& grid = *terms_.grid;
    const Vector &q = terms_.q[static_cast<std::size_t>(k)],
                 &v = terms_.v[static_cast<std::size_t>(k)];
    set(rate_[0], k, q);
    set(rate_[0], k, v, forms_.nq);
    set(force_[0], k, q);
    set(force_[0], k, v, forms_.nq);
    LayerFunction time;
    if (k == 0) time = LayerFunction(start_.t);
    if (k == 1) time.polynomial = {0.0, 1.0};
    force_[0].set_input(forms_.nq + forms_.n, k, time);
    rate_[0].advance(k);
    force_[0].advance(k);
    Vector next = constant(StartSeries::term(start_.q, k + 1, forms_.nq));
    for (Index i = 0; i < forms_.nq; ++i)
      next[static_cast<std::size_t>(i)] += grid.integral(rate_[0].output(i, k));
    set(mass_[0], k + 1, next);
    set(rows_[0], k + 1, next);
    mass_[0].advance(k + 1);
    rows_[0].advance(k + 1);
    terms_.q.push_back(std::move(next));
  }

  const LayerFunction& v(int k, Index i) const {
    return terms_.v[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
  }

  /// M_j dv_{k+1−j}/dτ + E_jᵀ κ_{k−j} + G_jᵀ λ_{k−j}.
  void subtract_known(Vector& load, int k, int j) const {
    const Index n = forms_.n, ne = forms_.ne, r = contacts_.rank();
    const Vector& acceleration = rate_of_v_[static_cast<std::size_t>(k + 1 - j)];
    const auto at = static_cast<std::size_t>(k - j + 1);  // of order k − j
    for (Index i = 0; i < n; ++i) {
      LayerFunction& sum = load[static_cast<std::size_t>(i)];
      for (Index l = 0; l < n; ++l)
        sum -= times(mass(i, l, j), acceleration[static_cast<std::size_t>(l)]);
      for (Index l = 0; l < ne; ++l)
        sum -= times(row(l, i, j), kappa_[at][static_cast<std::size_t>(l)]);
      for (Index l = 0; l < r; ++l)
        sum -= times(row(ne + l, i, j), acting_[at][static_cast<std::size_t>(l)]);
    }
  }

  const EquationForms& forms_;
  const ActingContacts& contacts_;
  const StartSeries& start_;
  int order_;
  LayerTerms terms_;
  std::vector<LayerSeries> mass_, rows_, rate_, force_;  // one each, made when the grid is known
  std::vector<Vector> rate_of_v_;                        ///< dv_k/dτ, k ≥ 0
  std::vector<Vector> acting_, kappa_;                   ///< Hᵀλ_k and κ_k, k ≥ −1
  MatrixXd inertia_;                                     ///< Π: M⁻¹ on ker E
  MatrixXd of_row_;                                      ///< Y: velocities with E Y = I
  MatrixXd of_rows_alone_;  ///< the lower right block of the inverse of [M Eᵀ; E 0]
  MatrixXd G_, W_, A_;      ///< G_I, Π G_Iᵀ, G_I Π G_Iᵀ
};

}  // namespace

VectorXd LayerTerms::limit(const Vector& x) {
  VectorXd p(std::ssize(x));
  for (Index i = 0; i < p.size(); ++i) p(i) = x[static_cast<std::size_t>(i)].coefficient(0);
  return p;
}

LayerTerms layer_terms(const EquationForms& forms, const ActingContacts& contacts,
                       const StartSeries& start, int order) {
  return Rungs(forms, contacts, start, order).solved();
}

}  // namespace rigidlimit
