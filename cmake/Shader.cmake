# wb_shader(TARGET NAME SOURCE [DEFINES A=1 …]): compiles gpu/shaders/SOURCE for Vulkan 1.1, validates it and embeds it. The target's
# sources reach it as wb::gpu::shaders::NAME, an array of SPIR-V words, by #include "gpu/shaders/NAME.spv.h".
function(wb_shader target name source)
  cmake_parse_arguments(SHADER "" "" "DEFINES" ${ARGN})
  set(input "${CMAKE_SOURCE_DIR}/gpu/shaders/${source}")
  set(folder "${CMAKE_BINARY_DIR}/generated/gpu/shaders")
  set(binary "${folder}/${name}.spv")
  set(header "${folder}/${name}.spv.h")
  file(MAKE_DIRECTORY "${folder}")
  list(TRANSFORM SHADER_DEFINES PREPEND "-D")
  add_custom_command(
    OUTPUT "${binary}"
    COMMAND "${GLSLC}" --target-env=vulkan1.1 -O -Werror -I "${CMAKE_SOURCE_DIR}/gpu/shaders" ${SHADER_DEFINES} -MD -MF "${binary}.d" -MT "${binary}" -o "${binary}" "${input}"
    COMMAND "${SPIRV_VAL}" --target-env vulkan1.1 "${binary}"
    MAIN_DEPENDENCY "${input}" DEPFILE "${binary}.d" COMMENT "Compiling shader ${name}" VERBATIM)
  add_custom_command(
    OUTPUT "${header}"
    COMMAND "${CMAKE_COMMAND}" -D "IN=${binary}" -D "OUT=${header}" -D "NAME=${name}" -P "${CMAKE_SOURCE_DIR}/cmake/EmbedShader.cmake"
    DEPENDS "${binary}" "${CMAKE_SOURCE_DIR}/cmake/EmbedShader.cmake" VERBATIM)
  target_sources(${target} PRIVATE "${header}")
endfunction()
