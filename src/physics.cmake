# The sources on which the result of a solve depends. Their hash is part of the key of each stored solve.
# The list is derived, so that no new file can be forgotten: it starts from the files that do the solves and
# follows their includes, each header together with the source of its name. A module other than
# `experiment` counts whole: there a source may define functions of a header of another name. In experiment/
# the files that read, judge and count are left out, so that a change of a judgement costs no solve.
# tests/scripts/test_physics_sources.py checks that no symbol needed by these sources is defined elsewhere.
cmake_minimum_required(VERSION 3.25)

# Of the solves. Sets `sources`: paths below SOURCE_DIR, sorted; and `hash`, of their names and texts.
function(rigidlimit_physics SOURCE_DIR sources hash)
  rigidlimit_sources(${SOURCE_DIR} found value experiment/rolling/solve_tasks.cpp
      experiment/friction/friction_solves.cpp experiment/benchmark/benchmark_tasks.cpp
      experiment/benchmark/problems_of.cpp)
  set(${sources} ${found} PARENT_SCOPE)
  set(${hash} ${value} PARENT_SCOPE)
endfunction()

# Of the comparison of two motions, which is stored where the motions are not.
function(rigidlimit_comparison SOURCE_DIR sources hash)
  rigidlimit_sources(${SOURCE_DIR} found value experiment/rolling/comparison.cpp
      experiment/judge/difference.cpp)
  set(${sources} ${found} PARENT_SCOPE)
  set(${hash} ${value} PARENT_SCOPE)
endfunction()

# The same for the files behind the given ones.
function(rigidlimit_sources SOURCE_DIR sources hash)
  set(top ${SOURCE_DIR}/src/rigidlimit)
  set(waiting ${ARGN})
  set(seen ${waiting})
  set(modules "")
  while(waiting)
    list(POP_FRONT waiting file)
    file(STRINGS ${top}/${file} includes REGEX "^#include \"rigidlimit/")
    list(TRANSFORM includes REPLACE "^#include \"rigidlimit/(.*)\".*$" "\\1")
    if(file MATCHES "\\.hpp$")
      string(REGEX REPLACE "hpp$" "cpp" own ${file})
      list(APPEND includes ${own})
    endif()
    foreach(include ${includes})
      string(REGEX REPLACE "/.*" "" module ${include})
      if(module MATCHES "^(convergence|result)$")  # they judge and show finished solves
        continue()
      elseif(NOT module STREQUAL "experiment")
        if(NOT module IN_LIST modules)
          list(APPEND modules ${module})
          file(GLOB_RECURSE found RELATIVE ${top} ${top}/${module}/*.hpp ${top}/${module}/*.cpp
               ${top}/${module}/*.toml)
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
