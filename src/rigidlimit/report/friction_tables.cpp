#include "rigidlimit/report/friction_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/friction/mode_claims.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/report/conclusion.hpp"
#include "rigidlimit/report/series_tables.hpp"

namespace rigidlimit {

namespace {

std::string text_of_number(double x, const char* form) {
  return std::isnan(x) ? "-" : fmt::format(fmt::runtime(form), x);
}

std::string vector_text(const VectorXd& x) {
  std::vector<std::string> texts;
  for (const double entry : x) texts.push_back(fmt::format("{:.6g}", entry + 0.0));
  return fmt::format("({})", fmt::join(texts, ", "));
}

Tone tone_of(Outcome outcome) {
  return outcome == Outcome::success ? Tone::plain : Tone::bad;
}

}  // namespace

TextTable friction_event_table(const FrictionResult& result) {
  const FrictionalSystem& system = result.study.model;
  const std::vector<Component>& velocities = result.study.system->info.velocities;
  TextTable table{
      .headers = {"t [s]", "event", "modes after", "v before", "v after", "impulse λ, p [N s]"},
      .left_aligned = {false, true, true, true, true, true},
      .rows = {},
      .keys = 2};
  for (const ContactEvent& event : result.rigid.motion.events) {
    const bool jumps = event.impulse.size() > 0 && event.impulse.cwiseAbs().maxCoeff() > 0.0;
    table.rows.push_back({{fmt::format("{:.12g}", event.t)},
                          {text_of(event, system)},
                          {event.modes},
                          {vector_text(visible(velocities, event.v_before))},
                          {jumps ? vector_text(visible(velocities, event.v_after)) : ""},
                          {jumps ? vector_text(event.impulse) : ""}});
  }
  return table;
}

TextTable friction_transition_table(const FrictionResult& result, const ComparedLaw& law,
                                    const std::string& solver) {
  TextTable table{
      .headers = {"rigid t [s]", "event"}, .left_aligned = {false, true}, .rows = {}, .keys = 2};
  std::vector<const EventMatch*> matches;
  for (const EventMatch& match : result.matches)
    if (match.law == law && match.solver == solver) matches.push_back(&match);
  for (const EventMatch* match : matches)
    if (match->event == matches.front()->event) {
      table.headers.push_back(fmt::format("ε = {:.3g}", match->epsilon));
      table.left_aligned.push_back(false);
    }
  table.headers.emplace_back("order");
  table.left_aligned.push_back(false);
  for (std::size_t k = 0; k < matches.size(); ++k) {
    const ContactEvent& event = result.rigid.motion.events[matches[k]->event];
    if (k == 0 || matches[k]->event != matches[k - 1]->event)
      table.rows.push_back(
          {{fmt::format("{:.9g}", event.t)}, {text_of(event, result.study.model)}});
    table.rows.back().push_back({text_of_number(matches[k]->difference, "{:+.3e}")});
    if (k + 1 == matches.size() || matches[k + 1]->event != matches[k]->event)
      table.rows.back().push_back({text_of_number(matches[k]->order, "{:.2f}")});
  }
  return table;
}

Columns<StepCheck> step_check_columns() {
  using C = StepCheck;
  return {{"step", "step [s]", &C::step, "{:.4g}"},
          {"outcome", "outcome", [](const C& c) { return name_of(c.outcome); }},
          {"impacts", "impacts", &C::impacts, "{}"},
          {"q_end", {}, &C::q_end},
          {"v_end", {}, &C::v_end},
          {"q_sup", "q sup", &C::q_sup, "{:.3e}"},
          {"", "order", &C::q_order, "{:.2f}"},
          {"v_l1", "v l1", &C::v_l1, "{:.3e}"},
          {"", "order", &C::v_order, "{:.2f}"},
          {"q_order", {}, &C::q_order},
          {"v_order", {}, &C::v_order}};
}

Columns<MotionModes> mode_columns() {
  using M = MotionModes;
  return {{"motion", {}, [](const M& m) { return m.is_rigid() ? "rigid" : "compliant"; }},
          {"law", {}, [](const M& m) { return name_of(m.law.friction); }},
          {"tangential_power", {}, [](const M& m) { return m.law.tangential_power; }},
          {"compliant_solver", {}, &M::solver},
          {"epsilon", {}, &M::epsilon},
          {"", "motion",
           [](const M& m) { return m.is_rigid() ? "rigid" : text_of(m.law) + ", " + m.solver; }},
          {"", "ε", [](const M& m) { return m.is_rigid() ? std::nan("") : m.epsilon; }, "{:.4g}"},
          {"outcome", "outcome", [](const M& m) { return name_of(m.outcome); }, "",
           [](const M& m) { return tone_of(m.outcome); }},
          {"modes", {}, &M::sequence},
          {"modes_at_end", {}, [](const M& m) { return last_modes(m.sequence); }},
          {"several_solutions", {}, &M::several_solutions},
          {"sliding_at_half", {}, &M::sliding_at_half},
          {"", "modes", [](const M& m) { return m.sequence.empty() ? "-" : m.sequence; }},
          {"sliding_at_end", "sliding at T [m/s]", &M::sliding_at_end, "{:.3e}"},
          {"force_at_end", {}, &M::force_at_end}};
}

Columns<HistoryClaim> history_claim_columns() {
  using C = HistoryClaim;
  return {{"", "claim", &C::text},
          {"", "held", &C::held, "", [](const C& c) { return c.held ? Tone::good : Tone::bad; }},
          {"", "found", [](const C& c) { return c.held ? "" : c.found; }}};
}

Columns<FrictionSolve> solve_columns() {
  using S = FrictionSolve;
  return {
      {"", "law", [](const S& s) { return text_of(s.law); }},
      {"law.friction", {}, [](const S& s) { return name_of(s.law.friction); }},
      {"law.tangential_power", {}, [](const S& s) { return s.law.tangential_power; }},
      {"solver", "solver", &S::solver},
      {"epsilon", {}, &S::epsilon},
      {"tighter", {}, &S::tighter},
      {"", "ε",
       [](const S& s) { return fmt::format("{:.4g}{}", s.epsilon, s.tighter ? ", tighter" : ""); },
       "{}"},
      {"outcome", "outcome", [](const S& s) { return name_of(s.outcome); }, "",
       [](const S& s) { return tone_of(s.outcome); }},
      {"message", {}, &S::message},
      {"t_reached", {}, &S::t_reached},
      {"steps", "steps", [](const S& s) { return count_value(s.work.steps); }, of_counts},
      {"rejected_steps", "rejected", [](const S& s) { return count_value(s.work.rejected_steps); },
       of_counts},
      {"", "kinks", &S::roots, "{}"},
      {"rhs_evaluations", "right-hand sides",
       [](const S& s) { return count_value(s.work.rhs_evaluations); }, of_counts},
      {"kinks", {}, &S::roots}};
}

Columns<InequalityReport> inequality_columns() {
  using I = InequalityReport;
  return {
      {"motion", {}, &I::motion},
      {"law.friction", {}, [](const I& i) { return name_of(i.law.friction); }},
      {"law.tangential_power", {}, [](const I& i) { return i.law.tangential_power; }},
      {"epsilon", {}, &I::epsilon},
      {"", "motion", [](const I& i) { return i.epsilon == 0.0 ? i.motion : text_of(i.law); }},
      {"", "ε", [](const I& i) { return i.epsilon == 0.0 ? std::nan("") : i.epsilon; }, "{:.4g}"},
      {"", "virtual velocities", [](const I& i) { return i.check.drawn; }, "{}"},
      {"least", "minimum [W]", [](const I& i) { return i.check.least; }, "{:.3e}"},
      {"relative", {}, [](const I& i) { return i.check.relative; }},
      {"", "relative to terms",
       [](const I& i) { return i.scale > 0.0 ? i.check.least / i.scale : 0.0; }, "{:.1e}"},
      {"", "t [s]", [](const I& i) { return i.check.contact < 0 ? std::nan("") : i.check.t; },
       "{:.4g}"},
      {"drawn", {}, [](const I& i) { return i.check.drawn; }}};
}

}  // namespace rigidlimit
