// A system written as text, and its catalogue entry.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/formula_names.hpp"
#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// The formulas (core/formula.hpp) and names of a system, in place of a struct
/// (mechanics/system.hpp). Empty fields are not stated. Velocities without names are x', y', … of
/// the coordinates; among velocities with names, x' is the rate of x. Formulas of rates and rows
/// must be linear in the velocities, "cos(phi)*y' - sin(phi)*x'", and may depend on t and have a
/// part without velocities, "x' - radius*phi' - belt*sin(w*t)": the surface moves. The system then
/// has a further coordinate, the clock, and a further velocity (docs/theory.md, section 16).
struct SystemText {
  std::string name, title, description, source;

  struct Parameter {
    PlacedText name;
    ParameterInfo info;
  };
  struct Coordinate {
    PlacedText name;
    std::string unit;
    Range range;            ///< of the start
    PlacedText start;       ///< of parameters
    PlacedText start_rate;  ///< likewise; if the velocities are x'
    PlacedText rate;        ///< x', of q, v and t; otherwise
    /// Of friction studies, of parameters; empty: start, start_rate.
    PlacedText sliding_start, sliding_start_rate;
  };
  struct Velocity {
    PlacedText name;
    std::string unit;
    Range range;
    PlacedText start;
    PlacedText sliding_start;  ///< as of a coordinate
  };
  /// A comparison of parameters that their values must satisfy.
  struct Condition {
    PlacedText holds;  ///< "height < radius"
    std::string text;  ///< its meaning, for messages
  };
  /// A row of a contact, or of a joint: a position g(q, t) whose rate is the row.
  struct Contact {
    std::string name, unit;  ///< of the sliding velocity; of a position, of g
    PlacedText row;          ///< G v + b, of q, v and t; of a position, g(q, t)
    bool is_position = false;
  };
  /// A rigid body that joints connect, with formulas of q and t.
  struct Body {
    std::string name;
    std::vector<PlacedText> position;     ///< of its frame, m: two in the plane, three in space
    PlacedText angle;                     ///< in the plane, rad; empty: a point
    std::vector<PlacedText> orientation;  ///< in space, Euler parameters; empty: a point
  };
  /// A formula of a body or a joint, which rows of `constraint` contain.
  struct JointPart {
    PlacedText formula;
    std::string unit;  ///< that it must have; empty: any
  };
  /// Normal constraint and friction of a contact, as in mechanics/frictional_system.hpp.
  struct ContactPoint {
    std::string name;
    Index components = 1;  ///< number of rows of `constraint`, after those of the previous contact
    Normal normal = Normal::unilateral;
    PlacedText gap;           ///< g(q, t), a distance, or gap_scale times it
    PlacedText normal_force;  ///< p(q, v, t), if given
    PlacedText friction;      ///< of parameters
    PlacedText restitution;   ///< likewise
    /// s of parameters: the gap is s times a distance, the rows s times velocities, both divided by
    /// s. Empty: they are those, as far as require_lengths() can tell.
    PlacedText gap_scale, sliding_scale;
  };

  /// Whether the velocity is called x' for this coordinate x: it is its rate.
  static bool is_rate(const Velocity& velocity, const Coordinate& x) {
    return velocity.name.text == x.name.text + "'";
  }

  std::vector<Parameter> parameters;
  std::vector<Condition> conditions;
  std::vector<NamedFormula> lets;  ///< of q, v and t
  std::vector<Coordinate> coordinates;
  std::vector<Velocity> velocities;  ///< empty: v = q'
  std::vector<Contact> constraint;
  std::vector<Body> bodies;
  std::vector<JointPart> joint_parts;
  std::vector<ContactPoint> contacts;  ///< empty: contacts only roll

  PlacedText kinetic_coenergy;            ///< K*(q, v); or M and F
  PlacedText potential;                   ///< P(q); required for Lagrangian systems
  PlacedText dissipation;                 ///< R(v)
  std::vector<PlacedText> applied_force;  ///< Q(q, v, t)

  std::vector<std::vector<PlacedText>> mass_matrix;  ///< M(q)
  std::vector<PlacedText> force;                     ///< F(q, v, t)

  std::vector<PlacedText> exact_constraint;  ///< E v + b, of q, v and t
  std::vector<PlacedText> quasi_velocities;  ///< S v
  std::vector<PlacedText> invariants;        ///< e(q, t)
  std::vector<PlacedText> kinks;             ///< k(q, t)

  PlacedText whole;  ///< place of errors about missing parts
};

/// Coordinate of a system with surfaces that move: the time. Its velocity is clock', always 1.
inline constexpr const char* clock_name = "clock";

const char* name_of(Normal normal);  ///< "given", "bilateral", "unilateral"

/// Exact motions, as C++ functions beside the formulas, for values of the parameters, a start and
/// times; std::nullopt if these have none. Empty: never.
struct KnownMotion {
  template <class Result>
  using Form = std::function<std::optional<Result>(const std::vector<double>& values,
                                                   const InitialState& start,
                                                   const std::vector<double>& times)>;

  std::string text = "none";  ///< SystemInfo::closed_form
  Form<Motion> rolling{};
  Form<KnownHistory> slipping{};
};

/// Throws InputError, with file, line and column, for invalid formulas; names that are unknown,
/// defined twice, in a cycle or reserved; missing parts; wrong numbers of formulas; and sizes
/// beyond 32 coordinates or velocities, 1000 names and 20 000 operations. make_frictional() of the
/// entry throws it for a gap or a sliding velocity that is no length. Parameters used only by
/// friction, restitution and normal forces become the entry's contact_parameters. make() of the
/// entry throws InputError if a row or rate is not linear in the velocities. make(), start() and
/// their counterparts with friction throw it for values that violate a condition.
SystemEntry entry_of(SystemText text, const KnownMotion& known = {});

/// The text of an entry that entry_of(text) made, the same for its copies; nullptr: compiled.
const void* text_behind(const SystemEntry& entry);

/// The rolling system of entry_of(text) with some of the entry's `parameters`, by their positions,
/// as its last coordinates, whose rates are 0: for derivatives with respect to a parameter
/// (mechanics/tangent_system.hpp) and for ensembles. The coordinates are in the units of the
/// parameters. `values`, one for each of the entry's parameters, are those of the others. Throws
/// InputError for a compiled system, and for such a parameter in an exponent or a table.
System family_of(const SystemEntry& entry, const std::vector<double>& values,
                 const std::vector<std::size_t>& parameters);

}  // namespace rigidlimit
