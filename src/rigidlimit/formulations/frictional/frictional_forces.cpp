#include "rigidlimit/formulations/frictional/frictional_forces.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/mechanics/restitution.hpp"

namespace rigidlimit {

namespace {

void require_positive_number(double x, const char* what, const std::string& where = {}) {
  if (!(x > 0.0) || !std::isfinite(x))
    throw InputError(fmt::format("{} = {} is not positive", what, x), where);
}

void check_law(const FrictionalSystem& system, const FrictionalLaw& law, double epsilon) {
  require_positive_number(epsilon, "epsilon");
  require_positive_number(law.tangential_power, "tangential power");
  if (law.friction == FrictionalLaw::Friction::projected)
    require_positive_number(law.damping_ratio, "tangential damping ratio");
  else
    require_positive_number(law.creep, "creep");
  const auto check_size = [&](const VectorXd& x, const char* what) {
    if (x.size() != system.nc())
      throw InputError(
          fmt::format("{} stiffnesses for {} contacts, {}", x.size(), system.nc(), what));
  };
  check_size(law.tangential_stiffness, "tangential");
  check_size(law.normal_stiffness, "normal");
}

/// d/√m_eff.
double normal_damping(double C, double e, const FrictionalLaw& law, double epsilon) {
  if (e == 0.0) return 2.0 * std::sqrt(C) * std::pow(epsilon, -law.plastic_exponent);
  return 2.0 * damping_of_restitution(e) * std::sqrt(C) / epsilon;
}

}  // namespace

std::vector<CompliantContact> compliant_contacts(const FrictionalSystem& system,
                                                 const InitialState& start,
                                                 const FrictionalLaw& law, double epsilon) {
  check_law(system, law, epsilon);
  const bool projected = law.friction == FrictionalLaw::Friction::projected;
  const double tangential_epsilon = std::pow(epsilon, law.tangential_power);
  const MatrixXd A = delassus(system.smooth, start.q);
  std::vector<CompliantContact> contacts;
  Index unilateral = 0, bilateral = 0;
  for (Index i = 0; i < system.nc(); ++i) {
    const ContactPoint& point = system.contacts[static_cast<std::size_t>(i)];
    CompliantContact c{.first = point.first,
                       .components = point.components,
                       .normal = point.normal,
                       .friction = point.friction};
    if (projected && point.components > 0) {
      const double C = law.tangential_stiffness(i);
      require_positive_number(C, "tangential stiffness", point.name);
      c.stiffness = C / tangential_epsilon;
      const double a = A.diagonal().segment(point.first, point.components).mean();
      require_positive_number(a, "mobility (Delassus entry) of its sliding", point.name);
      c.damping = 2.0 * law.damping_ratio * std::sqrt(C / a) / tangential_epsilon;
      c.deflection_scale = tangential_epsilon;
    } else if (!projected) {
      c.sliding_scale = law.creep * epsilon;
      c.smoothed = law.friction == FrictionalLaw::Friction::smoothed;
    }
    if (point.normal == Normal::bilateral) c.bilateral = bilateral++;
    if (point.normal == Normal::unilateral) {
      c.unilateral = unilateral++;
      const double C = law.normal_stiffness(i);
      require_positive_number(C, "normal stiffness", point.name);
      c.normal_stiffness = C / epsilon;
      if (point.restitution == 0.0 && !(law.plastic_exponent > 1.0))
        throw InputError(
            fmt::format("plastic exponent {} must be above 1; otherwise the contact rebounds",
                        law.plastic_exponent),
            point.name);
      c.normal_damping = normal_damping(C, point.restitution, law, epsilon);
    }
    contacts.push_back(c);
  }
  return contacts;
}

double unilateral_force(const CompliantContact& contact, double gamma, double h,
                        double effective_mass) {
  const double root = contact.normal_damping > 0.0 ? std::sqrt(effective_mass) : 0.0;
  const double force = -(contact.normal_stiffness * gamma + contact.normal_damping * root * h);
  return force > 0.0 ? force : 0.0;
}

UnilateralSlope unilateral_slope(const CompliantContact& contact, double gamma, double h,
                                 double effective_mass) {
  if (unilateral_force(contact, gamma, h, effective_mass) == 0.0) return {};
  if (contact.normal_damping == 0.0) return {.gamma = -contact.normal_stiffness};
  const double damping = contact.normal_damping * std::sqrt(effective_mass);
  return {.gamma = -contact.normal_stiffness,
          .h = -damping,
          .effective_mass = -0.5 * damping * h / effective_mass};
}

DiscSide friction_force(const CompliantContact& contact, double p, VectorIn eta, VectorIn w,
                        VectorOut lambda, VectorOut eta_rate) {
  const double radius = contact.friction * std::abs(p);
  const bool projected = contact.sliding_scale == 0.0;
  lambda = w;
  if (projected) lambda = contact.stiffness * eta + contact.damping * w;
  const double limit = projected ? radius : contact.sliding_scale, square = lambda.squaredNorm();
  const bool inside = !(square > limit * limit);
  if (contact.smoothed) {
    lambda *= radius / std::sqrt(square + limit * limit);
  } else if (inside) {
    if (projected)
      eta_rate = w / contact.deflection_scale;
    else
      lambda *= radius / contact.sliding_scale;
  } else {
    lambda *= radius / std::sqrt(square);
    if (projected)
      eta_rate = (lambda - contact.stiffness * eta) / (contact.damping * contact.deflection_scale);
  }
  return inside ? DiscSide::inside : DiscSide::rim;
}

FrictionSlope friction_slope(const CompliantContact& contact, double p, VectorIn eta, VectorIn w) {
  const bool projected = contact.sliding_scale == 0.0;
  VectorXd pull = w;
  if (projected) pull = contact.stiffness * eta + contact.damping * w;
  const double radius = contact.friction * std::abs(p), grip = p < 0.0 ? -1.0 : 1.0;
  const double limit = projected ? radius : contact.sliding_scale, square = pull.squaredNorm();
  const MatrixXd one = MatrixXd::Identity(pull.size(), pull.size());
  if (contact.smoothed) {
    const double length = std::sqrt(square + limit * limit);
    const VectorXd s = pull / length;
    return {.by_force = grip * contact.friction * s,
            .by_pull = radius / length * (one - s * s.transpose())};
  }
  if (square > limit * limit) {
    const double length = std::sqrt(square);
    const VectorXd n = pull / length;
    return {.by_force = grip * contact.friction * n,
            .by_pull = radius / length * (one - n * n.transpose())};
  }
  if (projected) return {.by_force = 0.0 * pull, .by_pull = one};
  return {.by_force = grip * contact.friction / limit * pull, .by_pull = radius / limit * one};
}

}  // namespace rigidlimit
