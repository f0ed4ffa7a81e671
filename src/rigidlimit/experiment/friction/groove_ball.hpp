// Rolling and slipping of a ball in a groove (Antali & Stepan 2021).
#pragma once

#include <string>
#include <vector>

#include "rigidlimit/contact/nonsmooth_motion.hpp"
#include "rigidlimit/formulations/frictional/frictional_compliant.hpp"
#include "rigidlimit/systems/friction/two_point_ball.hpp"

namespace rigidlimit {

/// The system of the catalogue with these parameters.
FrictionalSystem groove_system(const TwoPointBall& ball);

/// The smallest μ with which the ball, from rest and with equal friction on both walls, rolls on
/// both without internal force: the force along each wall divided by the normal force,
///
///   μ0 = cos γ |tan α| (1 − 1/(1 + κ/cos²γ))
double unloaded_threshold(const TwoPointBall& ball);

/// The smallest μ with which some internal force allows rolling: friction ±k cos γ across the walls
/// raises both normal forces p0 to p0 + k sin γ. The minimum of |λ|/p over k is
///
///   μ1 = μ0/sqrt(1 + μ0² tan²γ),   k = sin γ a²/(cos²γ p0),  a = μ0 p0
///
/// For μ1 ≤ μ < μ0 both rolling and slipping are solutions of the rigid laws.
double wedged_threshold(const TwoPointBall& ball);

/// Springs and tolerances of the compliant motion.
struct GrooveCompliance {
  double stiffness_left = 1.0;  ///< C_t, N/m at ε = 1
  double stiffness_right = 1.0;
  double damping_ratio = 1.0;  ///< ζ
  double epsilon = 1e-4;
  double rtol = 1e-10;
  double atol = 1e-13;

  FrictionalLaw law() const;
  /// C⁻¹ of all six contact components for the rigid motion. The normals, which the compliant
  /// motion treats as rigid, get a billionth of the compliance of the others.
  VectorXd compliance() const;
};

/// A motion of the ball, rigid or compliant.
struct GrooveMotion {
  Outcome outcome = Outcome::not_run;
  std::string message;
  double t_reached = 0.0;
  Work work;
  Motion motion;
  std::string events;  ///< "1.5641 slip left right > slip,slip; …"; empty: none
  double first_rim =
      0.0;  ///< s, when a spring first reaches the rim of its disc; NaN: never, or rigid
  std::size_t notes = 0;  ///< of the rigid motion: number of instants with several solutions
};

GrooveMotion compliant_groove_motion(const TwoPointBall& ball, const VectorXd& v0,
                                     const GrooveCompliance& how, const std::vector<double>& times);

inline constexpr const char* groove_solver = "cvode_bdf";  ///< of the compliant motion

NonsmoothOptions rigid_groove_options(const GrooveCompliance& how);

/// The event-driven motion.
GrooveMotion rigid_groove_motion(const TwoPointBall& ball, const VectorXd& v0,
                                 const GrooveCompliance& how, const std::vector<double>& times);

/// |w| of the left and the right contact (m/s) at velocity v.
Eigen::Vector2d sliding_speeds(const FrictionalSystem& system, const VectorXd& q,
                               const VectorXd& v);

/// "SR": slipping left, rolling right. A contact with a sliding speed below `slow` (m/s) rolls.
std::string mode_of(const Eigen::Vector2d& speeds, double slow);

/// The modes of the motion without repetition: "SS > SR > RR". Rolling requires a low speed at two
/// consecutive times: a reversal at one time is not rolling.
std::string mode_sequence(const FrictionalSystem& system, const Motion& motion, double slow);

}  // namespace rigidlimit
