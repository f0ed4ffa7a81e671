# Installs the build into a fresh prefix, builds the consumers against it, runs them, and sees their
# negative controls fail. Called by ctest as cmake -D… -P run.cmake.
cmake_minimum_required(VERSION 3.25)
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${prefix})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(status)
    message(FATAL_ERROR "${ARGN}\nended with ${status}:\n${out}")
  endif()
endfunction()

# The program fails, and with these words.
function(run_to_fail words)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  string(FIND "${out}" "${words}" at)
  if(NOT status EQUAL 1 OR at EQUAL -1)
    message(FATAL_ERROR "${ARGN}\nshould fail and say '${words}'; ended with ${status}:\n${out}")
  endif()
endfunction()

# Configures and builds one consumer; its cache is left in ${WORK}/NAME.
function(build_consumer name)
  build_project(${name} ${SOURCE}/${name})
endfunction()

function(build_project name source)
  file(REMOVE ${WORK}/${name}/CMakeCache.txt)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${source} -B ${WORK}/${name}
      -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=${CONFIG} "-DCMAKE_CXX_FLAGS=-O0 ${SANITIZE}"
      -DCMAKE_CXX_FLAGS_RELEASE= -DCMAKE_CXX_FLAGS_DEBUG= -DCMAKE_CXX_COMPILER=${COMPILER}
      -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
  run(${CMAKE_COMMAND} --build ${WORK}/${name})
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${prefix}/bin/rigidlimit list laws)

build_consumer(matchers)
# The matchers alone must not have looked for what they do not need.
file(STRINGS ${WORK}/matchers/CMakeCache.txt needless REGEX "^(SUNDIALS|Eigen3|Boost)_DIR")
if(needless)
  message(FATAL_ERROR "find_package(rigidlimit COMPONENTS testing) looked for ${needless}")
endif()
set(midpoint ${WORK}/matchers/midpoint_test)
run(${midpoint})
run_to_fail("which is refuted: order 2.0" ${midpoint} --gtest_also_run_disabled_tests
            --gtest_filter=*HasNotOrderFour)
run_to_fail("which is broken at" ${midpoint} --gtest_also_run_disabled_tests
            --gtest_filter=*IsNotBelowAnOrderMore)

build_consumer(library)
run(${WORK}/library/particle_test)
run_to_fail("expected 1 ± 0.1" ${WORK}/library/particle_test --gtest_also_run_disabled_tests
            --gtest_filter=*HasNotOrderOne)

# What is not there is refused with the reason.
file(WRITE ${WORK}/wrong/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES C CXX)
find_package(rigidlimit REQUIRED COMPONENTS libary)
")
run_to_fail("there is no component 'libary'; components: library, testing"
            ${CMAKE_COMMAND} -S ${WORK}/wrong -B ${WORK}/wrong/build -DCMAKE_PREFIX_PATH=${prefix}
            -DCMAKE_CXX_COMPILER=${COMPILER})

# A system of one's own has the whole command line.
set(example ${SOURCE}/../../examples/bowl_skate)
build_project(bowl_skate ${example})
set(bowl_skate ${WORK}/bowl_skate/bowl_skate)
run(${bowl_skate} list systems)
# Its help calls it by its own name.
execute_process(COMMAND ${bowl_skate} check --help OUTPUT_VARIABLE help)
string(FIND "${help}" "bowl_skate check experiments/knife_edge.toml" at)
if(at EQUAL -1)
  message(FATAL_ERROR "bowl_skate check --help speaks of another program:\n${help}")
endif()
run(${bowl_skate} describe bowl_skate --linearise)
run(${bowl_skate} run ${example}/bowl_skate.toml --results ${WORK}/bowl_skate/results)
run(${bowl_skate} check ${example}/bowl_skate.toml)
run_to_fail("not held" ${bowl_skate} check ${example}/bowl_skate.toml
            --set "expect=[{quantity=\"q\", order=1.0}]")
