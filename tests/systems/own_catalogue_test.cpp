// Tests catalogues of user-defined systems: an ambiguous name or an invalid start is refused with
// a message that gives the valid values.
#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/systems/catalogue.hpp"
#include "rigidlimit/systems/entry_of.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The library's wheel in a user-defined entry.
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

TEST(OwnCatalogue, SystemWithANewNamePasses) {  // negative control of the other tests
  EXPECT_EQ(complaint_about({own_wheel("my_wheel"), own_wheel("Wheel2")}), "");
  EXPECT_EQ(complaint_about({}), "");
}

TEST(OwnCatalogue, NameOfABuiltInSystemIsRefused) {
  EXPECT_THAT(complaint_about({own_wheel("wheel")}),
              AllOf(HasSubstr("two systems have the name 'wheel', one of them built in"),
                    HasSubstr("info().name")));
  EXPECT_THAT(complaint_about({own_wheel("mine"), own_wheel("mine")}),
              HasSubstr("two systems have the name 'mine': "));
}

TEST(OwnCatalogue, NameInvalidForTomlSqlOrFileSystemsIsRefused) {
  for (const std::string name :
       {"My System", "", "a/b", "..", "über", "a\"b", "a\nb", "-a", "_a", "1a", "a.b"})
    EXPECT_THAT(complaint_about({own_wheel(name)}), AllOf(HasSubstr("a system cannot be called '"),
                                                          HasSubstr("letters, digits and '_'")))
        << name;
  EXPECT_NE(complaint_about({own_wheel(std::string(81, 'a'))}), "");
  EXPECT_EQ(complaint_about({own_wheel(std::string(80, 'a'))}), "");
}

TEST(OwnCatalogue, ParameterWithAnInvalidKeyIsRefused) {
  const auto with_parameter = [](const char* name) {
    SystemEntry entry = own_wheel("my_wheel");
    entry.parameters.front().name = name;
    return complaint_about({entry});
  };
  EXPECT_EQ(with_parameter("mass_of_rim"), "");
  EXPECT_THAT(with_parameter("mass of rim"),
              HasSubstr("a parameter cannot be called 'mass of rim'"));
  EXPECT_THAT(with_parameter("name"), HasSubstr("[system] already has this key"));
}

TEST(OwnCatalogue, DistinguishesUserSystemsFromBuiltInSystems) {
  const SystemCatalogue all = with_builtin({own_wheel("my_wheel")});
  EXPECT_FALSE(is_builtin(all.back()));
  EXPECT_FALSE(is_builtin(own_wheel("wheel"))) << "another system by the same name";
  for (const SystemEntry& entry : builtin_systems()) EXPECT_TRUE(is_builtin(entry));
  EXPECT_TRUE(is_builtin(all.front())) << "a copy of it is still the library's";
}

/// The mistake in `info` of a system with nq = 3, n = 2, m = 1.
std::string mistake_in(SystemInfo info) {
  return detail::complete(info, 3, 2, 1);
}

TEST(OwnCatalogue, ListOfAnotherLengthThanTheStructIsNamed) {
  EXPECT_EQ(mistake_in({.name = "mine"}), "") << "what is left out is filled in";
  EXPECT_EQ(mistake_in({.name = "mine", .initial_q = {1.0, 2.0, 3.0}, .initial_v = {0.0, 0.0}}),
            "");
  EXPECT_EQ(mistake_in({.name = "mine", .initial_q = {1.0, 2.0}}),
            "system 'mine': info().initial_q has 2 entries, but the struct has nq = 3: give 3 "
            "entries, or none");
  EXPECT_THAT(mistake_in({.name = "mine", .initial_v = {1.0, 0.0, 0.0}}),
              HasSubstr("initial_v has 3 entries"));
  EXPECT_THAT(mistake_in({.name = "mine", .coordinates = {{"x", "m"}}}),
              HasSubstr("coordinates has 1 entry"));
  EXPECT_THAT(mistake_in({.name = "mine", .velocities = {{"u", "m/s"}}}), HasSubstr("n = 2"));
  EXPECT_THAT(mistake_in({.name = "mine", .contacts = {{"a", "m/s"}, {"b", "m/s"}}}),
              HasSubstr("m = 1"));
}

TEST(OwnCatalogue, ListsArePaddedAndTruncatedToTheStruct) {
  SystemInfo info{.name = "mine", .initial_q = {1.0, 2.0}, .initial_v = {1.0, 2.0, 3.0}};
  detail::complete(info, 3, 2, 1);
  EXPECT_EQ(info.initial_q, (std::vector<double>{1.0, 2.0, 0.0}));
  EXPECT_EQ(info.initial_v, (std::vector<double>{1.0, 2.0}));
}

/// A point on a line with one coordinate too few and a start of run-time size.
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

TEST(OwnCatalogue, InvalidStartIsRefusedWithTheMistake) {
  EXPECT_THAT(complaint_about({entry_of<Short>()}), HasSubstr("initial_q has 1 entry"));
}

TEST(OwnCatalogue, StartOfAnotherSizeIsRefused) {
  SystemEntry entry = own_wheel("my_wheel");
  entry.start = [](const std::vector<double>&) {
    return InitialState{VectorXd::Zero(2), VectorXd::Zero(4)};
  };
  EXPECT_THAT(complaint_about({entry}),
              HasSubstr("start() returns 2 coordinates and 4 velocities"));
}

}  // namespace
}  // namespace rigidlimit
