// The initial layer: a linear oscillator with frozen coefficients on the time scale τ = t/ε.
#pragma once

#include <vector>

#include "rigidlimit/core/linear.hpp"

namespace rigidlimit {

/// x = (η − η∞, ω), ω = dη/dτ, the deflection missing to its outer value and its rate
/// (docs/theory.md, section 4):
///
///   dx/dτ = [ 0  I; −A C  −A D ] x,   x(0) = x0
///
/// A: Delassus matrix, C: stiffness, D: damping at t = 0, m × m. Decays if A, C and D are positive
/// definite; oscillates forever if D = 0.
class Layer {
 public:
  /// x0 has 2m entries. Throws InputError if sizes do not fit or an entry is not finite.
  Layer(const MatrixXd& delassus, const MatrixXd& stiffness, const MatrixXd& damping,
        const VectorXd& x0);

  /// x(τ), by the exponential of the matrix. τ ≥ 0 and finite, else InputError. The absolute error
  /// is a multiple of |x0| times round-off times 1 + τ |matrix|, as far as x has not decayed.
  VectorXd state(double tau) const;
  /// One column per τ, 2m × K.
  MatrixXd states(const std::vector<double>& taus) const;

  /// The smallest decay rate in τ, of symmetric A > 0, C > 0 and D ≥ 0.
  double slowest_rate() const;

  /// η − η∞ (m × K), ω (m × K) and the force C (η − η∞) + D ω (m × K) of such columns.
  MatrixXd deflection(const MatrixXd& states) const { return states.topRows(contacts()); }
  MatrixXd sliding(const MatrixXd& states) const { return states.bottomRows(contacts()); }
  MatrixXd force(const MatrixXd& states) const {
    return stiffness_ * deflection(states) + damping_ * sliding(states);
  }

 private:
  Index contacts() const { return stiffness_.rows(); }

  MatrixXd delassus_;
  MatrixXd stiffness_;
  MatrixXd damping_;
  MatrixXd matrix_;
  VectorXd x0_;
};

}  // namespace rigidlimit
