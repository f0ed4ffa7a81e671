# The target Arb::arb, ball arithmetic (Johansson): a library of its own, or since version 3 a part of FLINT.
find_path(Arb_INCLUDE_DIR arb.h PATH_SUFFIXES flint)
find_library(Arb_LIBRARY NAMES flint-arb arb flint)
find_library(Arb_FLINT_LIBRARY flint)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arb REQUIRED_VARS Arb_LIBRARY Arb_FLINT_LIBRARY Arb_INCLUDE_DIR)
mark_as_advanced(Arb_INCLUDE_DIR Arb_LIBRARY Arb_FLINT_LIBRARY)
if(Arb_FOUND AND NOT TARGET Arb::arb)
  add_library(Arb::arb UNKNOWN IMPORTED)
  set_target_properties(Arb::arb PROPERTIES IMPORTED_LOCATION ${Arb_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${Arb_INCLUDE_DIR}
                        INTERFACE_LINK_LIBRARIES ${Arb_FLINT_LIBRARY})
endif()
