#include "rigidlimit/solvers/sundials/sundials_roots.hpp"

#include <cmath>
#include <utility>

namespace rigidlimit::sundials {

LibraryRoots::LibraryRoots(const std::string& name, std::shared_ptr<const RootFunctions> roots)
    : roots_(roots), watch_(name, std::move(roots)) {}

std::vector<int> LibraryRoots::directions() const {
  std::vector<int> directions = roots_->directions;
  directions.resize(static_cast<std::size_t>(roots_->count), 0);
  return directions;
}

bool LibraryRoots::write(double t, VectorIn y, double* values) {
  constexpr double nearly_zero = 1e-100;  // products with it do not underflow
  Eigen::Map<VectorXd> out(values, roots_->count);
  roots_->values(t, y, out);
  const bool finite = out.allFinite();
  ++looks_;
  for (std::size_t k = 0; k < crossed_.size(); ++k) {
    if (crossed_[k] == 0) continue;
    const auto i = static_cast<Index>(k);
    if (const int sign = watch_.sign(i); sign != 0) {
      if (t == told_at_) out(i) = sign * nearly_zero;  // also after steps below its resolution
    } else if (looks_ == 2 || std::abs(out(i)) <= 4.0 * noise_(i)) {
      out(i) = 0.0;
    } else {
      crossed_[k] = 0;  // its sign is known
    }
  }
  signs_.resize(static_cast<std::size_t>(out.size()), 0);
  for (std::size_t k = 0; k < signs_.size(); ++k) {
    double& value = out(static_cast<Index>(k));
    if (value == 0.0)
      value = signs_[k] * nearly_zero;
    else
      signs_[k] = value > 0.0 ? 1 : -1;
  }
  return finite;
}

bool LibraryRoots::report(double t, const std::vector<int>& crossed, VectorOut y) {
  told_at_ = t;
  crossed_ = crossed;
  looks_ = 0;
  noise_.resize(roots_->count);
  roots_->values(t, y, noise_);
  noise_ = noise_.cwiseAbs();
  const VectorXd before = y;
  const bool goes_on = watch_.report(t, crossed, y);
  if (y != before) signs_.clear();
  return goes_on;
}

}  // namespace rigidlimit::sundials
