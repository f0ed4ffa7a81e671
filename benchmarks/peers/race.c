/* Solves of one exported problem by compiled peers, and their processor times. No Python runs here.
 *
 * A solver is a function  int solve(const struct race*, double rtol, double* y, long* counts)  with
 * atol = rtol/100, or rtol * atol_over_rtol. It advances y (N) from the start to the end time, returns 0 or the code of the
 * failure, and writes the counts in the order of `enum count`; -1 is unknown. */
#include <string.h>
#include <time.h>

#ifdef WITH_CVODE
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#endif

enum { most_unknowns = 100, work_size = 200000 };
enum count { steps, rejected, rhs, jacobians, factorisations, solves, count_size };

typedef void function(void);

struct race {
  long size; /* N */
  double start_time, end_time; /* s */
  const double* start; /* N */
  void (*rate)(double t, const double* y, double* f);
  void (*jacobian)(double t, const double* y, double* J); /* column by column */
  function* code; /* of the library: radau_, radau5_, lsoda_wrapper */
  int stages; /* of RADAU: a fixed number; 0: 3, 5 and 7 as it chooses */
  long most_steps;
  const double* atol_over_rtol; /* N; NULL: 1/100 */
  /* Of M y' = f, for RADAU and RADAU5 only: */
  const double* mass;      /* N, the diagonal of M; NULL: identity */
  const int* index_counts; /* 3, unknowns with index at most 1, 2 and 3, in this order in y */
};

/* --- RADAU and RADAU5, with the exact Jacobian, dense LU and default parameters */

static void fortran_rate(int* n, double* t, double* y, double* f, void* race, int* ipar) {
  (void)n, (void)ipar;
  ((const struct race*)race)->rate(*t, y, f);
}
static void fortran_jacobian(int* n, double* t, double* y, double* J, int* rows, void* race,
                             int* ipar) {
  (void)n, (void)rows, (void)ipar;
  ((const struct race*)race)->jacobian(*t, y, J);
}
static void fortran_mass(int* n, double* M, int* rows, void* race, int* ipar) {
  (void)rows, (void)ipar; /* one row: the diagonal */
  memcpy(M, ((const struct race*)race)->mass, *n * sizeof *M);
}
static void unused(void) {}

typedef void fortran(int* n, void* f, double* t, double* y, double* end, double* h, double* rtol,
                     double* atol, int* itol, void* jacobian, int* ijac, int* mljac, int* mujac,
                     void* mass, int* imas, int* mlmas, int* mumas, void* output, int* iout,
                     double* work, int* lwork, int* iwork, int* liwork, void* rpar, int* ipar,
                     int* idid, void* last, size_t length);

static int by_fortran(const struct race* race, double rtol, double* y, long* counts, int stages,
                      void* last) {
  static double work[work_size];
  static int iwork[10 * most_unknowns + 20];
  double rtols[most_unknowns], atols[most_unknowns];
  int n = (int)race->size, vectors = race->atol_over_rtol != NULL, given = 1, full = n,
      has_mass = race->mass != NULL, none = 0, idid = -99;
  int lwork = work_size, liwork = sizeof iwork / sizeof *iwork, ipar = 0;
  double t = race->start_time, end = race->end_time, h = 0.0;
  memset(work, 0, 20 * sizeof *work);
  memset(iwork, 0, 20 * sizeof *iwork);
  rtols[0] = rtol, atols[0] = rtol / 100.0;
  for (int i = 0; vectors && i < n; ++i) {
    rtols[i] = rtol;
    atols[i] = rtol * race->atol_over_rtol[i];
  }
  iwork[1] = (int)race->most_steps;
  if (has_mass) memcpy(iwork + 4, race->index_counts, 3 * sizeof *iwork);
  if (stages > 0) iwork[10] = iwork[11] = iwork[12] = stages;
  memcpy(y, race->start, race->size * sizeof *y);
  ((fortran*)race->code)(&n, fortran_rate, &t, y, &end, &h, rtols, atols, &vectors,
                         fortran_jacobian, &given, &full, &full, fortran_mass, &has_mass, &none,
                         &none, unused, &none, work, &lwork, iwork, &liwork, (void*)race, &ipar,
                         &idid, last, 1024);
  counts[rhs] = iwork[13], counts[jacobians] = iwork[14], counts[steps] = iwork[16];
  counts[rejected] = iwork[15] - iwork[16]; /* all attempts but the accepted ones */
  counts[factorisations] = iwork[18], counts[solves] = iwork[19];
  return idid == 1 ? 0 : idid;
}

int solve_radau(const struct race* race, double rtol, double* y, long* counts) {
  static char message[1024];
  return by_fortran(race, rtol, y, counts, race->stages, message);
}
int solve_radau5(const struct race* race, double rtol, double* y, long* counts) {
  return by_fortran(race, rtol, y, counts, 0, unused);
}

/* --- LSODA of numbalsoda, without a Jacobian: it takes none. It has one absolute tolerance for all
 * unknowns. With atol_over_rtol = a it therefore solves for z = y/a: the tolerance rtol of z is
 * rtol a of y, and nothing else changes. */

static long lsoda_calls;
static void lsoda_rate(double t, double* y, double* f, void* race) {
  ++lsoda_calls;
  ((const struct race*)race)->rate(t, y, f);
}
static void scaled_lsoda_rate(double t, double* z, double* f, void* data) {
  const struct race* race = data;
  double y[most_unknowns];
  ++lsoda_calls;
  for (long i = 0; i < race->size; ++i) y[i] = race->atol_over_rtol[i] * z[i];
  race->rate(t, y, f);
  for (long i = 0; i < race->size; ++i) f[i] /= race->atol_over_rtol[i];
}

typedef void lsoda(void* f, int n, double* start, void* data, int times, double* t, double* y,
                   double rtol, double atol, int most_steps, int* success);

int solve_lsoda(const struct race* race, double rtol, double* y, long* counts) {
  double start[most_unknowns], states[2 * most_unknowns];
  double t[2] = {race->start_time, race->end_time};
  const double* scale = race->atol_over_rtol;
  int success = 0;
  for (long i = 0; i < race->size; ++i) start[i] = race->start[i] / (scale ? scale[i] : 1.0);
  lsoda_calls = 0;
  ((lsoda*)race->code)(scale ? scaled_lsoda_rate : lsoda_rate, (int)race->size, start, (void*)race,
                       2, t, states, rtol, scale ? rtol : rtol / 100.0, (int)race->most_steps,
                       &success);
  for (long i = 0; i < race->size; ++i)
    y[i] = states[race->size + i] * (scale ? scale[i] : 1.0);
  counts[rhs] = lsoda_calls;
  return success == 1 ? 0 : -1;
}

/* --- CVODE, BDF with the exact Jacobian, dense LU, everything else by default */

#ifdef WITH_CVODE
static int cvode_rate(sunrealtype t, N_Vector y, N_Vector f, void* race) {
  ((const struct race*)race)->rate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(f));
  return 0;
}
static int cvode_jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void* race,
                          N_Vector a, N_Vector b, N_Vector c) {
  (void)f, (void)a, (void)b, (void)c;
  ((const struct race*)race)->jacobian(t, N_VGetArrayPointer(y), SUNDenseMatrix_Data(J));
  return 0;
}

const char* cvode_version(void) { return SUNDIALS_VERSION; }

int solve_cvode(const struct race* race, double rtol, double* y, long* counts) {
  SUNContext context;
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create(SUN_COMM_NULL, &context);
  SUNContext_ClearErrHandlers(context);
#else
  SUNContext_Create(NULL, &context);
#endif
  memcpy(y, race->start, race->size * sizeof *y);
  N_Vector state = N_VMake_Serial(race->size, y, context);
  SUNMatrix matrix = SUNDenseMatrix(race->size, race->size, context);
  SUNLinearSolver linear = SUNLinSol_Dense(state, matrix, context);
  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, cvode_rate, race->start_time, state);
#if SUNDIALS_VERSION_MAJOR < 7
  CVodeSetErrFile(cvode, NULL);
#endif
  N_Vector atols = N_VNew_Serial(race->size, context);
  for (long i = 0; race->atol_over_rtol && i < race->size; ++i)
    N_VGetArrayPointer(atols)[i] = rtol * race->atol_over_rtol[i];
  if (race->atol_over_rtol)
    CVodeSVtolerances(cvode, rtol, atols);
  else
    CVodeSStolerances(cvode, rtol, rtol / 100.0);
  CVodeSetUserData(cvode, (void*)race);
  CVodeSetLinearSolver(cvode, linear, matrix);
  CVodeSetJacFn(cvode, cvode_jacobian);
  CVodeSetMaxNumSteps(cvode, race->most_steps);
  CVodeSetStopTime(cvode, race->end_time);
  sunrealtype t = race->start_time;
  const int code = CVode(cvode, race->end_time, state, &t, CV_NORMAL);
  long iterations = 0, failed = 0;
  CVodeGetNumSteps(cvode, counts + steps);
  CVodeGetNumErrTestFails(cvode, counts + rejected);
  CVodeGetNumNonlinSolvConvFails(cvode, &failed);
  counts[rejected] += failed;
  CVodeGetNumRhsEvals(cvode, counts + rhs);
  CVodeGetNumJacEvals(cvode, counts + jacobians);
  CVodeGetNumLinSolvSetups(cvode, counts + factorisations);
  CVodeGetNumNonlinSolvIters(cvode, &iterations);
  counts[solves] = iterations; /* one for each iteration */
  CVodeFree(&cvode);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(state);
  N_VDestroy(atols);
  SUNContext_Free(&context);
  return code >= 0 ? 0 : code;
}
#endif

/* --- Times */

static double thread_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef int solver(const struct race*, double, double*, long*);

/* The least processor time of the solves in `budget` seconds, at least one; readings of 0 do not
 * count. 0: there is no other reading. */
double least_time(solver* solve, const struct race* race, double rtol, double budget,
                  long* repeats) {
  double y[2 * most_unknowns], least = 0.0;
  long counts[count_size];
  const double begin = thread_seconds();
  *repeats = 0;
  do {
    const double start = thread_seconds();
    solve(race, rtol, y, counts);
    const double seconds = thread_seconds() - start;
    if (seconds > 0.0) {
      if (*repeats == 0 || seconds < least) least = seconds;
      ++*repeats;
    }
  } while (thread_seconds() - begin < budget);
  return least;
}
