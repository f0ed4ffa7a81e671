// Tests reading and writing of zip files.
#include "rigidlimit/archive/zip.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "rigidlimit/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr std::int64_t noon = 1'800'000'000;
constexpr std::size_t large = 1 << 20;

class Zip : public testing::Test {
 protected:
  std::string written(const std::string& name, const std::string& long_text) {
    const std::string file = place.write("other.txt", "from a file");
    ZipWriter zip(place.path(name), noon);
    zip.add_text("a.txt", long_text);
    zip.add_text("folder/empty", "");
    zip.add_file("folder/b.txt", file);
    zip.finish();
    return place.path(name);
  }
  test::TemporaryDirectory place;
};

TEST_F(Zip, ReturnsTheTextsThatWereWritten) {
  const std::string path = written("one.zip", std::string(100'000, 'x'));
  EXPECT_LT(std::filesystem::file_size(path), 2000U);  // compressed
  EXPECT_THAT(texts_in_zip(path, {"a.txt", "folder/b.txt", "folder/empty", "none"}, large),
              UnorderedElementsAre(Pair("a.txt", std::string(100'000, 'x')),
                                   Pair("folder/b.txt", "from a file"), Pair("folder/empty", "")));
  EXPECT_THAT(texts_in_zip(path, {}, large), IsEmpty());
}

TEST_F(Zip, IsTheSameFileForTheSameContents) {
  EXPECT_EQ(test::text_of(written("one.zip", "text")), test::text_of(written("two.zip", "text")));
  EXPECT_NE(test::text_of(written("one.zip", "text")), test::text_of(written("two.zip", "taxt")));
}

TEST_F(Zip, IsNotReadBeyondTheLimit) {
  const std::string path = written("one.zip", std::string(1001, 'x'));
  EXPECT_NO_THROW(texts_in_zip(path, {"a.txt"}, 1001));
  EXPECT_THROW(texts_in_zip(path, {"a.txt"}, 1000), InputError);
  EXPECT_NO_THROW(texts_in_zip(path, {"folder/b.txt"}, 1000));  // the long one is not read
}

// 256 MiB of zeros in 256 kB: the blocks of 64 KiB that are unpacked are counted by the calls of
// `stop_requested`. Control: with its true size the entry is read to its end.
TEST_F(Zip, UnpacksForDigestsOnlyWhatIsStated) {
  const std::size_t bomb = std::size_t{1} << 28U;
  ZipWriter zip(place.path("bomb.zip"), noon);
  zip.add_text("a.txt", "text");
  zip.add_text("bomb", std::string(bomb, '\0'));
  zip.finish();
  const auto digests = [&](const std::map<std::string, std::size_t>& sizes, int most_blocks) {
    int blocks = 0;
    return digests_in_zip(place.path("bomb.zip"), sizes, 10,
                          [&] { return ++blocks > most_blocks; });
  };
  EXPECT_EQ(digests({{"a.txt", 4}}, 2).at("a.txt").size, 4U);
  EXPECT_EQ(digests({{"a.txt", 4}}, 2).size(), 1U) << "the bomb is not stated";
  const EntryDigest cut = digests({{"bomb", 100}}, 2).at("bomb");
  EXPECT_GT(cut.size, 100U);
  EXPECT_EQ(cut.sha256, "");
  EXPECT_EQ(digests({{"bomb", bomb}}, 5000).at("bomb").size, bomb);
  EXPECT_EQ(digests({{"bomb", bomb}}, 5000).at("bomb").sha256.size(), 64U);
  EXPECT_THROW(digests({{"bomb", bomb}}, 100), InputError) << "a stop is obeyed";
}

TEST_F(Zip, IsRefusedIfItIsDamagedOrAnotherFile) {
  std::string various;  // does not become much shorter
  for (int k = 0; k < 300; ++k) various += static_cast<char>(k * k % 251);
  std::string bytes = test::text_of(written("one.zip", various));
  constexpr std::size_t in_its_data = 150;  // a header has less than 100 bytes
  bytes[in_its_data] = static_cast<char>(bytes[in_its_data] ^ 0x55);
  EXPECT_THROW(texts_in_zip(place.write("damaged.zip", bytes), {"a.txt"}, large), InputError);
  EXPECT_THROW(texts_in_zip(place.write("text.zip", "no zip file\n"), {"a.txt"}, large),
               InputError);
  EXPECT_THROW(texts_in_zip(place.path(), {"a.txt"}, large), InputError);  // a folder
}

TEST_F(Zip, LeavesNothingIfItIsNotFinished) {
  {
    ZipWriter zip(place.path("one.zip"), noon);
    zip.add_text("a.txt", "text");
    EXPECT_THROW(zip.add_file("b.txt", place.path("missing.txt")), InputError);
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
  EXPECT_THROW(ZipWriter(place.path("no/folder.zip"), noon), InputError);
}

}  // namespace
}  // namespace rigidlimit
