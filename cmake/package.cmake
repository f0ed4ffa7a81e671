# The installed package: find_package(rigidlimit [COMPONENTS library testing]).
#
# Three export sets, so that a user of the matchers needs only fmt and GoogleTest:
#   convergence  orders and verdicts of series
#   testing      the matchers on top of it
#   library      all other modules; rigidlimit::rigidlimit links all of them
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(rigidlimit_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rigidlimit)
add_library(rigidlimit_library INTERFACE)
add_library(rigidlimit::rigidlimit ALIAS rigidlimit_library)
set_target_properties(rigidlimit_library PROPERTIES EXPORT_NAME rigidlimit)

# Adds a module to its export set under its own name, and installs its headers.
function(rigidlimit_install_module name)
  if(name STREQUAL "convergence" OR name STREQUAL "testing")
    set(set ${name})
  else()
    set(set library)
  endif()
  add_library(rigidlimit::${name} ALIAS rigidlimit_${name})
  set_target_properties(rigidlimit_${name} PROPERTIES EXPORT_NAME ${name})
  get_target_property(type rigidlimit_${name} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  else()
    set(scope PUBLIC)
  endif()
  target_compile_features(rigidlimit_${name} ${scope} cxx_std_20)
  if(rigidlimit_sanitizer)  # an archive with sanitizers requires a program with sanitizers
    target_link_options(rigidlimit_${name} INTERFACE
                        $<INSTALL_INTERFACE:${rigidlimit_sanitizer}>)
  endif()
  if(NOT name STREQUAL "testing")
    target_link_libraries(rigidlimit_library INTERFACE rigidlimit_${name})
  endif()
  install(TARGETS rigidlimit_${name} EXPORT rigidlimit_${set}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/rigidlimit/${name}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rigidlimit FILES_MATCHING PATTERN "*.hpp")
endfunction()

# The program, the export sets and the files that find_package reads. Call it after all modules.
function(rigidlimit_install_package)
  install(TARGETS rigidlimit RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(TARGETS rigidlimit_library EXPORT rigidlimit_library)
  set(sets convergence library)
  if(TARGET rigidlimit_testing)
    list(APPEND sets testing)
  endif()
  foreach(set ${sets})
    install(EXPORT rigidlimit_${set} NAMESPACE rigidlimit:: FILE rigidlimit_${set}.cmake
            DESTINATION ${rigidlimit_package_dir})
  endforeach()
  configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/rigidlimitConfig.cmake.in
    ${PROJECT_BINARY_DIR}/rigidlimitConfig.cmake INSTALL_DESTINATION ${rigidlimit_package_dir})
  set(finders ${PROJECT_SOURCE_DIR}/cmake/FindUDUNITS2.cmake ${PROJECT_SOURCE_DIR}/cmake/FindArb.cmake)
  file(COPY ${finders} DESTINATION ${PROJECT_BINARY_DIR})
  # 0.x: a minor version may change the interface.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/rigidlimitConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/rigidlimitConfig.cmake
                ${PROJECT_BINARY_DIR}/rigidlimitConfigVersion.cmake
                ${finders}
          DESTINATION ${rigidlimit_package_dir})
  rigidlimit_export_build()
endfunction()

# The same package in the build directory, so that the Python package links its archives without an installation
# (python/CMakeLists.txt). It has the compile options of this project.
function(rigidlimit_export_build)
  get_property(modules GLOBAL PROPERTY RIGIDLIMIT_MODULES)
  list(REMOVE_ITEM modules convergence testing)
  list(TRANSFORM modules PREPEND rigidlimit_)
  export(TARGETS rigidlimit_options rigidlimit_convergence NAMESPACE rigidlimit::
         FILE ${PROJECT_BINARY_DIR}/rigidlimit_convergence.cmake)
  export(TARGETS rigidlimit_library ${modules} NAMESPACE rigidlimit::
         FILE ${PROJECT_BINARY_DIR}/rigidlimit_library.cmake)
endfunction()
