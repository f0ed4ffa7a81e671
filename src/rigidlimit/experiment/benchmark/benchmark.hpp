// A benchmark as plain data, with all defaults filled in.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The compliant contact of a rolling study, in each formulation at each ε, and its ideal rolling
/// for ε = 0. The reference is a ContactReference.
struct ContactSet {
  std::string name;                           ///< in tables; by default that of the study
  std::string file;                           ///< path in the benchmark's file
  std::shared_ptr<const RollingStudy> study;  ///< gives system, start, contact and time
  std::vector<double> epsilons;               ///< decreasing; 0: ideal rolling
  std::vector<Formulation> formulations;
};

/// Trains of N sleighs, sparse.
struct ChainSet {
  std::string name;
  std::vector<long> counts;      ///< N, increasing
  std::vector<double> epsilons;  ///< decreasing; 0: the rigid train
  double end = 1.0;              ///< T, s
};

/// A classical stiff problem; a DAE as an ODE with the multipliers eliminated. For an ODE, the
/// ratio of absolute tolerances to rtol is that of its source, not atol_factor.
struct ClassicalSet {
  std::string name;
  const ClassicalEntry* entry = nullptr;
  std::vector<double> parameters{};  ///< one for each of entry->parameters
  double end = 0.0;                  ///< T in the unit of the problem; 0: its default
  bool in_quad = true;  ///< the reference uses 113-bit solves; false: only solves in double
};

using ProblemSet = std::variant<ContactSet, ChainSet, ClassicalSet>;

/// Setting of one solve: a tolerance or a step size.
struct Setting {
  double rtol = 0.0;
  double atol = 0.0;  ///< NaN: one for each component
  double h = 0.0;     ///< s; 0: the tolerance determines the steps
};

/// Every method of `methods` solves every problem at every setting.
struct Benchmark {
  enum class Kind {
    work_precision,   ///< error against cost: one setting per tolerance
    order_reduction,  ///< error against h and ε, equal steps: one setting per step size
    cost_epsilon,     ///< cost against ε, at one tolerance
    cost_count        ///< cost against N, at one tolerance
  };

  std::string name;
  Kind kind = Kind::work_precision;
  std::string question{};
  std::string source{};
  std::vector<const OdeMethod*> methods{};  ///< of the catalogue, in its order

  std::vector<double> rtol{1e-8};  ///< decreasing; several only for Kind::work_precision
  double atol_factor = 0.01;       ///< atol = atol_factor · rtol, for every component
  std::vector<double> steps{};     ///< h, s, decreasing; Kind::order_reduction only

  int samples = 0;           ///< errors are judged at the end (0), or at this many times up to it
  long most_steps = 100000;  ///< maximum of attempted steps in one solve

  int repeats = 5;            ///< rounds of time measurements; 0: none
  double most_seconds = 2.0;  ///< total of one solve's repetitions; at least one is measured

  std::vector<ProblemSet> problems{};
};

const char* name_of(Benchmark::Kind kind);  ///< "work_precision", …

/// The settings of a benchmark up to the time `end`. Equal steps are h = end/n with n the whole
/// number nearest to end/h, without duplicates.
std::vector<Setting> settings_of(const Benchmark& benchmark, double end);

}  // namespace rigidlimit
