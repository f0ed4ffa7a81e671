// A study of one pair of motions, rolling or with friction, as the search for a contact sees it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rigidlimit/experiment/experiment.hpp"
#include "rigidlimit/experiment/friction/friction_study.hpp"
#include "rigidlimit/experiment/judge/series.hpp"
#include "rigidlimit/experiment/pair/rolling_study.hpp"
#include "rigidlimit/experiment/plan/run_options.hpp"
#include "rigidlimit/experiment/stiffness/contact_rates.hpp"
#include "rigidlimit/experiment/stiffness/wanted_error.hpp"

namespace rigidlimit {

/// Throws InputError for a sweep or a benchmark.
PairStudy pair_study_of(const Experiment& experiment);

/// nullptr: it is a friction study.
const RollingStudy* rolling_study(const PairStudy& study);

const std::string& name_of(const PairStudy& study);
const std::string& source_of(const PairStudy& study);
const SystemEntry& system_of(const PairStudy& study);
std::string law_of(const PairStudy& study);              ///< "viscoelastic", "projected, κ = 1"
std::string small_parameter_of(const PairStudy& study);  ///< the meaning of ε
std::string resolved_toml(const PairStudy& study);       ///< the file
double end_of(const PairStudy& study, double epsilon);   ///< T, s
std::vector<double>& epsilons_of(PairStudy& study);

/// The study with its first solvers, without claims. Throws InputError for several laws, a law
/// without stiffness and damping, or a study that compares no motions.
PairStudy plain_study(PairStudy study, const std::vector<WantedError>& wanted);

/// The errors of a run.
struct PairErrors {
  std::vector<Series> series;
  std::string no_prediction;  ///< why some K are not predicted
  std::string failure;        ///< of the first solve that failed
};
PairErrors errors_of(const PairStudy& study, const RunOptions& options);

/// The rigid motion at 100 steps or more of equal length; its end is NaN where it has none.
Motion rigid_motion_of(const PairStudy& study);

/// Spring and damper of one frictional contact. NaN: the law has none.
struct FrictionalValues {
  std::string name;
  double friction = 0.0;                    ///< μ
  double normal_force = 0.0;                ///< mean of |p| along the rigid motion, N
  double stiffness, damping;                ///< tangential, N/m and N s/m
  double creep;                             ///< sliding velocity δ of a law that creeps, m/s
  double normal_stiffness, normal_damping;  ///< of a unilateral contact, N/m and N s/m
};

/// The contact of a study at one ε: of a rolling study k and d of all rows, of a friction study the
/// values of each contact.
struct FoundContact {
  ContactValues rolling;
  std::vector<FrictionalValues> frictional;
};
FoundContact contact_of(const PairStudy& study, double epsilon, const Motion& rigid);

/// A damper of each contact row by itself, in place of a matrix that couples the rows.
struct DiagonalDamping {
  RollingStudy study;  ///< with it
  VectorXd damping;    ///< of the rows, N s/m
};

/// d = s diag(d₀) of the damper d₀ of the contact at ε, with the s in [0.1, 10] for which the
/// slowest part of the layer decays fastest: min −Re μ(s) is largest (contact_rates at the start).
/// The diagonal of d₀ is the damper of a row while the others do not slide; without its coupling a
/// critical d₀ has modes above and below critical damping, and s balances them. None for a damper
/// that couples no rows, a contact without spring and a friction study.
std::optional<DiagonalDamping> diagonal_damping_of(const PairStudy& study,
                                                   const FoundContact& contact);

/// Time scales of a contact.
struct ContactTimes {
  double decay = 0.0;         ///< decay_time(), at the start, s
  double period = 0.0;        ///< shortest_period(), at the start, s
  double largest_step = 0.0;  ///< largest_step_of_order_4(), the least along the rigid motion, s
};
ContactTimes times_of(const PairStudy& study, const FoundContact& contact, const Motion& rigid);

}  // namespace rigidlimit
