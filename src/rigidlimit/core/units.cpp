#include "rigidlimit/core/units.hpp"

#include <fmt/format.h>
#include <udunits2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <vector>

#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/letters.hpp"
#include "rigidlimit/core/printable.hpp"

namespace rigidlimit {

namespace {

/// UDUNITS' table of units; its functions are not thread-safe.
struct UnitTable {
  UnitTable() {
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

const std::shared_ptr<UnitTable>& table() {
  static const std::shared_ptr<UnitTable> one = std::make_shared<UnitTable>();
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

/// "kg m2" of "kgm2": a blank between two units of a word, if that makes the text known. The time
/// is linear in the length of the text: a word is short, and the text is read again for one word.
std::string separated(const std::string& text) {
  constexpr std::size_t longest_word = 20;
  const auto begin = text.begin(), end = text.end();
  for (auto first = std::find_if(begin, end, is_letter); first != end;) {
    const auto last = std::find_if_not(first, end, is_letter);
    const std::string word(first, last);
    bool parts = false;  // into two units
    for (std::size_t at = 1; at < word.size() && word.size() <= longest_word; ++at) {
      const std::string left = word.substr(0, at), right = word.substr(at);
      if (is_known(word) || !is_known(left) || !is_known(right)) continue;
      // "kilogramm" is a misspelling, no product with a metre.
      if (right.size() == 1 && left.back() == right.front()) {
        const std::string single = std::string(begin, first) + left + std::string(last, end);
        if (is_known(single)) return single;
      }
      parts = true;
      const std::string parted =
          std::string(begin, first) + left + " " + right + std::string(last, end);
      if (is_known(parted)) return parted;
    }
    if (parts) return "";
    first = std::find_if(last, end, is_letter);
  }
  return "";
}

/// "kg m^2" of "kg m2".
std::string with_carets(const std::string& text) {
  std::string all;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && is_letter(text[at - 1]) && is_digit(text[at])) all += '^';
    all += text[at];
  }
  return all;
}

/// The powers of the base units of SI in a unit, by symbol.
using Powers = std::map<std::string, int>;

/// Factor, offset and powers of a unit: x of it are factor·x of the product of powers.
class Measured {
 public:
  explicit Measured(const ut_unit* unit) {
    static const ut_visitor visitor{on_basic, on_product, on_galilean, on_timestamp, on_logarithm};
    ut_accept_visitor(unit, &visitor, this);
  }
  double factor() const { return factor_; }
  const Powers& powers() const { return powers_; }
  /// The reason why a number in it is not a multiple of SI; empty: it is.
  std::string fault() const {
    constexpr double most = 1e40;
    if (logarithmic_) return "is logarithmic; give the value itself, in a unit with a factor to SI";
    if (shifted_)
      return "does not begin at the zero of SI; give differences or absolute values, as in \"K\"";
    if (!(factor_ >= 1.0 / most && factor_ <= most))
      return fmt::format("has the factor {:.3g} to SI; it must be >= {:g} and <= {:g}", factor_,
                         1.0 / most, most);
    return "";
  }

 private:
  static ut_status on_basic(const ut_unit* unit, void* self) {
    const int one = 1;
    return on_product(unit, 1, &unit, &one, self);
  }
  static ut_status on_product(const ut_unit* /*unit*/, int count, const ut_unit* const* basic,
                              const int* powers, void* self) {
    for (int k = 0; k < count; ++k)
      static_cast<Measured*>(self)->powers_[ut_get_symbol(basic[k], UT_ASCII)] += powers[k];
    return UT_SUCCESS;
  }
  static ut_status on_galilean(const ut_unit* /*unit*/, double scale, const ut_unit* underlying,
                               double offset, void* self) {
    auto& measured = *static_cast<Measured*>(self);
    const Measured within(underlying);
    measured.factor_ = scale * within.factor_;
    measured.powers_ = within.powers_;
    measured.shifted_ = offset != 0.0 || within.shifted_;
    measured.logarithmic_ = within.logarithmic_;
    return UT_SUCCESS;
  }
  static ut_status on_timestamp(const ut_unit* /*unit*/, const ut_unit* time, double /*origin*/,
                                void* self) {
    auto& measured = *static_cast<Measured*>(self);
    measured.powers_ = Measured(time).powers_;
    measured.shifted_ = true;
    return UT_SUCCESS;
  }
  static ut_status on_logarithm(const ut_unit* /*unit*/, double /*base*/, const ut_unit* reference,
                                void* self) {
    auto& measured = *static_cast<Measured*>(self);
    measured.powers_ = Measured(reference).powers_;
    measured.logarithmic_ = true;
    return UT_SUCCESS;
  }

  double factor_ = 1.0;
  bool shifted_ = false, logarithmic_ = false;
  Powers powers_;
};

/// A derived unit of mechanics, with its powers of kg, m, s and rad.
struct Word {
  const char* text;
  std::array<int, 4> powers;
};

/// An energy per angle is a torque: N m.
constexpr std::array words{
    Word{"N", {1, 1, -2, 0}},      Word{"J", {1, 2, -2, 0}},          Word{"W", {1, 2, -3, 0}},
    Word{"N m", {1, 2, -2, -1}},   Word{"N m/rad", {1, 2, -2, -2}},   Word{"N/m", {1, 0, -2, 0}},
    Word{"N s/m", {1, 0, -1, 0}},  Word{"N s", {1, 1, -1, 0}},        Word{"N m s", {1, 2, -1, 0}},
    Word{"N m s", {1, 2, -1, -1}}, Word{"N m s/rad", {1, 2, -1, -2}}, Word{"N/s", {1, 1, -3, 0}},
    Word{"kg m^2", {1, 2, 0, -2}}, Word{"Pa", {1, -1, -2, 0}},        Word{"Pa s", {1, -1, -1, 0}}};

/// "kg m/s^2" of powers.
std::string product_text(const Powers& powers) {
  std::string above, below;
  int divisors = 0;
  std::vector<std::pair<std::string, int>> ordered(powers.begin(), powers.end());
  const auto place = [](const auto& one) {
    static constexpr std::array order{"kg", "m", "rad", "s"};
    return std::ranges::find(order, one.first) - order.begin();  // others are last
  };
  std::ranges::stable_sort(ordered, {}, place);
  for (const auto& [symbol, power] : ordered) {
    if (power == 0) continue;
    std::string& side = power > 0 ? above : below;
    divisors += power < 0 ? 1 : 0;
    side += (side.empty() ? "" : " ") + symbol;
    if (std::abs(power) > 1) side += fmt::format("^{}", std::abs(power));
  }
  if (above.empty()) above = "1";
  if (below.empty()) return above;
  return divisors > 1 ? fmt::format("{}/({})", above, below) : fmt::format("{}/{}", above, below);
}

/// The powers in words of mechanics, "J", or as a product.
std::string words_of(const Powers& powers) {
  const auto power_of = [&](const char* symbol) {
    const auto at = powers.find(symbol);
    return at == powers.end() ? 0 : at->second;
  };
  const std::array<int, 4> mechanical{power_of("kg"), power_of("m"), power_of("s"),
                                      power_of("rad")};
  int others = 0;
  for (const auto& [symbol, power] : powers)
    others += power != 0 && symbol != "kg" && symbol != "m" && symbol != "s" && symbol != "rad";
  for (const Word& word : words)
    if (others == 0 && word.powers == mechanical) return word.text;
  return product_text(powers);
}

}  // namespace

Unit::Unit() : Unit(std::string("1")) {}

Unit::Unit(ut_unit* owned) : unit_(kept(owned)) {}

Unit::Unit(const std::string& text) {
  constexpr std::size_t longest = 80;  // UDUNITS needs quadratic time
  if (text.size() > longest)
    throw InputError(fmt::format("'{}' is not a unit: it has {} characters, and a unit at most {}",
                                 printable(shortened(text, 20)), text.size(), longest));
  if (printable(text) != text)  // UDUNITS would read up to a NUL
    throw InputError(
        fmt::format("'{}' is not a unit: it has a control character", printable(text)));
  const std::lock_guard guard(access());
  if (ut_unit* const unit = parsed(text)) {
    unit_ = kept(unit);
    if (const std::string fault = Measured(unit).fault(); !fault.empty())
      throw InputError(fmt::format("'{}' {}", text, fault));
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

double Unit::si_factor() const {
  const std::lock_guard guard(access());
  return Measured(unit_.get()).factor();
}

std::string Unit::text() const {
  const std::lock_guard guard(access());
  return words_of(Measured(unit_.get()).powers());
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
