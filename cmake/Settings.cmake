# What holds for every target of the tree.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_CXX_FLAGS_RELEASE "-O2")

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

include_directories("${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")

if(MSVC)
  add_compile_options(/utf-8 /fp:precise /W4)
else()
  # File formats are defined by two roundings where a fused multiply-add has one, so nothing may contract.
  add_compile_options(-ffp-contract=off -Wall -Wextra -Wconversion -Wshadow)
endif()
if(WEIGHBRIDGE_WERROR)
  add_compile_options(-Werror)
endif()

# Four levels are enough: the portable one, AVX2, AVX-512 and NEON. Every further level costs a compilation of each kernel.
set(WEIGHBRIDGE_HWY_DISABLED "(HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL|HWY_AVX3_ZEN4)")
add_compile_definitions("HWY_DISABLED_TARGETS=${WEIGHBRIDGE_HWY_DISABLED}")

if(WEIGHBRIDGE_SANITIZE)
  add_compile_options(-fsanitize=${WEIGHBRIDGE_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${WEIGHBRIDGE_SANITIZE})
endif()
if(WEIGHBRIDGE_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
