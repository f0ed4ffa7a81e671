// arc4random_buf() for the libarchive in a wheel. glibc has it since 2.36, and the wheel needs only
// glibc 2.35.
#include <sys/random.h>

#include <cerrno>
#include <cstdlib>

extern "C" __attribute__((visibility("hidden"))) void arc4random_buf(void* buffer,
                                                                     std::size_t size) noexcept {
  auto* at = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t written = getrandom(at, size, 0);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) std::abort();
    at += written;
    size -= static_cast<std::size_t>(written);
  }
}
