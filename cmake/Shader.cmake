# wb_shader_compiler_knows(EXTENSION): sets WB_SHADERS_KNOW_<EXTENSION> to whether glslc compiles and spirv-val understands
# gpu/shaders/probes/EXTENSION.comp. Asked at every configuring, so that a change of GLSLC counts.
function(wb_shader_compiler_knows extension)
  set(binary "${CMAKE_BINARY_DIR}/generated/gpu/shaders/${extension}.spv")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/generated/gpu/shaders")
  execute_process(
    COMMAND "${GLSLC}" --target-env=vulkan1.1 -o "${binary}" "${CMAKE_SOURCE_DIR}/gpu/shaders/probes/${extension}.comp"
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    execute_process(COMMAND "${SPIRV_VAL}" --target-env vulkan1.1 "${binary}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(failed)
    set(knows OFF)
    message(STATUS "Shaders with ${extension}: left out, the shader compiler does not know it")
  else()
    set(knows ON)
    message(STATUS "Shaders with ${extension}: built")
  endif()
  set(WB_SHADERS_KNOW_${extension} ${knows} PARENT_SCOPE)
endfunction()

# wb_shader(TARGET NAME SOURCE [DEFINES A=1 …] [NEEDS EXTENSION] [EXACT]): compiles gpu/shaders/SOURCE for Vulkan 1.1, validates it and
# embeds it. The target's sources reach it as wb::gpu::shaders::NAME, an array of SPIR-V words, by #include "gpu/shaders/NAME.spv.h".
# Where the compiler does not know the EXTENSION it needs, NAME is an empty span instead. EXACT ones have unrolled loops that need
# `precise`.
function(wb_shader target name source)
  cmake_parse_arguments(SHADER "EXACT" "NEEDS" "DEFINES" ${ARGN})
  set(input "${CMAKE_SOURCE_DIR}/gpu/shaders/${source}")
  set(folder "${CMAKE_BINARY_DIR}/generated/gpu/shaders")
  set(binary "${folder}/${name}.spv")
  set(header "${folder}/${name}.spv.h")
  file(MAKE_DIRECTORY "${folder}")
  target_sources(${target} PRIVATE "${header}")
  if(SHADER_NEEDS AND NOT WB_SHADERS_KNOW_${SHADER_NEEDS})
    string(CONCAT empty "#pragma once\n#include <cstdint>\n#include <span>\nnamespace wb::gpu::shaders {\n"
                        "inline constexpr std::span<const std::uint32_t> ${name};\n}\n")
    file(CONFIGURE OUTPUT "${header}" CONTENT "${empty}" @ONLY)
    return()
  endif()
  list(TRANSFORM SHADER_DEFINES PREPEND "-D")
  # glslc does not escape what it writes into the list of dependencies: names from here on have no blank that a parent folder may have.
  foreach(place IN ITEMS input binary)
    file(RELATIVE_PATH near_${place} "${CMAKE_CURRENT_BINARY_DIR}" "${${place}}")
  endforeach()
  file(RELATIVE_PATH near_includes "${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_SOURCE_DIR}/gpu/shaders")
  # The optimizer forgets `precise` in loops that it unrolls; drivers optimize by themselves.
  set(optimize -O)
  if(SHADER_EXACT)
    set(optimize -O0)
  endif()
  add_custom_command(
    OUTPUT "${binary}"
    COMMAND "${GLSLC}" --target-env=vulkan1.1 ${optimize} -Werror -I "${near_includes}" ${SHADER_DEFINES}
            -MD -MF "${near_binary}.d" -MT "${near_binary}" -o "${near_binary}" "${near_input}"
    COMMAND "${SPIRV_VAL}" --target-env vulkan1.1 "${binary}"
    MAIN_DEPENDENCY "${input}" DEPFILE "${binary}.d" WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    COMMENT "Compiling shader ${name}" VERBATIM)
  add_custom_command(
    OUTPUT "${header}"
    COMMAND "${CMAKE_COMMAND}" -D "IN=${binary}" -D "OUT=${header}" -D "NAME=${name}" -P "${CMAKE_SOURCE_DIR}/cmake/EmbedShader.cmake"
    DEPENDS "${binary}" "${CMAKE_SOURCE_DIR}/cmake/EmbedShader.cmake" VERBATIM)
endfunction()
