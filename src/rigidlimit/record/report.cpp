#include "rigidlimit/record/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace rigidlimit {

namespace {

const char* symbol_of(Quantity quantity) {
  return quantity == Quantity::lambda ? "λ" : name_of(quantity);
}

/// "1.728e-07 ± 4e-10": the model error and the larger of solver and reference error.
std::string error_text(const Row& row) {
  if (std::isnan(row.model_error)) return "-";
  const double bar = std::isnan(row.solver_error) ? row.solver_error
                                                  : std::max(row.reference_error, row.solver_error);
  return fmt::format("{:.3e} ± {}", row.model_error,
                     std::isnan(bar) ? "?" : fmt::format("{:.0e}", bar));
}

std::string number_text(double x) {
  return std::isnan(x) ? "-" : fmt::format("{:.3e}", x);
}

/// Fixed digits, and no "-0.00".
std::string fixed_text(double x, int digits) {
  const std::string text = fmt::format("{:.{}f}", x, digits);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return zero && text.front() == '-' ? text.substr(1) : text;
}

std::string order_text(double p) {
  return std::isnan(p) ? "-" : fixed_text(p, 2);
}

std::string window_text(const Study& study, Window window) {
  return window == Window::all ? "all t" : fmt::format("t > {:.4g}", study.after);
}

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return Tone::good;
    case Verdict::settled: return Tone::plain;
    case Verdict::refuted:
    case Verdict::diverging: return Tone::bad;
    case Verdict::pre_asymptotic:
    case Verdict::floor_limited:
    case Verdict::inconclusive: break;
  }
  return Tone::doubtful;
}

bool is_series(const Series& series, const std::string& rigid, const std::string& compliant,
               Quantity quantity, Norm norm, Window window) {
  if (series.rows.empty()) return false;
  const Row& row = series.rows.front();
  return row.rigid_solver == rigid && row.compliant_solver == compliant &&
         row.quantity == quantity && row.norm == norm && row.window == window;
}

/// The ε of the points that the fit used.
std::string fit_window_text(const Series& series) {
  const OrderFit& fit = series.judgement.fit;
  if (fit.count == 0) return "-";
  return fmt::format("{:.3g} – {:.3g} ({} of {})", series.rows[fit.first].epsilon,
                     series.rows[fit.last].epsilon, fit.count, series.rows.size());
}

std::string fitted_text(const OrderFit& fit) {
  if (fit.count < 2) return "-";
  if (std::isnan(fit.standard_error)) return fixed_text(fit.order, 3);
  return fmt::format("{} ± {:.3f}", fixed_text(fit.order, 3), fit.standard_error);
}

std::string parameters_text(const Study& study) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    const std::string unit = study.system->parameters[i].unit;
    texts.push_back(fmt::format("{} = {:.6g}{}", study.system->parameters[i].name,
                                study.parameters[i], unit == "1" ? "" : " " + unit));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string contact_text(const Study& study) {
  const ContactSpec& c = study.contact;
  const auto matrix = [](const MatrixXd& X) {
    if (X.isApprox(X(0, 0) * MatrixXd::Identity(X.rows(), X.cols())))
      return fmt::format("{:.6g}{}", X(0, 0), X.rows() > 1 ? " I" : "");
    std::vector<std::string> rows;
    for (Index i = 0; i < X.rows(); ++i)
      rows.push_back(fmt::format("[{:.6g}]", fmt::join(VectorXd(X.row(i)), ", ")));
    return fmt::format("[{}]", fmt::join(rows, ", "));
  };
  const std::string damping = c.damping_ratio
                                  ? fmt::format("damping ratio {:.6g}", *c.damping_ratio)
                                  : "D = " + matrix(c.damping);
  const char* spring = c.preparation == ContactSpec::Preparation::prepared   ? "prepared"
                       : c.preparation == ContactSpec::Preparation::unloaded ? "unloaded"
                                                                             : "given";
  return fmt::format("{}: C = {}, {}, damping exponent {:.6g}, {} spring", c.law,
                     matrix(c.stiffness), damping, c.damping_exponent, spring);
}

std::string start_text(const StudyResult& result) {
  return fmt::format("T = {:.6g} s, Λ(0) = ({:.6g}){}", result.study.time.end,
                     fmt::join(result.multiplier_at_start, ", "),
                     result.study.project
                         ? ", rigid motion from the projected velocity, compliant from v as given"
                         : "");
}

std::string failure_text(const Failure& f) {
  return fmt::format("{} at ε = {:.4g}{}: {} at t = {:.6g} (step {:.3g}) {}", f.compliant_solver,
                     f.epsilon, f.tighter ? ", tighter tolerance" : "", name_of(f.outcome),
                     f.t_reached, f.last_step, f.message);
}

/// What to do about each kind of verdict that broke an expectation.
std::vector<std::string> advice_on(const StudyResult& result) {
  std::vector<std::string> texts;
  for (const Series& s : result.series) {
    if (s.held() || s.rows.empty()) continue;
    const Verdict verdict = s.judgement.verdict;
    const std::string text = fmt::format("{}: {}", name_of(verdict), advice(verdict));
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

/// The pieces of a report in their order, each handed to the writer of one format.
template <class Writer>
std::string compose(const StudyResult& result, Writer&& writer) {
  const Study& study = result.study;
  std::string text = writer.title(study.name, study.question);
  text += writer.lines({fmt::format("{}: {}", study.system->info.name, parameters_text(study)),
                        contact_text(study), start_text(result)});
  text += writer.table("Rigid motion", rigid_table(result));
  for (const std::string& rigid : study.solvers.rigid)
    for (const std::string& compliant : study.solvers.compliant)
      for (const Window window : all_windows)
        text += writer.table(fmt::format("{} against {}, sup norm, {}: model error ± the larger of "
                                         "solver and reference error",
                                         compliant, rigid, window_text(study, window)),
                             error_table(result, rigid, compliant, window));
  text += writer.table("Orders", verdict_table(result));
  std::vector<std::string> remarks;
  for (const Failure& f : result.failures) remarks.push_back(failure_text(f));
  for (const std::string& note : result.notes) remarks.push_back(note);
  for (const std::string& what_to_do : advice_on(result)) remarks.push_back(what_to_do);
  if (result.interrupted) remarks.emplace_back("interrupted: only the solves finished so far");
  if (!remarks.empty()) text += writer.lines(remarks);
  return text + writer.verdict(verdict_line(result), result.held());
}

struct TerminalWriter {
  bool colour;
  std::string title(const std::string& name, const std::string& question) const {
    return question.empty() ? name + "\n" : fmt::format("{}: {}\n", name, printable(question));
  }
  std::string lines(const std::vector<std::string>& texts) const {
    return fmt::format("  {}\n\n", fmt::join(texts, "\n  "));
  }
  std::string table(const std::string& caption, const TextTable& table) const {
    return caption + "\n" + terminal_text(table, colour) + "\n";
  }
  std::string verdict(const std::string& line, bool held) const {
    return toned(line, held ? Tone::good : Tone::bad, colour) + "\n";
  }
};

struct MarkdownWriter {
  std::string title(const std::string& name, const std::string& question) const {
    return fmt::format("## {}\n\n{}{}", name, question, question.empty() ? "" : "\n\n");
  }
  std::string lines(const std::vector<std::string>& texts) const {
    return fmt::format("* {}\n\n", fmt::join(texts, "\n* "));
  }
  std::string table(const std::string& caption, const TextTable& table) const {
    return fmt::format("**{}**\n\n{}\n", caption, markdown_text(table));
  }
  std::string verdict(const std::string& line, bool) const { return line + "\n"; }
};

struct LatexWriter {
  std::string title(const std::string& name, const std::string& question) const {
    return fmt::format("% needs \\usepackage{{booktabs}}\n\\paragraph{{{}}} {}\n\n",
                       latex_escaped(name), latex_escaped(question));
  }
  std::string lines(const std::vector<std::string>& texts) const {
    std::string text = "\\begin{itemize}\n";
    for (const std::string& line : texts) text += "\\item " + latex_escaped(line) + "\n";
    return text + "\\end{itemize}\n\n";
  }
  std::string table(const std::string& caption, const TextTable& table) const {
    return fmt::format("\\begin{{center}}\n{}\\\\[1ex]\n{}\\end{{center}}\n\n",
                       latex_escaped(caption), latex_text(table));
  }
  std::string verdict(const std::string& line, bool) const { return latex_escaped(line) + "\n"; }
};

}  // namespace

TextTable error_table(const StudyResult& result, const std::string& rigid_solver,
                      const std::string& compliant_solver, Window window) {
  TextTable table{.headers = {"ε", "q error", "order", "v error", "order", "λ error", "order",
                              "steps", "flags"},
                  .left_aligned = {false, false, false, false, false, false, false, false, true},
                  .rows = {}};
  std::vector<const Series*> columns;
  for (const Quantity quantity : all_quantities)
    for (const Series& s : result.series)
      if (is_series(s, rigid_solver, compliant_solver, quantity, Norm::sup, window))
        columns.push_back(&s);
  if (columns.empty()) return table;
  for (std::size_t k = 0; k < columns.front()->rows.size(); ++k) {
    std::vector<Cell> cells{{fmt::format("{:.3e}", columns.front()->rows[k].epsilon)}};
    std::vector<std::string> flags;
    for (const Series* s : columns) {
      const Row& row = s->rows[k];
      const Tone tone = row.status == "ok" ? Tone::plain : Tone::faint;
      cells.push_back({error_text(row), tone});
      cells.push_back({order_text(row.order), tone});
      // A failed solve fails all three: say it once.
      const bool failed = row.status.starts_with("failed");
      const std::string flag =
          failed ? row.status : fmt::format("{} {}", symbol_of(row.quantity), row.status);
      if (row.status != "ok" && std::ranges::find(flags, flag) == flags.end())
        flags.push_back(flag);
    }
    cells.push_back({fmt::format("{}", columns.front()->rows[k].work.steps)});
    cells.push_back({fmt::format("{}", fmt::join(flags, ", ")), Tone::doubtful});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

TextTable verdict_table(const StudyResult& result) {
  TextTable table{
      .headers = {"solvers", "", "norm", "window", "fitted order", "over ε", "expected", "verdict"},
      .left_aligned = {true, true, true, true, false, true, false, true},
      .rows = {}};
  for (const Series& s : result.series) {
    if (s.rows.empty()) continue;
    const Row& row = s.rows.front();
    if (row.norm != Norm::sup && !s.expectation) continue;
    const std::string expected =
        s.expectation ? fmt::format("{:.4g} ± {:.4g}", s.expectation->order, s.expectation->within)
                      : "-";
    table.rows.push_back({{fmt::format("{} / {}", row.compliant_solver, row.rigid_solver)},
                          {symbol_of(row.quantity)},
                          {name_of(row.norm)},
                          {window_text(result.study, row.window)},
                          {fitted_text(s.judgement.fit)},
                          {fit_window_text(s)},
                          {expected},
                          {name_of(s.judgement.verdict), tone_of(s.judgement.verdict)}});
  }
  return table;
}

TextTable rigid_table(const StudyResult& result) {
  TextTable table{
      .headers = {"solver", "compared with", "q error", "v error", "Λ error", "‖G v‖",
                  "energy error", "kinetic", "steps", "outcome"},
      .left_aligned = {true, true, false, false, false, false, false, false, false, true},
      .rows = {}};
  for (const RigidReport& r : result.rigid)
    table.rows.push_back(
        {{r.solver},
         {r.reference},
         {number_text(r.error[0])},
         {number_text(r.error[1])},
         {number_text(r.error[2])},
         {number_text(r.drift)},
         {number_text(r.energy_error)},
         {number_text(r.energy_scale)},
         {fmt::format("{}", r.work.steps)},
         {r.outcome == Outcome::success ? "ok"
                                        : fmt::format("{}: {}", name_of(r.outcome), r.message),
          r.outcome == Outcome::success ? Tone::plain : Tone::bad}});
  return table;
}

std::string found_and_expected(const Series& series) {
  std::string found = fmt::format("order {}", fitted_text(series.judgement.fit));
  if (!series.expectation) return found;
  return fmt::format("{}, expected {:.4g} ± {:.4g}", found, series.expectation->order,
                     series.expectation->within);
}

std::string verdict_line(const StudyResult& result) {
  int judged = 0;
  std::vector<std::string> broken;
  for (const Series& s : result.series) {
    if (!s.expectation) continue;
    ++judged;
    if (s.held()) continue;
    const Row& row = s.rows.front();
    broken.push_back(fmt::format("{} ({}, {}, {}): {} [{}]", symbol_of(row.quantity),
                                 row.compliant_solver, name_of(row.norm),
                                 window_text(result.study, row.window), found_and_expected(s),
                                 name_of(s.judgement.verdict)));
  }
  const std::string& name = result.study.name;
  if (result.interrupted) return fmt::format("{}: interrupted, not judged", name);
  if (result.study.expectations.empty()) return fmt::format("{}: nothing was expected", name);
  if (result.held()) return fmt::format("{}: held, {} of {} expectations", name, judged, judged);
  if (broken.empty()) return fmt::format("{}: not held, no rows to judge", name);
  return fmt::format("{}: not held, {} of {} expectations broken\n  {}", name, broken.size(),
                     judged, fmt::join(broken, "\n  "));
}

std::string terminal_report(const StudyResult& result, bool colour) {
  return compose(result, TerminalWriter{colour});
}
std::string markdown_report(const StudyResult& result) {
  return compose(result, MarkdownWriter{});
}
std::string latex_report(const StudyResult& result) {
  return compose(result, LatexWriter{});
}

}  // namespace rigidlimit
