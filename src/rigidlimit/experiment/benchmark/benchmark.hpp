// A benchmark as a value: what a benchmark file says once every default is filled in.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "rigidlimit/classical/catalogue.hpp"
#include "rigidlimit/experiment/rolling/rolling_study.hpp"
#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The compliant contact of a study, in each formulation at each ε. Reference: ContactReference.
struct ContactSet {
  std::string name;  ///< in tables; the study's own name unless the file gives it
  std::string file;  ///< as the benchmark's file names it
  std::shared_ptr<const RollingStudy> study;  ///< system, start, contact and time of it
  std::vector<double> epsilons;               ///< decreasing
  std::vector<Formulation> formulations;
};

/// Trains of N sleighs, sparse.
struct ChainSet {
  std::string name;
  std::vector<long> counts;      ///< N, increasing
  std::vector<double> epsilons;  ///< decreasing; 0: the rigid train
  double end = 1.0;              ///< T, s
};

/// A classical stiff problem; a DAE as its ODE, with the multipliers eliminated. Absolute
/// tolerances of an ODE's components are in the ratio to rtol that its source recommends, not
/// atol_factor.
struct ClassicalSet {
  std::string name;
  const ClassicalEntry* entry = nullptr;
  std::vector<double> parameters{};  ///< one for each of entry->parameters
  double end = 0.0;                  ///< T in the problem's unit; 0: its own
  bool in_quad = true;  ///< 113-bit solves in the reference; without them it is of solves in double
};

using ProblemSet = std::variant<ContactSet, ChainSet, ClassicalSet>;

/// What one solve is asked for: a tolerance, or a step.
struct Setting {
  double rtol = 0.0;
  double atol = 0.0;  ///< NaN: it differs by component
  double h = 0.0;     ///< s; 0: the steps are chosen by the tolerance
};

/// Every method of `methods` solves every problem at every setting.
struct Benchmark {
  enum class Kind {
    work_precision,   ///< error against cost: one setting a tolerance
    order_reduction,  ///< error against h and ε, equal steps: one setting a step
    cost_epsilon,     ///< cost against ε, at one tolerance
    cost_count        ///< cost against N, at one tolerance
  };

  std::string name;
  Kind kind = Kind::work_precision;
  std::string question{};
  std::string source{};
  std::vector<const OdeMethod*> methods{};  ///< of the catalogue, in its order

  std::vector<double> rtol{1e-8};  ///< decreasing; one only but for Kind::work_precision
  double atol_factor = 0.01;       ///< atol = atol_factor · rtol, of every component
  std::vector<double> steps{};     ///< h, s, decreasing; Kind::order_reduction only

  int samples = 0;           ///< errors are judged at the end (0), or at so many times up to it
  long most_steps = 100000;  ///< attempted steps of one solve; more are a failure

  int repeats = 5;            ///< rounds in which the times are taken; 0: none are
  double most_seconds = 2.0;  ///< of one solve's repetitions together; at least one is taken

  std::vector<ProblemSet> problems{};
};

const char* name_of(Benchmark::Kind kind);  ///< "work_precision", …

/// The settings of a benchmark up to the time `end`: of equal steps h = end/n with the whole n next
/// to end/h, none twice.
std::vector<Setting> settings_of(const Benchmark& benchmark, double end);

}  // namespace rigidlimit
