// A compliant contact solved by CVODE, as a C user would write it by hand.
#pragma once

#include "rigidlimit/core/solution.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"

namespace rigidlimit {

/// The study's compliant problem at one ε in (q, v, η), with a hand-written right-hand side for the
/// knife edge, the Chaplygin sleigh and the rolling disc. CVODE (BDF) has scalar tolerances rtol
/// and rtol/100, a dense matrix, difference quotients for the Jacobian, and default settings. C, D
/// and the start are the study's. Throws std::invalid_argument for another system.
struct CvodeByHand {
  CvodeByHand(const RollingStudy& study, double epsilon);

  /// Whether the study's system is one of the three.
  static bool knows(const RollingStudy& study);

  /// A single column: (q, v, η) at the end.
  Solution solve(double rtol, long most_steps) const;

  using Acceleration = void (*)(const double* parameters, const double* q, const double* v,
                                const double* lambda, double* a);
  using Sliding = void (*)(const double* parameters, const double* q, const double* v, double* w);

  VectorXd y0;
  std::vector<double> parameters;
  int nq, m;
  MatrixXd stiffness, damping;  ///< C, D/ε^β
  double deflection_rate;       ///< 1/ε²
  double end_time;
  Acceleration acceleration;
  Sliding sliding;
};

}  // namespace rigidlimit
