// A value that is made when it is first asked for.
#pragma once

#include <memory>
#include <mutex>

namespace rigidlimit {

/// Made once, by whoever asks first; any thread may.
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
