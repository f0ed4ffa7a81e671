// Tests the studies that come with the program: their names, and the files that words name.
#include "rigidlimit/toml/shipped_studies.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "support/source_directory.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// The current folder is this one until the end of its life.
class InFolder {
 public:
  explicit InFolder(const fs::path& folder) : before_(fs::current_path()) {
    fs::current_path(folder);
  }
  ~InFolder() { fs::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  fs::path before_;
};

/// The stems of the TOML files in the folders of experiments/ for which `wanted`.
template <class Wanted>
std::multiset<std::string> stems_on_disk(const Wanted& wanted) {
  std::multiset<std::string> stems;
  for (const auto& entry : fs::recursive_directory_iterator(test::in_repository("experiments")))
    if (entry.path().extension() == ".toml" &&
        wanted(entry.path().parent_path().filename().string()))
      stems.insert(entry.path().stem().string());
  return stems;
}

std::multiset<std::string> names_in(const std::vector<ShippedFile>& files) {
  const std::vector<std::string> names = names_of(files);
  return {names.begin(), names.end()};
}

TEST(ShippedStudies, AreAllOfTheRepositoryEachWithItsOwnName) {
  const auto studies = stems_on_disk(
      [](const std::string& folder) { return folder != "bases" && folder != "systems"; });
  EXPECT_EQ(names_in(shipped_studies()), studies);
  EXPECT_EQ(names_in(shipped_systems()),
            stems_on_disk([](const std::string& folder) { return folder == "systems"; }));
  EXPECT_GT(studies.size(), 100u);
  for (const std::string& name : studies) EXPECT_EQ(studies.count(name), 1u) << name;
}

// A name means one study to every command: the folder of its results has the same name.
TEST(ShippedStudies, HaveTheNamesOfTheirFiles) {
  for (const ShippedFile& file : shipped_studies())
    EXPECT_EQ(read_experiment(file.path, {}, builtin_systems()).name, file.name) << file.path;
  for (const ShippedFile& file : shipped_systems())
    EXPECT_EQ(system_in_file(file.path, builtin_systems())->info.name, file.name);
}

TEST(NamedStudy, IsShippedInAnEmptyFolder) {
  const test::TemporaryDirectory empty;
  const InFolder inside(empty.path());
  for (const ShippedFile& file : shipped_studies()) {
    const NamedFile named = named_study(file.name);
    EXPECT_EQ(named.path, file.path);
    EXPECT_EQ(named.notice, "");
  }
  EXPECT_EQ(named_system("suslov").path, test::in_repository("experiments/systems/suslov.toml"));
  EXPECT_EQ(named_system("knife_edge").path, "knife_edge") << "a system of the catalogue";
}

TEST(NamedStudy, IsAFileOfTheCurrentFolderFirst) {
  const test::TemporaryDirectory place;
  const InFolder inside(place.path());
  place.write("knife_edge.toml", "");
  place.write("mine.toml", "");
  EXPECT_EQ(named_study("knife_edge").path, "knife_edge.toml");
  EXPECT_THAT(named_study("knife_edge").notice, HasSubstr("experiments/convergence/knife_edge"));
  EXPECT_EQ(named_study("mine").path, "mine.toml");
  EXPECT_EQ(named_study("mine").notice, "") << "nothing is hidden";
  place.write("wheel", "");
  EXPECT_EQ(named_study("wheel").path, "wheel") << "a path as it stands";
  fs::create_directory(place.path("suslov"));
  EXPECT_THAT(named_study("suslov").path, HasSubstr("experiments/prediction/suslov.toml"))
      << "a folder is no study";
}

std::string refusal_of(const std::string& word) {
  try {
    named_study(word);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NamedStudy, IsRefusedWithNamesThatAreMeant) {
  const test::TemporaryDirectory place;
  const InFolder inside(place.path());
  EXPECT_THAT(refusal_of("knife_edg"), HasSubstr("did you mean 'knife_edge'"));
  EXPECT_THROW(named_study("knife_edg"), UnknownStudy);
  EXPECT_THAT(refusal_of("experiments/knife_edge.toml"), HasSubstr("'knife_edge' is a study"));
  EXPECT_EQ(refusal_of("nowhere/unheard_of.toml"), "") << "opening it gives the error";
  fs::create_directory(place.path("deep"));
  place.write("deep/own.toml", "");
  EXPECT_THAT(refusal_of("own.toml"), HasSubstr("deep/own.toml"));
  EXPECT_THAT(refusal_of("own.toml"), Not(HasSubstr("comes with")));
}

std::string refusal_in(const std::string& folder, const std::string& word, ShippedKind kind) {
  try {
    file_named_in(folder, word, kind);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FileNamedIn, IsBesideTheReadingFileOrElseShipped) {
  const test::TemporaryDirectory place, elsewhere;
  const InFolder inside(elsewhere.path());
  elsewhere.write("wheel.toml", "");
  const auto named = [&](const std::string& word, ShippedKind kind) {
    return file_named_in(place.path(), word, kind);
  };
  EXPECT_EQ(named("wheel", ShippedKind::study),
            test::in_repository("experiments/convergence/wheel.toml"))
      << "not the one of the current folder";
  place.write("wheel.toml", "");
  EXPECT_EQ(named("wheel", ShippedKind::study), place.path("wheel.toml"));
  EXPECT_EQ(named("wheel.toml", ShippedKind::study), place.path("wheel.toml"));
  EXPECT_EQ(named("sensitivity", ShippedKind::base),
            test::in_repository("experiments/bases/sensitivity.toml"));
  EXPECT_EQ(named("two_wheeled_cart", ShippedKind::system),
            test::in_repository("experiments/systems/two_wheeled_cart.toml"));
  EXPECT_EQ(named("two_wheeled_cart", ShippedKind::base),
            test::in_repository("experiments/prediction/two_wheeled_cart.toml"));
}

TEST(FileNamedIn, RefusesOtherNamesWithSimilarOnes) {
  const test::TemporaryDirectory place;
  EXPECT_THAT(refusal_in(place.path(), "knife_edg", ShippedKind::study),
              HasSubstr("did you mean 'knife_edge'"));
  EXPECT_THAT(refusal_in(place.path(), "suslo", ShippedKind::system),
              HasSubstr("did you mean 'suslov'"));
  EXPECT_THAT(refusal_in(place.path(), "../convergence/wheel.toml", ShippedKind::base),
              HasSubstr("'wheel'"));
  EXPECT_NE(refusal_in(place.path(), "sensitivity", ShippedKind::study), "") << "a part of studies";
  EXPECT_EQ(refusal_in(place.path(), "unheard_of.toml", ShippedKind::study), "")
      << "reading it gives the error";
}

}  // namespace
}  // namespace rigidlimit
