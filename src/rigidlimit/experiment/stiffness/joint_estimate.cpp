#include "rigidlimit/experiment/stiffness/joint_estimate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/stiffness/contact_rates.hpp"
#include "rigidlimit/result/conclusion.hpp"

namespace rigidlimit {
namespace {

constexpr double full_turn = 2.0 * std::numbers::pi;

void require_number(double x, const char* name, bool strictly = true) {
  if (std::isfinite(x) && (strictly ? x > 0.0 : x >= 0.0)) return;
  throw InputError(fmt::format("must be a number {} 0, not {:g}", strictly ? ">" : ">=", x), name);
}

double stiffness_for(const JointQuestion& q) {
  if (q.gap) return q.load / *q.gap;
  if (q.stiffness) return *q.stiffness;
  const double omega = full_turn * *q.frequency;
  return q.mass * omega * omega;
}

void require_valid(const JointQuestion& q) {
  require_number(q.mass, "mass");
  require_number(q.load, "load", false);
  require_number(q.damping_ratio, "damping_ratio", false);
  int given = 0;
  for (const auto& [name, value] :
       {std::pair("gap", &q.gap), {"stiffness", &q.stiffness}, {"frequency", &q.frequency}}) {
    if (!*value) continue;
    ++given;
    require_number(**value, name);
  }
  if (given != 1)
    throw InputError(fmt::format("needs one of gap, stiffness and frequency, not {}", given),
                     "gap");
  if (q.gap) require_number(q.load, "load");
}

}  // namespace

JointEstimate estimated_joint(const JointQuestion& q) {
  require_valid(q);
  JointEstimate e{.question = q, .stiffness = stiffness_for(q)};
  const double zeta = q.damping_ratio, omega = std::sqrt(e.stiffness / q.mass);
  e.damping = 2.0 * zeta * q.mass * omega;
  e.gap = q.load / e.stiffness;
  const double overshoot =
      zeta < 1.0 ? std::exp(-std::numbers::pi * zeta / std::sqrt(1.0 - zeta * zeta)) : 0.0;
  e.sudden_gap = (1.0 + overshoot) * e.gap;
  e.frequency = omega / full_turn;
  const Eigen::VectorXcd rates =
      contact_rates(MatrixXd::Constant(1, 1, 1.0 / q.mass),
                    {.stiffness = MatrixXd::Constant(1, 1, e.stiffness),
                     .damping = MatrixXd::Constant(1, 1, e.damping)},
                    {.rows = {0}, .combination = MatrixXd::Identity(1, 1)});
  e.decay = decay_time(rates);
  e.explicit_step = largest_step_of_order_4(rates);
  e.euler_step = 2.0 * (std::sqrt(1.0 + zeta * zeta) - zeta) / omega;
  return e;
}

Result in_tables(const JointEstimate& e) {
  struct Line {
    std::string name;
    double value;
    std::string unit, meaning;
  };
  const bool turns = e.question.rotation;
  const std::string length = turns ? "rad" : "m", force = turns ? "N m" : "N";
  std::vector<Line> lines{
      {"stiffness", e.stiffness, force + "/" + length, "k: the gap under the load is load/k"},
      {"damping", e.damping, force + " s/" + length, "c = 2 ratio sqrt(k mass)"},
      {"gap", e.gap, length, "load/k, of a load that grows slowly"},
      {"sudden_gap", e.sudden_gap, length, "largest gap under a load that is applied at once"},
      {"frequency", e.frequency, "Hz", "sqrt(k/mass)/(2 pi)"},
      {"decay", e.decay, "s", "of the initial layer by 1/e"},
      {"explicit_step", e.explicit_step, "s", "largest stable step of Runge-Kutta of order 4"},
      {"euler_step", e.euler_step, "s", "largest stable step of semi-implicit Euler"}};
  Result report{.name = "joint",
                .kind = "joint",
                .question = "How soft is the joint?",
                .heading = {fmt::format("effective mass {:g} {}, load {:g} {}, damping ratio {:g}",
                                        e.question.mass, turns ? "kg m^2" : "kg", e.question.load,
                                        force, e.question.damping_ratio)},
                .tables = {table_of<Line>("joint",
                                          {{"quantity", "", &Line::name},
                                           {"value", "", &Line::value, "{:.4g}"},
                                           {"unit", "", &Line::unit},
                                           ColumnOf<Line>("meaning", "", &Line::meaning).noted()},
                                          std::move(lines))},
                .views = {{.key = "joint", .caption = "Joint", .table = "joint", .in_brief = true}},
                .verdict = fmt::format("joint: stiffness {:.4g} {}/{}, gap {:.4g} {}", e.stiffness,
                                       force, length, e.gap, length)};
  conclude(report);
  return report;
}

}  // namespace rigidlimit
