# The sources that the result of a solve depends on: a store tells by their hash what has to be solved
# again. Derived, so that no new file can be forgotten: from the files that do the solves, along what
# they include, each header with the source of its name. A room below study/ and friction/ counts whole:
# there a function may stand in a source of another name than its header's. What those two rooms read,
# judge and count besides is left out, so that judging anew costs no solve.
# tests/scripts/test_physics_sources.py sees that no symbol which these sources need stands elsewhere.
cmake_minimum_required(VERSION 3.25)

# Sets `sources`: paths below SOURCE_DIR, sorted; and `hash`, of their names and texts.
function(rigidlimit_physics SOURCE_DIR sources hash)
  set(top ${SOURCE_DIR}/src/rigidlimit)
  set(waiting study/solve_tasks.cpp friction/friction_solves.cpp friction/mode_solves.cpp)
  set(seen ${waiting})
  set(rooms "")
  while(waiting)
    list(POP_FRONT waiting file)
    file(STRINGS ${top}/${file} includes REGEX "^#include \"rigidlimit/")
    list(TRANSFORM includes REPLACE "^#include \"rigidlimit/(.*)\".*$" "\\1")
    if(file MATCHES "\\.hpp$")
      string(REGEX REPLACE "hpp$" "cpp" own ${file})
      list(APPEND includes ${own})
    endif()
    foreach(include ${includes})
      get_filename_component(room ${include} DIRECTORY)
      if(room STREQUAL "convergence")  # judges what was solved
        continue()
      elseif(NOT room MATCHES "^(study|friction)$")
        if(NOT room IN_LIST rooms)
          list(APPEND rooms ${room})
          file(GLOB found RELATIVE ${top} ${top}/${room}/*.hpp ${top}/${room}/*.cpp)
          list(APPEND waiting ${found})
          list(APPEND seen ${found})
        endif()
      elseif(NOT include IN_LIST seen AND EXISTS ${top}/${include})
        list(APPEND waiting ${include})
        list(APPEND seen ${include})
      endif()
    endforeach()
  endwhile()
  list(REMOVE_DUPLICATES seen)
  list(SORT seen)
  set(text "")
  foreach(file ${seen})
    file(SHA1 ${top}/${file} content)
    string(APPEND text "${file} ${content}\n")
  endforeach()
  string(SHA1 text "${text}")
  string(SUBSTRING ${text} 0 12 text)
  list(TRANSFORM seen PREPEND src/rigidlimit/)
  set(${sources} ${seen} PARENT_SCOPE)
  set(${hash} ${text} PARENT_SCOPE)
endfunction()

# cmake -DSOURCE_DIR=… -P physics.cmake: prints the hash, then the sources.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  rigidlimit_physics(${SOURCE_DIR} sources hash)
  list(JOIN sources "\n" sources)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${hash}\n${sources}")
endif()
