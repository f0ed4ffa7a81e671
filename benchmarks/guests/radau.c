
/* Behind an exported problem: RADAU of Hairer and Wanner with the exact Jacobian and its default
 * parameters. */
static void rate_(int *n, double *t, double *y, double *f, double *rpar, int *ipar) { rhs(*t, y, f); }

static void jacobian_(int *n, double *t, double *y, double *J, int *rows, double *rpar, int *ipar)
{
  double by_rows[N * N];
  jacobian(*t, y, by_rows);
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N; ++k) J[k * *rows + i] = by_rows[i * N + k];
}

static void none(void) {}

typedef void solver(int *n, void *f, double *t, double *y, double *end, double *h, double *rtol, double *atol,
                    int *vectors, void *jacobian, int *given, int *lower, int *upper, void *mass, int *has_mass,
                    int *mass_lower, int *mass_upper, void *output, int *has_output, double *work, int *work_size,
                    int *integers, int *integers_size, double *rpar, int *ipar, int *status, char *message,
                    unsigned long message_size);

/* Advances y from t to `end`. rtol and atol have N entries. Writes the counts of right-hand sides,
 * Jacobians, attempts, accepted steps, rejected steps and factorisations. Returns 1 on success. */
int advance(solver *radau, double t, double end, double *y, double *rtol, double *atol, int *counts)
{
  static double work[8 * N * N + 40 * N + 100 * N + 20];
  static int integers[10 * N + 40];
  char message[1024];
  int n = N, yes = 1, no = 0, full = N, status = -99;
  int work_size = sizeof work / sizeof *work, integers_size = sizeof integers / sizeof *integers;
  double h = 0.0, unused = 0.0;
  for (int i = 0; i < 20; ++i) work[i] = 0.0;
  for (int i = 0; i < integers_size; ++i) integers[i] = 0;
  integers[1] = 100000; /* steps */
  radau(&n, rate_, &t, y, &end, &h, rtol, atol, &yes, jacobian_, &yes, &full, &full, none, &no, &no, &no, none,
        &no, work, &work_size, integers, &integers_size, &unused, &no, &status, message, sizeof message);
  for (int k = 0; k < 6; ++k) counts[k] = integers[13 + k];
  return status;
}
