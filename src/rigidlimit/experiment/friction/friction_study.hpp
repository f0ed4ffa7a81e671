// A friction study as plain data, with all defaults filled in.
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

/// Norm and window of a measure of a friction study, applied to q, v, λ and event times.
inline constexpr std::array friction_norms{Norm::sup, Norm::l1, Norm::l2};
inline constexpr std::array friction_windows{Window::all, Window::away};

inline constexpr std::array friction_laws{FrictionalLaw::Friction::projected,
                                          FrictionalLaw::Friction::regularised,
                                          FrictionalLaw::Friction::smoothed};

const char* name_of(FrictionalLaw::Friction friction);  ///< "projected", "regularised", "smoothed"

/// One of the contact laws that a study compares.
struct ComparedLaw {
  FrictionalLaw::Friction friction = FrictionalLaw::Friction::projected;
  double tangential_power = 1.0;  ///< κ: ε_t = ε^κ; for `projected`

  bool operator==(const ComparedLaw&) const = default;
};

LawName name_of(const ComparedLaw& law);

/// "projected, κ = 1", "regularised", "smoothed".
std::string text_of(const ComparedLaw& law);

/// [contact]
struct FrictionContact {
  std::vector<ComparedLaw> laws{ComparedLaw{}};
  VectorXd tangential_stiffness;  ///< C_t of each contact, N/m at ε = 1
  VectorXd normal_stiffness;      ///< C_n of each contact, N/m at ε = 1
  double damping_ratio = 1.0;     ///< ζ of the tangential contact
  double plastic_exponent = 1.5;  ///< β of the normal damper for e = 0
  double creep = 1.0;             ///< m/s at ε = 1, of the laws that creep
};

/// [time]
struct FrictionTime {
  double end = 1.0;   ///< T, s
  int samples = 401;  ///< uniform ones on [0, T], both ends included
  /// Number of additional samples per decade of the distance to the start and to every rigid event,
  /// up to layer_width ε (friction_grid.hpp).
  int layer_per_decade = 24;
  double layer_width = 20.0;

  /// s: compliant motions are compared on [0, compared] only. 0: only their modes are compared;
  /// then they run to T on the uniform samples, without a tighter solve and a reference.
  double compared = 1.0;
  double margin = 0.0;        ///< s, of the window `away`
  bool until_stop = true;     ///< a rigid motion that ends early is compared up to its end
  int matched_events = 1000;  ///< largest number of rigid events to find in compliant motions
};

/// [solvers]
struct FrictionSolvers {
  enum class Reference { closed_form, event_driven };

  std::vector<std::string> compliant{"cvode_bdf"};
  bool locate_kinks = true;  ///< false: the methods step across kinks, and events have no times
  double rtol = 1e-10;
  double atol = 1e-12;
  double tighten = 0.1;  ///< the second solve, for the solver error, has tolerances × this factor
  long max_steps = 2000000;

  Reference reference = Reference::event_driven;
  double rigid_rtol = 1e-12;  ///< of the event-driven motion
  double rigid_atol = 1e-14;
  long rigid_max_steps = 2000000;
  std::vector<double> moreau_jean{};  ///< step sizes of independent rigid motions, s, decreasing
};

const char* name_of(FrictionSolvers::Reference reference);  ///< "closed_form", "event_driven"

/// Whether the largest sliding speed of a compliant motion is larger at T than at T/2.
enum class Sliding { grows, dies_out };

const char* name_of(Sliding sliding);  ///< "grows", "dies out"

/// λ of one sliding component at T, of the rigid and all compliant motions.
struct ForceClaim {
  std::string component;  ///< "left, up the wall"
  Index row = 0;          ///< of λ
  double at_end = 0.0;    ///< N
  double within = 1e-6;   ///< N
};

/// [[expect]] quantity = "modes": sequences of modes ("slip,slip > stick,stick"), or the last modes
/// of every motion. Empty: any.
struct ModesClaim {
  std::string rigid{}, compliant{}, end{};
};

/// [history]: claims about the rigid motion, and about modes and forces of all motions.
struct HistoryExpectation {
  Outcome outcome = Outcome::success;
  /// "impact floor", "stick left right": kind and contacts, in the order of time. Empty: no claim.
  std::optional<std::vector<std::string>> events;
  std::optional<std::vector<double>> event_times;  ///< s
  double event_times_within = 1e-9;                ///< s
  std::optional<std::string> modes_at_end;         ///< "stick,free"
  /// The distance in q (sup, all t) from Moreau and Jean's motion at its smallest step, m and rad.
  /// Empty: the bound of step_disagreement() (step_checks.hpp).
  std::optional<double> moreau_jean_within;
  /// Bound on the growth of the energy above its smallest earlier value and on the error of the
  /// energy balance, relative to the range of the energy; J/J.
  double energy_within = 1e-9;
  bool energy_conserved = false;  ///< K + P − work keeps its value at the start, to energy_within

  double slow = 1e-3;  ///< m/s: a slower contact sticks, in the modes below
  std::optional<std::vector<std::string>> modes_at_start;  ///< all solutions of the rigid laws
  std::optional<Sliding> compliant_sliding;
  std::optional<ForceClaim> force;
  bool ends_agree = false;  ///< all motions end in the same modes if the rigid one is unique
};

struct FrictionStudy {
  std::string name;
  std::string question;
  std::string source;
  /// An entry of a catalogue that outlives the study, or an own one, defined by formulas.
  std::shared_ptr<const SystemEntry> system = nullptr;
  std::vector<double> parameters;  ///< one for each of system->frictional_parameters()
  FrictionalSystem model;          ///< the system with these parameters, used by both sides
  InitialState initial;
  FrictionContact contact;
  std::vector<double> epsilons;  ///< decreasing; empty: only the rigid motion
  FrictionTime time;
  FrictionSolvers solvers;
  long inequality_draws = 200;  ///< virtual velocities per sample of a motion; 0: no check
  HistoryExpectation history;
  std::vector<ExpectationSpec> expectations;
  std::vector<ModesClaim> modes;
  std::vector<Measure> components{};  ///< measures of single components that are wanted

  bool compares_modes_only() const { return !epsilons.empty() && time.compared == 0.0; }
  /// Whether the modes of the motions enter a claim or are all that is compared.
  bool asks_for_modes() const;
};

/// Whether the rigid motion of the study has a closed form up to its end.
bool has_closed_history(const FrictionStudy& study);

/// The law of formulations/frictional/frictional_compliant.hpp for one of the study's laws.
FrictionalLaw law_of(const FrictionStudy& study, const ComparedLaw& law);

/// Whether some contact can open: it has a normal spring, and its motion impacts.
bool has_unilateral_contact(const FrictionStudy& study);

}  // namespace rigidlimit
