# Releases of ptopro as targets of a CMake project.
#
#   find_package(ptopro REQUIRED PATHS ${dir})     # dir: what `ptopro config --cmake-dir` prints
#   add_ptopro_library(my_op KERNEL my_op.py [OP name] [KERNEL_NAME name] [ARCH a5] [TOOLCHAIN auto|sim|bisheng]
#                      [DTYPES x=fp16 ...] [KEYS Field=1 ...] [JOBS n] [LAUNCHER ccache] [FLAGS ...])
#
# Target my_op builds <binary dir>/ptopro/<op>/kernel_meta (property PTOPRO_MANIFEST: its <op>.json) again when the
# kernel file or a file that it imports changes.  A C++ target that links my_op finds the headers of its host tiling.
cmake_minimum_required(VERSION 3.20)

find_program(PTOPRO_EXECUTABLE ptopro HINTS "$ENV{VIRTUAL_ENV}/bin" DOC "The ptopro command")
if(NOT PTOPRO_EXECUTABLE)
  set(ptopro_FOUND FALSE)
  set(ptopro_NOT_FOUND_MESSAGE "the command ptopro is not on PATH; set PTOPRO_EXECUTABLE")
  return()
endif()

function(add_ptopro_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "KERNEL;OP;KERNEL_NAME;ARCH;TOOLCHAIN;JOBS;LAUNCHER" "DTYPES;KEYS;FLAGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_ptopro_library(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_KERNEL)
    message(FATAL_ERROR "add_ptopro_library(${name}): KERNEL names the kernel file")
  endif()
  get_filename_component(kernel "${arg_KERNEL}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT EXISTS "${kernel}")
    message(FATAL_ERROR "add_ptopro_library(${name}): there is no file ${kernel}")
  endif()
  set(op "${name}")
  if(arg_OP)
    set(op "${arg_OP}")
  endif()
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/ptopro")
  set(options --op "${op}" -o "${dir}" --depfile --quiet)
  foreach(pair IN ITEMS "KERNEL_NAME;--kernel" "ARCH;--arch" "TOOLCHAIN;--toolchain" "JOBS;--jobs" "LAUNCHER;--launcher")
    list(GET pair 0 word)
    list(GET pair 1 option)
    if(arg_${word})
      list(APPEND options "${option}" "${arg_${word}}")
    endif()
  endforeach()
  foreach(value IN LISTS arg_DTYPES)
    list(APPEND options --dtype "${value}")
  endforeach()
  foreach(value IN LISTS arg_KEYS)
    list(APPEND options --key "${value}")
  endforeach()
  set(meta "${dir}/${op}/kernel_meta")
  add_custom_command(
    OUTPUT "${dir}/${op}.stamp"
    BYPRODUCTS "${meta}/${op}.json" "${meta}/${op}.o"
    COMMAND "${PTOPRO_EXECUTABLE}" build --release "${kernel}" ${options} ${arg_FLAGS}
    DEPENDS "${kernel}"
    DEPFILE "${dir}/${op}.d"
    COMMENT "ptopro: releasing ${op}"
    VERBATIM)
  add_custom_target(${name}_release ALL DEPENDS "${dir}/${op}.stamp")
  add_library(${name} INTERFACE)
  add_dependencies(${name} ${name}_release)
  target_include_directories(${name} INTERFACE "${dir}/${op}/host")
  set_target_properties(${name} PROPERTIES PTOPRO_MANIFEST "${meta}/${op}.json")
endfunction()
