#include "rigidlimit/solvers/solve_between_instants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/work_sum.hpp"
#include "rigidlimit/solvers/solve_input.hpp"
#include "rigidlimit/solvers/step_loop.hpp"

namespace rigidlimit {
namespace {

/// Whether no step fits between two times.
bool is_within_rounding(double from, double to) {
  return to - from <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(to);
}

class Pieces {
 public:
  Pieces(const OdeMethod& method, const OdeProblem& problem, const std::vector<double>& times,
         const SolveOptions& options)
      : method_(method),
        piece_(problem),
        options_(options),
        all_(unsolved(problem.t0, problem.y0.size(), times)) {
    RootFunctions roots = *problem.roots;
    roots.instants = {};
    piece_.roots =
        roots.count > 0 ? std::make_shared<const RootFunctions>(std::move(roots)) : nullptr;
  }

  Solution run(const std::vector<RootFunctions::Instant>& instants) && {
    for (const RootFunctions::Instant& instant : instants) {
      if (!solve_to(instant.t)) return std::move(all_);
      if (instant.begin) instant.begin(piece_.y0);
    }
    solve_to_end();
    return std::move(all_);
  }

 private:
  /// The grid of a piece, and the column of each output time: times that no step separates share
  /// one.
  struct Grid {
    std::vector<double> times;
    std::vector<Index> columns;

    void add(double t) {
      if (times.empty() || !is_within_rounding(times.back(), t)) times.push_back(t);
    }
  };
  /// The output times before t.
  Grid outputs_before(double t) const {
    Grid grid;
    for (std::size_t k = next_; k < all_.times.size() && all_.times[k] < t; ++k) {
      if (std::isfinite(t) && is_within_rounding(all_.times[k], t)) break;
      grid.add(std::max(all_.times[k], piece_.t0));
      grid.columns.push_back(std::ssize(grid.times) - 1);
    }
    return grid;
  }

  /// Solves from the start of the piece to t, which becomes the start of the next one.
  bool solve_to(double t) {
    if (!is_within_rounding(piece_.t0, t)) {
      Grid grid = outputs_before(t);
      grid.times.push_back(t);
      const Solution piece = solved(grid.times);
      keep(piece, grid.columns);
      if (piece.outcome != Outcome::success) return false;
      piece_.y0 = piece.states.rightCols(1);
    }
    piece_.t0 = t;
    return true;
  }

  void solve_to_end() {
    const Grid grid = outputs_before(std::numeric_limits<double>::infinity());
    if (!grid.times.empty()) keep(solved(grid.times), grid.columns);
  }

  Solution solved(const std::vector<double>& grid) {
    SolveOptions rest = options_;
    rest.max_steps = std::max(1L, options_.max_steps - std::max(all_.work.steps, 0L) -
                                      std::max(all_.work.rejected_steps, 0L));
    if (piece_.t0 > all_.times.front()) rest.initial_step = 0.0;
    return method_.solve(piece_, grid, rest);
  }

  void keep(const Solution& piece, const std::vector<Index>& columns) {
    const Work before = all_.work;
    static_cast<SolveEnd&>(all_) = piece;
    add(all_.work, before);
    for (const Index column : columns)
      all_.states.col(static_cast<Index>(next_++)) = piece.states.col(column);
    all_.roots.insert(all_.roots.end(), piece.roots.begin(), piece.roots.end());
    all_.stopped_at = piece.stopped_at;
  }

  const OdeMethod& method_;
  OdeProblem piece_;
  const SolveOptions& options_;
  Solution all_;
  std::size_t next_ = 0;  ///< the first unknown column
};

}  // namespace

Solution solve_between_instants(const OdeMethod& method, const OdeProblem& problem,
                                const std::vector<double>& times, const SolveOptions& options) {
  check_input(problem, times, options, method.fixed_step, method.roots);
  if (problem.coordinates)
    throw InputError(fmt::format("{}: moving coordinates across known instants", problem.name));
  return Pieces(method, problem, times, options).run(problem.roots->instants(times.back()));
}

}  // namespace rigidlimit
