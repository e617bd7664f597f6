# Compiling several sources as one saves what they have in common: headers of ours and instances of templates. A tree that is built
# once is built in two thirds of the time; whoever edits it compiles up to twelve sources for one that changed, so it is a choice.
option(WEIGHBRIDGE_UNITY "Compile the sources of a room or a test twelve at a time" OFF)

# Replaces the sources in the list VAR by files that include twelve of them each. Sources that compile themselves once for each level
# of SIMD stay alone, and so do those named after it, whose names for internal use another source of the room has too.
function(wb_unite name var)
  set(alone)
  set(united)
  foreach(source IN LISTS ${var})
    file(RELATIVE_PATH path "${CMAKE_CURRENT_SOURCE_DIR}" "${source}")
    file(STRINGS "${source}" levels REGEX "include <hwy/foreach_target.h>" LIMIT_COUNT 1)
    if(levels OR path IN_LIST ARGN)
      list(APPEND alone "${source}")
    else()
      # Relative to the root, so that another clone finds the object in the compile cache.
      file(RELATIVE_PATH path "${CMAKE_SOURCE_DIR}" "${source}")
      list(APPEND united "${path}")
    endif()
  endforeach()
  set(units)
  list(LENGTH united left)
  while(left GREATER 0)
    list(SUBLIST united 0 12 group)
    list(TRANSFORM group REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN group "" content)
    list(LENGTH units number)
    set(unit "${CMAKE_BINARY_DIR}/generated/units/${name}_${number}.cpp")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "${content}" @ONLY)
    list(APPEND units "${unit}")
    if(left GREATER 12)
      list(SUBLIST united 12 -1 united)
    else()
      set(united)
    endif()
    list(LENGTH united left)
  endwhile()
  if(NOT MSVC)
    # A source cannot know what its neighbours call their own, and GCC takes it for a header; trees without units warn of real faults.
    set_source_files_properties(${units} PROPERTIES COMPILE_OPTIONS "-Wno-shadow;$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>")
  endif()
  set(${var} ${units} ${alone} PARENT_SCOPE)
endfunction()

# Rooms that compute nothing over the elements of tensors and read no text of many megabytes: they wait for people, files and the
# network, so their code is optimized less, in a quarter less time.
set(WB_LIGHT_ROOMS core_arch core_chat core_hub core_library core_memory core_net core_query core_verify core_worker core_convert
                   core_convert_merge core_convert_run core_formats core_formats_caffe core_formats_coreml core_formats_dcp
                   core_formats_deepspeed core_formats_executorch core_formats_findings core_formats_flax core_formats_ggml
                   core_formats_huggingface core_formats_keras core_formats_lfs core_formats_litertlm core_formats_megatron
                   core_formats_mnn core_formats_ncnn core_formats_onnx core_formats_openvino core_formats_pmml core_formats_series
                   core_formats_sklearn core_formats_skops core_formats_tensorflow core_formats_tensorrt core_formats_tflite
                   core_formats_training core_formats_yaml core_formats_zarr)

# A room is one folder and one static library. Its sources are the .cpp files that lie in the folder itself and in the FOLDERS that a
# large room is divided into. ALONE are sources that wb_unite leaves alone.
function(wb_room name)
  cmake_parse_arguments(ROOM "" "" "LINKS;FOLDERS;ALONE" ${ARGN})
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
  if(WEIGHBRIDGE_UNITY)
    wb_unite(${name} sources ${ROOM_ALONE})
  endif()
  add_library(${name} STATIC ${sources} ${headers})
  target_link_libraries(${name} PUBLIC ${ROOM_LINKS})
  if(name MATCHES "^ui_")
    wb_use_pch(${name} QT)
    wb_light_code(${name})
  elseif(name STREQUAL "app_cli")
    wb_use_pch(${name} COMMANDS)
    wb_light_code(${name})
  elseif(name IN_LIST WB_LIGHT_ROOMS)
    wb_use_pch(${name} LIGHT)
    wb_light_code(${name})
  else()
    wb_use_pch(${name} STD)
  endif()
endfunction()

# Seconds that a test program may take; a sanitizer makes it many times slower, and in Wine each worker takes a second to start.
set(WB_TEST_TIMEOUT 300)
if(WEIGHBRIDGE_SANITIZE OR (WIN32 AND CMAKE_CROSSCOMPILING))
  set(WB_TEST_TIMEOUT 2400)
endif()

# What takes long begins first, so that no processor waits for one program at the end.
set(WB_LONG_TESTS cli_test convert_test download_test gpu_flushing_test gpu_infer_test gpu_stats_test gui_browse_test gui_convert_test
                  gui_startup_test infer_test)
function(wb_order_test name)
  if(name IN_LIST WB_LONG_TESTS)
    set_tests_properties(${name} PROPERTIES COST 30)
  endif()
endfunction()

# Compiles the code of tests without optimizing, which takes a third of the time away, or a little (KIND TEST_COMPUTING) for those
# that compute themselves: they would take up to five times as long.
set(WB_COMPUTING_TESTS cli_test convert_test golden_decode_test infer_test infer_types_test quant_golden_test quantize_files_test quantize_test
                       stats_test tensor_test text_test)
function(wb_plain_code name kind)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${name} PRIVATE $<IF:$<STREQUAL:${kind},TEST_COMPUTING>,-O1,-O0>)
  endif()
endfunction()

# Sets VAR to what the program NAME leaves out on Windows or in Wine by tests/windows/not_run.tsv, as a filter of GoogleTest.
function(wb_not_run name var)
  set(table "${CMAKE_SOURCE_DIR}/tests/windows/not_run.tsv")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
  set(patterns)
  if(WIN32)
    set(places "windows")
    if(CMAKE_CROSSCOMPILING)
      set(places "(windows|wine)")
    endif()
    file(STRINGS "${table}" rows REGEX "^${name}\t[^\t]+\t${places}\t")
    list(TRANSFORM rows REPLACE "^[^\t]+\t([^\t]+)\t.*" "\\1" OUTPUT_VARIABLE patterns)
  endif()
  list(JOIN patterns ":" patterns)
  set(${var} "${patterns}" PARENT_SCOPE)
endfunction()

# One GoogleTest program for one folder of tests. It links exactly the room it tests and what that room needs.
# With the reference data present a skipped test is a failure: a skip would hide that the data were not looked at.
function(wb_test name)
  cmake_parse_arguments(TEST "" "" "LINKS;ALONE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  file(GLOB headers CONFIGURE_DEPENDS *.h)
  if(WEIGHBRIDGE_UNITY)
    wb_unite(${name} sources ${TEST_ALONE})
  endif()
  add_executable(${name} ${sources} ${headers})
  target_link_libraries(${name} PRIVATE ${TEST_LINKS} test_support GTest::gtest GTest::gmock)
  set(kind TEST)
  if(name MATCHES "^gpu_" OR name IN_LIST WB_COMPUTING_TESTS)
    set(kind TEST_COMPUTING)
  endif()
  wb_use_pch(${name} ${kind})
  wb_plain_code(${name} ${kind})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${WB_TEST_TIMEOUT})
  wb_not_run(${name} left_out)
  if(left_out STREQUAL "*")
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    set_tests_properties(${name} PROPERTIES DISABLED ON)
  else()
    add_dependencies(unit_tests ${name})
  endif()
  if(left_out)
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "GTEST_FILTER=-${left_out}")
  endif()
  wb_order_test(${name})
  if(EXISTS "${WEIGHBRIDGE_SHARED}/golden")
    set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endif()
endfunction()

# One Qt Test program for one folder of tests, run without a display. A skipped test is a failure as above.
function(wb_gui_test name)
  cmake_parse_arguments(TEST "" "" "LINKS;ALONE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  file(GLOB headers CONFIGURE_DEPENDS *.h)
  set(scanned)
  if(WEIGHBRIDGE_UNITY)
    # moc looks for their classes all the same.
    set(scanned ${sources})
    set_source_files_properties(${scanned} PROPERTIES HEADER_FILE_ONLY ON)
    wb_unite(${name} sources ${TEST_ALONE})
  endif()
  add_executable(${name} ${sources} ${scanned} ${headers})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(${name} PRIVATE ${TEST_LINKS} gui_test_support)
  wb_use_pch(${name} GUI_TEST)
  wb_plain_code(${name} GUI_TEST)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${WB_TEST_TIMEOUT} ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  wb_order_test(${name})
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
