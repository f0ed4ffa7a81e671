#include "rigidlimit/formulations/compliant/compliant.hpp"

#include <cmath>
#include <span>
#include <type_traits>

#include "rigidlimit/core/pack.hpp"
#include "rigidlimit/formulations/recorded_rates.hpp"
#include "rigidlimit/mechanics/motion_tapes.hpp"

namespace rigidlimit {
namespace {

/// Functions of (t, y) on the tapes of the system, with their workspace.
template <class T>
class NaturalMotion {
 public:
  NaturalMotion(const System& system, const ViscoelasticLaw& law, double epsilon)
      : tapes_(system.tapes), nq_(system.nq), n_(system.n), m_(system.m) {
    const LawAt<T> at(law, epsilon);
    deflection_rate_ = at.deflection_rate();
    const Index first = size() + 1;  // behind y and t
    arguments_.setZero(first + 2 * m_ * m_);
    arguments_.segment(first, m_ * m_) = at.stiffness.reshaped();
    arguments_.tail(m_ * m_) = at.damping.reshaped();
    results_.resize(size() * size());
  }

  Index size() const { return nq_ + n_ + m_; }

  void write_rate(const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    write_rates(tapes_->natural().rates<T>(), t, y, f);
  }
  void write_jacobian(double t, VectorIn y, MatrixOut J) {
    write_matrix(tapes_->natural().jacobian(), t, y, J);
  }
  void write_time_derivative(double t, VectorIn y, VectorOut f) {
    write_rates(tapes_->natural().time_derivative(), t, y, f);
  }
  const VectorX<T>& contact_force(VectorInOf<T> y) {
    evaluate(tapes_->natural().contact_force<T>(), T(0), y);
    force_ = results_.head(m_);
    return force_;
  }

  void write_rates_of_eight(const Pack& t, const Pack* y, Pack* f) {
    const auto count = static_cast<std::size_t>(size());
    tapes_->natural().packs()(f, std::span(y, count), std::span(&t, 1),
                              std::span(arguments_.data(), arguments_.size()).subspan(count + 1));
    for (std::size_t i = count - static_cast<std::size_t>(m_); i < count; ++i)
      f[i] *= Pack(deflection_rate_);
  }

  void write_stiff_rate(VectorIn y, VectorOut f) {
    write_rates(tapes_->natural().contact_rates(), 0.0, y, f);
  }
  void write_stiff_jacobian(VectorIn y, MatrixOut J) {
    write_matrix(tapes_->natural().contact_jacobian(), 0.0, y, J);
  }
  /// The rates as if C and D were zero, and η' = 0.
  void write_rest(double t, VectorIn y, VectorOut f) {
    const VectorXd law = arguments_.tail(2 * m_ * m_);
    arguments_.tail(2 * m_ * m_).setZero();
    write_rate(t, y, f);
    arguments_.tail(2 * m_ * m_) = law;
    f.tail(m_).setZero();
  }

 private:
  void evaluate(const Evaluator<T>& tape, const T& t, VectorInOf<T> y) {
    arguments_.head(size()) = y;
    arguments_(size()) = t;
    tape.evaluate(arguments_.data(), results_.data());
  }
  void write_rates(const Evaluator<T>& tape, const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    evaluate(tape, t, y);
    f = results_.head(size());
    f.tail(m_) *= deflection_rate_;
  }
  void write_matrix(const Evaluator<T>& tape, const T& t, VectorInOf<T> y, MatrixOut J) {
    evaluate(tape, t, y);
    J = results_.reshaped(size(), size());
    J.bottomRows(m_) *= deflection_rate_;
  }

  std::shared_ptr<const MotionTapes> tapes_;
  Index nq_, n_, m_;
  T deflection_rate_;     ///< 1/ε²
  VectorX<T> arguments_;  ///< y, t, C, D ε^(−β)
  VectorX<T> results_, force_;
};

/// Each callback owns its workspace.
Splitting splitting_of(const NaturalMotion<double>& motion) {
  return {.stiff = [motion = motion](double, VectorIn y,
                                     VectorOut f) mutable { motion.write_stiff_rate(y, f); },
          .rest = [motion = motion](double t, VectorIn y,
                                    VectorOut f) mutable { motion.write_rest(t, y, f); },
          .stiff_jacobian = [motion = motion](
                                double, VectorIn y,
                                MatrixOut J) mutable { motion.write_stiff_jacobian(y, J); }};
}

}  // namespace

template <class T>
MotionProblem<OdeProblemOf<T>, T> compliant_ode(const System& system,
                                                const InitialStateOf<T>& start,
                                                const ViscoelasticLaw& law, double epsilon,
                                                const VectorXd& eta0) {
  const Index nq = system.nq, n = system.n, m = system.m;
  const NaturalMotion<T> motion(system, law, epsilon);
  const NaturalMotion<double> in_double(system, law, epsilon);
  OdeProblemOf<T> ode;
  ode.t0 = start.t;
  ode.name = "viscoelastic rolling in (q, v, eta)";
  ode.y0.resize(nq + n + m);
  ode.y0 << start.q, start.v, eta0.cast<T>();
  const auto rate = [motion = motion](const T& t, VectorInOf<T> y, VectorOutOf<T> f) mutable {
    motion.write_rate(t, y, f);
  };
  ode.rhs = rate;
  ode.jacobian = [motion = in_double](double t, VectorIn y, MatrixOut J) mutable {
    motion.write_jacobian(t, y, J);
  };
  if (system.explicit_time)
    ode.time_derivative = [motion = in_double](double t, VectorIn y, VectorOut f) mutable {
      motion.write_time_derivative(t, y, f);
    };
  if constexpr (std::is_same_v<T, double>) {
    ode.rhs = {rate, [motion = motion](const Pack& t, const Pack* y, Pack* f) mutable {
                 motion.write_rates_of_eight(t, y, f);
               }};
    ode.splitting = std::make_shared<const Splitting>(splitting_of(motion));
    ode.recorded = [system, law, epsilon] { return recorded_natural(system, law, epsilon); };
  }
  const Index np = system.np;
  const T deflection_scale = LawAt<T>(law, epsilon).deflection_scale;
  return {std::move(ode), [motion, nq, n, m, np, deflection_scale](const SolutionOf<T>& solution) {
            NaturalMotion<T> workspace = motion;
            typename MotionOf<T>::Values lambda(m, solution.states.cols());
            for (Index k = 0; k < lambda.cols(); ++k)
              lambda.col(k) = workspace.contact_force(solution.states.col(k));
            return MotionOf<T>{
                .times = solution.times,
                .q = solution.states.topRows(nq),
                .v = solution.states.middleRows(nq, n),
                .lambda = std::move(lambda),
                .gap = deflection_scale * solution.states.middleRows(nq + n + m - np, np)};
          }};
}

template MotionProblem<OdeProblem> compliant_ode(const System&, const InitialState&,
                                                 const ViscoelasticLaw&, double, const VectorXd&);
template MotionProblem<OdeProblemOf<Quad>, Quad> compliant_ode(const System&,
                                                               const InitialStateOf<Quad>&,
                                                               const ViscoelasticLaw&, double,
                                                               const VectorXd&);

}  // namespace rigidlimit
