// Reads proved numbers from the texts that each writer prints, and compares them exactly with the
// enclosures.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/judge/series_tables.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/report/document.hpp"
#include "rigidlimit/report/report.hpp"
#include "support/csv_fields.hpp"
#include "support/random_numbers.hpp"
#include "support/sample_study.hpp"

namespace rigidlimit {
namespace {

using Integer = boost::multiprecision::cpp_int;
using testing::Gt;

/// count · base^power.
struct Scaled {
  Integer count;
  int power = 0;
};

const Integer& ten_to(int power) {
  static const std::vector<Integer> all = [] {
    std::vector<Integer> powers{1};
    while (powers.size() < 800) powers.push_back(powers.back() * 10);
    return powers;
  }();
  return all.at(static_cast<std::size_t>(power));
}

/// The sign of decimal · 10^p − x, without rounding.
int compared(const Scaled& decimal, double x) {
  int power = 0;
  constexpr int bits = 53;
  const auto count = static_cast<long long>(std::ldexp(std::frexp(x, &power), bits));
  power -= bits;
  Integer left = decimal.count, right = count;
  (decimal.power > 0 ? left : right) *= ten_to(std::abs(decimal.power));
  (power > 0 ? right : left) <<= static_cast<unsigned>(std::abs(power));
  return left.compare(right);
}

/// "-1.25e-03" as −125 · 10⁻⁵.
Scaled read(const std::string& text) {
  const std::size_t e = std::min(text.find('e'), text.size());
  Scaled result;
  std::string digits;
  bool behind = false;
  for (const char c : text.substr(0, e)) {
    behind = behind || c == '.';
    if (c < '0' || c > '9') continue;
    digits += c;
    if (behind) --result.power;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (!digits.empty()) result.count = Integer(digits);
  if (text.starts_with('-')) result.count = -result.count;
  if (e < text.size()) result.power += std::stoi(text.substr(e + 1));
  return result;
}

Scaled sum(const Scaled& a, const Scaled& b, int sign) {
  const int power = std::min(a.power, b.power);
  return {a.count * ten_to(a.power - power) + sign * b.count * ten_to(b.power - power), power};
}

/// Numbers of a text from `at` on: the next one.
std::string next_number(const std::string& text, std::size_t& at) {
  constexpr const char* characters = "0123456789.e+-";
  at = std::min(text.find_first_of("0123456789", at), text.size());
  const std::size_t from = at > 0 && text[at - 1] == '-' ? at - 1 : at;
  at = std::min(text.find_first_not_of(characters, at), text.size());
  return text.substr(from, at - from);
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// The text of a writer with numbers and "±" as on a terminal.
std::string as_plain(std::string text, Format format) {
  if (format == Format::html) {
    replace_all(text, "·10<sup>−", "e-");
    replace_all(text, "·10<sup>", "e+");
    replace_all(text, "</sup>", "");
  } else if (format == Format::latex) {
    for (const char* nothing : {"$", "\\allowbreak{}"}) replace_all(text, nothing, "");
    replace_all(text, "\\pm", "±");
    replace_all(text, "\\times10^{", "e");
    replace_all(text, " 10^{", " 1e");  // a mantissa 1
    replace_all(text, "-10^{", "-1e");
    replace_all(text, "}", "");
  }
  return text;
}

/// A printed number with its radius, and the numbers after it.
struct Printed {
  Scaled middle, radius;
  std::vector<Scaled> further;
};

/// All of a text, with `count` further numbers each.
std::vector<Printed> printed_in(const std::string& text, std::size_t count = 0) {
  std::vector<Printed> all;
  const std::string sign = "±";
  for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos;) {
    const std::size_t last = text.find_last_of("0123456789", at),
                      before = text.find_last_not_of("0123456789.e+-", last);
    Printed& printed = all.emplace_back();
    printed.middle = read(text.substr(before + 1, last - before));
    at += sign.size();
    printed.radius = read(next_number(text, at));
    for (std::size_t k = 0; k < count; ++k) printed.further.push_back(read(next_number(text, at)));
  }
  return all;
}

bool contains(const Printed& printed, const ProvedInterval& proved) {
  return compared(sum(printed.middle, printed.radius, -1), proved.lower) <= 0 &&
         compared(sum(printed.middle, printed.radius, +1), proved.upper) >= 0;
}

/// Numbers from 1e-300 to 1e300 of both signs: single ones and those of few digits, widths of a few
/// units in the last place, of any size up to the number itself, and intervals that begin at 0 or
/// contain it.
ProvedInterval random_interval(test::RandomNumbers& random) {
  const auto kind = static_cast<int>(random.uniform(0.0, 8.0));
  const double size = std::pow(10.0, random.uniform(-300.0, 300.0)),
               x = random.uniform() < 0.0 ? -size : size, next = std::nextafter(x, INFINITY);
  switch (kind) {
    case 0: return {x, x};
    case 1: return {x, next};
    case 2: return {x, std::nextafter(std::nextafter(next, INFINITY), INFINITY)};
    case 3: return {std::min(0.0, x), std::max(0.0, x)};
    case 4: return {-size, size * random.uniform(0.0, 2.0)};
    case 5: {
      const double few = std::round(random.uniform(-999.0, 999.0)) * 0x1p-5;
      return {few, few};
    }
    default: {
      const double width = size * std::pow(10.0, random.uniform(-17.0, 0.0));
      return {x, std::max(x, x + width)};
    }
  }
}

constexpr std::array writers{Format::table, Format::markdown, Format::latex, Format::html};
constexpr std::size_t rows_of_a_table = 100;  // below longest_table: no row is left out

std::vector<ProvedInterval> random_intervals(std::uint64_t seed) {
  test::RandomNumbers random(seed);
  std::vector<ProvedInterval> all;
  for (std::size_t k = 0; k < rows_of_a_table; ++k) all.push_back(random_interval(random));
  return all;
}

/// A certified series with these errors.
Series series_of(const std::vector<ProvedInterval>& errors) {
  Series series;
  for (const ProvedInterval& error : errors) {
    Row& row = series.rows.emplace_back();
    row.epsilon = 1e-3 / static_cast<double>(series.rows.size());
    row.sizes = {.model = 1.0,
                 .proved = ProvedSizes{.lower = error.lower, .upper = error.upper, .solver = 0.0}};
    row.evidence = evidence_named("proved");
  }
  return series;
}

TextTable errors_of(const Series& series) {
  const auto all = std::make_shared<const std::vector<Series>>(std::vector{series});
  return text_table(error_rows(all, {}, RowsOf::certified, {}), error_view("x", "x", {}));
}

/// How many of the printed numbers do not contain the proved ones.
std::size_t wrong_in(const TextTable& table, Format format,
                     const std::vector<ProvedInterval>& proved) {
  const std::vector<Printed> all =
      printed_in(as_plain(formatted(CaptionedTable{"x", "x", table}, format, false), format));
  EXPECT_EQ(all.size(), proved.size());
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < std::min(all.size(), proved.size()); ++k)
    wrong += contains(all[k], proved[k]) ? 0 : 1;
  return wrong;
}

TEST(PrintedIntervals, ContainTheProvedErrors) {
  constexpr std::uint64_t tables = 1000;  // of 100 rows
  for (std::uint64_t seed = 1; seed <= tables; ++seed) {
    const std::vector<ProvedInterval> proved = random_intervals(seed);
    const Series series = series_of(proved);
    const TextTable table = errors_of(series);
    for (const Format format : writers) ASSERT_EQ(wrong_in(table, format, proved), 0u) << seed;
  }
}

// In units of its digit the radius is at most w/2 + 3/2 for the width w, because both ends and the
// half of their distance are rounded. The unit is larger than needed for 17 digits only if a tenth
// of it gave a radius of 10 and more, so w ≥ 1.7: the radius is at most 1.4 w. With 17 digits the
// unit is at most 1e-16 of the largest number, and a unit in its last place 1.1e-16: w = 0 or w
// ≥ 1.1.
TEST(PrintedIntervals, AreNotMuchWiderThanTheProvedOnes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const auto& [lower, upper] : random_intervals(seed)) {
      const Printed printed =
          printed_in(outward_text({lower, upper}, Notation::scientific)).front();
      const double largest = std::max(std::abs(lower), std::abs(upper));
      EXPECT_LE(compared(printed.radius, 1.5 * (upper - lower) + 1e-16 * largest), 0)
          << lower << ' ' << upper;
    }
}

// Negative control: numbers rounded to nearest, as printed before, in the texts of each writer.
TEST(PrintedIntervals, RoundedToNearestAreFoundInEveryWriter) {
  std::vector<ProvedInterval> proved = random_intervals(1);
  const Series series = series_of(proved);
  TextTable table = errors_of(series);
  for (std::size_t k = 0; k < proved.size(); ++k) {
    const auto& [lower, upper] = proved[k];
    table.rows[k][1].text =
        fmt::format("{:.9g} ± {:.1g}", 0.5 * lower + 0.5 * upper, 0.5 * upper - 0.5 * lower);
  }
  for (const Format format : writers) EXPECT_THAT(wrong_in(table, format, proved), Gt(10u));
}

ErrorTheorem theorem_of(const ProvedInterval& constant, test::RandomNumbers& random) {
  return {.lower = constant.lower,
          .upper = constant.upper,
          .remainder = std::pow(10.0, random.uniform(-300.0, 300.0)),
          .largest_epsilon = std::pow(10.0, random.uniform(-8.0, 0.0))};
}

StudyProof proof_of(std::uint64_t seed) {
  StudyProof proof{.study = test::sample_study(), .constants = {}, .claims = {}, .assumed = "x"};
  test::RandomNumbers random(seed);
  for (const ProvedInterval& constant : random_intervals(seed))
    proof.constants.push_back(
        {Measure{.quantity = Quantity::q}, {.theorem = theorem_of(constant, random)}});
  return proof;
}

// K lies in the printed interval, K₃ is at most the printed one, and ε₀ at least.
TEST(PrintedTheorems, SayNoMoreThanTheProof) {
  constexpr std::uint64_t tables = 100;  // of 100 rows
  for (std::uint64_t seed = 1; seed <= tables; ++seed) {
    const StudyProof proof = proof_of(seed);
    const Result report = in_tables(proof);
    for (const Format format : writers) {
      const std::vector<Printed> all = printed_in(as_plain(formatted({report}, format), format), 2);
      ASSERT_EQ(all.size(), proof.constants.size());
      for (std::size_t k = 0; k < all.size(); ++k) {
        const ErrorTheorem& theorem = *proof.constants[k].result.theorem;
        EXPECT_TRUE(contains(all[k], {theorem.lower, theorem.upper}))
            << outward_text({theorem.lower, theorem.upper}, Notation::plain) << " in format "
            << static_cast<int>(format);
        EXPECT_GE(compared(all[k].further[0], theorem.remainder), 0);
        EXPECT_LE(compared(all[k].further[1], theorem.largest_epsilon), 0)
            << theorem.remainder << ' ' << theorem.largest_epsilon << " in format "
            << static_cast<int>(format);
      }
    }
  }
}

TEST(PrintedRadii, AreNotBelowTheProvedOnes) {
  test::RandomNumbers random(1);
  for (int k = 0; k < 10000; ++k) {
    const double x = std::pow(10.0, random.uniform(-300.0, 300.0));
    for (const Notation notation : {Notation::plain, Notation::scientific})
      for (const int digits : {1, 4, 17}) {
        EXPECT_GE(compared(read(rounded_up(x, digits, notation)), x), 0);
        EXPECT_LE(compared(read(rounded_down(x, digits, notation)), x), 0);
      }
    EXPECT_NE(compared(read(fmt::format("{:.3g}", x)), x), 0) << "the comparison is exact";
  }
}

/// strtod of the whole text.
double parsed(const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  EXPECT_EQ(end, text.c_str() + text.size()) << text;
  return x;
}

TEST(ProvedColumns, ReadBackAsTheSameDoubles) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const StudyProof proof = proof_of(seed);
    const Result report = in_tables(proof);
    const auto lines = test::csv_fields(csv_lines(report.tables.front()));
    const auto json = nlohmann::json::parse(json_text(report))["constants"];
    const auto series =
        std::make_shared<const std::vector<Series>>(std::vector{series_of(random_intervals(seed))});
    const Table rows = error_rows(series, {}, RowsOf::certified, {});
    const auto names = test::csv_fields(csv_header(rows)).front();
    const auto at = [&names](const char* name) {
      return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    const auto errors = test::csv_fields(csv_lines(rows));
    ASSERT_EQ(lines.size(), proof.constants.size());
    ASSERT_EQ(errors.size(), proof.constants.size());
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const ErrorTheorem& theorem = *proof.constants[k].result.theorem;
      EXPECT_EQ(parsed(lines[k].at(6)), theorem.lower);
      EXPECT_EQ(parsed(lines[k].at(7)), theorem.upper);
      EXPECT_EQ(parsed(lines[k].at(8)), theorem.remainder);
      EXPECT_EQ(parsed(lines[k].at(9)), theorem.largest_epsilon);
      EXPECT_EQ(json[k]["constant_lower"].get<double>(), theorem.lower);
      EXPECT_EQ(json[k]["constant_upper"].get<double>(), theorem.upper);
      EXPECT_EQ(json[k]["remainder"].get<double>(), theorem.remainder);
      EXPECT_EQ(json[k]["largest_epsilon"].get<double>(), theorem.largest_epsilon);
      EXPECT_EQ(parsed(errors[k].at(at("proved_lower"))), theorem.lower);
      EXPECT_EQ(parsed(errors[k].at(at("proved_upper"))), theorem.upper);
    }
  }
}

}  // namespace
}  // namespace rigidlimit
