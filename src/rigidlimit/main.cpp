#include "rigidlimit/cli/command_line.hpp"

int main(int argc, char** argv) { return rigidlimit::run_command_line(argc, argv); }
