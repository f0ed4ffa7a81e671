// The settings of a contact engine for a contact that was found.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "rigidlimit/experiment/stiffness/pair_study.hpp"

namespace rigidlimit {

/// A simulation program with its own contact law (docs/engines.md).
struct Engine;

/// Sorted by name. engine_named() throws InputError.
std::vector<std::string> names_of_engines();
const Engine& engine_named(const std::string& name);
const char* title_of(const Engine& engine);  ///< "MuJoCo"

/// The body, on which the settings depend beside the study. NaN: the parameter `mass` of the
/// system; the mean normal force of the rigid motion, which a rolling study does not have.
struct EngineBody {
  double mass = std::numeric_limits<double>::quiet_NaN();          ///< kg
  double normal_force = std::numeric_limits<double>::quiet_NaN();  ///< N
  std::string shape = {};  ///< "disc", "ball"; empty: that of a system of the program (shape_of)
};

/// Why the contact of the engine has not the rows of the study, so that there are no settings for
/// them; empty: it has. Engines have a contact of a body with a surface. Rows of a rolling study
/// are those of such a contact if the body is a disc or a ball; those of a friction study are, with
/// any body for MuJoCo, Drake and Newton, and with a disc or ball for EXUDYN and LAMMPS, of which
/// the latter has no disc in space. Throws InputError for another `body.shape`.
std::string rows_without_settings(const Engine& engine, const PairStudy& study,
                                  const EngineBody& body);

/// The study with the law of the engine in place of its own: a damper ("viscous", "regularised",
/// "smoothed") or a spring beside a damper. Throws InputError for a contact that the engine lacks,
/// and for a wanted error of another quantity than q: a step is chosen by its error in q.
PairStudy posed_for(const Engine& engine, PairStudy study, const std::vector<WantedError>& wanted);

/// One setting, by the name that the engine gives to it.
struct EngineSetting {
  std::string name{};
  double number = std::numeric_limits<double>::quiet_NaN();  ///< NaN: `word` is the value
  std::string word = {};
  std::string unit = {};
  std::string meaning;
};

struct EngineAnswer {
  const Engine* engine = nullptr;
  std::vector<EngineSetting> settings;
  std::string refusal;  ///< the floor of the engine, with its number; empty: the settings hold
};

/// The settings for a found contact. Errors of steps and of the normal spring are each a few
/// hundredths of the wanted one; docs/engines.md has the formulas and what the engines do with
/// them. Throws InputError where `body` lacks a value.
EngineAnswer settings_of(const Engine& engine, const PairStudy& study,
                         const std::vector<WantedError>& wanted, const FoundContact& contact,
                         const ContactTimes& times, const Motion& rigid, EngineBody body);

}  // namespace rigidlimit
