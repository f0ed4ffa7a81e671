#include "rigidlimit/formulations/moving_terms.hpp"

#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {

void MovingTerms::subtract_forces(const VectorX<Directions>& forces) {
  unbalance -= rows.transpose().lazyProduct(forces);
}

MovingTerms moving_terms(const System& system, const ContactBasis& basis, const Directions& t,
                         const VectorX<Directions>& q, const VectorX<Directions>& v,
                         const VectorXd& a) {
  const Equations<Directions>& equations = system.in<Directions>();
  MovingTerms terms;
  terms.q_rate.resize(system.nq);
  equations.coordinate_rate(q, v, terms.q_rate);
  if (system.ni > 0) {
    VectorX<Directions> restoring(system.nq);
    equations.restoring_rate(q, restoring);
    terms.q_rate += restoring;
  }
  terms.rows = independent_rows<Directions>(system, basis, q);
  terms.velocity = terms.rows.lazyProduct(v);
  VectorX<Directions> inertia(system.n);
  equations.inertia_force(q, as_constants<Directions>(a), inertia);
  terms.unbalance.resize(system.n);
  equations.force(q, v, t, terms.unbalance);
  terms.unbalance -= inertia;
  return terms;
}

VectorX<Directions> moving_defect(const System& system, const ContactBasis& basis,
                                  const VectorX<Directions>& q, const VectorX<Directions>& v,
                                  const MovingTerms& terms, const VectorXd& a, Index count) {
  VectorX<Directions> defect(count);
  if (count == 0) return defect;
  const Equations<Directions>& equations = system.in<Directions>();
  VectorX<Directions> q_rate(system.nq), drift(system.ne + system.m);
  equations.coordinate_rate(q, v, q_rate);
  equations.constraint_drift(q, q_rate, v, drift);
  drift = independent_entries<Directions>(system, basis, drift);
  const VectorX<Directions> a_fixed = as_constants<Directions>(a);
  defect = -drift.head(count) - terms.rows.topRows(count).lazyProduct(a_fixed);
  const Index exact = std::min(count, system.ne);
  for (Index i = 0; i < exact; ++i)
    defect(i) -= Directions(exact_constraint_recovery) * terms.velocity(i);
  return defect;
}

}  // namespace rigidlimit
