#include "rigidlimit/mechanics/switches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "rigidlimit/core/sign_changes.hpp"
#include "rigidlimit/mechanics/recorded_equations.hpp"

namespace rigidlimit {
namespace {

using Key = std::uint64_t;

Key mixed(Key h, Key part) {
  constexpr Key factor = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  h = (h ^ part ^ (h >> 29)) * factor;
  return h ^ (h >> 32);
}

Key key_of_constant(double value) {
  return mixed(1, std::bit_cast<Key>(value));
}

/// Kind of an argument of a tape. The same number has the same key in every tape.
enum class Argument : Key { time = 2, coordinate, velocity, coordinate_rate, acceleration };

/// A number of a tape. Its key encodes its computation from the arguments.
struct Number {
  Key key = 0;
  unsigned depends = 0;  ///< bits 1 << Argument
  Expression value = 0;
};

constexpr unsigned on(Argument argument) {
  return 1U << static_cast<unsigned>(argument);
}

/// One kind of arguments of a tape. Number `clock` of them is the time; -1: none.
struct SwitchRole {
  Argument what;
  Index count;
  Index clock = -1;

  Number number(Index i, const Expression& value) const {
    if (i == clock) return {mixed(static_cast<Key>(Argument::time), 0), on(Argument::time), value};
    return {mixed(static_cast<Key>(what), static_cast<Key>(i)), on(what), value};
  }
};
using Roles = std::vector<SwitchRole>;

std::vector<Number> arguments(Recording& recording, const SwitchRole& role) {
  std::vector<Number> all;
  for (Index i = 0; i < role.count; ++i) all.push_back(role.number(i, recording.input()));
  return all;
}

bool is_condition(const Number& a, const Number& b, Operation operation) {
  const bool compares = operation == Operation::less || operation == Operation::less_equal ||
                        operation == Operation::abs;
  return compares && ((a.depends | b.depends) != 0);
}

/// The switch of an instruction, as σ = low − high; low is the operand with the smaller key.
struct SwitchOperands {
  Number low, high;
  bool swapped;  ///< the instruction's a is `high`

  SwitchOperands(const Number& a, const Number& b)
      : low(a.key < b.key ? a : b), high(a.key < b.key ? b : a), swapped(!(a.key < b.key)) {}
};

/// Recomputes a tape. `decide` may fix the result of a condition; empty: as recorded.
using Decide = std::function<std::optional<Expression>(Operation, const SwitchOperands&)>;

std::vector<Number> replayed(const Tape& tape, const std::vector<Number>& inputs,
                             const Decide& decide) {
  std::vector<Number> memory(tape.size);
  for (std::size_t i = 0; i < tape.constants.size(); ++i)
    memory[i] = {key_of_constant(tape.constants[i]), 0, tape.constants[i]};
  std::ranges::copy(inputs, memory.begin() + tape.first_input());
  const Number zero{key_of_constant(0.0), 0, 0};
  for (const std::vector<Instruction>& steps : {tape.prelude, tape.body})
    for (const Instruction& step : steps) {
      const int operands = operands_of(step.operation);
      const Number a = memory[step.a], b = operands > 1 ? memory[step.b] : zero,
                   c = operands > 2 ? memory[step.c] : zero;
      std::array keys{a.key, b.key};
      if (step.operation == Operation::add || step.operation == Operation::multiply)
        std::ranges::sort(keys);
      Number result{
          mixed(mixed(mixed(static_cast<Key>(step.operation) + 100, keys[0]), keys[1]), c.key),
          a.depends | b.depends | c.depends, 0};
      std::optional<Expression> known;
      if (is_condition(a, b, step.operation)) known = decide(step.operation, SwitchOperands(a, b));
      result.value = known ? *known : applied(step.operation, a.value, b.value, c.value);
      memory[step.to] = result;
    }
  std::vector<Number> results;
  for (const std::uint32_t place : tape.outputs) results.push_back(memory[place]);
  return results;
}

/// The tapes of a system that its motions need, with the kinds of their arguments.
template <class Recorded, class Each>
void each_tape(Recorded& r, const Each& each) {
  using enum Argument;
  const SwitchRole coordinates{coordinate, r.nq, r.clock};
  const Roles q{coordinates};
  const Roles drift{coordinates, {coordinate_rate, r.nq}, {velocity, r.n}};
  each(r.coordinate_rate, Roles{coordinates, {velocity, r.n}});
  each(r.restoring_rate, q);
  each(r.invariants, q);
  each(r.mass_matrix, q);
  each(r.inertia_force, Roles{coordinates, {acceleration, r.n}});
  each(r.force, Roles{coordinates, {velocity, r.n}, {time, 1}});
  each(r.potential, q);
  each(r.constraints, q);
  each(r.constraint_drift, drift);
  each(r.quasi_velocities, q);
  each(r.quasi_velocity_drift, drift);
  if (r.nc == 0) return;
  each(r.gap, q);
  each(r.normal_rows, q);
  each(r.normal_drift, Roles{coordinates, {velocity, r.n}});
  each(r.normal_force, Roles{coordinates, {velocity, r.n}, {time, 1}});
}

std::vector<Number> inputs_for(Recording& recording, const Roles& roles) {
  std::vector<Number> all;
  for (const SwitchRole& role : roles)
    std::ranges::move(arguments(recording, role), std::back_inserter(all));
  return all;
}

/// The conditions of all tapes, each once, as functions of (t, q, v).
struct Conditions {
  std::vector<Key> low, high;
  std::vector<unsigned> depends;
  std::vector<Expression> values;
};

Conditions conditions_of(const RecordedSystem& system, Recording& recording) {
  using enum Argument;
  std::map<Argument, std::vector<Number>> known;
  for (const SwitchRole& role :
       Roles{{time, 1}, {coordinate, system.nq, system.clock}, {velocity, system.n}})
    known[role.what] = arguments(recording, role);
  if (system.clock >= 0)
    known[coordinate][static_cast<std::size_t>(system.clock)] = known[time].front();
  for (const SwitchRole& role : Roles{{coordinate_rate, system.nq}, {acceleration, system.n}}) {
    // No condition of a motion depends on these arguments; such a condition is left unchanged.
    known[role.what] = {};
    const ExpressionVector unknown = recording.unknowns(role.count);
    for (Index i = 0; i < role.count; ++i) known[role.what].push_back(role.number(i, unknown(i)));
  }
  Conditions found;
  each_tape(system, [&](const Tape& tape, const Roles& roles) {
    std::vector<Number> inputs;
    for (const SwitchRole& role : roles)
      inputs.insert(inputs.end(), known[role.what].begin(), known[role.what].end());
    replayed(tape, inputs,
             [&](Operation, const SwitchOperands& asked) -> std::optional<Expression> {
               const unsigned depends = asked.low.depends | asked.high.depends;
               if ((depends & (on(coordinate_rate) | on(acceleration))) != 0) return std::nullopt;
               for (std::size_t k = 0; k < found.low.size(); ++k)
                 if (found.low[k] == asked.low.key && found.high[k] == asked.high.key)
                   return std::nullopt;
               found.low.push_back(asked.low.key);
               found.high.push_back(asked.high.key);
               found.depends.push_back(depends);
               found.values.push_back(asked.low.value - asked.high.value);
               return std::nullopt;
             });
  });
  return found;
}

}  // namespace

Switches::Switches(const RecordedSystem& system, std::vector<double> times)
    : times_(std::move(times)) {
  Recording recording;
  const Conditions found = conditions_of(system, recording);
  low_ = found.low;
  high_ = found.high;
  for (const unsigned depends : found.depends) of_time_.push_back(depends == on(Argument::time));
  ExpressionVector sigma(count());
  for (Index k = 0; k < count(); ++k) sigma(k) = found.values[static_cast<std::size_t>(k)];
  const Tape tape = recording.tape(sigma);
  const Index arguments = 1 + system.nq + system.n;
  using V = const ExpressionVector&;
  values_ = std::make_shared<const Evaluator<double>>(tape, Machine::interpreter);
  rates_ = std::make_shared<const Evaluator<double>>(
      tape_of([&](V x, V dx) { return tangents_of(inlined(tape, x), x, dx); }, arguments,
              arguments),
      Machine::interpreter);
}

bool Switches::depends_on_state() const {
  return std::ranges::count(of_time_, false) > 0;
}

VectorXd Switches::values(double t, VectorIn q, VectorIn v) const {
  VectorXd sigma(count());
  (*values_)(into(sigma), std::span(&t, 1), q, v);
  return sigma;
}

VectorXd Switches::rates(double t, VectorIn q, VectorIn v, double t_rate, VectorIn q_rate,
                         VectorIn v_rate) const {
  VectorXd rate(count());
  (*rates_)(into(rate), std::span(&t, 1), q, v, std::span(&t_rate, 1), q_rate, v_rate);
  return rate;
}

Sides Switches::sides_at(double t, VectorIn q, VectorIn v, VectorIn q_rate, VectorIn v_rate) const {
  const VectorXd sigma = values(t, q, v), rate = rates(t, q, v, 1.0, q_rate, v_rate);
  Sides sides;
  for (Index k = 0; k < count(); ++k) {
    sides.push_back((is_zero(sigma(k)) ? rate(k) : sigma(k)) >= 0.0 ? 1 : -1);
  }
  return sides;
}

Sides Switches::sides_at_start(double t, VectorIn q, VectorIn v, const RatesAt& rates) const {
  const Rates now = rates({}, t, q, v);
  const VectorXd sigma = values(t, q, v);
  Sides as_they_are = sides_at(t, q, v, now.q, now.v);
  std::vector<std::size_t> zero;
  for (Index k = 0; k < count(); ++k)
    if (!depends_on_time_alone(k) && is_zero(sigma(k))) zero.push_back(static_cast<std::size_t>(k));
  constexpr std::size_t most = 8;
  if (zero.empty() || zero.size() > most) return as_they_are;
  // s: far above rounding, far below the time between two switches. A rate that is zero at the
  // start, as of a motion from rest, has the sign of its change.
  constexpr double moment = 1e-7;
  const auto keeps = [&](const Sides& sides) {
    const Rates begin = rates(sides, t, q, v);
    const VectorXd v_next = v + moment * begin.v;
    const VectorXd q_next = q + moment * rates(sides, t, q, v + 0.5 * moment * begin.v).q;
    const Rates next = rates(sides, t + moment, q_next, v_next);
    const VectorXd rate = this->rates(t + moment, q_next, v_next, 1.0, next.q, next.v);
    return std::ranges::all_of(
        zero, [&](std::size_t k) { return sides[k] * rate(static_cast<Index>(k)) > 0.0; });
  };
  // Bit i of `changed` changes side zero[i]; 0 first, so that a motion may keep its sides.
  for (std::size_t changed = 0; changed < std::size_t{1} << zero.size(); ++changed) {
    Sides sides = as_they_are;
    for (std::size_t i = 0; i < zero.size(); ++i)
      if ((changed >> i & 1U) != 0) sides[zero[i]] *= -1;
    if (keeps(sides)) return sides;
  }
  return as_they_are;
}

const std::vector<Switches::Instant>& Switches::instants(double end) const {
  const std::scoped_lock lock(guard_);
  const auto [found, is_new] = instants_.try_emplace(end);
  if (is_new) found->second = located_instants(end);
  return found->second;
}

std::vector<Switches::Instant> Switches::located_instants(double end) const {
  std::map<double, std::vector<Index>> found;
  for (const double t : times_)
    if (t > 0.0 && t < end) found[t];
  std::vector<Index> of_time;
  for (Index k = 0; k < count(); ++k)
    if (depends_on_time_alone(k)) of_time.push_back(k);
  const VectorXd any_state = VectorXd::Zero(static_cast<Index>(values_->tape().inputs) - 1);
  const auto sigma = [&](double t) -> VectorXd {
    return values(t, any_state, VectorXd(0))(of_time);
  };
  for (const SignChange& change : sign_changes(std::ssize(of_time), sigma, 0.0, end))
    for (const Index k : change.which)
      found[change.t].push_back(of_time[static_cast<std::size_t>(k)]);
  std::vector<Instant> all;
  for (auto& [t, which] : found) all.push_back({t, std::move(which)});
  return all;
}

const System& Switches::with(const System& system, const Sides& sides) const {
  const std::scoped_lock lock(guard_);
  const auto made = pieces_.find(sides);
  if (made != pieces_.end()) return made->second;
  const Decide decide = [&](Operation operation,
                            const SwitchOperands& asked) -> std::optional<Expression> {
    for (std::size_t k = 0; k < low_.size(); ++k) {
      if (low_[k] != asked.low.key || high_[k] != asked.high.key) continue;
      const bool a_is_larger = (sides[k] > 0) != asked.swapped;
      if (operation != Operation::abs) return Expression(a_is_larger ? 0 : 1);
      const Expression& a = asked.swapped ? asked.high.value : asked.low.value;
      return a_is_larger ? a : -a;
    }
    return std::nullopt;
  };
  auto recorded = std::make_shared<RecordedSystem>(*system.recorded);
  each_tape(*recorded, [&](Tape& tape, const Roles& roles) {
    Recording recording;
    const std::vector<Number> results = replayed(tape, inputs_for(recording, roles), decide);
    ExpressionVector outputs(std::ssize(results));
    for (std::size_t i = 0; i < results.size(); ++i)
      outputs(static_cast<Index>(i)) = results[i].value;
    tape = recording.tape(outputs);
  });
  System piece = system;
  piece.switches = nullptr;
  piece.recorded = recorded;
  piece.tapes = motion_tapes_of(recorded);
  piece.equations = equations_of(*recorded);
  return pieces_.emplace(sides, std::move(piece)).first->second;
}

bool surfaces_switch(const RecordedSystem& system) {
  using enum Argument;
  const SwitchRole coordinates{coordinate, system.nq, system.clock};
  bool found = false;
  const auto search = [&](const Tape& tape, const Roles& roles) {
    Recording recording;
    replayed(tape, inputs_for(recording, roles),
             [&](Operation, const SwitchOperands& asked) -> std::optional<Expression> {
               found = found || ((asked.low.depends | asked.high.depends) & on(time)) != 0;
               return std::nullopt;
             });
  };
  search(system.constraints, {coordinates});
  search(system.coordinate_rate, {coordinates, {velocity, system.n}});
  if (system.nc > 0) search(system.gap, {coordinates});
  return found;
}

bool are_inseparable(double a, double b) {
  return std::abs(a - b) <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(b);
}

std::shared_ptr<const Switches> switches_of(const RecordedSystem& system,
                                            std::vector<double> times) {
  bool compares = false;
  each_tape(system, [&](const Tape& tape, const Roles&) {
    for (const Instruction& step : tape.body)
      compares = compares || step.operation == Operation::less ||
                 step.operation == Operation::less_equal || step.operation == Operation::abs;
  });
  if (!compares && times.empty()) return nullptr;
  auto switches = std::make_shared<const Switches>(system, std::move(times));
  return switches->empty() ? nullptr : std::move(switches);
}

}  // namespace rigidlimit
