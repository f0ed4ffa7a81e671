// The program rigidlimit with a user-defined method in all of its commands.
#include "rigidlimit/cli/command_line.hpp"
#include "sdirk3.hpp"

int main(int argc, char** argv) {
  rigidlimit::add_method(own::sdirk3());
  return rigidlimit::run_command_line(argc, argv);
}
