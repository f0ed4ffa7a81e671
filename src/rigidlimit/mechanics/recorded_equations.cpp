#include "rigidlimit/mechanics/recorded_equations.hpp"

#include "rigidlimit/core/tape/evaluator.hpp"

namespace rigidlimit {
namespace {

/// Implements every function by evaluating a tape.
template <class S>
class RecordedEquations final : public Equations<S> {
 public:
  using In = VectorInOf<S>;
  using Out = VectorOutOf<S>;
  using OutMatrix = MatrixOutOf<S>;

  explicit RecordedEquations(const RecordedSystem& of)
      : coordinate_rate_(of.coordinate_rate),
        restoring_rate_(of.restoring_rate),
        invariants_(of.invariants),
        positions_(of.positions),
        mass_matrix_(of.mass_matrix),
        inertia_force_(of.inertia_force),
        force_(of.force),
        potential_(of.potential),
        constraints_(of.constraints),
        constraint_drift_(of.constraint_drift),
        quasi_velocities_(of.quasi_velocities),
        quasi_velocity_drift_(of.quasi_velocity_drift) {}

  void coordinate_rate(In q, In v, Out q_rate) const override {
    coordinate_rate_(into(q_rate), q, v);
  }
  void restoring_rate(In q, Out q_rate) const override { restoring_rate_(into(q_rate), q); }
  void invariants(In q, Out e) const override { invariants_(into(e), q); }
  void positions(In q, Out g) const override { positions_(into(g), q); }
  void mass_matrix(In q, OutMatrix M) const override { mass_matrix_(into(M), q); }
  void inertia_force(In q, In a, Out force) const override { inertia_force_(into(force), q, a); }
  void force(In q, In v, const S& t, Out F) const override {
    force_(into(F), q, v, std::span(&t, 1));
  }
  S potential(In q) const override {
    S P(0);
    potential_([&P](std::size_t, const S& x) { P = x; }, q);
    return P;
  }
  void constraints(In q, OutMatrix rows) const override { constraints_(into(rows), q); }
  void constraint_drift(In q, In q_rate, In v, Out drift) const override {
    constraint_drift_(into(drift), q, q_rate, v);
  }
  void quasi_velocities(In q, OutMatrix rows) const override { quasi_velocities_(into(rows), q); }
  void quasi_velocity_drift(In q, In q_rate, In v, Out drift) const override {
    quasi_velocity_drift_(into(drift), q, q_rate, v);
  }

 private:
  Evaluator<S> coordinate_rate_, restoring_rate_, invariants_, positions_, mass_matrix_;
  Evaluator<S> inertia_force_, force_, potential_, constraints_, constraint_drift_;
  Evaluator<S> quasi_velocities_, quasi_velocity_drift_;
};

/// One implementation for each type of number in the tuple.
template <template <class> class Implementation, template <class> class Interface, class... S>
void fill(std::tuple<std::shared_ptr<const Interface<S>>...>& places, const RecordedSystem& of) {
  places = {std::make_shared<const Implementation<S>>(of)...};
}

}  // namespace

const VectorXd& System::exact_rates() const {
  return recorded->exact_rates;
}

decltype(System::equations) equations_of(const RecordedSystem& recorded) {
  decltype(System::equations) all;
  fill<RecordedEquations>(all, recorded);
  return all;
}

}  // namespace rigidlimit
