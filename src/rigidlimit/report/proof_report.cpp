#include <fmt/format.h>

#include <cmath>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/report/columns.hpp"
#include "rigidlimit/report/conclusion.hpp"
#include "rigidlimit/report/reports.hpp"
#include "rigidlimit/report/result_document.hpp"
#include "rigidlimit/report/rolling_tables.hpp"

namespace rigidlimit {
namespace {

double of_theorem(const ProvedConstant& constant, double ErrorTheorem::*member) {
  return constant.result.theorem ? (*constant.result.theorem).*member : std::nan("");
}

TextTable constants_table(const StudyProof& proof) {
  const SeriesNames names = names_of(proof.study);
  return text_table<ProvedConstant>(
      {{"", "error of", [](const ProvedConstant& of) { return symbol_of(of.measure); }},
       {"", "window",
        [&names](const ProvedConstant& of) { return names.window(of.measure.window); }},
       {"", "K",
        [](const ProvedConstant& of) {
          const auto& theorem = of.result.theorem;
          return theorem ? outward_text({theorem->lower, theorem->upper}, Notation::plain)
                         : std::string("not proved");
        }},
       {"", "K₃",
        [](const ProvedConstant& of) {
          return rounded_up(of_theorem(of, &ErrorTheorem::remainder), 4);
        },
        "{}"},
       {"", "0 < ε ≤",
        [](const ProvedConstant& of) {
          return rounded_down(of_theorem(of, &ErrorTheorem::largest_epsilon), 6);
        },
        "{}"}},
      proof.constants);
}

DataTable constants_rows(const StudyProof& proof) {
  return data_table("constants", {{"study", proof.study.name}}, proof.constants,
                    [](const ProvedConstant& of) -> Record {
                      return {{"quantity", name_of(of.measure.quantity)},
                              {"norm", name_of(of.measure.norm)},
                              {"window", name_of(of.measure.window)},
                              {"status", of.result.theorem ? "proved" : "open"},
                              {"order", of.result.theorem ? 2.0 : std::nan("")},
                              {"constant_lower", of_theorem(of, &ErrorTheorem::lower)},
                              {"constant_upper", of_theorem(of, &ErrorTheorem::upper)},
                              {"remainder", of_theorem(of, &ErrorTheorem::remainder)},
                              {"largest_epsilon", of_theorem(of, &ErrorTheorem::largest_epsilon)},
                              {"reason", of.result.reason}};
                    });
}

DataTable claims_rows(const StudyProof& proof) {
  return data_table(
      "claims", {{"study", proof.study.name}}, proof.claims,
      [](const ProvedClaim& claim) -> Record {
        return {{"claim", claim.text}, {"state", name_of(claim.state)}, {"reason", claim.reason}};
      });
}

}  // namespace

Report report_of(const StudyProof& proof) {
  const RollingStudy& study = proof.study;
  Report report{
      .name = study.name,
      .kind = "proof",
      .question = "Which constants of convergence are theorems, for all ε at once?",
      .source = study.source,
      .heading =
          {fmt::format("{}: {}", study.system->info.name,
                       parameters_text(study.system->parameters, study.parameters)),
           contact_text(study.contact, *find_law(law_of_theorem)),
           "| sup |error| − K ε² | ≤ K₃ ε³, in the maximum norm over all components and times"},
      .body = {},
      .remarks = {},
      .claims = {},
      .tables = {constants_rows(proof), claims_rows(proof)},
      .resolved = resolved_toml(study)};
  for (const ProvedConstant& constant : proof.constants)
    if (!constant.result.theorem)
      report.remarks.push_back(
          fmt::format("{}: {}", text_of(constant.measure), constant.result.reason));
  for (const ProvedClaim& claim : proof.claims) {
    JunitCase& one = report.claims.emplace_back();
    one.name = claim.text;
    one.group = "proof";
    one.state = state_if(claim.state == ProofState::proved);
    one.type = name_of(claim.state);
    one.message = claim.reason;
    one.reason = claim.reason;
  }
  const auto count = [&proof](ProofState state) {
    return std::ranges::count(proof.claims, state, &ProvedClaim::state);
  };
  report.interrupted = proof.interrupted;
  report.has_numbers = proof.proves_something();
  conclude(report);
  report.verdict = fmt::format("{}: {}, {} of {} claims are theorems", study.name,
                               !report.has_numbers              ? "nothing proved"
                               : report.held()                  ? "proved"
                               : count(ProofState::refuted) > 0 ? "refuted"
                                                                : "not proved",
                               count(ProofState::proved), proof.claims.size());
  if (proof.claims.empty())
    report.verdict = fmt::format("{}: {}, the study claims nothing", study.name,
                                 report.has_numbers ? "proved" : "nothing proved");
  for (const ProvedClaim& claim : proof.claims)
    if (claim.state != ProofState::proved)
      report.verdict +=
          fmt::format("\n  {}: {}: {}", name_of(claim.state), claim.text, claim.reason);
  if (report.has_numbers)
    report.remarks.push_back(
        fmt::format("{} steps of the rigid motion; assumed: {}", proof.steps, proof.assumed));
  Document document{{"system.name", Value(study.system->info.name)},
                    {"law", Value(law_of_theorem)},
                    {"assumed", Value(proof.assumed)},
                    {"constants", report.tables.front()},
                    {"claims", report.tables.back()}};
  report.document = result_document(report, document);
  report.body.emplace_back(
      CaptionedTable{"constants", "Constants of convergence, with proof", constants_table(proof)});
  return report;
}

}  // namespace rigidlimit
