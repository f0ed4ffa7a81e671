#include "rigidlimit/cli/rolling_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/cli/template_page.hpp"
#include "rigidlimit/core/dense.hpp"
#include "rigidlimit/experiment/spec/time_grid.hpp"
#include "rigidlimit/experiment/spec/toml_text.hpp"
#include "rigidlimit/formulations/linearisation.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/systems/valid_values.hpp"

namespace rigidlimit {

namespace {

constexpr double largest_epsilon = 0.1;
constexpr double end = 2.0;  // s

/// Properties of a system at its start.
struct Setting {
  InitialState start;  ///< rolls
  double stiffness = 1.0;
  double damping_ratio = 1.0;
  double damping = 0.0;  ///< > 0: D = damping × identity, for redundant contacts
  double swing = 0.0;    ///< rad/s, the fastest small motion about the start
  int samples = 0;       ///< on [0, end]
};

/// The usual number of samples, or more for a fast oscillation of the rigid motion. The errors
/// oscillate twice as fast and could peak between samples: with a phase of 0.2 between samples, the
/// maximum over every second sample is at most (2 · 0.4)²/8 = 0.08 too low; a row may lose a tenth.
int samples_for(double swing) {
  constexpr double angle = 0.2;
  const double enough = 100.0 * std::ceil(end * swing / angle / 100.0) + 1.0;
  return std::max(TimeGrid{}.samples, static_cast<int>(enough));
}

Setting setting_of(const SystemEntry& entry) {
  const std::vector<double> values = entry.default_values();
  const System system = entry.make(values);
  Setting s{.start = entry.start(values)};
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

void write_head(TemplatePage& page, const SystemEntry& entry, const std::string& name,
                TemplateKind kind) {
  const std::string subcommand = kind == TemplateKind::sweep ? "run" : "check";
  page.line(fmt::format("# {}.", entry.info.title));
  page.line("#");
  page.line(
      fmt::format("#   {:<40} runs it", fmt::format("rigidlimit {} {}.toml", subcommand, name)));
  page.line(fmt::format(
      "#   {:<40} equations, parameters, start",
      "rigidlimit describe " + (entry.definition.empty() ? entry.info.name : name + ".toml")));
  page.line("#   rigidlimit help study-files              contents of a study file");
  page.line("#   rigidlimit help keys rolling             every key with its valid values");
  page.line("#");
  page.line(
      "# The file has every key. A line \"#key = value\" gives a default: remove the # to change");
  page.line("# it. SI units; y is the deflection of the contact, y' = G(q) v.");
}

void write_study(TemplatePage& page, const SystemEntry& entry, const std::string& name,
                 TemplateKind kind) {
  page.table("study");
  page.key("name", toml_text(name));
  const std::string question =
      kind == TemplateKind::sweep
          ? fmt::format("Which damping brings {} nearest to rolling?", entry.info.name)
          : fmt::format("Does {} converge to rolling with orders 2, 1, 0?", entry.info.name);
  page.line("question = " + toml_text(question));
  page.usual("source", "\"\"");
  if (kind == TemplateKind::study) page.usual("against", "\"rigid\"");
}

void write_system(TemplatePage& page, const SystemEntry& entry) {
  page.table("system");
  if (entry.file.empty())
    page.line("name = " + toml_text(entry.info.name), "rigidlimit list systems");
  else
    page.line("file = " + toml_text(entry.file), "equations; path relative to this file");
  for (const ParameterInfo& p : entry.parameters) {
    page.prose(p.text);
    page.key(p.name, toml_text(p.default_value),
             fmt::format("{}, {}", p.unit, valid_range(p.range).text()));
  }
  if (entry.file.empty() && !entry.definition.empty()) page.line(entry.definition);
}

void write_initial(TemplatePage& page, const SystemEntry& entry, const InitialState& start) {
  page.table("initial");
  page.prose(units_after_names(entry.info.coordinates));
  page.line("q = " + toml_list(start.q));
  page.prose(units_after_names(entry.info.velocities));
  page.line("v = " + toml_list(start.v));
  page.usual("project", "false");
}

void write_contact(TemplatePage& page, const SystemEntry& entry, const Setting& s,
                   TemplateKind kind) {
  page.table("contact", "lambda = (C/eps^2) y + (D/eps^beta) y'");
  page.prose(fmt::format("y is the deflection of the contacts {}, in these units times s",
                         units_after_names(entry.info.contacts)));
  page.usual("law", "\"viscoelastic\"");
  page.key("stiffness", toml_text(s.stiffness));
  if (kind == TemplateKind::study) {
    if (s.damping > 0.0) {
      page.line(
          "# Redundant contacts: D proportional to C; otherwise the load sharing lags by eps.");
      page.key("damping", toml_text(s.damping), "D, N s/m, or damping_ratio = x critical damping");
    } else {
      page.key("damping_ratio", toml_text(s.damping_ratio),
               "D = ratio x critical damping, or damping = D, N s/m");
    }
    page.usual("damping_exponent", "1.0");
  }
  page.usual("preparation", "\"unloaded\"",
             "spring at t = 0; or \"prepared\" (carries Lambda); or give");
  page.line("", "deflection = [y(0)/eps^2, ...], m, instead");
}

void write_epsilon(TemplatePage& page, TemplateKind kind) {
  page.table("epsilon", "geometric from, to, count; or values = [...]");
  const bool swept = kind == TemplateKind::sweep;
  page.key("from", swept ? "1e-2" : toml_text(largest_epsilon), "largest");
  page.key("to", swept ? "1e-3" : "1e-4", "smallest");
  page.key("count", swept ? "4" : "10", "a verdict needs 4 in a settled tail");
}

void write_time(TemplatePage& page, const Setting& s) {
  page.table("time");
  page.key("end", toml_text(end));
  page.usual("stretch", "0.0");
  if (s.samples == TimeGrid{}.samples) {
    page.usual("samples", std::to_string(s.samples));
  } else {
    page.prose(fmt::format("at least 30 samples in each oscillation of {:.3g} rad/s", s.swing));
    page.key("samples", std::to_string(s.samples),
             "uniform samples on [0, T], both ends included; default 401");
  }
  page.usual("layer_samples", "241");
  page.usual("layer_width", "20.0");
  page.usual("grid", "\"layered\"");
  page.usual("after", toml_text(0.25 * end));
}

void write_solvers(TemplatePage& page, TemplateKind kind) {
  page.table("solvers", "rigidlimit list solvers");
  page.key("rigid", "[\"radau_iia\"]");
  page.key("compliant", "[\"radau_iia\"]",
           kind == TemplateKind::sweep ? "a single solver" : "or several, which are compared");
  page.key("rtol", "1e-12", "relative; a row below ten times its error bars is not evidence");
  page.key("atol", "1e-14");
  page.usual("rigid_rtol", "1e-13");
  page.usual("rigid_atol", "1e-15");
  page.usual("reference_rtol", "1e-13");
  page.usual("reference_atol", "1e-15");
  page.usual("tighten", "0.1");
  page.usual("max_steps", "2000000");
  page.usual("formulation", "\"adapted\"");
  page.usual("precision", "\"double\"");
  page.line("# steps = 1000", "equal steps instead of tolerances, for methods with equal steps");
  page.line("# [solvers.rosenbrock4]", "rtol, atol and formulation of a single compliant solver");
}

struct Expected {
  const char* quantity;
  double order;
  const char* more;  ///< another line; nullptr: none
};

void write_expectations(TemplatePage& page) {
  page.line("");
  page.line(
      "# Expected orders of the error as eps -> 0. Unloaded spring, beta = 1, a start that rolls:");
  page.line("# q 2, v 1, lambda 0 over all t, and 2, 2, 2 after the layer. Further keys:");
  page.line("#   within = 0.05                   tolerance of the order");
  page.line("#   ratio = 1.0                     limit of measured over predicted coefficient");
  page.line("#   ratio_within = 1e-3");
  page.line("#   order_only = \"reason\"           why an order has no ratio");
  page.line("#   convergence = \"none\"            instead of order; or \"exact\"");
  page.line("#   law = \"viscoelastic\"            if contact.law is a list");
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
  page.line("\n# The growth of the steps of a solve, in steps per decade of eps:");
  page.line("# [[expect]]");
  for (const char* line :
       {"quantity = \"steps\"", "growth_at_most = 30.0       # or growth_at_least",
        "epsilon = [1e-6, 1e-2]      # interval of eps; default: all"})
    page.line(fmt::format("# {}", line));
  page.line("\n# A bound: error + error bar <= constant x eps^power in every row.");
  page.line("# [[bound]]");
  for (const char* line : {"quantity = \"q\"", "constant = 100.0", "power = 2.0",
                           "epsilon = [0.0, 1e-2]       # interval of eps; default: all",
                           "solver_error = 1e-8         # limit of the solver error"})
    page.line(fmt::format("# {}", line));
}

void write_sweep(TemplatePage& page) {
  page.line("");
  page.line("[[least]]");
  page.key("over", "\"contact.damping_ratio\"", "the value with the least error, ...");
  page.usual("beside", "1.0", "... and the error at this value beside it; default: none");
  page.table("sweep", "a study for all combinations of these values");
  page.line("contact.damping_ratio = {from = 0.25, to = 4.0, count = 5}", "zeta; or a list");
  page.key("contact.damping_exponent", "[0.5, 1.0, 1.5]", "beta");
}

}  // namespace

std::string rolling_template(const SystemEntry& entry, const std::string& name, TemplateKind kind) {
  const Setting setting = setting_of(entry);
  TemplatePage page("rolling");
  write_head(page, entry, name, kind);
  write_study(page, entry, name, kind);
  write_system(page, entry);
  write_initial(page, entry, setting.start);
  write_contact(page, entry, setting, kind);
  write_epsilon(page, kind);
  write_time(page, setting);
  write_solvers(page, kind);
  if (kind == TemplateKind::sweep)
    write_sweep(page);
  else
    write_expectations(page);
  return page.text();
}

}  // namespace rigidlimit
