#include "rigidlimit/asymptotics/layer_terms.hpp"

#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "rigidlimit/asymptotics/layer_grid.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/jet_series.hpp"
#include "rigidlimit/core/tape/series_form.hpp"
#include "rigidlimit/core/tape/step_value.hpp"
#include "rigidlimit/mechanics/contact_pencil.hpp"
#include "rigidlimit/mechanics/small_factors.hpp"

namespace rigidlimit {

namespace {

/// The results z = f(x) of a tape for x = Σ x_k(τ) ε^k, order by order, with the recurrences of
/// JetSeries (core/tape/jet_series.hpp) in k. Functions are applied to x_0(τ), whose polynomial
/// part must be a constant.
template <class T>
class LayerSeries {
 public:
  using Function = LayerFunction<T>;

  /// Orders 0 … `highest`. `form` and `grid` are shared.
  LayerSeries(std::shared_ptr<const SeriesForm> form, std::shared_ptr<const LayerGrid<T>> grid,
              int highest);

  /// The coefficient k of input number j. Set it before advance(k).
  void set_input(Index j, int k, const Function& x) { at(form_->first_input() + j, k) = x; }
  void advance(int k);
  const Function& output(Index j, int k) const {
    return at(form_->outputs[static_cast<std::size_t>(j)], k);
  }

 private:
  Function& at(std::size_t value, int k) {
    return table_[value * orders_ + static_cast<std::size_t>(k)];
  }
  const Function& at(std::size_t value, int k) const {
    return table_[value * orders_ + static_cast<std::size_t>(k)];
  }
  Function start_of(const SeriesForm::Step& step) const;
  Function next_of(const SeriesForm::Step& step, std::size_t y, int k) const;
  Function product(std::size_t a, std::size_t b, int k, bool with_ends) const;
  Function integral(std::size_t a, std::size_t slope, int k) const;
  Function power(const SeriesForm::Step& step, std::size_t y, int k) const;

  std::shared_ptr<const SeriesForm> form_;
  std::shared_ptr<const LayerGrid<T>> grid_;
  std::size_t orders_;
  std::vector<Function> table_;  ///< (value, k)
};

template <class T>
LayerSeries<T>::LayerSeries(std::shared_ptr<const SeriesForm> form,
                            std::shared_ptr<const LayerGrid<T>> grid, int highest)
    : form_(std::move(form)),
      grid_(std::move(grid)),
      orders_(static_cast<std::size_t>(highest) + 1),
      table_(form_->values() * orders_) {
  const std::vector<T>& constants = form_->constants_in<T>();
  for (std::size_t c = 0; c < constants.size(); ++c) at(c, 0) = Function(constants[c]);
}

template <class T>
void LayerSeries<T>::advance(int k) {
  std::size_t y = form_->first_step();
  for (const SeriesForm::Step& step : form_->steps) {
    at(y, k) = k == 0 ? start_of(step) : next_of(step, y, k);
    ++y;
  }
}

/// f(a + d) with the limit f(a): the decaying part is f(a + d) − f(a). Where this has a form
/// without cancellation, it keeps its relative accuracy as d decays; the powers of τ in front of
/// later terms would amplify an absolute error.
template <class T>
LayerFunction<T> LayerSeries<T>::start_of(const SeriesForm::Step& step) const {
  const Function &a = at(step.a, 0), &b = at(step.b, 0), &c = at(step.c, 0);
  for (const Function* x : {&a, &b, &c})
    if (x->polynomial.size() > 1)
      throw InputError("an argument changes with the fast time at the leading order");
  switch (step.operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::negate: return T(-1) * a;
    case Operation::multiply: return grid_->product(a, b);
    case Operation::divide: return grid_->quotient(a, b);
    default: break;
  }
  const T at_a = a.coefficient(0), at_b = b.coefficient(0), at_c = c.coefficient(0);
  Function y(step_value(step.operation, at_a, at_b, at_c));
  if (a.decaying.size() + b.decaying.size() + c.decaying.size() == 0) return y;
  const auto value = [](const Function& x, const T& limit, Index i) {
    return x.decaying.size() > 0 ? T(limit + x.decaying(i)) : limit;
  };
  const T limit = y.coefficient(0);
  y.decaying.resize(grid_->nodes().size());
  for (Index i = 0; i < y.decaying.size(); ++i)
    y.decaying(i) =
        step_value(step.operation, value(a, at_a, i), value(b, at_b, i), value(c, at_c, i)) - limit;
  return y;
}

template <class T>
LayerFunction<T> LayerSeries<T>::next_of(const SeriesForm::Step& step, std::size_t y, int k) const {
  const auto& [operation, a, b, c, slope_a, slope_b] = step;
  switch (operation) {
    case Operation::add: return at(a, k) + at(b, k);
    case Operation::subtract: return at(a, k) - at(b, k);
    case Operation::negate: return T(-1) * at(a, k);
    case Operation::multiply: return product(a, b, k, true);
    case Operation::divide:
      return grid_->quotient(
          at(a, k) - grid_->product(at(b, k), at(y, 0)) - product(b, y, k, false), at(b, 0));
    case Operation::sqrt:
      return grid_->quotient(T(0.5) * (at(a, k) - product(y, y, k, false)), at(y, 0));
    case Operation::power: return power(step, y, k);
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal: return {};
    case Operation::select:
      if (at(a, 0).decaying.size() > 0 && at(a, 0).decaying.cwiseAbs().maxCoeff() > T(0))
        throw InputError("a switch of the force is crossed within the layer");
      return at(a, 0).coefficient(0) != T(0) ? at(b, k) : at(c, k);
    case Operation::atan2: return integral(a, slope_a, k) + integral(b, slope_b, k);
    default: return integral(a, slope_a, k);
  }
}

/// Σ a_p b_{k−p}; without the terms of a_0 and b_0.
template <class T>
LayerFunction<T> LayerSeries<T>::product(std::size_t a, std::size_t b, int k,
                                         bool with_ends) const {
  Function sum;
  for (int p = with_ends ? 0 : 1; p <= (with_ends ? k : k - 1); ++p)
    sum += grid_->product(at(a, p), at(b, k - p));
  return sum;
}

/// The coefficient k of y with dy/dε = s da/dε.
template <class T>
LayerFunction<T> LayerSeries<T>::integral(std::size_t a, std::size_t slope, int k) const {
  Function sum;
  for (int p = 1; p <= k; ++p) sum += T(T(p) / k) * grid_->product(at(a, p), at(slope, k - p));
  return sum;
}

/// y = a^b with a constant b: a dy/dε = b da/dε y.
template <class T>
LayerFunction<T> LayerSeries<T>::power(const SeriesForm::Step& step, std::size_t y, int k) const {
  const T exponent = at(step.b, 0).coefficient(0);
  Function sum;
  for (int p = 1; p <= k; ++p) {
    sum += T(exponent * p / k) * grid_->product(at(step.a, p), at(y, k - p));
    if (p < k) sum -= T(T(p) / k) * grid_->product(at(y, p), at(step.a, k - p));
  }
  return grid_->quotient(sum, at(step.a, 0));
}

template class LayerSeries<double>;
template class LayerSeries<Quad>;

template <class T>
using Functions = std::vector<LayerFunction<T>>;

template <class T>
Functions<T> constant(const VectorX<T>& x) {
  Functions<T> all;
  for (const T& one : x) all.emplace_back(one);
  return all;
}

template <class T>
Functions<T> product(const MatrixX<T>& A, const Functions<T>& x) {
  Functions<T> y(static_cast<std::size_t>(A.rows()));
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < A.cols(); ++j)
      if (A(i, j) != T(0))
        y[static_cast<std::size_t>(i)] += A(i, j) * x[static_cast<std::size_t>(j)];
  return y;
}

template <class T>
void add(Functions<T>& x, const Functions<T>& y, double factor = 1.0) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * y[i];
}

template <class T>
Functions<T> mapped(const Functions<T>& x, const auto& function) {
  Functions<T> y;
  for (const LayerFunction<T>& one : x) y.push_back(function(one));
  return y;
}

/// The matrices of the layer problem: M, E and G at the start.
template <class T>
struct FrozenLayer {
  FrozenLayer(const EquationForms& forms, const ActingContacts<T>& contacts, const VectorX<T>& q) {
    const Index n = forms.n, ne = forms.ne, r = contacts.rank();
    const auto values = [&](const std::shared_ptr<const SeriesForm>& form, Index rows) {
      JetSeries<T> at(form, 0, 0);
      for (Index j = 0; j < q.size(); ++j) at.input(j, 0, 0) = q(j);
      at.advance(0, 0);
      MatrixX<T> X(rows, n);
      for (Index j = 0; j < X.size(); ++j) X.reshaped()(j) = at.output(j, 0, 0);
      return X;
    };
    const MatrixX<T> M = values(forms.mass, n), R = values(forms.rows, ne + forms.m);
    MatrixX<T> kkt = MatrixX<T>::Zero(n + ne, n + ne);
    kkt.topLeftCorner(n, n) = M;
    kkt.bottomLeftCorner(ne, n) = R.topRows(ne);
    kkt.topRightCorner(n, ne) = R.topRows(ne).transpose();
    const MatrixX<T> inverse = small_inverse(kkt);
    inertia = inverse.topLeftCorner(n, n);
    of_row = inverse.topRightCorner(n, ne);
    of_rows_alone = inverse.bottomRightCorner(ne, ne);
    G.resize(r, n);
    for (Index i = 0; i < r; ++i) G.row(i) = R.row(ne + contacts.rows[static_cast<std::size_t>(i)]);
    W = inertia * G.transpose();
    A = G * W;
  }

  /// Of (η, w), 2r × 2r (docs/theory.md, section 4); of w alone, r × r, if η is slow.
  MatrixX<T> fast_block(const ActingContacts<T>& contacts) const {
    const Index r = A.rows();
    if (contacts.slow_deflection) return -A * contacts.damping;
    MatrixX<T> B = MatrixX<T>::Zero(2 * r, 2 * r);
    B.topRightCorner(r, r).setIdentity();
    B.bottomLeftCorner(r, r) = -A * contacts.stiffness;
    B.bottomRightCorner(r, r) = -A * contacts.damping;
    return B;
  }
  /// The eigenvalues of fast_block().
  Eigen::VectorXcd fast_rates(const ActingContacts<T>& contacts) const {
    const MatrixXd delassus = A.template cast<double>(),
                   damping = contacts.damping.template cast<double>();
    if (contacts.slow_deflection)
      return damper_rates(delassus, damping).template cast<std::complex<double>>();
    return contact_pencil_rates(delassus, contacts.stiffness.template cast<double>(), damping);
  }

  MatrixX<T> inertia;        ///< Π: M⁻¹ on ker E
  MatrixX<T> of_row;         ///< Y: velocities with E Y = I
  MatrixX<T> of_rows_alone;  ///< the lower right block of the inverse of [M Eᵀ; E 0]
  MatrixX<T> G, W, A;        ///< G_I, Π G_Iᵀ, G_I Π G_Iᵀ
};

template <class T>
class Rungs {
 public:
  using Vector = Functions<T>;
  using Function = LayerFunction<T>;
  using Start = StartSeries<T>;

  Rungs(const EquationForms& forms, const ActingContacts<T>& contacts, const Start& start,
        int order)
      : forms_(forms),
        contacts_(contacts),
        start_(start),
        order_(order),
        frozen_(forms, contacts, Start::term(start.q, 0, forms.nq)),
        grid_(std::make_shared<const LayerGrid<T>>(frozen_.fast_block(contacts),
                                                   frozen_.fast_rates(contacts), order)),
        mass_(forms.mass, grid_, order + 1),
        rows_(forms.rows, grid_, order + 1),
        rate_(forms.rate, grid_, order + 1),
        force_(forms.force, grid_, order + 1) {
    terms_.grid = grid_;
    give_coordinates(0, constant<T>(Start::term(start.q, 0, forms.nq)));
  }

  LayerTerms<T> solved() && {
    rung(-1);
    for (int k = 0; k <= order_; ++k) rung(k);
    return std::move(terms_);
  }

 private:
  static void set(LayerSeries<T>& series, int k, const Vector& x, Index first = 0) {
    for (std::size_t j = 0; j < x.size(); ++j)
      series.set_input(first + static_cast<Index>(j), k, x[j]);
  }

  /// Entry (i, j) of [E; G_I] or M at order k.
  const Function& row(Index i, Index j, int k) const {
    const Index ne = forms_.ne;
    const Index place = i < ne ? i : ne + contacts_.rows[static_cast<std::size_t>(i - ne)];
    return rows_.output(j * (ne + forms_.m) + place, k);
  }
  const Function& mass(Index i, Index j, int k) const { return mass_.output(j * forms_.n + i, k); }
  Function times(const Function& x, const Function& y) const { return grid_->product(x, y); }

  /// From q up to k, v up to k and λ up to k − 1: q_{k+1}, η_k, λ_k, v_{k+1}.
  void rung(int k) {
    const LayerGrid<T>& grid = *grid_;
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
          const Function share = times(row(i, l, j), v(k + 1 - j, l));
          if (i < ne)
            bend[static_cast<std::size_t>(i)] -= share;
          else
            turn[static_cast<std::size_t>(i - ne)] += share;
        }
    const Vector of_bend = product<T>(frozen_.of_row, bend);  // Y b
    add<T>(turn, product<T>(frozen_.G, of_bend));

    const VectorX<T> v0 = Start::term(start_.v, k + 1, n);
    VectorX<T> u0 = v0;
    for (Index i = 0; i < n; ++i) u0(i) -= grid.start(of_bend[static_cast<std::size_t>(i)]);
    const Vector free = product<T>(frozen_.inertia, load);  // Π ρ
    Vector drive = product<T>(frozen_.G, free);  // of z = w − turn, besides the contact force of z
    add<T>(drive, product<T>(frozen_.A * contacts_.damping, turn), -1.0);
    VectorX<T> z0 = frozen_.G * u0;
    if (k == order_ && start_.next_sliding.size() > 0)
      for (Index i = 0; i < r; ++i)
        z0(i) = start_.next_sliding(i) - grid.start(turn[static_cast<std::size_t>(i)]);
    auto [eta, sliding] = fast_part(k, z0, turn, std::move(drive));
    Vector acting = product<T>(contacts_.stiffness, eta);
    add<T>(acting, product<T>(contacts_.damping, sliding));
    Vector force = product<T>(contacts_.force_of_deflection, eta);
    add<T>(force, product<T>(contacts_.force_of_sliding, sliding));

    Vector rate = free;  // u'
    add<T>(rate, product<T>(frozen_.W, acting), -1.0);
    Vector velocity = mapped<T>(rate, [&](const Function& one) { return grid.integral(one); });
    add<T>(velocity, constant<T>(u0));
    add<T>(velocity, of_bend);
    if (ne > 0) {
      const Vector bend_rate =
          mapped<T>(bend, [&](const Function& one) { return grid.derivative(one); });
      add<T>(rate, product<T>(frozen_.of_row, bend_rate));
      Vector rest = load;
      add<T>(rest, product<T>(frozen_.G.transpose(), acting), -1.0);
      Vector kappa = product<T>(frozen_.of_row.transpose(), rest);
      add<T>(kappa, product<T>(frozen_.of_rows_alone, bend_rate));
      kappa_.push_back(std::move(kappa));
    }
    terms_.eta.push_back(std::move(eta));
    terms_.lambda.push_back(std::move(force));
    terms_.sliding.push_back(std::move(sliding));
    acting_.push_back(std::move(acting));
    terms_.v.push_back(std::move(velocity));
    rate_of_v_.push_back(std::move(rate));
  }

  /// η_k and w_{k+1}. With w = z + turn, z(0) = z0:
  ///
  ///   β = 1: dη_k/dτ = w_{k+1},      dz/dτ = −A (C η_k + D z) + drive,
  ///   β = 2: dη_k/dτ = w_k is known, dz/dτ = −A D z + (drive − A C η_k).
  std::pair<Vector, Vector> fast_part(int k, const VectorX<T>& z0, const Vector& turn,
                                      Vector drive) {
    const Index r = contacts_.rank();
    const VectorX<T> eta0 =
        k >= 0 ? Start::term(start_.eta, k, r) : VectorX<T>(VectorX<T>::Zero(r));
    Vector eta = constant<T>(eta0), sliding;
    if (contacts_.slow_deflection) {
      if (k >= 0)
        add<T>(eta, mapped<T>(terms_.sliding.back(),
                              [&](const Function& one) { return grid_->integral(one); }));
      add<T>(drive, product<T>(frozen_.A * contacts_.stiffness, eta), -1.0);
      sliding = grid_->solution(z0, drive);
    } else {
      VectorX<T> x0(2 * r);
      x0 << eta0, z0;
      Vector f = turn;
      f.insert(f.end(), drive.begin(), drive.end());
      const Vector x = grid_->solution(x0, f);
      eta.assign(x.begin(), x.begin() + r);
      sliding.assign(x.begin() + r, x.end());
    }
    add<T>(sliding, turn);
    return {std::move(eta), std::move(sliding)};
  }

  /// T v and F at order k; q_{k+1}, M, E and G at order k + 1.
  void advance_to(int k) {
    const LayerGrid<T>& grid = *grid_;
    const Vector &q = terms_.q[static_cast<std::size_t>(k)],
                 &v = terms_.v[static_cast<std::size_t>(k)];
    set(rate_, k, q);
    set(rate_, k, v, forms_.nq);
    set(force_, k, q);
    set(force_, k, v, forms_.nq);
    Function time(start_.time(k));
    if (k == 1) time.polynomial = {start_.time(1), T(1)};
    force_.set_input(forms_.nq + forms_.n, k, time);
    rate_.advance(k);
    force_.advance(k);
    Vector next = constant<T>(Start::term(start_.q, k + 1, forms_.nq));
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

  const Function& v(int k, Index i) const {
    return terms_.v[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
  }

  /// M_j dv_{k+1−j}/dτ + E_jᵀ κ_{k−j} + G_jᵀ λ_{k−j}.
  void subtract_known(Vector& load, int k, int j) const {
    const Index n = forms_.n, ne = forms_.ne, r = contacts_.rank();
    const Vector& acceleration = rate_of_v_[static_cast<std::size_t>(k + 1 - j)];
    const auto at = static_cast<std::size_t>(k - j) + 1;  // of order k − j
    for (Index i = 0; i < n; ++i) {
      Function& sum = load[static_cast<std::size_t>(i)];
      for (Index l = 0; l < n; ++l)
        sum -= times(mass(i, l, j), acceleration[static_cast<std::size_t>(l)]);
      for (Index l = 0; l < ne; ++l)
        sum -= times(row(l, i, j), kappa_[at][static_cast<std::size_t>(l)]);
      for (Index l = 0; l < r; ++l)
        sum -= times(row(ne + l, i, j), acting_[at][static_cast<std::size_t>(l)]);
    }
  }

  const EquationForms& forms_;
  const ActingContacts<T>& contacts_;
  const Start& start_;
  int order_;
  FrozenLayer<T> frozen_;
  std::shared_ptr<const LayerGrid<T>> grid_;
  LayerSeries<T> mass_, rows_, rate_, force_;
  LayerTerms<T> terms_;
  std::vector<Vector> rate_of_v_;       ///< dv_k/dτ, k ≥ 0
  std::vector<Vector> acting_, kappa_;  ///< Hᵀλ_k and κ_k, k ≥ −1
};

}  // namespace

template <class T>
VectorX<T> LayerTerms<T>::limit(const Vector& x) {
  VectorX<T> p(std::ssize(x));
  for (Index i = 0; i < p.size(); ++i) p(i) = x[static_cast<std::size_t>(i)].coefficient(0);
  return p;
}

template <class T>
LayerTerms<T> layer_terms(const EquationForms& forms, const ActingContacts<T>& contacts,
                          const StartSeries<T>& start, int order) {
  return Rungs<T>(forms, contacts, start, order).solved();
}

template struct LayerTerms<double>;
template struct LayerTerms<Quad>;
template LayerTerms<double> layer_terms(const EquationForms&, const ActingContacts<double>&,
                                        const StartSeries<double>&, int);
template LayerTerms<Quad> layer_terms(const EquationForms&, const ActingContacts<Quad>&,
                                      const StartSeries<Quad>&, int);

}  // namespace rigidlimit
