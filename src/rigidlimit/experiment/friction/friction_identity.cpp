#include "rigidlimit/experiment/friction/friction_identity.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/experiment/plan/content_hash.hpp"
#include "rigidlimit/experiment/rolling/solve_identity.hpp"

namespace rigidlimit {

namespace {

std::string physics_text(const FrictionStudy& study) {
  std::string text = fmt::format("system {}\n", study.system->info.name);
  const std::vector<ParameterInfo> parameters = study.system->frictional_parameters();
  for (std::size_t k = 0; k < parameters.size(); ++k)
    text += fmt::format("{} = {}\n", parameters[k].name, study.parameters[k]);
  text += origin_text(*study.system, *study.model.smooth.recorded);
  return text + fmt::format("q {}\nv {}\nequations {}", exact_text(study.initial.q),
                            exact_text(study.initial.v), fingerprint(study.model, study.initial));
}

std::string contact_text(const FrictionContact& contact) {
  return fmt::format("C_t {}\nC_n {}\nratio {}\nbeta {}\ncreep {}",
                     exact_text(contact.tangential_stiffness), exact_text(contact.normal_stiffness),
                     contact.damping_ratio, contact.plastic_exponent, contact.creep);
}

std::string text_of(const NonsmoothOptions& o) {
  return fmt::format(
      "stiff={} rtol={} atol={} max_steps={} gap={} speed={} max_events={} accumulation={} "
      "compliance={}",
      o.stiff_method, o.rtol, o.atol, o.max_steps, o.gap_tolerance, o.speed_tolerance, o.max_events,
      o.accumulation_time, exact_text(o.compliance));
}

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
    // The states of fingerprint() of a System.
    for (Index i = 0; i < q.size(); ++i) q(i) += 0.1 * std::sin(1.0 + 2.0 * static_cast<double>(i));
    for (Index i = 0; i < v.size(); ++i) v(i) += 0.3 * std::cos(1.0 + 3.0 * static_cast<double>(i));
  }
  return content_hash(text);
}

FrictionIdentities::FrictionIdentities(const FrictionStudy& study)
    : study_(study),
      physics_(content_hash(physics_text(study))),
      contact_(content_hash(contact_text(study.contact))) {}

SolveIdentity FrictionIdentities::event_driven(const NonsmoothOptions& options,
                                               const std::string& grid) const {
  return {.kind = SolveIdentity::Kind::event_driven,
          .solver = options.method,
          .rtol = options.rtol,
          .atol = options.atol,
          .grid = grid,
          .determinants = fmt::format("kind=event_driven physics={} solver={} {} grid={}", physics_,
                                      options.method, text_of(options), grid)};
}

SolveIdentity FrictionIdentities::moreau_jean(double step, const NonsmoothOptions& options,
                                              const std::string& grid) const {
  return {.kind = SolveIdentity::Kind::moreau_jean,
          .solver = fmt::format("h = {:.6g}", step),
          .grid = grid,
          .determinants = fmt::format("kind=moreau_jean physics={} step={} {} grid={}", physics_,
                                      step, text_of(options), grid)};
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
      "kind=friction_compliant physics={} contact={} friction={} power={} epsilon={} solver={} "
      "rtol={} atol={} max_steps={} located={} grid={}",
      physics_, contact_, name_of(law.friction), law.tangential_power, epsilon, solver,
      identity.rtol, identity.atol, s.max_steps, s.locate_kinks, grid);
  return identity;
}

}  // namespace rigidlimit
