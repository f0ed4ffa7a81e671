#include "rigidlimit/study/norms.hpp"

#include <cmath>
#include <limits>

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

double distance(const Motion& a, const Motion& b, Quantity quantity, Norm norm, Window window,
                double cut) {
  const MatrixXd difference = values_of(a, quantity) - values_of(b, quantity);
  Index first = 0;
  if (window == Window::after)
    while (first < difference.cols() && !(a.times[static_cast<std::size_t>(first)] > cut)) ++first;
  const MatrixXd seen = difference.rightCols(difference.cols() - first);
  if (seen.cols() == 0 || !seen.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  if (norm == Norm::sup) return seen.cwiseAbs().maxCoeff();

  const VectorXd squares = seen.colwise().squaredNorm();
  if (squares.size() == 1) return std::sqrt(squares(0));  // no interval to average over
  const double* t = a.times.data() + first;
  double integral = 0.0;
  for (Index k = 1; k < squares.size(); ++k)
    integral += 0.5 * (t[k] - t[k - 1]) * (squares(k) + squares(k - 1));
  return std::sqrt(integral / (t[squares.size() - 1] - t[0]));
}

double sampling_error(const Motion& a, const Motion& b, Quantity quantity, Norm norm, Window window,
                      double cut) {
  std::vector<std::size_t> every_other;
  for (std::size_t k = 0; k < a.times.size(); k += 2) every_other.push_back(k);
  const double all = distance(a, b, quantity, norm, window, cut);
  const double half =
      distance(restricted(a, every_other), restricted(b, every_other), quantity, norm, window, cut);
  return std::abs(all - half);
}

Motion restricted(const Motion& motion, const std::vector<std::size_t>& positions) {
  Motion part;
  for (const std::size_t k : positions) part.times.push_back(motion.times[k]);
  part.q = motion.q(Eigen::all, positions);
  part.v = motion.v(Eigen::all, positions);
  part.lambda = motion.lambda(Eigen::all, positions);
  return part;
}

}  // namespace rigidlimit
