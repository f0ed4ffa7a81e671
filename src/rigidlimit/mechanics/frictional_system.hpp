// A mechanical system whose contacts may slip, stick, open and impact: the smooth system, with the
// geometry and the constants of its contacts.
//
// The author extends the struct of mechanics/system.hpp. The rows constraint(q) are now the sliding
// directions of all contacts, one after the other:
//
//   contacts() -> std::vector<ContactPoint>        nc of them, their components m in sum
//   gap(q) -> g (nc)                               distance to the surface; of a bilateral contact
//                                                  the function that stays zero; of a given normal
//                                                  force anything, 0 say
//   normal_force(q, v, t) -> p (nc)                only where a contact has Normal::given
//   kinks(q) -> k                                  functions of q at whose zeros a gap or a row
//                                                  is not smooth (the edge of a step); those of
//                                                  recorded conditions are found without it
//   closed_history(start, times) -> optional<KnownHistory>
//
// The equations of motion are (docs/theory.md, section 10)
//
//   q' = T v,   M v' = F − Eᵀκ + Nᵀp − Wᵀλ,   E v = 0,
//   g' = N v,   w = W v,   p ≥ 0 of a unilateral contact,   λ in the friction disc |λ| ≤ μ |p|,
//
// N = (∂g/∂q) T (nc × n), W = constraint(q) (m × n). p pushes along the growing gap, λ resists
// sliding. E holds constraints that are ideal on both sides, never a normal direction.
#pragma once

#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/mechanics/equations.hpp"
#include "rigidlimit/mechanics/recorded_system.hpp"
#include "rigidlimit/mechanics/return_check.hpp"
#include "rigidlimit/mechanics/switches.hpp"

namespace rigidlimit {

/// Normal constraint of a contact.
enum class Normal {
  given,      ///< the normal force is known: normal_force(q, v, t)
  bilateral,  ///< g = 0 is kept; the normal force has either sign, friction is μ |p|
  unilateral  ///< g ≥ 0, p ≥ 0, g p = 0
};

/// One contact: its rows of W and its constants.
struct ContactPoint {
  std::string name;                    ///< "wall"; for tables and events
  Index first = 0;                     ///< its first row of W
  Index components = 1;                ///< 1 in the plane, 2 in space; 0 or these without friction
  Normal normal = Normal::unilateral;  ///< its normal law
  double friction = 0.0;               ///< μ ≥ 0
  double restitution = 0.0;            ///< e in [0, 1], for a unilateral contact
};

/// The geometry of the contacts. Sizes: g nc, N nc × n.
class ContactGeometry {
 public:
  explicit ContactGeometry(const RecordedSystem& of)
      : gap_(of.gap),
        normal_rows_(of.normal_rows),
        normal_drift_(of.normal_drift),
        normal_force_(of.normal_force) {}

  void gap(VectorIn q, VectorOut g) const { gap_(into(g), q); }  ///< g, m
  /// N = (∂g/∂q) T.
  void normal_rows(VectorIn q, MatrixOut N) const { normal_rows_(into(N), q); }
  /// (∂q N[T v]) v (nc): the part of g'' without v'.
  void normal_drift(VectorIn q, VectorIn v, VectorOut drift) const {
    normal_drift_(into(drift), q, v);
  }
  /// Given p, else 0.
  void normal_force(VectorIn q, VectorIn v, double t, VectorOut p) const {
    normal_force_(into(p), q, v, std::span(&t, 1));
  }

 private:
  Evaluator<double> gap_, normal_rows_, normal_drift_, normal_force_;
};

/// Closed form of a rigid history.
struct KnownHistory {
  Motion motion;                    ///< lambda as in FrictionalSystem::forces
  std::vector<double> event_times;  ///< all transitions and impacts up to the last time, s
};

/// A system with frictional contacts as a value. Made by make_frictional_system(). Copies share
/// immutable data.
struct FrictionalSystem {
  System smooth;                       ///< M, F, T, E, and W as its constraint rows
  std::vector<ContactPoint> contacts;  ///< nc
  Index kink_count = 0;                ///< of the functions `kinks`

  std::function<void(VectorIn q, VectorOut k)> kinks;  ///< kink_count values
  /// Closed form of the history, if it exists for this start; empty: never.
  std::function<std::optional<KnownHistory>(const InitialState&, const std::vector<double>& times)>
      closed_history;

  std::shared_ptr<const ContactGeometry> geometry;
  std::shared_ptr<const ReturnCheck> return_check;  ///< of its gaps and switches

  /// Number of contacts.
  Index nc() const { return static_cast<Index>(contacts.size()); }
  /// Rows of Motion::lambda of a motion of this system: λ (m), then p (nc).
  Index forces() const { return smooth.m + nc(); }
};

/// The system with the switches of its equations, of gaps and of normal forces fixed by these signs
/// (mechanics/switches.hpp): smooth, and without switches. `sides` empty: the system itself.
FrictionalSystem with_sides(const FrictionalSystem& system, const Sides& sides);

/// Throws InputError, with the contact and the value, unless there are `count` contacts with
/// consecutive rows of W (`rows` in total), μ ≥ 0 and e in [0, 1].
void check_contacts(const std::vector<ContactPoint>& contacts, Index rows, Index count);

/// Kind of an event, of one contact or of several at once.
enum class EventKind {
  impact,        ///< closes with a velocity that jumps
  touch,         ///< closes without a velocity jump
  detachment,    ///< opens
  stick,         ///< slip → stick
  slip,          ///< stick → slip
  reversal,      ///< slip the other way, without sticking
  accumulation,  ///< infinitely many impacts end here, and the contact is closed
  kink,          ///< passes a kink of the geometry, or a switch that depends on the motion
  time_switch    ///< switches of t alone: at the same instant in every motion
};

const char* name_of(EventKind kind);  ///< "impact", "touch", …

/// One event. Left and right limits; equal without an impact.
struct ContactEvent {
  double t = 0.0;                      ///< s
  EventKind kind = EventKind::impact;  ///< of all its contacts
  std::vector<Index> contacts;         ///< of FrictionalSystem::contacts
  VectorXd q;                          ///< nq
  VectorXd v_before;                   ///< n
  VectorXd v_after;                    ///< n
  VectorXd impulse;                    ///< λ (m), then p (nc), N s; zero without an impact
  std::string
      modes;  ///< afterwards, one word for each contact: "free", "stick", "slip", comma-separated
};

/// "impact floor", "stick left right".
std::string text_of(const ContactEvent& event, const FrictionalSystem& system);

}  // namespace rigidlimit
