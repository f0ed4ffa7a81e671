// Tests that two overrides with spellings of one setting are refused, as in a file.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "rigidlimit/toml/section.hpp"

namespace rigidlimit {
namespace {

std::string set_of(const std::string& key) {
  return key + "=1";
}

/// Whether the document has the dotted key.
bool has_key(const TomlDocument& document, const std::string& key) {
  const std::size_t dot = key.find('.');
  Section section = document.root().section(key.substr(0, dot));
  return section.has(key.substr(dot + 1));
}

TomlDocument with_overrides(const std::string& text, const std::vector<std::string>& keys) {
  std::vector<std::string> overrides;
  for (const std::string& key : keys) overrides.push_back(set_of(key));
  return TomlDocument::from_text(text, "file", overrides, alternative_keys());
}

// A reader refuses a table with both keys. The table may be missing in the file.
TEST(AlternativeKeys, BothStayIfOverridesSetBoth) {
  ASSERT_GE(alternative_keys().size(), 6u);
  for (const auto& [key, replaced] : alternative_keys())
    for (const std::string& other : replaced)
      for (const std::string& file :
           {std::string("x = 1\n"), key.substr(0, key.find('.')) + ".unrelated = 1\n",
            set_of(key) + "\n", set_of(other) + "\n"})
        for (const std::vector<std::string>& keys :
             {std::vector{key, other}, std::vector{other, key}}) {
          const TomlDocument document = with_overrides(file, keys);
          EXPECT_TRUE(has_key(document, key) && has_key(document, other)) << file << key << other;
        }
}

// Negative control: one override replaces the other spelling of the file.
TEST(AlternativeKeys, AnOverrideReplacesTheOtherSpellingOfTheFile) {
  for (const auto& [key, replaced] : alternative_keys())
    for (const std::string& other : replaced) {
      const TomlDocument document = with_overrides(set_of(other) + "\n", {key});
      EXPECT_TRUE(has_key(document, key)) << key;
      EXPECT_FALSE(has_key(document, other)) << other;
    }
}

}  // namespace
}  // namespace rigidlimit
