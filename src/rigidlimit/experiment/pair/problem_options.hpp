// The options that change the problem of a rolling study, and those that each consumer covers.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rigidlimit/experiment/pair/rolling_study.hpp"

namespace rigidlimit {

/// An option beyond the plain problem: one viscoelastic law with β = 1 from an unloaded spring and
/// a start that rolls, against the rigid motion on [0, T], of smooth equations with independent
/// contacts. Numbers (C, D, T, parameters, start) are no options: every consumer takes them.
enum class ProblemOption {
  several_laws,      ///< contact.law is a list
  other_law,         ///< contact.law without "viscoelastic"
  damping_exponent,  ///< β ≠ 1
  prepared_spring,   ///< contact.preparation = "prepared"
  prepared_joint,    ///< the same with constraint_position: q(0) depends on ε
  given_deflection,  ///< contact.deflection
  sliding_start,     ///< initial.project, with a start that slides
  stretched_time,    ///< time.stretch: the interval [0, T ε^−s]
  composite,         ///< study.against = "composite"
  tangent,           ///< [tangent]
  switches,          ///< forces with kinks or jumps
  redundant_contacts,
  members,  ///< [ensemble]: the claims are on its members, too
};

inline constexpr std::array all_problem_options{
    ProblemOption::several_laws,     ProblemOption::other_law,
    ProblemOption::damping_exponent, ProblemOption::prepared_spring,
    ProblemOption::prepared_joint,   ProblemOption::given_deflection,
    ProblemOption::sliding_start,    ProblemOption::stretched_time,
    ProblemOption::composite,        ProblemOption::tangent,
    ProblemOption::switches,         ProblemOption::redundant_contacts,
    ProblemOption::members};

/// The key of an option: "time.stretch".
const char* key_of(ProblemOption option);
/// The key with its value in the study, "time.stretch = 0.5"; empty: the study does not use it.
std::string in_use(ProblemOption option, const RollingStudy& study);

/// A part of the program that answers a question about the problem of a study, and the options that
/// it follows. All others are refused, also those of a later version.
struct ProblemConsumer {
  const char* name;
  std::vector<ProblemOption> covered;
};

namespace consumers {

extern const ProblemConsumer proof;                ///< the command `prove`
extern const ProblemConsumer theorem;              ///< [[bound]] with proved = "all", of one law
extern const ProblemConsumer enclosure;            ///< certified rows
extern const ProblemConsumer expansion;            ///< the command `expand`
extern const ProblemConsumer composite_reference;  ///< study.against = "composite"
extern const ProblemConsumer stiffness;            ///< the command `stiffness`
extern const ProblemConsumer ensemble;             ///< [ensemble]

}  // namespace consumers

/// The first option in use that the consumer does not cover, "time.stretch = 0.5 is not covered by
/// the theorem: …"; empty: it covers the study.
std::string refusal_of(const ProblemConsumer& consumer, const RollingStudy& study);

}  // namespace rigidlimit
