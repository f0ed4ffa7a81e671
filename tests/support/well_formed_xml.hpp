// A check for well-formed XML, for the subset that reports use.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace rigidlimit::test {

/// The error in `text`, or empty if it is one well-formed element after an optional declaration or
/// "<!doctype html>".
/// Tags nest, attributes are quoted and unique, & starts one of the five entities, and there is no
/// stray < or control character. Comments, CDATA and other document types are not supported.
class WellFormedXml {
 public:
  static std::string complaint(std::string_view text) { return WellFormedXml(text).check(); }

 private:
  explicit WellFormedXml(std::string_view text) : rest_(text) {}

  std::string check() {
    constexpr std::string_view doctype = "<!doctype html>";
    if (rest_.starts_with(doctype)) rest_.remove_prefix(doctype.size());
    if (rest_.starts_with("<?xml ")) rest_.remove_prefix(rest_.find("?>") + 2);
    int roots = 0;
    while (!rest_.empty()) {
      if (rest_.front() != '<') {
        const std::string_view data = take(rest_.find('<'));
        const bool blank = data.find_first_not_of(" \n\t") == data.npos;
        if (open_.empty() && !blank) return "text outside the root: " + std::string(data);
        if (const std::string bad = bad_text(data); !bad.empty()) return bad;
        continue;
      }
      if (open_.empty() && !rest_.starts_with("</") && ++roots > 1) return "more than one root";
      if (const std::string bad = tag(); !bad.empty()) return bad;
    }
    if (!open_.empty()) return "not closed: " + open_.back();
    return roots == 1 ? "" : "no root";
  }

  std::string_view take(std::size_t count) {
    const std::string_view part = rest_.substr(0, count);
    rest_.remove_prefix(part.size());
    return part;
  }

  std::string tag() {
    const std::size_t end = rest_.find('>');
    if (end == rest_.npos) return "a tag does not end";
    std::string_view inside = take(end + 1);
    inside = inside.substr(1, inside.size() - 2);
    if (inside.starts_with('/')) {
      if (open_.empty() || open_.back() != inside.substr(1))
        return "closes what is not open: " + std::string(inside);
      open_.pop_back();
      return "";
    }
    const bool closed = inside.ends_with('/');
    if (closed) inside.remove_suffix(1);
    const std::string name(inside.substr(0, inside.find(' ')));
    if (name.empty() || !std::isalpha(static_cast<unsigned char>(name[0])))
      return "bad tag " + name;
    if (!closed) open_.push_back(name);
    inside.remove_prefix(name.size());
    return attributes(inside);
  }

  static std::string attributes(std::string_view text) {
    std::vector<std::string_view> names;
    while (!text.empty()) {
      if (text.front() != ' ') return "no blank before " + std::string(text);
      text.remove_prefix(1);
      const std::size_t sign = text.find("=\"");
      if (sign == text.npos) return "no value in " + std::string(text);
      for (const std::string_view name : names)
        if (name == text.substr(0, sign)) return "named twice: " + std::string(name);
      names.push_back(text.substr(0, sign));
      text.remove_prefix(sign + 2);
      const std::size_t end = text.find('"');
      if (end == text.npos) return "quote not closed";
      if (const std::string bad = bad_text(text.substr(0, end)); !bad.empty()) return bad;
      text.remove_prefix(end + 1);
    }
    return "";
  }

  static std::string bad_text(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      if (c == '<') return "stray <";
      if (c < 0x20 && c != '\n' && c != '\t') return "control character";
      if (c != '&') continue;
      bool known = false;
      for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
        known = known || text.substr(i).starts_with(entity);
      if (!known) return "stray &";
    }
    return "";
  }

  std::string_view rest_;
  std::vector<std::string> open_;
};

}  // namespace rigidlimit::test
