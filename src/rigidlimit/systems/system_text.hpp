// A system that was written as text: what a file says, and from there to an entry of a catalogue.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/placed_text.hpp"
#include "rigidlimit/mechanics/description.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// The formulas (systems/formula.hpp) and names of a system, in place of a struct
/// (mechanics/system.hpp). What is empty is not stated. Velocities that have no names of their own
/// are x', y', … of the coordinates; formulas that must be linear in them, of rates and rows, are
/// written in them: "cos(phi)*y' - sin(phi)*x'".
struct SystemText {
  std::string name, title, description, source;

  struct Parameter {
    PlacedText name;
    ParameterInfo info;
  };
  struct Let {
    PlacedText name, formula;  ///< of q, v and t
  };
  struct Coordinate {
    PlacedText name;
    std::string unit;
    Range range;            ///< of the start
    PlacedText start;       ///< of parameters
    PlacedText start_rate;  ///< likewise; where the velocities are x'
    PlacedText rate;        ///< x', linear in v; where they are not
  };
  struct Velocity {
    PlacedText name;
    std::string unit;
    Range range;
    PlacedText start;
  };
  struct Contact {
    std::string name, unit;  ///< of the sliding velocity
    PlacedText row;          ///< G v
  };
  /// What holds a contact, and its friction: as mechanics/frictional_system.hpp has it.
  struct ContactPoint {
    std::string name;
    Index components = 1;  ///< so many of the rows of `constraint`, after those of the one before
    Normal normal = Normal::unilateral;
    PlacedText gap;           ///< g(q)
    PlacedText normal_force;  ///< p(q, v, t), of a given one
    PlacedText friction;      ///< of parameters
    PlacedText restitution;   ///< likewise
  };

  std::vector<Parameter> parameters;
  std::vector<Let> lets;
  std::vector<Coordinate> coordinates;
  std::vector<Velocity> velocities;  ///< empty: v = q'
  std::vector<Contact> constraint;
  std::vector<ContactPoint> contacts;  ///< empty: they roll, and nothing else

  PlacedText kinetic_coenergy;            ///< K*(q, v); or M and F
  PlacedText potential;                   ///< P(q); of Lagrangian systems always
  PlacedText dissipation;                 ///< R(v)
  std::vector<PlacedText> applied_force;  ///< Q(q, v, t)

  std::vector<std::vector<PlacedText>> mass_matrix;  ///< M(q)
  std::vector<PlacedText> force;                     ///< F(q, v, t)

  std::vector<PlacedText> exact_constraint;  ///< E v
  std::vector<PlacedText> quasi_velocities;  ///< S v
  std::vector<PlacedText> invariants;        ///< e(q)
  std::vector<PlacedText> kinks;             ///< k(q)

  PlacedText whole;  ///< where to complain about what is missing
};

const char* name_of(Normal normal);  ///< "given", "bilateral", "unilateral"

/// Throws InputError, with file, line and column, of a formula that is none, names that are
/// unknown, defined twice, in a circle or words of formulas, missing parts, wrong numbers of
/// formulas, and sizes beyond 32 coordinates or velocities, 1000 names and 20 000 operations.
/// Parameters of friction, restitution and normal forces alone are the entry's contact_parameters.
/// make() of the entry throws InputError where a row or rate is not linear in the velocities.
SystemEntry entry_of(SystemText text);

/// Whether [system] has this key already, so that no parameter can be called that.
bool is_key_of_system(const std::string& name);

}  // namespace rigidlimit
