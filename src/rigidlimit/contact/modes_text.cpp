#include "rigidlimit/contact/modes_text.hpp"

#include <fmt/ranges.h>

#include <ranges>

namespace rigidlimit {

std::string text_of(const std::vector<ContactMode>& modes) {
  return fmt::format(
      "{}", fmt::join(modes | std::views::transform([](ContactMode mode) { return name_of(mode); }),
                      ","));
}

}  // namespace rigidlimit
