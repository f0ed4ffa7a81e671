# Writes the file behind experiment/plan/build_info.hpp at build time, so that the commit is the one built.
# Called as cmake -D… -P build_info.cmake; touches the file only if its content changed.
execute_process(COMMAND git rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE_DIR}
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                RESULT_VARIABLE failed)
if(failed)
  set(commit unknown)
else()
  execute_process(COMMAND git status --porcelain --untracked-files=no WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit "+")
  endif()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/physics.cmake)
rigidlimit_physics(${SOURCE_DIR} sources physics)
rigidlimit_comparison(${SOURCE_DIR} sources comparison)

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "rigidlimit/experiment/plan/build_info.hpp"

namespace rigidlimit {

const char* build_version() { return "@VERSION@"; }
const char* build_commit() { return "@commit@"; }
const char* build_compiler() { return "@COMPILER@"; }
const char* build_flags() { return "@FLAGS@"; }
const char* build_physics() { return "@physics@"; }
const char* build_comparison() { return "@comparison@"; }

}  // namespace rigidlimit
]])
