#include "rigidlimit/formulations/quasi_velocity_motion.hpp"

#include <utility>

#include "rigidlimit/core/batched_rate.hpp"

namespace rigidlimit {
namespace {

using SharedEquations = std::shared_ptr<const QuasiVelocityEquations>;

class BatchedCompliantMotion final : public BatchedRate {
 public:
  BatchedCompliantMotion(Index slow_size, SharedEquations equations, const AdaptedLaw<double>& law)
      : BatchedRate(slow_size, law.stiffness, law.damping, 1.0 / law.deflection_scale),
        equations_(std::move(equations)) {}
  void rates(const Chart& chart, const Pack* state, const Pack* lambda, Pack* rate) const override {
    equations_->rates(chart, state, lambda, rate);
  }
  Chart response(const double* state, MatrixOut P) const override {
    return equations_->response(state, P);
  }

 private:
  SharedEquations equations_;
};

class BatchedRolling final : public BatchedRate {
 public:
  BatchedRolling(Index size, SharedEquations equations)
      : BatchedRate(size, MatrixXd(0, 0), MatrixXd(0, 0), 0.0), equations_(std::move(equations)) {}
  void rates(const Chart& chart, const Pack* state, const Pack*, Pack* rate) const override {
    equations_->rolling_rates(chart, state, rate);
  }
  Chart response(const double* state, MatrixOut) const override { return equations_->chart(state); }

 private:
  SharedEquations equations_;
};

/// f and its derivatives in (q, u, w, η): y holds N_x + m numbers of (q, u, w), then η.
class QuasiVelocityMotion {
 public:
  QuasiVelocityMotion(Index size, SharedEquations equations, const AdaptedLaw<double>& law)
      : equations_(std::move(equations)),
        law_(law),
        m_(law.stiffness.rows()),
        moving_(size - m_),
        lambda_(m_),
        P_(moving_, m_) {}

  void rate(VectorIn y, VectorOut f) {
    write_force(y);
    equations_->rates(y.data(), lambda_.data(), f.data());
    f.tail(m_) = y.segment(moving_ - m_, m_) / law_.deflection_scale;
  }
  void jacobian(VectorIn y, MatrixOut J) {
    write_force(y);
    equations_->jacobian(y.data(), lambda_.data(), J.topLeftCorner(moving_, moving_));
    equations_->response(y.data(), P_);
    J.block(0, moving_ - m_, moving_, m_).noalias() -= P_.lazyProduct(law_.damping);
    J.topRightCorner(moving_, m_).noalias() = -P_.lazyProduct(law_.stiffness);
    J.bottomRows(m_).setZero();
    J.block(moving_, moving_ - m_, m_, m_).diagonal().setConstant(1.0 / law_.deflection_scale);
  }
  void fast_block(VectorIn y, MatrixOut J) {
    equations_->response(y.data(), P_);
    J.setZero();
    J.topLeftCorner(m_, m_).noalias() = -P_.bottomRows(m_).lazyProduct(law_.damping);
    J.topRightCorner(m_, m_).noalias() = -P_.bottomRows(m_).lazyProduct(law_.stiffness);
    J.bottomLeftCorner(m_, m_).diagonal().setConstant(1.0 / law_.deflection_scale);
  }
  void coupling(VectorIn y, MatrixOut J) {
    equations_->response(y.data(), P_);
    const Index slow = moving_ - m_;
    J.leftCols(m_).noalias() = -P_.topRows(slow).lazyProduct(law_.damping);
    J.rightCols(m_).noalias() = -P_.topRows(slow).lazyProduct(law_.stiffness);
  }

 private:
  void write_force(VectorIn y) {
    lambda_.noalias() = law_.stiffness.lazyProduct(y.tail(m_));
    lambda_.noalias() += law_.damping.lazyProduct(y.segment(moving_ - m_, m_));
  }

  SharedEquations equations_;
  AdaptedLaw<double> law_;
  Index m_, moving_;
  VectorXd lambda_;
  MatrixXd P_;
};

}  // namespace

void use_quasi_velocity_equations(OdeProblem& ode, SharedEquations equations,
                                  const AdaptedLaw<double>& law) {
  const Index size = ode.y0.size(), m = law.stiffness.rows();
  ode.batched = std::make_shared<const BatchedCompliantMotion>(size - 2 * m, equations, law);
  const QuasiVelocityMotion motion(size, std::move(equations), law);
  // The work space of a callback is its own, in each copy of the problem.
  ode.rhs = [motion = motion](double, VectorIn y, VectorOut f) mutable { motion.rate(y, f); };
  ode.jacobian = [motion = motion](double, VectorIn y, MatrixOut J) mutable {
    motion.jacobian(y, J);
  };
  auto fast = std::make_shared<FastBlock>(*ode.fast);
  fast->jacobian = [motion = motion](VectorIn y, MatrixOut J) mutable { motion.fast_block(y, J); };
  fast->coupling = [motion = motion](VectorIn y, MatrixOut J) mutable { motion.coupling(y, J); };
  ode.fast = std::move(fast);
}

void use_quasi_velocity_rolling(OdeProblem& ode, SharedEquations equations) {
  ode.batched = std::make_shared<const BatchedRolling>(ode.y0.size(), equations);
  ode.rhs = [equations](double, VectorIn y, VectorOut f) {
    equations->rolling_rates(y.data(), f.data());
  };
  ode.jacobian = [equations](double, VectorIn y, MatrixOut J) {
    equations->rolling_jacobian(y.data(), J);
  };
}

}  // namespace rigidlimit
