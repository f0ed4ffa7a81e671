// All methods, by name.
#pragma once

#include <span>
#include <string_view>

#include "rigidlimit/solvers/method.hpp"

namespace rigidlimit {

/// The methods for ordinary and for differential-algebraic problems, in the order of tables.
std::span<const OdeMethod> ode_methods();
std::span<const DaeMethod> dae_methods();

/// The method of that name, nullptr if there is none.
const OdeMethod* find_ode_method(std::string_view name);
const DaeMethod* find_dae_method(std::string_view name);

}  // namespace rigidlimit
