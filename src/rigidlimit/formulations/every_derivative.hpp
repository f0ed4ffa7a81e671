// The definitions of all members of Derivatives: for the one translation unit a system that
// instantiates them.
#pragma once

#include "rigidlimit/formulations/adapted.hpp"
#include "rigidlimit/formulations/compliant.hpp"
#include "rigidlimit/formulations/rigid_eliminated.hpp"
#include "rigidlimit/formulations/rigid_reduced.hpp"
#include "rigidlimit/formulations/rigid_semi_explicit.hpp"
