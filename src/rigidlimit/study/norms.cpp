#include "rigidlimit/study/norms.hpp"

#include <cmath>
#include <limits>

#include "rigidlimit/study/precise_motion.hpp"

namespace rigidlimit {

const char* name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::q: return "q";
    case Quantity::v: return "v";
    case Quantity::lambda: return "lambda";
  }
  return "unknown";
}

const char* name_of(Norm norm) {
  return norm == Norm::sup ? "sup" : "l2";
}

const char* name_of(Window window) {
  return window == Window::all ? "all" : "after";
}

const MatrixXd& values_of(const Motion& motion, Quantity quantity) {
  switch (quantity) {
    case Quantity::q: return motion.q;
    case Quantity::v: return motion.v;
    case Quantity::lambda: break;
  }
  return motion.lambda;
}

double magnitude(const Motion& difference, Quantity quantity, Norm norm, Window window,
                 double cut) {
  const MatrixXd& values = values_of(difference, quantity);
  Index first = 0;
  if (window == Window::after)
    while (first < values.cols() && !(difference.times[static_cast<std::size_t>(first)] > cut))
      ++first;
  const MatrixXd seen = values.rightCols(values.cols() - first);
  if (seen.cols() == 0 || !seen.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  if (norm == Norm::sup) return seen.cwiseAbs().maxCoeff();

  const VectorXd squares = seen.colwise().squaredNorm();
  if (squares.size() == 1) return std::sqrt(squares(0));  // no interval to average over
  const double* t = difference.times.data() + first;
  double integral = 0.0;
  for (Index k = 1; k < squares.size(); ++k)
    integral += 0.5 * (t[k] - t[k - 1]) * (squares(k) + squares(k - 1));
  return std::sqrt(integral / (t[squares.size() - 1] - t[0]));
}

double sampling_error(const Motion& difference, Quantity quantity, Norm norm, Window window,
                      double cut) {
  std::vector<std::size_t> every_other;
  for (std::size_t k = 0; k < difference.times.size(); k += 2) every_other.push_back(k);
  // T is a sample of every grid: a maximum there is found by no chance.
  if (difference.times.size() % 2 == 0) every_other.push_back(difference.times.size() - 1);
  return std::abs(magnitude(difference, quantity, norm, window, cut) -
                  magnitude(restricted(difference, every_other), quantity, norm, window, cut));
}

}  // namespace rigidlimit
