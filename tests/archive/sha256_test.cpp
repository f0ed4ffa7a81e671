// Tests that the digest of a file can be stopped.
#include "rigidlimit/archive/sha256.hpp"

#include <gtest/gtest.h>

#include "rigidlimit/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

// 1 MB in blocks of 64 kB. Negative control: without a stop it has the digest of FIPS 180-4's
// function, here from sha256sum.
TEST(Sha256OfFile, AsksAtEveryBlockWhetherToStop) {
  const test::TemporaryDirectory place;
  const std::string file = place.write("zeros", std::string(1U << 20U, '\0'));
  int asked = 0;
  EXPECT_EQ(sha256_of_file(file, [&] { return ++asked < 0; }),
            "30e14955ebf1352266dc2ff8067e68104607e750abb9d3b36582b8af909fcb58");
  EXPECT_EQ(asked, 16);
  EXPECT_THROW(sha256_of_file(file, [&] { return ++asked > 18; }), InputError);
  EXPECT_EQ(asked, 19);
}

}  // namespace
}  // namespace rigidlimit
