// The two compliant motions of one law, solver and ε, what remains of them, and their records.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/experiment/judge/difference.hpp"
#include "rigidlimit/experiment/judge/expectation.hpp"
#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/experiment/plan/solve_archive.hpp"
#include "rigidlimit/formulations/energy_balance.hpp"
#include "rigidlimit/mechanics/frictional_system.hpp"
#include "rigidlimit/mechanics/precise_motion.hpp"

namespace rigidlimit {

/// An instant at which a compliant motion is not smooth, with the event kinds of a rigid motion.
struct CompliantEvent {
  double t = 0.0;
  EventKind kind = EventKind::touch;  ///< touch, detachment, stick, slip, kink or time_switch
  Index contact = 0;                  ///< −1 for a kink and a switch
};

/// A compliant solve with its result.
struct CompliantMotion : SolveEnd {
  PreciseMotion motion = {};  ///< on the grid of its ε; NaN beyond the end of the solve
  std::vector<CompliantEvent> events = {};  ///< corners of differences from the rigid motion
  int roots = 0;                            ///< number of located kinks
  EnergyBalance energy = {};                ///< of the second solve in double of a rolling study
};

/// How narrow the enclosures of both motions at ε are, or why there are none.
struct EnclosureReport {
  double epsilon = 0.0;
  int steps = 0;  ///< 0: not enclosed
  /// The largest radius of q, v and λ.
  double q = std::nan(""), v = std::nan(""), lambda = std::nan("");
  std::string reason = {};  ///< why they are not enclosed
};

/// The two compliant motions of one law, solver and ε, on the grid of this ε, and their comparison
/// with the rigid side.
struct CompliantPair {
  std::size_t law = 0;      ///< index into PairAxes::laws, …
  std::size_t solver = 0;   ///< … PairAxes::solvers, …
  std::size_t epsilon = 0;  ///< … and PairAxes::epsilons
  CompliantMotion base = {};
  CompliantMotion tighter = {};            ///< measures the solver error of `base`
  std::vector<Comparison> against = {};    ///< for each judged rigid motion; empty: not compared
  std::optional<EnergySizes> energy = {};  ///< of `tighter`
  std::optional<EnclosureReport> enclosure = {};  ///< of a certified study
};

/// Pairs of one law and solver, largest ε first.
using PairLadder = std::vector<const CompliantPair*>;

/// The end of one compliant solve.
struct CompliantSolve : SolveEnd {
  LawName law;
  std::string solver;
  double epsilon = 0.0;
  bool tighter = false;  ///< the second solve, which measures the solver error
  int roots = 0;         ///< number of located kinks
};

/// The message of the failed one among `solves` with the law, the solver and the ε of a row; empty:
/// there is none.
std::string message_of_failure(const std::vector<CompliantSolve>& solves, const Row& row);

/// Laws × solvers × ε of a study: one pair each.
struct PairAxes {
  std::vector<LawName> laws;
  std::vector<std::string> solvers;
  std::vector<double> epsilons;  ///< decreasing

  std::size_t count() const { return laws.size() * solvers.size() * epsilons.size(); }
  /// All pairs, smallest ε first: its solves are the longest. Then by law, then by solver.
  std::vector<CompliantPair> pairs() const;
  /// Position of one of them in pairs().
  std::size_t position(std::size_t law, std::size_t solver, std::size_t epsilon) const;

  CompliantSolve solve(const CompliantPair& pair, bool tighter) const;
  /// Law, solvers, ε and work of a row; the measure and the numbers follow.
  Row row(const CompliantPair& pair, const std::string& rigid_solver) const;
  /// "projected, κ = 1, ε = 0.001, cvode_bdf", without the law if there is one only.
  std::string title(const CompliantPair& pair) const;
};

/// Rows of q, v, λ and gap of a motion, and the number of its contacts.
struct MotionSizes {
  Index q, v, forces, contacts;
  Index gap = 0;  ///< of a compliant motion; a rigid one has no rows
};

/// Names of the samples. All motions: "q", "v", "lambda"; in 113 bits also "q.rest", "v.rest",
/// "lambda.rest". A compliant motion, where it has them: "events", a column (t, kind, contact)
/// each; "gap", and "gap.rest" in 113 bits; "kinks" (1 × 1), the number of located ones;
/// "energy.mechanical", "energy.spring", "energy.work", "energy.damper".
///
/// Each pair of functions below is a bit-exact round trip. `times`: the grid of the record. Throws
/// DamagedRecord if samples have other sizes than those of the system.
void add(MatrixXd values, std::string name, SolveRecord& record);
void add(PreciseMotion motion, SolveRecord& record);
/// A successful solve has a motion, in both parts or none.
PreciseMotion take_precise_motion(const MotionSizes& sizes, const std::vector<double>& times,
                                  SolveRecord& record);
/// The kind of an event in a stored column.
EventKind event_kind_of(double stored);

SolveRecord record_of(CompliantMotion motion);
CompliantMotion compliant_motion_of(SolveRecord record, const MotionSizes& sizes,
                                    const std::vector<double>& times);

/// The results of the comparison of a pair: `against` in `measures` measures, `energy` and
/// `enclosure`.
SolveRecord comparison_record(const CompliantPair& pair);
void take_comparison(const SolveRecord& record, std::size_t measures, double epsilon,
                     CompliantPair& pair);

}  // namespace rigidlimit
