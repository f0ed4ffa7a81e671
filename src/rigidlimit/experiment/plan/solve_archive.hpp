// What is kept of a finished solve, and of whom it can be had again.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// What tells one solve of a study from every other: words for a reader, and `determinants`,
/// which names everything that its result depends on but the program itself. Two solves with the
/// same determinants have the same result, whatever study they belong to.
struct SolveIdentity {
  enum class Kind {
    rigid,
    compliant,
    prediction,
    rigid_work,
    event_driven,  ///< of a study of friction: a rigid motion event by event, …
    moreau_jean,   ///< … and by time stepping
    threshold      ///< of a map of modes: a parameter, found by bisection
  };

  Kind kind = Kind::rigid;
  std::string law = {};              ///< of a compliant solve or a prediction; else empty
  std::string solver = {};           ///< as a study names it
  double epsilon = std::nan("");     ///< of a compliant solve
  bool tighter = false;              ///< the second solve, which tells the first one's error
  double rtol = 0.0;                 ///< relative tolerance
  double atol = 0.0;                 ///< absolute tolerance, of every component in its own unit
  std::string formulation = {};      ///< of a compliant solve: "natural", "adapted"
  std::string precision = "double";  ///< "double", "quad"
  std::string grid = {};             ///< hash of the times of its samples
  std::string determinants = {};
};

inline constexpr std::array all_solve_kinds{
    SolveIdentity::Kind::rigid,        SolveIdentity::Kind::compliant,
    SolveIdentity::Kind::prediction,   SolveIdentity::Kind::rigid_work,
    SolveIdentity::Kind::event_driven, SolveIdentity::Kind::moreau_jean,
    SolveIdentity::Kind::threshold};

const char* name_of(SolveIdentity::Kind kind);  ///< "rigid", "compliant", …

/// One quantity on the grid of its solve: a row a component, a column a time.
struct NamedSamples {
  std::string name;
  MatrixXd values;
};

/// What a finished solve leaves: enough to judge it again without solving.
struct SolveRecord {
  Outcome outcome = Outcome::not_run;
  std::string message = {};  ///< why it ended, in words; empty on success
  double t_reached = 0.0;
  double last_step = 0.0;
  Work work = {};
  double seconds = 0.0;  ///< that it took; no part of the result
  std::vector<NamedSamples> samples = {};

  /// 0 × 0 if there is none of this name.
  MatrixXd take(const std::string& name);
};

/// The same result, bit by bit; seconds do not count.
bool same_result(const SolveRecord& a, const SolveRecord& b);

/// A memory of finished solves that outlives the run. Its members are called from every thread.
class SolveArchive {
 public:
  SolveArchive() = default;
  SolveArchive(const SolveArchive&) = delete;
  SolveArchive& operator=(const SolveArchive&) = delete;
  virtual ~SolveArchive() = default;

  /// Solves that the study consists of, told before the first of them begins; told again where the
  /// result of one decides about others.
  virtual void plan(const std::vector<SolveIdentity>& solves) = 0;
  /// The finished solve with these determinants.
  virtual std::optional<SolveRecord> find(const SolveIdentity& solve) = 0;
  /// A solve is about to run.
  virtual void begin(const SolveIdentity& solve) = 0;
  /// It has ended by itself, `times` being its grid. A record of it that is there already stays:
  /// that the two differ is a finding.
  virtual void keep(const SolveIdentity& solve, const std::vector<double>& times,
                    const SolveRecord& record) = 0;
};

}  // namespace rigidlimit
