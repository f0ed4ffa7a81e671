// The right-hand sides in constraint-adapted velocities, for one frame.
#pragma once

#include "rigidlimit/formulations/compliant/adapted_frame.hpp"

namespace rigidlimit {

/// The tapes of one of the two motions with the parameters of a shared frame, which change when the
/// frame is rechosen. Sizes and arguments as in mechanics/adapted_tapes.hpp: state (q, u, w) or (q,
/// u), mu r or none.
class AdaptedEquations {
 public:
  AdaptedEquations(std::shared_ptr<const AdaptedFrame> frame, AdaptedMotion motion)
      : frame_(std::move(frame)), motion_(motion) {}

  const AdaptedFrame& frame() const { return *frame_; }
  Index state_size() const { return frame_->usual_tapes().state_size(motion_); }

  /// The rates of the state; T double or Quad. Allocates nothing if the usual row order is valid.
  template <class T>
  void write_rates(const T* state, const T* mu, const T& t, T* rate) const {
    const auto count = static_cast<std::size_t>(state_size());
    frame_->with_tapes(state, [&](const AdaptedTapes& tapes, const auto& rest) {
      tapes.rates<T>(motion_)(
          [&](std::size_t i, const T& x) {
            if (i < count)
              rate[i] = x;
            else
              rest(i - count, x);
          },
          numbers(state, state_size()), numbers(mu, tapes.force_size(motion_)), numbers(&t, 1),
          frame_->parameters());
    });
  }
  /// The rates of eight states, with tapes valid near all of them.
  void write_rates(const AdaptedTapes& tapes, const Pack* state, const Pack* mu, const Pack& t,
                   Pack* rate) const {
    tapes.packs(motion_)(rate, numbers(state, state_size()), numbers(mu, tapes.force_size(motion_)),
                         numbers(&t, 1), frame_->parameters());
  }

  /// ∂ rates/∂ state and ∂ rates/∂t with μ fixed.
  void write_jacobian(const double* state, const double* mu, double t, MatrixOut J) const {
    differentiate(&AdaptedTapes::jacobian, state, mu, t, J);
  }
  void write_time_derivative(const double* state, const double* mu, double t, VectorOut f) const {
    differentiate(&AdaptedTapes::time_derivative, state, mu, t, f);
  }

  /// P = −∂(u, w)'/∂μ, (free + r) × r. Returns the tapes valid at the state.
  const AdaptedTapes& write_response(const double* state, MatrixOut P) const {
    const AdaptedTapes& tapes = frame_->tapes_at(state);
    tapes.response()(into(P), numbers(state, frame_->system().nq), frame_->parameters());
    return tapes;
  }

 private:
  template <class T>
  static std::span<const T> numbers(const T* first, Index count) {
    return {first, static_cast<std::size_t>(count)};
  }
  template <class Out>
  void differentiate(const Evaluator<double>& (AdaptedTapes::*which)(AdaptedMotion) const,
                     const double* state, const double* mu, double t, Out& out) const {
    const AdaptedTapes& tapes = frame_->tapes_at(state);
    (tapes.*which)(motion_)(into(out), numbers(state, state_size()),
                            numbers(mu, tapes.force_size(motion_)), numbers(&t, 1),
                            frame_->parameters());
  }

  std::shared_ptr<const AdaptedFrame> frame_;
  AdaptedMotion motion_;
};

}  // namespace rigidlimit
