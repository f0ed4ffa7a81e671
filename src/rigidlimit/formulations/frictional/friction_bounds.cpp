#include "rigidlimit/formulations/frictional/friction_bounds.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/contact_basis.hpp"

namespace rigidlimit {

RootFunctions friction_bounds(const FrictionalSystem& system, const InitialState& start) {
  for (const ContactPoint& contact : system.contacts)
    if (contact.normal != Normal::given)
      throw InputError("its friction bound needs a given normal force", contact.name);
  const System& smooth = system.smooth;
  if (const Index rank = contact_basis(smooth, start.q).rank(); rank < smooth.m)
    throw InputError(fmt::format("only {} of {} sliding directions are independent, so the load of "
                                 "each contact is undetermined",
                                 rank, smooth.m),
                     system.contacts.front().name);
  RootFunctions bounds;
  bounds.count = system.nc();
  bounds.values = [system, p = VectorXd(system.nc())](double t, VectorIn y,
                                                      VectorOut values) mutable {
    const System& s = system.smooth;
    system.geometry->normal_force(y.head(s.nq), y.segment(s.nq, s.n), t, p);
    const auto lambda = y.tail(s.m);
    for (Index i = 0; i < values.size(); ++i) {
      const ContactPoint& c = system.contacts[static_cast<std::size_t>(i)];
      values(i) = c.friction * std::abs(p(i)) - lambda.segment(c.first, c.components).norm();
    }
  };
  bounds.directions.assign(system.contacts.size(), -1);
  bounds.reached = [](double, const std::vector<int>&, VectorOut) { return false; };
  return bounds;
}

}  // namespace rigidlimit
