# cmake -DSOURCE=<tree> -DRELEASE=<x.y.z> -DOUTPUT=<version.cc> -P version_stamp.cmake
# A hash of the sources that decide results: git's trees of hw, compiler and sweep plus what differs from them, so that
# it is the same on every machine with the same sources. The file is only touched when it changes.
execute_process(COMMAND git rev-parse HEAD:hw HEAD:compiler HEAD:sweep WORKING_DIRECTORY "${SOURCE}"
                OUTPUT_VARIABLE trees RESULT_VARIABLE failed ERROR_QUIET)
execute_process(COMMAND git diff HEAD -- hw compiler sweep WORKING_DIRECTORY "${SOURCE}"
                OUTPUT_VARIABLE changes ERROR_QUIET)
if(failed)
  set(hash "unknown")
else()
  string(SHA256 hash "${trees}${changes}")
  string(SUBSTRING "${hash}" 0 12 hash)
endif()
set(text "#include \"sweep/cli/version.h\"\n\nnamespace lockstep::sweep {\n
std::string tool_version() { return \"${RELEASE}+${hash}\"; }\n\n}  // namespace lockstep::sweep\n")
set(known "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" known)
endif()
if(NOT known STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()
