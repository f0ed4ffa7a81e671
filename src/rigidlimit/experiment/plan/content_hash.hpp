// Hashes and texts that identify the inputs of a solve.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigidlimit/mechanics/system.hpp"
#include "rigidlimit/systems/system_entry.hpp"

namespace rigidlimit {

struct OdeMethod;  // solvers/method.hpp

/// The UUID (version 5, SHA-1; RFC 4122) of the bytes in a name space of this project: the same on
/// every machine. Two different texts collide with probability 2^(−61).
std::string content_hash(std::string_view bytes);

/// Fingerprint of a system's equations: a hash of M, F, [E; G], T v and the drift at three states
/// near `at`, each rounded to nine digits of its largest entry, so that it does not depend on
/// compiler or processor. It changes if a system is changed under the same name.
std::string fingerprint(const System& system, const InitialState& at);

/// From one of these three states to the next one. The steps break all symmetries of a system.
void move_to_next_state(VectorXd& q, VectorXd& v);

/// Sizes and entries of a matrix: exact, as text that reads back as the same doubles; and rounded
/// to multiples of 1e-9 of the largest entry, so that round-off does not show.
std::string exact_text(const MatrixXd& X);
std::string rounded_text(const MatrixXd& X);

/// Part of the key for properties of a system that three states do not show (a push at t = 1, a
/// wall). For a user-defined system, the program's code; for a system of formulas, its tapes, so
/// that a change of words, units or comments has no effect. Empty for a system of the library: its
/// sources are in the key (report/build_info.hpp), and all programs share its solves.
std::string origin_text(const SystemEntry& entry, const RecordedSystem& recorded);

/// A hash of the times, bit by bit.
std::string grid_hash(const std::vector<double>& times);

/// The solver of either side in the keys of solves: its name, and for a method of a user also a
/// hash of its content.
std::string identity_of_solver(const std::string& name);
std::string identity_of_solver(const OdeMethod& method);

}  // namespace rigidlimit
