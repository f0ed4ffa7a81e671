// The keys of a rolling study.
#pragma once

#include <optional>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/toml/key_table.hpp"

namespace rigidlimit {

class GivenBegin;  // read_claims.hpp

/// The study of a claim, for the keys of the claim while they are read.
struct ClaimContext {
  RollingStudy* study = nullptr;
  GivenBegin* begin = nullptr;
};

/// A table [[bound]]: bounds of the model error, of the solver error, or both.
struct BoundTable : BoundSpec {
  std::optional<double> constant = {}, power = {};  ///< K and p of the model error
  std::optional<double> solver_error = {};          ///< largest one

  BoundTable() = default;
  explicit BoundTable(const BoundSpec& spec);
  std::vector<BoundSpec> bounds() const;
};

/// Tables of a rolling study, each with the members that it fills.
namespace rolling_keys {
const KeyTable<RollingStudy>& study();
const KeyTable<RollingStudy>& initial();
const KeyTable<RollingStudy>& tangent();
const KeyTable<RollingStudy>& contact();
const KeyTable<RollingStudy>& time();
const KeyTable<RollingStudy>& solvers();
const KeyTable<CompliantSettings>& solver();  ///< [solvers.NAME]
const KeyTable<RollingStudy>& output();
const KeyTable<RollingStudy>& composite();
/// Of a claim, without a context to be written or described, not read.
KeyTable<ExpectationSpec> expectation(const ClaimContext& of = {});
KeyTable<StepsSpec> steps(const ClaimContext& of = {});  ///< [[expect]] with quantity = "steps"
KeyTable<BoundTable> bound(const ClaimContext& of = {});
/// The valid begins of the window "after", in [time] and in claims.
Range begins_of_window(const RollingStudy& study);
}  // namespace rolling_keys

/// Every table in the order of the resolved file, with [system].
std::vector<KeyTableInfo> tables_of_rolling_studies();

/// The keys of [contact] that at least one of the named laws uses.
struct ContactKeys {
  bool stiffness;    ///< C of a spring, also for the critical damping behind a damping ratio
  bool damping;      ///< D
  bool exponent;     ///< β
  bool preparation;  ///< η(0): preparation and deflection
};

ContactKeys keys_of(const ContactSpec& contact);

/// Why such a law has no formulation, in messages.
inline constexpr const char* always_natural = ", which is always solved in (q, v)";

/// The laws of a study, in quotes: for messages.
std::string quoted_laws(const ContactSpec& contact);

}  // namespace rigidlimit
