// The compliant side of a study of any kind as tasks: two solves for each law, solver and ε, whose
// motions are compared with the rigid side and then dropped.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/compliant_pair.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/plan/task.hpp"

namespace rigidlimit {

/// The pairs of a study. The two motions of a pair are judged as soon as both and the rigid side
/// are known, so that an ensemble of many ε does not fill the memory. Where an archive does not
/// keep the motions either, it keeps their comparison.
class PairTasks {
 public:
  /// The differences between the kinds of studies. Several threads call these functions, prepare()
  /// excepted.
  class Kind {
   public:
    Kind() = default;
    Kind(const Kind&) = delete;
    Kind& operator=(const Kind&) = delete;
    virtual ~Kind() = default;

    virtual MotionSizes sizes() const = 0;
    virtual const std::vector<double>& times(const CompliantPair& pair) const = 0;
    /// Key and function of a solve at times(pair).
    virtual Solve solve(const CompliantPair& pair, bool tighter) = 0;
    /// Whether an archive keeps the samples of the motions; else it keeps their comparison, …
    virtual bool keeps_samples(const CompliantPair&) const { return true; }
    /// … whose key has these words, …
    virtual std::string comparison_settings() const { return {}; }
    /// … and which has this number of measures.
    virtual std::size_t measures() const { return 0; }
    /// Whether the motions stay in the memory after their comparison.
    virtual bool shows(const CompliantPair&) const { return false; }
    /// Whether the rigid side has all its results: only then a comparison is stored.
    virtual bool is_complete() const { return true; }
    /// Completes the rigid side, once, before the first comparison.
    virtual void prepare() = 0;
    /// Judges the motions of a pair. Throws Stopped: then the pair counts as not solved.
    virtual void judge(CompliantPair& pair) = 0;
  };

  /// Refers to both arguments.
  PairTasks(Kind& kind, const RunOptions& options) : kind_(kind), options_(options) {}
  PairTasks(const PairTasks&) = delete;
  PairTasks& operator=(const PairTasks&) = delete;

  /// Appends the task of each pair to `tasks`, each after the tasks `rigid`. `with_errors`: a
  /// second solve measures the error of the first.
  void plan(PairAxes axes, bool with_errors, const std::vector<const Task*>& rigid,
            std::deque<Task>& tasks);
  /// Calls Kind::prepare(), unless it was called before.
  void prepare();

  const PairAxes& axes() const { return axes_; }
  /// In the order of PairAxes::pairs(); none before plan().
  const std::vector<CompliantPair>& pairs() const { return pairs_; }
  const CompliantPair& find(std::size_t law, std::size_t solver, std::size_t epsilon) const {
    return pairs_[axes_.position(law, solver, epsilon)];
  }
  /// Position of a pair in pairs().
  std::size_t position(const CompliantPair& pair) const {
    return static_cast<std::size_t>(&pair - pairs_.data());
  }
  /// All pairs, largest ε first, then by law and solver.
  PairLadder decreasing() const;
  /// The pairs whose first solve has ended by itself: one ladder for each law and solver.
  std::vector<PairLadder> ladders() const;
  /// All solves, largest ε first, those that were not run included.
  std::vector<CompliantSolve> solves() const;
  /// Whether every solve has ended by itself and was judged.
  bool is_complete() const;

 private:
  Task task_of(CompliantPair& pair, const std::vector<const Task*>& rigid);
  bool find_comparison(const SolveIdentity& key, CompliantPair& pair, Task& task) const;
  void take(std::vector<SolveRecord> records, CompliantPair& pair) const;
  void finish(CompliantPair& pair);
  bool has_ended(const CompliantPair& pair) const;

  Kind& kind_;
  const RunOptions& options_;
  PairAxes axes_;
  bool with_errors_ = true;
  std::string rigid_side_;  ///< hash of the inputs of the rigid side, for the keys of comparisons
  std::vector<CompliantPair> pairs_;
  std::once_flag prepared_;
};

}  // namespace rigidlimit
