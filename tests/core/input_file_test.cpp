// Tests that only regular files are read, without waiting for pipes.
#include "rigidlimit/core/input_file.hpp"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "rigidlimit/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

std::string complaint(const std::string& path) {
  try {
    text_of_file(path, 100);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(InputFile, ReadsTheWholeFile) {
  const test::TemporaryDirectory place;
  const std::string text("a\0\xff\r\n", 5);
  EXPECT_EQ(text_of_file(place.write("file", text), 100), text);
  EXPECT_EQ(text_of_file(place.write("full", std::string(100, 'x')), 100), std::string(100, 'x'));
  std::filesystem::create_symlink(place.path("file"), place.path("link"));
  EXPECT_EQ(text_of_file(place.path("link"), 100), text);
  EXPECT_THAT(text_of_file("/proc/self/stat", 100'000), HasSubstr(" ")) << "has no size";
  const std::string long_text(1'000'000, 'x');
  EXPECT_EQ(text_of_file(place.write("file", long_text), std::size_t{1} << 50U), long_text)
      << "takes memory for the text and not for the limit";
}

TEST(InputFile, RefusesMissingEmptyAndLongFiles) {
  const test::TemporaryDirectory place;
  EXPECT_THAT(complaint(place.write("empty", "")), HasSubstr("empty"));
  EXPECT_THAT(complaint(place.write("long", std::string(101, 'x'))), HasSubstr("100 bytes"));
  EXPECT_THAT(complaint(place.path("none")), testing::StartsWith(place.path("none") + ": "));
  EXPECT_LT(complaint(place.path(std::string(5000, 'x'))).size(), 1200u) << "a name too long";
}

TEST(InputFile, RefusesPipesSocketsDevicesAndDirectories) {
  const test::TemporaryDirectory place;
  EXPECT_THAT(complaint(place.path()), HasSubstr("directory"));
  ASSERT_EQ(mkfifo(place.path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(complaint(place.path("pipe")), HasSubstr(" pipe"));
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/random"})
    EXPECT_THAT(complaint(device), HasSubstr("device"));
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = place.path("socket");
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_THAT(complaint(path), HasSubstr(" socket"));
  close(listener);
}

TEST(RegularFile, MayBeMissing) {
  const test::TemporaryDirectory place;
  EXPECT_NO_THROW(require_regular_file(place.path("none")));
  EXPECT_NO_THROW(require_regular_file(place.write("file", "")));
  EXPECT_THROW(require_regular_file(place.path()), InputError);
  EXPECT_THROW(require_regular_file(place.path("file") + std::string("\0x", 2)), InputError);
}

}  // namespace
}  // namespace rigidlimit
