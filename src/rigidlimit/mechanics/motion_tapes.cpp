#include "rigidlimit/mechanics/motion_tapes.hpp"

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

}  // namespace rigidlimit
