#include "rigidlimit/asymptotics/outer_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rigidlimit/asymptotics/power_series.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/jet_series.hpp"
#include "rigidlimit/mechanics/small_factors.hpp"

namespace rigidlimit {
namespace {

/// Of q_k and v_k of the highest order k: 24 in double and 51 in Quad. With a degree in proportion
/// to the digits, an interval has the same length in both.
template <class T>
constexpr int extra_degree = 24 * (std::numeric_limits<T>::digits - 1) / 52;

/// The coefficients of one interval.
template <class T>
class Jets {
 public:
  Jets(const EquationForms& forms, const ActingContacts<T>& contacts, int order, const T& t)
      : forms_(forms),
        contacts_(contacts),
        order_(order),
        degree_(order + extra_degree<T>),
        mass_(forms.mass, order, degree_),
        rows_(forms.rows, order, degree_),
        rate_(forms.rate, order, degree_),
        force_(forms.force, order, degree_),
        response_(small_inverse(contacts.slow_deflection ? contacts.damping : contacts.stiffness)) {
    force_.input(forms.nq + forms.n, 0, 0) = t;
    force_.input(forms.nq + forms.n, 0, 1) = T(1);
    M_.resize(at(order) + 1);
    R_.resize(at(order) + 1);
    for (int k = 0; k <= order; ++k) {
      q.emplace_back(MatrixX<T>::Zero(forms.nq, degree_ - k + 1));
      v.emplace_back(MatrixX<T>::Zero(forms.n, degree_ - k + 1));
      multipliers.emplace_back(MatrixX<T>::Zero(forms.ne + contacts.rank(), degree_ - k));
      eta.emplace_back(MatrixX<T>::Zero(contacts.rank(), degree_ - k + 1));
    }
  }

  /// From series that hold at the time t + Σ_{j ≥ 1} t_j μ^j.
  void solve(const StartSeries<T>& start) {
    const MatrixX<T> power = powers_of(start.t, order_);
    for (int k = 0; k <= order_; ++k) {
      q[at(k)].col(0) =
          StartSeries<T>::term(start.q, k, forms_.nq) - shifted_coefficient(q, power, k, k - 1);
      v[at(k)].col(0) =
          StartSeries<T>::term(start.v, k, forms_.n) - shifted_coefficient(v, power, k, k - 1);
      if (contacts_.slow_deflection)
        eta[at(k)].col(0) = StartSeries<T>::term(start.eta, k, contacts_.rank()) -
                            shifted_coefficient(eta, power, k, k - 1);
      give_coordinates(k, 0);
      if (k == 0) factorise();
      for (int i = 0; i + k < degree_; ++i) advance(k, i);
    }
  }

  std::vector<MatrixX<T>> q, v, multipliers, eta;

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  void give_coordinates(int k, int i) {
    for (Index j = 0; j < forms_.nq; ++j)
      mass_.input(j, k, i) = rows_.input(j, k, i) = q[at(k)](j, i);
    mass_.advance(k, i);
    rows_.advance(k, i);
    M_[at(k)].push_back(mass_matrix(k, i));
    R_[at(k)].push_back(independent_rows(k, i));
  }
  MatrixX<T> mass_matrix(int k, int i) const {
    MatrixX<T> M(forms_.n, forms_.n);
    for (Index j = 0; j < M.size(); ++j) M.reshaped()(j) = mass_.output(j, k, i);
    return M;
  }
  /// [E; G_I].
  MatrixX<T> independent_rows(int k, int i) const {
    const Index ne = forms_.ne, r = contacts_.rank(), all = ne + forms_.m;
    MatrixX<T> R(ne + r, forms_.n);
    for (Index j = 0; j < forms_.n; ++j)
      for (Index l = 0; l < ne + r; ++l) {
        const Index place = l < ne ? l : ne + contacts_.rows[static_cast<std::size_t>(l - ne)];
        R(l, j) = rows_.output(j * all + place, k, i);
      }
    return R;
  }
  void factorise() {
    const Index n = forms_.n;
    const MatrixX<T>&M = M_[0][0], &R = R_[0][0];
    MatrixX<T> kkt = MatrixX<T>::Zero(n + R.rows(), n + R.rows());
    kkt.topLeftCorner(n, n) = M;
    kkt.bottomLeftCorner(R.rows(), n) = R;
    kkt.topRightCorner(n, R.rows()) = R.transpose();
    kkt_.compute(kkt);
  }

  /// q_{k,i+1}, v_{k,i+1}, and the multipliers and deflections (k, i).
  void advance(int k, int i) {
    const Index nq = forms_.nq, n = forms_.n, ne = forms_.ne, r = contacts_.rank();
    for (JetSeries<T>* series : {&rate_, &force_}) {
      for (Index j = 0; j < nq; ++j) series->input(j, k, i) = q[at(k)](j, i);
      for (Index j = 0; j < n; ++j) series->input(nq + j, k, i) = v[at(k)](j, i);
      series->advance(k, i);
    }
    for (Index j = 0; j < nq; ++j) q[at(k)](j, i + 1) = rate_.output(j, k, i) / (i + 1);
    give_coordinates(k, i + 1);

    VectorX<T> right = VectorX<T>::Zero(n + ne + r);
    for (Index j = 0; j < n; ++j) right(j) = force_.output(j, k, i);
    for (int p = 0; p <= k; ++p)
      for (int j = 0; j <= i + 1; ++j) {
        if (p == 0 && j == 0) continue;
        const MatrixX<T>& R = R_[at(p)][at(j)];
        right.tail(ne + r).noalias() -= T(i + 1) * (R * v[at(k - p)].col(i + 1 - j));
        if (j > i) continue;
        right.head(n).noalias() -= T(i - j + 1) * (M_[at(p)][at(j)] * v[at(k - p)].col(i - j + 1));
        right.head(n).noalias() -= R.transpose() * multipliers[at(k - p)].col(i - j);
      }
    // G_I v = w is η' of the order k − 2 or k − 1.
    const int back = contacts_.slow_deflection ? 1 : 2;
    if (k >= back) right.tail(r) += T((i + 1) * (i + 2)) * eta[at(k - back)].col(i + 2);
    kkt_.solve_in_place(right);
    v[at(k)].col(i + 1) = right.head(n) / T(i + 1);
    multipliers[at(k)].col(i) = right.tail(ne + r);
    VectorX<T> load = right.tail(r);  // C_r η_k + D_r η'_{k−1}, or C_r η_k + D_r η'_k
    if (contacts_.slow_deflection) {
      load -= contacts_.stiffness * eta[at(k)].col(i);
      eta[at(k)].col(i + 1) = response_ * load / T(i + 1);
    } else {
      if (k >= 1) load -= contacts_.damping * (T(i + 1) * eta[at(k - 1)].col(i + 1));
      eta[at(k)].col(i) = response_ * load;
    }
  }

  const EquationForms& forms_;
  const ActingContacts<T>& contacts_;
  int order_, degree_;
  JetSeries<T> mass_, rows_, rate_, force_;
  MatrixX<T> response_;                         ///< C_r⁻¹ (β = 1) or D_r⁻¹ (β = 2)
  std::vector<std::vector<MatrixX<T>>> M_, R_;  ///< M and [E; G_I] of order (k, i)
  SmallLu<T> kkt_;
};

/// Σ c_i s^i.
template <class T>
VectorX<T> horner(const MatrixX<T>& c, const T& s) {
  VectorX<T> sum = c.col(c.cols() - 1);
  for (Index i = c.cols() - 1; i-- > 0;) sum = s * sum + c.col(i);
  return sum;
}

/// The coefficients of the derivative of Σ c_i s^i.
template <class T>
MatrixX<T> slope_of(const MatrixX<T>& c) {
  MatrixX<T> slope = c.rightCols(c.cols() - 1);
  for (Index i = 0; i < slope.cols(); ++i) slope.col(i) *= T(i + 1);
  return slope;
}

/// The largest term of a Taylor polynomial at s.
template <class T>
T largest_term(const MatrixX<T>& c, const T& s) {
  T largest(0), power(1);
  for (Index i = 0; i < c.cols(); ++i, power *= s)
    largest = std::max(largest, T(power * c.col(i).cwiseAbs().maxCoeff()));
  return largest;
}

/// Whether the last two terms of a Taylor polynomial at s are below the round-off of its largest
/// term, or of `least`: coefficients of an order contain the rounding of lower orders.
template <class T>
bool is_resolved(const MatrixX<T>& c, const T& s, const T& least) {
  using std::pow;
  const Index last = std::min(c.cols(), Index{2});
  const T power = pow(s, static_cast<int>(c.cols() - last));
  const T end = power * largest_term<T>(c.rightCols(last), s);
  const T largest = std::max(least, largest_term(c, s));
  return end <= std::numeric_limits<T>::epsilon() / 22 * largest;  // 1e-17 in double
}

}  // namespace

template <class T>
OuterPath<T>::OuterPath(const EquationForms& forms, const ActingContacts<T>& contacts,
                        const StartSeries<T>& start, int order, VectorX<T> internal, double end,
                        const std::function<bool()>& stop_requested)
    : order_(order), end_(end), internal_(std::move(internal)) {
  StartSeries<T> here = start;
  constexpr std::size_t most = 20'000, batch = 200;
  const double least = 1e-12 * std::max(std::abs(end), end - static_cast<double>(start.time(0)));
  while (end - here.time(0) > least || pieces_.empty()) {
    Piece next = piece(forms, contacts, here, end - here.time(0));
    if (stop_requested && stop_requested())
      throw InputError("the caller requested a stop of the expansion");
    if (!(next.length > least) || pieces_.size() == most)
      throw InputError(fmt::format("the outer motion cannot be continued beyond t = {:.6g}",
                                   static_cast<double>(here.time(0))));
    const auto begin = static_cast<double>(here.time(0)), length = static_cast<double>(next.length);
    if ((pieces_.size() + 1) % batch == 0 && !(end - begin < most * length))
      throw InputError(fmt::format(
          "the outer motion is stiff at t = {:.6g}, as of a spring or damper inside the body: "
          "intervals of {:.3g} s are more than {} up to {:.6g}",
          begin, length, most, end));
    here = {.t = {T(next.t + next.length)}, .q = {}, .v = {}, .eta = {}};
    for (int k = 0; k <= order_; ++k) {
      const VectorX<T> x = horner(next.coefficients[static_cast<std::size_t>(k)], next.length);
      here.q.push_back(x.head(forms.nq));
      here.v.push_back(x.segment(forms.nq, forms.n));
      here.eta.push_back(x.tail(contacts.rank()));
    }
    pieces_.push_back(std::move(next));
  }
}

template <class T>
typename OuterPath<T>::Piece OuterPath<T>::piece(const EquationForms& forms,
                                                 const ActingContacts<T>& contacts,
                                                 const StartSeries<T>& start,
                                                 const T& longest) const {
  Jets<T> jets(forms, contacts, order_, start.time(0));
  jets.solve(start);
  // λ_k contains η' of the order k − 1 or k.
  const int back = contacts.slow_deflection ? 0 : 1;
  Piece next{.t = start.time(0), .length = longest, .coefficients = {}};
  T largest[] = {T(0), T(0), T(0)};  // of q, v and λ, up to the order k
  for (int k = 0; k <= order_; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Index degrees = jets.q[at].cols();
    MatrixX<T> force = contacts.force_of_deflection * jets.eta[at].leftCols(degrees - 1);
    if (k == 0) force.col(0) += internal_;
    if (k >= back)
      for (Index i = 0; i < force.cols(); ++i)
        force.col(i) += contacts.force_of_sliding *
                        (T(i + 1) * jets.eta[at - static_cast<std::size_t>(back)].col(i + 1));
    MatrixX<T> all = MatrixX<T>::Zero(forms.nq + forms.n + forms.m + contacts.rank(), degrees);
    all.topRows(forms.nq) = jets.q[at];
    all.middleRows(forms.nq, forms.n) = jets.v[at];
    all.block(forms.nq + forms.n, 0, forms.m, degrees - 1) = force;
    all.bottomRows(contacts.rank()) = jets.eta[at];
    const MatrixX<T>* const parts[] = {&jets.q[at], &jets.v[at], &force};
    for (std::size_t p = 0; p < 3; ++p) {
      while (next.length > 0 && !is_resolved(*parts[p], next.length, largest[p]))
        next.length *= T(0.9);
      largest[p] = std::max(largest[p], largest_term(*parts[p], next.length));
    }
    next.coefficients.push_back(std::move(all));
  }
  return next;
}

template <class T>
const typename OuterPath<T>::Piece& OuterPath<T>::piece_at(const T& t) const {
  auto found = std::ranges::upper_bound(pieces_, t, {}, &Piece::t);
  return found == pieces_.begin() ? *found : *--found;
}

template <class T>
VectorX<T> OuterPath<T>::at(double t, int k) const {
  const Piece& piece = piece_at(t);
  return horner(piece.coefficients[static_cast<std::size_t>(k)], T(T(t) - piece.t));
}

template <class T>
VectorX<T> OuterPath<T>::rate_at(double t, int k) const {
  const Piece& piece = piece_at(t);
  return horner(slope_of(piece.coefficients[static_cast<std::size_t>(k)]), T(T(t) - piece.t));
}

template <class T>
MatrixX<T> OuterPath<T>::expanded(const T& t, int k, int degree) const {
  const Piece& piece = piece_at(t);
  MatrixX<T> c = piece.coefficients[static_cast<std::size_t>(k)];
  const T s = t - piece.t;
  MatrixX<T> taylor = MatrixX<T>::Zero(c.rows(), degree + 1);
  for (int i = 0; i <= degree && c.cols() > 0; ++i) {
    taylor.col(i) = horner(c, s);
    c = slope_of(c) / T(i + 1);
  }
  return taylor;
}

template class OuterPath<double>;
template class OuterPath<Quad>;

}  // namespace rigidlimit
