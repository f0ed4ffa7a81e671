#include "rigidlimit/asymptotics/outer_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/jet_series.hpp"

namespace rigidlimit {
namespace {

constexpr int extra_degree = 24;  // of q_k and v_k of the highest order k

/// The coefficients of one interval.
class Jets {
 public:
  Jets(const EquationForms& forms, const ActingContacts& contacts, int order, double t)
      : forms_(forms),
        contacts_(contacts),
        order_(order),
        degree_(order + extra_degree),
        mass_(forms.mass, order, degree_),
        rows_(forms.rows, order, degree_),
        rate_(forms.rate, order, degree_),
        force_(forms.force, order, degree_),
        compliance_(inverse_of(contacts.stiffness)) {
    force_.input(forms.nq + forms.n, 0, 0) = t;
    force_.input(forms.nq + forms.n, 0, 1) = 1.0;
    M_.resize(at(order) + 1);
    R_.resize(at(order) + 1);
    for (int k = 0; k <= order; ++k) {
      q.emplace_back(MatrixXd::Zero(forms.nq, degree_ - k + 1));
      v.emplace_back(MatrixXd::Zero(forms.n, degree_ - k + 1));
      multipliers.emplace_back(MatrixXd::Zero(forms.ne + contacts.rank(), degree_ - k));
      eta.emplace_back(MatrixXd::Zero(contacts.rank(), degree_ - k));
    }
  }

  void solve(const MatrixXd& q0, const MatrixXd& v0) {
    for (int k = 0; k <= order_; ++k) {
      q[at(k)].col(0) = q0.col(k);
      v[at(k)].col(0) = v0.col(k);
      give_coordinates(k, 0);
      if (k == 0) factorise();
      for (int i = 0; i + k < degree_; ++i) advance(k, i);
    }
  }

  std::vector<MatrixXd> q, v, multipliers, eta;

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
  MatrixXd mass_matrix(int k, int i) const {
    MatrixXd M(forms_.n, forms_.n);
    for (Index j = 0; j < M.size(); ++j) M.reshaped()(j) = mass_.output(j, k, i);
    return M;
  }
  /// [E; G_I].
  MatrixXd independent_rows(int k, int i) const {
    const Index ne = forms_.ne, r = contacts_.rank(), all = ne + forms_.m;
    MatrixXd R(ne + r, forms_.n);
    for (Index j = 0; j < forms_.n; ++j)
      for (Index l = 0; l < ne + r; ++l) {
        const Index place = l < ne ? l : ne + contacts_.rows[static_cast<std::size_t>(l - ne)];
        R(l, j) = rows_.output(j * all + place, k, i);
      }
    return R;
  }
  void factorise() {
    const Index n = forms_.n;
    const MatrixXd &M = M_[0][0], &R = R_[0][0];
    MatrixXd kkt = MatrixXd::Zero(n + R.rows(), n + R.rows());
    kkt.topLeftCorner(n, n) = M;
    kkt.bottomLeftCorner(R.rows(), n) = R;
    kkt.topRightCorner(n, R.rows()) = R.transpose();
    kkt_.compute(kkt);
  }

  /// q_{k,i+1}, v_{k,i+1}, and the multipliers and deflections (k, i).
  void advance(int k, int i) {
    const Index nq = forms_.nq, n = forms_.n, ne = forms_.ne, r = contacts_.rank();
    for (JetSeries* series : {&rate_, &force_}) {
      for (Index j = 0; j < nq; ++j) series->input(j, k, i) = q[at(k)](j, i);
      for (Index j = 0; j < n; ++j) series->input(nq + j, k, i) = v[at(k)](j, i);
      series->advance(k, i);
    }
    for (Index j = 0; j < nq; ++j) q[at(k)](j, i + 1) = rate_.output(j, k, i) / (i + 1);
    give_coordinates(k, i + 1);

    VectorXd right = VectorXd::Zero(n + ne + r);
    for (Index j = 0; j < n; ++j) right(j) = force_.output(j, k, i);
    for (int p = 0; p <= k; ++p)
      for (int j = 0; j <= i + 1; ++j) {
        if (p == 0 && j == 0) continue;
        const MatrixXd& R = R_[at(p)][at(j)];
        right.tail(ne + r).noalias() -= (i + 1) * (R * v[at(k - p)].col(i + 1 - j));
        if (j > i) continue;
        right.head(n).noalias() -= (i - j + 1) * (M_[at(p)][at(j)] * v[at(k - p)].col(i - j + 1));
        right.head(n).noalias() -= R.transpose() * multipliers[at(k - p)].col(i - j);
      }
    if (k >= 2) right.tail(r) += (i + 1.0) * (i + 2.0) * eta[at(k - 2)].col(i + 2);
    const VectorXd x = kkt_.solve(right);
    v[at(k)].col(i + 1) = x.head(n) / (i + 1);
    multipliers[at(k)].col(i) = x.tail(ne + r);
    VectorXd load = x.tail(r);
    if (k >= 1) load -= contacts_.damping * ((i + 1.0) * eta[at(k - 1)].col(i + 1));
    eta[at(k)].col(i) = compliance_ * load;
  }

  const EquationForms& forms_;
  const ActingContacts& contacts_;
  int order_, degree_;
  JetSeries mass_, rows_, rate_, force_;
  MatrixXd compliance_;
  std::vector<std::vector<MatrixXd>> M_, R_;  ///< M and [E; G_I] of order (k, i)
  LuFactors<double> kkt_;
};

/// Σ c_i s^i.
VectorXd horner(const MatrixXd& c, double s) {
  VectorXd sum = c.col(c.cols() - 1);
  for (Index i = c.cols() - 1; i-- > 0;) sum = s * sum + c.col(i);
  return sum;
}

/// Whether the last two terms of a Taylor polynomial at s are below the round-off of its largest.
bool is_resolved(const MatrixXd& c, double s) {
  double largest = 0.0, last = 0.0, power = 1.0;
  for (Index i = 0; i < c.cols(); ++i, power *= s) {
    const double size = power * c.col(i).cwiseAbs().maxCoeff();
    largest = std::max(largest, size);
    if (i + 2 >= c.cols()) last = std::max(last, size);
  }
  return last <= 1e-17 * largest;
}

}  // namespace

OuterPath::OuterPath(const EquationForms& forms, const ActingContacts& contacts, double t0,
                     const MatrixXd& q, const MatrixXd& v, VectorXd internal, double end)
    : order_(static_cast<int>(q.cols()) - 1), internal_(std::move(internal)) {
  MatrixXd at_q = q, at_v = v;
  constexpr std::size_t most = 100'000;
  for (double t = t0; t < end || pieces_.empty();) {
    Piece next = piece(forms, contacts, t, at_q, at_v, end - t);
    if (!(next.length > 1e-12 * std::max(1.0, end - t0)) || pieces_.size() == most)
      throw InputError(fmt::format("the outer motion cannot be continued beyond t = {:.6g}", t));
    for (int k = 0; k <= order_; ++k) {
      const VectorXd x = horner(next.coefficients[static_cast<std::size_t>(k)], next.length);
      at_q.col(k) = x.head(forms.nq);
      at_v.col(k) = x.segment(forms.nq, forms.n);
    }
    t = next.t + next.length;
    pieces_.push_back(std::move(next));
  }
}

OuterPath::Piece OuterPath::piece(const EquationForms& forms, const ActingContacts& contacts,
                                  double t, const MatrixXd& q, const MatrixXd& v,
                                  double longest) const {
  Jets jets(forms, contacts, order_, t);
  jets.solve(q, v);
  Piece next{.t = t, .length = longest, .coefficients = {}};
  for (int k = 0; k <= order_; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Index degrees = jets.q[at].cols();
    MatrixXd force = contacts.force_of_deflection * jets.eta[at];
    if (k == 0) force.col(0) += internal_;
    if (k > 0)
      for (Index i = 0; i < force.cols(); ++i)
        force.col(i) +=
            contacts.force_of_sliding * (static_cast<double>(i + 1) * jets.eta[at - 1].col(i + 1));
    MatrixXd all = MatrixXd::Zero(forms.nq + forms.n + forms.m, degrees);
    all.topRows(forms.nq) = jets.q[at];
    all.middleRows(forms.nq, forms.n) = jets.v[at];
    all.bottomLeftCorner(forms.m, degrees - 1) = force;
    for (const MatrixXd* x :
         std::initializer_list<const MatrixXd*>{&jets.q[at], &jets.v[at], &force})
      while (next.length > 0.0 && !is_resolved(*x, next.length)) next.length *= 0.9;
    next.coefficients.push_back(std::move(all));
  }
  return next;
}

VectorXd OuterPath::at(double t, int k) const {
  auto found = std::ranges::upper_bound(pieces_, t, {}, &Piece::t);
  if (found != pieces_.begin()) --found;
  return horner(found->coefficients[static_cast<std::size_t>(k)], t - found->t);
}

VectorXd OuterPath::start_coefficient(int k, int i) const {
  return pieces_.front().coefficients[static_cast<std::size_t>(k)].col(i);
}

}  // namespace rigidlimit
