# A room is one folder and one static library. Its sources are the .cpp files that lie in the folder itself and in the FOLDERS that a
# large room is divided into.
function(wb_room name)
  cmake_parse_arguments(ROOM "" "" "LINKS;FOLDERS" ${ARGN})
  set(patterns *)
  foreach(folder IN LISTS ROOM_FOLDERS)
    list(APPEND patterns "${folder}/*")
  endforeach()
  list(TRANSFORM patterns APPEND .cpp OUTPUT_VARIABLE source_patterns)
  list(TRANSFORM patterns APPEND .h OUTPUT_VARIABLE header_patterns)
  file(GLOB sources CONFIGURE_DEPENDS ${source_patterns})
  file(GLOB headers CONFIGURE_DEPENDS ${header_patterns})
  if(NOT sources)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${ROOM_LINKS})
    return()
  endif()
  add_library(${name} STATIC ${sources} ${headers})
  target_link_libraries(${name} PUBLIC ${ROOM_LINKS})
endfunction()

# Seconds that a test program may take; a sanitizer makes it many times slower.
set(WB_TEST_TIMEOUT 300)
if(WEIGHBRIDGE_SANITIZE)
  set(WB_TEST_TIMEOUT 1200)
endif()

# One GoogleTest program for one folder of tests. It links exactly the room it tests and what that room needs.
# With the reference data present a skipped test is a failure: a skip would hide that the data were not looked at.
function(wb_test name)
  cmake_parse_arguments(TEST "" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${TEST_LINKS} test_support GTest::gtest GTest::gmock)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${WB_TEST_TIMEOUT})
  if(EXISTS "${WEIGHBRIDGE_SHARED}/golden")
    set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endif()
endfunction()

# One Qt Test program for one folder of tests, run without a display. A skipped test is a failure as above.
function(wb_gui_test name)
  cmake_parse_arguments(TEST "" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h)
  add_executable(${name} ${sources})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(${name} PRIVATE ${TEST_LINKS} gui_test_support)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${WB_TEST_TIMEOUT} ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  if(EXISTS "${WEIGHBRIDGE_SHARED}/golden")
    set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "SKIP   :")
  endif()
endfunction()

# One Google Benchmark program, named bench_<what>; its source is <name>.cpp. ./dev bench runs all of them.
function(wb_bench name)
  cmake_parse_arguments(BENCH "" "" "LINKS" ${ARGN})
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} PRIVATE ${BENCH_LINKS} benchmark::benchmark)
  add_dependencies(benchmarks ${name})
endfunction()

# One libFuzzer target, named fuzz_<what>; its source is <name>.cpp with LLVMFuzzerTestOneInput. ./dev fuzz runs all of them with the
# dictionary <name>.dict and the seeds corpus/<name>/ where they exist.
function(wb_fuzz name)
  cmake_parse_arguments(FUZZ "" "" "LINKS" ${ARGN})
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} PRIVATE ${FUZZ_LINKS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()
