// Bodies with contacts, written by hand: rows H = [W; N], and the contact problem of given forces.
#pragma once

#include "rigidlimit/contact/contact_problem.hpp"

namespace rigidlimit::test {

/// A = H M⁻¹ Hᵀ, b = H M⁻¹ F, with a diagonal M.
inline ContactProblem problem_of(const VectorXd& masses, const MatrixXd& rows,
                                 const VectorXd& force,
                                 std::vector<ContactProblem::Contact> contacts) {
  const MatrixXd response = masses.cwiseInverse().asDiagonal() * rows.transpose();
  return {.delassus = rows * response,
          .free = rows * masses.cwiseInverse().cwiseProduct(force),
          .contacts = std::move(contacts)};
}

/// A planar contact whose sliding row is `row`.
inline ContactProblem::Contact planar(Index row, double friction,
                                      std::optional<double> slipping = {}) {
  ContactProblem::Contact contact{.first = row, .friction = friction};
  if (slipping) contact.slipping = VectorXd::Constant(1, *slipping);
  return contact;
}

/// A block of mass 2 kg on a plane (sliding row x, normal row y), pulled by (force_x, force_y).
inline ContactProblem block(double friction, double force_x, double force_y,
                            std::optional<double> slipping = {}) {
  return problem_of(Eigen::Vector2d(2.0, 2.0), Eigen::Matrix2d::Identity(),
                    Eigen::Vector2d(force_x, force_y), {planar(0, friction, slipping)});
}

/// The wheel of Grzesikiewicz & Zbiciak 2020 in (x, y, φ), v_t = v · t + r φ', in corner B (79 to
/// 94). Contact 0: the corner of the curb, with unit normal (−f_B, 1)/|G|. Contact 1: the floor.
struct WheelInCornerB {
  static constexpr double m = 10.0, J = 0.05, r = 0.1, h = 0.05, g = 9.81;
  static constexpr double slope = -1.7320508075688772;  ///< f_B = −a/sqrt(r² − a²), equation 80

  static MatrixXd rows() {
    const double length = 2.0;  // |G| = sqrt(1 + f_B²)
    MatrixXd H(4, 3);
    H << 1.0 / length, slope / length, r,    //
        1.0, 0.0, r,                         //
        -slope / length, 1.0 / length, 0.0,  //
        0.0, 1.0, 0.0;
    return H;
  }
  static ContactProblem spinning(double friction, double spin) {
    const double way = spin > 0.0 ? 1.0 : -1.0;
    return problem_of(Eigen::Vector3d(m, m, J), rows(), Eigen::Vector3d(0.0, -m * g, 0.0),
                      {planar(0, friction, way), planar(1, friction, way)});
  }
};

}  // namespace rigidlimit::test
