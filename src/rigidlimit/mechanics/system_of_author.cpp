#include "rigidlimit/mechanics/system_of_author.hpp"

#include <utility>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/tape/evaluator.hpp"
#include "rigidlimit/mechanics/recorded_equations.hpp"
#include "rigidlimit/mechanics/switches.hpp"

namespace rigidlimit {
namespace {

/// R(v) in watt.
std::function<double(const VectorXd&)> dissipation_of(const AuthoredSystem& author) {
  const auto R = std::make_shared<const Evaluator<double>>(tape_of(
      [&](const ExpressionVector& v) {
        return ExpressionVector::Constant(1, author.dissipation(v));
      },
      author.n));
  return [R](const VectorXd& v) {
    double watt = 0.0;
    (*R)([&](std::size_t, double x) { watt = x; }, v);
    return watt;
  };
}

System system_of(const AuthoredSystem& author, RecordedSystem tapes) {
  const auto recorded = std::make_shared<const RecordedSystem>(std::move(tapes));
  System system{.nq = author.nq,
                .n = author.n,
                .m = author.m,
                .ne = author.ne,
                .ni = recorded->ni,
                .np = author.np,
                .explicit_time = author.explicit_time,
                .natural_velocities = author.natural_velocities,
                .lagrange_coordinates = author.lagrange_coordinates,
                .lagrangian = author.lagrangian,
                .has_potential = author.has_potential,
                .dissipation = {},
                .closed_form = {},
                .recorded = recorded,
                .tapes = motion_tapes_of(recorded),
                .switches = switches_of(*recorded, author.switching_times()),
                .equations = equations_of(*recorded)};
  if (author.has_dissipation) system.dissipation = dissipation_of(author);
  return system;
}

}  // namespace

System system_of(const AuthoredSystem& author) {
  RecordedSystem recorded = recorded_system(author);
  std::shared_ptr<const System> rigid;
  if (author.np > 0)
    rigid = std::make_shared<const System>(system_of(author, with_rigid_joints(author, recorded)));
  System system = system_of(author, std::move(recorded));
  system.with_rigid_joints = std::move(rigid);
  return system;
}

FrictionalSystem frictional_system_of(const AuthoredSystem& author,
                                      std::vector<ContactPoint> contacts) {
  check_contacts(contacts, author.m, author.nc);
  FrictionalSystem system{.smooth = system_of(author),
                          .contacts = std::move(contacts),
                          .kink_count = 0,
                          .kinks = {},
                          .closed_history = {},
                          .geometry = {},
                          .return_check = {}};
  system.smooth.natural_velocities = false;  // S is natural to rolling
  if (author.clock >= 0 && surfaces_switch(*system.smooth.recorded))
    throw InputError(
        "a row, a gap or a rate switches in time (if, abs, min, max, sign or table of t); contacts "
        "that slip need surfaces that move smoothly");
  const RecordedSystem& recorded = *system.smooth.recorded;
  system.geometry = std::make_shared<const ContactGeometry>(recorded);
  system.return_check = std::make_shared<const ReturnCheck>(recorded, system.smooth.switches.get());
  return system;
}

}  // namespace rigidlimit
