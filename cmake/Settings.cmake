# What holds for every target of the tree.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
# Visual Studio and Xcode put a folder for the configuration beneath this one.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT MSVC)
  # Without this ccache refuses sources with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE}")
endif()

include_directories("${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")

if(MSVC)
  # /fp:precise does not contract. Windows' headers must not define min and max.
  add_compile_options(/utf-8 /fp:precise /W4 /permissive- /Zc:__cplusplus /Zc:preprocessor /bigobj)
  add_compile_definitions(NOMINMAX WIN32_LEAN_AND_MEAN UNICODE _UNICODE _CRT_SECURE_NO_WARNINGS)
  if(WEIGHBRIDGE_WERROR)
    add_compile_options(/WX)
  endif()
else()
  # No -DNDEBUG: assertions guard our own mistakes in released programs too. A wrong number is worse than a stop.
  set(CMAKE_CXX_FLAGS_RELEASE "-O2")
  # File formats are defined by two roundings where a fused multiply-add has one, so nothing may contract.
  add_compile_options(-ffp-contract=off -Wall -Wextra -Wconversion -Wshadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # GCC's library sorts with what it calls deprecated itself (std::get_temporary_buffer), and clang blames us; GCC tells of ours.
    add_compile_options(-Wno-deprecated-declarations)
  endif()
  if(WEIGHBRIDGE_WERROR)
    add_compile_options(-Werror)
  endif()
endif()

if(WIN32)
  # The bounds of recursion in parsers were chosen for the 8 MiB that other systems give; threads get what the program says.
  add_link_options($<IF:$<CXX_COMPILER_ID:MSVC>,/STACK:8388608,-Wl$<COMMA>--stack$<COMMA>8388608>)
endif()
if(MINGW)
  # GCC keeps 16 bytes of alignment on the stack of Windows, yet spills vectors of 32 and 64 with moves that demand theirs (its bug
  # 54412); the assembler makes them moves that do not. Units of several sources have more sections than the usual format counts.
  add_compile_options(-Wa,-muse-unaligned-vector-move -Wa,-mbig-obj)
  # Its library and, in C++23, every source that is not optimized define std::type_info::operator== (its bug 110572).
  add_link_options(-Wl,--allow-multiple-definition)
endif()

# Four levels are enough: the portable one, AVX2, AVX-512 and NEON. Every further level costs a compilation of each kernel.
set(WEIGHBRIDGE_HWY_DISABLED "(HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL)")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  # NEON is the one level there: vectors of unknown length cannot be members of a structure.
  set(WEIGHBRIDGE_HWY_DISABLED "(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
endif()
add_compile_definitions("HWY_DISABLED_TARGETS=${WEIGHBRIDGE_HWY_DISABLED}")

if(WEIGHBRIDGE_SANITIZE)
  if(MSVC)
    message(FATAL_ERROR "WEIGHBRIDGE_SANITIZE works with GCC and clang only.")
  endif()
  # Undefined behaviour ends the program, else a test that meets it would still pass.
  add_compile_options(-fsanitize=${WEIGHBRIDGE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${WEIGHBRIDGE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What GCC's sanitizers add misleads this warning, in std::regex for one (its bug 105562).
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()
if(WEIGHBRIDGE_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
if(APPLE)
  # Where Apple's libc++ still counts stop_token and jthread as experimental, this switches them on; elsewhere it changes nothing.
  add_compile_options(-fexperimental-library)
  add_link_options(-fexperimental-library)
endif()
