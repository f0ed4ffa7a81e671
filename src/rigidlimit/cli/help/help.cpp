// The subcommand `help`: subcommands, topics, words of the tables.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "rigidlimit/cli/exit_status.hpp"
#include "rigidlimit/cli/help/help_texts.hpp"
#include "rigidlimit/cli/help/keys_help.hpp"
#include "rigidlimit/cli/help/markdown.hpp"
#include "rigidlimit/cli/program.hpp"
#include "rigidlimit/core/error.hpp"
#include "rigidlimit/core/standard_streams.hpp"
#include "rigidlimit/core/suggest.hpp"

namespace rigidlimit {

namespace {

constexpr const char* help_footer =
    "TOPIC is a command, a verdict, status or outcome, or one of the topics that\n"
    "'rigidlimit help' lists.\n"
    "\n"
    "Examples:\n"
    "  rigidlimit help study-files\n"
    "  rigidlimit help run\n"
    "  rigidlimit help keys time";

struct HelpArguments {
  std::string topic;
  std::string keys;  ///< of which kind or table; empty: all
  bool markdown = false;
};

void show_overview(const Program& program) {
  const ProgramModel model = model_of(program);
  print_text(model.text + "\n\nCommands (rigidlimit help COMMAND):\n");
  for (const SubcommandModel& subcommand : model.subcommands)
    print_text(hanging(subcommand.name, subcommand.text, 16));
  print_output("\nTopics (rigidlimit help TOPIC):\n");
  for (const Topic& topic : topics()) print_text(hanging(topic.name, topic.title, 16));
  print_text(hanging("keys", "Every key of experiment files; also of one KIND or TABLE", 16));
  print_output(
      "\nTo start:\n"
      "  rigidlimit init knife_edge\n"
      "  rigidlimit check knife_edge.toml\n"
      "  rigidlimit explain confirmed\n");
}

int help(const SystemCatalogue& systems, const HelpArguments& arguments,
         const std::string& program_name) {
  const Program program = make_program(systems, program_name);
  const std::string& name = arguments.topic;
  if (name != "keys" && (arguments.markdown || !arguments.keys.empty()))
    throw InputError("is valid only with the topic keys: rigidlimit help keys",
                     arguments.markdown ? "--markdown" : arguments.keys);
  if (arguments.markdown && !arguments.keys.empty())
    throw InputError("prints the keys of all tables: omit TABLE", "--markdown");
  if (name == "keys") {
    print_text(arguments.markdown ? keys_page() : keys_text(arguments.keys));
  } else if (name.empty()) {
    show_overview(program);
  } else if (const Subcommand* subcommand = find_subcommand(program, name)) {
    print_text(subcommand->command.help(program_name));
  } else if (const Topic* topic = find_topic(name)) {
    print_text(text_of(*topic));
  } else if (const Explanation* explanation = find_explanation(name)) {
    print_text(text_of(*explanation));
  } else {
    std::vector<std::string> known = names_of(program);
    for (const Topic& t : topics()) known.push_back(t.name);
    known.emplace_back("keys");
    for (const std::string& word : names_of_explanations()) known.push_back(word);
    throw InputError(
        fmt::format("'{}' is not a topic{}", name,
                    suggestion(name, known, "rigidlimit help' and 'rigidlimit explain")));
  }
  return exit_status::held;
}

/// Names of all subcommands and topics.
std::vector<std::string> names_of_subjects(const CLI::App& program) {
  std::vector<std::string> names = names_of_commands(program);
  for (const Topic& topic : topics()) names.push_back(topic.name);
  names.emplace_back("keys");
  return names;
}

}  // namespace

Subcommand add_help(CLI::App& program, const SystemCatalogue& systems) {
  Command command(program, "help", "Explain a command or a topic, with examples", help_footer);
  const auto arguments = std::make_shared<HelpArguments>();
  command.option("TOPIC", arguments->topic, "command, topic or word (default: list them)");
  command.option("TABLE", arguments->keys, "of keys: one kind of file or one table (default: all)");
  command.flag("--markdown", arguments->markdown, "print the keys as Markdown: docs/keys.md");
  return {command,
          [arguments, &systems, &program] { return help(systems, *arguments, name_of(program)); },
          [subjects = names_of_subjects(program)] {
            return ArgumentWords{{"TOPIC", subjects}};
          }};
}

}  // namespace rigidlimit
