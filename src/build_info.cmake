# Writes the file behind record/build_info.hpp at build time, so that the commit is the one built.
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
# The text of all that a solve's result depends on: a store tells by it what has to be solved again.
set(physics "")
set(patterns "")
foreach(room core mechanics systems formulations asymptotics solvers complementarity nonsmooth)
  list(APPEND patterns ${SOURCE_DIR}/src/rigidlimit/${room}/*.hpp
                       ${SOURCE_DIR}/src/rigidlimit/${room}/*.cpp)
endforeach()
foreach(name solve_tasks solve_record compliant_side rigid_side quad_side contact_data time_grid
             precise_motion uniform_grid)
  list(APPEND patterns ${SOURCE_DIR}/src/rigidlimit/study/${name}.?pp)
endforeach()
foreach(name compliant_motions rigid_history slip_grid slip_record slip_solves step_checks)
  list(APPEND patterns ${SOURCE_DIR}/src/rigidlimit/slip/${name}.?pp)
endforeach()
file(GLOB sources ${patterns})
list(SORT sources)
foreach(source ${sources})
  file(SHA1 ${source} hash)
  string(APPEND physics "${hash}\n")
endforeach()
string(SHA1 physics "${physics}")
string(SUBSTRING ${physics} 0 12 physics)

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "rigidlimit/record/build_info.hpp"

namespace rigidlimit {

const char* build_version() { return "@VERSION@"; }
const char* build_commit() { return "@commit@"; }
const char* build_compiler() { return "@COMPILER@"; }
const char* build_flags() { return "@FLAGS@"; }
const char* build_physics() { return "@physics@"; }

}  // namespace rigidlimit
]])
