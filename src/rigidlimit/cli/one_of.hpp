// A check of the command line: one of a few words.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "rigidlimit/study/suggest.hpp"

namespace rigidlimit {

/// Refuses every other word and says which are valid, and which one may have been meant. The help
/// and the completion read the words from its description, "{csv,json}".
inline CLI::Validator one_of(std::vector<std::string> words) {
  const std::string description = fmt::format("{{{}}}", fmt::join(words, ","));
  return CLI::Validator(
      [words = std::move(words)](std::string& word) {
        if (std::ranges::find(words, word) != words.end()) return std::string();
        return fmt::format("'{}' is none of its values{}", word, suggestion(word, words));
      },
      description);
}

}  // namespace rigidlimit
