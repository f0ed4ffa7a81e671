// Tests that a table shows fitted orders only with an error bar.
#include <gmock/gmock.h>

#include <memory>

#include "rigidlimit/experiment/judge/series_tables.hpp"
#include "rigidlimit/report/text_table.hpp"

namespace rigidlimit {
namespace {

using testing::HasSubstr;
using testing::Not;

/// e = ε² at `count` values of ε, halved from 1/4 on.
std::vector<SeriesPoint> squares(std::size_t count) {
  std::vector<SeriesPoint> points;
  for (double e = 0.25; points.size() < count; e /= 2.0)
    points.push_back({.epsilon = e, .error = e * e});
  return points;
}

std::string table_text(std::size_t count) {
  Series series;
  for (const SeriesPoint& p : squares(count)) {
    Row row;
    row.epsilon = p.epsilon;
    row.sizes.model = p.error;
    row.evidence = evidence_named("ok");
    series.rows.push_back(row);
  }
  series.judgement = judge(squares(count));
  const auto all = std::make_shared<const std::vector<Series>>(std::vector{series});
  return terminal_text(text_table(series_rows(all, {}, RowsOf::rolling), order_view()), false);
}

// Two points always lie on a line: their slope has no residual and no error bar. Three exact ones
// give the order 2 with the bar 0.
TEST(FittedOrder, IsNotShownForTwoPoints) {
  EXPECT_THAT(table_text(2), Not(testing::ContainsRegex("all t +[a-z_-]+ +2 ")));
  EXPECT_THAT(table_text(2), Not(HasSubstr("± -")));
  // Negative control: three points give an order.
  EXPECT_THAT(table_text(3), testing::ContainsRegex("all t +[a-z_-]+ +2 "));
}

}  // namespace
}  // namespace rigidlimit
