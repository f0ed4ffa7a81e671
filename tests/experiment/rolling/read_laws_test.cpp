// Tests reading studies of one and of several laws, and the place and key of errors.
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "support/spoilt_study.hpp"

namespace rigidlimit {
namespace {

using test::name_of_case;
using test::Spoilt;

class SpoiltLaws : public testing::TestWithParam<Spoilt> {};

TEST_P(SpoiltLaws, ErrorHasPlaceKeyValueAndValidValues) {
  test::expect_complaint(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Contact, SpoiltLaws,
    testing::Values(
        Spoilt{"NoLaw", "stiffness = 1.0", "law = []", {"sample.toml:8:7", "contact.law"}},
        Spoilt{"StiffnessOfNoSpring",
               "stiffness = 1.0",
               "law = [\"baumgarte\", \"inertial\"]\nstiffness = 1.0",
               {"sample.toml:9:13", "contact.stiffness", "\"baumgarte\", \"inertial\""}},
        Spoilt{"StiffnessOfAGivenDamper",
               "stiffness = 1.0",
               "law = \"viscous\"\ndamping = 2.0\nstiffness = 1.0",
               {"sample.toml:10:13", "contact.stiffness"}},
        Spoilt{"DampingRatioOfNoDamper",
               "stiffness = 1.0",
               "law = \"elastic\"\ndamping_ratio = 1.0",
               {"sample.toml:9:17", "contact.damping_ratio"}},
        Spoilt{"DampingExponentOfTheViscousLaw",
               "stiffness = 1.0",
               "law = \"viscous\"\ndamping_exponent = 1.0",
               {"sample.toml:9:20", "contact.damping_exponent"}},
        Spoilt{"PreparationOfNoSpring",
               "stiffness = 1.0",
               "law = \"parasitic\"\npreparation = \"unloaded\"",
               {"sample.toml:9:15", "contact.preparation"}},
        Spoilt{"FormulationOfNoSpring",
               "stiffness = 1.0",
               "law = \"viscous\"\n[solvers.cvode_bdf]\nformulation = \"natural\"",
               {"sample.toml:10:15", "formulation", "(q, v)"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Expectations, SpoiltLaws,
    testing::Values(
        Spoilt{"ExpectationWithoutLaw",
               "stiffness = 1.0",
               "law = [\"viscous\", \"elastic\"]\n[[expect]]\nquantity = \"q\"\norder = 1.0",
               {"sample.toml:9:", "expect[0].law", "viscous, elastic"}},
        Spoilt{"BoundOfAnotherLaw",
               "stiffness = 1.0",
               "law = \"viscous\"\n[[bound]]\nlaw = \"elastic\"\nquantity = \"q\"\nconstant = 1\n"
               "power = 0",
               {"sample.toml:10:7", "bound[0].law", "viscous"}},
        Spoilt{"NoConvergenceWithAnOrder",
               "",
               "[[expect]]\nquantity = \"q\"\nconvergence = \"none\"\norder = 1.0\n",
               {"sample.toml:21:9", "expect[0].order", "conflicts with `convergence`"}},
        Spoilt{"ExactWithoutALimit",
               "",
               "[[expect]]\nquantity = \"q\"\nconvergence = \"exact\"\n",
               {"sample.toml:18:", "expect[0].within"}},
        Spoilt{"RatioOfTheParasiticLaw",
               "stiffness = 1.0",
               "law = \"parasitic\"\n[[expect]]\nquantity = \"q\"\nratio = 1.0",
               {"sample.toml:11:9", "expect[0].ratio", "parasitic"}},
        Spoilt{"CompositeOfSeveralLaws",
               "name = \"sample\"\n[system]\nname = \"knife_edge\"\n[initial]\nv = [0.7, 0.0, "
               "1.3]\n[contact]\n",
               "name = \"sample\"\nagainst = \"composite\"\n[system]\nname = "
               "\"knife_edge\"\n[contact]\nlaw = [\"viscoelastic\", \"viscous\"]\n",
               {"sample.toml:7:7", "contact.law", "viscoelastic"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Solvers, SpoiltLaws,
    testing::Values(Spoilt{"EqualStepsOfAMultistepMethod",
                           "rtol = 1e-10",
                           "steps = 100",
                           {"sample.toml:16:9", "solvers.steps = 100", "cvode_bdf", "rosenbrock4",
                            "radau_iia"}},
                    Spoilt{"EqualStepsOfAMethodThatLandsOnOutputTimes",
                           "rtol = 1e-10",
                           "compliant = [\"radau_iia\", \"dopri5\"]\nsteps = 100",
                           {"sample.toml:17:9", "solvers.steps = 100", "dopri5"}}),
    name_of_case);

TEST(ReadLaws, QuadRequiresALawWithASpring) {
  const std::string quad =
      "solvers={precision=\"quad\", rigid=[\"radau_iia\"], compliant=[\"radau_iia\"]}";
  EXPECT_EQ(test::complaint_about(test::sample_text, {"contact.law=\"elastic\"", quad}), "");
  EXPECT_THAT(test::complaint_about(test::sample_text, {"contact.law=\"viscous\"", quad}),
              testing::HasSubstr("viscous"));
}

TEST(ReadLaws, AcceptsANameOrAListOfNames) {
  EXPECT_EQ(test::sample_study({"contact.law=\"elastic\""}).contact.laws,
            std::vector<std::string>{"elastic"});
  const std::vector<std::string> two{"viscous", "inertial"};
  const RollingStudy study =
      test::sample_study({"contact.law=[\"viscous\", \"inertial\"]", "expect=[]"});
  EXPECT_EQ(study.contact.laws, two);
  EXPECT_TRUE(study.has_several_laws());
}

TEST(ReadLaws, OtherLawsIgnoreTheKeysOfALaw) {
  const RollingStudy study = test::sample_study(
      {"contact={law=[\"viscoelastic\", \"inertial\"], damping_exponent=0.5, damping_ratio=0.7}",
       "expect=[]"});
  EXPECT_EQ(study.contact.damping_exponent, 0.5);
}

TEST(ReadLaws, ResolvedStudiesOfEveryLawReadBack) {
  std::string all;
  for (const LawInfo& law : laws()) {
    all += (all.empty() ? "\"" : ", \"") + std::string(law.name) + "\"";
    for (const std::string& names : {"\"" + std::string(law.name) + "\"", "[" + all + "]"}) {
      const std::string of_law = std::string("law=\"") + law.name + "\", quantity=";
      const RollingStudy study = test::springless_study(
          {"contact={law=" + names + "}",
           "expect=[{" + of_law + "\"q\", convergence=\"none\", within=0.07}, {" + of_law +
               "\"v\", convergence=\"exact\", within=1e-9}]",
           "solvers={compliant=[\"radau_iia\"], steps=70}"});
      const std::string text = resolved_toml(study);
      const RollingStudy again = read_rolling_study(TomlDocument::from_text(text, "resolved.toml"));
      EXPECT_EQ(resolved_toml(again), text);
      EXPECT_EQ(again.contact.laws, study.contact.laws);
      EXPECT_EQ(again.solvers.steps, 70);
      EXPECT_EQ(again.expectations[0].convergence, Convergence::none);
      EXPECT_EQ(again.expectations[1].convergence, Convergence::exact);
      EXPECT_EQ(again.expectations[1].within, 1e-9);
    }
  }
  EXPECT_EQ(laws().size(), 6u);
}

}  // namespace
}  // namespace rigidlimit
