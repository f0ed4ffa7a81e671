# Installs the build into a fresh prefix, builds and runs the consumers, and checks that their negative
# controls fail. Called by ctest as cmake -D… -P run.cmake.
cmake_minimum_required(VERSION 3.25)
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${prefix})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(status)
    message(FATAL_ERROR "${ARGN}\nended with ${status}:\n${out}")
  endif()
endfunction()

# Runs a program and requires this exit status and these words in its output.
function(run_to_end status words)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE ended OUTPUT_VARIABLE out ERROR_VARIABLE out)
  string(FIND "${out}" "${words}" at)
  if(NOT ended EQUAL ${status} OR at EQUAL -1)
    message(FATAL_ERROR
            "${ARGN}\nshould end with ${status} and say '${words}'; ended with ${ended}:\n${out}")
  endif()
endfunction()

function(run_to_fail words)
  run_to_end(1 "${words}" ${ARGN})
endfunction()

# Configures and builds a consumer; its cache remains in ${WORK}/NAME.
function(build_consumer name)
  build_project(${name} ${SOURCE}/${name})
endfunction()

function(build_project name source)  # further arguments: compiler flags
  file(REMOVE ${WORK}/${name}/CMakeCache.txt)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${source} -B ${WORK}/${name}
      -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=${CONFIG}
      "-DCMAKE_CXX_FLAGS=-O0 ${SANITIZE} ${ARGN}"
      -DCMAKE_CXX_FLAGS_RELEASE= -DCMAKE_CXX_FLAGS_DEBUG= -DCMAKE_CXX_COMPILER=${COMPILER}
      -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
  run(${CMAKE_COMMAND} --build ${WORK}/${name})
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${prefix}/bin/rigidlimit list laws)

build_consumer(matchers)
# The matchers alone must not search for packages that they do not need.
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

# An unknown component is refused with the reason.
file(REMOVE_RECURSE ${WORK}/wrong)
file(WRITE ${WORK}/wrong/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES C CXX)
find_package(rigidlimit REQUIRED COMPONENTS libary)
")
run_to_fail("there is no component 'libary'; components: library, testing"
            ${CMAKE_COMMAND} -G ${GENERATOR} -S ${WORK}/wrong -B ${WORK}/wrong/build
            -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${COMPILER})

# A user-defined system has the whole command line.
set(example ${SOURCE}/../../examples/bowl_skate)
build_project(bowl_skate ${example})
set(bowl_skate ${WORK}/bowl_skate/bowl_skate)
run(${bowl_skate} list systems)
# The help text uses the program's name.
execute_process(COMMAND ${bowl_skate} check --help OUTPUT_VARIABLE help)
string(FIND "${help}" "bowl_skate check knife_edge\n" at)
if(at EQUAL -1)
  message(FATAL_ERROR "bowl_skate check --help speaks of another program:\n${help}")
endif()
run(${bowl_skate} describe bowl_skate --linearise)
file(REMOVE_RECURSE ${WORK}/bowl_skate/results)  # of an earlier build
run(${bowl_skate} run ${example}/bowl_skate.toml --results ${WORK}/bowl_skate/results)
run(${bowl_skate} check ${example}/bowl_skate.toml)
run_to_fail("not held" ${bowl_skate} check ${example}/bowl_skate.toml
            --set "expect=[{quantity=\"q\", order=1.0}]")

# So does a system with a slipping contact, in studies of both kinds.
set(both ${SOURCE}/../../examples/eccentric_wheel)
build_project(eccentric_wheel ${both})
set(eccentric_wheel ${WORK}/eccentric_wheel/eccentric_wheel)
set(both_results --results ${WORK}/eccentric_wheel/results)
file(REMOVE_RECURSE ${WORK}/eccentric_wheel/results)
run_to_end(0 "A wheel with its centre of mass off the axle" ${eccentric_wheel} list systems)
run_to_end(0 "rail     bilateral" ${eccentric_wheel} describe eccentric_wheel)
run_to_end(0 "eccentric_wheel_rolls: held" ${eccentric_wheel} check ${both}/rolls.toml)
run_to_end(2 "system.friction = 0.3: is not used in a rolling study" ${eccentric_wheel} check ${both}/rolls.toml
           --set system.friction=0.3)
run_to_end(0 "eccentric_wheel_slips: held" ${eccentric_wheel} run ${both}/slips.toml --quiet
           ${both_results})
run_to_end(1 "not held" ${eccentric_wheel} run ${both}/slips.toml --quiet ${both_results}
           --set "history={modes_at_end=\"free\"}")
run_to_end(0 "solves were reused" ${eccentric_wheel} run ${both}/slips.toml ${both_results})
file(REMOVE ${WORK}/eccentric_wheel/mine.toml)
run_to_end(0 "rigidlimit run" ${eccentric_wheel} init mine --system eccentric_wheel --kind friction
           --directory ${WORK}/eccentric_wheel)
run_to_end(0 "solves" ${eccentric_wheel} run ${WORK}/eccentric_wheel/mine.toml --dry-run
           ${both_results})

# A user-defined method stands in benchmarks, studies and lists beside those of the library.
set(method ${SOURCE}/../../examples/own_method)
build_project(own_method ${method})
set(own_method ${WORK}/own_method/own_method)
file(REMOVE_RECURSE ${WORK}/own_method/results)
set(own_results --results ${WORK}/own_method/results)
run(${own_method} run ${method}/own_method.toml ${own_results})
file(STRINGS ${WORK}/own_method/results/own_method/errors.csv solved REGEX ",sdirk3,.*,ok,")
list(LENGTH solved count)
if(count LESS 9)  # three tolerances, three groups
  message(FATAL_ERROR "errors.csv has ${count} rows of sdirk3 that are ok, and should have 9 or more")
endif()
run_to_end(0 "sdirk3" ${own_method} list solvers)
run_to_end(0 "held" ${own_method} check ${SOURCE}/../../examples/unicycle/unicycle.toml ${own_results}
           --set "solvers.compliant=[\"sdirk3\"]" --set solvers.rtol=1e-8 --set solvers.atol=1e-8)

# The example is optimised by default: this call gives no CMAKE_BUILD_TYPE.
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${example} -B ${WORK}/bowl_skate_plain
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
file(READ ${WORK}/bowl_skate_plain/compile_commands.json commands)
if(NOT commands MATCHES " -O[23] ")
  message(FATAL_ERROR "the example is compiled without optimisation:\n${commands}")
endif()

# The shipped program exports its results, although it does not know the system.
set(shipped ${prefix}/bin/rigidlimit)
set(results ${WORK}/bowl_skate/results)
run_to_end(0 "bowl_skate,bowl_skate,viscoelastic" ${shipped} export ${results}/bowl_skate)
run_to_end(0 "\"program\": \"bowl_skate\"" ${shipped} export ${results}/bowl_skate --format json)
run_to_end(0 "\"flags\": \"-O0" ${shipped} export ${results}/bowl_skate --format json)
run_to_end(0 "\"built_in\": false" ${shipped} export ${results}/bowl_skate --format json)

# A built-in system is identified by its sources: all programs share its solves.
set(short --set epsilon.from=1e-2 --set epsilon.to=1e-3 --set epsilon.count=3 --set "bound=[]" --set "solvers.compliant=[\"radau_iia\"]"
    --set "expect=[]" --results ${WORK}/bowl_skate/shared)
set(knife_edge ${SOURCE}/../../experiments/convergence/knife_edge.toml)
file(REMOVE_RECURSE ${WORK}/bowl_skate/shared)
run(${bowl_skate} run ${knife_edge} ${short})
run_to_end(0 "9 of 9 solves were reused" ${shipped} run ${knife_edge} ${short})

# A user-defined system is identified by the program. A change of its equations leads to new solves even
# if no declared parameter, no state near the start and no time of the fingerprint shows it.
file(READ ${example}/bowl_skate.cpp source)
string(REPLACE "  template <class S>\n  Matrix<S, 1, 3> constraint"
  "  template <class S>
  rigidlimit::Vector<S, 3> applied_force(const Vector<S, 3>&, const Vector<S, 3>&, const S& t) const {
    using std::exp, std::pow;
    const S kick = KICK * exp(-pow((t - 1.0) / 0.08, 2));
    return {kick, S(0), S(0)};
  }
  template <class S>\n  Matrix<S, 1, 3> constraint" source "${source}")
set(pushed ${WORK}/pushed)
file(WRITE ${pushed}/bowl_skate.cpp "#include <cmath>\n${source}")
file(COPY ${example}/CMakeLists.txt DESTINATION ${pushed})
file(REMOVE_RECURSE ${WORK}/pushed_results)
set(study ${example}/bowl_skate.toml --set epsilon.from=1e-2 --set epsilon.to=1e-3
    --set epsilon.count=2 --set "expect=[]" --results ${WORK}/pushed_results)
foreach(kick 5.0 50.0)
  build_project(pushed_build ${pushed} -DKICK=${kick})
  set(program ${WORK}/pushed_build/bowl_skate)
  execute_process(COMMAND ${program} run ${study} RESULT_VARIABLE status ERROR_VARIABLE out
                  OUTPUT_QUIET)
  if(status OR out MATCHES "reused from the store")
    message(FATAL_ERROR "after a change of its physics solves were reused, or it failed:\n${out}")
  endif()
endforeach()
run_to_end(0 "solves were reused" ${program} run ${study})

# An author's mistake ends with exit status 2 and the reason (others: own_catalogue_test.cpp).
string(REPLACE "\"bowl_skate\"" "\"wheel\"" source "${source}")
file(WRITE ${pushed}/bowl_skate.cpp "#include <cmath>\n${source}")
build_project(pushed_build ${pushed} -DKICK=5.0)
run_to_end(2 "rigidlimit: two systems have the name 'wheel', one of them built in" ${program} list systems)
