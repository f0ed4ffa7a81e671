// The subcommand `joint`: stiffness, damping, gap and steps of a soft joint by formulas.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>

#include "rigidlimit/cli/reporter.hpp"
#include "rigidlimit/cli/subcommand.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/given_unit.hpp"
#include "rigidlimit/experiment/stiffness/joint_estimate.hpp"

namespace rigidlimit {

namespace {

constexpr const char* joint_footer =
    "A joint or contact of one row g with the spring k g and the damper c g' follows the\n"
    "rigid one with the gap load/k: of order 2 in eps = k^(-1/2). The load is the largest\n"
    "force of the rigid joint: m g of a hanging mass, 3 m g of a pendulum that swings from\n"
    "the horizontal, whatever its length. The effective mass is 1/(G M^-1 G^T): the mass\n"
    "of a body that hangs at its centre, m1 m2/(m1 + m2) between two bodies.\n"
    "\n"
    "Give one of --gap, --stiffness and --frequency. Sizes have their SI unit, or one of\n"
    "their own: 0.1mm, 2kN, 5g. With --rotation the mass is a moment of inertia [kg m^2],\n"
    "the load a moment [N m] and the gap an angle [rad].\n"
    "\n"
    "The numbers are leading terms; `stiffness FILE --error gap=SIZE` solves the motion of\n"
    "a study and confirms its answer. docs/joints.md has the derivation.\n"
    "\n"
    "Exit status: 0 answered, 2 could not run.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit joint --mass 1 --load 29.43 --gap 0.1mm\n"
    "  rigidlimit joint --mass 2kg --load 20N --frequency 50Hz --damping-ratio 0.7\n"
    "  rigidlimit joint --rotation --mass 0.1 --load 5 --stiffness 2e4 --format json";

/// Texts of numbers with units; empty: not given.
struct JointArguments {
  OutputArguments output;
  bool rotation = false;
  std::string mass, load, gap, stiffness, frequency;
  double damping_ratio = 1.0;
};

std::optional<double> number_if_given(const std::string& text, const char* option,
                                      const std::string& unit) {
  if (text.empty()) return std::nullopt;
  try {
    return quantity_in_si(text, unit);
  } catch (const InputError& error) {
    throw InputError(error.message(), fmt::format("{} {}", option, text));
  }
}

int answer_joint(const JointArguments& arguments) {
  const bool turns = arguments.rotation;
  JointQuestion question{
      .rotation = turns,
      .mass = number_if_given(arguments.mass, "--mass", turns ? "kg m^2" : "kg").value_or(1.0),
      .load = number_if_given(arguments.load, "--load", turns ? "N m" : "N").value_or(0.0),
      .damping_ratio = arguments.damping_ratio,
      .gap = number_if_given(arguments.gap, "--gap", turns ? "rad" : "m"),
      .stiffness = number_if_given(arguments.stiffness, "--stiffness", turns ? "N m/rad" : "N/m"),
      .frequency = number_if_given(arguments.frequency, "--frequency", "Hz")};
  Reporter reporter(arguments.output, false);
  JointEstimate estimate;
  try {
    estimate = estimated_joint(question);
  } catch (const InputError& error) {
    std::string option = "--" + error.where();
    for (char& letter : option)
      if (letter == '_') letter = '-';
    throw InputError(error.message(), option);
  }
  Result report = in_tables(estimate);
  const int status = status_of(report);
  reporter.take(std::move(report), "", std::chrono::steady_clock::now());
  reporter.finish({});
  return status;
}

}  // namespace

Subcommand add_joint(CLI::App& program, const SystemCatalogue&) {
  Command command(program, "joint", "Stiffness, gap and steps of a soft joint, without a file",
                  joint_footer);
  const auto arguments = std::make_shared<JointArguments>();
  command.option("--mass", arguments->mass, "effective mass (default: 1 kg)").value("SIZE");
  command.option("--load", arguments->load, "largest force of the rigid joint").value("SIZE");
  command.option("--gap", arguments->gap, "wanted gap under the load").value("SIZE");
  command.option("--stiffness", arguments->stiffness, "stiffness k, in place of a gap")
      .value("SIZE");
  command.option("--frequency", arguments->frequency, "undamped frequency, in place of a gap")
      .value("SIZE");
  command
      .option("--damping-ratio", arguments->damping_ratio, "ratio to critical damping (default: 1)")
      .value("RATIO");
  command.flag("--rotation", arguments->rotation, "a joint of an angle");
  add_output(command, arguments->output);
  return {command, [arguments] { return answer_joint(*arguments); }};
}

}  // namespace rigidlimit
