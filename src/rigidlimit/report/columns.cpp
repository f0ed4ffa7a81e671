#include "rigidlimit/report/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace rigidlimit {

namespace {

struct Shown {
  const std::string& format;

  template <class Number>
  std::string number(Number x) const {
    return fmt::format(fmt::runtime(format.empty() ? "{}" : format), x);
  }
  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(bool fact) const { return fact ? "yes" : "no"; }
  std::string operator()(long count) const { return number(count); }
  std::string operator()(double x) const { return std::isnan(x) ? "-" : number(x); }
  std::string operator()(const std::string& text) const { return text; }
  template <class Several>
  std::string operator()(const Several& all) const {
    std::vector<std::string> texts;
    for (const auto& one : all) texts.push_back((*this)(one));
    return fmt::format("{}", fmt::join(texts, ", "));
  }
};

}  // namespace

std::string count_text(long count) {
  return shown(count_value(count), of_counts);
}

std::string shown(const Value& value, const std::string& format) {
  if (value == Value() && format == of_counts) return "?";
  return std::visit(Shown{format}, value.any());
}

}  // namespace rigidlimit
