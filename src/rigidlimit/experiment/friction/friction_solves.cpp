#include "rigidlimit/experiment/friction/friction_solves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/experiment/friction/friction_pair.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/friction/step_checks.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"

namespace rigidlimit {

namespace {

std::string friction_physics_text(const FrictionStudy& study) {
  std::string text = fmt::format("system {}\n", study.system->info.name);
  const std::vector<ParameterInfo> parameters = study.system->frictional_parameters();
  for (std::size_t k = 0; k < parameters.size(); ++k)
    text += fmt::format("{} = {}\n", parameters[k].name, study.parameters[k]);
  text += origin_text(*study.system, *study.model.smooth.recorded);
  return text + fmt::format("q {}\nv {}\nequations {}", exact_text(study.initial.q),
                            exact_text(study.initial.v), fingerprint(study.model, study.initial));
}

std::string friction_contact_text(const FrictionContact& contact) {
  return fmt::format("C_t {}\nC_n {}\nratio {}\nbeta {}\ncreep {}",
                     exact_text(contact.tangential_stiffness), exact_text(contact.normal_stiffness),
                     contact.damping_ratio, contact.plastic_exponent, contact.creep);
}

std::string options_text(const NonsmoothOptions& o) {
  return fmt::format(
      "stiff={} rtol={} atol={} max_steps={} gap={} speed={} max_events={} accumulation={} "
      "compliance={}",
      o.stiff_method, o.rtol, o.atol, o.max_steps, o.gap_tolerance, o.speed_tolerance, o.max_events,
      o.accumulation_time, exact_text(o.compliance));
}

/// How events are searched. A stored motion of another search may have missed one.
constexpr const char* search = "search=ranges";

}  // namespace

std::string fingerprint(const FrictionalSystem& system, const InitialState& at) {
  std::string text = fingerprint(system.smooth, at) + "\n";
  for (const ContactPoint& c : system.contacts)
    text += fmt::format("{} {} {} {} {} {}\n", c.name, c.first, c.components,
                        static_cast<int>(c.normal), c.friction, c.restitution);
  VectorXd q = at.q, v = at.v;
  VectorXd gap(system.nc()), drift(system.nc()), force(system.nc()), kinks(system.kink_count);
  MatrixXd rows(system.nc(), system.smooth.n);
  const ContactGeometry& geometry = *system.geometry;
  for (const double t : {0.0, 0.5, 1.5}) {
    geometry.gap(q, gap);
    geometry.normal_rows(q, rows);
    geometry.normal_drift(q, v, drift);
    geometry.normal_force(q, v, t, force);
    if (system.kinks) system.kinks(q, kinks);
    for (const MatrixXd& term :
         {MatrixXd(gap), rows, MatrixXd(drift), MatrixXd(force), MatrixXd(kinks)})
      text += rounded_text(term) + "\n";
    move_to_next_state(q, v);
  }
  return content_hash(text);
}

FrictionIdentities::FrictionIdentities(const FrictionStudy& study)
    : study_(study),
      physics_(content_hash(friction_physics_text(study))),
      contact_(content_hash(friction_contact_text(study.contact))) {}

SolveIdentity FrictionIdentities::event_driven(const NonsmoothOptions& options,
                                               const std::string& grid) const {
  return {
      .kind = SolveIdentity::Kind::event_driven,
      .solver = options.method,
      .rtol = options.rtol,
      .atol = options.atol,
      .grid = grid,
      .determinants = fmt::format("kind=event_driven {} physics={} solver={} {} grid={}", search,
                                  physics_, options.method, options_text(options), grid)};
}

SolveIdentity FrictionIdentities::moreau_jean(double step, const NonsmoothOptions& options,
                                              const std::string& grid) const {
  return {.kind = SolveIdentity::Kind::moreau_jean,
          .solver = fmt::format("h = {:.6g}", step),
          .grid = grid,
          .determinants = fmt::format("kind=moreau_jean physics={} step={} {} grid={}", physics_,
                                      step, options_text(options), grid)};
}

SolveIdentity FrictionIdentities::compliant(const ComparedLaw& law, const std::string& solver,
                                            double epsilon, bool tighter,
                                            const std::string& grid) const {
  const FrictionSolvers& s = study_.solvers;
  const double factor = tighter ? s.tighten : 1.0;
  SolveIdentity identity{.kind = SolveIdentity::Kind::compliant,
                         .law = text_of(law),
                         .solver = solver,
                         .epsilon = epsilon,
                         .tighter = tighter,
                         .rtol = factor * s.rtol,
                         .atol = factor * s.atol,
                         .grid = grid};
  identity.determinants = fmt::format(
      "kind=friction_compliant {} physics={} contact={} friction={} power={} epsilon={} solver={} "
      "rtol={} atol={} max_steps={} located={} grid={}",
      search, physics_, contact_, name_of(law.friction), law.tangential_power, epsilon, solver,
      identity.rtol, identity.atol, s.max_steps, s.locate_kinks, grid);
  return identity;
}

namespace {

std::vector<FrictionPair> planned_pairs(const FrictionStudy& study) {
  std::vector<FrictionPair> pairs;
  for (std::size_t e = 0; e < study.epsilons.size(); ++e)
    for (std::size_t law = 0; law < study.contact.laws.size(); ++law)
      for (const std::string& solver : study.solvers.compliant) {
        FrictionPair& pair = pairs.emplace_back(FrictionPair{.law = law, .epsilon = e});
        for (FrictionMotion* one : {&pair.base, &pair.tighter}) {
          one->solve.law = study.contact.laws[law];
          one->solve.solver = solver;
          one->solve.epsilon = study.epsilons[e];
          one->solve.tighter = one == &pair.tighter;
        }
      }
  return pairs;
}

/// The result of the first stage without events.
NonsmoothMotion eventless() {
  NonsmoothMotion motion;
  motion.outcome = Outcome::success;
  return motion;
}

}  // namespace

FrictionTasks::FrictionTasks(const FrictionStudy& study, const RunOptions& options,
                             PairSolved pair_solved)
    : study_(study),
      options_(options),
      pair_solved_(std::move(pair_solved)),
      identities_(study),
      uniform_(uniform_grid(study.time.end, study.time.samples)) {
  add_event_driven(1.0, uniform_, begun_);
  first_.swap(rest_);
}

SolveStage FrictionTasks::next_stage() {
  if (begins_) {
    begins_ = false;
    return {.tasks = pointers_to(first_), .decides = true};
  }
  plan_rest();
  return {pointers_to(rest_)};
}

void FrictionTasks::plan_rest() {
  known_ = begun_.outcome != Outcome::not_run;
  side_ = rigid_side_of(study_, known_ ? begun_ : eventless());
  if (study_.compares_modes_only()) {
    add_steps();
    grids_.assign(study_.epsilons.size(), uniform_);
    hashes_.assign(study_.epsilons.size(), grid_hash(uniform_));
    add_pairs();
    return;
  }
  if (!(side_.end > 0.0)) return;
  add_rigid();
  if (study_.epsilons.empty()) return;
  for (const double epsilon : study_.epsilons)
    grids_.push_back(friction_grid(study_.time, side_.end, epsilon, side_.windows.events));
  for (const auto& grid : grids_) hashes_.push_back(grid_hash(grid));
  side_.times = union_of(grids_);
  add_judged();
  add_pairs();
}

/// The time stepping is compared with the whole motion, beyond the compared part as well.
void FrictionTasks::add_rigid() {
  if (side_.report.motion.outcome != Outcome::success) {
    early_ = uniform_grid(side_.end, study_.time.samples);
    add_event_driven(1.0, early_, until_end_);
  }
  add_steps();
}

void FrictionTasks::add_steps() {
  stepped_.resize(study_.solvers.moreau_jean.size());
  for (std::size_t k = 0; k < stepped_.size(); ++k)
    add_step(study_.solvers.moreau_jean[k], stepped_[k]);
}

void FrictionTasks::add_judged() {
  compared_.push_back(add_event_driven(1.0, side_.times, driven_));
  by_formula_ = known_history(study_, side_).has_value();
  if (!by_formula_) compared_.push_back(add_event_driven(rigid_loosening, side_.times, loose_));
}

/// The smallest ε first: its solves are the longest.
void FrictionTasks::add_pairs() {
  pairs_ = planned_pairs(study_);
  for (auto at = pairs_.rbegin(); at != pairs_.rend(); ++at) {
    FrictionPair& pair = *at;
    std::vector<FrictionMotion*> motions{&pair.tighter, &pair.base};
    if (study_.compares_modes_only()) motions = {&pair.base};  // no error, so no error bar
    const FrictionSolve& base = pair.base.solve;
    Task& task = rest_.emplace_back(Task{
        .solves = {},
        .what = fmt::format("{}, ε = {:.3g}", text_of(base.law), base.epsilon),
        .take =
            [this, &pair, motions](std::vector<SolveRecord> records) {
              for (std::size_t k = 0; k < motions.size(); ++k)
                take_record(std::move(records[k]), study_.model, grids_[pair.epsilon], *motions[k]);
              pair_solved_(pair);
            },
        .after = compared_});
    for (const FrictionMotion* one : motions) task.solves.push_back(solve_of(*one, pair.epsilon));
  }
}

const Task* FrictionTasks::add_event_driven(double factor, const std::vector<double>& times,
                                            NonsmoothMotion& motion) {
  const NonsmoothOptions how = rigid_options(study_, factor, options_.stop_requested);
  return &rest_.emplace_back(single_task(
      {.identity = identities_.event_driven(how, grid_hash(times)),
       .times = &times,
       .run =
           [this, how, &times] {
             return record_of(event_driven_motion(study_.model, study_.initial, times, how),
                              study_.model);
           }},
      fmt::format("rigid, {}", how.method), [this, &times, &motion](SolveRecord record) {
        motion = nonsmooth_motion_of(std::move(record), study_.model, times);
      }));
}

void FrictionTasks::add_step(double wanted, NonsmoothMotion& motion) {
  const std::vector<double>& times = early_.empty() ? uniform_ : early_;
  const double step = whole_step(wanted, times);
  NonsmoothOptions how;
  how.compliance = redundant_compliance(study_);
  how.stop_requested = options_.stop_requested;
  rest_.push_back(single_task(
      {.identity = identities_.moreau_jean(step, how, grid_hash(times)),
       .times = &times,
       .run =
           [this, how, step, &times] {
             return record_of(moreau_jean_motion(study_.model, study_.initial, times, step, how),
                              study_.model);
           }},
      fmt::format("time stepping, h = {:.4g}", step), [this, &times, &motion](SolveRecord record) {
        motion = nonsmooth_motion_of(std::move(record), study_.model, times);
      }));
}

Solve FrictionTasks::solve_of(const FrictionMotion& one, std::size_t epsilon) {
  const FrictionSolve& s = one.solve;
  const std::vector<double>& times = grids_[epsilon];
  return {
      .identity = identities_.compliant(s.law, s.solver, s.epsilon, s.tighter, hashes_[epsilon]),
      .times = &times,
      .run = [this, &one, &times] {
        return record_of(solve_compliant(study_, one, times, options_.stop_requested));
      }};
}

void FrictionTasks::set_judged() {
  if (!driven_.motion.times.empty() && (by_formula_ || !loose_.motion.times.empty()))
    rigidlimit::set_judged(study_, driven_, loose_, side_);
}

void FrictionTasks::check_steps() {
  if (!(side_.end > 0.0) && !study_.compares_modes_only()) return;
  side_.samples = early_.empty() ? side_.report.motion.motion : std::move(until_end_.motion);
  if (side_.samples.times.size() > 1)
    side_.report.steps = step_checks(study_, side_.samples, side_.windows, stepped_);
}

}  // namespace rigidlimit
