#include "rigidlimit/formulations/piecewise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "rigidlimit/core/bracketed_root.hpp"
#include "rigidlimit/core/work_sum.hpp"
#include "rigidlimit/mechanics/kkt.hpp"

namespace rigidlimit {
namespace {

/// The sides of a motion from `start`: Switches::sides_at_start().
Sides sides_at_start(const System& system, const InitialState& start) {
  const Switches& switches = *system.switches;
  return switches.sides_at_start(
      start.t, start.q, start.v,
      [&](const Sides& sides, double t, VectorIn q, VectorIn v) -> Switches::Rates {
        const System& equations = sides.empty() ? system : switches.with(system, sides);
        const ContactBasis basis = contact_basis(equations, start.q);
        VectorXd q_rate(equations.nq);
        equations.in<double>().coordinate_rate(q, v, q_rate);
        return {q_rate, solve_kkt<double>(equations, basis, q, v, t).acceleration};
      });
}

/// Reason why (q, v) cannot continue beyond a switch: there an invariant, as the gap of a surface
/// that jumps, is not zero, or a row of [E; G] asks for another velocity. Empty: it can.
std::string impulse_at(const System& before, const System& after, const InitialState& at) {
  VectorXd change(after.ne + after.m), drift(change.size()), q_rate(after.nq), size(change.size());
  MatrixXd rows[2];
  for (MatrixXd& X : rows) X.resize(change.size(), after.n);
  before.in<double>().constraints(at.q, rows[0]);
  after.in<double>().constraints(at.q, rows[1]);
  after.in<double>().coordinate_rate(at.q, at.v, q_rate);
  after.in<double>().constraint_drift(at.q, q_rate, at.v, drift);
  change = (rows[1] - rows[0]) * at.v;
  // The rounding of the terms, and the change of the row within the rounding of the instant.
  size = 1e-9 * (rows[0] * at.v.asDiagonal()).cwiseAbs().rowwise().sum() +
         1e-11 * (1.0 + at.t) * drift.cwiseAbs();
  VectorXd left(after.ni), right(after.ni);
  before.in<double>().invariants(at.q, left);
  after.in<double>().invariants(at.q, right);
  for (Index k = 0; k < after.ni; ++k)
    if (std::abs(right(k) - left(k)) > 1e-9 * (1.0 + at.q.cwiseAbs().maxCoeff()))
      return fmt::format(
          "at t = {:.6g} s invariant {} (or the gap of a bilateral contact) jumps by {:.6g}: no "
          "motion follows it. Give the surface a position that is continuous in time",
          at.t, k + 1, right(k) - left(k));
  for (Index k = 0; k < change.size(); ++k)
    if (std::abs(change(k)) > size(k))
      return fmt::format(
          "at t = {:.6g} s the velocity of {} {} jumps by {:.6g}: an impulse, which is not solved. "
          "Give the surface a speed that is continuous in time (a ramp)",
          at.t, k < after.ne ? "exact row" : "contact row", k < after.ne ? k + 1 : k - after.ne + 1,
          change(k));
  return {};
}

PieceStart start_at(const PiecewiseMotion& piece, Index k) {
  const Motion& motion = piece.motion;
  return {.state = {motion.q.col(k), motion.v.col(k), motion.times[static_cast<std::size_t>(k)]},
          .lambda = motion.lambda.col(k)};
}

class Pieces {
 public:
  Pieces(const System& system, const InitialState& start, const std::vector<double>& times,
         const std::vector<double>& marks, const SolvePiece& solve)
      : system_(system),
        switches_(*system.switches),
        times_(times),
        marks_(marks),
        solve_(solve),
        instants_(switches_.instants(times.back())),
        start_{start, {}},
        sides_(sides_at_start(system, start)) {}

  PiecewiseMotion run() && {
    while (next_ < times_.size() && solve_next() && !stopped_) {
    }
    return std::move(all_);
  }

 private:
  struct End {
    double t;
    std::vector<Index> which;
    PiecewiseMotion piece;  ///< its last column is the state at the end
    std::size_t left;       ///< the first sample at or after the end
    Index base;             ///< the column at which the integrals of the piece begin
  };

  /// Solves one piece, from start_ to a switch or to the end. false: the motion is complete.
  bool solve_next() {
    if (slides()) return stay();
    const bool known = next_instant_ < instants_.size();
    if (known && are_inseparable(instants_[next_instant_].t, start_.state.t)) {
      flip_at_start(instants_[next_instant_++]);
      return true;
    }
    const double limit = known ? instants_[next_instant_].t : last_of_chunk();
    const PiecewiseMotion piece = solved(smooth(), start_, grid_until(limit, known));
    if (std::optional<End> end = first_crossing(piece)) {
      fill(piece, end->left);
      flip(*end, piece);
      return true;
    }
    if (piece.outcome != Outcome::success) {
      fill(piece, times_.size());
      finish(piece);
      return false;
    }
    const Index last = std::ssize(piece.motion.times) - 1;
    if (!known) {
      fill(piece, samples_before(limit, true));
      finish(piece);
      restart(piece, last);
      return true;
    }
    fill(piece, samples_before(limit, false));
    const Switches::Instant& instant = instants_[next_instant_++];
    flip({instant.t, instant.which, last_column(piece), next_, last}, piece);
    return true;
  }

  const System& smooth() const { return switches_.with(system_, sides_); }

  PiecewiseMotion solved(const System& system, const PieceStart& start,
                         const std::vector<double>& times) {
    PiecewiseMotion piece = solve_(system, start, times);
    add(all_.work, piece.work);
    for (MatrixXd* rows : {&piece.values, &piece.integrals})
      if (rows->rows() == 0) rows->resize(0, piece.motion.q.cols());
    return piece;
  }

  /// The times of a solve from the start of the piece to `limit`, which is the last time if the
  /// solve `lands` there. Sets the column of each sample: samples that a solver cannot separate,
  /// such as the two limits at a mark, share one.
  std::vector<double> grid_until(double limit, bool lands) {
    std::vector<double> grid{start_.state.t};
    columns_.clear();
    for (std::size_t k = next_; k < times_.size() && times_[k] <= limit; ++k) {
      if (times_[k] > grid.back() && !are_inseparable(times_[k], grid.back()))
        grid.push_back(times_[k]);
      columns_.push_back(std::ssize(grid) - 1);
    }
    if (lands && are_inseparable(grid.back(), limit) && grid.size() > 1)
      grid.back() = limit;
    else if (lands)
      grid.push_back(limit);
    return grid;
  }

  /// End of a first solve of a piece with unknown end: some samples after the next mark.
  double last_of_chunk() const {
    constexpr std::ptrdiff_t behind = 100;
    const double from = std::max(start_.state.t, next_ < times_.size() ? times_[next_] : 0.0);
    const auto mark = std::ranges::upper_bound(marks_, from);
    if (mark == marks_.end()) return times_.back();
    const auto at = std::ranges::lower_bound(times_, *mark);
    return at + std::min(behind, times_.end() - at) == times_.end() ? times_.back()
                                                                    : *(at + behind);
  }

  /// The first sample after t, or not before t.
  std::size_t samples_before(double t, bool included) const {
    const auto begin = times_.begin() + static_cast<std::ptrdiff_t>(next_);
    const auto end = included ? std::upper_bound(begin, times_.end(), t)
                              : std::lower_bound(begin, times_.end(), t);
    return static_cast<std::size_t>(end - times_.begin());
  }

  // --- results of a piece

  void prepare(const PiecewiseMotion& piece) {
    if (!all_.motion.times.empty()) return;
    const auto count = static_cast<Index>(times_.size());
    const auto none = [count](Index rows) { return MatrixXd::Constant(rows, count, std::nan("")); };
    all_.motion = {times_, none(piece.motion.q.rows()), none(piece.motion.v.rows()),
                   none(piece.motion.lambda.rows()), none(piece.motion.gap.rows())};
    all_.values = none(piece.values.rows());
    all_.integrals = none(piece.integrals.rows());
    before_ = VectorXd::Zero(piece.integrals.rows());
  }

  /// Copies the samples before number `end` from the piece, as far as it was solved.
  void fill(const PiecewiseMotion& piece, std::size_t end) {
    prepare(piece);
    const std::size_t first = next_;
    for (; next_ < end && next_ - first < columns_.size(); ++next_) {
      const Index from = columns_[next_ - first];
      const auto to = static_cast<Index>(next_);
      all_.motion.q.col(to) = piece.motion.q.col(from);
      all_.motion.v.col(to) = piece.motion.v.col(from);
      all_.motion.lambda.col(to) = piece.motion.lambda.col(from);
      if (all_.motion.gap.rows() > 0) all_.motion.gap.col(to) = piece.motion.gap.col(from);
      all_.values.col(to) = piece.values.col(from);
      all_.integrals.col(to) = before_ + piece.integrals.col(from);
    }
  }
  void finish(const PiecewiseMotion& piece) {
    all_.outcome = piece.outcome;
    all_.message = piece.message;
    all_.t_reached = piece.t_reached;
    all_.last_step = piece.last_step;
    all_.multiplier_tested = piece.multiplier_tested;
  }
  void restart(const PiecewiseMotion& piece, Index column) {
    before_ += piece.integrals.col(column);
    start_ = start_at(piece, column);
    crossed_.clear();
  }
  static PiecewiseMotion last_column(const PiecewiseMotion& piece) {
    PiecewiseMotion last = piece;
    const Index k = piece.motion.q.cols() - 1;
    last.motion = {{piece.motion.times.back()},
                   piece.motion.q.col(k),
                   piece.motion.v.col(k),
                   piece.motion.lambda.col(k)};
    last.integrals = MatrixXd::Zero(piece.integrals.rows(), 1);
    return last;
  }

  void flip(End end, const PiecewiseMotion& piece) {
    finish(piece);
    before_ += piece.integrals.col(end.base) + end.piece.integrals.rightCols(1);
    start_ = start_at(end.piece, end.piece.motion.q.cols() - 1);
    PiecewiseMotion::Crossing crossing{
        .t = end.t, .which = end.which, .before = sides_, .q = start_.state.q, .v = start_.state.v};
    turn(end.which, std::move(crossing));
    crossed_ = end.which;
  }

  /// Changes these sides. The motion ends here if they ask for another velocity.
  void turn(const std::vector<Index>& which, PiecewiseMotion::Crossing crossing) {
    const System& before = smooth();
    for (const Index k : which) sides_[static_cast<std::size_t>(k)] *= -1;
    crossing.after = sides_;
    all_.crossings.push_back(std::move(crossing));
    const std::string reason = impulse_at(before, smooth(), start_.state);
    if (reason.empty()) return;
    all_.outcome = Outcome::inadmissible_state;
    all_.message = reason;
    all_.t_reached = start_.state.t;
    stopped_ = true;
  }

  /// Two switches at one instant: nothing to solve between them.
  void flip_at_start(const Switches::Instant& instant) {
    PiecewiseMotion::Crossing crossing{.t = instant.t,
                                       .which = instant.which,
                                       .before = sides_,
                                       .q = start_.state.q,
                                       .v = start_.state.v};
    turn(instant.which, std::move(crossing));
    crossed_.insert(crossed_.end(), instant.which.begin(), instant.which.end());
  }

  // --- switches that depend on the state

  VectorXd sigma(const PiecewiseMotion& piece, Index k) const {
    return switches_.values(piece.motion.times[static_cast<std::size_t>(k)], piece.motion.q.col(k),
                            piece.motion.v.col(k));
  }
  bool has_left(Index which, const VectorXd& values) const {
    return !switches_.depends_on_time_alone(which) &&
           values(which) * sides_[static_cast<std::size_t>(which)] < 0.0;
  }

  /// The first change of sign between two samples.
  std::optional<End> first_crossing(const PiecewiseMotion& piece) {
    if (!switches_.depends_on_state()) return std::nullopt;
    for (Index k = 1; k < piece.motion.q.cols(); ++k) {
      if (!piece.motion.q.col(k).allFinite() || !piece.motion.v.col(k).allFinite()) break;
      const VectorXd values = sigma(piece, k);
      std::vector<std::pair<double, Index>> roots;
      for (Index which = 0; which < switches_.count(); ++which)
        if (has_left(which, values)) roots.emplace_back(located(piece, k, which), which);
      if (roots.empty()) continue;
      const double t = std::ranges::min(roots).first;
      End end{.t = t, .which = {}, .piece = solved_to(piece, k - 1, t), .left = 0, .base = k - 1};
      for (const auto& [root, which] : roots)
        if (root - t <= 1e-12 * (1.0 + t)) end.which.push_back(which);
      end.left = first_sample_behind(t);
      return end;
    }
    return std::nullopt;
  }

  /// The state at t by a solve from column k.
  PiecewiseMotion solved_to(const PiecewiseMotion& piece, Index k, double t) {
    const PieceStart start = start_at(piece, k);
    if (are_inseparable(t, start.state.t) || t <= start.state.t)
      return solved(smooth(), start, {start.state.t});
    return solved(smooth(), start, {start.state.t, t});
  }

  /// The root of σ between columns k − 1 and k.
  double located(const PiecewiseMotion& piece, Index k, Index which) {
    double left = piece.motion.times[static_cast<std::size_t>(k - 1)];
    const double right = piece.motion.times[static_cast<std::size_t>(k)];
    const double side = sides_[static_cast<std::size_t>(which)];
    double at_left = side * sigma(piece, k - 1)(which);
    const double at_right = side * sigma(piece, k)(which);
    const auto f = [&](double t) {
      const PiecewiseMotion there = solved_to(piece, k - 1, t);
      return side * sigma(there, there.motion.q.cols() - 1)(which);
    };
    // A sample within the rounding of σ; only at the start of a piece, which may begin at this
    // switch, does the sign show a little later.
    if (!(at_left > 0.0) && k > 1) return left;
    if (!(at_left > 0.0)) {
      left += std::min(look_ahead(), 0.5 * (right - left));
      at_left = f(left);
    }
    if (!(at_left > 0.0)) return left;
    const auto narrow = [](double a, double b) { return are_inseparable(a, b); };
    return bracketed_root(f, left, right, at_left, at_right, narrow).high;
  }

  /// The first sample with the right-hand values of a switch at t. A mark near t is the same
  /// switch.
  std::size_t first_sample_behind(double t) const {
    const double near = 1e-8 * (1.0 + t);
    double first = t, distance = near;
    for (const double mark : marks_)
      if (std::abs(mark - t) <= distance) {
        first = mark;
        distance = std::abs(mark - t);
      }
    return samples_before(first, false);
  }

  /// Whether the motion immediately recrosses the switch that it has just crossed.
  bool slides() {
    if (std::ranges::all_of(crossed_, [&](Index k) { return switches_.depends_on_time_alone(k); }))
      return false;
    const double last = times_.back(), t = start_.state.t;
    const double ahead = t + std::min(look_ahead(), 0.5 * (last - t));
    if (are_inseparable(t, ahead)) return false;
    const PiecewiseMotion look = solved(smooth(), start_, {t, ahead});
    if (look.outcome != Outcome::success) return false;
    const VectorXd values = sigma(look, 1);
    return std::ranges::any_of(crossed_, [&](Index k) { return has_left(k, values); }) ||
           std::ssize(all_.crossings) >= most_crossings;
  }
  /// Ends the motion at a switch that it cannot leave.
  bool stay() {
    all_.slides_from = start_.state.t;
    all_.outcome = Outcome::inadmissible_state;
    all_.t_reached = start_.state.t;
    all_.message = fmt::format("at t = {:.6g} s {}", start_.state.t, stays_on_a_switch);
    return false;
  }

  /// s: far above the error of a switching time, far below the time between two switches.
  double look_ahead() const { return 1e-7 * (1.0 + times_.back()); }

  static constexpr std::ptrdiff_t most_crossings = 10'000;

  const System& system_;
  const Switches& switches_;
  const std::vector<double>& times_;
  const std::vector<double>& marks_;
  const SolvePiece& solve_;
  const std::vector<Switches::Instant>& instants_;
  PieceStart start_;
  Sides sides_;
  std::vector<Index> crossed_;  ///< switches crossed at the start of the piece
  std::size_t next_ = 0;        ///< the first unknown sample
  std::size_t next_instant_ = 0;
  bool stopped_ = false;        ///< by an impulse
  std::vector<Index> columns_;  ///< of the samples from next_ on in the current piece
  VectorXd before_;             ///< the integrals up to the start of the piece
  PiecewiseMotion all_;
};

}  // namespace

PiecewiseMotion solve_piecewise(const System& system, const InitialState& start,
                                const std::vector<double>& times, const std::vector<double>& marks,
                                const SolvePiece& solve) {
  if (!system.switches) return solve(system, {start, {}}, times);
  return Pieces(system, start, times, marks, solve).run();
}

const System& system_at_start(const System& system, const InitialState& start) {
  return system.switches ? system.switches->with(system, sides_at_start(system, start)) : system;
}

}  // namespace rigidlimit
