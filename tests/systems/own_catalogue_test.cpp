// Tests that a user's systems are refused if their names, parameters or start are invalid.
#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/given_unit.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The wheel of the library as a user's entry.
SystemEntry own_wheel(const std::string& name) {
  SystemEntry entry = *find_system(builtin_systems(), "wheel");
  entry.info.name = name;
  entry.make = [make = entry.make](const std::vector<double>& values) { return make(values); };
  return entry;
}

std::string complaint_about(const SystemCatalogue& own) {
  try {
    check_catalogue(with_builtin(own));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OwnCatalogue, ASystemWithANewNamePasses) {  // negative control
  EXPECT_EQ(complaint_about({own_wheel("my_wheel"), own_wheel("Wheel2")}), "");
  EXPECT_EQ(complaint_about({}), "");
}

TEST(OwnCatalogue, NameOfABuiltInSystemIsRefused) {
  EXPECT_THAT(complaint_about({own_wheel("wheel")}),
              AllOf(HasSubstr("'wheel'"), HasSubstr("built in")));
  EXPECT_THAT(complaint_about({own_wheel("mine"), own_wheel("mine")}), HasSubstr("'mine'"));
}

TEST(OwnCatalogue, ANameThatBreaksTomlSqlOrAFileSystemIsRefused) {
  for (const std::string name :
       {"My System", "", "a/b", "..", "über", "a\"b", "a\nb", "-a", "_a", "1a", "a.b"})
    EXPECT_THAT(complaint_about({own_wheel(name)}), HasSubstr("letters, digits and '_'")) << name;
  EXPECT_NE(complaint_about({own_wheel(std::string(81, 'a'))}), "");
  EXPECT_EQ(complaint_about({own_wheel(std::string(80, 'a'))}), "");
}

TEST(OwnCatalogue, AParameterWithAnInvalidKeyIsRefused) {
  const auto with_parameter = [](const char* name) {
    SystemEntry entry = own_wheel("my_wheel");
    entry.parameters.front().name = name;
    return complaint_about({entry});
  };
  EXPECT_EQ(with_parameter("mass_of_rim"), "");
  EXPECT_THAT(with_parameter("mass of rim"), HasSubstr("'mass of rim'"));
  EXPECT_THAT(with_parameter("name"), AllOf(HasSubstr("'name'"), HasSubstr("[system]")));
}

TEST(OwnCatalogue, AStructWithAnotherUnitThanOneOfSiIsRefused) {
  SystemEntry entry = own_wheel("my_wheel");
  entry.make = {};  // a wheel without a text is a struct
  entry.make_frictional = {};
  const auto with_unit = [&](const char* unit) {
    SystemEntry one = entry;
    one.info.coordinates.front().unit = unit;
    return complaint_about({one});
  };
  EXPECT_EQ(with_unit("m"), "");  // negative control
  EXPECT_THAT(with_unit("mm"), AllOf(HasSubstr("'mm'"), HasSubstr("'m'")));
  EXPECT_THAT(with_unit("deg"), AllOf(HasSubstr("'deg'"), HasSubstr("'rad'")));
}

TEST(OwnCatalogue, UnitsOfTheLibraryAreThoseOfSi) {
  for (const SystemEntry& entry : builtin_systems()) {
    for (const ParameterInfo& p : entry.frictional_parameters())
      EXPECT_EQ(si_unit(p.unit), p.unit) << entry.info.name << ' ' << p.name;
    for (const auto* components :
         {&entry.info.coordinates, &entry.info.velocities, &entry.info.contacts})
      for (const Component& one : *components)
        EXPECT_EQ(si_unit(one.unit), one.unit) << entry.info.name << ' ' << one.name;
  }
}

TEST(OwnCatalogue, DistinguishesBuiltInSystems) {
  const SystemCatalogue all = with_builtin({own_wheel("my_wheel")});
  EXPECT_FALSE(is_builtin(all.back()));
  EXPECT_FALSE(is_builtin(own_wheel("wheel"))) << "another system with the same name";
  for (const SystemEntry& entry : builtin_systems()) EXPECT_TRUE(is_builtin(entry));
  EXPECT_TRUE(is_builtin(all.front())) << "a copy is still built in";
}

/// The mistake in `info` of a system with nq = 3, n = 2, m = 1.
std::string mistake_in(SystemInfo info) {
  return detail::complete(info, 3, 2, 1, false);
}

TEST(OwnCatalogue, AListOfTheWrongLengthIsNamed) {
  EXPECT_EQ(mistake_in({.name = "mine"}), "") << "missing lists are filled in";
  EXPECT_EQ(mistake_in({.name = "mine", .initial_q = {1.0, 2.0, 3.0}, .initial_v = {0.0, 0.0}}),
            "");
  EXPECT_THAT(
      mistake_in({.name = "mine", .initial_q = {1.0, 2.0}}),
      AllOf(HasSubstr("'mine': info().initial_q"), HasSubstr("2 entries"), HasSubstr("nq = 3")));
  EXPECT_THAT(mistake_in({.name = "mine", .initial_v = {1.0, 0.0, 0.0}}),
              AllOf(HasSubstr("initial_v"), HasSubstr("3 entries")));
  EXPECT_THAT(mistake_in({.name = "mine", .coordinates = {{"x", "m"}}}),
              AllOf(HasSubstr("coordinates"), HasSubstr("1 entry")));
  EXPECT_THAT(mistake_in({.name = "mine", .velocities = {{"u", "m/s"}}}), HasSubstr("n = 2"));
  EXPECT_THAT(mistake_in({.name = "mine", .contacts = {{"a", "m/s"}, {"b", "m/s"}}}),
              HasSubstr("m = 1"));
}

TEST(OwnCatalogue, ListsArePaddedAndTruncatedToTheStruct) {
  SystemInfo info{.name = "mine", .initial_q = {1.0, 2.0}, .initial_v = {1.0, 2.0, 3.0}};
  detail::complete(info, 3, 2, 1, false);
  EXPECT_EQ(info.initial_q, (std::vector<double>{1.0, 2.0, 0.0}));
  EXPECT_EQ(info.initial_v, (std::vector<double>{1.0, 2.0}));
}

/// A point on a line with one coordinate too few in initial_q.
struct Short {
  static constexpr int nq = 2, n = 2, m = 1;
  static SystemInfo info() { return {.name = "too_short", .initial_q = {1.0}}; }
  template <class S>
  Matrix<S, 2, 2> mass_matrix(const Vector<S, 2>&) const {
    return Matrix<S, 2, 2>::Identity();
  }
  template <class S>
  Vector<S, 2> force(const Vector<S, 2>&, const Vector<S, 2>&) const {
    return {S(1), S(0)};
  }
  template <class S>
  Matrix<S, 1, 2> constraint(const Vector<S, 2>&) const {
    return {S(0), S(1)};
  }
};

TEST(OwnCatalogue, ItsStartIsRefusedWithTheMistake) {
  EXPECT_THAT(complaint_about({entry_of<Short>()}),
              AllOf(HasSubstr("initial_q"), HasSubstr("1 entry")));
}

TEST(OwnCatalogue, StartOfAnotherSizeIsRefused) {
  SystemEntry entry = own_wheel("my_wheel");
  entry.start = [](const std::vector<double>&) {
    return InitialState{VectorXd::Zero(2), VectorXd::Zero(4)};
  };
  EXPECT_THAT(complaint_about({entry}),
              AllOf(HasSubstr("start()"), HasSubstr("2 coordinates"), HasSubstr("4 velocities")));
}

}  // namespace
}  // namespace rigidlimit
