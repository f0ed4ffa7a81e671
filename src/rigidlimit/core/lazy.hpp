// A value created on first use.
#pragma once

#include <memory>
#include <mutex>

namespace rigidlimit {

/// Created once, on the first access from any thread.
template <class Made>
class Lazy {
 public:
  template <class Make>
  const Made& made(const Make& make) const {
    std::call_once(once_,
                   [&] { value_.reset(new const Made(make())); });  // in place: nothing moves
    return *value_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const Made> value_;
};

}  // namespace rigidlimit
