// SHA-256 (FIPS 180-4), by OpenSSL.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

struct evp_md_ctx_st;

namespace rigidlimit {

class Sha256 {
 public:
  Sha256();
  void add(const void* data, std::size_t size);
  /// The digest in hexadecimal; the last call.
  std::string text();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> state_;
};

/// Of a file. Throws InputError if it cannot be read, and if `stop_requested`, which is called at
/// every 64 kB, is true.
std::string sha256_of_file(const std::string& path,
                           const std::function<bool()>& stop_requested = {});

}  // namespace rigidlimit
