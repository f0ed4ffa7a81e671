// Judges series from standard input, for the comparison with the Python module
// (test_judge_equality.py).
//
// A line of input is a request: CLAIM, its parameters, N, and N rows of six words: epsilon, value,
// floor, usable, source, predicted. The claims:
//
// - order P WITHIN: judge(); P = nan: no expected order
// - none WITHIN: judge_no_convergence()
// - equal LIMIT: judge_equality()
// - limit LIMIT: judge_limit()
// - bound K P FROM TO: judge_bound()
// - ratio TARGET WITHIN: judge_ratio()
// - fit MAX_SPREAD MIN_POINTS: fit_order()
// - terms COUNT S…: without_terms(), then judge()
//
// The answer is one line of words separated by tabs: verdict or state, reason, advice (text of the
// bound), numbers with 17 digits; or "error" and a message.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rigidlimit/convergence/bound.hpp"
#include "rigidlimit/convergence/further_terms.hpp"
#include "rigidlimit/convergence/orders.hpp"
#include "rigidlimit/convergence/ratio.hpp"
#include "rigidlimit/convergence/verdict.hpp"
#include "rigidlimit/convergence/without_order.hpp"

namespace rigidlimit {
namespace {

double number_from(std::istream& in) {
  std::string word;
  if (!(in >> word)) throw std::runtime_error("the request ends early");
  return std::strtod(word.c_str(), nullptr);  // reads nan and inf as well
}

std::size_t count_from(std::istream& in) {
  return static_cast<std::size_t>(number_from(in));
}

std::vector<SeriesPoint> rows_from(std::istream& in) {
  std::vector<SeriesPoint> rows(count_from(in));
  for (SeriesPoint& row : rows) {
    row.epsilon = number_from(in);
    row.error = number_from(in);
    row.floor = number_from(in);
    row.usable = number_from(in) != 0.0;
    row.source = static_cast<FloorSource>(count_from(in));
    row.predicted = number_from(in);
  }
  return rows;
}

std::string answer(const std::string& word, const std::string& reason, const std::string& next,
                   const std::vector<double>& numbers) {
  std::string line = word + '\t' + reason + '\t' + next;
  for (const double x : numbers) line += std::isnan(x) ? "\tnan" : fmt::format("\t{:.17g}", x);
  return line;
}

std::vector<double> numbers_of(const OrderFit& fit) {
  return {fit.order,
          fit.standard_error,
          fit.floor_error,
          fit.coefficient,
          fit.spread,
          static_cast<double>(fit.first),
          static_cast<double>(fit.last),
          static_cast<double>(fit.count),
          fit.settled ? 1.0 : 0.0};
}

std::string answer(const Judgement& found, const std::vector<SeriesPoint>& rows) {
  std::vector<double> numbers = numbers_of(found.fit);
  const HiddenRows& h = found.hidden;
  for (const std::size_t hidden : {h.unnamed, h.rounding, h.solver, h.reference, h.sampling})
    numbers.push_back(static_cast<double>(hidden));
  numbers.insert(numbers.end(), {found.limit.value, found.limit.error});
  for (const double order : neighbour_orders(rows)) numbers.push_back(order);
  return answer(name_of(found.verdict), found.reason, advice(found), numbers);
}

std::string answer_bound(std::istream& in) {
  Bound bound;
  for (double* const part : {&bound.constant, &bound.power, &bound.from, &bound.to})
    *part = number_from(in);
  const BoundJudgement found = judge_bound(rows_from(in), bound);
  std::vector<double> numbers{found.limit, found.factor,
                              found.worst ? static_cast<double>(*found.worst) : -1.0};
  for (const BoundState state : found.rows) numbers.push_back(static_cast<double>(state));
  return answer(name_of(found.state), found.reason, text_of(bound), numbers);
}

std::string answer_ratio(std::istream& in) {
  RatioTarget target;
  target.target = number_from(in);
  target.within = number_from(in);
  std::vector<RatioPoint> ratios;
  for (const SeriesPoint& row : rows_from(in))
    ratios.push_back({row.epsilon, row.error, row.floor, row.usable});
  const RatioJudgement found = judge_ratio(ratios, target);
  std::vector<double> numbers = numbers_of(found.approach);
  numbers.insert(numbers.end(),
                 {static_cast<double>(found.last), found.ratio, found.limit, found.limit_error});
  return answer(name_of(found.verdict), found.reason, "", numbers);
}

std::string answer_terms(std::istream& in) {
  std::vector<double> orders(count_from(in));
  std::ranges::generate(orders, [&in] { return number_from(in); });
  const std::vector<SeriesPoint> rest = without_terms(rows_from(in), orders);
  return answer(judge(rest), rest);
}

std::string answer_to(const std::string& request) {
  std::istringstream in(request);
  std::string claim;
  in >> claim;
  if (claim == "bound") return answer_bound(in);
  if (claim == "ratio") return answer_ratio(in);
  if (claim == "terms") return answer_terms(in);
  const double first = number_from(in);
  if (claim == "order") {
    const double within = number_from(in);
    const auto rows = rows_from(in);
    const auto order = std::isnan(first) ? std::nullopt : std::optional(first);
    return answer(judge(rows, {.order = order, .within = within}), rows);
  }
  if (claim == "fit") {
    const std::size_t min_points = count_from(in);
    const OrderFit fit = fit_order(rows_from(in), {.max_spread = first, .min_points = min_points});
    return answer("fit", "", "", numbers_of(fit));
  }
  const auto rows = rows_from(in);
  if (claim == "none") return answer(judge_no_convergence(rows, first), rows);
  if (claim == "equal") return answer(judge_equality(rows, first), rows);
  if (claim == "limit") return answer(judge_limit(rows, first), rows);
  throw std::runtime_error("no claim '" + claim + "'");
}

}  // namespace
}  // namespace rigidlimit

int main() {
  for (std::string request; std::getline(std::cin, request);) {
    try {
      std::cout << rigidlimit::answer_to(request) << '\n';
    } catch (const std::exception& error) {
      std::cout << "error\t" << error.what() << '\n';
    }
  }
}
