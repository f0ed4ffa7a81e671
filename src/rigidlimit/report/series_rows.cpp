#include "rigidlimit/report/series_rows.hpp"

#include <utility>

#include "rigidlimit/report/columns.hpp"

namespace rigidlimit {

namespace {

Record law_and_solvers(const Row& row, RowsOf kind) {
  Record record{{"law", row.law.name}};
  // A law without κ has the value 1, as its contact force has.
  if (kind == RowsOf::friction)
    record.push_back({"tangential_power", row.law.tangential_power.value_or(1.0)});
  record.push_back({"rigid_solver", row.rigid_solver});
  record.push_back({"compliant_solver", row.compliant_solver});
  return record;
}

void add_measure(Record& record, const Measure& measure, RowsOf kind) {
  record.push_back({"quantity", name_of(measure.quantity)});
  if (kind == RowsOf::friction) record.push_back({"events", measure.events});
  record.push_back({"norm", name_of(measure.norm)});
  record.push_back({"window", name_of(measure.window)});
}

Record record_of(const Row& row, RowsOf kind) {
  Record record = identity_of(row, kind);
  record.insert(record.end(), {{"model_error", row.model_error},
                               {"solver_error", row.solver_error},
                               {"reference_error", row.reference_error},
                               {"sampling_error", row.sampling_error},
                               {"order", row.order},
                               {"predicted_coefficient", row.predicted_coefficient},
                               {"ratio", row.ratio},
                               {"ratio_error", row.ratio_error}});
  record.push_back({"verdict", name_of(row.verdict)});
  record.push_back({"status", row.status});
  for (const auto& [name, count] : work_counters)
    record.push_back({std::string("work.") + name, row.work.*count});
  return record;
}

/// The expectation, if there is one.
void add_expectation(Record& record, const Series& s) {
  if (!s.expectation) return;
  const ExpectationSpec& e = *s.expectation;
  if (e.judges_errors()) {
    if (e.order)
      record.push_back({"expected_order", *e.order});
    else
      record.push_back({"expected_convergence", name_of(e.convergence)});
    if (!e.next_orders.empty()) record.push_back({"next_orders", e.next_orders});
    record.push_back({"within", e.within});
    record.push_back({"held", !s.order_broken()});
    if (!e.order_only.empty()) record.push_back({"order_only", e.order_only});
  }
  if (e.ratio)
    record.insert(record.end(), {{"ratio.expected", *e.ratio},
                                 {"ratio.within", e.ratio_within},
                                 {"ratio.found", s.ratio.ratio},
                                 {"ratio.limit", s.ratio.limit},
                                 {"ratio.limit_error", s.ratio.limit_error},
                                 {"ratio.verdict", name_of(s.ratio.verdict)},
                                 {"ratio.reason", s.ratio.reason},
                                 {"ratio.held", !s.ratio_broken()}});
}

Record record_of(const Series& s, RowsOf kind) {
  const Row& row = s.rows.front();
  const OrderFit& fit = s.judgement.fit;
  Record record = law_and_solvers(row, kind);
  add_measure(record, row.measure, kind);
  record.insert(record.end(), {{"order", fit.order},
                               {"standard_error", fit.standard_error},
                               {"coefficient", fit.coefficient},
                               {"floor_error", fit.floor_error},
                               {"spread", fit.spread},
                               {"order_limit", s.judgement.limit.value},
                               {"order_limit_error", s.judgement.limit.error},
                               {"predicted_order", s.predicted_order},
                               {"settled", fit.settled},
                               {"points", fit.count},
                               {"verdict", name_of(s.judgement.verdict)},
                               {"reason", s.judgement.reason},
                               {"advice", advice(s.judgement)}});
  add_expectation(record, s);
  return record;
}

}  // namespace

Record identity_of(const Row& row, RowsOf kind) {
  Record record = law_and_solvers(row, kind);
  record.push_back({"epsilon", row.epsilon});
  add_measure(record, row.measure, kind);
  return record;
}

DataTable error_rows(std::string name, Record of_all,
                     const std::shared_ptr<const std::vector<Series>>& all, RowsOf kind) {
  auto rows = std::make_shared<std::vector<const Row*>>();
  for (const Series& s : *all)
    for (const Row& row : s.rows) rows->push_back(&row);
  return {std::move(name), std::move(of_all), record_of(Row{}, kind),
          Records(std::shared_ptr<const std::vector<const Row*>>(std::move(rows)),
                  [all, kind](const Row* row) { return record_of(*row, kind); })};
}

DataTable series_rows(const std::vector<Series>& all, RowsOf kind) {
  DataTable table;
  for (const Series& s : all)
    if (!s.rows.empty()) table.records.push_back(record_of(s, kind));
  return table;
}

}  // namespace rigidlimit
