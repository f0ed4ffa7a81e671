// Tests that errors in a study have place, key, value and valid values. Ranges and types of single
// keys: tests/cli/key_values_test.cpp.
#include "support/spoilt_study.hpp"

namespace rigidlimit {
namespace {

using test::name_of_case;
using test::Spoilt;

class SpoiltStudy : public testing::TestWithParam<Spoilt> {};

TEST_P(SpoiltStudy, ErrorHasPlaceKeyValueAndValidValues) {
  test::expect_complaint(GetParam());
}

constexpr const char* epsilon_range = "from = 1e-2\nto = 1e-3\ncount = 5";

INSTANTIATE_TEST_SUITE_P(
    Epsilon, SpoiltStudy,
    testing::Values(Spoilt{"OneValueOnly",
                           "to = 1e-3",
                           "to = 1e-2",
                           {"sample.toml:11:6: ", "epsilon.to = 0.01", "occurs twice"}},
                    Spoilt{"EmptyList",
                           epsilon_range,
                           "values = []",
                           {"sample.toml:10:10: ", "epsilon.values = []", ">= 1e-50"}},
                    Spoilt{"Duplicate",
                           epsilon_range,
                           "values = [1e-2, 1e-3, 1e-2]",
                           {"sample.toml:10:10: ", "epsilon.values = ", "occurs twice"}},
                    Spoilt{"BothForms",
                           "from = 1e-2",
                           "from = 1e-2\nvalues = [1e-2]",
                           {"sample.toml:10:8: ", "epsilon.from", "values"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Mechanics, SpoiltStudy,
    testing::Values(Spoilt{"NegativeMass",
                           "[initial]",
                           "mass = -1.0\n[initial]",
                           {"sample.toml:5:8: ", "system.mass = -1", ">= 1e-40 and <= 1e+40"}},
                    Spoilt{"SlopeTooSteep",
                           "[initial]",
                           "slope = 2.0\n[initial]",
                           {"sample.toml:5:9: ", "system.slope = 2", ">= -1.57", "<= 1.57"}},
                    Spoilt{"ShortV",
                           "v = [0.7, 0.0, 1.3]",
                           "v = [0.7, 0.0]",
                           {"sample.toml:6:5: ", "initial.v = ", "[0.7, 0]",
                            "3 numbers (x' [m/s], y' [m/s], phi' [rad/s])", "not 2"}},
                    Spoilt{"LongQ",
                           "[contact]",
                           "q = [0.0, 0.0, 0.0, 0.0]\n[contact]",
                           {"sample.toml:7:5: ", "initial.q = ",
                            "3 numbers (x [m], y [m], phi [rad])", "not 4"}},
                    Spoilt{"VNaN", "1.3]", "nan]", {"sample.toml:6:5: ", "initial.v = ", "nan "}},
                    Spoilt{"Slides",
                           "v = [0.7, 0.0,",
                           "v = [0.7, 0.25,",
                           {"sample.toml:6:5: ", "initial.v = ", "|G v| = 0.25 m/s",
                            "v = [0.7, 0, 1.3]", "initial.project = true"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Contact, SpoiltStudy,
    testing::Values(
        Spoilt{"NegativeStiffness",
               "stiffness = 1.0",
               "stiffness = -1.0",
               {"sample.toml:8:13: ", "contact.stiffness = -1", "positive definite",
                "eigenvalue is -1"}},
        Spoilt{"ZeroStiffness",
               "stiffness = 1.0",
               "stiffness = 0",
               {"sample.toml:8:13: ", "contact.stiffness = 0", "positive definite"}},
        Spoilt{"StiffnessTooLarge",
               "stiffness = 1.0",
               "stiffness = [1.0, 1.0]",
               {"sample.toml:8:13: ", "contact.stiffness = ", "1 rows of 1"}},
        Spoilt{"StiffnessNotSquare",
               "stiffness = 1.0",
               "stiffness = [[1.0, 1.0]]",
               {"sample.toml:8:13: ", "contact.stiffness = ", "1 rows of 1"}},
        Spoilt{"NegativeDamping",
               "[epsilon]",
               "damping = -0.5\n[epsilon]",
               {"sample.toml:9:11: ", "contact.damping = -0.5", "positive semidefinite", "-0.5"}},
        Spoilt{"BothDampings",
               "[epsilon]",
               "damping = 2.0\ndamping_ratio = 1.0\n[epsilon]",
               {"sample.toml:10:17: ", "contact.damping_ratio = 1", "conflicts"}},
        Spoilt{"DeflectionAndPrepared",
               "[epsilon]",
               "preparation = \"prepared\"\ndeflection = [0.1]\n[epsilon]",
               {"sample.toml:10:14: ", "contact.deflection = ", "conflicts", "prepared"}},
        Spoilt{"GivenWithoutDeflection",
               "[epsilon]",
               "preparation = \"given\"\n[epsilon]",
               {"sample.toml:7:1: ", "contact.deflection: missing", "preparation = \"given\""}},
        Spoilt{"DeflectionTooLong",
               "[epsilon]",
               "deflection = [0.1, 0.2]\n[epsilon]",
               {"sample.toml:9:14: ", "contact.deflection = ", "1 number", "not 2"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    TimeAndSolvers, SpoiltStudy,
    testing::Values(Spoilt{"StretchedWithoutEnd",
                           "end = 2.0",
                           "end = 2e8\nstretch = 1.0",
                           {"sample.toml:15:11: ", "time.stretch = 1", "2e+11 s at", "1e+09 s"}},
                    Spoilt{"AfterTheEnd",
                           "end = 2.0",
                           "end = 2.0\nafter = 2.0",
                           {"sample.toml:15:9: ", "time.after = 2", ">= 0 and < 2"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Expectations, SpoiltStudy,
    testing::Values(
        Spoilt{"NoOrder",
               "",
               "[[expect]]\nquantity = \"q\"\n",
               {"sample.toml:18:1: ", "expect[0].order: missing"}},
        Spoilt{"CutTooLate",
               "",
               "[[expect]]\nquantity = \"q\"\norder = 2\nafter = 2.0\n",
               {"sample.toml:21:9: ", "expect[0].after = 2", ">= 0 and < 2"}},
        Spoilt{"CutInWindowAll",
               "",
               "[[expect]]\nquantity = \"q\"\norder = 2\nwindow = \"all\"\nafter = 0.5\n",
               {"sample.toml:22:9: ", "expect[0].after = 0.5", "window = \"all\""}},
        Spoilt{"TwoCuts",
               "",
               "[[expect]]\nquantity = \"q\"\norder = 2\nafter = 0.5\n"
               "[[expect]]\nquantity = \"v\"\norder = 2\nafter = 0.6\n",
               {"sample.toml:25:9: ", "expect[1].after = 0.6", "single window", "t = 0.5"}},
        Spoilt{"CutUnlikeTime",
               "end = 2.0",
               "end = 2.0\nafter = 0.25\n[[expect]]\nquantity = \"q\"\norder = 2\nafter = 0.5\n",
               {"sample.toml:19:9: ", "expect[0].after = 0.5", "single window", "t = 0.25"}},
        Spoilt{"ExpectedTwice",
               "",
               "[[expect]]\nquantity = \"q\"\norder = 2\n[[expect]]\nquantity = \"q\"\norder = 1\n",
               {"sample.toml:22:12: ", "expect[1].quantity", "another [[expect]]"}},
        Spoilt{"OrderOnlyBesideRatio",
               "",
               "[[expect]]\nquantity = \"q\"\norder = 2\nratio = 1.0\norder_only = \"new\"\n",
               {"sample.toml:22:14: ", "expect[0].order_only", "conflicts with `ratio`"}},
        Spoilt{"OrderOnlyWithoutReason",
               "",
               "[[expect]]\nquantity = \"q\"\norder = 2\norder_only = \"\"\n",
               {"sample.toml:21:14: ", "expect[0].order_only", "state the reason"}},
        Spoilt{"OrderOnlyWithoutOrder",
               "",
               "[[expect]]\nquantity = \"q\"\nconvergence = \"none\"\norder_only = \"new\"\n",
               {"sample.toml:21:14: ", "expect[0].order_only", "conflicts with `convergence`"}},
        Spoilt{"RatioWithoutExpansion",
               "stiffness = 1.0",
               "stiffness = 1.0\ndamping_exponent = 2.5\n[[expect]]\nquantity = \"q\"\nratio = 1.0",
               {"sample.toml:9:20: ", "contact.damping_exponent = 2.5", "up to 2"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Expansion, SpoiltStudy,
    testing::Values(Spoilt{"CompositeOrderWithoutComposite",
                           "[system]",
                           "[composite]\norder = 2\n[system]",
                           {"sample.toml:4:9: ", "composite.order", "study.against"}},
                    Spoilt{"RatioOfASlidingStart",
                           "v = [0.7, 0.0, 1.3]\n[contact]\nstiffness = 1.0",
                           "v = [0.7, 0.2, 1.3]\nproject = true\n[contact]\nstiffness = 1.0\n"
                           "damping_exponent = 0.5\n[[expect]]\nquantity = \"q\"\nratio = 1.0",
                           {"sample.toml:6:5: ", "initial.v", "does not slide"}},
                    Spoilt{"QuadWithoutAQuadSolver",
                           "rtol = 1e-10",
                           "rtol = 1e-10\nprecision = \"quad\"\nrigid = [\"radau_iia\"]",
                           {"sample.toml:15:1: ", "solvers.compliant", "cvode_bdf"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Names, SpoiltStudy,
    testing::Values(
        Spoilt{"StrangeTable",
               "",
               "[weather]\n",
               {"sample.toml:18:2", "weather", "base, bound, composite, contact, epsilon"}},
        Spoilt{"ForeignParameter",
               "name = \"knife_edge\"",
               "name = \"knife_edge\"\nradius = 1.0",
               {"sample.toml:5:1", "system.radius", "gravity, inertia, mass, name, slope"}},
        Spoilt{"UnknownSystem",
               "\"knife_edge\"",
               "\"knife_egde\"",
               {"sample.toml:4:8", "system.name = ", "knife_egde", "'knife_edge'", "",
                "chaplygin_sleigh", "rolling_disk"}},
        Spoilt{"UnknownCompliantSolver",
               "rtol = 1e-10",
               "compliant = [\"cvode_bfd\"]",
               {"sample.toml:16:13", "solvers.compliant", "'cvode_bfd'", "'cvode_bdf'",
                "'rigidlimit list'"}},
        Spoilt{"UnknownRigidSolver",
               "rtol = 1e-10",
               "rigid = [\"idaa\"]",
               {"sample.toml:16:9", "solvers.rigid", "'idaa'", "'ida'", "'rigidlimit list'"}},
        Spoilt{"SolverNamedTwice",
               "rtol = 1e-10",
               "rigid = [\"ida\", \"ida\"]",
               {"sample.toml:16:9", "solvers.rigid", "'ida'"}},
        Spoilt{"NoSolver",
               "rtol = 1e-10",
               "compliant = []",
               {"sample.toml:16:13", "solvers.compliant = []", "cvode_bdf"}},
        Spoilt{"ToleranceOfUnknownSolver",
               "",
               "[solvers.rosenbrok4]\nrtol = 1e-8\n",
               {"sample.toml:18:10", "solvers.rosenbrok4", "'rosenbrock4'"}},
        Spoilt{"ToleranceOfSolverUnused",
               "",
               "[solvers.rosenbrock4]\nrtol = 2\n",
               {"sample.toml:19:8", "solvers.rosenbrock4.rtol = 2", "> 0 and <= 0.1"}},
        Spoilt{"NoSystem",
               "[system]\nname = \"knife_edge\"",
               "",
               {"sample.toml", "system.name: missing", "knife_edge"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Types, SpoiltStudy,
    testing::Values(
        Spoilt{"NumberForVector",
               "v = [0.7, 0.0, 1.3]",
               "v = 0.7",
               {"sample.toml:6:5", "initial.v = 0.7", "3 numbers", "phi' [rad/s]"}},
        Spoilt{"TextInVector",
               "v = [0.7, 0.0, 1.3]",
               "v = [0.7, 0.0, \"fast\"]",
               {"sample.toml:6:5", "initial.v = ", "fast", "is not"}},
        Spoilt{"UnknownComponent",
               "v = [0.7, 0.0, 1.3]",
               "v = {x = 0.7, psi = 1.3}",
               {"sample.toml:6:15", "initial.v.psi", "unknown key"}},
        Spoilt{"ComponentTwice",
               "v = [0.7, 0.0, 1.3]",
               "v = {x = 0.7, \"x'\" = 0.7}",
               {"sample.toml:6:10", "initial.v.x = 0.7", "x'"}},
        Spoilt{"TextForComponent",
               "v = [0.7, 0.0, 1.3]",
               "v = {phi = \"fast\"}",
               {"sample.toml:6:12", "initial.v.phi = ", "fast", "finite"}},
        Spoilt{"ValueForTable", "[time]\nend = 2.0", "[other]", {"sample.toml:13:2", "other"}},
        Spoilt{"ListForTable", "[time]\n", "[[time]]\n", {"sample.toml:13:1", "time", "[time]"}},
        Spoilt{"TableForArrayOfTables",
               "",
               "[expect]\nquantity = \"q\"\norder = 2.0\n",
               {"sample.toml:18:1", "expect", "[[expect]]"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Syntax, SpoiltStudy,
    testing::Values(
        Spoilt{"NoValue", "end = 2.0", "end = ", {"sample.toml:14:", "TOML"}},
        Spoilt{"OpenBracket", "[0.7, 0.0, 1.3]", "[0.7, 0.0", {"sample.toml:7:", "TOML"}},
        Spoilt{"KeyTwice", "end = 2.0", "end = 2.0\nend = 3.0", {"sample.toml:15:", "TOML", "end"}},
        Spoilt{"TableTwice", "", "[time]\n", {"sample.toml:18:", "TOML", "time"}},
        Spoilt{"NotTomlAtAll", "[study]", "<study>", {"sample.toml:1:", "TOML"}}),
    name_of_case);

}  // namespace
}  // namespace rigidlimit
