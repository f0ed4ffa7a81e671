// Tests the metadata of an archive against the rules of RO-Crate 1.1.
#include "rigidlimit/archive/crate.hpp"

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace rigidlimit {
namespace {

using Json = nlohmann::json;

Crate sample_crate() {
  return {.name = "sample",
          .about = "Does it converge?",
          .source = "A. Author 2026",
          .date = "2026-11-26T12:00:00Z",
          .licence = "https://creativecommons.org/licenses/by/4.0/",
          .authors = {"A. Author <https://orcid.org/0000-0002-1825-0097>", "B. Author"},
          .files = {{"README.md", "contents", 10},
                    {"resolved.toml", "the experiment", 20},
                    {"study/my skate.toml", "as written", 15},
                    {"errors.csv", "", 30}},
          .runs = {{"2026-11-26T11:00:00Z", "2026-11-26T12:00:00Z",
                    R"({"version": "0.2.0", "program": "rigidlimit", "compiler": "GNU 12.2.0"})"}}};
}

/// The entities of the graph by identifier.
std::map<std::string, Json> entities_of(const Crate& crate) {
  const Json document = Json::parse(crate_metadata(crate));
  EXPECT_EQ(document.at("@context"), "https://w3id.org/ro/crate/1.1/context");
  std::map<std::string, Json> entities;
  for (const Json& entity : document.at("@graph"))
    EXPECT_TRUE(entities.emplace(entity.at("@id"), entity).second) << entity;  // unique
  return entities;
}

/// Identifiers that an entity refers to.
void collect_references(const Json& value, std::set<std::string>& found) {
  if (value.is_object() && value.size() == 1 && value.contains("@id"))
    found.insert(value["@id"].get<std::string>());
  else if (value.is_structured())
    for (const Json& inner : value) collect_references(inner, found);
}

TEST(CrateMetadata, HasADescriptorAndARootWithTheRequiredProperties) {
  const auto entities = entities_of(sample_crate());
  EXPECT_EQ(entities.at("ro-crate-metadata.json").at("about").at("@id"), "./");
  EXPECT_EQ(entities.at("ro-crate-metadata.json").at("conformsTo").at("@id"),
            "https://w3id.org/ro/crate/1.1");
  const Json& root = entities.at("./");
  EXPECT_EQ(root.at("@type"), "Dataset");
  for (const char* required : {"name", "description", "datePublished", "license"})
    EXPECT_TRUE(root.contains(required)) << required;
}

// A store of unknown origin gives the times.
TEST(CrateMetadata, ReplacesBytesThatAreNoUtf8) {
  Crate crate = sample_crate();
  crate.runs[0].started = "2026\xff";
  EXPECT_EQ(entities_of(crate).at("#run-1").at("startTime"), "2026\xef\xbf\xbd");
}

TEST(CrateMetadata, ListsEveryFileAndDescribesEveryEntityItRefersTo) {
  const Crate crate = sample_crate();
  const auto entities = entities_of(crate);
  EXPECT_EQ(entities.at("./").at("hasPart").size(), crate.files.size());
  std::set<std::string> references;
  for (const auto& [name, entity] : entities) collect_references(entity, references);
  references.erase("https://w3id.org/ro/crate/1.1");  // the specification itself
  EXPECT_THAT(references, testing::IsSupersetOf({"#run-1", "#B.%20Author", "errors.csv"}));
  for (const std::string& name : references) EXPECT_TRUE(entities.contains(name)) << name;
  EXPECT_EQ(entities.at("errors.csv").at("contentSize"), "30");
  EXPECT_EQ(entities.at("errors.csv").at("encodingFormat"), "text/csv");
  EXPECT_EQ(entities.at("study/my%20skate.toml").at("name"), "study/my skate.toml");
}

TEST(CrateMetadata, SaysWhichProgramMadeWhichFilesOfWhich) {
  const auto entities = entities_of(sample_crate());
  const Json& run = entities.at("#run-1");
  EXPECT_EQ(run.at("@type"), "CreateAction");
  EXPECT_EQ(run.at("object").size(), 2U);  // resolved.toml and the study as written
  EXPECT_EQ(run.at("result"), Json::parse(R"([{"@id": "errors.csv"}])"));
  const Json& program = entities.at(run.at("instrument").at("@id"));
  EXPECT_EQ(program.at("softwareVersion"), "0.2.0");
  EXPECT_THAT(program.at("description").get<std::string>(), testing::HasSubstr("GNU 12.2.0"));
}

TEST(CrateMetadata, StatesAuthorsAndLicenceOnlyIfTheyAreKnown) {
  Crate crate = sample_crate();
  EXPECT_EQ(entities_of(crate).at("https://orcid.org/0000-0002-1825-0097").at("name"), "A. Author");
  EXPECT_EQ(entities_of(crate).at("#B.%20Author").at("@type"), "Person");
  crate.authors.clear();
  crate.licence.clear();
  EXPECT_FALSE(entities_of(crate).at("./").contains("author"));
  EXPECT_TRUE(entities_of(crate).at("./").at("license").is_string());
}

}  // namespace
}  // namespace rigidlimit
