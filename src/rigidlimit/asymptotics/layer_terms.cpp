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

/// The matrices of the layer problem: M, E and G at the start.
struct FrozenLayer {
  FrozenLayer(const EquationForms& forms, const ActingContacts& contacts, const VectorXd& q) {
    const Index n = forms.n, ne = forms.ne, r = contacts.rank();
    const auto values = [&](const std::shared_ptr<const SeriesForm>& form, Index rows) {
      JetSeries at(form, 0, 0);
      for (Index j = 0; j < q.size(); ++j) at.input(j, 0, 0) = q(j);
      at.advance(0, 0);
      MatrixXd A(rows, n);
      for (Index j = 0; j < A.size(); ++j) A.reshaped()(j) = at.output(j, 0, 0);
      return A;
    };
    const MatrixXd M = values(forms.mass, n), R = values(forms.rows, ne + forms.m);
    MatrixXd kkt = MatrixXd::Zero(n + ne, n + ne);
    kkt.topLeftCorner(n, n) = M;
    kkt.bottomLeftCorner(ne, n) = R.topRows(ne);
    kkt.topRightCorner(n, ne) = R.topRows(ne).transpose();
    const MatrixXd inverse = inverse_of(kkt);
    inertia = inverse.topLeftCorner(n, n);
    of_row = inverse.topRightCorner(n, ne);
    of_rows_alone = inverse.bottomRightCorner(ne, ne);
    G.resize(r, n);
    for (Index i = 0; i < r; ++i) G.row(i) = R.row(ne + contacts.rows[static_cast<std::size_t>(i)]);
    W = inertia * G.transpose();
    A = G * W;
  }

  /// Of (η, dη/dτ), 2r × 2r (docs/theory.md, section 4).
  MatrixXd oscillator(const ActingContacts& contacts) const {
    const Index r = A.rows();
    MatrixXd B = MatrixXd::Zero(2 * r, 2 * r);
    B.topRightCorner(r, r).setIdentity();
    B.bottomLeftCorner(r, r) = -A * contacts.stiffness;
    B.bottomRightCorner(r, r) = -A * contacts.damping;
    return B;
  }

  MatrixXd inertia;        ///< Π: M⁻¹ on ker E
  MatrixXd of_row;         ///< Y: velocities with E Y = I
  MatrixXd of_rows_alone;  ///< the lower right block of the inverse of [M Eᵀ; E 0]
  MatrixXd G, W, A;        ///< G_I, Π G_Iᵀ, G_I Π G_Iᵀ
};

class Rungs {
 public:
  Rungs(const EquationForms& forms, const ActingContacts& contacts, const StartSeries& start,
        int order)
      : forms_(forms),
        contacts_(contacts),
        start_(start),
        order_(order),
        frozen_(forms, contacts, StartSeries::term(start.q, 0, forms.nq)),
        grid_(std::make_shared<const LayerGrid>(frozen_.oscillator(contacts), order)),
        mass_(forms.mass, grid_, order + 1),
        rows_(forms.rows, grid_, order + 1),
        rate_(forms.rate, grid_, order + 1),
        force_(forms.force, grid_, order + 1) {
    terms_.grid = grid_;
    give_coordinates(0, constant(StartSeries::term(start.q, 0, forms.nq)));
  }

  LayerTerms solved() && {
    rung(-1);
    for (int k = 0; k <= order_; ++k) rung(k);
    return std::move(terms_);
  }

 private:
  static void set(LayerSeries& series, int k, const Vector& x, Index first = 0) {
    for (std::size_t j = 0; j < x.size(); ++j)
      series.set_input(first + static_cast<Index>(j), k, x[j]);
  }

  /// Entry (i, j) of [E; G_I] or M at order k.
  const LayerFunction& row(Index i, Index j, int k) const {
    const Index ne = forms_.ne;
    const Index place = i < ne ? i : ne + contacts_.rows[static_cast<std::size_t>(i - ne)];
    return rows_.output(j * (ne + forms_.m) + place, k);
  }
  const LayerFunction& mass(Index i, Index j, int k) const {
    return mass_.output(j * forms_.n + i, k);
  }
  LayerFunction times(const LayerFunction& x, const LayerFunction& y) const {
    return grid_->product(x, y);
  }

  /// From q up to k, v up to k and λ up to k − 1: q_{k+1}, η_k, λ_k, v_{k+1}.
  void rung(int k) {
    const LayerGrid& grid = *grid_;
    const Index n = forms_.n, ne = forms_.ne, r = contacts_.rank();
    Vector load(static_cast<std::size_t>(n));  // ρ
    if (k >= 0) {
      advance_to(k);
      for (Index i = 0; i < n; ++i) load[static_cast<std::size_t>(i)] = force_.output(i, k);
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
    const Vector of_bend = product(frozen_.of_row, bend);  // Y b
    add(turn, product(frozen_.G, of_bend));

    const VectorXd v0 = StartSeries::term(start_.v, k + 1, n);
    VectorXd u0 = v0;
    for (Index i = 0; i < n; ++i) u0(i) -= grid.start(of_bend[static_cast<std::size_t>(i)]);
    VectorXd x0(2 * r);
    x0 << (k >= 0 ? StartSeries::term(start_.eta, k, r) : VectorXd(VectorXd::Zero(r))),
        frozen_.G * u0;
    const Vector free = product(frozen_.inertia, load);  // Π ρ
    Vector f = turn;
    const Vector slowed = product(frozen_.A * contacts_.damping, turn),
                 driven = product(frozen_.G, free);
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
    add(rate, product(frozen_.W, acting), -1.0);
    Vector velocity = mapped(rate, [&](const LayerFunction& one) { return grid.integral(one); });
    add(velocity, constant(u0));
    add(velocity, of_bend);
    if (ne > 0) {
      const Vector bend_rate =
          mapped(bend, [&](const LayerFunction& one) { return grid.derivative(one); });
      add(rate, product(frozen_.of_row, bend_rate));
      Vector rest = load;
      add(rest, product(frozen_.G.transpose(), acting), -1.0);
      Vector kappa = product(frozen_.of_row.transpose(), rest);
      add(kappa, product(frozen_.of_rows_alone, bend_rate));
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
    const LayerGrid& grid = *grid_;
    const Vector &q = terms_.q[static_cast<std::size_t>(k)],
                 &v = terms_.v[static_cast<std::size_t>(k)];
    set(rate_, k, q);
    set(rate_, k, v, forms_.nq);
    set(force_, k, q);
    set(force_, k, v, forms_.nq);
    LayerFunction time;
    if (k == 0) time = LayerFunction(start_.t);
    if (k == 1) time.polynomial = {0.0, 1.0};
    force_.set_input(forms_.nq + forms_.n, k, time);
    rate_.advance(k);
    force_.advance(k);
    Vector next = constant(StartSeries::term(start_.q, k + 1, forms_.nq));
    for (Index i = 0; i < forms_.nq; ++i)
      next[static_cast<std::size_t>(i)] += grid.integral(rate_.output(i, k));
    give_coordinates(k + 1, std::move(next));
  }
  /// q_k; M, E and G at order k.
  void give_coordinates(int k, Vector q) {
    set(mass_, k, q);
    set(rows_, k, q);
    mass_.advance(k);
    rows_.advance(k);
    terms_.q.push_back(std::move(q));
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
  FrozenLayer frozen_;
  std::shared_ptr<const LayerGrid> grid_;
  LayerSeries mass_, rows_, rate_, force_;
  LayerTerms terms_;
  std::vector<Vector> rate_of_v_;       ///< dv_k/dτ, k ≥ 0
  std::vector<Vector> acting_, kappa_;  ///< Hᵀλ_k and κ_k, k ≥ −1
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
