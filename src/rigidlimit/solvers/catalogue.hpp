// All methods, by name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The methods for ordinary and for differential-algebraic problems, in the order of tables.
std::span<const OdeMethod> ode_methods();
std::span<const DaeMethod> dae_methods();

/// The method of that name, nullptr if there is none.
const OdeMethod* find_ode_method(std::string_view name);
const DaeMethod* find_dae_method(std::string_view name);

/// Whether a method rests on a form of the right-hand side that not every problem has: a splitting,
/// a fast block, or the rate of eight states at once.
bool needs_a_form(const OdeMethod& method);

/// Why `method` would not solve this problem as the method that it is; empty: it would. Without its
/// form it refuses (InputError), or another method of its family takes its place: whoever puts the
/// method's name beside the result asks first.
std::string refusal_of(const OdeMethod& method, const OdeProblem& problem);

}  // namespace rigidlimit
