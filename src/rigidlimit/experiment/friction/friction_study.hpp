// A study of friction and impacts as a value: what its file says once every default is filled in.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/judge/expectation.hpp"
#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

/// What a study of friction measures: each of these in q, v and λ, and the times of events.
inline constexpr std::array friction_norms{Norm::sup, Norm::l1, Norm::l2};
inline constexpr std::array friction_windows{Window::all, Window::away};

const char* name_of(FrictionalLaw::Friction friction);  ///< "projected", "regularised"

/// One law of the contacts among those that a study compares.
struct ComparedLaw {
  FrictionalLaw::Friction friction = FrictionalLaw::Friction::projected;
  double tangential_power = 1.0;  ///< κ: ε_t = ε^κ; of `projected`

  bool operator==(const ComparedLaw&) const = default;
};

LawName name_of(const ComparedLaw& law);

/// "projected, κ = 1", "regularised".
std::string text_of(const ComparedLaw& law);

/// [contact]
struct FrictionContact {
  std::vector<ComparedLaw> laws{ComparedLaw{}};
  VectorXd tangential_stiffness;  ///< C_t, N/m at ε = 1, one a contact
  VectorXd normal_stiffness;      ///< C_n, likewise
  double damping_ratio = 1.0;     ///< ζ of the tangential contact
  double plastic_exponent = 1.5;  ///< β of the normal damper where e = 0
  double creep = 1.0;             ///< m/s at ε = 1, of the regularised law
};

/// [time]
struct FrictionTime {
  double end = 1.0;   ///< T, s
  int samples = 401;  ///< uniform ones on [0, T], both ends included
  /// Beside them, at distances ε τ from the start and from every rigid event on both sides, as many
  /// samples to a decade of τ, from shortest_layer to layer_width.
  int layer_per_decade = 24;
  double layer_width = 20.0;
  static constexpr double shortest_layer = 1e-3;

  double compared = 1.0;      ///< s: compliant motions are compared on [0, compared] only
  double margin = 0.0;        ///< s, of the window `away`
  bool until_stop = true;     ///< a rigid motion that ends early is compared up to its end
  int matched_events = 1000;  ///< so many of the rigid events are looked for in compliant motions
};

/// [solvers]
struct FrictionSolvers {
  enum class Reference { closed_form, event_driven };

  std::vector<std::string> compliant{"cvode_bdf"};
  bool locate_kinks = true;  ///< false: the methods step across them, and no event has a time
  double rtol = 1e-10;
  double atol = 1e-12;
  double tighten = 0.1;  ///< the second solve, which tells the solver error, has tolerances × this
  long max_steps = 2000000;

  Reference reference = Reference::event_driven;
  double rigid_rtol = 1e-12;  ///< of the event-driven motion
  double rigid_atol = 1e-14;
  long rigid_max_steps = 2000000;
  std::vector<double> moreau_jean{};  ///< steps of the independent rigid motions, s, decreasing
};

const char* name_of(FrictionSolvers::Reference reference);  ///< "closed_form", "event_driven"

/// [history]: what is expected of the rigid motion itself.
struct HistoryExpectation {
  Outcome outcome = Outcome::success;
  /// "impact floor", "stick left right": kind and contacts, in the order of time. Absent: not
  /// looked at.
  std::optional<std::vector<std::string>> events;
  std::optional<std::vector<double>> event_times;  ///< s
  double event_times_within = 1e-9;                ///< s
  std::optional<std::string> modes_at_end;         ///< "stick,free"
  /// The distance in q (sup, all t) from Moreau and Jean's motion at its smallest step, m and rad.
  std::optional<double> moreau_jean_within;
  /// Energy may be this much larger than at any time before, and its account may miss this much,
  /// as a part of its range; J/J.
  double energy_within = 1e-9;
};

struct FrictionStudy {
  std::string name;
  std::string question;
  std::string source;
  /// Of a catalogue, which must outlive the study, or its own, of a text.
  std::shared_ptr<const SystemEntry> system = nullptr;
  std::vector<double> parameters;  ///< one for each of system->frictional_parameters()
  FrictionalSystem model;          ///< the system with these parameters: both sides read this one
  InitialState initial;
  FrictionContact contact;
  std::vector<double> epsilons;  ///< decreasing; empty: only the rigid motion is studied
  FrictionTime time;
  FrictionSolvers solvers;
  long inequality_draws = 200;  ///< virtual velocities for each sample of a motion; 0: none
  HistoryExpectation history;
  std::vector<ExpectationSpec> expectations;
};

/// What formulations/frictional/frictional_compliant.hpp is given for one of the laws.
FrictionalLaw law_of(const FrictionStudy& study, const ComparedLaw& law);

}  // namespace rigidlimit
