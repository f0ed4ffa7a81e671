// Tests reading a friction study: keys, defaults, errors with key and value.
#include "rigidlimit/experiment/friction/read_friction_study.hpp"

#include <gmock/gmock.h>

#include "rigidlimit/core/error.hpp"
#include "support/sample_friction.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;

/// The error of reading the sample with an override; "" if there is none.
std::string complaint(const std::string& override_text) {
  try {
    test::sample_friction({override_text});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadFriction, FillsInDefaults) {
  const FrictionStudy study = test::sample_friction();
  EXPECT_EQ(study.name, "sample");
  EXPECT_EQ(study.epsilons.size(), 4u);
  EXPECT_EQ(study.contact.laws, std::vector<ComparedLaw>{ComparedLaw{}});
  EXPECT_EQ(study.solvers.reference, FrictionSolvers::Reference::closed_form);
  EXPECT_EQ(study.history.outcome, Outcome::success);
  EXPECT_DOUBLE_EQ(study.time.margin, 0.006);
  EXPECT_EQ(study.expectations.size(), 2u);
}

TEST(ReadFriction, TheResolvedStudyReadsBackUnchanged) {
  const FrictionStudy study = test::sample_friction(
      {"contact.friction=[\"projected\", \"regularised\"]", "contact.tangential_power=[1, 1.5]",
       "history.modes_at_end=\"stick\"", "history.event_times=[0.25]",
       "expect=[{quantity = \"q\", order = 2.0, next_orders = [3.0]}]"});
  EXPECT_EQ(study.contact.laws.size(), 3u);
  EXPECT_EQ(study.expectations.at(0).next_orders, std::vector<double>{3.0});
  const std::string text = resolved_toml(study);
  EXPECT_EQ(resolved_toml(read_friction_study(TomlDocument::from_text(text, "resolved.toml"))),
            text);
}

TEST(ReadFriction, ErrorsNameKeyValueAndValidValues) {
  EXPECT_THAT(complaint("system.friction=-0.1"), HasSubstr("system.friction = -0.1"));
  EXPECT_THAT(complaint("contact.tangential_stiffness=[1, 2]"),
              HasSubstr("contact.tangential_stiffness"));
  EXPECT_THAT(complaint("contact.tangential_power=[1, 1]"), HasSubstr("twice"));
  EXPECT_THAT(complaint("time.margin=0.7"), HasSubstr("time.margin = 0.7"));
  EXPECT_THAT(complaint("history.events=\"hit ground\""), HasSubstr("history.events"));
  EXPECT_THAT(complaint("history.events=\"stick table\""), HasSubstr("'table'"));
  EXPECT_THAT(complaint("initial.q=[1]"), HasSubstr("initial.q"));
  EXPECT_THAT(complaint("system.name=\"knife_edge\""), HasSubstr("knife_edge"));
  EXPECT_THAT(complaint("solvers.moreau_jean=[1e-7, 2e-7, 3e-7, 4e-7, 5e-7, 1.1e-7, 1.2e-7, 6e-8, "
                        "6.1e-8, 6.2e-8, 6.3e-8, 6.4e-8, 6.5e-8, 6.6e-8, 6.7e-8, 6.8e-8]"),
              HasSubstr("1e+08"));
  EXPECT_THAT(complaint("initial.v=[0, nan, 0]"), HasSubstr("initial.v"));
  EXPECT_EQ(complaint("time.margin=0.1"), "") << "negative control";
}

TEST(ReadFriction, ExpectationsMustNameMeasuredQuantities) {
  const auto with = [](const std::string& lines) {
    try {
      read_friction_study(
          TomlDocument::from_text(test::sample_friction_text + lines, "sample.toml"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(with("[[expect]]\nquantity = \"q\"\norder = 1.0\n"), HasSubstr("another [[expect]]"));
  EXPECT_THAT(with("[[expect]]\nquantity = \"event_time\"\nnorm = \"l1\"\norder = 1.0\n"),
              HasSubstr("single number"));
  EXPECT_THAT(with("[[expect]]\nquantity = \"v\"\nnorm = \"l1\"\ntangential_power = 3.0\n"
                   "order = 1.0\n"),
              HasSubstr("no law"));
  EXPECT_THAT(with("[[expect]]\nquantity = \"lambda\"\nconvergence = \"none\"\norder = 0.0\n"),
              HasSubstr("conflicts"));
  const std::string l1 = "[[expect]]\nquantity = \"v\"\nnorm = \"l1\"\norder = 1.0\n";
  EXPECT_EQ(with(l1 + "next_orders = [1.5]\n"), "");
  EXPECT_THAT(with(l1 + "next_orders = [0.5]\n"), HasSubstr("next_orders"));
  EXPECT_THAT(with(l1 + "next_orders = [1.5, 1.5]\n"), HasSubstr("3 of 4"));
  EXPECT_EQ(with("[[expect]]\nquantity = \"event_time\"\nkind = \"stick\"\norder = 1.0\n"), "");
}

/// `ratio` and `order_only` have the meaning of rolling studies.
TEST(ReadFriction, ConstantsNeedAFormula) {
  const FrictionStudy study = test::sample_friction(
      {"expect=[{quantity=\"q\", order=2.0, ratio=1.0}, {quantity=\"v\", ratio=1.0}, "
       "{quantity=\"lambda\", order=0.0, order_only=\"the \\\"start\\\" slides\"}]"});
  EXPECT_EQ(study.expectations.at(0).ratio, 1.0);
  EXPECT_FALSE(study.expectations.at(1).order);
  const FrictionStudy again =
      read_friction_study(TomlDocument::from_text(resolved_toml(study), "resolved.toml"));
  EXPECT_EQ(again.expectations.at(1).ratio, 1.0);
  EXPECT_FALSE(again.expectations.at(1).order);
  EXPECT_EQ(again.expectations.at(2).order_only, "the \"start\" slides");

  const auto refused = [](const std::string& claim, const std::string& also) {
    try {
      test::sample_friction({"expect=[{quantity=\"q\", " + claim + "}]", also});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string other = "time.end=0.6";
  EXPECT_THAT(refused("order=2.0, ratio=1.0, order_only=\"x\"", other), HasSubstr("`ratio`"));
  EXPECT_THAT(refused("order=2.0, order_only=\"\"", other), HasSubstr("state the reason"));
  EXPECT_THAT(refused("convergence=\"none\", ratio=1.0", other), HasSubstr("`convergence`"));
  EXPECT_THAT(refused("at_most=1.0, order_only=\"x\"", other), HasSubstr("`at_most`"));
  EXPECT_THAT(refused("norm=\"l1\", ratio=1.0", other), HasSubstr("norm"));
  EXPECT_THAT(refused("ratio=1.0", "contact.tangential_power=[1.5]"), HasSubstr("κ = 1.5"));
  EXPECT_THAT(refused("ratio=1.0", "contact.friction=\"regularised\""), HasSubstr("regularised"));
}

}  // namespace
}  // namespace rigidlimit
