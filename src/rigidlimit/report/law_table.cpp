#include "rigidlimit/report/law_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/report/rolling_tables.hpp"

namespace rigidlimit {

namespace {

struct Pairing {
  const std::string& law;
  const std::string& rigid;
  const std::string& compliant;

  bool has(const Series& s) const {
    if (s.rows.empty()) return false;
    const Row& row = s.rows.front();
    return row.law.name == law && row.rigid_solver == rigid && row.compliant_solver == compliant;
  }
  bool has(const BoundReport& b) const {
    return b.spec.law == law && b.rigid_solver == rigid && b.compliant_solver == compliant;
  }
};

const Series* series_over_all_times(const RollingResult& result, const Pairing& pairing,
                                    Quantity quantity) {
  for (const Series& s : result.series)
    if (pairing.has(s) && s.rows.front().measure.quantity == quantity &&
        s.rows.front().measure.norm == Norm::sup && s.rows.front().measure.window == Window::all)
      return &s;
  return nullptr;
}

/// "2.00 / 2", "0.00 / none", "- / exact", "1.00".
Cell order_cell(const Series& s) {
  const OrderFit& fit = s.judgement.fit;
  std::string text = std::isnan(fit.order) ? "-" : fixed_text(fit.order, 2);
  if (!s.expectation || !s.expectation->judges_errors()) return {text};
  text += " / ";
  text += s.expectation->order ? fmt::format("{:.3g}", *s.expectation->order)
                               : std::string(name_of(s.expectation->convergence));
  return {text, tone_of(s.judgement.verdict)};
}

std::vector<Cell> cells_of(const RollingResult& result, const Pairing& pairing) {
  std::vector<Cell> orders, errors;
  std::string steps = "-";
  for (const Quantity quantity : all_quantities) {
    const Series* s = series_over_all_times(result, pairing, quantity);
    orders.push_back(s ? order_cell(*s) : Cell{"-"});
    errors.push_back({s ? error_text(s->rows.back()) : "-"});
    if (s) steps = fmt::format("{}", s->rows.back().work.steps);
  }
  std::vector<Cell> cells = std::move(orders);
  std::ranges::move(errors, std::back_inserter(cells));
  cells.push_back({steps});
  return cells;
}

}  // namespace

std::string law_verdict(const RollingResult& result, const std::string& law,
                        const std::string& rigid_solver, const std::string& compliant_solver) {
  const Pairing pairing{law, rigid_solver, compliant_solver};
  int judged = 0;
  bool held = true, apart = false, exact = false;
  for (const Series& s : result.series) {
    if (!pairing.has(s) || !s.expectation) continue;
    ++judged;
    held = held && s.held();
    apart = apart || s.expectation->convergence == Convergence::none;
    exact = exact || s.expectation->convergence == Convergence::exact;
  }
  for (const StepsReport& s : result.steps) {
    if (s.spec.law != law || s.compliant_solver != compliant_solver) continue;
    ++judged;
    held = held && s.held;
  }
  for (const BoundReport& b : result.bounds) {
    if (!pairing.has(b)) continue;
    ++judged;
    held = held && b.held();
  }
  if (judged == 0) return "nothing expected";
  if (!held) return "not held";
  if (apart) return "does not converge, as expected";
  return exact ? "exact, as expected" : "held";
}

TextTable law_table(const RollingResult& result) {
  const RollingStudy& study = result.study;
  TextTable table{
      .headers = {"law", "ε is", "order of q", "v", "λ", "q error", "v error", "λ error", "steps",
                  "verdict"},
      .left_aligned = {true, true, false, false, false, false, false, false, false, true},
      .rows = {},
      .breaks = {1, 2, 5, 8}};
  if (!study.has_several_laws()) return table;
  const bool one_pair = study.solvers.rigid.size() * study.solvers.compliant.size() == 1;
  for (const std::string& law : study.contact.laws)
    for (const std::string& rigid : study.solvers.rigid)
      for (const std::string& compliant : study.solvers.compliant) {
        const std::string verdict = law_verdict(result, law, rigid, compliant);
        std::vector<Cell> cells{
            {one_pair ? law : fmt::format("{}, {} / {}", law, compliant, rigid)},
            {find_law(law)->small_parameter}};
        std::ranges::move(cells_of(result, {law, rigid, compliant}), std::back_inserter(cells));
        cells.push_back({verdict, verdict == "not held"           ? Tone::bad
                                  : verdict == "nothing expected" ? Tone::plain
                                                                  : Tone::good});
        table.rows.push_back(std::move(cells));
      }
  return table;
}

}  // namespace rigidlimit
