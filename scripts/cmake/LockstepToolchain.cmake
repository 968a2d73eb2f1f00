# Compiler flags shared by every folder. Link `lockstep::options` and nothing else sets flags.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

option(LOCKSTEP_WERROR "Treat warnings as errors" ON)
set(LOCKSTEP_SANITIZE "" CACHE STRING "Comma-separated sanitizers for -fsanitize=")
option(LOCKSTEP_COVERAGE "Build with gcov instrumentation" OFF)

find_program(LOCKSTEP_CCACHE ccache)
if(LOCKSTEP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Relative paths in the hash: two checkouts of the same sources share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1;${LOCKSTEP_CCACHE}")
endif()

add_library(lockstep_options INTERFACE)
add_library(lockstep::options ALIAS lockstep_options)
target_include_directories(lockstep_options INTERFACE "${CMAKE_SOURCE_DIR}")
# NUM-2: g++ contracts a*b+c to fma under -march flags; bit-exactness forbids it everywhere.
target_compile_options(lockstep_options INTERFACE -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion
                       -Wno-sign-conversion -Wnon-virtual-dtor -Wpedantic)
if(LOCKSTEP_WERROR)
  target_compile_options(lockstep_options INTERFACE -Werror)
endif()
if(LOCKSTEP_SANITIZE)
  target_compile_options(lockstep_options INTERFACE -fsanitize=${LOCKSTEP_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(lockstep_options INTERFACE -fsanitize=${LOCKSTEP_SANITIZE})
endif()
if(LOCKSTEP_COVERAGE)
  target_compile_options(lockstep_options INTERFACE --coverage)
  target_link_options(lockstep_options INTERFACE --coverage)
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)

# lockstep_add_library(hw_isa SOURCES a.cc b.cc DEPS lockstep::hw_base): static library lockstep_hw_isa
# with alias lockstep::hw_isa. Sources are listed explicitly; nothing is globbed.
function(lockstep_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  if(ARG_SOURCES)
    add_library(lockstep_${name} STATIC ${ARG_SOURCES})
    target_link_libraries(lockstep_${name} PUBLIC lockstep::options ${ARG_DEPS})
  else()
    add_library(lockstep_${name} INTERFACE)
    target_link_libraries(lockstep_${name} INTERFACE lockstep::options ${ARG_DEPS})
  endif()
  add_library(lockstep::${name} ALIAS lockstep_${name})
endfunction()
