#include "rigidlimit/result/conclusion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rigidlimit {

namespace {

/// "5 of 5 claims", "2 of 3 bounds (1 proved)": held and all claims of each group.
std::vector<std::string> counts_by_group(const std::vector<JudgedClaim>& claims) {
  std::vector<std::string> counts;
  for (auto begin = claims.begin(); begin != claims.end();) {
    const auto end = std::find_if(
        begin, claims.end(), [&](const JudgedClaim& one) { return one.group != begin->group; });
    const auto held = std::count_if(begin, end, [](const JudgedClaim& one) { return one.held(); });
    const auto proved =
        std::count_if(begin, end, [](const JudgedClaim& one) { return one.proved; });
    counts.push_back(fmt::format("{} of {} {}{}", held, end - begin, begin->group,
                                 proved > 0 ? fmt::format(" ({} proved)", proved) : ""));
    begin = end;
  }
  return counts;
}

/// "NAME: MESSAGE [TYPE]"; the message of a bound contains the others.
std::string line_of(const JudgedClaim& one) {
  return one.group == "bounds" ? one.message
                               : fmt::format("{}: {} [{}]", one.name, one.message, one.type);
}

/// The advice, of an expectation with its verdict.
std::string advice_of(const JudgedClaim& one) {
  return one.group == "expectations" && !one.advice.empty() ? one.type + ": " + one.advice
                                                            : one.advice;
}

Conclusion conclusion_of(const Result& report) {
  const auto any = [&](ClaimState state) {
    return std::ranges::any_of(report.claims,
                               [state](const JudgedClaim& one) { return one.state == state; });
  };
  if (report.interrupted) return Conclusion::interrupted;
  if (any(ClaimState::unjudged)) return Conclusion::could_not;
  if (any(ClaimState::failed)) return Conclusion::not_held;
  return report.claims.empty() ? Conclusion::nothing_expected : Conclusion::held;
}

}  // namespace

void conclude(Result& report) {
  for (JudgedClaim& one : report.claims)
    if (report.interrupted) {
      one.state = ClaimState::unjudged;
      one.type = "interrupted";
      one.message = one.reason = "interrupted, not judged";
    } else if (!one.held() && !report.has_numbers) {
      one.state = ClaimState::unjudged;
    }
  const bool is_missing = report.interrupted || !report.has_numbers;
  if (is_missing && std::ranges::none_of(report.claims, [](const JudgedClaim& one) {
        return one.state == ClaimState::unjudged;
      })) {
    const char* why = report.interrupted ? "interrupted" : "no solve reached the end";
    report.claims.push_back({.name = "a result",
                             .group = "results",
                             .state = ClaimState::unjudged,
                             .type = "no_result",
                             .message = why,
                             .reason = why});
  }
  report.conclusion = conclusion_of(report);
  if (report.find("claims") == nullptr) report.tables.push_back(claim_rows(report.claims));
}

Cell word_of(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::held: return {"held", Tone::good};
    case Conclusion::not_held: return {"not held", Tone::bad};
    case Conclusion::could_not: return {"could not run", Tone::bad};
    case Conclusion::interrupted: return {"interrupted", Tone::faint};
    case Conclusion::nothing_expected: break;
  }
  return {"nothing expected", Tone::faint};
}

Table claim_rows(const std::vector<JudgedClaim>& claims) {
  using J = JudgedClaim;
  using C = ColumnOf<J>;
  const auto tone = [](const J& claim) { return claim.held() ? Tone::good : Tone::bad; };
  Columns<J> columns;
  if (!claims.empty())
    for (std::size_t k = 0; k < claims.front().swept.size(); ++k)
      columns.push_back({claims.front().swept[k].name, "", [k](const J& claim) {
                           return k < claim.swept.size() ? claim.swept[k].value : Value();
                         }});
  const std::size_t keys = columns.size() + 2;
  columns.insert(columns.end(), {C("name", "claim", &J::name), C("group", "", &J::group),
                                 C("held", "held", &J::held).toned(tone),
                                 C("message", "found", &J::message).noted(),
                                 C("reason", "found", &J::reason).noted().said([](const J& claim) {
                                   return claim.held() ? "" : claim.reason;
                                 })});
  return table_of<J>("claims", columns, claims, keys).kept(Kept::in_document);
}

std::string verdict_of(const Result& report) {
  if (report.interrupted) return fmt::format("{}: interrupted, not judged", report.name);
  if (report.claims.empty()) return fmt::format("{}: nothing was expected", report.name);
  std::string text = fmt::format("{}: {}, {}", report.name,
                                 report.held()                               ? "held"
                                 : report.conclusion == Conclusion::not_held ? "not held"
                                                                             : "could not run",
                                 fmt::join(counts_by_group(report.claims), ", "));
  std::vector<std::string> advice;
  for (const JudgedClaim& one : report.claims) {
    if (one.held()) continue;
    text += "\n  " + line_of(one);
    const std::string next = advice_of(one);
    if (!next.empty() && std::ranges::find(advice, next) == advice.end()) advice.push_back(next);
  }
  for (const std::string& next : advice) text += "\n  " + next;
  return text;
}

}  // namespace rigidlimit
