#include "rigidlimit/record/slip_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "rigidlimit/mechanics/kkt.hpp"
#include "rigidlimit/record/rows.hpp"
#include "rigidlimit/slip/rigid_history.hpp"

namespace rigidlimit {

namespace {

/// ",q1,q2": `count` columns.
std::string columns(const char* name, Index count, const char* ending = "") {
  std::string text;
  for (Index i = 1; i <= count; ++i) text += fmt::format(",{}{}{}", name, i, ending);
  return text;
}

std::string values(const VectorXd& x, Index count) {
  std::string text;
  for (Index i = 0; i < count; ++i)
    text += "," + csv_number(i < x.size() ? x(i) : std::numeric_limits<double>::quiet_NaN());
  return text;
}

std::string contact_words(const ContactEvent& event, const FrictionalSystem& system) {
  std::vector<std::string> names;
  for (const Index c : event.contacts)
    names.push_back(system.contacts[static_cast<std::size_t>(c)].name);
  return fmt::format("{}", fmt::join(names, " "));
}

/// The words of several contacts with blanks between: commas part columns.
std::string mode_words(std::string modes) {
  for (char& c : modes)
    if (c == ',') c = ' ';
  return modes;
}

std::string law_words(const SlipLaw& law) {
  return fmt::format("{},{}", name_of(law.friction), csv_number(law.tangential_power));
}

std::string event_columns(const FrictionalSystem& model) {
  const System& system = model.smooth;
  return "event,t,kind,contacts,modes,energy_lost" + columns("q", system.nq) +
         columns("v", system.n, "_before") + columns("v", system.n, "_after") +
         columns("impulse_lambda", system.m) + columns("impulse_p", model.nc()) + "\n";
}

/// One line an event, `before` first.
std::string event_lines(const std::string& before, const std::vector<ContactEvent>& events,
                        const FrictionalSystem& model) {
  const System& system = model.smooth;
  std::string text;
  for (std::size_t k = 0; k < events.size(); ++k) {
    const ContactEvent& event = events[k];
    const double lost = kinetic_energy(system, event.q, event.v_before) -
                        kinetic_energy(system, event.q, event.v_after);
    text +=
        fmt::format("{},{},{},{},{},{},{}{}{}{}{}\n", before, k, csv_number(event.t),
                    name_of(event.kind), contact_words(event, model), mode_words(event.modes),
                    csv_number(lost), values(event.q, system.nq), values(event.v_before, system.n),
                    values(event.v_after, system.n), values(event.impulse, model.forces()));
  }
  return text;
}

}  // namespace

std::string slip_events_csv(const SlipResult& result) {
  return "study," + event_columns(result.study.model) +
         event_lines(result.study.name, result.rigid.motion.events, result.study.model);
}

std::string slip_step_events_csv(const SlipResult& result) {
  std::string text = "study,step," + event_columns(result.study.model);
  for (const StepCheck& check : result.rigid.steps)
    text += event_lines(fmt::format("{},{}", result.study.name, csv_number(check.step)),
                        check.events, result.study.model);
  return text;
}

std::string slip_event_times_csv(const SlipResult& result) {
  std::string text =
      "study,event,kind,contacts,t_rigid,law,tangential_power,solver,epsilon,t,difference,"
      "solver_error,order\n";
  for (const EventMatch& match : result.matches) {
    const ContactEvent& event = result.rigid.motion.events[match.event];
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{}\n", result.study.name, match.event,
        name_of(event.kind), contact_words(event, result.study.model), csv_number(event.t),
        law_words(match.law), match.solver, csv_number(match.epsilon), csv_number(match.t),
        csv_number(match.difference), csv_number(match.solver_error), csv_number(match.order));
  }
  return text;
}

std::string slip_errors_csv(const SlipResult& result) {
  std::string text =
      "study,system,law,tangential_power,solver,epsilon,quantity,events,norm,window,model_error,"
      "solver_error,reference_error,sampling_error,order,verdict,status\n";
  for (const SlipSeries& series : result.series)
    for (const SlipRow& row : series.rows)
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", result.study.name,
          result.study.system->info.name, law_words(row.law), row.solver, csv_number(row.epsilon),
          name_of(row.measure.quantity), row.measure.events, name_of(row.measure.norm),
          name_of(row.measure.window), csv_number(row.model_error), csv_number(row.solver_error),
          csv_number(row.reference_error), csv_number(row.sampling_error), csv_number(row.order),
          name_of(row.verdict), row.status);
  return text;
}

std::string slip_motions_csv(const SlipResult& result) {
  const FrictionalSystem& model = result.study.model;
  const System& system = model.smooth;
  std::string text = "motion,tangential_power,solver,epsilon,t" + columns("q", system.nq) +
                     columns("v", system.n) + columns("lambda", system.m) +
                     columns("p", model.nc()) + ",modes\n";
  for (const SlipCurve& curve : result.curves)
    for (std::size_t k = 0; k < curve.motion.times.size(); ++k) {
      const auto i = static_cast<Index>(k);
      text += fmt::format(
          "{},{},{},{},{}{}{}{},{}\n", curve.name, csv_number(curve.tangential_power), curve.solver,
          csv_number(curve.epsilon), csv_number(curve.motion.times[k]),
          values(curve.motion.q.col(i), system.nq), values(curve.motion.v.col(i), system.n),
          values(curve.motion.lambda.col(i), model.forces()),
          curve.modes.empty() ? "" : mode_words(curve.modes[k]));
    }
  return text;
}

}  // namespace rigidlimit
