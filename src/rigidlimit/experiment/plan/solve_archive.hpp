// Cache of finished solves: key, stored result, interface.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/solution.hpp"

namespace rigidlimit {

/// Names of one solve for a reader, and `determinants`: everything that its result depends on,
/// except the program. Two solves with the same determinants have the same result, in any study.
struct SolveIdentity {
  enum class Kind {
    rigid,
    compliant,
    rigid_work,
    comparison,    ///< sizes of differences of motions whose samples are not stored
    event_driven,  ///< of a friction study: a rigid motion by event-driven integration, …
    moreau_jean,   ///< … and by time stepping
    reference,     ///< of a benchmark: the reference of a problem, …
    trial,         ///< … a method at a setting, …
    timing,        ///< … and the times of all trials of a problem
    ensemble       ///< some members of an ensemble: sizes of their differences
  };

  Kind kind = Kind::rigid;
  std::string law = {};              ///< of a compliant solve; else empty
  std::string solver = {};           ///< name of the solver in a study
  double epsilon = std::nan("");     ///< of a compliant solve
  bool tighter = false;              ///< the second solve, which measures the first one's error
  double rtol = 0.0;                 ///< relative tolerance
  double atol = 0.0;                 ///< absolute tolerance, for each component in its own unit
  std::string formulation = {};      ///< of a compliant solve: "natural", "adapted"
  std::string precision = "double";  ///< "double", "quad"
  std::string grid = {};             ///< hash of the sample times
  std::string determinants = {};
};

inline constexpr std::array all_solve_kinds{
    SolveIdentity::Kind::rigid,        SolveIdentity::Kind::compliant,
    SolveIdentity::Kind::rigid_work,   SolveIdentity::Kind::comparison,
    SolveIdentity::Kind::event_driven, SolveIdentity::Kind::moreau_jean,
    SolveIdentity::Kind::reference,    SolveIdentity::Kind::trial,
    SolveIdentity::Kind::timing,       SolveIdentity::Kind::ensemble};

const char* name_of(SolveIdentity::Kind kind);  ///< "rigid", "compliant", …

/// Samples of one quantity on the grid of its solve: one row per component, one column per time.
struct NamedSamples {
  std::string name;
  MatrixXd values;
};

/// A stored result that does not fit its solve.
class DamagedRecord : public InputError {
 public:
  using InputError::InputError;
};

/// In place of a number of rows or columns: any.
inline constexpr Index any_size = -1;

/// The result of a finished solve: enough to judge it again without solving.
struct SolveRecord : SolveEnd {
  double seconds = 0.0;  ///< processor time; not part of the result
  std::vector<NamedSamples> samples = {};
  /// Of samples that an archive did not keep, or was not asked for (hash_of_samples), which are not
  /// in `samples`; empty: all are there.
  std::string samples_hash = {};

  bool has(const std::string& name) const;
  /// Moves the samples of this name out. Throws DamagedRecord if there are none, or if they are not
  /// rows × columns: a store may come from anywhere.
  MatrixXd take(const std::string& name, Index rows, Index columns);
  /// The same for samples that may be missing: then 0 × 0.
  MatrixXd take_optional(const std::string& name, Index rows, Index columns);
};

/// A stored whole number from 0 to `largest`. Throws DamagedRecord for another number.
int whole_number(double stored, const char* what, int largest = std::numeric_limits<int>::max());

/// A hash (WordHash) of names, sizes and bits of the samples, also of those that an archive did not
/// keep.
std::string hash_of_samples(const SolveRecord& record);

/// The record without its samples, but with their hash.
SolveRecord without_samples(const SolveRecord& record);

/// Bitwise equality of the results; `seconds` is ignored.
bool same_result(const SolveRecord& a, const SolveRecord& b);

/// Whether the samples of a stored solve are wanted, or kept.
enum class Samples { with, without };

/// Cache of finished solves that outlives the run. Its members are called from every thread.
class SolveArchive {
 public:
  SolveArchive() = default;
  SolveArchive(const SolveArchive&) = delete;
  SolveArchive& operator=(const SolveArchive&) = delete;
  virtual ~SolveArchive() = default;

  /// Its place, for messages.
  virtual std::string name() const { return {}; }
  /// Announces the solves of the study before the first of them begins; again if the result of one
  /// determines further solves.
  virtual void plan(const std::vector<SolveIdentity>& solves) = 0;
  /// The stored result with these determinants; empty: none, or none with the samples that are
  /// wanted.
  virtual std::optional<SolveRecord> find(const SolveIdentity& solve, Samples wanted) = 0;
  /// Announces that a solve begins.
  virtual void begin(const SolveIdentity& solve) = 0;
  /// Stores the result of a solve that ended by itself; `times` is its grid. An earlier record of
  /// the same solve stays, unless it lacks samples to be kept; a difference between the two is
  /// reported as a finding.
  virtual void keep(const SolveIdentity& solve, const std::vector<double>& times,
                    const SolveRecord& record, Samples kept) = 0;
};

}  // namespace rigidlimit
