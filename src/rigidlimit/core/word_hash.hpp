// A fast checksum of 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rigidlimit {

/// FNV-1a (Fowler, Noll and Vo) by words of eight bytes in place of bytes, folded after each word.
/// It finds damage, not forgery. The parts of one content must be added in the same pieces.
class WordHash {
 public:
  void add(std::int64_t word) { mix(static_cast<std::uint64_t>(word)); }
  void add(double number) { add(&number, sizeof number); }
  /// The size counts too.
  void add(const void* data, std::size_t size) {
    add(static_cast<std::int64_t>(size));
    const auto* at = static_cast<const char*>(data);
    while (size > 0) {
      const std::size_t now = size < sizeof(std::uint64_t) ? size : sizeof(std::uint64_t);
      std::uint64_t word = 0;
      std::memcpy(&word, at, now);
      mix(word);
      at += now;
      size -= now;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  void mix(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x100000001b3;
    value_ ^= value_ >> 32;  // a product moves bits up only
  }
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace rigidlimit
