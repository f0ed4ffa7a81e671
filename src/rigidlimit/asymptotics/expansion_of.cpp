#include "rigidlimit/asymptotics/expansion_of.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "rigidlimit/asymptotics/contact_series.hpp"
#include "rigidlimit/asymptotics/layer.hpp"
#include "rigidlimit/asymptotics/rigid_flow.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"
#include "rigidlimit/mechanics/tangent_system.hpp"

namespace rigidlimit {
namespace {

void require_law(const ViscoelasticLaw& law, const VectorXd& eta0, Index m) {
  require_expandable(law, m);
  if (eta0.size() != m || !eta0.allFinite())
    throw InputError(
        fmt::format("the system has {} contact components, but deflection {} with the sum {}", m,
                    eta0.size(), eta0.sum()));
}

void require_consistent(const System& system, const InitialState& start) {
  const double sliding = sliding_velocity(system, start).norm();
  const double exact = exact_velocity(system, start).norm(), speed = start.v.norm();
  if (!(sliding <= 1e-10 * (1.0 + speed)))
    throw InputError(fmt::format(
        "the expansion needs a consistent initial velocity; here |G v| = {:.6g}", sliding));
  if (!(exact <= 1e-10 * (1.0 + speed)))
    throw InputError(fmt::format(
        "the expansion needs a consistent initial velocity; here |E v| = {:.6g}", exact));
  VectorXd e(system.ni);
  system.in<double>().invariants(start.q, e);
  if (!(e.norm() <= 1e-10 * (1.0 + start.q.norm())))
    throw InputError(fmt::format(
        "the expansion needs a start with zero invariants; here |e(q)| = {:.6g}", e.norm()));
}

void require_acting_contacts(const System& system, const MatrixXd& delassus) {
  if (delassus.size() == 0)
    throw InputError("the expansion needs an acting contact; here G v is zero for every velocity");
  VectorXd spectrum = symmetric_eigenvalues(delassus);
  if (has_lifted_mass(*system.recorded)) spectrum = spectrum.cwiseAbs().eval();  // indefinite
  if (!(spectrum.minCoeff() > 1e-18 * spectrum.maxCoeff()))
    throw InputError(fmt::format(
        "the Delassus matrix of the independent contacts has the eigenvalues {:.6g} to {:.6g}",
        spectrum.minCoeff(), spectrum.maxCoeff()));
}

/// C_r⁻¹μ(0) − η_I(0), and exactly 0 where |C_r e₀| ≤ 1e-10 (1 + |μ(0)|).
VectorXd missing_load(const MatrixXd& stiffness, const VectorXd& multiplier, const VectorXd& load) {
  const VectorXd missing_force = multiplier - load;
  // A spring prepared with Λ(0) from another computation differs by its round-off. Dropping it
  // changes λ by 1e-10 of its size.
  if (missing_force.norm() <= 1e-10 * (1.0 + multiplier.norm()))
    return VectorXd::Zero(multiplier.size());
  return symmetric_solve(stiffness, missing_force);
}

/// Map from the forces of the r independent contacts to those of all m contacts.
struct ContactMap {
  ContactMap(const ContactBasis& basis, const ViscoelasticLaw& law)
      : force_of_deflection(law.stiffness * basis.combination),
        force_of_sliding(law.damping * basis.combination),
        stiffness(basis.combination.transpose() * force_of_deflection),
        damping(basis.combination.transpose() * force_of_sliding),
        compliance(inverse_of(stiffness)),
        distribution(force_of_deflection * compliance),
        internal(force_of_sliding - distribution * damping) {
    // Hᵀ `internal` = 0 always; below the round-off of its terms the matrix is 0.
    const bool none = internal.norm() <= 1e-12 * force_of_sliding.norm();
    if (!basis.redundant() || none) internal.setZero();
  }

  MatrixXd force_of_deflection;  ///< C H, m × r
  MatrixXd force_of_sliding;     ///< D H, m × r
  MatrixXd stiffness;            ///< C_r, r × r
  MatrixXd damping;              ///< D_r, r × r
  MatrixXd compliance;           ///< C_r⁻¹
  MatrixXd distribution;         ///< L = C H C_r⁻¹, m × r: Λ = L μ
  MatrixXd internal;             ///< B = D H − L D_r, m × r
};

/// The rigid DAE linearised about its motion, with the velocity constraints
///
///   E v₂ + (∂q E[q₂]) v̂ = 0,   G_I v₂ + (∂q G_I[q₂]) v̂ = C_r⁻¹ dμ/dt
///
/// differentiated once, as an ODE in y = (q̂, v̂, q₂, v₂). Both q̂ and q₂ include the restoring
/// rate of the invariants, q₂ its variation. The rates vanish where e(q̂) = 0 and ∂e/∂q q₂ = 0, as
/// for the exact solution, and damp the drift of a solver, as in every formulation.
class OuterEquations {
 public:
  OuterEquations(System system, ContactBasis basis, ContactMap map)
      : system_(std::move(system)), basis_(std::move(basis)), map_(std::move(map)) {}

  void rate(double t, VectorIn y, VectorOut f) const {
    const Index nq = system_.nq, n = system_.n;
    const Parts at(y, nq, n);
    const RigidInstant instant(system_, basis_, t, at.q, at.v);
    f.head(nq) = instant.coordinate_velocity();
    f.segment(nq + n, nq) = system_.tapes->along().coordinate_rate_change(at.q, at.v, at.q2, at.v2);
    if (system_.ni > 0) {
      VectorXd restoring(nq);
      system_.in<double>().restoring_rate(at.q, restoring);
      f.head(nq) += restoring;
      f.segment(nq + n, nq) += system_.tapes->along().restoring_rate_change(at.q, at.q2);
    }
    f.segment(nq, n) = instant.acceleration();
    f.tail(n) = variation(instant, at).head(n);
  }

  /// B C_r⁻¹ μ': the damper force of w_I = ε² C_r⁻¹μ' + … that the springs do not balance.
  VectorXd lambda1(double t, VectorIn y) const {
    const Parts at(y, system_.nq, system_.n);
    const RigidInstant instant(system_, basis_, t, at.q, at.v);
    return map_.internal * (map_.compliance * instant.multiplier_rate());
  }

  /// L μ₂ − B C_r⁻¹ D_r C_r⁻¹ μ'': w_I = ε² C_r⁻¹μ' − ε³ C_r⁻¹ D_r C_r⁻¹ μ'' + ….
  VectorXd lambda2(double t, VectorIn y) const {
    const Parts at(y, system_.nq, system_.n);
    const RigidInstant instant(system_, basis_, t, at.q, at.v);
    const VectorXd bend = map_.compliance * instant.multiplier_second_rate();
    const VectorXd mu2 = instant.variation(at.q2, at.v2, bend).tail(basis_.rank());
    return map_.distribution * mu2 - map_.internal * (map_.compliance * (map_.damping * bend));
  }

 private:
  struct Parts {
    Parts(VectorIn y, Index nq, Index n)
        : q(y.head(nq)), v(y.segment(nq, n)), q2(y.segment(nq + n, nq)), v2(y.tail(n)) {}
    VectorXd q, v, q2, v2;
  };

  VectorXd variation(const RigidInstant& instant, const Parts& at) const {
    return instant.variation(at.q2, at.v2, map_.compliance * instant.multiplier_second_rate());
  }

  System system_;
  ContactBasis basis_;
  ContactMap map_;
};

/// (q̂, v̂, q₂, v₂) at t = 0, R = [E; G_I]. From the velocity jump s with E s = 0, G_I s = e₀ by
/// impulses −ν of the rows, M s + Rᵀν = 0 (without exact rows s = M⁻¹Gᵀp₀, ν = −p₀, A p₀ = e₀),
///
///   q₂ = T s,   E v₂ = −(∂q E[q₂]) v̂,   G_I v₂ = C_r⁻¹μ' − (∂q G_I[q₂]) v̂,
///   M v₂ = (∂F/∂v) s + d/dt (M s + Rᵀν | s, ν fixed)   up to impulses of the rows.
///
/// This is docs/theory.md, section 3, for the motion on ker E: with Z a basis of ker E, v = Z u and
/// the mass matrix ZᵀMZ, the contributions of Z' to the force and to M v₂ cancel.
VectorXd outer_start(const System& system, const ContactBasis& basis, const InitialState& start,
                     const RigidInstant& instant, const VectorXd& e0,
                     const VectorXd& sliding_rate) {
  const Index n = system.n, ne = system.ne, r = basis.rank();
  VectorXd rates = VectorXd::Zero(ne + r);
  rates.tail(r) = e0;
  const VectorXd jump = instant.velocity_with(VectorXd::Zero(n), rates);
  const VectorXd s = jump.head(n);
  VectorXd q2(system.nq), turned(ne + system.m);
  system.in<double>().coordinate_rate(start.q, s, q2);
  system.in<double>().constraint_drift(start.q, q2, start.v, turned);
  rates = -independent_entries<double>(system, basis, turned);
  rates.tail(r) += sliding_rate;
  const VectorXd momentum = instant.momentum_rate(s, jump.tail(ne + r));

  VectorXd y(2 * (system.nq + n));
  y << start.q, start.v, q2, instant.velocity_with(momentum, rates).head(n);
  return y;
}

void set_outer_problem(const System& system, const ContactBasis& basis, const ContactMap& map,
                       Expansion& expansion) {
  const auto equations = std::make_shared<const OuterEquations>(system, basis, map);
  expansion.outer.name = "outer expansion in (q, v, q2, v2)";
  expansion.outer.rhs = [equations](double t, VectorIn y, VectorOut f) {
    equations->rate(t, y, f);
  };
  if ((map.internal.array() != 0.0).any())
    expansion.lambda1 = [equations](double t, VectorIn y) { return equations->lambda1(t, y); };
  expansion.lambda2 = [equations](double t, VectorIn y) { return equations->lambda2(t, y); };
}

/// The data of an expansion that depend only on the start of its layer, without the missing load
/// and the outer motion.
Expansion layer_data(const System& system, const ContactBasis& basis, const ContactMap& map,
                     const InitialState& at) {
  const MatrixXd A = delassus(system, at.q)(basis.rows, basis.rows);
  require_acting_contacts(system, A);
  Expansion expansion;
  expansion.coordinates = system.nq;
  expansion.velocities = system.n;
  expansion.contacts = system.m;
  expansion.delassus = A;
  expansion.stiffness = map.stiffness;
  expansion.damping = map.damping;
  expansion.force_of_deflection = map.force_of_deflection;
  expansion.force_of_sliding = map.force_of_sliding;
  expansion.velocity_of_impulse = velocity_of_impulse(system, at.q)(Eigen::all, basis.rows);
  expansion.coordinate_of_impulse.resize(system.nq, basis.rank());
  for (Index i = 0; i < basis.rank(); ++i)
    system.in<double>().coordinate_rate(at.q, expansion.velocity_of_impulse.col(i),
                                        expansion.coordinate_of_impulse.col(i));
  set_outer_problem(system, basis, map, expansion);
  expansion.outer.t0 = at.t;
  return expansion;
}

/// Throws on overflow: the expansion contains powers of the parameters that the motion does not.
void require_finite(const Expansion& expansion) {
  const bool finite = expansion.delassus.allFinite() && expansion.velocity_of_impulse.allFinite() &&
                      expansion.coordinate_of_impulse.allFinite() &&
                      expansion.multiplier.allFinite() && expansion.multiplier_rate.allFinite() &&
                      expansion.missing_load.allFinite() && expansion.outer.y0.allFinite();
  if (!finite)
    throw InputError(
        "the expansion is not finite at the start, because parameters are too large or too small");
}

/// t₂ of the switch of `crossing` that depends on the state; 0 without one.
double delay_of(const Switches& switches, const SwitchCrossing& crossing, const InitialState& at,
                const RigidInstant& before, const VectorXd& q2, const VectorXd& v2) {
  double delay = 0.0;
  bool known = false;
  for (const Index k : crossing.which) {
    if (switches.depends_on_time_alone(k)) continue;
    if (known)
      throw InputError(
          fmt::format("the expansion ends at t = {:.6g}: two switches of the force that depend on "
                      "the motion are "
                      "crossed at once",
                      at.t));
    known = true;
    const double rate = switches.rates(at.t, at.q, at.v, 1.0, before.coordinate_velocity(),
                                       before.acceleration())(k);
    delay = -switches.rates(at.t, at.q, at.v, 0.0, q2, v2)(k) / rate;
    constexpr double longest = 1e6;  // s: σ' vanishes but for rounding
    if (!(std::abs(delay) < longest))
      throw InputError(
          fmt::format("the expansion ends at t = {:.6g}: the motion reaches a switch of the force "
                      "at zero speed",
                      at.t));
  }
  return delay;
}

/// Throws if the compliant motion would cross the switch again within the following layer: σ' = ∂σ
/// (v̂' − M⁻¹G_Iᵀ μ̃(τ)) must keep its sign.
void require_no_return(const Switches& switches, const SwitchCrossing& crossing,
                       const InitialState& at, const RigidInstant& after,
                       const Expansion& expansion) {
  const Index r = expansion.stiffness.rows();
  VectorXd x0(2 * r);
  x0 << -expansion.missing_load, VectorXd::Zero(r);
  const Layer layer(expansion.delassus, expansion.stiffness, expansion.damping, x0);
  const MatrixXd AC = expansion.delassus * expansion.stiffness;
  const double unit = 1.0 / std::sqrt(AC.trace() / static_cast<double>(r));
  std::vector<double> taus;
  for (int i = 0; i <= 200; ++i) taus.push_back(0.1 * i * unit);
  const MatrixXd mu = layer.force(layer.states(taus));
  for (const Index k : crossing.which) {
    if (switches.depends_on_time_alone(k)) continue;
    const double side = crossing.after[static_cast<std::size_t>(k)];
    for (const auto& force : mu.colwise()) {
      const VectorXd acceleration = after.acceleration() - expansion.velocity_of_impulse * force;
      const double rate =
          switches.rates(at.t, at.q, at.v, 1.0, after.coordinate_velocity(), acceleration)(k);
      if (!(side * rate > 0.0))
        throw InputError(fmt::format(
            "the expansion ends at t = {:.6g}: the compliant motion crosses a switch of the force "
            "again within O(ε)",
            at.t));
    }
  }
}

}  // namespace

Expansion expansion_of(const System& system, const InitialState& start, const ViscoelasticLaw& law,
                       const VectorXd& eta0) {
  require_law(law, eta0, system.m);
  require_consistent(system, start);
  const ContactBasis basis = contact_basis(system, start.q);
  const ContactMap map(basis, law);
  Expansion expansion = layer_data(system, basis, map, start);
  const RigidInstant instant(system, basis, start.t, start.q, start.v);
  expansion.multiplier = instant.multiplier();
  expansion.multiplier_rate = instant.multiplier_rate();
  expansion.missing_load =
      missing_load(map.stiffness, expansion.multiplier, map.force_of_deflection.transpose() * eta0);
  expansion.outer.y0 = outer_start(system, basis, start, instant, expansion.missing_load,
                                   map.compliance * expansion.multiplier_rate);
  require_finite(expansion);
  return expansion;
}

Expansion expansion_behind(const System& system, const SwitchCrossing& crossing, VectorIn y,
                           const ViscoelasticLaw& law, const VectorXd& eta0) {
  require_law(law, eta0, system.m);
  const Switches& switches = *system.switches;
  const System &before = switches.with(system, crossing.before),
               &after = switches.with(system, crossing.after);
  const Index nq = system.nq, n = system.n;
  const InitialState at{y.head(nq), y.segment(nq, n), crossing.t};
  const VectorXd q2 = y.segment(nq + n, nq), v2 = y.tail(n);
  const ContactBasis basis = contact_basis(after, at.q);
  const ContactMap map(basis, law);
  Expansion expansion = layer_data(after, basis, map, at);
  const RigidInstant left(before, basis, at.t, at.q, at.v), right(after, basis, at.t, at.q, at.v);
  expansion.multiplier = right.multiplier() - left.multiplier();
  expansion.multiplier_rate = right.multiplier_rate() - left.multiplier_rate();
  const double size = left.multiplier().norm() + right.multiplier().norm();
  expansion.missing_load = expansion.multiplier.norm() <= 1e-10 * (1.0 + size)
                               ? VectorXd::Zero(basis.rank())
                               : symmetric_solve(map.stiffness, expansion.multiplier);
  const double delay = delay_of(switches, crossing, at, left, q2, v2);
  require_no_return(switches, crossing, at, right, expansion);
  expansion.outer.y0 = outer_start(after, basis, at, right, expansion.missing_load,
                                   map.compliance * expansion.multiplier_rate);
  expansion.outer.y0.segment(nq + n, nq) += q2;
  expansion.outer.y0.tail(n) += v2 - delay * (right.acceleration() - left.acceleration());
  require_finite(expansion);
  return expansion;
}

}  // namespace rigidlimit
