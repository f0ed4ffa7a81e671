// All methods, by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The methods for ordinary and for differential-algebraic problems, in the order of tables.
std::span<const OdeMethod> ode_methods();
std::span<const DaeMethod> dae_methods();

/// The method of that name, nullptr if there is none.
const OdeMethod* find_ode_method(std::string_view name);
const DaeMethod* find_dae_method(std::string_view name);

/// The names of ode_methods().
std::vector<std::string> names_of_ode_methods();

/// Whether a method needs a special form of the right-hand side: a splitting, a fast block, the
/// rate of eight states at once, or recorded equations.
bool needs_a_form(const OdeMethod& method);

/// Reason why `method` would not solve this problem under its name; empty: it would. Without its
/// form it throws InputError, or another method of its family replaces it. Callers that report the
/// method's name must check this first.
std::string refusal_of(const OdeMethod& method, const OdeProblem& problem);

}  // namespace rigidlimit
