# lockstep_verilate(name TOP module SOURCES a.sv ... [INCLUDES dir ...] [PARAMETERS Rows=8 ...] [FLAGS --assert ...]
#                   [OPT -O1]):
# translates and compiles one Verilator model at build time. Defines a library target `name` whose model class and header
# are called V<name>. Verilator's file names depend on its own hashing, so its makefile builds the archive.
# --output-split-cfuncs: a process that Verilator splits keeps its temporaries in memory, which costs a third of the
# speed of lk_mxu_fast.
include_guard(GLOBAL)
find_program(LOCKSTEP_VERILATOR verilator)
if(LOCKSTEP_VERILATOR)
  execute_process(COMMAND ${LOCKSTEP_VERILATOR} --getenv VERILATOR_ROOT
                  OUTPUT_VARIABLE LOCKSTEP_VERILATOR_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
  add_library(lockstep_verilated_runtime STATIC EXCLUDE_FROM_ALL "${LOCKSTEP_VERILATOR_ROOT}/include/verilated.cpp"
              "${LOCKSTEP_VERILATOR_ROOT}/include/verilated_threads.cpp")
  target_include_directories(lockstep_verilated_runtime SYSTEM PUBLIC "${LOCKSTEP_VERILATOR_ROOT}/include"
                             "${LOCKSTEP_VERILATOR_ROOT}/include/vltstd")
  target_compile_options(lockstep_verilated_runtime PRIVATE -w)
  target_link_libraries(lockstep_verilated_runtime PUBLIC Threads::Threads atomic)
endif()

function(lockstep_verilate name)
  cmake_parse_arguments(ARG "" "TOP;OPT" "SOURCES;INCLUDES;PARAMETERS;FLAGS" ${ARGN})
  if(NOT ARG_OPT)
    set(ARG_OPT "-O1")
  endif()
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  set(archive "${dir}/V${name}__ALL.a")
  set(includes ${ARG_INCLUDES})
  list(TRANSFORM includes PREPEND "-I")
  set(parameters ${ARG_PARAMETERS})
  list(TRANSFORM parameters PREPEND "-G")
  set(command
      "OBJCACHE=${LOCKSTEP_CCACHE}" ${LOCKSTEP_VERILATOR} --cc --build -Mdir ${dir} --prefix V${name} --top ${ARG_TOP}
      -O3 --x-assign fast --unroll-count 256 --output-split-cfuncs 100000000 ${ARG_FLAGS} ${includes} ${parameters}
      ${ARG_SOURCES} -MAKEFLAGS "'OPT_FAST=${ARG_OPT} OPT_SLOW=-O0 OPT_GLOBAL=-O1'")
  list(JOIN command " " command)
  add_custom_command(
    OUTPUT "${archive}" "${dir}/V${name}.h"
    COMMAND sh -c "${command} > ${dir}.log 2>&1 || { cat ${dir}.log; exit 1; }"
    DEPENDS ${ARG_SOURCES} VERBATIM COMMENT "Verilating ${name}")
  add_custom_target(${name}_model DEPENDS "${archive}")
  add_library(${name} INTERFACE)
  add_dependencies(${name} ${name}_model)
  target_include_directories(${name} SYSTEM INTERFACE "${dir}")
  target_link_libraries(${name} INTERFACE "${archive}" lockstep_verilated_runtime)
endfunction()
