# lockstep_add_test(name SOURCES ... DEPS ... LABELS one [TIMEOUT s] [WHOLE]):
# one gtest executable. Each case becomes a ctest entry, or with WHOLE the executable is one entry
# (for suites whose set-up is expensive).
find_package(GTest REQUIRED)
include(GoogleTest)

function(lockstep_add_test name)
  cmake_parse_arguments(ARG "WHOLE" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  list(LENGTH ARG_LABELS label_count)
  if(NOT label_count EQUAL 1)  # test discovery of CMake 3.25 loses every property behind a list
    message(FATAL_ERROR "${name}: exactly one label, got '${ARG_LABELS}'; long suites have the label slow")
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE lockstep::options ${ARG_DEPS} GTest::gmock GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE LOCKSTEP_TEST_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                             LOCKSTEP_TEST_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(ARG_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
  else()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${name}/"
                         PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
  endif()
endfunction()
