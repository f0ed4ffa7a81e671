#include "rigidlimit/formulations/compliance_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/formulations/moving_terms.hpp"
#include "rigidlimit/formulations/rigid_motion.hpp"
#include "rigidlimit/mechanics/inertia.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

namespace {

/// The coefficients of the contact rows: all finite for ε ≥ 0.
struct ScaledLaw {
  MatrixXd stiffness;   ///< C
  MatrixXd compliance;  ///< ε² C⁻¹
  MatrixXd damping;     ///< ε^(2−β) D
  MatrixXd relaxation;  ///< ε^(2−β) C⁻¹ D
  double square;        ///< ε²

  ScaledLaw(const ViscoelasticLaw& law, double epsilon)
      : stiffness(law.stiffness),
        damping(law.damping * std::pow(epsilon, 2.0 - law.damping_exponent)),
        square(epsilon * epsilon) {
    SmallCholesky<double> factors;
    factors.compute(law.stiffness);
    compliance = square * MatrixXd::Identity(stiffness.rows(), stiffness.cols());
    relaxation = damping;
    factors.solve_in_place(compliance);
    factors.solve_in_place(relaxation);
  }
};

/// Where the unknowns stand, and which of them there are.
struct Blocks {
  Index nq, n, ne, m;
  bool deflection;  ///< η stands before λ

  Blocks(const System& system, ComplianceForm form)
      : nq(system.nq),
        n(system.n),
        ne(system.ne),
        m(system.m),
        deflection(form == ComplianceForm::with_deflection) {}

  Index kappa() const { return nq + n; }
  Index contact() const { return nq + n + ne; }  ///< η, or λ
  Index size() const { return contact() + (deflection ? 2 * m : m); }
};

/// The residual, its Jacobian and their workspace.
class ComplianceResidual {
 public:
  ComplianceResidual(const System& system, const ScaledLaw& law, ComplianceForm form)
      : system_(system),
        basis_(independent_contacts(system.m)),
        law_(law),
        at_(system, form),
        rows_(system.ne + system.m, system.n),
        velocity_(system.ne + system.m),
        drift_(system.ne + system.m),
        q_rate_(system.nq),
        restoring_(system.nq),
        force_(system.n) {}

  void operator()(double t, VectorIn y, VectorIn yp, VectorOut r) {
    const auto [nq, n, ne, m, deflection] = at_;
    const auto q = y.head(nq), v = y.segment(nq, n);
    const auto v_rate = yp.segment(nq, n);
    const Equations<double>& equations = system_.in<double>();
    equations.coordinate_rate(q, v, q_rate_);
    r.head(nq) = yp.head(nq) - q_rate_;
    if (system_.ni > 0) {
      equations.restoring_rate(q, restoring_);
      r.head(nq) -= restoring_;
    }
    equations.constraints(q, rows_);
    velocity_ = rows_.lazyProduct(v);
    equations.inertia_force(q, v_rate, r.segment(nq, n));
    equations.force(q, v, t, force_);
    r.segment(nq, n) -= force_;
    r.segment(nq, n) += rows_.topRows(ne).transpose().lazyProduct(y.segment(at_.kappa(), ne));
    r.segment(nq, n) += rows_.bottomRows(m).transpose().lazyProduct(y.tail(m));
    r.segment(at_.kappa(), ne) = velocity_.head(ne);
    if (deflection) {
      const auto eta = y.segment(at_.contact(), m), eta_rate = yp.segment(at_.contact(), m);
      r.segment(at_.contact(), m) = law_.square * eta_rate - velocity_.tail(m);
      r.tail(m) = y.tail(m) - law_.stiffness.lazyProduct(eta) - law_.damping.lazyProduct(eta_rate);
      return;
    }
    equations.constraint_drift(q, q_rate_, v, drift_);
    drift_.tail(m) += rows_.bottomRows(m).lazyProduct(v_rate);
    r.tail(m) = velocity_.tail(m) - law_.compliance.lazyProduct(yp.tail(m));
    r.tail(m) += law_.relaxation.lazyProduct(drift_.tail(m));
  }

  void jacobian(double t, VectorIn y, VectorIn yp, double alpha, MatrixOut J) {
    const auto [nq, n, ne, m, deflection] = at_;
    const auto columns = [&](const VectorX<Directions>& moving) {
      return derivative(t, moving, yp);
    };
    jacobian_by_columns(y, columns, J);
    J.topLeftCorner(nq, nq).diagonal().array() += alpha;
    MatrixXd M(n, n);
    system_.in<double>().mass_matrix(y.head(nq), M);
    J.block(nq, nq, n, n) += alpha * M;
    if (deflection) {
      J.block(at_.contact(), at_.contact(), m, m).diagonal().array() += alpha * law_.square;
      J.block(at_.contact() + m, at_.contact(), m, m) -= law_.stiffness + alpha * law_.damping;
      J.bottomRightCorner(m, m).diagonal().array() += 1.0;
      return;
    }
    system_.in<double>().constraints(y.head(nq), rows_);
    J.block(at_.contact(), nq, m, n) += alpha * law_.relaxation.lazyProduct(rows_.bottomRows(m));
    J.bottomRightCorner(m, m) -= alpha * law_.compliance;
  }

 private:
  /// ∂r in the directions of y, at fixed y', but for what is linear in (η, λ).
  Columns derivative(double t, const VectorX<Directions>& y, VectorIn yp) const {
    const auto [nq, n, ne, m, deflection] = at_;
    const VectorX<Directions> q = y.head(nq), v = y.segment(nq, n);
    const VectorXd a = yp.segment(nq, n);
    MovingTerms terms = moving_terms(system_, basis_, Directions(t), q, v, a);
    VectorX<Directions> forces(ne + m);
    forces << y.segment(at_.kappa(), ne), y.tail(m);
    terms.subtract_forces(forces);
    const Columns velocity = derivatives(terms.velocity);
    Columns J = Columns::Zero(at_.size(), directions);
    J.topRows(nq) = -derivatives(terms.q_rate);
    J.middleRows(nq, n) = -derivatives(terms.unbalance);
    J.middleRows(at_.kappa(), ne) = velocity.topRows(ne);
    if (deflection) {
      J.middleRows(at_.contact(), m) = -velocity.bottomRows(m);
      return J;
    }
    // w' is minus the defect of the contact rows.
    const Columns defect = derivatives(moving_defect(system_, basis_, q, v, terms, a, ne + m));
    J.bottomRows(m) = velocity.bottomRows(m) - law_.relaxation.lazyProduct(defect.bottomRows(m));
    return J;
  }

  System system_;
  ContactBasis basis_;  ///< of all rows: a compliant contact minds no redundancy
  ScaledLaw law_;
  Blocks at_;
  MatrixXd rows_;              ///< [E; G]
  VectorXd velocity_, drift_;  ///< [E; G] v, and its rate in the rows of G
  VectorXd q_rate_, restoring_, force_;
};

/// v', κ, λ and their rates at the start.
struct Contact {
  VectorXd acceleration, kappa, eta, eta_rate, lambda, lambda_rate;
};

Contact compliant_start(const System& system, const InitialState& start, const ViscoelasticLaw& law,
                        double epsilon, const VectorXd& eta0) {
  const Index ne = system.ne, m = system.m, n = system.n;
  MatrixXd rows(ne + m, n);
  VectorXd q_rate(system.nq), drift(ne + m), right(n + ne);
  const Equations<double>& equations = system.in<double>();
  equations.constraints(start.q, rows);
  equations.coordinate_rate(start.q, start.v, q_rate);
  equations.constraint_drift(start.q, q_rate, start.v, drift);
  const VectorXd velocity = rows * start.v;
  const MatrixXd damping = law.damping * std::pow(epsilon, -law.damping_exponent);

  Contact at;
  at.eta = eta0;
  at.eta_rate = velocity.tail(m) / (epsilon * epsilon);
  at.lambda = law.stiffness * eta0 + damping * velocity.tail(m);
  equations.force(start.q, start.v, 0.0, right.head(n));
  right.head(n) -= rows.bottomRows(m).transpose() * at.lambda;
  right.tail(ne) = -drift.head(ne) - exact_constraint_recovery * velocity.head(ne);
  Inertia<double> inertia;
  inertia.compute(system, start.q, rows);
  const VectorXd solved = inertia.solve_whole(right);
  at.acceleration = solved.head(n);
  at.kappa = solved.tail(ne);
  const VectorXd w_rate = rows.bottomRows(m) * at.acceleration + drift.tail(m);
  at.lambda_rate = law.stiffness * at.eta_rate + damping * w_rate;
  return at;
}

/// At ε = 0, where no rate of η or λ stands in the equations.
Contact rigid_start_of(const System& system, const InitialState& start,
                       const ViscoelasticLaw& law) {
  const ContactBasis basis = contact_basis(system, start.q);
  if (basis.redundant())
    throw InputError(
        fmt::format("compliance_form: at eps = 0 the contacts' multiplier is not "
                    "unique, their rank is {} of {}",
                    basis.rank(), system.m));
  const KktSolution<double> kkt = solve_kkt<double>(system, basis, start.q, start.v, 0.0);
  const VectorXd zero = VectorXd::Zero(system.m);
  Contact at{.acceleration = kkt.acceleration,
             .kappa = kkt.exact_multiplier,
             .eta = kkt.multiplier,
             .eta_rate = zero,
             .lambda = kkt.multiplier,
             .lambda_rate = zero};
  SmallCholesky<double> factors;
  factors.compute(law.stiffness);
  factors.solve_in_place(at.eta);
  return at;
}

void start_from(const System& system, const InitialState& start, const Contact& contact,
                const Blocks& at, DaeProblem& dae) {
  dae.y0.resize(at.size());
  dae.yp0 = VectorXd::Zero(at.size());
  dae.y0.head(at.contact()) << start.q, start.v, contact.kappa;
  VectorXd restoring(at.nq);
  system.in<double>().coordinate_rate(start.q, start.v, dae.yp0.head(at.nq));
  system.in<double>().restoring_rate(start.q, restoring);
  dae.yp0.head(at.nq) += restoring;
  dae.yp0.segment(at.nq, at.n) = contact.acceleration;
  dae.y0.tail(at.m) = contact.lambda;
  if (at.deflection) {
    dae.y0.segment(at.contact(), at.m) = contact.eta;
    dae.yp0.segment(at.contact(), at.m) = contact.eta_rate;
  } else {
    dae.yp0.tail(at.m) = contact.lambda_rate;
  }
}

void require_limit(const ViscoelasticLaw& law, double epsilon) {
  if (!(epsilon >= 0.0) || !std::isfinite(epsilon))
    throw InputError(fmt::format("compliance_form: eps must be at least 0, not {}", epsilon));
  if (epsilon == 0.0 && !(law.damping_exponent < 2.0))
    throw InputError(
        fmt::format("compliance_form: at eps = 0 the damping exponent must be below "
                    "2, not {}",
                    law.damping_exponent));
}

}  // namespace

MotionProblem<DaeProblem> compliance_form(const System& system, const InitialState& start,
                                          const ViscoelasticLaw& law, double epsilon,
                                          const VectorXd& eta0, ComplianceForm form) {
  require_limit(law, epsilon);
  const Blocks at(system, form);
  const bool rigid = epsilon == 0.0;
  DaeProblem dae;
  dae.name = at.deflection ? "viscoelastic rolling, index 1 in (q, v, eta, lambda)"
                           : "viscoelastic rolling, implicit in (q, v, lambda)";
  start_from(system, start,
             rigid ? rigid_start_of(system, start, law)
                   : compliant_start(system, start, law, epsilon, eta0),
             at, dae);
  // Algebraic: κ, λ beside η, and at ε = 0 whatever follows from G v = 0.
  dae.differential.assign(static_cast<std::size_t>(at.size()), false);
  const Index differential = rigid ? 0 : at.m;
  std::fill_n(dae.differential.begin(), at.kappa(), true);
  std::fill_n(dae.differential.begin() + at.contact(), differential, true);
  // λ beside η is of index 1, but κ and λ are left out together or not at all.
  dae.algebraic_variables_untested = rigid || at.ne > 0;
  const ComplianceResidual residual(system, ScaledLaw(law, epsilon), form);
  dae.residual = residual;
  dae.jacobian = [own = ComplianceResidual(residual)](double t, VectorIn y, VectorIn yp,
                                                      double alpha, MatrixOut J) mutable {
    own.jacobian(t, y, yp, alpha, J);
  };
  return {std::move(dae), [nq = at.nq, n = at.n, m = at.m](const Solution& solution) {
            return detail::motion_of_blocks<double>(solution, nq, n, solution.states.bottomRows(m));
          }};
}

}  // namespace rigidlimit
