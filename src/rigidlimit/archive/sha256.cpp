#include "rigidlimit/archive/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/input_file.hpp"

namespace rigidlimit {

Sha256::Sha256() : state_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
  if (!state_ || EVP_DigestInit_ex(state_.get(), EVP_sha256(), nullptr) != 1)
    throw InputError("OpenSSL has no SHA-256");
}

void Sha256::add(const void* data, std::size_t size) {
  EVP_DigestUpdate(state_.get(), data, size);
}

std::string Sha256::text() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_DigestFinal_ex(state_.get(), digest.data(), &size);
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + size, ""));
}

std::string sha256_of_file(const std::string& path, const std::function<bool()>& stop_requested) {
  require_regular_file(path);
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::vector<char> buffer(std::size_t{1} << 16U);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) ||
         file.gcount() > 0) {
    if (stop_requested && stop_requested())
      throw InputError("the check of its files was interrupted", path);
    hash.add(buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof()) throw InputError("cannot be read", path);
  return hash.text();
}

}  // namespace rigidlimit
