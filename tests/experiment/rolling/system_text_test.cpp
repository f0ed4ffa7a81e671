// Tests systems written as text: bitwise equality with the equivalent struct, the place of errors,
// store keys.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "rigidlimit/experiment/pair/solve_identity.hpp"
#include "rigidlimit/experiment/rolling/run_rolling_study.hpp"
#include "rigidlimit/systems/text/read_system_text.hpp"
#include "support/sample_study.hpp"
#include "support/temporary_directory.hpp"

namespace rigidlimit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// systems/rolling/knife_edge.hpp in formulas, under [system]. It starts in line 4 of the study.
const std::string written_edge = R"toml(name = "written_edge"   # a comment
coordinates = [
  {name = "x", unit = "m", start = 0.0, start_rate = 0.7},
  {name = "y", unit = "m", start = 0.0, start_rate = 0.0},
  {name = "phi", unit = "rad", start = 0.0, start_rate = 1.3},
]
mass_matrix = [["mass", 0, 0], [0, "mass", 0], [0, 0, "inertia"]]
force = ["mass*downhill", 0, 0]
potential = "-(mass*downhill)*x"
constraint = [{row = "-sin(phi)*x' + cos(phi)*y'", name = "lateral sliding"}]
quasi_velocities = ["cos(phi)*x' + sin(phi)*y'", "phi'"]
let.downhill = "gravity*sin(slope)"
[system.parameters]
mass = {default = 1.0, unit = "kg", above = 0.0, text = "of the body"}
inertia = {default = 0.5, unit = "kg m^2", above = 0.0}
slope = {default = 0.3, unit = "rad", min = -1.5, max = 1.5}
gravity = {default = 9.81, unit = "m/s^2", min = 0.0}
)toml";

/// systems/rolling/rolling_disk.hpp in formulas.
const std::string written_disk = R"toml(name = "written_disk"
coordinates = [
  {name = "x", start = 0, start_rate = 0}, {name = "y", start = 0, start_rate = 0},
  {name = "psi", start = 0, start_rate = 0}, {name = "theta", start = 0, start_rate = 0},
  {name = "spin", start = 0, start_rate = 0},
]
mass_matrix = [
  ["mass", 0, 0, 0, 0], [0, "mass", 0, 0, 0],
  [0, 0, "diametral*c*c + axial*s*s", 0, "axial*s"],
  [0, 0, 0, "diametral + mass*radius*radius*s*s", 0],
  [0, 0, "axial*s", 0, "axial"]]
force = [0, 0,
  "-theta'*(2*difference*psi' + gyroscopic*spin')",
  """difference*psi'*psi' + gyroscopic*psi'*spin'
     + s*(mass*gravity*radius - mass*radius*radius*c*theta'*theta')""",
  "-gyroscopic*psi'*theta'"]
potential = "(mass*gravity*radius)*cos(theta)"
constraint = [
  "cos(psi)*x' + sin(psi)*y' + -radius*sin(theta)*psi' + -radius*spin'",
  "-sin(psi)*x' + cos(psi)*y' + radius*cos(theta)*theta'"]
quasi_velocities = ["psi'", "theta'", "spin'"]
[system.let]
axial = "axial_ratio*mass*radius*radius"
diametral = "0.5*axial"
s = "sin(theta)"
c = "cos(theta)"
gyroscopic = "axial*c"
difference = "(axial - diametral)*s*c"
[system.parameters]
mass.default = 1.0
radius.default = 0.5
axial_ratio.default = 0.5
gravity.default = 9.81
)toml";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The sample study with this [system].
std::string study_of(const std::string& system) {
  return replaced(test::sample_text, "name = \"knife_edge\"\n", system);
}

std::string refusal(const std::string& system) {
  try {
    test::study_from(study_of(system));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The error of reading the knife edge after one change.
std::string refusal(const std::string& from, const std::string& to) {
  return refusal(replaced(written_edge, from, to));
}

void expect_same_bits(const System& a, const System& b) {
  ASSERT_EQ(a.n, b.n);
  ASSERT_EQ(a.m, b.m);
  EXPECT_EQ(a.natural_velocities, b.natural_velocities);
  EXPECT_EQ(a.explicit_time, b.explicit_time);
  for (const double at : {0.1, 0.7, -2.3}) {
    VectorXd q(a.nq), v(a.n);
    for (Index i = 0; i < a.nq; ++i) q(i) = std::sin(at + static_cast<double>(i));
    for (Index i = 0; i < a.n; ++i) v(i) = std::cos(2.0 * at + static_cast<double>(i * i));
    MatrixXd M[2], rows[2], S[2];
    VectorXd F[2], drift[2];
    double P[2];
    int k = 0;
    for (const System* system : {&a, &b}) {
      const Equations<double>& equations = system->in<double>();
      M[k].resize(a.n, a.n), rows[k].resize(a.m, a.n), S[k].resize(a.n - a.m, a.n);
      F[k].resize(a.n), drift[k].resize(a.m);
      equations.mass_matrix(q, M[k]);
      equations.force(q, v, 0.3, F[k]);
      equations.constraints(q, rows[k]);
      equations.constraint_drift(q, v, v, drift[k]);
      equations.quasi_velocities(q, S[k]);
      P[k++] = equations.potential(q);
    }
    EXPECT_EQ(M[0], M[1]);
    EXPECT_EQ(F[0], F[1]);
    EXPECT_EQ(rows[0], rows[1]);
    EXPECT_EQ(S[0], S[1]);
    EXPECT_EQ(drift[0], drift[1]);
    EXPECT_EQ(P[0], P[1]);
  }
}

TEST(SystemText, ComputesTheBitsOfAStruct) {
  const RollingStudy edge = test::study_from(study_of(written_edge));
  expect_same_bits(edge.model, test::study_from(test::sample_text).model);
  const SystemEntry& disk = *find_system(builtin_systems(), "rolling_disk");
  const auto own = test::study_from(replaced(study_of(written_disk), "v = [0.7, 0.0, 1.3]", ""));
  // Parameter values keep the order of the text.
  EXPECT_EQ(own.parameters, (std::vector{1.0, 0.5, 0.5, 9.81}));
  expect_same_bits(own.model, disk.make(disk.default_values()));
  // Negative control: another order of the same sum rounds differently.
  const auto other =
      test::study_from(replaced(replaced(study_of(written_disk), "v = [0.7, 0.0, 1.3]", ""),
                                "difference*psi'*psi' + gyroscopic*psi'*spin'\n",
                                "psi'*(difference*psi' + gyroscopic*spin')\n"));
  VectorXd q(5), v(5), F(5), F_other(5);
  int differences = 0;
  for (int k = 0; k < 100; ++k) {
    q.setConstant(0.01 * k);
    v.setConstant(1.0 + 0.1 * k);
    own.model.in<double>().force(q, v, 0.0, F);
    other.model.in<double>().force(q, v, 0.0, F_other);
    differences += F != F_other;
  }
  EXPECT_GT(differences, 0);
}

TEST(SystemText, SolutionEqualsThatOfAStructBitForBit) {
  const auto rows = [](const std::string& text) {
    std::vector<double> all;
    const RollingResult result = run_rolling_study(
        test::study_from(text + test::sample_expectations,
                         {"solvers.rigid=[\"radau_iia\"]", "solvers.compliant=[\"radau_iia\"]"}),
        {.jobs = 1, .stop_requested = {}, .on_progress = {}});
    for (const Series& series : result.series)
      for (const Row& row : series.rows)
        for (const double x : {row.epsilon, row.model_error(), row.solver_error(), row.ratio})
          all.push_back(x);
    return all;
  };
  const std::vector<double> written = rows(study_of(written_edge)), known = rows(test::sample_text);
  EXPECT_GE(written.size(), 60u);
  ASSERT_EQ(written.size(), known.size());
  for (std::size_t i = 0; i < known.size(); ++i)
    EXPECT_TRUE(written[i] == known[i] || (std::isnan(written[i]) && std::isnan(known[i]))) << i;
}

TEST(SystemText, AcceptsParameterOverrides) {
  const RollingStudy study = test::study_from(study_of(written_edge), {"system.mass=2.5"});
  EXPECT_EQ(study.parameters, (std::vector{2.5, 0.5, 0.3, 9.81}));
  MatrixXd M(3, 3);
  study.model.in<double>().mass_matrix(study.initial.q, M);
  EXPECT_EQ(M(0, 0), 2.5);
  for (const char* wrong : {"system.mass=nan", "system.mass=-1.0", "system.mas=1.0"})
    EXPECT_THROW(test::study_from(study_of(written_edge), {wrong}), InputError) << wrong;
}

// The store must be able to read its study after the file is deleted.
TEST(SystemText, IsCompleteInTheResolvedStudy) {
  const test::TemporaryDirectory place;
  for (const std::string& system : {written_edge, written_disk}) {
    const std::string text = system == written_disk
                                 ? replaced(study_of(system), "v = [0.7, 0.0, 1.3]", "")
                                 : study_of(system);
    const RollingStudy study = test::study_from(text);
    const std::string resolved = resolved_toml(study);
    const RollingStudy again = test::study_from(resolved);
    EXPECT_EQ(resolved_toml(again), resolved);
    expect_same_bits(again.model, study.model);
  }
}

TEST(SystemText, ReadsAFileBesideTheStudy) {
  const test::TemporaryDirectory place;
  std::string alone = replaced(written_edge, "[system.parameters]", "[parameters]");
  place.write("edge.toml", alone);
  place.write("study.toml", study_of("file = \"edge.toml\"\nmass = 2.0\n"));
  const RollingStudy study = read_rolling_study(place.path("study.toml"));
  EXPECT_EQ(resolved_toml(study),
            resolved_toml(test::study_from(study_of(written_edge), {"system.mass=2.0"})));
  const auto entry = system_in_file(place.path("edge.toml"), builtin_systems());
  EXPECT_EQ(entry->info.name, "written_edge");
  EXPECT_EQ(entry->info.velocities.at(2).unit, "rad/s");
  EXPECT_THAT(entry->info.equations, HasSubstr("G v = (-sin(phi)*x' + cos(phi)*y')"));
  EXPECT_EQ(system_in_file(place.path("study.toml"), builtin_systems())->info.name, "written_edge");
  // The place of an error is in that file.
  place.write("edge.toml", replaced(alone, "-sin(phi)*x'", "-sin(phi)*z'"));
  try {
    read_rolling_study(place.path("study.toml"));
    ADD_FAILURE() << "z' was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where(), place.path("edge.toml") + ":10:33");
    EXPECT_THAT(error.what(), HasSubstr("'z''"));
  }
  place.write("study.toml", study_of("file = \"none.toml\"\n"));
  EXPECT_THROW(read_rolling_study(place.path("study.toml")), InputError);
}

// The key of a solve changes exactly with the computed values.
TEST(SystemText, KeyDependsOnTheComputedValues) {
  const auto key = [](const std::string& system) {
    const RollingStudy study = test::study_from(study_of(system));
    return SolveIdentities(study).rigid("ida", {1e-11, 1e-13}, "g").determinants;
  };
  const std::string known = key(written_edge);
  for (const auto& [from, to] :
       {std::pair("# a comment", "# another"), std::pair("of the body", "of everything"),
        std::pair("phi'\"]", "  phi' \"]"),
        std::pair("gravity*sin(slope)", "(sin(slope)*gravity)")})
    EXPECT_EQ(key(replaced(written_edge, from, to)), known) << to;
  // The three states of the fingerprint miss a force that acts later.
  for (const auto& [from, to] :
       {std::pair("\"mass*downhill\"", "\"mass*downhill + if(x > 100, 1, 0)\""),
        std::pair("\"mass*downhill\"", "\"mass*downhill*(1 + 1e-15)\""),
        std::pair("-(mass*downhill)*x", "-(mass*downhill)*x + 1"),
        std::pair("name = \"written_edge\"", "name = \"other\"")})
    EXPECT_NE(key(replaced(written_edge, from, to)), known) << to;
}

TEST(SystemText, ErrorsInFormulasHavePlaceKeyAndSymbol) {
  EXPECT_THAT(
      refusal("-sin(phi)*x' + cos", "-sin(phi)*x' + cas"),
      AllOf(HasSubstr("sample.toml:13:38: system.constraint[0].row: "), HasSubstr("'cos'")));
  EXPECT_THAT(refusal("\"-(mass*downhill)*x\"", "\"\"\"\n  -(mass*downhill)\n   *x' \"\"\""),
              AllOf(HasSubstr("sample.toml:14:5: system.potential: "), HasSubstr("'x''")));
  EXPECT_THAT(refusal("potential = \"", "potential = \"ö + "), HasSubstr("sample.toml:12:14:"));
  EXPECT_THAT(refusal("\"mass*downhill\"", "\"mass downhill\""),
              AllOf(HasSubstr("sample.toml:11:16: system.force[0]: "), HasSubstr("'downhill'")));
  try {
    test::study_from(study_of(written_edge), {"system.potential=\"x + + y*\""});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("character 9 "), HasSubstr("system.potential: ")));
  }
}

TEST(SystemText, ErrorsInSystemsHaveTheKey) {
  const std::tuple<const char*, const char*, const char*> wrong[] = {
      {"cos(phi)*y'\", name", "cos(phi)*y'*y'\", name", "constraint[0].row: "},
      {"cos(phi)*y'\", name", "cos(phi)*y' + 1\", name", "slides: |G v + b| = 1 "},  // it moves
      {"cos(phi)*y'\", name", "abs(y')\", name", "constraint[0].row: "},
      {", \"phi'\"]", "]", "quasi_velocities[0]: "},
      {"downhill\", 0, 0]", "downhill\", 0]", "force[0]: "},
      {"[0, 0, \"inertia\"]]", "[0, 0]]", "mass_matrix "},
      {"name = \"y\"", "name = \"x\"", "sample.toml:7:12: system.coordinates[1].name: 'x'"},
      {"name = \"y\"", "name = \"mass\"", "coordinates[1].name: 'mass'"},
      {"name = \"y\"", "name = \"sin\"", "coordinates[1].name: 'sin'"},
      {"name = \"y\"", "name = \"t\"", "coordinates[1].name: 't'"},
      {"name = \"y\"", "name = \"y''\"", "coordinates[1].name: 'y'''"},
      {"let.downhill", "let.x", "system.let.x: 'x'"},
      {"let.downhill", "let.cos", "system.let.cos: 'cos'"},
      {"let.downhill", "let.a = \"b\"\nlet.b = \"1 + a\"\nlet.downhill", " -> "},
      {"let.downhill = \"", "let.downhill = \"downhill + ", "downhill -> downhill"},
      {"start = 0.0, start_rate = 0.7", "start = nan, start_rate = 0.7", "start = nan: "},
      {"start = 0.0, start_rate = 0.7", "start = \"y\", start_rate = 0.7", "'y'"},
      {"{default = 1.0, ", "{default = -1.0, ", "system.parameters.mass.default = -1: "},
      {"mass = {d", "potential = {d", "system.parameters.potential = "},
      {"force =", "applied_force =", "kinetic_coenergy"},
      {"\"written_edge\"", "\"knife_edge\"", "system.name = "},
      {"\"written_edge\"", "\"../edge\"", "system.name = "},
      {"potential =", "file = \"a\"\npotential =", "system.name = 'written_edge'"},
      {"-(mass*downhill)*x", "log(-1 - x^2)", "finite"}};
  for (const auto& [from, to, message] : wrong) EXPECT_THAT(refusal(from, to), HasSubstr(message));
  EXPECT_EQ(refusal(written_edge), "");
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

TEST(SystemText, ErrorsHoldNoEscapeCode) {
  for (const char* key : {"let.\"\\u001b[2J\" = 1\n", "let.\"\\u001b[2J\" = \"1 + \"\n"}) {
    const std::string message = refusal("let.downhill", key + std::string("let.downhill"));
    EXPECT_THAT(message,
                testing::AllOf(HasSubstr("system.let. [2J: "), testing::Not(HasSubstr("\x1b"))));
  }
}

TEST(SystemText, HasSizeLimits) {
  std::string lets, sums;
  for (int k = 0; k < 1001; ++k) lets += fmt::format("let.a{} = 1\n", k);
  EXPECT_THAT(refusal("let.downhill", lets + "let.downhill"), HasSubstr("limit is 1000"));
  for (int k = 0; k < 5; ++k) sums += fmt::format("let.a{} = \"x{}\"\n", k, repeated(" + x", 2400));
  EXPECT_THAT(refusal("let.downhill", sums + "let.downhill"), HasSubstr("20000 operations"));
  std::string many;
  for (int k = 0; k < 33; ++k)
    many += fmt::format("{{name = \"c{}\", start = 0, start_rate = 0}},\n", k);
  EXPECT_THAT(refusal("{name = \"x\"", many + "{name = \"x\""), HasSubstr("limit is 32"));
}

// A chain of squares has 2^900 factors if expanded, and 900 operations if shared.
TEST(SystemText, SharesNamedTerms) {
  std::string lets = "let.a0 = \"1 + 1e-9*sin(x)\"\n";
  for (int k = 1; k < 900; ++k)
    lets += fmt::format("let.a{} = \"sqrt(a{}*a{})\"\n", k, k - 1, k - 1);
  EXPECT_EQ(refusal("potential = \"", lets + "potential = \"0*a899 "
                                             "+ "),
            "");
}

}  // namespace
}  // namespace rigidlimit
