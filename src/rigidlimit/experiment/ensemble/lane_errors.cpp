#include "rigidlimit/experiment/ensemble/lane_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/mechanics/system_of_author.hpp"

namespace rigidlimit {
namespace {

constexpr std::size_t lanes = Pack::lanes;
constexpr std::size_t samples_per_step = 8;

/// Rows of q, v, λ and the gaps in the outputs of a motion, one quantity below the other.
struct OutputRows {
  explicit OutputRows(const RollingStudy& study)
      : counts{study.model.nq, study.model.n, study.model.m, study.model.np} {}
  std::array<Index, all_quantities.size()> counts;

  std::size_t count(Quantity quantity) const {
    return static_cast<std::size_t>(counts.at(static_cast<std::size_t>(quantity)));
  }
  std::size_t first(Quantity quantity) const {
    std::size_t before = 0;
    for (const Quantity one : all_quantities)
      if (one < quantity) before += count(one);
    return before;
  }
  std::size_t all() const { return first(Quantity::gap) + count(Quantity::gap); }
};

/// The largest values of one difference, by row.
struct Largest {
  explicit Largest(std::size_t rows) : value(rows, Pack(0.0)) {}
  std::vector<Pack> value;

  void take(std::size_t row, const Pack& x) { value[row] = max(value[row], x); }
  /// Of the rows of a measure, in one lane.
  double of(const Measure& measure, const OutputRows& rows, std::size_t lane) const {
    const std::size_t first = rows.first(measure.quantity);
    if (measure.row >= 0) return value[first + static_cast<std::size_t>(measure.row)][lane];
    double most = 0.0;
    for (std::size_t i = 0; i < rows.count(measure.quantity); ++i)
      most = std::max(most, value[first + i][lane]);
    return most;
  }
};

/// The sizes of the differences of eight members in one window.
struct WindowSizes {
  explicit WindowSizes(std::size_t rows)
      : model(rows), bounded(rows), solver(rows), reference(rows), values(rows) {}
  Largest model;    ///< |d|
  Largest bounded;  ///< |d| + δ
  Largest solver, reference;
  Largest values;  ///< of the motions
};

/// A motion that is evaluated at increasing times.
class Walk {
 public:
  explicit Walk(const LaneMotion& motion) : motion_(motion), values_(motion.rows) {}
  const std::vector<Pack>& at(double t) {
    step_ = motion_.step_at(t, step_);
    motion_.write(step_, t, values_.data());
    return values_;
  }

 private:
  const LaneMotion& motion_;
  std::size_t step_ = 0;
  std::vector<Pack> values_;
};

/// The instants of the comparison: each step of the motion in equal parts, and `after`.
std::vector<double> instants_of(const LaneMotion& motion, double after) {
  std::vector<double> times{motion.steps.front().t0};
  for (const LaneStep& step : motion.steps)
    for (std::size_t k = 1; k <= samples_per_step; ++k) {
      const double t =
          step.t0 + step.h * static_cast<double>(k) / static_cast<double>(samples_per_step);
      if (after > times.back() && after < t) times.push_back(after);
      times.push_back(t);
    }
  return times;
}

struct FourMotions {
  const LaneMotion &base, &tighter, &rigid, &tighter_rigid;
};

/// The differences of eight members at one ε over both windows.
class LaneComparison {
 public:
  LaneComparison(const FourMotions& motions, double after, OutputRows rows)
      : rows_(rows), all_(rows.all()), after_(rows.all()) {
    Walk base(motions.base), tighter(motions.tighter), rigid(motions.rigid),
        tighter_rigid(motions.tighter_rigid);
    const std::vector<double> times = instants_of(motions.base, after);
    std::array<std::vector<Pack>, 3> d;  // at the last three instants
    d.fill(std::vector<Pack>(rows.all()));
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double t = times[k];
      const auto &x = base.at(t), &y = rigid.at(t), &x2 = tighter.at(t), &y2 = tighter_rigid.at(t);
      std::rotate(d.begin(), d.begin() + 1, d.end());
      for (std::size_t i = 0; i < rows.all(); ++i) {
        d[2][i] = x[i] - y[i];
        not_finite_ += Pack(0.0) * (d[2][i] + x2[i] + y2[i]);
      }
      const bool late = t >= after;
      for (std::size_t i = 0; i < rows.all(); ++i) {
        const Pack size = abs(d[2][i]), solver = abs(x[i] - x2[i]), reference = abs(y[i] - y2[i]),
                   value = max(abs(x[i]), abs(y[i]));
        add(all_, i, size, solver, reference, value);
        if (late) add(after_, i, size, solver, reference, value);
      }
      if (k >= 2) add_between(times.data() + k - 2, d, times[k - 2] >= after);
    }
  }

  ErrorSizes sizes(const Measure& measure, std::size_t lane, double share,
                   double rigid_share) const {
    const WindowSizes& window = measure.window == Window::all ? all_ : after_;
    if (std::isnan(not_finite_[lane])) return {};
    const auto of = [&](const Largest& largest) { return largest.of(measure, rows_, lane); };
    const double model = of(window.model);
    return {.model = model,
            .solver = of(window.solver) / share,
            .reference = of(window.reference) / rigid_share,
            .sampling = of(window.bounded) - model,
            .rounding = 4.0 * std::numeric_limits<double>::epsilon() * of(window.values)};
  }

 private:
  static void add(WindowSizes& window, std::size_t i, const Pack& size, const Pack& solver,
                  const Pack& reference, const Pack& value) {
    window.model.take(i, size);
    window.bounded.take(i, size);
    window.solver.take(i, solver);
    window.reference.take(i, reference);
    window.values.take(i, value);
  }
  /// |d| + δ beside the middle one of three instants.
  void add_between(const double* t, const std::array<std::vector<Pack>, 3>& d, bool late) {
    const double before = t[1] - t[0], behind = t[2] - t[1], longest = std::max(before, behind);
    const Pack left(2.0 / (before * (before + behind))), right(2.0 / (behind * (before + behind))),
        middle(2.0 / (before * behind)), part(0.125 * longest * longest);
    for (std::size_t i = 0; i < rows_.all(); ++i) {
      const Pack bulge = part * abs(left * d[0][i] - middle * d[1][i] + right * d[2][i]);
      const Pack most = max(max(abs(d[0][i]), abs(d[1][i])), abs(d[2][i])) + bulge;
      all_.bounded.take(i, most);
      if (late) after_.bounded.take(i, most);
    }
  }

  OutputRows rows_;
  WindowSizes all_, after_;
  Pack not_finite_ = 0.0;  ///< NaN in a lane with a value that is not finite
};

/// Solves eight members with common steps. Throws InputError if they need different row orders.
class LaneSolves {
 public:
  LaneSolves(const RollingStudy& study, const LaneMembers& members,
             const std::function<bool()>& stop_requested)
      : study_(study), members_(members), stop_requested_(stop_requested) {
    const System& model = study.ensemble->model;
    frames_ = std::make_shared<LaneFrames>(model, members);
    rigid_frames_ =
        model.np == 0 ? frames_ : std::make_shared<LaneFrames>(rigid_model(model), members);
  }

  std::array<MemberSizes, lanes> sizes() {
    std::array<MemberSizes, lanes> found;
    const std::vector<Measure> measures = ensemble_measures(study_);
    const OutputRows rows(study_);
    const double tighten = study_.solvers.tighten, share = 1.0 - tighten;
    const LaneMotion rigid = rigid_motion(1.0), tighter_rigid = rigid_motion(tighten);
    take_end(rigid.outcome == Outcome::success ? tighter_rigid : rigid, found);
    for (const double epsilon : study_.epsilons) {
      const LaneMotion base = compliant_motion(epsilon, false),
                       tighter = compliant_motion(epsilon, true);
      take_end(base.outcome == Outcome::success ? tighter : base, found);
      const bool known = found[0].outcomes.front() == Outcome::success &&
                         found[0].outcomes.back() == Outcome::success;
      if (!known) {
        for (MemberSizes& member : found)
          member.sizes.insert(member.sizes.end(), measures.size(), ErrorSizes{});
        continue;
      }
      const LaneComparison comparison({base, tighter, rigid, tighter_rigid}, study_.after, rows);
      for (std::size_t k = 0; k < lanes; ++k)
        for (const Measure& measure : measures)
          found[k].sizes.push_back(comparison.sizes(measure, k, share, share));
    }
    return found;
  }

 private:
  LaneMotion rigid_motion(double factor) const {
    const SolverSpec& s = study_.solvers;
    const LaneProblem problem = rigid_lanes(rigid_frames_, members_, study_.model.nq);
    return solve_radau_lanes(
        *problem.rate, problem.y0, 0.0, study_.time.end,
        solve_options(study_, {factor * s.rigid_rtol, factor * s.rigid_atol}, stop_requested_));
  }
  LaneMotion compliant_motion(double epsilon, bool tighter) const {
    const SolverSpec& s = study_.solvers;
    const LaneProblem problem = compliant_lanes(frames_, members_, epsilon, study_.model.nq);
    return solve_radau_lanes(
        *problem.rate, problem.y0, 0.0, study_.time.end,
        solve_options(study_, s.tolerance_of(s.compliant.front(), tighter), stop_requested_));
  }
  static void take_end(const LaneMotion& motion, std::array<MemberSizes, lanes>& found) {
    for (MemberSizes& member : found) member.outcomes.push_back(motion.outcome);
  }

  const RollingStudy& study_;
  const LaneMembers& members_;
  const std::function<bool()>& stop_requested_;
  std::shared_ptr<LaneFrames> frames_, rigid_frames_;
};

/// A member alone in all lanes.
MemberSizes sizes_alone(const RollingStudy& study, const LaneMember& member,
                        const std::function<bool()>& stop_requested) {
  LaneMembers same;
  same.fill(member);
  try {
    return LaneSolves(study, same, stop_requested).sizes()[0];
  } catch (const InputError&) {  // the variables become singular
    const std::size_t count = study.epsilons.size();
    return {.sizes = std::vector<ErrorSizes>(count * ensemble_measures(study).size()),
            .outcomes = std::vector<Outcome>(1 + count, Outcome::singular_matrix)};
  }
}

}  // namespace

Outcome MemberSizes::outcome() const {
  const auto failed =
      std::ranges::find_if(outcomes, [](Outcome one) { return one != Outcome::success; });
  return failed == outcomes.end() ? Outcome::success : *failed;
}

std::vector<Measure> ensemble_measures(const RollingStudy& study) {
  std::vector<Measure> all;
  for (const Quantity quantity : quantities_of(study.system->info))
    for (const Window window : rolling_windows) all.push_back({quantity, Norm::sup, window});
  for (const Measure& component : study.components)
    if (component.norm == Norm::sup) all.push_back(component);
  return all;
}

std::array<MemberSizes, Pack::lanes> sizes_of_lanes(const RollingStudy& study,
                                                    const LaneMembers& members,
                                                    const std::function<bool()>& stop_requested) {
  std::array<MemberSizes, lanes> found;
  try {
    found = LaneSolves(study, members, stop_requested).sizes();
    if (found[0].outcome() == Outcome::success) return found;
  } catch (const InputError&) {
  }
  if (stop_requested && stop_requested()) return found;
  for (std::size_t k = 0; k < lanes; ++k) found[k] = sizes_alone(study, members[k], stop_requested);
  return found;
}

}  // namespace rigidlimit
