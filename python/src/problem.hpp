// A problem of a rolling study from one start.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/formulations/motion_problem.hpp"
#include "solved.hpp"

namespace rigidlimit::python {

/// The study of these problems. Throws InputError for another kind, a sweep, or forces with
/// switches.
std::shared_ptr<const RollingStudy> rolling_study(const ReadExperiment& read);

/// The form of ideal rolling as M y' = f(t, y): (q, v), or (q, v, k, Λ) of index 2.
enum class RigidOde { eliminated, semi_explicit };

/// All that defines a problem.
struct ProblemData {
  std::shared_ptr<const RollingStudy> study;
  InitialState start;
  const LawInfo* law = nullptr;  ///< nullptr: ideal rolling
  double epsilon = 0.0;          ///< of the law
  RigidOde form = RigidOde::eliminated;
};

/// Name and unit of each component of y. A unit is empty if the library declares none.
struct Components {
  std::vector<std::string> names;
  std::vector<std::string> units;
};

/// Of (q, v).
Components components_of(const SystemInfo& info);
/// Adds the multipliers of the exact rows and of the independent contacts, "k1", "lambda1", …
/// `of_contact`: from the unit of a sliding velocity to that of the multiplier.
void add_multipliers(const RollingStudy& study, const std::string& exact,
                     const std::string& contact,
                     const std::function<std::string(const std::string&)>& of_contact,
                     Components& components);
/// The unit of the force that has a power with a velocity.
std::string force_unit(const std::string& velocity);

/// y' = f(t, y), or M y' = f(t, y) with a singular M. The callbacks of `motion` own their
/// workspace, so that one thread at a time may use them.
class Problem {
 public:
  explicit Problem(ProblemData data);

  const ProblemData& data() const { return data_; }
  const OdeProblem& ode() const { return motion_.problem; }
  const Components& components() const { return components_; }
  const MatrixXd& mass() const { return mass_; }
  /// Of each component: 0 if it is differential, else the index at which the problem determines it.
  const std::vector<int>& index() const { return index_; }

  /// The same problem from y0 (N).
  std::unique_ptr<Problem> with_start(const VectorXd& y0) const;

  VectorXd rhs(double t, VectorIn y) const;
  MatrixXd jacobian(double t, VectorIn y) const;

  /// Throws InputError for a method that does not solve this problem.
  void require(const std::string& method) const;
  Solved solve(const std::string& method, const std::vector<double>& times,
               const SolveOptions& options) const;
  /// Excludes other threads; throws InputError if one uses this problem.
  std::unique_lock<std::mutex> held() const;

 private:
  ProblemData data_;
  MotionProblem<OdeProblem> motion_;
  MatrixXd mass_;
  std::vector<int> index_;
  Components components_;
  mutable std::mutex use_;
};

}  // namespace rigidlimit::python
