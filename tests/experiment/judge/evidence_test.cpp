// Tests of Evidence: each state has one word, which reads back.
#include "rigidlimit/experiment/judge/evidence.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace rigidlimit {
namespace {

using State = Evidence::State;

std::vector<Evidence> all_evidence() {
  std::vector<Evidence> all{{.state = State::ok}, {.state = State::proved}};
  for (const FloorSource floor :
       {FloorSource::rounding, FloorSource::solver, FloorSource::reference, FloorSource::sampling})
    all.push_back({.state = State::limited, .floor = floor});
  for (const Outcome outcome : all_outcomes())
    if (outcome != Outcome::success) {
      all.push_back({.compliant = outcome});
      all.push_back({.rigid = outcome});
    }
  for (const Absent absent : {Absent::no_composite, Absent::not_comparable, Absent::no_such_event})
    all.push_back({.absent = absent});
  return all;
}

TEST(Evidence, EachStateHasItsOwnWordWhichReadsBack) {
  std::set<std::string> words;
  for (const Evidence& evidence : all_evidence()) {
    const std::string word = name_of(evidence);
    EXPECT_TRUE(words.insert(word).second) << word;
    EXPECT_EQ(evidence_named(word), evidence) << word;
    EXPECT_EQ(word.starts_with("failed: "), evidence.failed()) << word;
  }
  EXPECT_EQ(words.size(), 2u + 4u + 2u * (all_outcomes().size() - 1) + 3u);
}

TEST(Evidence, NumbersBetweenProvedBoundsCountAsWellAsClearOnes) {
  int counting = 0;
  for (const Evidence& evidence : all_evidence()) counting += evidence.counts() ? 1 : 0;
  EXPECT_EQ(counting, 2);
  EXPECT_TRUE(evidence_named("ok").counts());
  EXPECT_TRUE(evidence_named("proved").counts());
  // Words of no version are no evidence.
  for (const char* word : {"", "fine", "OK", "failed: ", "failed: by magic"})
    EXPECT_TRUE(evidence_named(word).failed()) << word;
}

}  // namespace
}  // namespace rigidlimit
