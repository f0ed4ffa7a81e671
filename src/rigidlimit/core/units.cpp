#include "rigidlimit/core/units.hpp"

#include <fmt/format.h>
#include <udunits2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <mutex>
#include <vector>

#include "rigidlimit/core/error.hpp"

namespace rigidlimit {

namespace {

/// UDUNITS' table of units; its functions are not thread-safe.
struct Table {
  Table() {
    ut_set_error_message_handler(ut_ignore);
    system.reset(ut_read_xml(nullptr));
    if (!system) throw InputError("UDUNITS-2 finds no table of units; set UDUNITS2_XML_PATH");
    ut_unit* const degree = ut_parse(system.get(), "degree", UT_UTF8);
    ut_map_name_to_unit("deg", UT_UTF8, degree);
    ut_free(degree);
  }
  struct Free {
    void operator()(ut_system* s) const { ut_free_system(s); }
  };
  std::unique_ptr<ut_system, Free> system;
};

const std::shared_ptr<Table>& table() {
  static const std::shared_ptr<Table> one = std::make_shared<Table>();
  return one;
}

std::mutex& access() {
  static std::mutex mutex;
  return mutex;
}

/// The unit keeps the table alive.
std::shared_ptr<ut_unit> kept(ut_unit* unit) {
  return {unit, [of = table()](ut_unit* u) { ut_free(u); }};
}

ut_unit* parsed(const std::string& text) {
  std::string trimmed = text;
  ut_trim(trimmed.data(), UT_UTF8);
  return ut_parse(table()->system.get(), trimmed.c_str(), UT_UTF8);
}

bool is_known(const std::string& text) {
  ut_unit* const unit = parsed(text);
  const bool known = unit != nullptr;
  ut_free(unit);
  return known;
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// "kg m2" of "kgm2": blanks between the units of a word, if that makes it known.
std::string separated(const std::string& text) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (!is_letter(text[at - 1]) || !is_letter(text[at])) continue;
    const std::string parted = text.substr(0, at) + " " + text.substr(at);
    if (is_known(parted)) return parted;
  }
  return "";
}

/// "kg m^2" of "kg m2".
std::string with_carets(const std::string& text) {
  std::string all;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && is_letter(text[at - 1]) && std::isdigit(static_cast<unsigned char>(text[at])))
      all += '^';
    all += text[at];
  }
  return all;
}

}  // namespace

Unit::Unit() : Unit(std::string("1")) {}

Unit::Unit(ut_unit* owned) : unit_(kept(owned)) {}

Unit::Unit(const std::string& text) {
  const std::lock_guard guard(access());
  if (ut_unit* const unit = parsed(text)) {
    unit_ = kept(unit);
    return;
  }
  const std::string meant = separated(text);
  throw InputError(
      meant.empty()
          ? fmt::format("'{}' is not a unit; units are as \"kg m^2\", \"N s/m\", "
                        "\"1/s\", \"deg\", \"1\"",
                        text)
          : fmt::format("'{}' is not a unit; did you mean '{}'?", text, with_carets(meant)));
}

Unit operator*(const Unit& a, const Unit& b) {
  const std::lock_guard guard(access());
  return Unit(ut_multiply(a.unit_.get(), b.unit_.get()));
}

Unit operator/(const Unit& a, const Unit& b) {
  const std::lock_guard guard(access());
  return Unit(ut_divide(a.unit_.get(), b.unit_.get()));
}

std::optional<Unit> Unit::power(double p) const {
  const std::lock_guard guard(access());
  for (const int root : std::array{1, 2, 3, 4, 6}) {
    const double whole = p * root;
    if (std::abs(whole - std::round(whole)) > 1e-12 || std::abs(whole) > 200.0) continue;
    ut_unit* const raised = ut_raise(unit_.get(), static_cast<int>(std::lround(whole)));
    if (raised == nullptr) continue;
    ut_unit* const found = root == 1 ? ut_clone(raised) : ut_root(raised, root);
    ut_free(raised);
    if (found != nullptr) return Unit(found);
  }
  return std::nullopt;
}

bool Unit::is_convertible_to(const Unit& other) const {
  const std::lock_guard guard(access());
  return ut_are_convertible(unit_.get(), other.unit_.get()) != 0;
}

double Unit::in(const Unit& other) const {
  if (!is_convertible_to(other))
    throw InputError(fmt::format("{} cannot be expressed in {}", text(), other.text()));
  const std::lock_guard guard(access());
  cv_converter* const converter = ut_get_converter(unit_.get(), other.unit_.get());
  const double factor = cv_convert_double(converter, 1.0) - cv_convert_double(converter, 0.0);
  cv_free(converter);
  return factor;
}

std::string Unit::text() const {
  const std::lock_guard guard(access());
  std::array<char, 200> buffer{};
  const int length = ut_format(unit_.get(), buffer.data(), buffer.size(), UT_UTF8);
  return length < 0
             ? "?"
             : std::string(buffer.data(), std::min<std::size_t>(static_cast<std::size_t>(length),
                                                                buffer.size() - 1));
}

std::string fault_in_unit(const std::string& text) {
  try {
    const Unit unit(text);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

}  // namespace rigidlimit
