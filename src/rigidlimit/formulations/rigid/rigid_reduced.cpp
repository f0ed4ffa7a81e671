#include "rigidlimit/formulations/rigid/rigid_reduced.hpp"

#include "rigidlimit/core/batched_rate.hpp"
#include "rigidlimit/formulations/compliant/adapted_equations.hpp"
#include "rigidlimit/formulations/recorded_rates.hpp"
#include "rigidlimit/formulations/rigid/rigid_motion.hpp"

namespace rigidlimit {
namespace {

class BatchedRolling final : public BatchedRate {
 public:
  explicit BatchedRolling(const AdaptedEquations& equations)
      : BatchedRate(equations.state_size(), MatrixXd(0, 0), MatrixXd(0, 0), 0.0),
        equations_(equations) {}
  void rates(Chart chart, const Pack& t, const Pack* state, const Pack* none,
             Pack* rate) const override {
    equations_.write_rates(*static_cast<const AdaptedTapes*>(chart), state, none, t, rate);
  }
  Chart response(const double* state, MatrixOut) const override {
    return &equations_.frame().tapes_at(state);
  }

 private:
  AdaptedEquations equations_;
};

}  // namespace

template <class T>
MotionProblem<OdeProblemOf<T>, T> rigid_reduced(const System& system,
                                                const InitialStateOf<T>& start,
                                                const AdaptedOptions& options) {
  const auto frame = frame_at<T>(system, start.q, options);
  const AdaptedEquations equations(frame, AdaptedMotion::rolling);
  OdeProblemOf<T> ode;
  ode.t0 = start.t;
  ode.name = "rigid rolling in (q, u)";
  ode.y0.resize(equations.state_size());
  ode.y0 << start.q, frame->template adapted<T>(start.q, start.v).head(frame->free());
  ode.rhs = [equations](const T& t, VectorInOf<T> y, VectorOutOf<T> f) {
    equations.write_rates<T>(y.data(), nullptr, t, f.data());
  };
  ode.jacobian = [equations](double t, VectorIn y, MatrixOut J) {
    equations.write_jacobian(y.data(), nullptr, t, J);
  };
  if (system.explicit_time)
    ode.time_derivative = [equations](double t, VectorIn y, VectorOut f) {
      equations.write_time_derivative(y.data(), nullptr, t, f);
    };
  ode.coordinates = std::make_shared<const MovingCoordinatesOf<T>>(adapted_coordinates<T>(frame));
  if constexpr (std::is_same_v<T, double>) {
    ode.batched = std::make_shared<const BatchedRolling>(equations);
    ode.recorded = [frame, q0 = VectorXd(start.q)] {
      return recorded_reduced(frame->system(), q0);
    };
  }
  return {std::move(ode), [system, basis = frame->contacts()](const SolutionOf<T>& solution) {
            return detail::motion_of_blocks<T>(solution, system.nq, system.n,
                                               detail::kkt_multipliers<T>(system, basis, solution));
          }};
}

template MotionProblem<OdeProblemOf<double>, double> rigid_reduced(const System&,
                                                                   const InitialState&,
                                                                   const AdaptedOptions&);
template MotionProblem<OdeProblemOf<Quad>, Quad> rigid_reduced(const System&,
                                                               const InitialStateOf<Quad>&,
                                                               const AdaptedOptions&);

}  // namespace rigidlimit
