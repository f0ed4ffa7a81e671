// A rolling study as plain data, with all defaults filled in.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/convergence/bound.hpp"
#include "rigidlimit/experiment/judge/expectation.hpp"
#include "rigidlimit/experiment/pair/ensemble_spec.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

struct OdeMethod;  // solvers/method.hpp

/// Norm and window of a measure of a rolling study, applied to each of q, v and λ.
inline constexpr std::array rolling_norms{Norm::sup, Norm::l2};
inline constexpr std::array rolling_windows{Window::all, Window::after};

/// [contact]. Values that no law uses keep their defaults.
struct ContactSpec {
  enum class Preparation { unloaded, prepared, given };

  std::vector<std::string> laws{"viscoelastic"};  ///< distinct names of the catalogue of laws
  MatrixXd stiffness;                             ///< C, m × m
  std::optional<double> damping_ratio;  ///< ζ: D = ζ D_crit at the initial configuration; empty:
  MatrixXd damping;                     ///< D, m × m, is given
  double damping_exponent = 1.0;        ///< β
  Preparation preparation = Preparation::unloaded;
  VectorXd deflection;  ///< η(0) = y(0)/ε², m, for Preparation::given
};

struct Tolerance {
  double rtol;  ///< relative
  double atol;  ///< absolute, for each component in its own unit
};

/// The variables of the compliant problem (docs/theory.md, section 11): (q, v, η), or (q, u, w, η)
/// with the sliding velocity w = G v as a state.
enum class Formulation { natural, adapted };

/// The precision of both sides: 53 bits, or 113 (radau_iia only).
enum class Precision { binary64, binary128 };

const char* name_of(ContactSpec::Preparation preparation);  ///< "unloaded", "prepared", "given"
const char* name_of(Formulation formulation);               ///< "natural", "adapted"
const char* name_of(Precision precision);                   ///< "double", "quad"

/// Settings of one compliant solver.
struct CompliantSettings {
  Tolerance tolerance;
  Formulation formulation;
};

/// [solvers]
struct SolverSpec {
  std::vector<std::string> rigid{"ida"};
  std::vector<std::string> compliant{"cvode_bdf"};
  double rtol = 1e-10;
  double atol = 1e-12;
  double rigid_rtol = 1e-11;  ///< of the rigid side
  double rigid_atol = 1e-13;
  double reference_rtol = 1e-13;  ///< of the independent rigid reference
  double reference_atol = 1e-15;
  Formulation formulation = Formulation::adapted;
  Precision precision = Precision::binary64;
  /// [solvers.NAME]: settings of single compliant solvers that replace rtol, atol and formulation.
  /// A method of order 4 needs a hundred times the steps of a BDF code at 1e-11.
  std::map<std::string, CompliantSettings> own;
  double tighten = 0.1;  ///< the second solve, for the solver error, has tolerances × this factor
  long max_steps = 2000000;
  /// > 0: number of equal steps of each compliant solve; the second solve takes twice as many. 0:
  /// step sizes follow from the tolerances.
  long steps = 0;
  bool certified = false;  ///< the model errors are proved, and all other errors bounded

  CompliantSettings settings_of(const std::string& solver) const {
    const auto at = own.find(solver);
    return at == own.end() ? CompliantSettings{{rtol, atol}, formulation} : at->second;
  }
  /// Tolerance of the first solve of a solver, or of the second, tighter one.
  Tolerance tolerance_of(const std::string& solver, bool tighter) const {
    const Tolerance tolerance = settings_of(solver).tolerance;
    const double factor = tighter ? tighten : 1.0;
    return {factor * tolerance.rtol, factor * tolerance.atol};
  }
};

/// The reference of the compliant motion: the rigid motion, or the rigid motion plus the composite
/// expansion (docs/theory.md, section 4).
enum class Against { rigid, composite };

const char* name_of(Against against);  ///< "rigid", "composite"

/// [[bound]]; a table with both `constant` and `solver_error` gives two of these.
struct BoundSpec {
  enum class Subject { model_error, solver_error };
  /// Whether the claim needs a proof: of each row, or for all ε of the interval at once.
  enum class Proof { none, rows, all };

  std::string law = "viscoelastic";
  Measure measure;
  Subject subject = Subject::model_error;
  Bound bound;  ///< for a solver error: the maximum, with power 0
  Proof proof = Proof::none;
  std::optional<double> after{};  ///< begin of the window "after"; empty: that of the study
};

/// [[expect]] with quantity = "steps": the growth of the number of steps of the first solve, in
/// steps per decade of ε, from the largest ε of an interval to the smallest.
struct StepsSpec {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  std::string law = "viscoelastic";
  double at_least = -infinity;
  double at_most = infinity;
  double from = 0.0;  ///< one end of the interval in ε, the smaller one
  double to = infinity;

  /// Within the interval, with the tolerance of Bound::covers.
  bool covers(double epsilon) const {
    return Bound{.constant = 1.0, .power = 0.0, .from = from, .to = to}.covers(epsilon);
  }
};

/// [output] samples: the motions that a store keeps (kept_motions.hpp).
enum class KeptSamples { automatic, all, none };

const char* name_of(KeptSamples kept);  ///< "auto", "all", "none"

/// [tangent]: the study is one of the tangent lift (mechanics/tangent_system.hpp). Its system,
/// start and contact are those of the lift; this is their text in the file.
struct TangentSpec {
  VectorXd q, v;               ///< direction (δq, δv) of the start, as given
  std::string parameter = "";  ///< parameter with the derivative 1; empty: none

  std::shared_ptr<const SystemEntry> system = nullptr;  ///< without the lift
  InitialState initial{};                               ///< likewise
  ContactSpec contact{};                                ///< likewise
};

struct RollingStudy {
  std::string name;
  std::string question;
  std::string source;
  Against against = Against::rigid;
  /// Of Against::composite, and only then: the highest order in μ (asymptotics/contact_series.hpp).
  std::optional<int> composite_order = std::nullopt;
  /// An entry of a catalogue that outlives the study, or an own one, defined by formulas.
  std::shared_ptr<const SystemEntry> system = nullptr;
  std::vector<double> parameters;  ///< one for each of system->parameters
  System model;                    ///< the system with these parameters, used by both sides
  InitialState initial;
  ContactBasis contacts;          ///< of the model at the initial configuration
  bool project = false;           ///< the rigid motion starts from the projected velocity
  bool project_position = false;  ///< an open start of joints is replaced by the nearest closed one
  /// The coordinates of the file (nq), if joints are open there and initial.q is their projection.
  std::optional<VectorXd> open_start = std::nullopt;
  /// The velocity of the system's start (n), if it slides and initial.v is its projection.
  std::optional<VectorXd> projected_default = std::nullopt;
  ContactSpec contact;
  std::vector<double> epsilons;  ///< decreasing
  TimeGrid time;
  double after = 0.0;  ///< the window "after" is t > after, s
  SolverSpec solvers;
  std::vector<ExpectationSpec> expectations;
  std::vector<Measure> components{};  ///< measures of single components, in claims or wanted
  std::vector<StepsSpec> steps;       ///< claims on steps
  std::vector<BoundSpec> bounds;
  std::optional<TangentSpec> tangent = std::nullopt;
  std::optional<EnsembleSpec> ensemble = std::nullopt;
  KeptSamples kept_samples = KeptSamples::automatic;

  bool has_several_laws() const { return contact.laws.size() > 1; }
  /// Whether the study has expectations or bounds.
  bool demands_something() const {
    return !expectations.empty() || !steps.empty() || !bounds.empty();
  }
  /// Whether its steps are reported.
  bool counts_steps() const { return time.end_only || !steps.empty(); }
};

}  // namespace rigidlimit
