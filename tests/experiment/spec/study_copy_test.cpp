// Tests copies of studies: each is the same experiment under another name, from its own files.
#include "rigidlimit/experiment/spec/study_copy.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/toml/shipped_studies.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

namespace fs = std::filesystem;

void write(const CopiedTexts& copy, const test::TemporaryDirectory& place) {
  for (const auto& [file, text] : copy) {
    fs::create_directories(fs::path(place.path(file)).parent_path());
    place.write(file, text);
  }
}

/// `text` without the names of the experiment and of files.
std::string without(std::string text, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
      text.erase(at, name.size());
  return text;
}

std::string resolved(const std::string& file) {
  return read_experiment(file, {}, builtin_systems()).resolved;
}

TEST(StudyCopy, IsTheSameExperimentFromFilesOfItsOwn) {
  for (const ShippedFile& study : shipped_studies()) {
    const test::TemporaryDirectory place;
    const CopiedTexts copy = copy_of_study(study.path, "a_copy");
    write(copy, place);
    const std::string file = place.path("a_copy.toml");
    EXPECT_EQ(read_experiment(file, {}, builtin_systems()).name, "a_copy");
    const std::vector<std::string> places{
        "\"" + study.name + "\"", "\"a_copy\"",    place.path("a_copy_files"),
        shipped_folder(),         "a_copy_files/", "../"};
    EXPECT_EQ(without(resolved(file), places), without(resolved(study.path), places)) << study.name;
    for (const auto& [name, text] : copy)
      EXPECT_EQ(text.find("\"../"), name == "a_copy.toml" ? std::string::npos : text.find("\"../"))
          << "the copy names no file outside: " << study.name;
  }
}

TEST(StudyCopy, KeepsCommentsAndChangesTheNameAlone) {
  const test::TemporaryDirectory place;
  const std::string text =
      "# name = \"other\" of another table: [study]\n[system]\nname = \"knife_edge\"\n"
      "[study]  # of mine\nquestion = \"why?\"\nname = 'mine'  # kept\n[time]\nend = 1.0\n";
  const CopiedTexts copy = copy_of_study(place.write("mine.toml", text), "yours");
  std::string expected = text;
  expected.replace(expected.find("'mine'"), 6, "\"yours\"");
  EXPECT_EQ(copy, (CopiedTexts{{"yours.toml", expected}}));
}

TEST(StudyCopy, FollowsTheFilesThatFilesName) {
  const test::TemporaryDirectory place;
  for (const char* folder : {"a", "a/b", "c"}) fs::create_directory(place.path(folder));
  place.write("a/b/mine.toml",
              "base = [\"../one.toml\", \"two.toml\", \"gone.toml\"]\n[study]\nname = \"m\"\n");
  place.write("a/one.toml", "base = \"../c/three.toml\"\n");
  place.write("a/b/two.toml", "# \"mine.toml\" names this one\n");
  place.write("c/three.toml", "x = 1\n");
  const CopiedTexts copy = copy_of_study(place.path("a/b/mine.toml"), "n");
  EXPECT_EQ(copy.at("n.toml"),
            "base = [\"n_files/a/one.toml\", \"n_files/a/b/two.toml\", \"gone.toml\"]\n[study]\n"
            "name = \"n\"\n");
  EXPECT_EQ(copy.at("n_files/a/one.toml"), "base = \"../c/three.toml\"\n");
  EXPECT_EQ(copy.at("n_files/c/three.toml"), "x = 1\n");
  EXPECT_EQ(copy.size(), 4u) << "and the study itself is not copied twice";
}

// A name in another folder would mean the shipped file, so the copy has a path.
TEST(StudyCopy, FollowsNamesOfFilesButNotOfShippedOnes) {
  const test::TemporaryDirectory place;
  place.write("wheel.toml", "x = 1\n");
  const std::string file =
      place.write("mine.toml",
                  "base = 'wheel'\n[study]\nname = \"mine\"\nquestion = \"wheel\"\n"
                  "[[problem]]\nstudy = \"knife_edge\"\n");
  EXPECT_EQ(copy_of_study(file, "n"),
            (CopiedTexts{{"n.toml",
                          "base = \"n_files/wheel.toml\"\n[study]\nname = \"n\"\n"
                          "question = \"wheel\"\n[[problem]]\nstudy = \"knife_edge\"\n"},
                         {"n_files/wheel.toml", "x = 1\n"}}));
}

TEST(StudyCopy, NeedsANameToChange) {
  const test::TemporaryDirectory place;
  const std::string file = place.write("part.toml", "[system]\nname = \"knife_edge\"\n");
  EXPECT_THROW(copy_of_study(file, "x"), InputError);
  EXPECT_THROW(copy_of_study(place.path("gone.toml"), "x"), InputError);
}

}  // namespace
}  // namespace rigidlimit
