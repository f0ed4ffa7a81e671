// A type-erased mechanical system, as read by formulations, solvers and studies.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "rigidlimit/core/linear.hpp"
#include "rigidlimit/core/quad.hpp"
#include "rigidlimit/mechanics/motion.hpp"

namespace rigidlimit {

/// The terms of the equations of motion in the numbers S,
///
///   q' = T v,   M v' = F(q, v, t) − Eᵀκ − Gᵀλ,   E v = e,   w = G v,
///
/// one function each. Sizes: q nq, v and F n, E ne × n, G m × n. Outputs are written whole.
template <class S>
class Equations {
 public:
  using In = VectorInOf<S>;
  using Out = VectorOutOf<S>;
  using OutMatrix = MatrixOutOf<S>;

  Equations() = default;
  Equations(const Equations&) = delete;
  Equations& operator=(const Equations&) = delete;
  virtual ~Equations() = default;

  /// T v (nq).
  virtual void coordinate_rate(In q, In v, Out q_rate) const = 0;
  /// −γ (∂e/∂q)⁺ e (nq), γ = 10/s: to be added to q' wherever q is integrated. It vanishes on the
  /// manifold e(q) = 0 and makes it attracting against the drift of a solver.
  virtual void restoring_rate(In q, Out q_rate) const = 0;
  /// e(q) (ni).
  virtual void invariants(In q, Out e) const = 0;
  /// g(q) (np) of the last np rows of G, which are its rate.
  virtual void positions(In q, Out g) const = 0;

  virtual void mass_matrix(In q, OutMatrix M) const = 0;        ///< n × n
  virtual void inertia_force(In q, In a, Out force) const = 0;  ///< M a (n), cheaper than M
  virtual void force(In q, In v, const S& t, Out F) const = 0;
  virtual S potential(In q) const = 0;  ///< P in joule; 0 where the system has none

  /// [E; G], (ne + m) × n.
  virtual void constraints(In q, OutMatrix rows) const = 0;
  /// (∂q [E; G][q_rate]) v, ne + m: the part of d([E; G] v)/dt without v'.
  virtual void constraint_drift(In q, In q_rate, In v, Out drift) const = 0;

  /// S, (n − ne − m) × n, and its drift likewise. Only where System::natural_velocities.
  virtual void quasi_velocities(In q, OutMatrix rows) const = 0;
  virtual void quasi_velocity_drift(In q, In q_rate, In v, Out drift) const = 0;
};

struct RecordedSystem;  // mechanics/recorded_system.hpp
class MotionTapes;      // mechanics/motion_tapes.hpp
class Switches;         // mechanics/switches.hpp

/// A system as a value: sizes, properties, and its equations in each of the required types of
/// number. Made by make_system() (mechanics/equations_of.hpp). Copies share the equations, which
/// are immutable.
struct System {
  Index nq = 0;  ///< coordinates
  Index n = 0;   ///< velocities
  Index m = 0;   ///< contact components, the rows of G
  Index ne = 0;  ///< exact rows, those of E
  Index ni = 0;  ///< invariants
  Index np = 0;  ///< positions of joints: the last np rows of G are their rates

  bool explicit_time = false;       ///< F depends on t
  bool natural_velocities = false;  ///< it has quasi_velocities

  bool lagrange_coordinates = true;  ///< T = I: v = q'
  bool lagrangian = false;           ///< M and F are derived from K* and P
  bool has_potential = false;        ///< P is known, so that energy can be balanced

  /// The Rayleigh dissipation R(v) in watt; empty: none.
  std::function<double(const VectorXd& v)> dissipation;
  /// Closed form of the rigid motion, if it exists for this start; empty: never.
  std::function<std::optional<Motion>(const InitialState& start, const std::vector<double>& times)>
      closed_form;

  /// The tapes of the equations, and the tapes that formulations derive from them.
  std::shared_ptr<const RecordedSystem> recorded{};
  std::shared_ptr<const MotionTapes> tapes{};

  /// Switches of the equations; nullptr: the equations are smooth.
  std::shared_ptr<const Switches> switches{};

  /// The same system whose invariants contain the positions of joints, which rigid ones keep at 0;
  /// nullptr: it has no such joints. rigid_model() reads it.
  std::shared_ptr<const System> with_rigid_joints{};

  /// The equations in the numbers S, double or Quad. Throws std::logic_error if the system was made
  /// without them.
  template <class S>
  const Equations<S>& in() const {
    const auto& held = std::get<std::shared_ptr<const Equations<S>>>(equations);
    if (!held) throw std::logic_error("the system has no equations in this number type");
    return *held;
  }

  /// e of E v = e (ne): zero, but for the row of a clock.
  const VectorXd& exact_rates() const;

  std::tuple<std::shared_ptr<const Equations<double>>, std::shared_ptr<const Equations<Quad>>>
      equations;
};

/// The system of the rigid side: its q' also restores the positions of joints.
inline const System& rigid_model(const System& system) {
  return system.with_rigid_joints ? *system.with_rigid_joints : system;
}

}  // namespace rigidlimit
