# Whether a build directory is finished and up to date. Only reads it.

# Sets VARIABLE to the reason why the archives of BUILD cannot be linked; empty: they can.
function(why_unusable VARIABLE ROOT BUILD)
  set(${VARIABLE} "" PARENT_SCOPE)
  set(program ${BUILD}/src/rigidlimit)
  if(NOT EXISTS ${BUILD}/build.ninja OR NOT EXISTS ${program} OR NOT EXISTS ${BUILD}/rigidlimit_library.cmake
     OR NOT EXISTS ${BUILD}/rigidlimit_sources.txt)
    set(${VARIABLE} "the program rigidlimit is not built there" PARENT_SCOPE)
    return()
  endif()
  file(STRINGS ${BUILD}/CMakeCache.txt home REGEX "^CMAKE_HOME_DIRECTORY:INTERNAL=")
  if(NOT home STREQUAL "CMAKE_HOME_DIRECTORY:INTERNAL=${ROOT}")
    set(${VARIABLE} "it builds other sources" PARENT_SCOPE)
    return()
  endif()

  string(REGEX REPLACE "([][+.*()^$?|])" "\\\\\\1" pattern "${ROOT}/src/rigidlimit")
  # The program is newer than its sources, and build.ninja than the files of CMake.
  file(GLOB_RECURSE sources ${ROOT}/src/rigidlimit/*.cpp ${ROOT}/src/rigidlimit/*.hpp ${ROOT}/src/rigidlimit/*.toml)
  list(FILTER sources EXCLUDE REGEX "^${pattern}/testing/")
  list(APPEND sources ${ROOT}/docs/help.md ${ROOT}/docs/verdicts.md)
  newer_file(newer ${program} ${sources})
  file(GLOB configuration ${ROOT}/CMakeLists.txt ${ROOT}/CMakePresets.json ${ROOT}/src/*.cmake ${ROOT}/src/CMakeLists.txt
       ${ROOT}/cmake/*.cmake ${ROOT}/cmake/*.in)
  if(NOT newer)
    newer_file(newer ${BUILD}/build.ninja ${configuration})
  endif()
  if(newer)
    cmake_path(RELATIVE_PATH newer BASE_DIRECTORY ${ROOT})
    set(${VARIABLE} "${newer} is newer (cmake --build ${BUILD} --target rigidlimit)" PARENT_SCOPE)
    return()
  endif()

  # It compiles the sources that exist now: an older file may have been moved here, or removed.
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  file(STRINGS ${BUILD}/rigidlimit_sources.txt compiled)
  list(FILTER compiled EXCLUDE REGEX "^${pattern}/testing/")
  list(REMOVE_ITEM sources ${ROOT}/src/rigidlimit/main.cpp)
  list(SORT compiled)
  list(SORT sources)
  if(NOT compiled STREQUAL sources)
    set(${VARIABLE} "it compiles other files than src/rigidlimit has" PARENT_SCOPE)
  endif()
endfunction()

# Sets VARIABLE to the first of the files that is newer than THAN; empty: none.
function(newer_file VARIABLE THAN)
  set(${VARIABLE} "" PARENT_SCOPE)
  foreach(file IN LISTS ARGN)
    if(NOT ${THAN} IS_NEWER_THAN ${file})  # also true for equal times
      set(${VARIABLE} ${file} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
