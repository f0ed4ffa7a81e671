#include "rigidlimit/study/read_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/study/catalogue.hpp"
#include "rigidlimit/study/contact_data.hpp"
#include "rigidlimit/study/geometric_values.hpp"
#include "rigidlimit/study/quad_side.hpp"
#include "rigidlimit/study/read_bounds.hpp"
#include "rigidlimit/study/read_expectation.hpp"

namespace rigidlimit {

namespace {

void read_identity(Section section, Study& study) {
  study.name = section.text("name", std::nullopt);
  // The name is a directory under results/.
  const bool fit = !study.name.empty() && study.name.front() != '.' &&
                   std::ranges::all_of(study.name, [](unsigned char c) {
                     return c < 128 && (std::isalnum(c) || c == '_' || c == '-' || c == '.');
                   });
  if (!fit) section.fail("name", "must consist of letters, digits, '_', '-' and '.'");
  study.question = section.text("question", "");
  study.source = section.text("source", "");
  study.against = section.choice("against", {"rigid", "composite"}, "rigid") == "composite"
                      ? Against::composite
                      : Against::rigid;
  section.finish();
}

void read_system(Section section, Study& study) {
  study.system = find_system(section.choice("name", names_of_systems(), std::nullopt));
  for (const ParameterInfo& p : study.system->parameters)
    study.parameters.push_back(section.number(p.name, p.range, p.default_value));
  section.finish();
}

std::vector<std::string> names_with_units(const std::vector<Component>& components) {
  std::vector<std::string> names;
  for (const Component& c : components) names.push_back(fmt::format("{} [{}]", c.name, c.unit));
  return names;
}

/// Deflections are measured along the sliding directions.
std::vector<std::string> lengths_of(const std::vector<Component>& contacts) {
  std::vector<std::string> names;
  for (const Component& c : contacts) names.push_back(fmt::format("{} [m]", c.name));
  return names;
}

VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

/// Refuses a sliding start unless the study accepts it.
void read_initial(Section section, const Pair& pair, Study& study) {
  const SystemInfo& info = study.system->info;
  study.initial.q =
      section.vector("q", names_with_units(info.coordinates), as_vector(info.initial_q));
  study.initial.v =
      section.vector("v", names_with_units(info.velocities), as_vector(info.initial_v));
  study.project = section.flag("project", false);
  section.finish();
  for (std::size_t i = 0; i < info.coordinates.size(); ++i)
    if (const Component& c = info.coordinates[i];
        !c.range.contains(study.initial.q(static_cast<Index>(i))))
      section.fail("q", fmt::format("{} must be {}", c.name, c.range.text()));

  const MatrixXd A = pair.delassus(study.initial.q);
  const double least = A.selfadjointView<Eigen::Lower>().eigenvalues()(0);
  if (!(least > 1e-12 * A.cwiseAbs().maxCoeff()))
    section.fail("q", fmt::format("the constraints are dependent here: the Delassus matrix has the "
                                  "eigenvalue {:.3g}",
                                  least));
  if (!pair.multiplier(study.initial).allFinite())
    section.fail("", "the accelerations of this start are not finite; look at [system] as well");
  // The system's own start rolls for its default parameters; for others it is projected.
  if (!section.has("v")) study.initial.v = pair.projected_velocity(study.initial);
  const double sliding = pair.sliding_velocity(study.initial).cwiseAbs().maxCoeff();
  if (study.project || is_consistent(pair, study.initial)) return;
  section.fail("v",
               fmt::format("slides: |G v| = {:.6g} m/s, so no rigid rolling starts here. Write "
                           "v = [{:.17g}] (its projection) for a rolling start, or set "
                           "initial.project = true: the rigid motion then starts from the "
                           "projection and the compliant one from v as given",
                           sliding, fmt::join(pair.projected_velocity(study.initial), ", ")));
}

void read_contact(Section section, const Pair& pair, Study& study) {
  ContactSpec& contact = study.contact;
  const Index m = pair.contacts();
  contact.law = section.choice("law", names_of_laws(), "viscoelastic");
  contact.stiffness = section.matrix("stiffness", m, MatrixXd(MatrixXd::Identity(m, m)));
  if (section.has("damping") && section.has("damping_ratio"))
    section.fail("damping", "give either damping or damping_ratio, not both");
  if (section.has("damping"))
    contact.damping = section.matrix("damping", m, std::nullopt);
  else
    contact.damping_ratio = section.number("damping_ratio", non_negative, 1.0);
  contact.damping_exponent = section.number("damping_exponent", {.low = 0.0, .high = 4.0}, 1.0);

  const auto checked = [&](const char* key, const MatrixXd& X, bool strictly) {
    try {
      require_positive(X, "the matrix", strictly);
    } catch (const InputError& e) {
      section.fail(key, e.what());
    }
  };
  checked("stiffness", contact.stiffness, true);
  if (section.has("damping")) checked("damping", contact.damping, false);

  const std::string preparation = section.choice("preparation", {"unloaded", "prepared", "given"},
                                                 section.has("deflection") ? "given" : "unloaded");
  using Preparation = ContactSpec::Preparation;
  contact.preparation = preparation == "given"      ? Preparation::given
                        : preparation == "prepared" ? Preparation::prepared
                                                    : Preparation::unloaded;
  if (contact.preparation == Preparation::given)
    contact.deflection =
        section.vector("deflection", lengths_of(study.system->info.contacts), std::nullopt);
  else if (section.has("deflection"))
    section.fail("deflection", fmt::format("contradicts preparation = \"{}\"", preparation));
  section.finish();
}

}  // namespace

std::vector<double> read_epsilons(Section section) {
  // Beyond, ε² or ε^(−β) leaves the range of a double.
  constexpr Range valid{.low = 1e-50, .high = 1e6};
  std::vector<double> values;
  if (section.has("values")) {
    for (const char* other : {"from", "to", "count"})
      if (section.has(other)) section.fail(other, "give either values or from, to and count");
    values = section.numbers("values", valid);
  } else {
    values = read_geometric_values(section, valid);
  }
  section.finish();
  std::ranges::sort(values, std::greater{});
  if (std::ranges::adjacent_find(values) != values.end())
    section.fail(section.has("values") ? "values" : "to", "an epsilon occurs twice");
  return values;
}

namespace {

void read_time(Section section, Study& study) {
  TimeGrid& grid = study.time;
  grid.end = section.number("end", positive, std::nullopt);
  grid.samples = static_cast<int>(section.count("samples", {2, 1'000'000}, grid.samples));
  grid.layer_samples =
      static_cast<int>(section.count("layer_samples", {2, 1'000'000}, grid.layer_samples));
  grid.layer_width = section.number("layer_width", positive, grid.layer_width);
  // A quarter of the interval is past every layer of a small ε, and most of the motion remains.
  study.after =
      section.number("after", {.low = 0.0, .high = grid.end, .high_open = true}, 0.25 * grid.end);
  section.finish();
}

Formulation read_formulation(Section& section, Formulation otherwise) {
  return section.choice("formulation", {"natural", "adapted"}, name_of(otherwise)) == "adapted"
             ? Formulation::adapted
             : Formulation::natural;
}

/// 113 bits are for solvers that have them, on both sides.
void read_precision(Section& section, SolverSpec& s) {
  if (section.choice("precision", {"double", "quad"}, name_of(s.precision)) == "double") return;
  s.precision = Precision::binary128;
  for (const auto& [key, names] : {std::pair{"rigid", &s.rigid}, {"compliant", &s.compliant}})
    for (const std::string& name : *names)
      if (!solves_in_quad(name))
        section.fail(key, fmt::format("precision = \"quad\" needs radau_iia on both sides, and "
                                      "{} computes in double",
                                      name));
}

void read_solvers(Section section, Study& study) {
  SolverSpec& s = study.solvers;
  s.rigid = section.choices("rigid", names_of_rigid_solvers(), s.rigid);
  s.compliant = section.choices("compliant", names_of_compliant_solvers(), s.compliant);
  if (!study.system->has_closed_form && std::ranges::count(s.rigid, "closed_form") > 0)
    section.fail("rigid", fmt::format("{} has no closed form", study.system->info.name));
  const Range tolerance{.low = 0.0, .high = 0.1, .low_open = true};
  s.rtol = section.number("rtol", tolerance, s.rtol);
  s.atol = section.number("atol", tolerance, s.atol);
  // One rigid solve serves every ε: it may cost more.
  s.rigid_rtol = section.number("rigid_rtol", tolerance, 0.1 * s.rtol);
  s.rigid_atol = section.number("rigid_atol", tolerance, 0.1 * s.atol);
  s.reference_rtol =
      section.number("reference_rtol", tolerance, std::min(s.reference_rtol, s.rigid_rtol));
  s.reference_atol =
      section.number("reference_atol", tolerance, std::min(s.reference_atol, s.rigid_atol));
  s.tighten = section.number("tighten", {.low = 0.0, .high = 0.2, .low_open = true}, s.tighten);
  s.max_steps = section.count("max_steps", {1, 1'000'000'000}, s.max_steps);
  s.formulation = read_formulation(section, s.formulation);
  read_precision(section, s);
  for (const std::string& name : names_of_compliant_solvers()) {
    if (!section.has(name)) continue;
    Section own = section.section(name);
    const CompliantSettings given{.tolerance = {.rtol = own.number("rtol", tolerance, s.rtol),
                                                .atol = own.number("atol", tolerance, s.atol)},
                                  .formulation = read_formulation(own, s.formulation)};
    own.finish();
    // A solver that --set solvers.compliant left out keeps its table in the file: checked, unused.
    if (std::ranges::count(s.compliant, name) > 0) s.own[name] = given;
  }
  section.finish();
}

}  // namespace

Study read_setting(Section& root) {
  Study study;
  read_identity(root.section("study"), study);
  read_system(root.section("system"), study);
  const std::unique_ptr<Pair> pair = study.system->make_pair(study.parameters);
  read_initial(root.section("initial"), *pair, study);
  read_contact(root.section("contact"), *pair, study);
  read_time(root.section("time"), study);
  read_solvers(root.section("solvers"), study);
  return study;
}

Study read_study(const TomlDocument& document) {
  Section root = document.root();
  if (root.has("map")) root.fail("map", "this file is a map: run it with rigidlimit map");
  root = document.root();  // [map] is no valid table here
  for (const char* table :
       {"study", "system", "initial", "contact", "epsilon", "time", "solvers", "expect", "bound"})
    root.has(table);
  root.finish();  // a misspelt table first: everything in it would be reported as missing
  Study study = read_setting(root);
  study.epsilons = read_epsilons(root.section("epsilon"));
  bool cut_known = root.section("time").has("after");
  for (Section& section : root.sections("expect"))
    study.expectations.push_back(read_expectation(std::move(section), study, cut_known));
  require_prediction(root, study);
  for (Section& section : root.sections("bound"))
    std::ranges::move(read_bounds(std::move(section), study, cut_known),
                      std::back_inserter(study.bounds));
  return study;
}

const Alternatives& alternative_keys() {
  static const Alternatives alternatives{
      {"epsilon.values", {"epsilon.from", "epsilon.to", "epsilon.count"}},
      {"epsilon.from", {"epsilon.values"}},
      {"contact.damping", {"contact.damping_ratio"}},
      {"contact.damping_ratio", {"contact.damping"}},
      {"contact.deflection", {"contact.preparation"}},
      {"contact.preparation", {"contact.deflection"}}};
  return alternatives;
}

Study read_study(const std::string& path, const std::vector<std::string>& overrides) {
  return read_study(TomlDocument::from_file(path, overrides, alternative_keys()));
}

}  // namespace rigidlimit
