
/* Behind an exported problem: the right-hand side with a count, and data that it ignores. */
long calls;
void counted_rhs(double t, double *y, double *f, void *data)
{
  (void)data;
  ++calls;
  rhs(t, y, f);
}
