#include "rigidlimit/formulations/frictional_jacobian.hpp"

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

/// The terms at (t, y) with (a, κ, p_b) fixed.
struct FrictionalDerivatives::Terms {
  Varied q_rate;                ///< T v
  MatrixX<Directions> rows;     ///< [E; W]
  MatrixX<Directions> normals;  ///< N
  Varied drift, normal_drift;   ///< of [E; W], of N
  Varied p, lambda, eta_rate;
};

void FrictionalDerivatives::prepare(double t, VectorIn y) {
  rate_.balance(t, y);
}

FrictionalDerivatives::Terms FrictionalDerivatives::terms_at(const Directions& t,
                                                             const Varied& y) const {
  const FrictionalShape& s = rate_.shape();
  const Varied q = y.head(s.nq), v = y.segment(s.nq, s.n);
  const Equations<Directions>& equations = rate_.system().smooth.in<Directions>();
  const ContactGeometry<Directions>& geometry = rate_.system().in<Directions>();
  Terms terms;
  terms.q_rate.resize(s.nq);
  terms.rows.resize(s.ne + s.m, s.n);
  terms.normals.resize(s.nc, s.n);
  terms.drift.resize(s.ne + s.m);
  terms.normal_drift.resize(s.nc);
  equations.coordinate_rate(q, v, terms.q_rate);
  equations.constraints(q, terms.rows);
  equations.constraint_drift(q, terms.q_rate, v, terms.drift);
  geometry.normal_rows(q, terms.normals);
  geometry.normal_drift(q, v, terms.normal_drift);
  add_normal_forces(t, y, terms);
  add_friction(y, terms);
  return terms;
}

void FrictionalDerivatives::add_normal_forces(const Directions& t, const Varied& y,
                                              Terms& terms) const {
  const FrictionalShape& s = rate_.shape();
  const Varied q = y.head(s.nq), v = y.segment(s.nq, s.n);
  const Equations<Directions>& equations = rate_.system().smooth.in<Directions>();
  Varied given(s.nc);
  rate_.system().in<Directions>().normal_force(q, v, t, given);
  terms.p = as_constants<Directions>(rate_.normal_forces());
  for (Index i = 0; i < s.nc; ++i) {
    const CompliantContact& c = rate_.contacts()[static_cast<std::size_t>(i)];
    if (c.normal == Normal::given) terms.p(i) = given(i);
    if (c.unilateral < 0) continue;
    const Directions gamma = y(s.gap_at() + c.unilateral), h = y(s.gap_rate_at() + c.unilateral);
    if (!(gamma < Directions(c.open_above))) continue;
    const VectorXd& response = rate_.response(i);
    const Varied z = as_constants<Directions>(VectorXd(response.head(s.n)));
    Varied inertia(s.n);
    equations.inertia_force(q, z, inertia);
    Directions mobility = 2.0 * terms.normals.row(i).transpose().dot(z) - z.dot(inertia);
    for (Index k = 0, b = 0; k < response.size() - s.n; ++k) {
      if (k >= s.ne)
        while (rate_.contacts()[static_cast<std::size_t>(b)].bilateral != k - s.ne) ++b;
      const Varied row = k < s.ne ? terms.rows.row(k) : terms.normals.row(b);
      mobility -= 2.0 * response(s.n + k) * row.dot(z);
    }
    terms.p(i) = unilateral_force<Directions>(c, gamma, h, 1.0 / mobility);
  }
}

void FrictionalDerivatives::add_friction(const Varied& y, Terms& terms) const {
  const FrictionalShape& s = rate_.shape();
  terms.lambda.resize(s.m);
  terms.eta_rate.resize(s.springs);
  for (const CompliantContact& c : rate_.contacts()) {
    const Index i = &c - rate_.contacts().data(), at = s.springs > 0 ? c.first : 0;
    const Index stored = s.springs > 0 ? c.components : 0;
    friction_force<Directions>(c, terms.p(i), y.segment(s.deflection_at() + at, stored),
                               y.segment(s.sliding_at() + c.first, c.components),
                               terms.lambda.segment(c.first, c.components),
                               terms.eta_rate.segment(at, stored));
  }
}

Columns FrictionalDerivatives::unbalanced(const Directions& t, const Varied& y,
                                          const Terms& terms) const {
  const FrictionalShape& s = rate_.shape();
  const Varied q = y.head(s.nq), v = y.segment(s.nq, s.n);
  const Varied x = as_constants<Directions>(rate_.accelerations());
  const Varied a = x.head(s.n), kappa = x.segment(s.n, s.ne);
  const Equations<Directions>& equations = rate_.system().smooth.in<Directions>();
  Varied left(x.size()), inertia(s.n), gap(s.nc);
  equations.force(q, v, t, left.head(s.n));
  equations.inertia_force(q, a, inertia);
  left.head(s.n) -= inertia;
  left.head(s.n) -= terms.rows.topRows(s.ne).transpose().lazyProduct(kappa);
  left.head(s.n) -= terms.rows.bottomRows(s.m).transpose().lazyProduct(terms.lambda);
  left.head(s.n) += terms.normals.transpose().lazyProduct(terms.p);
  constexpr double k = exact_constraint_recovery;
  const auto E = terms.rows.topRows(s.ne);
  left.segment(s.n, s.ne) = -terms.drift.head(s.ne) - k * E.lazyProduct(v) - E.lazyProduct(a);
  if (s.bilateral > 0) rate_.system().in<Directions>().gap(q, gap);
  for (Index i = 0; i < s.nc; ++i) {
    const Index b = rate_.contacts()[static_cast<std::size_t>(i)].bilateral;
    if (b < 0) continue;
    const Varied row = terms.normals.row(i);
    left(s.n + s.ne + b) =
        -terms.normal_drift(i) - 2.0 * k * row.dot(v) - k * k * gap(i) - row.dot(a);
  }
  return derivatives(left);
}

Columns FrictionalDerivatives::solve(const Columns& unbalanced, Terms& terms) const {
  const FrictionalShape& s = rate_.shape();
  MatrixXd change = rate_.inertia().solve_whole(unbalanced);
  if (s.bilateral == 0) return change;
  const MatrixXd& X = rate_.friction_response();
  const MatrixXd& L = rate_.friction_slope();
  const MatrixXd J = MatrixXd::Identity(s.bilateral, s.bilateral) - X.bottomRows(s.bilateral) * L;
  const MatrixXd force_change =
      L * LuFactors<double>(J).solve(MatrixXd(-change.bottomRows(s.bilateral)));
  change -= X * force_change;
  for (const CompliantContact& c : rate_.contacts()) {
    if (c.bilateral < 0 || s.springs == 0) continue;
    for (Index i = c.first; i < c.first + c.components; ++i)
      for (int k = 0; k < directions; ++k)
        terms.eta_rate(i).derivative[static_cast<std::size_t>(k)] +=
            force_change(i, k) / (c.damping * c.deflection_scale);
  }
  return change;
}

Columns FrictionalDerivatives::columns(const Directions& t, const Varied& y) const {
  const FrictionalShape& s = rate_.shape();
  const FrictionalSystem& system = rate_.system();
  const Varied q = y.head(s.nq), v = y.segment(s.nq, s.n);
  Terms terms = terms_at(t, y);
  const Columns change = solve(unbalanced(t, y, terms), terms);
  const Varied a =
      with_derivatives(VectorXd(rate_.accelerations().head(s.n)), Columns(change.topRows(s.n)));
  Varied f(s.size());
  f.head(s.nq) = terms.q_rate;
  if (system.smooth.ni > 0) {
    Varied restoring(s.nq);
    system.smooth.in<Directions>().restoring_rate(q, restoring);
    f.head(s.nq) += restoring;
  }
  constexpr double k = exact_constraint_recovery;
  const auto W = terms.rows.bottomRows(s.m);
  f.segment(s.nq, s.n) = a;
  f.segment(s.deflection_at(), s.springs) = terms.eta_rate;
  f.segment(s.sliding_at(), s.m) = W.lazyProduct(a) + terms.drift.tail(s.m) +
                                   k * (W.lazyProduct(v) - y.segment(s.sliding_at(), s.m));
  for (Index i = 0; i < s.nc; ++i) {
    const Index u = rate_.contacts()[static_cast<std::size_t>(i)].unilateral;
    if (u < 0) continue;
    const Varied row = terms.normals.row(i);
    const Directions h = y(s.gap_rate_at() + u);
    f(s.gap_at() + u) = h / rate_.epsilon();
    f(s.gap_rate_at() + u) = row.dot(a) + terms.normal_drift(i) + k * (row.dot(v) - h);
  }
  return derivatives(f);
}

}  // namespace rigidlimit
