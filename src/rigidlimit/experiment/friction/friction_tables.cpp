#include "rigidlimit/experiment/friction/friction_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rigidlimit/core/visible_components.hpp"
#include "rigidlimit/experiment/friction/mode_claims.hpp"
#include "rigidlimit/experiment/friction/rigid_history.hpp"
#include "rigidlimit/experiment/judge/work_columns.hpp"
#include "rigidlimit/experiment/spec/system_tables.hpp"
#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/result/conclusion.hpp"

namespace rigidlimit {

SeriesNames names_of(const FrictionStudy& study) {
  return {.several_laws = study.contact.laws.size() > 1};
}

namespace {

/// Elements of a vector as columns, NaN beyond its end: those with the places `rows`, counted from
/// 1 in their names.
template <class Row, class VectorOf>
void add_elements(Columns<Row>& columns, const std::string& name, const std::string& ending,
                  const std::vector<Index>& rows, const VectorOf& vector_of) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    columns.push_back(
        {fmt::format("{}{}{}", name, k + 1, ending), "", [vector_of, at = rows[k]](const Row& row) {
           const VectorXd& x = vector_of(row);
           return at < x.size() ? x(at) : std::nan("");
         }});
}

std::vector<Index> places(Index begin, Index count) {
  std::vector<Index> all;
  for (Index k = 0; k < count; ++k) all.push_back(begin + k);
  return all;
}

/// The names of such columns.
std::vector<std::string> element_names(const std::string& name, std::size_t count,
                                       const std::string& ending) {
  std::vector<std::string> names;
  for (std::size_t k = 1; k <= count; ++k) names.push_back(fmt::format("{}{}{}", name, k, ending));
  return names;
}

std::string contact_words(const ContactEvent& event, const FrictionalSystem& system) {
  std::vector<std::string> names;
  for (const Index c : event.contacts)
    names.push_back(system.contacts[static_cast<std::size_t>(c)].name);
  return fmt::format("{}", fmt::join(names, " "));
}

/// The modes of several contacts, separated by blanks.
std::string mode_words(std::string modes) {
  std::ranges::replace(modes, ',', ' ');
  return modes;
}

/// An event of a motion with this step (NaN: event-driven), and its number.
struct NumberedEvent {
  double step;
  std::size_t number;
  ContactEvent event;
};

/// q1, … are the coordinates of the system in its order (result.json names them), v1_before, … its
/// velocities, impulse_lambda1, … the m components of friction, impulse_p1, … the contacts.
Columns<NumberedEvent> event_columns(const SharedFriction& result) {
  using E = NumberedEvent;
  using C = ColumnOf<E>;
  const FrictionalSystem& model = result->study.model;
  const SystemInfo& info = result->study.system->info;
  Columns<E> columns{
      {"event", "", &E::number},
      {"t", "t [s]", [](const E& e) { return e.event.t; }, "{:.12g}"},
      C("kind", "event",
        [](const E& e) {
          return name_of(e.event.kind);
        }).said([result](const E& e) { return text_of(e.event, result->study.model); }),
      {"contacts", "",
       [result](const E& e) { return contact_words(e.event, result->study.model); }},
      C("modes", "modes after",
        [](const E& e) {
          return mode_words(e.event.modes);
        }).said([](const E& e) { return e.event.modes; }),
      {"energy_lost", "energy lost [J]",
       [result](const E& e) {
         const System& system = result->study.model.smooth;
         return e.event.q.size() == 0 ? std::nan("")
                                      : kinetic_energy(system, e.event.q, e.event.v_before) -
                                            kinetic_energy(system, e.event.q, e.event.v_after);
       },
       "{:.4g}"}};
  const auto of = [](VectorXd ContactEvent::*part) {
    return [part](const E& e) -> const VectorXd& { return e.event.*part; };
  };
  const std::vector<Index> q = visible_rows(info.coordinates), v = visible_rows(info.velocities);
  add_elements<E>(columns, "q", "", q, of(&ContactEvent::q));
  add_elements<E>(columns, "v", "_before", v, of(&ContactEvent::v_before));
  add_elements<E>(columns, "v", "_after", v, of(&ContactEvent::v_after));
  add_elements<E>(columns, "impulse_lambda", "", places(0, model.smooth.m),
                  of(&ContactEvent::impulse));
  add_elements<E>(columns, "impulse_p", "", places(model.smooth.m, model.nc()),
                  of(&ContactEvent::impulse));
  return columns;
}

LawName law_name(const LawName& law) {
  return law;
}
LawName law_name(const ComparedLaw& law) {
  return name_of(law);
}

template <class Row, class Law>
Columns<Row> law_columns(const std::string& prefix, Law Row::*law) {
  return {ColumnOf<Row>(prefix + (prefix.empty() ? "law" : "friction"), "law",
                        [law](const Row& row) { return law_name(row.*law).name; })
              .said([law](const Row& row) { return text_of(row.*law); }),
          {prefix + "tangential_power", "κ", [law](const Row& row) {
             return law_name(row.*law).tangential_power.value_or(ComparedLaw{}.tangential_power);
           }}};
}

}  // namespace

Table event_rows(const SharedFriction& result) {
  std::vector<NumberedEvent> events;
  for (const ContactEvent& event : result->rigid.motion.events)
    events.push_back({std::nan(""), events.size(), event});
  return table_of("events", event_columns(result), std::move(events), 2,
                  {{"study", result->study.name}})
      .kept(Kept::everywhere);
}

View event_view(const FrictionResult& result) {
  const std::size_t n = visible_rows(result.study.system->info.velocities).size();
  const auto m = static_cast<std::size_t>(result.study.model.smooth.m);
  std::vector<std::string> impulse = element_names("impulse_lambda", m, "");
  std::ranges::move(
      element_names("impulse_p", static_cast<std::size_t>(result.study.model.nc()), ""),
      std::back_inserter(impulse));
  return {.key = "events",
          .caption = "Events of the rigid motion",
          .table = "events",
          .columns = {"t",
                      "kind",
                      "modes",
                      {"v before", element_names("v", n, "_before")},
                      {"v after", element_names("v", n, "_after")},
                      {"impulse λ, p [N s]", std::move(impulse)}},
          .keys = 2};
}

Table step_event_rows(const SharedFriction& result) {
  std::vector<NumberedEvent> events;
  for (const StepCheck& check : result->rigid.steps)
    for (std::size_t k = 0; k < check.events.size(); ++k)
      events.push_back({check.step, k, check.events[k]});
  Columns<NumberedEvent> columns = event_columns(result);
  columns.insert(columns.begin(), {"step", "step [s]", &NumberedEvent::step, "{:.4g}"});
  return table_of("step_events", columns, std::move(events), 3, {{"study", result->study.name}})
      .kept(Kept::everywhere);
}

Table event_time_rows(const SharedFriction& result) {
  using M = EventMatch;
  const auto event_of = [result](const M& m) -> const ContactEvent& {
    return result->rigid.motion.events.at(m.event);
  };
  Columns<M> columns{
      {"event", "", &M::event},
      ColumnOf<M>("kind", "event", [=](const M& m) { return name_of(event_of(m).kind); })
          .said([=](const M& m) { return text_of(event_of(m), result->study.model); }),
      {"contacts", "", [=](const M& m) { return contact_words(event_of(m), result->study.model); }},
      {"t_rigid", "rigid t [s]", [=](const M& m) { return event_of(m).t; }, "{:.9g}"}};
  append(columns, law_columns("", &M::law));
  append(columns, {{"compliant_solver", "solver", &M::solver},
                   {"epsilon", "ε", &M::epsilon, "{:.3g}"},
                   ColumnOf<M>("t", "t [s]", &M::t, "{:.9g}").within({"solver_error"}),
                   ColumnOf<M>("difference", "difference [s]", &M::difference, "{:+.3e}")
                       .within({"solver_error"}),
                   {"predicted", "predicted [s]", &M::predicted, "{:+.3e}"},
                   {"solver_error", "", &M::solver_error, "{:.1e}"},
                   {"order", "order", &M::order, "{:.2f}"}});
  for (std::size_t k = 0; k < 8; ++k)
    if (columns[k].name != "t_rigid") columns[k].role = Role::key;
  return table_of("event_times", columns,
                  std::shared_ptr<const std::vector<M>>(result, &result->matches), 0,
                  {{"study", result->study.name}})
      .kept(Kept::everywhere);
}

View event_time_view(std::string key, std::string caption, const ComparedLaw& law,
                     const std::string& solver) {
  return {.key = std::move(key),
          .caption = std::move(caption),
          .table = "event_times",
          .columns = {"t_rigid", "kind"},
          .keys = 2,
          .rows = with_values({{"law", name_of(law.friction)},
                               {"tangential_power", law.tangential_power},
                               {"compliant_solver", solver}}),
          .pivot = Pivot{.across = {"epsilon"},
                         .cells = {{"difference", "ε = {}"}},
                         .beside = {{"order", Pivot::Of::last}}}};
}

Table motion_rows(const SharedFriction& result) {
  struct Sample {
    const FrictionCurve* curve;
    Index k;
  };
  using C = ColumnOf<Sample>;
  std::vector<Sample> samples;
  for (const FrictionCurve& curve : result->curves)
    for (Index k = 0; k < std::ssize(curve.motion.times); ++k) samples.push_back({&curve, k});
  const FrictionalSystem& model = result->study.model;
  const SystemInfo& info = result->study.system->info;
  const auto of_curve = [](auto FrictionCurve::*part) {
    return [part](const Sample& s) { return s.curve->*part; };
  };
  Columns<Sample> columns{{"motion", "", of_curve(&FrictionCurve::name)},
                          {"tangential_power", "κ", of_curve(&FrictionCurve::tangential_power)},
                          {"solver", "", of_curve(&FrictionCurve::solver)},
                          {"epsilon", "ε", of_curve(&FrictionCurve::epsilon)},
                          // The table holds the curves, which are in the result.
                          C("t", "t [s]", [result](const Sample& s) {
                            return s.curve->motion.times[static_cast<std::size_t>(s.k)];
                          })};
  const auto add_rows = [&columns](const char* name, const std::vector<Index>& rows,
                                   MatrixXd Motion::*part) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      columns.push_back(
          {fmt::format("{}{}", name, i + 1), "", [part, at = rows[i]](const Sample& s) {
             const MatrixXd& x = s.curve->motion.*part;
             return s.k < x.cols() && at < x.rows() ? x(at, s.k) : std::nan("");
           }});
  };
  add_rows("q", visible_rows(info.coordinates), &Motion::q);
  add_rows("v", visible_rows(info.velocities), &Motion::v);
  add_rows("lambda", places(0, model.smooth.m), &Motion::lambda);
  add_rows("p", places(model.smooth.m, model.nc()), &Motion::lambda);
  columns.push_back({"modes", "", [](const Sample& s) {
                       const auto i = static_cast<std::size_t>(s.k);
                       return i < s.curve->modes.size() ? mode_words(s.curve->modes[i]) : "";
                     }});
  return table_of("motions", columns, std::move(samples), 5).kept(Kept::in_files);
}

Table step_check_rows(const SharedFriction& result) {
  using C = StepCheck;
  return table_of<C>(
             "rigid.moreau_jean",
             {{"step", "step [s]", &C::step, "{:.4g}"},
              ColumnOf<C>("outcome", "outcome", [](const C& c) { return name_of(c.outcome); })
                  .toned([](const C& c) { return tone_of(c.outcome); }),
              {"impacts", "impacts", &C::impacts, "{}"},
              {"q_end", "", &C::q_end, "{:.6g}"},
              {"v_end", "", &C::v_end, "{:.6g}"},
              {"q_sup", "q sup", &C::q_sup, "{:.3e}"},
              {"v_l1", "v l1", &C::v_l1, "{:.3e}"},
              {"q_order", "order", &C::q_order, "{:.2f}"},
              {"v_order", "order", &C::v_order, "{:.2f}"}},
             std::shared_ptr<const std::vector<C>>(result, &result->rigid.steps))
      .kept(Kept::in_document);
}

Table mode_rows(const SharedFriction& result) {
  using M = MotionModes;
  using C = ColumnOf<M>;
  Columns<M> columns{C("motion", "motion", [](const M& m) {
                       return m.is_rigid() ? "rigid" : "compliant";
                     }).said([](const M& m) {
    return m.is_rigid() ? "rigid" : text_of(m.law) + ", " + m.solver;
  })};
  append(columns, law_columns("", &M::law));
  append(columns, {{"compliant_solver", "solver", &M::solver},
                   C("epsilon", "ε", &M::epsilon, "{:.4g}").said([](const M& m) {
                     return m.is_rigid() ? "-" : fmt::format("{:.4g}", m.epsilon);
                   }),
                   C("outcome", "outcome",
                     [](const M& m) {
                       return name_of(m.outcome);
                     }).toned([](const M& m) { return tone_of(m.outcome); }),
                   C("modes", "modes", &M::sequence).said([](const M& m) {
                     return m.sequence.empty() ? "-" : m.sequence;
                   }),
                   {"modes_at_end", "", [](const M& m) { return last_modes(m.sequence); }},
                   {"several_solutions", "", &M::several_solutions},
                   {"sliding_at_half", "sliding at T/2 [m/s]", &M::sliding_at_half, "{:.3e}"},
                   {"sliding_at_end", "sliding at T [m/s]", &M::sliding_at_end, "{:.3e}"},
                   {"force_at_end", "", &M::force_at_end}});
  return table_of("modes", columns, std::shared_ptr<const std::vector<M>>(result, &result->modes),
                  5, {{"study", result->study.name}});
}

Table solve_rows(const SharedFriction& result) {
  using S = CompliantSolve;
  using C = ColumnOf<S>;
  const auto count = [](long Work::*of) {
    return [of](const S& s) { return count_value(s.work.*of); };
  };
  Columns<S> columns = law_columns("law.", &S::law);
  append(
      columns,
      {{"solver", "solver", &S::solver},
       C("epsilon", "ε", &S::epsilon, "{:.4g}").said([](const S& s) {
         return fmt::format("{:.4g}{}", s.epsilon, s.tighter ? ", tighter" : "");
       }),
       {"tighter", "", &S::tighter},
       C("outcome", "outcome", [](const S& s) { return name_of(s.outcome); }).toned([](const S& s) {
         return tone_of(s.outcome);
       }),
       C("message", "", &S::message).noted(),
       {"t_reached", "", &S::t_reached},
       {"steps", "steps", count(&Work::steps), of_counts},
       {"rejected_steps", "rejected", count(&Work::rejected_steps), of_counts},
       {"rhs_evaluations", "right-hand sides", count(&Work::rhs_evaluations), of_counts},
       {"kinks", "kinks", &S::roots, "{}"}});
  return table_of("solves", columns, std::shared_ptr<const std::vector<S>>(result, &result->solves),
                  5)
      .kept(Kept::in_document);
}

Table inequality_rows(const SharedFriction& result) {
  using I = InequalityReport;
  using C = ColumnOf<I>;
  Columns<I> columns{C("motion", "motion", &I::motion).said([](const I& i) {
    return i.epsilon == 0.0 ? i.motion : text_of(i.law);
  })};
  append(columns, law_columns("law.", &I::law));
  append(columns,
         {C("epsilon", "ε", &I::epsilon, "{:.4g}").said([](const I& i) {
            return i.epsilon == 0.0 ? "-" : fmt::format("{:.4g}", i.epsilon);
          }),
          {"least", "minimum [W]", [](const I& i) { return i.check.least; }, "{:.3e}"},
          {"relative", "", [](const I& i) { return i.check.relative; }, "{:.1e}"},
          {"drawn", "virtual velocities", [](const I& i) { return i.check.drawn; }, "{}"},
          {"relative_to_terms", "relative to terms",
           [](const I& i) { return i.scale > 0.0 ? i.check.least / i.scale : 0.0; }, "{:.1e}"},
          {"t", "t [s]", [](const I& i) { return i.check.contact < 0 ? std::nan("") : i.check.t; },
           "{:.4g}"}});
  return table_of("inequality", columns,
                  std::shared_ptr<const std::vector<I>>(result, &result->inequality), 4);
}

}  // namespace rigidlimit
