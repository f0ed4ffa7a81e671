#include "cvode_by_hand.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "rigidlimit/experiment/pair/compliant_side.hpp"
#include "rigidlimit/solvers/sundials/sundials.hpp"

namespace rigidlimit {
namespace {

// Parameters are in the order of the systems in src/rigidlimit/systems.

void knife_edge(const double* p, const double* q, const double*, const double* lambda, double* a) {
  const double mass = p[0], slope = p[2], gravity = p[3];
  a[0] = gravity * std::sin(slope) + std::sin(q[2]) * lambda[0] / mass;
  a[1] = -std::cos(q[2]) * lambda[0] / mass;
  a[2] = 0.0;
}

void blade_sliding(const double*, const double* q, const double* v, double* w) {
  w[0] = -std::sin(q[2]) * v[0] + std::cos(q[2]) * v[1];
}

void sleigh(const double* p, const double* q, const double* v, const double* lambda, double* a) {
  const double mass = p[0], inertia = p[1], distance = p[2], c = std::cos(q[2]), s = std::sin(q[2]);
  const double centrifugal = mass * distance * v[2] * v[2];
  const double fx = centrifugal * c + s * lambda[0], fy = centrifugal * s - c * lambda[0];
  a[2] = distance * (s * fx - c * fy) / inertia;
  a[0] = fx / mass + distance * s * a[2];
  a[1] = fy / mass - distance * c * a[2];
}

void disk(const double* p, const double* q, const double* v, const double* lambda, double* a) {
  const double mass = p[0], r = p[1], axial = p[2] * mass * r * r, half = 0.5 * axial;
  const double c = std::cos(q[2]), s = std::sin(q[2]), ct = std::cos(q[3]), st = std::sin(q[3]);
  const double f2 =
      -v[3] * (2.0 * (axial - half) * st * ct * v[2] + axial * ct * v[4]) + r * st * lambda[0];
  const double f3 = (axial - half) * st * ct * v[2] * v[2] + axial * ct * v[2] * v[4] +
                    st * (mass * p[3] * r - mass * r * r * ct * v[3] * v[3]) - r * ct * lambda[1];
  const double f4 = -axial * ct * v[2] * v[3] + r * lambda[0];
  a[0] = (-c * lambda[0] + s * lambda[1]) / mass;
  a[1] = (-s * lambda[0] - c * lambda[1]) / mass;
  a[2] = (f2 - st * f4) / (half * ct * ct);
  a[3] = f3 / (half + mass * r * r * st * st);
  a[4] = f4 / axial - st * a[2];
}

void disk_sliding(const double* p, const double* q, const double* v, double* w) {
  const double r = p[1], c = std::cos(q[2]), s = std::sin(q[2]);
  w[0] = c * v[0] + s * v[1] - r * (v[4] + std::sin(q[3]) * v[2]);
  w[1] = -s * v[0] + c * v[1] + r * std::cos(q[3]) * v[3];
}

int rate(sunrealtype, N_Vector state, N_Vector derivative, void* data) {
  const auto& c = *static_cast<const CvodeByHand*>(data);
  const double* y = N_VGetArrayPointer(state);
  double* f = N_VGetArrayPointer(derivative);
  const double *q = y, *v = y + c.nq, *eta = y + 2 * c.nq;
  double w[2], lambda[2];
  c.sliding(c.parameters.data(), q, v, w);
  for (int i = 0; i < c.m; ++i) {
    lambda[i] = 0.0;
    for (int j = 0; j < c.m; ++j) lambda[i] += c.stiffness(i, j) * eta[j] + c.damping(i, j) * w[j];
  }
  for (int i = 0; i < c.nq; ++i) f[i] = v[i];
  c.acceleration(c.parameters.data(), q, v, lambda, f + c.nq);
  for (int i = 0; i < c.m; ++i) f[2 * c.nq + i] = w[i] * c.deflection_rate;
  return 0;
}

}  // namespace

CvodeByHand::CvodeByHand(const RollingStudy& study, double epsilon)
    : parameters(study.parameters),
      nq(static_cast<int>(study.model.nq)),
      m(static_cast<int>(study.model.m)),
      deflection_rate(1.0 / (epsilon * epsilon)),
      end_time(study.time.end) {
  const ViscoelasticLaw law = law_of(study);
  stiffness = law.stiffness;
  damping = law.damping * std::pow(epsilon, -law.damping_exponent);
  y0 = VectorXd::Zero(2 * nq + m);
  y0 << study.initial.q, study.initial.v, VectorXd::Zero(m);
  const std::string name = study.system->info.name;
  if (name == "knife_edge") {
    acceleration = knife_edge;
    sliding = blade_sliding;
  } else if (name == "chaplygin_sleigh") {
    acceleration = sleigh;
    sliding = blade_sliding;
  } else if (name == "rolling_disk") {
    acceleration = disk;
    sliding = disk_sliding;
  } else {
    throw std::invalid_argument(name + " is not written out by hand");
  }
}

bool CvodeByHand::knows(const RollingStudy& study) {
  const std::string& name = study.system->info.name;
  return name == "knife_edge" || name == "chaplygin_sleigh" || name == "rolling_disk";
}

Solution CvodeByHand::solve(double rtol, long most_steps) const {
  sundials::Context context;
  const auto y = sundials::vector_of(y0, context);
  const sundials::Owned<SUNMatrix> matrix(SUNDenseMatrix(y0.size(), y0.size(), context));
  const sundials::Owned<SUNLinearSolver> linear(SUNLinSol_Dense(y.get(), matrix.get(), context));
  const sundials::OwnedMemory cvode(CVodeCreate(CV_BDF, context), {CVodeFree});
  context.silence_cvode(cvode.get());
  CVodeInit(cvode.get(), rate, 0.0, y.get());
  CVodeSStolerances(cvode.get(), rtol, rtol / 100.0);
  CVodeSetUserData(cvode.get(), const_cast<CvodeByHand*>(this));
  CVodeSetLinearSolver(cvode.get(), linear.get(), matrix.get());
  CVodeSetMaxNumSteps(cvode.get(), most_steps);
  CVodeSetStopTime(cvode.get(), end_time);
  Solution solution;
  const int code = CVode(cvode.get(), end_time, y.get(), &solution.t_reached, CV_NORMAL);
  CVodeGetNumSteps(cvode.get(), &solution.work.steps);
  CVodeGetNumRhsEvals(cvode.get(), &solution.work.rhs_evaluations);
  CVodeGetNumErrTestFails(cvode.get(), &solution.work.rejected_steps);
  solution.states = sundials::map(y.get());
  solution.outcome = code >= 0 ? Outcome::success : sundials::outcome_of(code, false);
  return solution;
}

}  // namespace rigidlimit
