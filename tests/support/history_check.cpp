#include "support/history_check.hpp"

#include <algorithm>
#include <cmath>

#include "support/central_difference.hpp"

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit::test {

namespace {

constexpr double step = 1.0 / 4096.0;  // of the differences, which reach 12 steps
constexpr double rest = 1e-12;         // m/s
constexpr double reach = 12.5 / 4096.0;

struct Terms {
  MatrixXd M, rows, N;
  VectorXd F, q_rate, gap;
};

Terms terms_at(const FrictionalSystem& system, const VectorXd& q, const VectorXd& v, double t) {
  const System& s = system.smooth;
  Terms terms{
      MatrixXd(s.n, s.n), MatrixXd(s.ne + s.m, s.n), MatrixXd(system.nc(), s.n), VectorXd(s.n),
      VectorXd(s.nq),     VectorXd(system.nc())};
  s.in<double>().mass_matrix(q, terms.M);
  s.in<double>().constraints(q, terms.rows);
  s.in<double>().force(q, v, t, terms.F);
  s.in<double>().coordinate_rate(q, v, terms.q_rate);
  system.geometry->normal_rows(q, terms.N);
  system.geometry->gap(q, terms.gap);
  return terms;
}

double over(double what, double explained) {
  return std::abs(what) / explained;
}

/// The residuals of Signorini's and Coulomb's laws for one contact.
void judge_contact(const FrictionalSystem& judge, const Terms& at, const VectorXd& w,
                   const VectorXd& forces, Index i, HistoryDefect& defect) {
  const ContactPoint& contact = judge.contacts[static_cast<std::size_t>(i)];
  const double p = forces(judge.smooth.m + i), tiny = 256.0 * unit_roundoff;
  const double gap = contact.normal == Normal::given ? 0.0 : at.gap(i);
  double open = std::abs(gap);
  if (contact.normal == Normal::unilateral)
    open = std::max({-gap, -p, std::min(std::abs(gap), std::abs(p))});
  defect.closed = std::max(defect.closed, open / tiny);

  const VectorXd lambda = forces.segment(contact.first, contact.components);
  const VectorXd sliding = w.segment(contact.first, contact.components);
  const double limit = contact.friction * std::abs(p), scale = tiny * (1.0 + limit);
  defect.friction = std::max(defect.friction, (lambda.norm() - limit) / scale);
  if (sliding.norm() > rest)
    // The direction of w has the error rest/|w|.
    defect.friction = std::max(defect.friction, (lambda - limit / sliding.norm() * sliding).norm() /
                                                    (scale + 1e-3 * rest * limit / sliding.norm()));
}

}  // namespace

double HistoryDefect::worst() const {
  return std::max({rate, balance, closed, friction});
}

HistoryDefect history_defect(const FrictionalSystem& closed, const FrictionalSystem& judge,
                             const InitialState& start, double t) {
  const auto state = [&](double time) -> VectorXd {
    const Motion motion = closed.closed_history(start, {time}).value().motion;
    VectorXd y(motion.q.rows() + motion.v.rows());
    y << motion.q, motion.v;
    return y;
  };
  const NumericalDerivative numerical = central_difference(state, t, step);
  const Motion motion = closed.closed_history(start, {t}).value().motion;
  const VectorXd q = motion.q.col(0), v = motion.v.col(0), forces = motion.lambda.col(0);
  const System& s = judge.smooth;
  const Terms at = terms_at(judge, q, v, t);
  const VectorXd v_rate = numerical.value.col(0).tail(s.n);
  const MatrixXd W = at.rows.bottomRows(s.m), E = at.rows.topRows(s.ne);

  // A given normal force is absent from the equations: the contact's guide carries it.
  VectorXd pushing = forces.tail(judge.nc());
  for (Index i = 0; i < judge.nc(); ++i)
    if (judge.contacts[static_cast<std::size_t>(i)].normal == Normal::given) pushing(i) = 0.0;
  const VectorXd friction = W.transpose() * forces.head(s.m);
  VectorXd left = at.M * v_rate - at.F - at.N.transpose() * pushing + friction;
  if (s.ne > 0) left -= E.transpose() * least_squares(E.transpose(), left);
  const double mass_norm = at.M.cwiseAbs().rowwise().sum().maxCoeff();
  const double sizes = mass_norm * v_rate.cwiseAbs().maxCoeff() + at.F.cwiseAbs().maxCoeff() +
                       forces.cwiseAbs().maxCoeff();
  const double projected = std::sqrt(static_cast<double>(s.n));  // max norm of the projection

  HistoryDefect defect;
  defect.rate =
      over((numerical.value.col(0).head(s.nq) - at.q_rate).cwiseAbs().maxCoeff(), numerical.bound);
  defect.balance = over(left.cwiseAbs().maxCoeff(),
                        projected * (mass_norm * numerical.bound + 64.0 * unit_roundoff * sizes));
  if (s.ne > 0)
    defect.closed = over((E * v - s.exact_rates()).cwiseAbs().maxCoeff(),
                         64.0 * unit_roundoff * (1.0 + v.cwiseAbs().maxCoeff()));
  const VectorXd w = W * v;
  for (Index i = 0; i < judge.nc(); ++i) judge_contact(judge, at, w, forces, i, defect);
  return defect;
}

double worst_defect(const FrictionalSystem& closed, const FrictionalSystem& judge,
                    const InitialState& start, double last) {
  std::vector<double> ends{0.0};
  const KnownHistory history = closed.closed_history(start, {last}).value();
  ends.insert(ends.end(), history.event_times.begin(), history.event_times.end());
  ends.push_back(last);
  double worst = 0.0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    if (ends[i + 1] - ends[i] < 0.01) continue;
    for (double t : {ends[i] + reach, 0.5 * (ends[i] + ends[i + 1]), ends[i + 1] - reach})
      worst = std::max(worst, history_defect(closed, judge, start, t).worst());
  }
  return worst;
}

double worst_jump(const FrictionalSystem& system, const InitialState& start, double last) {
  const KnownHistory history = system.closed_history(start, {last}).value();
  double worst = 0.0;
  for (double t : history.event_times) {
    const double beside = 1e-13 * (1.0 + t);
    if (t < beside) continue;
    const Motion motion = system.closed_history(start, {t - beside, t + beside}).value().motion;
    const VectorXd q = motion.q.col(0), v = motion.v.col(1);
    const Terms at = terms_at(system, q, v, t);
    MatrixXd rows(at.rows.rows() + at.N.rows(), at.rows.cols());
    rows << at.rows, at.N;
    VectorXd left = at.M * (v - motion.v.col(0));
    left -= rows.transpose() * least_squares(rows.transpose(), left);
    const double momentum = (at.M * motion.v).cwiseAbs().maxCoeff();
    worst = std::max(
        {worst, left.cwiseAbs().maxCoeff() / (1e-11 * (1.0 + momentum)),
         (motion.q.col(1) - q).cwiseAbs().maxCoeff() / (1e-11 * (1.0 + q.cwiseAbs().maxCoeff()))});
  }
  return worst;
}

}  // namespace rigidlimit::test
