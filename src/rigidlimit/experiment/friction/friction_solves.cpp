#include "rigidlimit/experiment/friction/friction_solves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/friction/step_checks.hpp"
#include "rigidlimit/experiment/pair/solve_identity.hpp"
#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"

namespace rigidlimit {

namespace {

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
      physics_(hash_of_physics(*study.system, study.system->frictional_parameters(),
                               study.parameters, study.model.smooth, study.initial,
                               fingerprint(study.model, study.initial))),
      contact_(content_hash(friction_contact_text(study.contact))) {}

SolveIdentity FrictionIdentities::event_driven(const NonsmoothOptions& options,
                                               const std::string& grid) const {
  return determined({.kind = SolveIdentity::Kind::event_driven,
                     .solver = options.method,
                     .rtol = options.rtol,
                     .atol = options.atol,
                     .grid = grid},
                    fmt::format("physics={} {} {}", physics_, search, options_text(options)));
}

SolveIdentity FrictionIdentities::moreau_jean(double step, const NonsmoothOptions& options,
                                              const std::string& grid) const {
  return determined({.kind = SolveIdentity::Kind::moreau_jean,
                     .solver = fmt::format("h = {:.6g}", step),
                     .grid = grid},
                    fmt::format("physics={} step={} {}", physics_, step, options_text(options)));
}

SolveIdentity FrictionIdentities::compliant(const ComparedLaw& law, const std::string& solver,
                                            double epsilon, bool tighter,
                                            const std::string& grid) const {
  const FrictionSolvers& s = study_.solvers;
  const double factor = tighter ? s.tighten : 1.0;
  return determined(
      {.kind = SolveIdentity::Kind::compliant,
       .law = text_of(law),
       .solver = solver,
       .epsilon = epsilon,
       .tighter = tighter,
       .rtol = factor * s.rtol,
       .atol = factor * s.atol,
       .grid = grid},
      fmt::format("physics={} contact={} {} power={} max_steps={} located={}", physics_, contact_,
                  search, law.tangential_power, s.max_steps, s.locate_kinks));
}

namespace {

/// The result of the first stage without events.
NonsmoothMotion eventless() {
  NonsmoothMotion motion;
  motion.outcome = Outcome::success;
  return motion;
}

}  // namespace

RigidTasks::RigidTasks(const FrictionStudy& study, const RunOptions& options)
    : study_(study),
      options_(options),
      identities_(study),
      uniform_(uniform_grid(study.time.end, study.time.samples)) {
  add_event_driven(1.0, uniform_, begun_, first_);
}

void RigidTasks::plan_rest(std::deque<Task>& tasks) {
  known_ = begun_.outcome != Outcome::not_run;
  side_ = rigid_side_of(study_, known_ ? begun_ : eventless());
  if (study_.compares_modes_only()) {
    add_steps(tasks);
    grids_.assign(study_.epsilons.size(), uniform_);
  } else if (side_.end > 0.0) {
    add_rigid(tasks);
    for (const double epsilon : study_.epsilons)
      grids_.push_back(friction_grid(study_.time, side_.end, epsilon, side_.windows.events));
    if (!grids_.empty()) add_judged(tasks);
  }
  for (const auto& grid : grids_) hashes_.push_back(grid_hash(grid));
}

/// The time stepping is compared with the whole motion, beyond the compared part as well.
void RigidTasks::add_rigid(std::deque<Task>& tasks) {
  if (side_.report.motion.outcome != Outcome::success) {
    early_ = uniform_grid(side_.end, study_.time.samples);
    add_event_driven(1.0, early_, until_end_, tasks);
  }
  add_steps(tasks);
}

void RigidTasks::add_steps(std::deque<Task>& tasks) {
  stepped_.resize(study_.solvers.moreau_jean.size());
  for (std::size_t k = 0; k < stepped_.size(); ++k)
    add_step(study_.solvers.moreau_jean[k], stepped_[k], tasks);
}

void RigidTasks::add_judged(std::deque<Task>& tasks) {
  side_.times = union_of(grids_);
  compared_.push_back(add_event_driven(1.0, side_.times, driven_, tasks));
  by_formula_ = known_history(study_, side_).has_value();
  if (!by_formula_)
    compared_.push_back(add_event_driven(rigid_loosening, side_.times, loose_, tasks));
}

const Task* RigidTasks::add_event_driven(double factor, const std::vector<double>& times,
                                         NonsmoothMotion& motion, std::deque<Task>& tasks) {
  const NonsmoothOptions how = rigid_options(study_, factor, options_.stop_requested);
  return &tasks.emplace_back(single_task(
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

void RigidTasks::add_step(double wanted, NonsmoothMotion& motion, std::deque<Task>& tasks) {
  const std::vector<double>& times = early_.empty() ? uniform_ : early_;
  const double step = whole_step(wanted, times);
  NonsmoothOptions how;
  how.compliance = redundant_compliance(study_);
  how.stop_requested = options_.stop_requested;
  tasks.push_back(single_task(
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

Solve RigidTasks::compliant(const CompliantPair& pair, bool tighter) {
  const ComparedLaw& law = study_.contact.laws[pair.law];
  const std::string& solver = study_.solvers.compliant[pair.solver];
  const double epsilon = study_.epsilons[pair.epsilon];
  const std::vector<double>& times = grids_[pair.epsilon];
  return {.identity = identities_.compliant(law, solver, epsilon, tighter, hashes_[pair.epsilon]),
          .times = &times,
          .run = [this, &law, &solver, epsilon, tighter, &times] {
            return record_of(solve_compliant(study_, law, solver, epsilon, tighter, times,
                                             options_.stop_requested));
          }};
}

void RigidTasks::set_judged() {
  if (!driven_.motion.times.empty() && (by_formula_ || !loose_.motion.times.empty()))
    rigidlimit::set_judged(study_, driven_, loose_, side_);
}

void RigidTasks::check_steps() {
  if (!(side_.end > 0.0) && !study_.compares_modes_only()) return;
  side_.samples = early_.empty() ? side_.report.motion.motion : std::move(until_end_.motion);
  if (side_.samples.times.size() > 1)
    side_.report.steps = step_checks(study_, side_.samples, side_.windows, stepped_);
}

}  // namespace rigidlimit
