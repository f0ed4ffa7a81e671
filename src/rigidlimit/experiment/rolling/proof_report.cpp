#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/convergence/outward.hpp"
#include "rigidlimit/experiment/pair/catalogue.hpp"
#include "rigidlimit/experiment/proof/study_proof.hpp"
#include "rigidlimit/experiment/rolling/read_rolling_study.hpp"
#include "rigidlimit/experiment/rolling/rolling_tables.hpp"
#include "rigidlimit/experiment/spec/system_tables.hpp"
#include "rigidlimit/result/conclusion.hpp"

namespace rigidlimit {
namespace {

double of_theorem(const ProvedConstant& constant, double ErrorTheorem::*member) {
  return constant.result.theorem ? (*constant.result.theorem).*member : std::nan("");
}

Table constant_rows(const StudyProof& proof) {
  using P = ProvedConstant;
  using C = ColumnOf<P>;
  const SeriesNames names = names_of(proof.study);
  const auto proved = [](double ErrorTheorem::*member) {
    return [member](const P& constant) { return of_theorem(constant, member); };
  };
  return table_of<P>(
             "constants",
             {C("quantity", "error of",
                [](const P& of) {
                  return name_of(of.measure.quantity);
                }).said([](const P& of) { return symbol_of(of.measure); }),
              C("norm", "", [](const P& of) { return name_of(of.measure.norm); }),
              C("window", "window",
                [](const P& of) {
                  return name_of(of.measure.window);
                }).said([names](const P& of) { return names.window(of.measure.window); }),
              C("status", "", [](const P& of) { return of.result.theorem ? "proved" : "open"; }),
              C("order", "", [](const P& of) { return of.result.theorem ? 2.0 : std::nan(""); }),
              C("constant_lower", "K", proved(&ErrorTheorem::lower)).worded().said([](const P& of) {
                const auto& theorem = of.result.theorem;
                return theorem ? outward_text({theorem->lower, theorem->upper}, Notation::plain)
                               : std::string("not proved");
              }),
              C("constant_upper", "", proved(&ErrorTheorem::upper)),
              C("remainder", "K₃", proved(&ErrorTheorem::remainder)).said([](const P& of) {
                return rounded_up(of_theorem(of, &ErrorTheorem::remainder), 4);
              }),
              C("largest_epsilon", "0 < ε ≤", proved(&ErrorTheorem::largest_epsilon))
                  .said([](const P& of) {
                    return rounded_down(of_theorem(of, &ErrorTheorem::largest_epsilon), 6);
                  }),
              C("reason", "", [](const P& of) { return of.result.reason; }).noted()},
             proof.constants, 3, {{"study", proof.study.name}})
      .kept(Kept::everywhere);
}

Table claim_rows(const StudyProof& proof) {
  using P = ProvedClaim;
  return table_of<P>("claims",
                     {{"claim", "", &P::text},
                      {"state", "", [](const P& claim) { return name_of(claim.state); }},
                      ColumnOf<P>("reason", "", &P::reason).noted()},
                     proof.claims, 1, {{"study", proof.study.name}})
      .kept(Kept::everywhere);
}

Table tried_rows(const StudyProof& proof) {
  using T = TriedEpsilon;
  using C = ColumnOf<T>;
  return table_of<T>("tried",
                     {C("epsilon", "ε₀", &T::epsilon), C("proved", "theorems", &T::proved),
                      C("seconds", "time, s", &T::seconds, "{:.3g}").noted(),
                      C("reason", "why one is open", &T::reason).noted()},
                     proof.tried, 1, {{"study", proof.study.name}})
      .kept(Kept::in_document);
}

}  // namespace

Result in_tables(const StudyProof& proof) {
  const RollingStudy& study = proof.study;
  const bool all_proved = std::ranges::all_of(proof.constants, [](const ProvedConstant& constant) {
    return constant.result.theorem.has_value();
  });
  Result report{
      .name = study.name,
      .kind = "proof",
      .question = "Which constants of convergence are theorems, for all ε at once?",
      .source = study.source,
      .heading =
          {fmt::format("{}: {}", study.system->info.name,
                       parameters_text(study.system->parameters, study.parameters)),
           contact_text(study.contact, *find_law(law_of_theorem)),
           "| sup |error| − K ε² | ≤ K₃ ε³, in the maximum norm over all components and times"},
      .facts = {{"system.name", study.system->info.name},
                {"law", law_of_theorem},
                {"assumed", proof.assumed}},
      .tables = {constant_rows(proof), claim_rows(proof), tried_rows(proof)},
      .views = {{.key = "constants",
                 .caption = "Constants of convergence, with proof",
                 .table = "constants",
                 .columns = {"quantity", "window", "constant_lower", "remainder",
                             "largest_epsilon"}},
                {.key = "tried",
                 .caption = "Largest ε that were tried",
                 .table = "tried",
                 .on_page = !all_proved,
                 .in_brief = !all_proved}},
      .claims = {},
      .resolved = resolved_toml(study)};
  for (const ProvedConstant& constant : proof.constants)
    if (!constant.result.theorem)
      report.remarks.push_back(
          fmt::format("{}: {}", text_of(constant.measure), constant.result.reason));
  for (const ProvedClaim& claim : proof.claims) {
    JudgedClaim& one = report.claims.emplace_back();
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
  return report;
}

}  // namespace rigidlimit
