#include "rigidlimit/mechanics/motion_tapes.hpp"

#include "rigidlimit/core/tape/recorded_elimination.hpp"
#include "rigidlimit/mechanics/recorded_equations.hpp"

namespace rigidlimit {

std::shared_ptr<const MotionTapes> motion_tapes_of(
    const std::shared_ptr<const RecordedSystem>& recorded) {
  return std::make_shared<const MotionTapes>(recorded);
}

const AdaptedTapes& MotionTapes::adapted(const AdaptedForm& form) const {
  const std::scoped_lock lock(guard_);
  auto& found = adapted_[form];
  if (!found) found = std::make_unique<const AdaptedTapes>(system_, form);
  return *found;
}

VectorXd MotionTapes::energy_change(VectorIn q, VectorIn v, VectorIn dq) const {
  using V = const ExpressionVector&;
  const RecordedSystem& s = *system_;
  const auto& tape = energy_change_.made([&] {
    return tape_of(
        [&](V q_, V v_, V dq_) {
          return tangents_of(
              joined(inlined(s.potential, q_), inlined(s.inertia_force, joined(q_, v_))), q_, dq_);
        },
        s.nq, s.n, s.nq);
  });
  VectorXd change(1 + s.n);
  tape(into(change), q, v, dq);
  return change;
}

}  // namespace rigidlimit
