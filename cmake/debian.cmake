# Debian packages of the installation, made by `cpack -G DEB` in the build directory (scripts/package):
#
#   rigidlimit          the program, its manual page, completions, documents and experiments
#   librigidlimit-dev   headers, archives and the CMake package
#   python3-rigidlimit  the Python package, from the files in RIGIDLIMIT_PYTHON_FILES
#
# The libraries that a binary loads become dependencies through dpkg-shlibdeps.
set(RIGIDLIMIT_PYTHON_FILES "" CACHE PATH "unpacked wheel for the package python3-rigidlimit; empty: none")

set(CPACK_PACKAGE_NAME rigidlimit)
set(CPACK_PACKAGE_VENDOR rigidlimit)
set(CPACK_PACKAGE_CONTACT "The rigidlimit developers <rigidlimit@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME rigidlimit)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS gcc)  # machine code for equations of long runs
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS python3-rigidlimit)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The program, its documents and its experiments.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME librigidlimit-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
string(CONCAT CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
  "libarchive-dev, libboost-dev, libcli11-dev, libeigen3-dev, libflint-arb-dev, libfmt-dev, libsqlitecpp-dev, libssl-dev, libsuitesparse-dev, "
  "libsundials-dev, libtomlplusplus-dev, libudunits2-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "cmake, g++, libgmock-dev, libgtest-dev")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS OFF)  # archives only
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Headers, archives and the CMake package, for systems, methods and
 tests of your own: find_package(rigidlimit COMPONENTS library testing).")

if(RIGIDLIMIT_PYTHON_FILES)
  list(APPEND CPACK_COMPONENTS_ALL python)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  math(EXPR next "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-rigidlimit)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  string(CONCAT CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-jinja2, python3-matplotlib, python3-pandas")  # `rigidlimit report`
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-markdown-it, python3-pytest")
  set(scripts ${PROJECT_SOURCE_DIR}/cmake/python3-rigidlimit)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${scripts}/postinst;${scripts}/prerm")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The Python package: systems, studies, problems, results and figures.")
  install(DIRECTORY ${RIGIDLIMIT_PYTHON_FILES}/ DESTINATION lib/python3/dist-packages COMPONENT python)
endif()

# The pages and experiments that the program's messages and manual name.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/rigidlimit
        COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT program
        FILES_MATCHING PATTERN "*.md" PATTERN pictures EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} COMPONENT ${component})
endforeach()

include(CPack)
