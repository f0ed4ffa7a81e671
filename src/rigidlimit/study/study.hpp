// An experiment as a value: what a study file says once every default is filled in.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/mechanics/motion.hpp"
#include "rigidlimit/study/norms.hpp"
#include "rigidlimit/study/system_entry.hpp"
#include "rigidlimit/study/time_grid.hpp"

namespace rigidlimit {

/// [contact]
struct ContactSpec {
  enum class Preparation { unloaded, prepared, given };

  std::string law = "viscoelastic";
  MatrixXd stiffness;                   ///< C, m × m
  std::optional<double> damping_ratio;  ///< ζ: D = ζ D_crit at the initial configuration; or
  MatrixXd damping;                     ///< D, m × m, as given
  double damping_exponent = 1.0;        ///< β
  Preparation preparation = Preparation::unloaded;
  VectorXd deflection;  ///< η(0) = y(0)/ε², m, for Preparation::given
};

struct Tolerance {
  double rtol;  ///< relative
  double atol;  ///< absolute, of every component in its own unit
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
  /// [solvers.NAME]: compliant solvers that do not take rtol and atol. An order-4 method needs a
  /// hundred times the steps of a BDF code at 1e-11.
  std::map<std::string, Tolerance> own_tolerance;
  double tighten = 0.1;  ///< the second solve, which tells the solver error, has tolerances × this
  long max_steps = 2000000;

  /// What a compliant solver is given.
  Tolerance tolerance_of(const std::string& solver, bool tighter) const {
    const auto own = own_tolerance.find(solver);
    const Tolerance base = own == own_tolerance.end() ? Tolerance{rtol, atol} : own->second;
    const double factor = tighter ? tighten : 1.0;
    return {factor * base.rtol, factor * base.atol};
  }
};

/// [[expect]]
struct ExpectationSpec {
  Quantity quantity = Quantity::q;
  Norm norm = Norm::sup;
  Window window = Window::all;
  double order = 0.0;
  double within = 0.05;
};

struct Study {
  std::string name;
  std::string question;
  std::string source;
  const SystemEntry* system = nullptr;
  std::vector<double> parameters;  ///< one for each of system->parameters
  InitialState initial;
  bool project = false;  ///< rigid motion starts from the projected velocity
  ContactSpec contact;
  std::vector<double> epsilons;  ///< decreasing
  TimeGrid time;
  double after = 0.0;  ///< the window "after" is t > after
  SolverSpec solvers;
  std::vector<ExpectationSpec> expectations;
};

}  // namespace rigidlimit
