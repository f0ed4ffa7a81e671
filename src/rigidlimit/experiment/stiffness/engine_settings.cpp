#include "rigidlimit/experiment/stiffness/engine_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/given_unit.hpp"
#include "rigidlimit/core/suggest.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/experiment/stiffness/body_shape.hpp"
#include "rigidlimit/formulations/rigid/rigid_eliminated.hpp"
#include "rigidlimit/solvers/catalogue.hpp"

namespace rigidlimit {

namespace {

using Friction = FrictionalLaw::Friction;
using Settings = std::vector<EngineSetting>;

constexpr double step_share = 0.02;       // of the wanted error: that of the steps
constexpr double sink_share = 1e-3;       // of it: the deflection of the normal spring at rest
constexpr double most_steps = 1e8;        // of a run
constexpr double least_accuracy = 1e-14;  // of CENIC: below, its error estimate is rounding
constexpr double usual_accuracy = 1e-4;   // of Drake's SimulatorConfig; none is looser

/// One contact in the numbers that engines take.
struct EngineContact {
  double mass, normal_force;        // kg, N
  double friction = std::nan("");   // μ; NaN: the contact never slides
  double stiffness = std::nan("");  // N/m, tangential
  double damping = std::nan("");    // N s/m, tangential: at rest μ p/δ of a law that creeps
  double creep = std::nan("");      // δ, m/s
  double normal_stiffness = std::nan(""), normal_damping = std::nan("");  // of a contact that opens

  bool opens() const { return !std::isnan(normal_stiffness); }
};

/// The scales of the rigid motion and of the contact that a run resolves.
struct EngineRun {
  double end = 0.0;       // s
  double error = 0.0;     // the least wanted one, m or rad
  double slow = 0.0;      // s: least of wanted error over change of speed; half of it is the error
                          // of steps of order 1 per step
  double turn = 0.0;      // least of (wanted error)²/largest acceleration
  double smooth = 0.0;    // s: the step of order 2 with a share of the error; infinite: not known
  double resolved = 0.0;  // s: in which the fastest contact decays or swings by a radian
  double far = 0.0;       // largest wanted coordinate, m or rad
  bool rests = false;     // the rigid body moves by less than its share of the error
};

}  // namespace

struct Engine {
  const char* name;
  const char* title;
  const char* law_of_rolling;  ///< "" : none
  Friction law_of_friction;
  const char* refusal_of_rolling;  ///< where it has no law of rolling
  const char* refusal_of_impacts;  ///< "": it has them
  const char* refusal_of_loss;     ///< of impacts with restitution below 1; "": it has them
  bool any_body;                   ///< its contact has bodies of any shape, else discs and balls
  bool disc_in_space;
  EngineAnswer (*settings)(const EngineContact&, const EngineRun&);
};

namespace {

/// Equal steps of at most `step`.
struct Steps {
  double count, size;

  Steps(const EngineRun& run, double step)
      : count(std::ceil(run.end / step)), size(run.end / count) {}

  std::string text() const { return fmt::format("{:.0f} steps of {:.4g} s", count, size); }
  /// Empty if a run can have them.
  std::string refusal() const {
    if (count <= most_steps) return {};
    return fmt::format(
        "a run of {:.3g} s needs {:.2g} steps of {:.2g} s; beyond {:.0e} none is proposed",
        count * size, count, size, most_steps);
  }
};

void add_timestep(const Steps& steps, EngineAnswer& answer) {
  answer.settings.push_back(
      {.name = "timestep", .number = steps.size, .unit = "s", .meaning = steps.text()});
  if (answer.refusal.empty()) answer.refusal = steps.refusal();
}

EngineAnswer of_exudyn(const EngineContact& contact, const EngineRun& run) {
  EngineAnswer answer;
  Settings& settings = answer.settings;
  constexpr double stiffest = 1e8;  // N/m for 1 kg: at 1e9 N/m its solver ends
  const double softest = contact.normal_force / (0.1 * run.error);
  const double spring = contact.opens() ? contact.normal_stiffness
                                        : std::min(contact.normal_force / (sink_share * run.error),
                                                   stiffest * contact.mass);
  const double damper =
      contact.opens() ? contact.normal_damping : 2.0 * std::sqrt(spring * contact.mass);
  if (!contact.opens() && spring < softest)
    answer.refusal = fmt::format(
        "its normal spring is at most {:.0e} N/m, beyond which its solver ends; it sinks by "
        "{:.2g} m, more than a tenth of the wanted error",
        stiffest * contact.mass, contact.normal_force / spring);
  if (std::isnan(contact.friction)) {
    settings.push_back({.name = "viscousFriction",
                        .number = contact.damping / contact.normal_force,
                        .unit = "s/m",
                        .meaning = "both entries; the damping over the normal force"});
  } else {
    settings.push_back({.name = "dryFriction",
                        .number = contact.friction,
                        .meaning = "both entries; the friction coefficient"});
    settings.push_back({.name = "dryFrictionProportionalZone",
                        .number = contact.creep,
                        .unit = "m/s",
                        .meaning = "the creep speed"});
    settings.push_back(
        {.name = "useLinearProportionalZone", .word = "True", .meaning = "a damper below it"});
  }
  settings.push_back(
      {.name = "contactStiffness",
       .number = spring,
       .unit = "N/m",
       .meaning = contact.opens() ? "the normal spring" : "of a contact that stays closed"});
  settings.push_back({.name = "contactDamping",
                      .number = damper,
                      .unit = "N s/m",
                      .meaning = contact.opens() ? "the normal damper" : "near critical"});
  settings.push_back({.name = "discontinuous.iterationTolerance",
                      .number = 1e-6,
                      .meaning = "1 by default, too loose"});
  double step = std::isnan(contact.friction) ? run.smooth : run.resolved;
  if (contact.opens()) step = std::min(0.02 * run.resolved, step_share * run.slow);
  const Steps steps(run, std::min(step, run.end / 2000.0));
  settings.push_back({.name = "numberOfSteps", .number = steps.count, .meaning = steps.text()});
  if (answer.refusal.empty()) answer.refusal = steps.refusal();
  return answer;
}

/// MuJoCo's parameters of one contact.
struct MujocoContact {
  /// solref: minus stiffness and minus damping, or a time constant and a damping ratio.
  EngineSetting first, second;
  double impedance, ratio;  // d, impratio
  double step;              // s
  std::string refusal = {};
};

MujocoContact with_spring(double stiffness, double damping, double impedance, double ratio,
                          double step) {
  return {.first = {.number = -stiffness, .unit = "1/s^2", .meaning = "minus stiffness"},
          .second = {.number = -damping, .unit = "1/s", .meaning = "minus damping"},
          .impedance = impedance,
          .ratio = ratio,
          .step = step};
}

/// A damper D of a contact that slides or rolls: the friction rows have the softness R and the
/// reference acceleration −b w, so that F = (a₀ + b w)/(A + R), which tends to (b/R) w for R ≫ A.
/// R = (1 − d)/(d m impratio).
MujocoContact damper_of_mujoco(const EngineContact& contact, const EngineRun& run) {
  // R m. The creep of a contact that rolls is (R/b) F at any R.
  const double softness = std::isnan(contact.friction) ? 10.0 : 50.0;
  const double impedance = 0.99, ratio = (1.0 - impedance) / impedance / softness;
  const double b = contact.damping * softness / contact.mass;
  const double damping = b * impedance;
  double stiffness = 0.25 * damping * damping;
  // Soft enough for a gap that rounds in double precision. While a contact slides, the elliptic
  // cone lifts the body, which a soft spring does not stop.
  if (std::isnan(contact.friction))
    stiffness = std::min(stiffness, (1.0 - impedance) * contact.normal_force / contact.mass /
                                        (sink_share * run.error));
  return with_spring(stiffness, damping, impedance, ratio, std::min(1.0 / b, run.end / 2e4));
}

/// A damper D under a load that rests. The rows of friction demand a + R F = b w of the load F and
/// the creep w against it. Steady creep, a = 0, has F = (b/R) w for every R, and it is reached
/// within 1/b at R ≪ A. With b = 2/(d timeconst) and R = (1 − d)/(d m impratio):
///
///   D = b/R = 2 m impratio/((1 − d) timeconst)
///
/// The step has no part in it. It resolves the time constant, which is much shorter than the run.
MujocoContact rest_of_mujoco(const EngineContact& contact, const EngineRun& run) {
  constexpr double usual_time = 0.02, hard = 1e-3, softest = 0.1;  // s; 1 − d
  const double time = std::min(usual_time, run.end / 100.0);
  const double of_one = 2.0 * contact.mass / (time * contact.damping);  // (1 − d)/impratio
  const double soft = std::clamp(of_one, hard, softest);
  return {.first = {.number = time, .unit = "s", .meaning = "the time constant"},
          .second = {.number = 1.0, .meaning = "the damping ratio"},
          .impedance = 1.0 - soft,
          .ratio = std::max(1.0, soft / of_one),
          .step = time / 20.0};
}

/// A normal spring: the force is m (damping g' + stiffness g − d a₀), so d is small.
MujocoContact impact_of_mujoco(const EngineContact& contact, const EngineRun& run) {
  constexpr double impedance = 0.01, ratio = 100.0;  // friction a hundred times as stiff as the
                                                     // normal damper
  const double damping = contact.normal_damping / contact.mass;
  // The greatest eigenvalue is that of friction: A b/(A + R) < b, with b = damping/d.
  // Steps pass the jump of the damper when a contact begins: an error of 6 T Δv (h/resolved)³,
  // measured on the disc that bounces.
  const double step = std::min(0.5 * impedance / damping,
                               run.resolved * std::cbrt(0.4 * step_share * run.slow / run.end));
  MujocoContact found =
      with_spring(contact.normal_stiffness / contact.mass, damping, impedance, ratio, step);
  if (contact.normal_damping == 0.0)
    found.refusal =
        "MuJoCo's friction needs a damper in the normal contact, and restitution 1 has none";
  return found;
}

EngineAnswer of_mujoco(const EngineContact& contact, const EngineRun& run) {
  MujocoContact found = contact.opens() ? impact_of_mujoco(contact, run)
                        : run.rests     ? rest_of_mujoco(contact, run)
                                        : damper_of_mujoco(contact, run);
  found.first.name = "solref[0]";
  found.second.name = "solref[1]";
  EngineAnswer answer;
  answer.refusal = found.refusal;
  answer.settings = {
      found.first,
      found.second,
      {.name = "solimp[0]", .number = found.impedance, .meaning = "and solimp[1]: the impedance"},
      {.name = "impratio",
       .number = found.ratio,
       .meaning = "softness of normal over friction rows"},
      {.name = "friction",
       .number = std::isnan(contact.friction) ? 5.0 : contact.friction,
       .meaning = std::isnan(contact.friction) ? "large, so that the contact never slides"
                                               : "the friction coefficient"},
      {.name = "cone", .word = "elliptic", .meaning = "of <option>"},
      {.name = "integrator", .word = "RK4", .meaning = "of <option>"}};
  add_timestep(Steps(run, found.step), answer);
  return answer;
}

EngineAnswer of_drake(const EngineContact& contact, const EngineRun& run) {
  EngineAnswer answer;
  // Steps h of order 1 with the local error h² |q''|/2 = accuracy give T √(accuracy |q''|/2).
  const double share = 5.0 * step_share;  // the bound is generous by several times
  // A body without acceleration has no such error.
  const double accuracy =
      std::min(usual_accuracy, 2.0 * share * share * run.turn / (run.end * run.end));
  if (accuracy < least_accuracy)
    answer.refusal = fmt::format(
        "the accuracy of CENIC would be {:.2g}, and below {:.0e} its error estimate is "
        "rounding; it reaches {:.2g}",
        accuracy, least_accuracy, run.error * std::sqrt(least_accuracy / accuracy));
  answer.settings = {
      {.name = "stiction_tolerance",
       .number = contact.creep,
       .unit = "m/s",
       .meaning = "of set_stiction_tolerance: the creep speed"},
      {.name = "friction", .number = contact.friction, .meaning = "static and dynamic"},
      {.name = "point_contact_stiffness",
       .number = 2.0 * contact.normal_force / (sink_share * run.error),
       .unit = "N/m",
       .meaning = "of both bodies; sinks by a thousandth of the wanted error"},
      {.name = "hunt_crossley_dissipation", .number = 0.0, .unit = "s/m", .meaning = "of both"},
      {.name = "integration_scheme", .word = "cenic", .meaning = "of SimulatorConfig"},
      {.name = "accuracy", .number = accuracy, .meaning = "of SimulatorConfig"},
      {.name = "max_step_size", .number = 0.1, .unit = "s", .meaning = "of SimulatorConfig"}};
  return answer;
}

EngineAnswer of_lammps(const EngineContact& contact, const EngineRun& run) {
  EngineAnswer answer;
  const double spring = contact.opens()
                            ? contact.normal_stiffness
                            : std::max(10.0 * contact.stiffness,
                                       contact.normal_force / (10.0 * sink_share * run.error));
  const double damper = contact.opens() ? contact.normal_damping / contact.mass
                                        : 2.0 * std::sqrt(spring / contact.mass);
  if (!(damper > 0.0))
    answer.refusal =
        "the tangential damper of LAMMPS is a multiple of the normal one, and restitution 1 has "
        "none";
  answer.settings = {
      {.name = "K", .number = spring, .unit = "N/m", .meaning = "granular hooke K gamma_n"},
      {.name = "gamma_n", .number = damper, .unit = "1/s", .meaning = "granular hooke K gamma_n"},
      {.name = "damping",
       .word = contact.opens() ? "mass_velocity limit_damping" : "mass_velocity",
       .meaning = "damping mass_velocity"},
      {.name = "k_t",
       .number = contact.stiffness,
       .unit = "N/m",
       .meaning = "tangential linear_history k_t x_t mu"},
      {.name = "x_t",
       .number = contact.damping / contact.mass / damper,
       .meaning = "tangential linear_history k_t x_t mu"},
      {.name = "mu",
       .number = std::isnan(contact.friction) ? 1e3 : contact.friction,
       .meaning = std::isnan(contact.friction) ? "large, so that the contact never slides"
                                               : "tangential linear_history k_t x_t mu"}};
  const double swing = std::sqrt(contact.mass / spring);
  const double step = std::min(
      {2.0 * step_share * run.slow, (contact.opens() ? 0.02 : 0.2) * swing, 0.2 * run.resolved});
  add_timestep(Steps(run, step), answer);
  return answer;
}

/// Newton's semi-implicit Euler steps in single precision. Half a step times the change of speed is
/// the error of steps of h; each of the T/h steps rounds the position, x/2 in the mean, to 24 bits:
///
///   h Δv/2 + (T/h) 2⁻²⁴ x/2
///
/// The step has the least sum, or is shorter where the damper or the normal spring needs it.
EngineAnswer of_newton(const EngineContact& contact, const EngineRun& run) {
  constexpr double rounding = 0x1p-25, most_share = 0.2;  // of the wanted error
  const double change = run.error / run.slow, rounded = run.end * rounding * run.far;
  const double least = change > 0.0 ? std::sqrt(2.0 * rounded / change) : run.resolved;
  const Steps steps(run, std::min({least, 0.2 * run.resolved, run.end / 1000.0}));
  const double error = 0.5 * steps.size * change + rounded / steps.size;
  const double spring = 0.25 * contact.mass / (steps.size * steps.size);
  EngineAnswer answer;
  if (error > most_share * run.error)
    answer.refusal = fmt::format(
        "it keeps positions in single precision, and steps of {:.2g} s have an error of up to "
        "{:.2g}, more than a fifth of the wanted one",
        steps.size, error);
  answer.settings = {
      {.name = "kf",
       .number = contact.damping,
       .unit = "N s/m",
       .meaning = "of both shapes; the damper along the plane"},
      {.name = "mu", .number = contact.friction, .meaning = "of both: the friction coefficient"},
      {.name = "ke",
       .number = spring,
       .unit = "N/m",
       .meaning = "of both; the step is half of its swing by a radian"},
      {.name = "kd",
       .number = 2.0 * std::sqrt(spring * contact.mass),
       .unit = "N s/m",
       .meaning = "of both; critical"},
      {.name = "angular_damping", .number = 0.0, .unit = "1/s", .meaning = "0.05 by default"}};
  add_timestep(steps, answer);
  return answer;
}

const std::vector<Engine>& engines() {
  static const std::vector<Engine> all{
      {.name = "drake",
       .title = "Drake, CENIC",
       .law_of_rolling = "",
       .law_of_friction = Friction::smoothed,
       .refusal_of_rolling =
           "Drake's contact is Coulomb's friction: take a friction study. For a body that turns, "
           "the error of its steps is 26 m/s times the step on our disc, which hides each law",
       .refusal_of_impacts = "Drake's normal damper is that of Hunt and Crossley, which no law of "
                             "this program has",
       .refusal_of_loss = "",
       .any_body = true,
       .disc_in_space = true,
       .settings = of_drake},
      {.name = "exudyn",
       .title = "EXUDYN, CreateRollingDiscPenalty",
       .law_of_rolling = "viscous",
       .law_of_friction = Friction::regularised,
       .refusal_of_rolling = "",
       .refusal_of_impacts = "",
       .refusal_of_loss = "EXUDYN's normal damper pulls at the end of a contact, ours does not: "
                          "another restitution; restitution = 1 has no damper",
       .any_body = false,
       .disc_in_space = true,
       .settings = of_exudyn},
      {.name = "lammps",
       .title = "LAMMPS, fix wall/gran granular",
       .law_of_rolling = "viscoelastic",
       .law_of_friction = Friction::projected,
       .refusal_of_rolling = "",
       .refusal_of_impacts = "",
       .refusal_of_loss = "",
       .any_body = false,
       .disc_in_space = false,
       .settings = of_lammps},
      {.name = "mujoco",
       .title = "MuJoCo",
       .law_of_rolling = "viscous",
       .law_of_friction = Friction::regularised,
       .refusal_of_rolling = "",
       .refusal_of_impacts = "",
       .refusal_of_loss = "",
       .any_body = true,
       .disc_in_space = true,
       .settings = of_mujoco},
      {.name = "newton",
       .title = "Newton, SolverSemiImplicit",
       .law_of_rolling = "",
       .law_of_friction = Friction::regularised,
       .refusal_of_rolling =
           "Newton keeps its state in single precision: on our disc rounding and steps leave "
           "1e-2 m, which hides each law. Take a friction study",
       .refusal_of_impacts = "Newton's normal damper acts in compression alone, ours in both: "
                             "another restitution",
       .refusal_of_loss = "",
       .any_body = true,
       .disc_in_space = true,
       .settings = of_newton}};
  return all;
}

void pose(const Engine& engine, RollingStudy& study) {
  const std::string law = engine.law_of_rolling;
  if (law.empty()) throw InputError(engine.refusal_of_rolling, study.name);
  study.contact.laws = {law};
  if (law != "viscous") return;
  study.contact.damping_ratio.reset();
  study.contact.damping = MatrixXd::Identity(study.model.m, study.model.m);
}

void pose(const Engine& engine, FrictionStudy& study) {
  if (has_unilateral_contact(study)) {
    if (*engine.refusal_of_impacts) throw InputError(engine.refusal_of_impacts, study.name);
    const bool loses = std::ranges::any_of(study.model.contacts, [](const ContactPoint& contact) {
      return contact.restitution < 1.0;
    });
    if (loses && *engine.refusal_of_loss) throw InputError(engine.refusal_of_loss, study.name);
  }
  const double power = study.contact.laws.front().tangential_power;
  study.contact.laws = {{engine.law_of_friction, power}};
}

double mass_of(const PairStudy& study, const EngineBody& body) {
  if (!std::isnan(body.mass)) return body.mass;
  const std::vector<ParameterInfo> infos = system_of(study).frictional_parameters();
  const auto& values =
      std::visit([](const auto& s) -> const std::vector<double>& { return s.parameters; }, study);
  for (std::size_t k = 0; k < std::min(infos.size(), values.size()); ++k)
    if (infos[k].name == "mass") return value_in_si(values[k], infos[k].unit);
  throw InputError("the system has no parameter `mass`; give the mass of the body", "mass");
}

/// One number for all: engines have one contact model for all directions.
double common(const VectorXd& values, const char* what, const PairStudy& study) {
  if ((values.array() - values(0)).abs().maxCoeff() > 1e-9 * std::abs(values(0)))
    throw InputError(fmt::format("the {} of the contacts differs, and an engine has one for all "
                                 "directions; set contact.{} to one value",
                                 what, what),
                     name_of(study));
  return values(0);
}

EngineContact contact_for(const PairStudy& study, const FoundContact& found,
                          const EngineBody& body) {
  for (const auto& [value, name] :
       {std::pair(body.mass, "mass"), std::pair(body.normal_force, "normal_force")})
    if (!std::isnan(value) && !(value > 0.0 && std::isfinite(value)))
      throw InputError(fmt::format("{} must be a number > 0", value), name);
  EngineContact contact{.mass = mass_of(study, body), .normal_force = body.normal_force};
  if (found.frictional.empty()) {
    if (std::isnan(body.normal_force))
      throw InputError("a rolling study has no normal force; give it in N", "normal_force");
    contact.damping = common(found.rolling.damping.diagonal(), "damping", study);
    if (found.rolling.stiffness.size() > 0)
      contact.stiffness = common(found.rolling.stiffness.diagonal(), "stiffness", study);
    return contact;
  }
  if (found.frictional.size() > 1)
    throw InputError("has several contacts; engine settings need one", name_of(study));
  const FrictionalValues& values = found.frictional.front();
  if (std::isnan(contact.normal_force)) contact.normal_force = values.normal_force;
  contact.friction = values.friction;
  contact.stiffness = values.stiffness;
  contact.creep = values.creep;
  contact.damping = std::isnan(values.creep)
                        ? values.damping
                        : values.friction * contact.normal_force / values.creep;
  contact.normal_stiffness = values.normal_stiffness;
  contact.normal_damping = values.normal_damping;
  return contact;
}

/// c in m/s² of the error c h² of generalised-alpha steps h, of the rigid motion, for each
/// coordinate. Empty: not known.
VectorXd error_of_steps(const PairStudy& study, const Motion& rigid) {
  const RollingStudy* const rolling = rolling_study(study);
  if (!rolling) return {};
  const double end = rigid.times.back();
  const MotionProblem<OdeProblem> problem = rigid_eliminated(rolling->model, rigid_start(*rolling));
  const auto solved = [&](double step) {
    return problem
        .motion(find_ode_method("trapezoidal_rule")
                    ->solve(problem.problem, rigid.times,
                            {.rtol = 1e-10, .atol = 1e-12, .fixed_step = step}))
        .q;
  };
  const double step = end / (20.0 * static_cast<double>(rigid.times.size() - 1));
  const MatrixXd change = solved(step) - solved(0.5 * step);
  if (!change.allFinite()) return {};
  return change.cwiseAbs().rowwise().maxCoeff() / (0.75 * step * step);
}

EngineRun run_for(const PairStudy& study, const std::vector<WantedError>& wanted,
                  const ContactTimes& times, const Motion& rigid) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  EngineRun run{.end = rigid.times.back(),
                .error = infinite,
                .slow = infinite,
                .turn = infinite,
                .smooth = infinite,
                .resolved = times.largest_step / 2.8};
  const auto count = static_cast<Index>(rigid.times.size());
  const VectorXd of_steps = error_of_steps(study, rigid);
  for (const WantedError& one : wanted) {
    run.error = std::min(run.error, one.size);
    const Index first = std::max<Index>(one.measure.row, 0);
    const Index last = one.measure.row < 0 ? rigid.q.rows() - 1 : first;
    for (Index i = first; i <= last; ++i) {
      const auto speed = [&](Index k) {
        return (rigid.q(i, k + 1) - rigid.q(i, k)) / (rigid.times[static_cast<std::size_t>(k + 1)] -
                                                      rigid.times[static_cast<std::size_t>(k)]);
      };
      double change = 0.0, acceleration = 0.0;
      for (Index k = 0; k + 1 < count; ++k) {
        change = std::max(change, std::abs(speed(k) - speed(0)));
        if (k + 2 < count)
          acceleration = std::max(acceleration, std::abs(speed(k + 1) - speed(k)) * 2.0 /
                                                    (rigid.times[static_cast<std::size_t>(k + 2)] -
                                                     rigid.times[static_cast<std::size_t>(k)]));
      }
      run.slow = std::min(run.slow, one.size / change);
      run.turn = std::min(run.turn, one.size * one.size / acceleration);
      run.far = std::max(run.far, rigid.q.row(i).cwiseAbs().maxCoeff());
      if (of_steps.size() > 0)
        run.smooth = std::min(run.smooth, std::sqrt(step_share * one.size / of_steps(i)));
    }
  }
  const MatrixXd moved = rigid.q.colwise() - rigid.q.col(0);
  run.rests = moved.cwiseAbs().maxCoeff() <= sink_share * run.error;
  return run;
}

}  // namespace

std::vector<std::string> names_of_engines() {
  std::vector<std::string> names;
  for (const Engine& engine : engines()) names.emplace_back(engine.name);
  return names;
}

const Engine& engine_named(const std::string& name) {
  for (const Engine& engine : engines())
    if (name == engine.name) return engine;
  throw InputError(
      fmt::format("'{}' is not an engine{}", name, suggestion(name, names_of_engines())), "engine");
}

const char* title_of(const Engine& engine) {
  return engine.title;
}

std::string rows_without_settings(const Engine& engine, const PairStudy& study,
                                  const EngineBody& body) {
  const SystemEntry& system = system_of(study);
  const BodyShape shape = shape_of(system, body.shape);
  const bool is_disc = shape.name == "disc", in_space = system.info.contacts.size() > 1;
  if (!shape.name.empty()) {
    if (!is_disc || engine.disc_in_space || !in_space) return {};
    return fmt::format("{} has discs in the plane alone, and this one has {} contact rows",
                       engine.title, system.info.contacts.size());
  }
  if (engine.any_body && !rolling_study(study)) return {};
  std::vector<std::string> rows;
  for (const Component& row : system.info.contacts) rows.push_back("'" + row.name + "'");
  const std::string whose =
      shape.is_known ? fmt::format("are those of {}", shape.words)
                     : "are not known to be those of a disc or ball: the file does not state the "
                       "shape of the body, and the option or argument body (disc, ball) does";
  return fmt::format(
      "{}: no settings: its contact is that of a body with a surface, and the rows {} {}",
      engine.title, fmt::join(rows, ", "), whose);
}

PairStudy posed_for(const Engine& engine, PairStudy study, const std::vector<WantedError>& wanted) {
  for (const WantedError& one : wanted)
    if (one.measure.quantity != Quantity::q)
      throw InputError("the settings of an engine are found for an error of q or one coordinate",
                       "wanted");
  std::visit([&](auto& s) { pose(engine, s); }, study);
  return study;
}

EngineAnswer settings_of(const Engine& engine, const PairStudy& study,
                         const std::vector<WantedError>& wanted, const FoundContact& contact,
                         const ContactTimes& times, const Motion& rigid, EngineBody body) {
  EngineAnswer answer =
      engine.settings(contact_for(study, contact, body), run_for(study, wanted, times, rigid));
  answer.engine = &engine;
  return answer;
}

}  // namespace rigidlimit
