// Tests the conditions between parameters of a system written as text, and its two starts.
#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A block that slides along a track with a step, which must be lower than the block.
struct Block {
  std::string conditions =
      "conditions = [{holds = \"step < half*block and step > 0\", text = \"a high step is a "
      "wall\"}]\n";
  std::string x =
      "start = 0, start_rate = 0.0, sliding_start = \"reach\", sliding_start_rate = 2.0";
  std::string contacts =
      "[[contacts]]\nname = \"track\"\nnormal = \"given\"\nnormal_force = \"9.81*mass\"\n"
      "friction = \"mu\"\nsliding = [\"x'\"]\n";
  std::string step = "5.0";

  std::string text() const {
    return "name = \"block\"\n"
           "coordinates = [{name = \"x\", unit = \"m\", " +
           x + "}]\n" + conditions + "kinetic_coenergy = \"mass/2*x'^2\"\npotential = \"0\"\n" +
           contacts +
           "[let]\nhalf = \"0.5\"\n"
           "[parameters]\n"
           "mass = {default = 2.0, unit = \"kg\"}\n"
           "step = {default = " +
           step +
           ", unit = \"mm\"}\n"
           "block = {default = 20.0, unit = \"mm\"}\n"
           "reach = {default = 0.7, unit = \"m\"}\n"
           "mu = {default = 0.3}\n";
  }
  SystemEntry entry() const { return entry_of(system_text_in(text(), "block.toml")); }
};

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}
std::string refusal_of(const Block& block) {
  return refusal([&] { block.entry(); });
}

TEST(Conditions, RefuseValuesThatViolateThem) {
  const SystemEntry entry = Block{}.entry();
  // mass, step, block; then mu and reach, of friction studies alone.
  const std::vector<double> high{2.0, 11.0, 20.0}, low{2.0, 9.0, 20.0};
  const auto named = AllOf(HasSubstr("block: the condition 'step < half*block and step > 0'"),
                           HasSubstr("step = 11 mm, block = 20 mm: a high step is a wall"));
  EXPECT_THAT(refusal([&] { entry.make(high); }), named);
  EXPECT_THAT(refusal([&] { entry.make_frictional(high); }), named);
  EXPECT_THAT(refusal([&] { entry.start(high); }), named);
  EXPECT_THAT(refusal([&] { entry.frictional_start(high); }), named);
  EXPECT_NE(refusal([&] { entry.make({2.0, -1.0, 20.0}); }), "");
  EXPECT_NE(refusal([&] { entry.make({2.0, std::nan(""), 20.0}); }), "");
  // Negative control: the same values on the other side.
  EXPECT_EQ(refusal([&] { entry.make(low); }), "");
  EXPECT_EQ(refusal([&] { entry.make_frictional(low); }), "");
  EXPECT_EQ(refusal([&] { entry.frictional_start(low); }), "");
}

TEST(Conditions, RefuseDefaultsAtTheConditionsPlace) {
  EXPECT_THAT(refusal_of({.step = "10.0"}),
              AllOf(HasSubstr("block.toml:3:25: conditions[0].holds: the condition"),
                    HasSubstr("step = 10 mm, block = 20 mm")));
  EXPECT_EQ(refusal_of({.step = "9.999"}), "");
}

TEST(Conditions, AreComparisonsOfParameters) {
  const auto with = [](const std::string& holds) {
    return refusal_of({.conditions = "conditions = [{holds = \"" + holds + "\"}]\n"});
  };
  EXPECT_THAT(with("step"), AllOf(HasSubstr("block.toml:3:29: "), HasSubstr("one of < <=")));
  EXPECT_THAT(with("x < step"), AllOf(HasSubstr("block.toml:3:25: "), HasSubstr("'x'"),
                                      HasSubstr("a function of parameters alone")));
  EXPECT_THAT(with("step < blok"), HasSubstr("did you mean 'block'"));
  EXPECT_THAT(with("step < block, mass > 0"), HasSubstr("'and', 'or' or the end"));
  EXPECT_EQ(with("step < block and mass > 0"), "");
  EXPECT_THAT(refusal_of({.conditions = "conditions = [{text = \"no comparison\"}]\n"}),
              HasSubstr("holds"));
}

TEST(Conditions, AreKeptByTheDefinitionAndShown) {
  const test::TemporaryDirectory place;
  const auto entry = system_in_file(place.write("block.toml", Block{}.text()), builtin_systems());
  EXPECT_THAT(entry->definition,
              HasSubstr("{holds = \"step < half*block and step > 0\", text = \"a high step is a "
                        "wall\"}"));
  EXPECT_THAT(entry->definition, HasSubstr("sliding_start_rate = \"2\""));
  EXPECT_THAT(entry->info.equations,
              HasSubstr("needs step < half*block and step > 0: a high step is a wall"));
}

TEST(SlidingStart, IsThatOfFrictionStudiesAlone) {
  const SystemEntry entry = Block{}.entry();
  const InitialState rolling = entry.start(entry.default_values());
  EXPECT_EQ(rolling.q(0), 0.0);
  EXPECT_EQ(rolling.v(0), 0.0);
  const InitialState sliding = entry.frictional_start(entry.frictional_default_values());
  EXPECT_EQ(sliding.q(0), 0.7);
  EXPECT_EQ(sliding.v(0), 2.0);
  // Its parameters do not concern rolling.
  EXPECT_EQ(entry.parameters.size(), 3u);
  // Without it, both starts are the same.
  const SystemEntry one = Block{.x = "start = 0.2, start_rate = 0.1"}.entry();
  EXPECT_EQ(one.frictional_start(one.frictional_default_values()).q(0), 0.2);
  EXPECT_EQ(one.frictional_start(one.frictional_default_values()).v(0), 0.1);
}

TEST(SlidingStart, NeedsContacts) {
  Block block{.contacts = ""};
  block.conditions += "constraint = [\"x'\"]\n";
  EXPECT_THAT(refusal_of(block),
              AllOf(HasSubstr("block.toml:2:"), HasSubstr("coordinates[0].sliding_start"),
                    HasSubstr("the system has no contacts")));
  block.x = "start = 0, start_rate = 0";
  EXPECT_EQ(refusal_of(block), "");
}

TEST(SlidingStart, OfAVelocityIsNoRate) {
  Block block{.x = "start = 0, sliding_start_rate = 1"};
  block.conditions +=
      "velocities = [{name = \"x'\", unit = \"m/s\", start = 0, sliding_start = 1}]\n";
  EXPECT_THAT(refusal_of(block), HasSubstr("give their sliding_start"));
  block.x = "start = 0";
  EXPECT_EQ(refusal_of(block), "");
  EXPECT_EQ(block.entry().frictional_start({}).v(0), 1.0);
}

}  // namespace
}  // namespace rigidlimit
