#include "rigidlimit/experiment/rolling/rolling_template.hpp"

#include "rigidlimit/experiment/spec/template_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/core/valid_values.hpp"
#include "rigidlimit/experiment/plan/read_sweep.hpp"
#include "rigidlimit/experiment/rolling/rolling_keys.hpp"
#include "rigidlimit/experiment/spec/study_keys.hpp"
#include "rigidlimit/formulations/linearisation.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/toml/text.hpp"

namespace rigidlimit {

namespace {

constexpr double largest_epsilon = 0.1;
constexpr double rolling_end = 2.0;  // s

/// Properties of a system at its start.
struct RollingSetting {
  InitialState start;  ///< rolls
  double stiffness = 1.0;
  double damping = 0.0;  ///< > 0: D = damping × identity, for redundant contacts
  double swing = 0.0;    ///< rad/s, the fastest small motion about the start
  int samples = 0;       ///< on [0, end]
};

/// The usual number of samples, or more for a fast oscillation of the rigid motion. The errors
/// oscillate twice as fast and could peak between samples: with a phase of 0.2 between samples, the
/// maximum over every second sample is at most (2 · 0.4)²/8 = 0.08 too low; a row may lose a tenth.
int samples_for(double swing) {
  constexpr double angle = 0.2;
  const double enough = 100.0 * std::ceil(rolling_end * swing / angle / 100.0) + 1.0;
  return std::max(TimeGrid{}.samples, static_cast<int>(enough));
}

RollingSetting rolling_setting(const SystemEntry& entry) {
  const std::vector<double> values = entry.default_values();
  const System system = entry.make(values);
  RollingSetting s{.start = entry.start(values)};
  const ContactBasis contacts = contact_basis(system, s.start.q);
  s.start.v = projected_velocity<double>(system, contacts, s.start.q, s.start.v);

  const MatrixXd A = delassus(system, s.start.q);
  const VectorXd spectrum = symmetric_eigenvalues(A);
  const double slowest = spectrum(spectrum.size() - contacts.rank());  // without internal forces
  s.swing = linearise(system, s.start).eigenvalues.imag().cwiseAbs().maxCoeff();
  s.samples = samples_for(s.swing);
  const double enough = std::pow(3.0 * largest_epsilon * s.swing, 2) / slowest;
  if (enough > 1.0) s.stiffness = std::pow(10.0, std::ceil(std::log10(enough)));
  if (contacts.redundant()) {
    const double critical = 2.0 * std::sqrt(s.stiffness / A.diagonal().mean());
    const double unit = std::pow(10.0, std::floor(std::log10(critical)));
    s.damping = unit * std::round(critical / unit);
  }
  return s;
}

/// The study of the template, up to its claims.
RollingStudy rolling_study(const SystemEntry& entry, const std::string& name, TemplateKind kind,
                           const RollingSetting& setting) {
  const bool swept = kind == TemplateKind::sweep;
  RollingStudy s;
  s.name = name;
  s.question =
      swept ? fmt::format("Which damping brings {} nearest to rolling?", entry.info.name)
            : fmt::format("Does {} converge to rolling with orders 2, 1, 0?", entry.info.name);
  s.model = entry.make(entry.default_values());
  const MatrixXd unit = MatrixXd::Identity(s.model.m, s.model.m);
  s.contact.stiffness = setting.stiffness * unit;
  s.contact.damping_ratio = 1.0;
  if (setting.damping > 0.0 && !swept) {
    s.contact.damping = setting.damping * unit;
    s.contact.damping_ratio.reset();
  }
  s.time.end = rolling_end;
  s.time.samples = setting.samples;
  s.after = 0.25 * rolling_end;
  // A row below ten times its error bars is not evidence.
  s.solvers.rigid = s.solvers.compliant = {"radau_iia"};
  s.solvers.rtol = 1e-12;
  s.solvers.atol = 1e-14;
  s.solvers.rigid_rtol = 0.1 * s.solvers.rtol;
  s.solvers.rigid_atol = 0.1 * s.solvers.atol;
  return s;
}

void write_rolling_epsilon(TemplatePage& page, TemplateKind kind) {
  page.heading("epsilon", "geometric from, to, count; or values = [...]");
  const bool swept = kind == TemplateKind::sweep;
  page.line("from = " + toml_text(swept ? 1e-2 : largest_epsilon), "largest");
  page.line(swept ? "to = 1e-3" : "to = 1e-4", "smallest");
  page.line(swept ? "count = 4" : "count = 10", "a verdict needs 4 in a settled tail");
  page.key(epsilon_keys().row("values").info, std::nullopt, std::nullopt);
}

struct Expected {
  const char* quantity;
  double order;
  const char* more;  ///< another line; nullptr: none
};

void write_rolling_claims(TemplatePage& page) {
  page.line("");
  page.line(
      "# Expected orders of the error as eps -> 0. Unloaded spring, beta = 1, a start that rolls:");
  page.line("# q 2, v 1, lambda 0 over all t, and 2, 2, 2 after the layer.");
  constexpr Expected all[] = {
      {"q", 2.0, nullptr},
      {"v", 1.0, nullptr},
      {"lambda", 0.0, nullptr},
      {"q", 2.0, "window = \"after\""},
      {"v", 2.0, "window = \"after\""},
      {"lambda", 2.0, "window = \"after\""},
      {"lambda", 0.5, "norm = \"l2\"                # unlike the sup norm, not fixed by t = 0"}};
  for (const Expected& e : all) {
    page.line("\n[[expect]]");
    page.line(fmt::format("quantity = \"{}\"", e.quantity));
    if (e.more) page.line(e.more);
    page.line("order = " + toml_text(e.order));
  }
}

void write_sweep(TemplatePage& page) {
  page.heading("[least]");
  page.line("over = \"contact.damping_ratio\"", "the value with the least error, ...");
  page.line("#beside = 1.0", "... and the error at this value beside it; default: none");
  page.heading("sweep", "a study for all combinations of these values");
  page.line("contact.damping_ratio = {from = 0.25, to = 4.0, count = 5}", "zeta; or a list");
  page.line("contact.damping_exponent = [0.5, 1.0, 1.5]", "beta");
}

}  // namespace

std::string rolling_template(const SystemEntry& entry, const std::string& name, TemplateKind kind) {
  const RollingSetting setting = rolling_setting(entry);
  const RollingStudy study = rolling_study(entry, name, kind, setting);
  TemplatePage page;
  page.head(
      entry.info.title,
      {{fmt::format("rigidlimit {} {}.toml", kind == TemplateKind::sweep ? "run" : "check", name),
        "runs it"},
       {"rigidlimit describe " + (entry.definition.empty() ? entry.info.name : name + ".toml"),
        "equations, parameters, start"},
       {"rigidlimit help study-files", "contents of a study file"},
       {"rigidlimit help keys rolling", "every key with its valid values"}},
      "SI units; y is the deflection of the contact, y' = G(q) v.");
  page.table(rolling_keys::study(), study);
  page.system(entry, entry.parameters);
  page.start(entry, setting.start);
  page.key(rolling_keys::initial().row("project").info, "false", "false");
  page.table(rolling_keys::contact(), study, "lambda = (C/eps^2) y + (D/eps^beta) y'");
  page.prose("y is the deflection of the contacts " + units_after_names(entry.info.contacts) +
             ", in these units times s");
  write_rolling_epsilon(page, kind);
  page.table(rolling_keys::time(), study);
  page.table(rolling_keys::solvers(), study, "rigidlimit list solvers");
  page.table(rolling_keys::output(), study);
  if (kind == TemplateKind::sweep)
    write_sweep(page);
  else
    write_rolling_claims(page);
  std::vector<KeyTableInfo> tables = tables_of_rolling_studies();
  if (kind == TemplateKind::sweep)
    std::ranges::move(tables_of_sweeps(), std::back_inserter(tables));
  page.further(tables);
  return page.text();
}

}  // namespace rigidlimit
