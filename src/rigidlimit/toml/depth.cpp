#include "rigidlimit/toml/depth.hpp"

#include <algorithm>
#include <vector>

namespace rigidlimit {

namespace {

/// The position after the string that begins at `at`; for an unterminated string the end of the
/// line.
std::size_t after_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const char three[] = {quote, quote, quote, '\0'};
  const bool several_lines = text.substr(at, 3) == three;
  at += several_lines ? 3 : 1;
  while (at < text.size()) {
    if (escapes && text[at] == '\\') {
      at += 2;
    } else if (!several_lines && text[at] == '\n') {
      return at;
    } else if (!several_lines && text[at] == quote) {
      return at + 1;
    } else if (several_lines && text.substr(at, 3) == three) {
      at += 3;
      // The last three of up to five quotes end it: the string may itself end with two quotes.
      for (int own = 0; own < 2 && at < text.size() && text[at] == quote; ++own) ++at;
      return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

/// The nesting level at each position, computed character by character.
class Levels {
 public:
  std::size_t depth() const { return header_ + inside_ + key_ + dots_; }

  /// A character outside strings and comments.
  void see(char c) {
    const bool begins_line = at_line_start_ && open_.empty();
    if (c != ' ' && c != '\t') at_line_start_ = false;
    if (c == '\n')
      end_line();
    else if (c == '.')
      ++dots_;
    else if (c == '[' && begins_line)
      begin_header();
    else if (!in_header_)
      see_in_value(c);
  }

  /// A string: a part of a key, or a value.
  void see_string() { at_line_start_ = false; }

 private:
  void begin_header() {
    in_header_ = true;
    header_ = dots_ = 0;
  }
  void see_in_value(char c) {
    if (c == '=') {
      key_ = dots_ + 1;
      dots_ = 0;
    } else if (c == '[' || c == '{') {
      open_.push_back(key_ + 1);
      inside_ += open_.back();
      end_value();
    } else if (c == ']' || c == '}') {
      if (!open_.empty()) {
        inside_ -= open_.back();
        open_.pop_back();
      }
      end_value();
    } else if (c == ',') {
      end_value();
    }
  }
  void end_value() { key_ = dots_ = 0; }
  void end_line() {
    if (in_header_) header_ = dots_ + 1;
    in_header_ = false;
    at_line_start_ = true;
    dots_ = 0;
    if (open_.empty()) key_ = 0;
  }

  std::size_t header_ = 0;         ///< parts of the key of the last [header]
  std::vector<std::size_t> open_;  ///< levels of each open bracket and the key before it
  std::size_t inside_ = 0;         ///< their sum
  std::size_t key_ = 0;            ///< parts of the key before the current value
  std::size_t dots_ = 0;           ///< in the current key; the point of a number also counts
  bool at_line_start_ = true;
  bool in_header_ = false;
};

}  // namespace

TextPlace place_of(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line = before.rfind('\n') + 1;  // npos + 1 = 0
  const auto starts_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  };
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          .column = 1 + static_cast<std::size_t>(
                            std::ranges::count_if(before.substr(line), starts_character))};
}

std::optional<TextPlace> place_beyond_depth(std::string_view text, std::size_t most) {
  Levels levels;
  for (std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0; at < text.size();) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      levels.see_string();
      at = after_string(text, at);
    } else {
      levels.see(c);
      if (levels.depth() > most) return place_of(text, at);
      ++at;
    }
  }
  return std::nullopt;
}

}  // namespace rigidlimit
