#include "rigidlimit/solvers/sundials/integrator.hpp"

#include <fmt/format.h>

#include "rigidlimit/core/work_sum.hpp"

namespace rigidlimit::sundials {

Integrator::Integrator(const Library& library, double t0, const VectorXd& y0)
    : library_(library),
      t_(t0),
      y_(vector_of(y0, context_)),
      memory_(nullptr, FreeMemory{library.free}) {}

void Integrator::make_dense_solver() {
  const auto n = N_VGetLength(y_.get());
  matrix_.reset(made(SUNDenseMatrix(n, n, context_)));
  linear_solver_.reset(made(SUNLinSol_Dense(y_.get(), matrix_.get(), context_)));
}

Outcome Integrator::failed(int code) {
  failed_step_ = bridge_.last_t() - t_;
  message_ = fmt::format("{} {}: {}", library_.name, code, context_.last_message());
  for (const int of_rhs : library_.not_finite)
    if (code == of_rhs) return Outcome::not_finite;
  return outcome_of(code, bridge_.not_finite_after(t_));
}

Outcome Integrator::accepted(double before, double end) {
  if (short_steps_allowed_ > 0 && short_steps_allowed_-- > 0) return Outcome::success;
  if (!step_is_below_resolution(before, t_, end)) return Outcome::success;
  message_ = fmt::format("{}: step {:.3g} at t = {:.17g} is below the resolution of t",
                         library_.name, t_ - before, before);
  return bridge_.not_finite_after(before) ? Outcome::not_finite : Outcome::step_underflow;
}

Outcome Integrator::restart_after_root() {
  restart_due_ = true;
  short_steps_allowed_ = 10;
  return Outcome::success;
}

double Integrator::last_step() const {
  double h = failed_step_;
  if (h == 0.0) library_.last_step(memory_.get(), &h);
  return h;
}

void Integrator::keep_work() {
  add(before_restarts_, work_since_restart());
}

Work Integrator::work() const {
  Work sum = before_restarts_;
  add(sum, work_since_restart());
  return sum;
}

Work Integrator::work_since_restart() const {
  Work work;
  void* memory = memory_.get();
  library_.steps(memory, &work.steps);
  library_.rejected_steps(memory, &work.rejected_steps);
  library_.evaluations(memory, &work.rhs_evaluations);
  library_.factorisations(memory, &work.factorisations);
  library_.iterations(memory, &work.newton_iterations);
  if (!linear_solver_) return work;
  library_.jacobians(memory, &work.jacobian_evaluations);
  work.linear_solves = work.newton_iterations;
  if (SUNLinSolGetID(linear_solver_.get()) == SUNLINEARSOLVER_KLU)
    work.factor_nonzeros = klu_nonzeros(linear_solver_.get());
  return work;
}

int rhs(sunrealtype t, N_Vector y, N_Vector ydot, void* data) {
  auto& [problem, bridge] = *static_cast<OdeCallbacks*>(data);
  return bridge.fill(t, map(ydot), [&, &f = problem.rhs](auto& out) { f(t, map(y), out); });
}

int dense_jacobian(sunrealtype t, N_Vector y, N_Vector, SUNMatrix matrix, void* data, N_Vector,
                   N_Vector, N_Vector) {
  auto& [problem, bridge] = *static_cast<OdeCallbacks*>(data);
  return bridge.fill(t, map(matrix), [&, &J = problem.jacobian](auto& out) { J(t, map(y), out); });
}

}  // namespace rigidlimit::sundials
