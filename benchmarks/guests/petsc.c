
/* Behind an exported problem: a solver TS of PETSc with the exact Jacobian and dense LU. */
#include <petscts.h>

/* y' - f(t, y): methods of the IMEX type integrate a right-hand side explicitly. */
static PetscErrorCode residual(TS ts, PetscReal t, Vec y, Vec rate, Vec r, void *unused)
{
  const PetscScalar *from, *slope;
  PetscScalar *to;
  VecGetArrayRead(y, &from), VecGetArrayRead(rate, &slope), VecGetArray(r, &to);
  rhs(t, from, to);
  for (int i = 0; i < N; ++i) to[i] = slope[i] - to[i];
  VecRestoreArrayRead(y, &from), VecRestoreArrayRead(rate, &slope);
  return VecRestoreArray(r, &to);
}

static PetscErrorCode residual_jacobian(TS ts, PetscReal t, Vec y, Vec rate, PetscReal shift, Mat A, Mat P,
                                        void *unused)
{
  const PetscScalar *from;
  PetscScalar entries[N * N];
  PetscInt all[N];
  VecGetArrayRead(y, &from);
  jacobian(t, from, entries);
  VecRestoreArrayRead(y, &from);
  for (int i = 0; i < N * N; ++i) entries[i] = (i % (N + 1) == 0 ? shift : 0.0) - entries[i];
  for (int i = 0; i < N; ++i) all[i] = i;
  MatSetValues(P, N, all, N, all, entries, INSERT_VALUES);
  MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY);
  return MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY);
}

/* Advances y from t to `end`; atol has N entries. Writes steps, rejected steps, linear solves. Returns
 * 0, or an error of PETSc, or minus the reason of TSGetConvergedReason. */
int advance(const char *type, double t, double end, double *y, double rtol, double *atol, int *counts)
{
  TS ts;
  TSAdapt adapt;
  Vec state, tolerances;
  Mat J;
  PetscBool begun;
  PetscInt number;
  TSConvergedReason reason = 0;
  PetscInitialized(&begun);
  if (!begun) {
    PetscInitializeNoArguments();
    PetscPopSignalHandler();
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  }
  VecCreateSeqWithArray(PETSC_COMM_SELF, 1, N, y, &state);
  VecCreateSeqWithArray(PETSC_COMM_SELF, 1, N, atol, &tolerances);
  MatCreateSeqDense(PETSC_COMM_SELF, N, N, NULL, &J);
  TSCreate(PETSC_COMM_SELF, &ts);
  TSSetType(ts, type);
  TSSetIFunction(ts, NULL, residual, NULL);
  TSSetIJacobian(ts, J, J, residual_jacobian, NULL);
  TSSetTime(ts, t), TSSetMaxTime(ts, end), TSSetTimeStep(ts, 1e-6 * (end - t)), TSSetMaxSteps(ts, 100000);
  TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP);
  TSSetTolerances(ts, PETSC_DECIDE, tolerances, rtol, NULL);
  TSGetAdapt(ts, &adapt), TSAdaptSetType(adapt, TSADAPTBASIC);
  TSSetErrorIfStepFails(ts, PETSC_FALSE);
  const int error = TSSolve(ts, state);
  TSGetConvergedReason(ts, &reason);
  TSGetStepNumber(ts, &number), counts[0] = number;
  TSGetStepRejections(ts, &number), counts[1] = number;
  TSDestroy(&ts), MatDestroy(&J), VecDestroy(&state), VecDestroy(&tolerances);
  return error ? error : reason == TS_CONVERGED_TIME ? 0 : -reason;
}
