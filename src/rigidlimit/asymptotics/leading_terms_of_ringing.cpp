#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/asymptotics/leading_terms.hpp"
#include "rigidlimit/asymptotics/series_expansion.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/interpolation.hpp"
#include "rigidlimit/core/lazy.hpp"
#include "rigidlimit/core/stop_request.hpp"
#include "rigidlimit/core/tape/jet_series.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/tangent_system.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {
namespace {

/// The terms of the ringing at one state of the rigid motion.
struct RingingNow {
  double A;             ///< G M⁻¹ Gᵀ
  double growth;        ///< α
  VectorXd r, Tr;       ///< W A⁻¹ (n), T r (nq)
  VectorXd mean_force;  ///< over a²: n
};

class RingingContact {
 public:
  RingingContact(const System& system, double stiffness)
      : system_(system), forms_(system), stiffness_(stiffness) {}

  RingingNow at(double t, const VectorXd& q, const VectorXd& v) const {
    const Index n = system_.n;
    RingingNow found;
    const VectorXd W = velocity_of_impulse(system_, q).col(0);
    found.A = delassus(system_, q)(0, 0);
    found.r = W / found.A;
    VectorXd q_rate(system_.nq);
    found.Tr.resize(system_.nq);
    system_.in<double>().coordinate_rate(q, found.r, found.Tr);
    system_.in<double>().coordinate_rate(q, v, q_rate);
    // F along v + s r, and M and G along q + s T r: Taylor coefficients.
    JetSeries<double> force(forms_.force, 0, 2), mass(forms_.mass, 0, 1), rows(forms_.rows, 0, 1),
        rows_ahead(forms_.rows, 0, 1);
    for (int i = 0; i <= 2; ++i) {
      for (Index j = 0; j < system_.nq; ++j) force.input(j, 0, i) = i == 0 ? q(j) : 0.0;
      for (Index j = 0; j < n; ++j)
        force.input(system_.nq + j, 0, i) = i == 0 ? v(j) : i == 1 ? found.r(j) : 0.0;
      force.input(system_.nq + n, 0, i) = i == 0 ? t : 0.0;
      force.advance(0, i);
    }
    for (int i = 0; i <= 1; ++i) {
      for (Index j = 0; j < system_.nq; ++j) {
        mass.input(j, 0, i) = rows.input(j, 0, i) = i == 0 ? q(j) : found.Tr(j);
        rows_ahead.input(j, 0, i) = i == 0 ? q(j) : q_rate(j);
      }
      mass.advance(0, i);
      rows.advance(0, i);
      rows_ahead.advance(0, i);
    }
    VectorXd slope(n), bend(n), G(n), turned(n), ahead(n);
    MatrixXd mass_slope(n, n);
    for (Index j = 0; j < n; ++j) {
      slope(j) = force.output(j, 0, 1);
      bend(j) = force.output(j, 0, 2);  // ½ ∂²F/∂v² [r, r]
      G(j) = rows.output(j, 0, 0);
      turned(j) = rows.output(j, 0, 1);
      ahead(j) = rows_ahead.output(j, 0, 1);
    }
    for (Index j = 0; j < n * n; ++j) mass_slope.reshaped()(j) = mass.output(j, 0, 1);
    // w' = G v' + (∂q G[T v]) v, with M v' = F − Gᵀλ; G M⁻¹ x = Wᵀ x.
    found.growth = W.dot(slope) + turned.dot(v) + ahead.dot(found.r);
    found.mean_force =
        0.5 * found.A * stiffness_ * bend + 0.5 * stiffness_ * (mass_slope * W - turned);
    return found;
  }

 private:
  const System& system_;
  EquationForms forms_;
  double stiffness_;
};

class RingingTerms final : public LeadingTerms {
 public:
  explicit RingingTerms(const CompliantStart& start)
      : system_(start.system),
        lift_(tangent_of(start.system)),
        start_(start.state),
        series_(start.system, start.state, damped(start.law), start.eta0, 2, start.end),
        contact_(system_, start.law.stiffness(0, 0)),
        stiffness_(start.law.stiffness(0, 0)),
        damping_(start.law.damping(0, 0)),
        end_(start.end),
        stop_requested_(start.stop_requested) {
    if (series_.slides() || !start.crossings.empty())
      throw InputError("the terms of a ringing contact need a start that rolls, and no switch");
    missing_load_ = series_.outer(start.state.t, 0).tail(1)(0) - start.eta0(0);
    if (!(stiffness_ * std::abs(missing_load_) > 1e-10 * series_.outer_size(0).lambda))
      throw InputError("the terms of a ringing contact need a spring that is not prepared");
    first_ = contact_.at(start.state.t, start.state.q, start.state.v).A;
  }

  Motion at(double epsilon, const std::vector<double>& times, double) const override {
    if (!(epsilon > 0.0) || std::isinf(epsilon)) throw InputError("epsilon must be > 0 and finite");
    const MatrixXd slow = slow_motion(times);
    const Index nq = system_.nq, n = system_.n, count = std::ssize(times);
    Motion terms{.times = times,
                 .q = MatrixXd(nq, count),
                 .v = MatrixXd(n, count),
                 .lambda = MatrixXd(1, count),
                 .gap = MatrixXd(system_.np, count)};
    for (Index i = 0; i < count; ++i) {
      const double t = times[static_cast<std::size_t>(i)];
      const VectorXd y = slow.col(i);
      const RingingNow here = contact_.at(t, y.head(nq), y.segment(2 * nq, n));
      const double amplitude =
          -missing_load_ * std::pow(first_ / here.A, 0.25) * std::exp(y(y.size() - 1));
      const double phase = y(y.size() - 2) / epsilon;
      const double eta = amplitude * std::cos(phase),
                   rate = -amplitude * std::sqrt(here.A * stiffness_) * std::sin(phase);
      const VectorXd q2 = series_.outer(t, 2).head(nq) + y.segment(nq, nq);
      terms.q.col(i) = epsilon * epsilon * (q2 + eta * here.Tr);
      terms.v.col(i) = epsilon * rate * here.r;
      terms.lambda(0, i) = stiffness_ * eta;
      terms.gap.col(i) = epsilon * epsilon * (series_.outer_gap(t, 2).array() + eta).matrix();
    }
    return terms;
  }
  Motion known(double epsilon, const std::vector<double>& times) const override {
    return at(epsilon, times, 0.0);
  }
  LeadingOrders sup_orders(double) const override {
    return {.q = 2.0, .v = 1.0, .lambda = 0.0, .gap = 2.0};
  }
  LeadingOrders l2_orders(double from) const override { return sup_orders(from); }
  double layer_share(double) const override { return 0.0; }

 private:
  /// q₂ and v₂ of β = 1 do not depend on D.
  static ViscoelasticLaw damped(ViscoelasticLaw law) {
    if (law.stiffness.rows() != 1)
      throw InputError("the terms of a ringing contact need one contact component");
    law.damping.setOnes();
    law.damping_exponent = 1.0;
    return law;
  }

  /// (q̂, δq, v̂, δv, φ, ½ ∫ (α − A D)), δ the effect of the mean force on q₂ and v₂. It does not
  /// depend on ε: it is solved once, and interpolated.
  MatrixXd slow_motion(const std::vector<double>& times) const {
    const Solution& nodes = slow_.made([this] { return interpolable_motion(); });
    return Interpolation(nodes.times, times)(nodes.states);
  }

  /// On nodes at equal distances so dense that every second one interpolates each component to
  /// 1e-11 of its size.
  Solution interpolable_motion() const {
    constexpr std::size_t first = 512, most = 65536;
    for (std::size_t pieces = first; pieces <= most; pieces *= 2) {
      Solution slow = solved_motion(nodes(pieces));
      const VectorXd error = distance_from_half(slow.states, slow.times);
      if ((error.array() <= 1e-11 * sizes_of(slow).array()).all()) return slow;
    }
    throw InputError("the slow motion of the ringing contact is too fast to interpolate");
  }

  /// Sizes of the rows of the slow motion. A correction δ counts as at least a thousandth of the
  /// largest coordinate or velocity, and ½ ∫ (α − A D), an exponent, as at least 1: a row that is
  /// zero holds rounding alone.
  VectorXd sizes_of(const Solution& slow) const {
    const Index nq = system_.nq, n = system_.n;
    VectorXd size = slow.states.cwiseAbs().rowwise().maxCoeff();
    const double largest_q = size.head(nq).maxCoeff(),
                 largest_v = size.segment(2 * nq, n).maxCoeff();
    size.segment(nq, nq) = size.segment(nq, nq).cwiseMax(1e-3 * largest_q);
    size.segment(2 * nq + n, n) = size.segment(2 * nq + n, n).cwiseMax(1e-3 * largest_v);
    size(size.size() - 1) = std::max(size(size.size() - 1), 1.0);
    return size;
  }

  std::vector<double> nodes(std::size_t pieces) const {
    std::vector<double> times(pieces + 1, end_);
    for (std::size_t k = 0; k < pieces; ++k)
      times[k] =
          start_.t + (end_ - start_.t) * static_cast<double>(k) / static_cast<double>(pieces);
    return times;
  }

  Solution solved_motion(const std::vector<double>& times) const {
    const Index nq = system_.nq, n = system_.n;
    OdeProblem ode;
    ode.name = "slow motion of a ringing contact";
    ode.t0 = start_.t;
    ode.y0 = VectorXd::Zero(2 * (nq + n) + 2);
    ode.y0.head(nq) = start_.q;
    ode.y0.segment(2 * nq, n) = start_.v;
    const ContactBasis contacts = contact_basis(lift_, ode.y0.head(2 * nq));
    ode.rhs = [this, nq, n, contacts](double t, VectorIn y, VectorOut f) {
      const VectorXd q = y.head(2 * nq), v = y.segment(2 * nq, 2 * n);
      lift_.in<double>().coordinate_rate(q, v, f.head(2 * nq));
      const auto lifted = solve_kkt<double>(lift_, contacts, q, v, t);
      const RingingNow here = contact_.at(t, q.head(nq), v.head(n));
      const double growth = 0.5 * (here.growth - here.A * damping_);
      const double square = missing_load_ * missing_load_ * std::sqrt(first_ / here.A) *
                            std::exp(2.0 * y(y.size() - 1));
      f.segment(2 * nq, 2 * n) = lifted.acceleration;
      f.segment(2 * nq + n, n) += square * rolling_acceleration(q.head(nq), here.mean_force);
      f(f.size() - 2) = std::sqrt(here.A * stiffness_);
      f(f.size() - 1) = growth;
    };
    SolveOptions tight;
    tight.rtol = 1e-12;
    tight.atol = 1e-13;
    tight.stop_requested = stop_requested_;
    Solution solution = find_ode_method("runge_kutta_fehlberg78")->solve(ode, times, tight);
    if (solution.outcome == Outcome::interrupted) throw Stopped();
    if (solution.outcome != Outcome::success)
      throw InputError("the slow motion of the ringing contact is not solved: " + solution.message);
    return solution;
  }

  /// M⁻¹ (f − Gᵀ A⁻¹ Wᵀ f): of a force that the rigid constraint resists.
  VectorXd rolling_acceleration(const VectorXd& q, const VectorXd& force) const {
    const VectorXd W = velocity_of_impulse(system_, q).col(0);
    Inertia<double> inertia;
    inertia.compute(system_, q);
    const VectorXd a = inertia.solve(force);
    return a - W * (W.dot(force) / delassus(system_, q)(0, 0));
  }

  System system_, lift_;
  InitialState start_;
  SeriesExpansion<double> series_;
  RingingContact contact_;
  double stiffness_, damping_, missing_load_ = 0.0, first_ = 0.0;
  double end_;
  std::function<bool()> stop_requested_;
  Lazy<Solution> slow_;
};

}  // namespace

std::unique_ptr<LeadingTerms> leading_terms_of_ringing(const CompliantStart& start) {
  if (start.system.ne > 0 || start.system.m != 1)
    throw InputError("the terms of a ringing contact need one contact component, no exact rows");
  return std::make_unique<RingingTerms>(start);
}

}  // namespace rigidlimit
